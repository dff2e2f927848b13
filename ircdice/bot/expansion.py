"""Expand lines that begin with the name of a macro or tracker into commands (DSK-02, DSK-05, GEN-17)."""

from __future__ import annotations

import re

import grammars
from grammars import UnknownCommand
from grammars.again import changed
from grammars.errors import ImpossibleError
from grammars.gate import begins_a_command
from grammars.line import CHANNEL_PATTERN, FLAGS, NICK_PATTERN
from grammars.macros import Macro
from grammars.trackers import TRACKER
from ircdice.bot import macros
from ircdice.bot.context import LineContext
from ircdice.bot.message import Message
from ircdice.errors import RuleError
from ircdice.table import Desk, characters
from ircdice.table.characters import Character
from ircdice.table.desk import folded

_CHANGES = re.compile(
    r"(?P<changes>.*?)(?:\s*\bas\s+(?P<name>\"[^\"]+\"|\S+))?(?:\s*#\s(?P<comment>.*))?", re.IGNORECASE
)
_AS = re.compile(rf"\sas\s+@?(?P<name>{NICK_PATTERN})", re.IGNORECASE)
_BEFORE = re.compile(r"(?:odds|[0-9]{1,3}\s?x)\s+", re.IGNORECASE)  # what may precede a macro
_AMOUNT = re.compile(r"[0-9]|\soff\b", re.IGNORECASE)  # a line without one changes no tracker
_NAME_OFF = re.compile(rf"{TRACKER.pattern}\s+off\b", FLAGS)
_ELSEWHERE = re.compile(rf"(?:^|\s)in (?P<channel>{CHANNEL_PATTERN})(?=[\s.!?]|$)", re.IGNORECASE)


def called(plain: str, message: Message, desk: Desk) -> Macro | None:
    """The macro that a line begins with; the longest name wins."""
    matching = [macro for macro in macros.usable(desk, message) if _begins_with(plain, macro.name)]
    return max(matching, key=lambda macro: len(macro.name), default=None)


def _begins_with(plain: str, name: str) -> bool:
    return folded(plain[: len(name)]) == folded(name) and not plain[len(name) :][:1].isalnum()


def run(plain: str, context: LineContext) -> str | None:
    """The command that a line with a macro runs; None if it does not begin with one.

    RuleError if a number is not tracked, or if the rest of the line cannot change the command.
    """
    macro = called(plain, context.message, context.desk)
    rest = _CHANGES.fullmatch(plain[len(macro.name) :].strip()) if macro else None
    if macro is None or rest is None:
        return None
    named = (rest["name"] or "").strip('"')
    of = context.actor_of(named if named and context.is_somebody(named) else None)
    try:
        text = macro.filled(lambda name: _number(context.desk, of, name))
        reading = grammars.read(text, context.settings.system, True)
        return changed(reading, rest["changes"], rest["comment"], named or None)
    except ImpossibleError as error:
        raise RuleError(str(error)) from None
    except UnknownCommand:
        raise RuleError(f"the macro {macro.name} is no command here: !macro {macro.name} shows it.") from None


def _number(desk: Desk, of: Character, name: str) -> int:
    tracked = characters.tracker(desk, of, name)
    if tracked is None:
        raise RuleError(f"{name} is not tracked for {of.name}: !track {name} 3 begins that.")
    return tracked.level.value


def begins_with_a_macro(plain: str, message: Message, desk: Desk) -> bool:
    """Whether a line begins with a macro, perhaps repeated, so that it would roll; `odds punch` would not."""
    return not begins_a_command(plain) and _macro_in(plain, message, desk) is not None


def _macro_in(plain: str, message: Message, desk: Desk) -> Macro | None:
    before = _BEFORE.match(plain)
    return called(plain[before.end() :] if before else plain, message, desk)


def may_be_expanded(plain: str, message: Message, desk: Desk) -> bool:
    """Whether a line begins with the name of a macro, changes a tracker or asks for another player's: an earlier line
    may define these."""
    if _macro_in(plain, message, desk) or _AMOUNT.search(plain) or _AS.search(plain):
        return True
    own = characters.acting(desk, message.place, message.who, message.nick)
    return _tracker(with_quotes(plain, message, desk), message, desk, own) is not None


def named_in(plain: str) -> str | None:
    """The name of one word after `as`."""
    match = _AS.search(plain.partition(" # ")[0])
    return match and match["name"]


def expanded(plain: str, context: LineContext) -> str | None:
    """The command that a called line means, such as `track luck -2` for `luck -2`, or None (GEN-17, DSK-05).

    RuleError for a macro that cannot be carried out. A channel named in private only gives access to trackers.
    """
    message, desk = context.message, context.desk
    line = with_quotes(plain, message, desk)
    if not message.aside and (before := _BEFORE.match(line)):
        command = run(line[before.end() :], context)
        return f"{before[0]}{command}" if command else None
    if begins_a_command(plain):
        return line if line != plain else None
    of = context.actor_of(named_in(line))
    if not message.aside and (command := run(line, context)):
        return command
    number = _tracker(line, message, desk, of)
    if number and _NAME_OFF.match(line):
        raise RuleError(f"a number is removed by the whole command: !{number.rstrip('.!?')}.")
    if number is None and message.aside and called(line, message, desk):
        raise not_there(message.channel or "")
    return number


def not_there(channel: str) -> RuleError:
    """The error for a roll for a channel that was typed in private."""
    how = "roll there, or as a storyteller with secret in front"
    return RuleError(f"in private nothing is rolled for {channel}: {how}.")


def channel_in(plain: str) -> str | None:
    """The channel in `doom +1 in #CHANNEL` or `doom in #CHANNEL`, if any."""
    match = _ELSEWHERE.search(plain)
    return match["channel"] if match else None


def with_quotes(plain: str, message: Message, desk: Desk) -> str:
    """The line, with quotes around a name of several words after `as`."""
    everybody = characters.of_all(desk, message.place, message.who)
    known = {character.name for character in everybody if " " in character.name}
    if not known:
        return plain
    either = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.sub(rf"^((?:[^#]|#\S)*?\bas +)({either})(?!\w)", r'\1"\2"', plain, count=1, flags=re.IGNORECASE)


def _tracker(plain: str, message: Message, desk: Desk, acting: Character) -> str | None:
    """`doom +1` changes the tracker with that name: the actor's, the channel's or another player's; in private, a
    storyteller's hidden one. The name alone asks for it."""
    if (name := TRACKER.re.match(plain)) is None:
        return None
    others = characters.of_all(desk, message.place, message.who)
    for hidden in (True, False) if message.aside and message.storyteller else (False,):
        for of in (acting, characters.the_channel(message.place), *others):
            if (tracked := characters.tracker(desk, of, name[0], hidden=hidden)) is None:
                continue
            track = "track channel" if tracked.shared else "track"
            if hidden and (there := _ELSEWHERE.search(plain)):
                before, after = plain[: there.start()], plain[there.start() :]
                return f"{track} {before.removesuffix(' hidden')} hidden{after}"
            return f"{track} {plain}"
    return None
