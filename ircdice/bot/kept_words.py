"""Words that are commands because somebody keeps something of that name (DSK-02, DSK-05)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grammars.characters import AMOUNT
from grammars.errors import ImpossibleError
from grammars.gate import begins_a_command
from grammars.line import CHANNEL_PATTERN
from grammars.tokens import ONE_WORD, check_name
from ircdice.bot import macros, names
from ircdice.bot.message import Message
from ircdice.errors import Refused, RuleError
from ircdice.table import Desk, characters, trackers
from ircdice.table.characters import Character
from ircdice.table.desk import folded

_BEFORE = re.compile(r"(?:odds|[0-9]{1,3}\s?x)\s+", re.IGNORECASE)  # what may precede a macro
_AMOUNT = re.compile(AMOUNT % r"(?:[-+]\s?)?")
_BEHIND = re.compile(rf"\s+(?:as\s|in {CHANNEL_PATTERN}|hidden\s|#)|[.!?]*$", re.IGNORECASE)  # after a name alone
_ELSEWHERE = re.compile(rf"(?:^|\s)in (?P<channel>{CHANNEL_PATTERN})(?=[\s.!?]|$)", re.IGNORECASE)
_UNKNOWN_NUMBER = re.compile(
    rf"(?P<name>{ONE_WORD}) (?P<amount>[-+]?[0-9]{{1,4}})(?: as \"?(?P<whose>[^\"]+?)\"?)?[.!?]*", re.IGNORECASE
)


def may_be_kept(plain: str, message: Message, desk: Desk) -> bool:
    """Whether a line begins with the name of a macro, or changes a tracker, which a line before it may make."""
    before = _BEFORE.match(plain)
    macro = plain[before.end() :] if before else plain
    if macros.called(macro, message, desk) or _AMOUNT.search(plain):
        return True
    return _tracker(quoted(plain, message, desk), message, desk) is not None


def expanded(plain: str, message: Message, desk: Desk, system: str) -> str | None:
    """The command that a called line means, as `track luck -2` for `luck -2`; None if it means none (GEN-17, DSK-05).

    RuleError for a macro that cannot be carried out. Of a channel that is named in private only the numbers are meant.
    """
    line = quoted(plain, message, desk)
    if not message.aside and (before := _BEFORE.match(line)):
        command = macros.expanded(line[before.end() :], message, desk, system)
        return f"{before[0]}{command}" if command else None
    if begins_a_command(plain):
        return line if line != plain else None
    if not message.aside:
        return macros.expanded(line, message, desk, system) or _tracker(line, message, desk)
    number = _tracker(line, message, desk)
    if number is None and macros.called(line, message, desk):
        raise not_there(message.channel or "")
    return number


def not_there(channel: str) -> RuleError:
    """A roll for a channel that was typed in private."""
    return RuleError(
        f"in private nothing is rolled for {channel}: roll there, or as a storyteller with secret in front."
    )


def elsewhere(plain: str) -> str | None:
    """The channel that `doom +1 in #CHANNEL` or `doom in #CHANNEL` is about; None for a line that names none."""
    found = _ELSEWHERE.search(plain)
    return found["channel"] if found else None


def how_to_begin(plain: str, message: Message, desk: Desk, *, by_name: bool) -> str | None:
    """What to say to `doom 3` where no such number is tracked; None where a line says no number of a name.

    Unless the bot was called by name, only to `doom 3 as NAME` for somebody who is here (GEN-02).
    """
    found = _UNKNOWN_NUMBER.fullmatch(plain)
    if found is None or not (_is_here(found["whose"], message, desk) if found["whose"] else by_name):
        return None
    name = found["name"].lower()
    try:
        check_name(name)
        names.check_tracker(name)
    except (ImpossibleError, Refused):
        return None
    begins = f"track {name} {found['amount'].lstrip('+-')}"
    if whose := found["whose"]:
        return f"no {name} is tracked for {whose}: !{begins} as {names.quoted(whose)} begins that."
    return f"no {name} is tracked here: !{begins} begins that."


def _is_here(name: str, message: Message, desk: Desk) -> bool:
    """Whether a character or somebody in the channel is called that."""
    if characters.find(desk, message.place, message.who, name):
        return True
    return bool(message.channel and message.absent and not message.absent(message.channel, name))


def quoted(plain: str, message: Message, desk: Desk) -> str:
    """The line with quotes around a name of several words after `as`."""
    known = {each.name for each in characters.of_all(desk, message.place, message.who) if " " in each.name}
    if not known:
        return plain
    either = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.sub(rf"^((?:[^#]|#\S)*?\bas +)({either})(?!\w)", r'\1"\2"', plain, count=1, flags=re.IGNORECASE)


def _tracker(plain: str, message: Message, desk: Desk) -> str | None:
    """`doom +1` changes what is tracked under that name: the speaker's, the channel's, or that of somebody here; in
    private a storyteller's hidden one. The name alone asks for it."""
    found = _AMOUNT.search(plain) or _BEHIND.search(plain)
    name = folded(plain[: found.start()] if found else plain)
    if not name:
        return None
    own = characters.playing(desk, message.place, message.who) or Character(message.who, message.nick, named=False)
    shared = trackers.the_channel(message.place)
    others = characters.of_all(desk, message.place, message.who)
    if found and message.aside and message.storyteller:
        end = found.end() if found.re is _AMOUNT else found.start()
        for of, track in ((own, "track"), (shared, "track channel"), *((other, "track") for other in others)):
            if name in _names(desk, of, hidden=True):
                return f"{track} {plain[:end]} hidden{plain[end:].removeprefix(' hidden')}"
    if name in _names(desk, own):
        return f"track {plain}"
    if name in _names(desk, shared):
        return f"track channel {plain}"
    return f"track {plain}" if any(name in _names(desk, other) for other in others) else None


def _names(desk: Desk, of: Character, *, hidden: bool = False) -> Iterator[str]:
    return (folded(tracker.name) for tracker in trackers.trackers(desk, of, hidden=hidden))
