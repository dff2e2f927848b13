"""One file for each game, pure: a node and dice give an outcome, a node gives exact odds."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # a further system's folder may stand elsewhere on the path
