"""ISUPPORT: what a server announces in numeric 005 (IRC-09)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ircdice.casemapping import DEFAULT, fold

_PREFIX = re.compile(r"\(([A-Za-z]*)\)(.*)")
_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")
_CHANTYPES = "#&"
_SHORTEST, _LONGEST = 512, 8192
# Only these are kept: a server may send as many as it likes.
_KNOWN = frozenset(
    {"BOT", "CASEMAPPING", "CHANMODES", "CHANTYPES", "LINELEN", "MONITOR", "NICKLEN", "PREFIX", "TARGMAX", "WHOX"}
)


class Support:
    """The tokens of one connection. A value that makes no sense is ignored: servers do send such."""

    def __init__(self) -> None:
        self._tokens: dict[str, str] = {}
        self.casemapping = DEFAULT  # how names are compared here
        self.chantypes = _CHANTYPES  # the characters that begin a channel's name; may be none

    def load(self, tokens: Iterable[str]) -> None:
        """Take the tokens of one 005 line; `-TOKEN` takes one back."""
        for token in tokens:
            name, _, value = token.partition("=")
            if name.startswith("-"):
                self._tokens.pop(name[1:].upper(), None)
            elif name.upper() in _KNOWN:
                self._tokens[name.upper()] = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), value)
        self.casemapping = self._tokens.get("CASEMAPPING", "").lower() or DEFAULT
        self.chantypes = self._tokens.get("CHANTYPES", _CHANTYPES)

    def fold(self, name: str) -> str:
        """`name` in the form that is compared."""
        return fold(name, self.casemapping)

    @property
    def linelen(self) -> int:
        """The longest line in bytes, with CR and LF."""
        value = self._tokens.get("LINELEN", "")
        return min(max(int(value), _SHORTEST), _LONGEST) if re.fullmatch("[0-9]{1,6}", value) else _SHORTEST

    @property
    def nicklen(self) -> int | None:
        """The longest nick; None if unknown."""
        value = self._tokens.get("NICKLEN", "")
        return int(value) if re.fullmatch("[1-9][0-9]{0,3}", value) else None

    @property
    def joins_at_once(self) -> int | None:
        """How many channels one JOIN may name (TARGMAX); None if unknown."""
        limits = dict(part.partition(":")[::2] for part in self._tokens.get("TARGMAX", "").upper().split(","))
        value = limits.get("JOIN", "")
        return int(value) if re.fullmatch("[1-9][0-9]{0,3}", value) else None

    @property
    def bot_mode(self) -> str | None:
        """The user mode that marks a bot (IRC-27); None if there is none."""
        value = self._tokens.get("BOT", "")
        return value if re.fullmatch("[A-Za-z]", value) else None

    @property
    def monitors(self) -> bool:
        """Whether the server reports when a nick becomes free (MONITOR)."""
        return "MONITOR" in self._tokens

    @property
    def whox(self) -> bool:
        """Whether WHO can return accounts."""
        return "WHOX" in self._tokens

    @property
    def ranks(self) -> dict[str, str]:
        """Prefixes of rank and the modes that grant them, highest first."""
        found = _PREFIX.fullmatch(self._tokens.get("PREFIX", ""))
        if found and len(found[1]) == len(found[2]):
            return dict(zip(found[2], found[1], strict=True))
        return {"@": "o", "+": "v"}

    @property
    def modes_with_argument(self) -> tuple[str, str]:
        """The channel modes that take an argument always, and those that take one only when set."""
        kinds = (self._tokens.get("CHANMODES", "") or "beI,k,l,imnpst").split(",")
        always, when_set = "".join(kinds[:2]), "".join(kinds[2:3])
        return always + "".join(self.ranks.values()), when_set

    def mode_changes(self, modes: str, arguments: Iterable[str]) -> Iterator[tuple[bool, str, str]]:
        """The changes of a channel's MODE (`+o-v alice bob`): whether it is set, the mode, and its argument or ""."""
        always, when_set = self.modes_with_argument
        left, adding = iter(arguments), True
        for mode in modes:
            if mode in "+-":
                adding = mode == "+"
            else:
                yield adding, mode, next(left, "") if mode in always or (adding and mode in when_set) else ""
