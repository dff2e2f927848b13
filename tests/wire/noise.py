"""Noise: lines that no server sends, the same ones for the same seed. They end in CR LF, whatever else they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

Some = TypeVar("Some")

WORDS = (
    *b"PRIVMSG NOTICE TAGMSG JOIN PART KICK QUIT NICK MODE TOPIC INVITE PING PONG CAP BATCH ACCOUNT AWAY".split(),
    *b"CHGHOST AUTHENTICATE FAIL WARN NOTE SETNAME WALLOPS KILL WHATEVER privmsg Ping 1 12 1234 001x \xff".split(),
)
PARAMS = (
    *b"#x #X @#x #y FUDice fudice al * :  LS NEW DEL ACK NAK +o-v +ooo -b +k 0 -1 999999999999999999999999".split(),
    *b"CHANLIMIT=# CHANLIMIT=#: PREFIX= PREFIX=(ov)@ CASEMAPPING=ascii CASEMAPPING= CHANTYPES=# NICKLEN=x".split(),
    *b"LINELEN=-5 LINELEN=1 TARGMAX=PRIVMSG:0 STATUSMSG= - -= = == +1 -1 chathistory message-tags=\\ ,,,".split(),
)
TEXTS = (
    *(b"say x", b"roll 5d10 h2 dc3", b"roll 1d1000000", b"!roll", b"psst \x10rQUIT :1", b"wp", b"help", b"", b" "),
    *(b"\x01VERSION\x01", b"\x01PING \x10n\x01", b"\x01", b"\x01ACTION roll 1d10\x01", b"\x02\x0304,5roll 2d10\x0f"),
    *("\u202eroll 5d10".encode(), "roll \u0663d10".encode(), b"roll 5d10 # \xe2\x82", b"\xe9", b"(" * 300, b"9" * 400),
)
SOURCES = (
    *(b"al!u@h", b"bo!~u@some.host", b"FUDice!u@h", b"s", b"", b"!", b"@"),
    *(b"a\x00b!u@h", b"\xff!\xfe@\xfd", b"x" * 400),
)
TAGS = (
    *(b"time=2026-01-01T00:00:00.000Z", b"time=x", b"account=al", b"account", b"batch=1"),
    *(b"bot", b"=", b";;", b"a=\\"),
)
BROKEN = (b"", b" ", b":", b"@", b":a", b"@a", b"@a :b", b"x" * 700, b"@" + b"a=b;" * 300 + b" :al!u@h")


class Noise:
    """A stream of choices from a seed: the linter keeps chance itself out of the tests, and this comes again."""

    def __init__(self, seed: int) -> None:
        self._seed, self._block, self._drawn = seed, 0, iter(b"")

    def below(self, most: int) -> int:
        """A number from 0, less than `most`, which is at most 65536."""
        return (self._byte() << 8 | self._byte()) % most

    def one(self, some: Sequence[Some]) -> Some:
        return some[self.below(len(some))]

    def octets(self, most: int) -> bytes:
        return bytes(self._byte() for _ in range(self.below(most)))

    def lines(self, count: int) -> Iterator[bytes]:
        for _ in range(count):
            yield self._line().replace(b"\n", b" ") + b"\r\n"

    def _line(self) -> bytes:
        kind = self.below(20)
        if kind == 0:
            return self.octets(80)
        if kind == 1:
            return self.one(BROKEN)
        line = self._well_formed()
        if kind == 2:  # a byte of it changed
            at = self.below(len(line))
            return line[:at] + bytes((self._byte(),)) + line[at + 1 :]
        return line[: self.below(len(line)) + 1] if kind == 3 else line

    def _well_formed(self) -> bytes:
        tags = b"@" + b";".join(self.one(TAGS) for _ in range(self.below(4))) + b" " if self.below(5) == 0 else b""
        source = b":" + self.one(SOURCES) + b" " if self.below(8) else b""
        word = self.one(WORDS) if self.below(3) else b"%03d" % self.below(1000)
        params = b"".join(b" " + self.one(PARAMS) for _ in range(self.below(6)))
        if self.below(3) == 0:
            word, params = b"PRIVMSG", b" " + self.one((b"#x", b"FUDice"))
        return tags + source + word + params + (b" :" + self.one(TEXTS) if self.below(3) else b"")

    def _byte(self) -> int:
        byte = next(self._drawn, None)
        if byte is None:
            self._block += 1
            self._drawn = iter(hashlib.shake_256(b"%d %d" % (self._seed, self._block)).digest(4096))
            byte = next(self._drawn)
        return byte
