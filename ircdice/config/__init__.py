"""The config file: read, checked whole, and handed on as frozen values. Knows no socket and no rule of a game."""

from ircdice.config.current import Current
from ircdice.config.loading import default_path, house_rules, load
from ircdice.config.model import BotConfig, Config, Join, Limits, NetworkConfig, PrivateKey

__all__ = [
    "BotConfig",
    "Config",
    "Current",
    "Join",
    "Limits",
    "NetworkConfig",
    "PrivateKey",
    "default_path",
    "house_rules",
    "load",
]
