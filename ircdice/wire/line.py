"""Line: one line of the protocol taken apart. Knows the syntax, and no command's meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ircdice.wire.package import NickMask, Tag

# The package's own pattern splits parameters at any Unicode blank and dies of a line without a command.
_LINE = re.compile(
    r"(?:@(?P<tags>[^ ]*) +)?(?::(?P<source>[^ ]*) +)?(?P<command>[A-Za-z]+|[0-9]{3})(?: +(?P<rest>.*))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line from the server. Parameters that are not there read as empty: servers leave out what they please."""

    command: str
    params: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)

    def param(self, index: int) -> str:
        """The parameter at `index`, or nothing."""
        return self.params[index] if -len(self.params) <= index < len(self.params) else ""

    @property
    def nick(self) -> str:
        """Whose line it is."""
        return str(NickMask(self.source).nick)

    @property
    def userhost(self) -> str:
        """`user@host` of whose line it is, where the server says so."""
        return str(NickMask(self.source).userhost or "")


def parse(text: str) -> Line | None:
    """Take `text` apart; None for what is no line of the protocol at all (IRC-10)."""
    match = _LINE.fullmatch(text)
    if match is None:
        return None
    return Line(
        match["command"].upper(), _params(match["rest"] or ""), match["source"] or "", _tags(match["tags"] or "")
    )


def _params(rest: str) -> tuple[str, ...]:
    middle, colon, last = (" " + rest).partition(" :")
    params = tuple(word for word in middle.split(" ") if word)
    return (*params, last) if colon else params


def _tags(group: str) -> dict[str, str]:
    pairs = (Tag.parse(item) for item in group.split(";") if item)
    return {pair["key"]: pair["value"] or "" for pair in pairs}
