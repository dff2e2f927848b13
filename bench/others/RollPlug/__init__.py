"""The plugin for Limnoria."""

import supybot

from . import config, plugin

__version__ = "1"
__author__ = supybot.authors.unknown
__contributors__ = {}
Class = plugin.Class
configure = config.configure
