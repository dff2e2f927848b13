"""Current: the settings of the config that holds now, for those who keep asking (IRC-25)."""

from __future__ import annotations

from ircdice.casemapping import DEFAULT
from ircdice.config.model import Config
from ircdice.settings import ChannelSettings


class Current:
    """Settings that change with the config; of a network that is gone from it the last ones hold."""

    def __init__(self, config: Config) -> None:
        self._by_network: dict[str, Config] = {}
        self.take(config)

    def take(self, config: Config) -> None:
        """Go on by another config."""
        self._config = config
        self._by_network.update((network.name, config) for network in config.networks)

    def channel(self, network: str, channel: str | None, casemapping: str = DEFAULT) -> ChannelSettings:
        """As `Settings` has it."""
        return self._by_network[network].channel(network, channel, casemapping)

    def plays(self, network: str, channel: str) -> bool:
        """As `Settings` has it."""
        return self._config.plays(network, channel)

    def announcing(self) -> list[tuple[str, str]]:
        """As `Settings` has it."""
        return self._config.announcing()
