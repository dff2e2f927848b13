"""Secrecy: lines as a log may show them (IRC-05, FW-10). Knows in which of them a secret can stand; sends nothing."""

from __future__ import annotations

import re

_LINE = re.compile(r"((?:@[^ ]* +)?(?::[^ ]* +)?)([A-Za-z]+|[0-9]{3})( .*)?", re.DOTALL)
_CHANNELS = "#&+!@%~"  # as a target begins that many can read
_HIDDEN = " ***"
# How many words of a command may be shown; what follows them may be a secret.
_SHOWN = {"PASS": 0, "AUTHENTICATE": 0, "OPER": 1, "JOIN": 1, "NICKSERV": 0, "NS": 0, "IDENTIFY": 0}


def masked(line: str) -> str:
    """`line` fit for a log, without passwords, keys of channels, what is said to services or to the bot alone."""
    found = _LINE.fullmatch(line)
    if found is None:
        return line
    head, command, rest = found[1], found[2], found[3] or ""
    shown = _shown(command.upper(), rest.split(), from_server=bool(head))
    if shown is None or len(rest.split()) <= shown:
        return line
    return f"{head}{command}{''.join(f' {word}' for word in rest.split()[:shown])}{_HIDDEN}"


def _shown(command: str, words: list[str], *, from_server: bool) -> int | None:
    """How many words of the rest may be shown; None is all."""
    if command in ("PRIVMSG", "NOTICE") and words and _is_private(command, words, from_server=from_server):
        return 1
    if command == "MODE" and len(words) > 1 and "k" in words[1]:
        return 2
    if command == "324" and len(words) > 2:
        return 3 if "k" in words[2] else None
    if command == "JOIN" and from_server:
        return None  # what the server tells of a JOIN holds no key, but an account (extended-join)
    return _SHOWN.get(command)


def _is_private(command: str, words: list[str], *, from_server: bool) -> bool:
    """To services; between one person and the bot: a secret difficulty, a secret roll, or an answer that quotes one."""
    return words[0][0] not in _CHANNELS and (command == "PRIVMSG" or not from_server)
