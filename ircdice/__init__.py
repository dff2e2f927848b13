"""ircdice: an IRC dice bot whose posted results a table can trust."""

__version__ = "0.3.0"
