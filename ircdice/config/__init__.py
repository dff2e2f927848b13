"""The config: read an INI file, check it as a whole, and hold it as frozen values."""

from ircdice.config.files import PrivateKey
from ircdice.config.loading import default_path, house_rules, load, load_for_page
from ircdice.config.model import BotConfig, Config, Current, Limits, NetworkConfig, WebConfig
from ircdice.values import Join, Listen

__all__ = [
    "BotConfig",
    "Config",
    "Current",
    "Join",
    "Limits",
    "Listen",
    "NetworkConfig",
    "PrivateKey",
    "WebConfig",
    "default_path",
    "house_rules",
    "load",
    "load_for_page",
]
