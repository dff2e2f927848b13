"""Lines that are commands only because of what just happened in the channel (GEN-06, GEN-10, GEN-19)."""

from __future__ import annotations

import re

import grammars
from grammars import Reading, UnknownCommand, catalogue
from grammars.contests import Pass
from grammars.line import Line
from ircdice import dispatcher
from ircdice.bot import following
from ircdice.bot.hearing import Heard
from ircdice.bot.message import Message
from ircdice.errors import RuleError
from ircdice.settings import ChannelSettings
from ircdice.table import Chain, Table
from ircdice.table.chain import reading_of

_FLAGS = re.IGNORECASE | re.ASCII | re.DOTALL
_DICE = re.compile(r"\s*[0-9]{1,3}\s?d[0-9]", _FLAGS)
_BARE = re.compile(  # a word alone, or with a number: `wp`, `wp 4`, `wp 3 dice`, `rouse x2`, `v5 200`
    r"\s*[a-z]+(?:[0-9](?=\s|$))?"
    r"(?P<more>\s+check|\s*(?P<times>x)?(?P<number>[0-9]{1,3})(?P<dice>\s+(?:dice|die|times))?)?"
    r"(?:\s+as\s+\S+)?\s*[.!]*\s*(?:#.*)?",
    _FLAGS,
)
_MOST_OF_A_FOLLOW_UP = 2  # digits: `wp 100` is a score


def may_decide(text: str, silence: UnknownCommand) -> bool:
    """Whether a line that nobody called the bot with could be a command at the right moment."""
    plain = Line.of(text).plain
    return bool(_DICE.match(plain) or ((silence.reading or silence.error) and _BARE.fullmatch(plain)))


def read(
    heard: Heard, silence: UnknownCommand, settings: ChannelSettings, table: Table, now: int
) -> tuple[Reading, str]:
    """What such a line says now, and the complete command. UnknownCommand where it is talk; RuleError, with what is
    wrong, where it was meant as a command."""
    if _DICE.match(Line.of(heard.text).plain):
        return _answer(heard, settings, table, now)
    return _bare(heard, silence, settings, table, now), heard.text


def _answer(heard: Heard, settings: ChannelSettings, table: Table, now: int) -> tuple[Reading, str]:
    """GEN-06: `5d10 h1` from someone who is asked in a contest, after the word that opened it."""
    contests = following.asked_of(table, heard.message, now)
    failed: grammars.CommandSyntaxError | None = None
    refused: Chain | None = None
    for contest in contests:
        text = f"{reading_of(contest.root).word} {heard.text.lstrip()}"
        try:
            reading = grammars.read(text, settings.system, True)
        except grammars.CommandSyntaxError as error:
            failed = failed or error
            continue
        if following.is_answer(table, contest, reading.node):
            return reading, text
        if reading.comment is None or "#" in heard.text:  # else they may be talking about dice
            refused = refused or contest
    if refused:
        raise RuleError(f"that is no answer to contest {following.invitation(table, refused, now)}.")
    if failed:
        raise RuleError(str(failed), hint=failed.hint)
    raise UnknownCommand(f'"{heard.text}" is no command')


def _bare(heard: Heard, silence: UnknownCommand, settings: ChannelSettings, table: Table, now: int) -> Reading:
    """A word alone or with a number: a command, or an error, if the speaker has a recent roll that it could mean."""
    plain = Line.of(heard.text).plain
    form = _BARE.fullmatch(plain)
    reading = silence.reading or _example(plain, settings.system)
    if reading is None or form is None:
        raise silence
    node, message = reading.node, heard.message
    if dispatcher.owner(node) is None and not isinstance(node, Pass):
        raise silence
    if isinstance(node, Pass):
        asked = bool(table.waiting_for(reading.name or message.nick, now))
        meant = asked and silence.error is None and _plainly(reading, plain)
    elif dispatcher.rolls(node):
        number = form["number"] and not (form["times"] or form["dice"])
        here = silence.error is not None and reading.grammar == settings.system
        meant = here and bool(number or _rolled_lately(table, message, reading, settings, now))
    else:
        latest = following.meant(table, message, reading, node)
        score = len(form["number"] or "") > _MOST_OF_A_FOLLOW_UP
        recent = latest is not None and following.is_recent(latest, settings, now)
        meant = recent and not score and _plainly(reading, plain)
    if not meant:
        raise silence
    if silence.error is not None:
        raise RuleError(str(silence.error), hint=silence.error.hint)
    return reading


def _plainly(reading: Reading, plain: str) -> bool:
    """GEN-10: a `#` comment may follow a word alone; words after `for` are talk."""
    return reading.comment is None or "#" in plain


def _example(plain: str, system: str) -> Reading | None:
    """The shortest command that begins with the word of a line."""
    word = catalogue.command_word(plain.lstrip())
    found = (catalogue.candidates(word, system) if word else ())[:1]
    examples = sorted((e for g in found for e in g.examples if catalogue.command_word(e) == word), key=len)
    return grammars.read(examples[0], system, True) if examples else None


def _rolled_lately(table: Table, message: Message, reading: Reading, settings: ChannelSettings, now: int) -> bool:
    """Whether the speaker has a recent roll of the game that the line is of (GEN-19)."""
    game = dispatcher.owner(reading.node)
    own = table.own(message.nick, message.who)
    return any(dispatcher.owner(chain.node) == game and following.is_recent(chain, settings, now) for chain in own)
