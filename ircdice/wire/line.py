"""Line: one line of the protocol taken apart. Knows the syntax, and no command's meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ircdice.wire.package import Tag

# The package's own pattern splits parameters at any Unicode blank and dies of a line without a command.
_LINE = re.compile(
    r"(?:@(?P<tags>[^ ]*) +)?(?::(?P<source>[^ ]*) +)?(?P<command>[A-Za-z]+|[0-9]{3})(?: +(?P<rest>.*))?", re.DOTALL
)


_NO_TAGS: Mapping[str, str] = MappingProxyType({})


class Line(NamedTuple):
    """A line from the server. Parameters that are not there read as empty: servers leave out what they please."""

    command: str
    params: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = _NO_TAGS

    def param(self, index: int) -> str:
        """The parameter at `index`, or nothing."""
        return self.params[index] if -len(self.params) <= index < len(self.params) else ""

    @property
    def nick(self) -> str:
        """Whose line it is."""
        return self.source.partition("!")[0]

    @property
    def userhost(self) -> str:
        """`user@host` of whose line it is, where the server says so."""
        return self.source.partition("!")[2]


def parse(text: str) -> Line | None:
    """Take `text` apart; None for what is no line of the protocol at all (IRC-10)."""
    match = _LINE.fullmatch(text)
    if match is None:
        return None
    tags, source, command, rest = match.groups("")
    return Line(command.upper(), _params(rest), source, _tags(tags) if tags else _NO_TAGS)


def _params(rest: str) -> tuple[str, ...]:
    middle, colon, last = (" " + rest).partition(" :")
    params = tuple(filter(None, middle.split(" ")))
    return (*params, last) if colon else params


def _tags(group: str) -> dict[str, str]:
    pairs = (Tag.parse(item) for item in group.split(";") if item)
    return {pair["key"]: pair["value"] or "" for pair in pairs}
