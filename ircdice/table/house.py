"""The house rules of a channel: those of the config, overridden by those set in the channel (DSK-10)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from grammars.channel import HouseRule, Value
from ircdice.settings import ChannelSettings, HouseRules
from ircdice.table.desk import Desk, key_of

SETTING = "setting"
_JUDGING = frozenset(each.name for each in fields(HouseRules))


def rule_key(channel: str, name: str) -> str:
    """One house rule of a channel."""
    return key_of(channel, SETTING, name)


def set_here(desk: Desk, channel: str, configured: ChannelSettings) -> dict[str, Any]:
    """The settings made in the channel that apply, by name; empty if the config does not allow any."""
    kept = desk.nodes(HouseRule, channel, SETTING) if configured.settings_by_storyteller else ()
    values = {rule.name: rule.value for rule in kept if rule.name}
    return {name: value for name, value in values.items() if name != "system" or may_play(value, configured)}


def may_play(game: Value, configured: ChannelSettings) -> bool:
    """Whether the config allows that game in the channel."""
    return not configured.systems or game in configured.systems


def settings(desk: Desk, channel: str, configured: ChannelSettings) -> ChannelSettings:
    """The settings of a channel, where those made there override the config."""
    here = set_here(desk, channel, configured)
    judging = {name: value for name, value in here.items() if name in _JUDGING}
    others = {name: value for name, value in here.items() if name not in _JUDGING}
    return replace(configured, **others, house=replace(configured.house, **judging)) if here else configured


def value_of(settings: ChannelSettings, name: str) -> Value:
    """The value of a house rule."""
    value: Value = getattr(settings.house if name in _JUDGING else settings, name)
    return value
