"""The config: read an INI file, check it as a whole, and hold it as frozen values."""

from ircdice.config.current import Current
from ircdice.config.loading import default_path, house_rules, load
from ircdice.config.model import BotConfig, Config, Limits, NetworkConfig
from ircdice.config.values import Join, PrivateKey

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
