"""Understood sections → the values that the bot is started with. Finds no fault."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ircdice.config.model import BotConfig, Config, Limits, NetworkConfig
from ircdice.config.sections import Block
from ircdice.settings import ChannelSettings, HouseRules

HOUSE = tuple(field.name for field in fields(HouseRules))
_OF_BOT = ("nick", "alternate_nicks", "username", "realname", "data")  # what a network takes from [bot]


def built(blocks: list[Block], folder: Path, warnings: tuple[str, ...]) -> Config:
    """The whole config; a network takes what it does not say itself from [bot] and [limits]."""
    given = {block.kind: block.given for block in blocks if block.kind in ("bot", "limits")}
    limits = Limits(**given.get("limits", {}))
    bot = BotConfig(**{"data": folder} | _of(BotConfig, given.get("bot", {})))
    common = {"prefixes": bot.prefixes, "hints": limits.hints}
    networks = []
    for block in (block for block in blocks if block.kind == "network"):
        fallback = ChainMap(block.given, given.get("bot", {}), common)
        apart = [other for other in blocks if other.kind == "channel" and other.network == block.network]
        networks.append(
            NetworkConfig(
                name=block.network,
                defaults=settings(fallback),
                settings={other.channel: settings(fallback.new_child(other.given)) for other in apart},
                **{name: getattr(bot, name) for name in _OF_BOT} | _of(NetworkConfig, block.given),
            )
        )
    return Config(bot=bot, networks=tuple(networks), limits=limits, warnings=warnings)


def settings(given: Mapping[str, Any]) -> ChannelSettings:
    """A channel's settings, from the keys of its section and those above it."""
    house = HouseRules(**{name: given[name] for name in HOUSE if name in given})
    return ChannelSettings(**_of(ChannelSettings, given) | {"house": house})


def _of(kind: type[BotConfig | NetworkConfig | ChannelSettings], given: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}
