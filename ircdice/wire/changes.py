"""Changes: what another config asks of a connection that stands (IRC-25). Values alone; sends nothing."""

from __future__ import annotations

from dataclasses import fields

from ircdice.config import NetworkConfig
from ircdice.wire.isupport import Support
from ircdice.wire.joins import join_lines

# What may become another while a connection stands. All else was part of how it was made.
_AT_ONCE = frozenset(
    {
        *("channels", "defaults", "settings", "relays", "ignore", "accept_invites", "nick", "alternate_nicks"),
        *("flood_burst", "flood_interval", "reconnect_first", "reconnect_longest"),
    }
)


def wants_another(old: NetworkConfig, new: NetworkConfig) -> bool:
    """Whether only a new connection can be as `new` says."""
    names = [field.name for field in fields(NetworkConfig) if field.name not in _AT_ONCE]
    return any(getattr(old, name) != getattr(new, name) for name in names)


def lines(old: NetworkConfig, new: NetworkConfig, support: Support) -> list[str]:
    """What to send so that a connection made for `old` is where `new` wants it: PART and JOIN."""
    fold = support.fold
    before = {fold(join.name): join for join in old.channels}
    after = {fold(join.name): join for join in new.channels}
    parts = [f"PART {join.name} :no longer in the config" for name, join in before.items() if name not in after]
    joins = [(join.name, join.key) for name, join in after.items() if before.get(name) != join]
    return [*parts, *join_lines(joins, support.joins_at_once)]
