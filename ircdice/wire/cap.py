"""Negotiation: which capabilities a connection has (IRC-03). Lines in, lines out; knows no socket and no clock."""

from __future__ import annotations

from ircdice.wire.line import Line

OPENING = "CAP LS 302"
WANTED = (
    "message-tags",
    "account-tag",
    "server-time",
    "multi-prefix",
    "account-notify",
    "extended-join",
    "batch",
    "echo-message",
    "labeled-response",
)
_KNOWN = frozenset({*WANTED, "sasl", "sts"})  # a list without end fills no memory


class Negotiation:
    """The client's side of CAP 302: ask for what is wanted and offered, alone where the whole was refused.

    `receive` takes only what the server says. When nothing is open any more `settled` is true; whoever has no other
    reason to wait then ends it with `finish`.
    """

    def __init__(self, wanted: tuple[str, ...] = WANTED) -> None:
        self.wanted = wanted
        self.offered: dict[str, str] = {}
        self.enabled: set[str] = set()
        self.listed = False  # whether a whole list has come
        self._asked: set[str] = set()
        self._done = False

    @property
    def settled(self) -> bool:
        """Whether the server has listed what it has, and answered all that was asked for."""
        return self.listed and not self._asked

    def receive(self, line: Line) -> list[str]:
        """Answer one `CAP` line."""
        names = line.param(-1).split() if len(line.params) > 2 else []
        match line.param(1).upper():
            case "LS":
                return self._listed(names, more=line.param(2) == "*" and len(line.params) > 3)
            case "NEW":
                self._offer(names)
                return self._ask()
            case "DEL":
                self._remove(names)
            case "ACK":
                self._granted(names)
            case "NAK":
                return self._refused(names)
        return []

    def finish(self) -> list[str]:
        """End the negotiation if it still stands, whatever is open."""
        if self._done:
            return []
        self._done = True
        return ["CAP END"]

    def welcomed(self) -> None:
        """The server let us in: there is nothing left to end, whether it knows CAP or not."""
        self._done = True

    def _listed(self, names: list[str], *, more: bool) -> list[str]:
        self._offer(names)
        self.listed = self.listed or not more
        return [] if more else self._ask()

    def _offer(self, names: list[str]) -> None:
        for name in names:
            key, _, value = name.partition("=")
            if key in _KNOWN or key in self.wanted:
                self.offered[key] = value

    def _remove(self, names: list[str]) -> None:
        for name in names:
            self.offered.pop(name, None)
            self.enabled.discard(name)
            self._asked.discard(name)  # an answer that may never come now

    def _ask(self) -> list[str]:
        known = self.enabled | self._asked
        new = [name for name in self.wanted if name in self.offered and name not in known]
        self._asked.update(new)
        return [f"CAP REQ :{' '.join(new)}"] if new else []

    def _granted(self, names: list[str]) -> None:
        for name in names:
            if name.startswith("-"):
                self.enabled.discard(name[1:])
            elif name in self._asked:  # nothing is taken for granted that was not asked for
                self.enabled.add(name)
        self._asked.difference_update(names)

    def _refused(self, names: list[str]) -> list[str]:
        refused = [name for name in names if name in self._asked]
        if len(refused) > 1:  # all or nothing is the protocol's way: ask for each alone
            return [f"CAP REQ :{name}" for name in refused]
        self._asked.difference_update(refused)
        return []
