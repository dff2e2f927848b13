"""Current: the settings of the latest config, which a reload replaces (IRC-25)."""

from __future__ import annotations

from ircdice.casemapping import DEFAULT
from ircdice.config.model import Config
from ircdice.settings import ChannelSettings


class Current:
    """The `Settings` of the latest config. A network that a reload removed keeps its last settings."""

    def __init__(self, config: Config) -> None:
        self._by_network: dict[str, Config] = {}
        self.take(config)

    def take(self, config: Config) -> None:
        """Use another config from now on."""
        self._config = config
        self._by_network.update((network.name, config) for network in config.networks)

    def channel(self, network: str, channel: str | None, casemapping: str = DEFAULT) -> ChannelSettings:
        """The settings of a channel; see `Settings`."""
        return self._by_network[network].channel(network, channel, casemapping)

    def plays(self, network: str, channel: str) -> bool:
        """Whether the bot belongs in that channel; see `Settings`."""
        return self._config.plays(network, channel)

    def joining(self) -> list[tuple[str, str]]:
        """The channels that the bot joins; see `Settings`."""
        return self._config.joining()

    def announcing(self) -> list[tuple[str, str]]:
        """The channels with announcements; see `Settings`."""
        return self._config.announcing()
