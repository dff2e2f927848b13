"""ircdice: an IRC dice bot whose posted results a table can trust."""

from pkgutil import extend_path

__version__ = "0.3.0"
# Another folder on the path may hold `ircdice/rules/NAME.py`: a further system needs no change here.
__path__ = extend_path(__path__, __name__)
