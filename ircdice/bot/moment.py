"""Lines that are commands only because of what just happened in the channel (GEN-06, GEN-10, GEN-19)."""

from __future__ import annotations

import re

import grammars
from grammars.contests import Pass
from grammars.gate import begins_a_command
from grammars.line import Line
from ircdice import dispatcher
from ircdice.bot import following
from ircdice.bot.hearing import Heard
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


def may_decide(text: str) -> bool:
    """Whether a line that nobody called the bot with could be a command at the right moment."""
    plain = Line.of(text).plain
    return bool(_DICE.match(plain) or (_BARE.fullmatch(plain) and begins_a_command(plain.lstrip())))


def read(heard: Heard, settings: ChannelSettings, table: Table, now: int) -> tuple[grammars.Reading, str]:
    """What such a line says now, and the complete command. UnknownCommand where it is talk; RuleError, with what is
    wrong, where it was meant as a command."""
    if _DICE.match(Line.of(heard.text).plain):
        return _answer(heard, settings, table, now)
    return _bare(heard, settings, table, now), heard.text


def _answer(heard: Heard, settings: ChannelSettings, table: Table, now: int) -> tuple[grammars.Reading, str]:
    """GEN-06: `5d10 h1` from someone who is asked in a contest, behind the word that opened it."""
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
        if reading.words_at is None:  # else they may be talking about dice
            refused = refused or contest
    if refused:
        raise RuleError(f"that is no answer to contest {following.invitation(table, refused, now)}.")
    if failed:
        raise _refusal(failed)
    raise grammars.UnknownCommand(f'"{heard.text}" is no command')


def _bare(heard: Heard, settings: ChannelSettings, table: Table, now: int) -> grammars.Reading:
    talk = grammars.UnknownCommand(f'"{heard.text}" is no command now')
    form = _BARE.fullmatch(Line.of(heard.text).plain)
    error = None
    try:
        reading = grammars.read(heard.text, settings.system, True)
    except grammars.CommandSyntaxError as refused:
        if form is None or not form["more"] or not refused.hint:
            raise talk from None
        error, reading = refused, grammars.read(refused.hint, settings.system, True)
    node, message = reading.node, heard.message
    if isinstance(node, Pass) and not error:
        meant = bool(table.waiting_for(reading.speaks_as or message.nick, now))
    elif dispatcher.owner(node) is None or not _BARE.fullmatch(reading.typed):
        meant = False
    elif dispatcher.rolls(node):
        plain = form is not None and form["number"] and not (form["times"] or form["dice"])
        here = reading.grammar == settings.system
        meant = error is not None and here and bool(plain or _rolled_lately(heard, settings, table, now, reading))
    else:
        latest = following.meant(table, message, reading, node)
        score = form is not None and len(form["number"] or "") > _MOST_OF_A_FOLLOW_UP
        meant = latest is not None and following.is_recent(latest, settings, now) and not score
    if not meant:
        raise talk
    if error:
        raise _refusal(error)
    return reading


def _rolled_lately(heard: Heard, settings: ChannelSettings, table: Table, now: int, reading: grammars.Reading) -> bool:
    """Whether the speaker has a recent roll of the game that the line is of (GEN-19)."""
    own = table.own(heard.message.nick, heard.message.who)
    game = dispatcher.owner(reading.node)
    return any(dispatcher.owner(chain.node) == game and following.is_recent(chain, settings, now) for chain in own)


def _refusal(error: grammars.CommandSyntaxError) -> RuleError:
    """What is wrong with a line that was meant as a command: it is told in any case, not as a hint (GEN-11)."""
    return RuleError(str(error), hint=error.hint if error.guess else None)
