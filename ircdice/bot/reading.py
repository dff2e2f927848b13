"""Read a line as a command of its channel, depending on recent rolls (GEN-03, GEN-06, GEN-10)."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import grammars
from grammars import Command, CommandSyntaxError, Reading, UnknownCommand, catalogue
from grammars.command import quoted
from grammars.contests import Discard, Pass
from grammars.gate import begins_a_command
from grammars.initiative import Initiative
from grammars.line import NDX, Line, shown
from grammars.reading import could_be_talk
from grammars.secrets import Secret
from grammars.tokens import near
from grammars.trackers import Track
from ircdice import dispatcher
from ircdice.bot import contests, expansion, follow_ups, secrets
from ircdice.bot.context import LineContext
from ircdice.bot.message import Heard
from ircdice.bot.refusals import not_here, not_here_sentence, not_played, of_others
from ircdice.clock import MINUTE
from ircdice.errors import Refused, RuleError
from ircdice.settings import ChannelSettings
from ircdice.table import LAST_REF, OTHER, Chain, characters
from ircdice.table.desk import folded
from ircdice.table.rolls import reading_of

SHORTEST_MISSPELT = 4  # letters: `as ever` does not mean `Eve`
_MOST_OF_A_FOLLOW_UP = 2  # digits: `wp 100` is a score
# May be followed by the name of a macro, or a name of several words.
_NAMES_KEPT = re.compile(r"^odds\s|\sas\s", re.IGNORECASE)
EVERYDAY = frozenset({"close", "discard", "pass", "reveal", "withdraw"})  # everyday words that take an id (GEN-13)
_TAG = re.compile(r"[a-z]{3,}")
_WORDS_AS = re.compile(r'(?P<words>.+) as @?"?(?P<name>[^"]+)"?', re.IGNORECASE)


class Undecided(NamedTuple):
    """A line that may be a command because of recent rolls (GEN-10) or stored names; if not, `refusal` is raised."""

    refusal: UnknownCommand | CommandSyntaxError


def read(heard: Heard, settings: ChannelSettings) -> Reading | Undecided:
    """The command, as far as it can be read without its place. UnknownCommand if it is certainly talk."""
    if heard.unknown_word:
        return Undecided(UnknownCommand(f'"{heard.text}" is another bot\'s command'))
    if (games := not_played(heard.plain, settings.systems)) and not _has_offer(heard, settings):
        raise not_here(heard, games, settings)
    try:
        reading = grammars.read(heard.text, settings.system, heard.called)
    except UnknownCommand as silence:
        if silence.reading and secrets.said_in_public(heard.message, silence.reading.node):
            return silence.reading
        named = begins_a_command(heard.plain) and _NAMES_KEPT.search(heard.plain)
        bare = silence.dice or silence.error or (silence.reading and silence.reading.alone)
        if heard.called or not (named or bare):
            raise
        return Undecided(silence)
    except CommandSyntaxError as error:
        _check_played(error, settings)
        _check_private(heard, settings.system, error)
        if not heard.called or (begins_a_command(heard.plain) and not _NAMES_KEPT.search(heard.plain)):
            raise
        return Undecided(error)
    game = dispatcher.game_name(reading.node.inner)
    if settings.systems and game is not None and game not in settings.systems:
        raise not_here(heard, (game,), settings)
    there = expansion.channel_in(reading.comment or "") if reading.in_words and heard.message.channel is None else None
    if there and game is not None:
        raise expansion.not_there(there)
    return reading


def _offers(error: CommandSyntaxError, settings: ChannelSettings) -> list[tuple[str, ...]]:
    """For the hint and the example of an error, the games of each if none of them is played here, else ()."""
    return [of_others(offer, settings) for offer in (error.hint, error.guess and error.example) if offer]


def _has_offer(heard: Heard, settings: ChannelSettings) -> bool:
    """GEN-11: whether a line in a notation that is not played is refused with a command of a game that is."""
    with suppress(UnknownCommand):
        try:
            grammars.read(heard.text, settings.system, heard.called)
        except CommandSyntaxError as error:
            return not all(_offers(error, settings))
    return False


def _check_played(error: CommandSyntaxError, settings: ChannelSettings) -> None:
    """GEN-19: CommandSyntaxError if only a game that is not played here could read most of the line."""
    if (others := _offers(error, settings)) and all(others):
        raise replace(error, sentence=not_here_sentence(others[0], settings)) from None


def _check_private(heard: Heard, system: str, error: CommandSyntaxError) -> None:
    """RuleError for a private command that takes no channel, but is complete without the one at its end (GEN-11)."""
    there = expansion.channel_in(heard.plain) if error.guess and heard.message.channel is None else None
    with suppress(CommandSyntaxError, UnknownCommand):
        if there and grammars.read(heard.plain.partition(f" in {there}")[0], system, True):
            raise RuleError(f"that is typed in {there} itself, not in private.")


def _decided(heard: Heard, refusal: UnknownCommand | CommandSyntaxError, context: LineContext) -> tuple[Reading, str]:
    """The reading of such a line in its place, and the complete command. UnknownCommand if it is talk; Refused if it
    was meant as a command but is wrong."""
    if heard.unknown_word or isinstance(refusal, CommandSyntaxError):
        text = expansion.expanded(heard.plain, context)
        if text is None:
            raise refusal
        return grammars.read(text, context.settings.system, True), text
    if refusal.dice:
        return _answer(heard, context)
    text = heard.text
    if (quoted := expansion.with_quotes(heard.plain, heard.message, context.desk)) != heard.plain:
        try:
            return grammars.read(quoted, context.settings.system), quoted
        except UnknownCommand as still:
            refusal, text = still, quoted
    return _bare(refusal, context), text


def completed(heard: Heard, reading: Reading | Undecided, context: LineContext) -> tuple[Reading, str]:
    """The command, completed with everything known in its place, and its text. Refused, UnknownCommand as above."""
    text = heard.text
    if isinstance(reading, Undecided):
        reading, text = _decided(heard, reading.refusal, context)
    if reading.speaks_as and reading.in_words:
        text = expansion.with_quotes(Line.of(text).plain, context.message, context.desk)
        reading = grammars.read(text, context.settings.system, True)
    if reading.speaks_as is not None and not is_known(context, reading.speaks_as, reading.node):
        _check_spelling(context, reading.speaks_as, reading, text)
        if reading.inside:
            raise _inside(heard, reading, reading.speaks_as, text)
        reading = reading.without_name
        text = f"{reading.typed} # {reading.comment}"
    if reading.in_words:
        _check_comment(context, reading)
    if reading.speaks_as is not None:
        _check_meaning(context, reading, reading.speaks_as)
    reading, text = context.with_tracked_values(reading, text)
    if reading.word in EVERYDAY and not heard.called:
        _check_tag(context, reading)
    return reading, text


def is_known(context: LineContext, name: str, node: Command) -> bool:
    """GEN-03: whether `as NAME` names a character, a player with a roll or contest here, or a nick in the channel.

    For a tracker it may be a member of a game who has that number (SC-26).
    """
    table = context.table
    if (isinstance(node, Track) and table.tracked(node, name)) or isinstance(node, Secret):  # refuses strangers itself
        return True
    return any(table.same(name, each) for each in table.speakers(node)) or context.is_somebody(name)


def nobody_called(name: str) -> RuleError:
    """The error for an unknown name where it cannot be part of the comment."""
    return RuleError(f"nobody here is called {shown(name)}: put # before a comment.")


def _inside(heard: Heard, reading: Reading, name: str, text: str) -> Refused:
    """The error for an unknown name inside a command; talk if the rest could be that (GEN-03)."""
    grammar = catalogue.named(reading.grammar)
    if not heard.called and could_be_talk(reading.typed, grammar.certain if grammar else ()):
        return UnknownCommand(f"nobody here is called {shown(name)}")
    hint = f"{reading.typed} # {reading.without_name.comment}"
    return CommandSyntaxError(f"nobody here is called {shown(name)}.", text, text.find(name) + 1, hint)


def _check_spelling(context: LineContext, typed: str, reading: Reading, text: str) -> None:
    """CommandSyntaxError if an unknown name is one letter off a member of the game, or a character or player that the
    speaker acts for."""
    shortest = SHORTEST_MISSPELT if reading.in_words else SHORTEST_MISSPELT - 1  # `as Tug` that ends the command
    nicks = [nick for nick in context.nicks() if len(nick) >= shortest] if context.message.storyteller else []
    if meant := misspelt(context, typed, shortest, *nicks, *context.table.speakers(reading.node)):
        as_typed = re.compile(rf'\bas\s+["@]?{re.escape(typed)}"?', re.IGNORECASE)
        hint: str | None = as_typed.sub(lambda _: f"as {quoted(meant)}", text, count=1)  # nicks may have a backslash
        try:
            context.table.prepared(context.table.speaking(reading._replace(speaks_as=meant)).node.inner, meant)
        except RuleError:
            hint = None  # GEN-11: it would be refused as well
        raise CommandSyntaxError(f"nobody here is called {shown(typed)}.", text, text.find(typed) + 1, hint)


def misspelt(context: LineContext, typed: str, shortest: int = SHORTEST_MISSPELT, *others: str) -> str | None:
    """The name that `typed`, of at least `shortest` letters, is one letter off: that of a character that the speaker
    acts for, or one of `others`."""
    names = {folded(name): name for name in others} | {
        folded(each.name): each.name
        for each in characters.of_all(context.desk, context.message.place, context.message.who)
        if len(each.name) >= SHORTEST_MISSPELT and (context.message.storyteller or each.owner == context.message.who)
    }
    meant = near(folded(typed), names) if len(typed) >= shortest else []
    return names[meant[0]] if meant else None


def _check_comment(context: LineContext, reading: Reading) -> None:
    """GEN-03: `h as alice` is ambiguous: the name is a clause only directly after the command.

    RuleError if the channel knows that name.
    """
    match = _WORDS_AS.fullmatch(reading.comment or "")
    if match is None or context.table.same(match["name"], OTHER) or not is_known(context, match["name"], reading.node):
        return
    words, name, actor = match["words"], match["name"], context.actor_of(match["name"])
    acts = context.message.storyteller or actor.owner == context.message.who
    if " " in words and not (acts and actor.named and actor != context.actor_of(None)):
        return
    hint = f"{reading.typed} as {quoted(name)} # {words}" if acts else f"{reading.typed} # {reading.comment}"
    raise RuleError(f'"as {name}" follows the command, before "{shown(words)}"; a comment begins with #.', hint=hint)


def _check_meaning(context: LineContext, reading: Reading, name: str) -> None:
    """RuleError for a known name after `as` that says nothing of that command, though it may of another of its kind."""
    node, table = reading.node, context.table
    if isinstance(node, Initiative) and node.name is not None:
        raise RuleError(f'"as {name}" means nothing after {reading.typed}: leave it out.')
    chain = table.find(node.ref) if isinstance(node, Discard) and node.ref is not None else None
    names = (name, context.known_as(name))
    if chain and not (table.sides(chain, *names) or table.same(chain.node.character or "", name)):
        raise RuleError(f"that roll has no side called {name}.")


def _check_tag(context: LineContext, reading: Reading) -> None:
    """Raise UnknownCommand if `#` after an everyday word begins a hashtag and not an id of this channel (GEN-13):
    `discard #sad`. An id has a digit, or one or two letters."""
    ref = reading.node.ref
    if (
        ref
        and ref != LAST_REF
        and _TAG.fullmatch(ref)
        and not (context.table.find(ref) or context.table.seals.find(ref))
    ):
        raise UnknownCommand(f"#{ref} is no roll here")


def _answer(heard: Heard, context: LineContext) -> tuple[Reading, str]:
    """GEN-06: read `5d10 h1`, after the contest's command word, as the challenged player's answer; remarks are not."""
    if heard.text.partition("#")[0].rstrip().endswith("?"):
        raise UnknownCommand(f'"{heard.text}" is a question')
    failed: grammars.CommandSyntaxError | None = None
    refused: Chain | None = None
    for contest in contests.asked_of(context):
        text = f"{reading_of(contest.root).word} {heard.text.lstrip()}"
        try:
            reading = grammars.read(text, context.settings.system, True)
        except grammars.CommandSyntaxError as error:
            failed = failed or error
            if error.column == len(text) - len(heard.text.lstrip()) + 1:  # not dice there, but `sc resist 5`
                refused = refused or contest
            continue
        if reading.in_words and could_be_talk(NDX.sub("", reading.typed), ()):  # `10d10 is a lot`
            continue
        if contests.is_answer(context, contest, reading.node):
            return reading, text
        if not reading.in_words:  # otherwise it may be talk about dice
            refused = refused or contest
    if refused:
        raise RuleError(f"that is no answer to contest {_why_not(heard, refused, context)}")
    if failed:
        raise RuleError(str(failed), hint=failed.hint)
    raise UnknownCommand(f'"{heard.text}" is no command')


def _why_not(heard: Heard, contest: Chain, context: LineContext) -> str:
    """What is wrong with dice that are no answer: the error of both sides in one line, or else how to answer."""
    acting, versus, _ = str(context.table.standing(contest).node).partition(" vs ")
    try:
        grammars.read(f"{acting}{versus}{heard.text.lstrip()}", context.settings.system, True)
    except grammars.CommandSyntaxError as error:
        if not error.guess and error.column > len(acting):
            return f"{contest.id}: {error}"
    return f"{contests.invitation(context, contest)}."


def _bare(silence: UnknownCommand, context: LineContext) -> Reading:
    """A word alone or with a number: a command or an error if it can refer to a recent roll of the speaker."""
    error = silence.error
    reading = silence.reading
    if error and error.example:
        reading = grammars.read(error.example, context.settings.system, True)  # a command of the same kind
    if reading is None or reading.in_words:
        raise silence
    node = reading.node
    if isinstance(node, Pass):
        meant = error is None and bool(contests.waiting_for(context, reading.speaks_as))
    elif dispatcher.game_name(node) is None:
        meant = False
    elif dispatcher.rolls(node):
        meant = error is not None and reading.grammar == context.settings.system and dispatcher.throws(node)
    else:
        latest = follow_ups.meant(context, reading, node)
        recent = latest and context.now - latest.since <= context.settings.house.wp_minutes * MINUTE
        if latest is None and not reading.speaks_as:  # DSK-07: refused with the reason
            recent = follow_ups.is_recent(context, follow_ups.secret_of(context))
        meant = bool(recent) and len(silence.number) <= _MOST_OF_A_FOLLOW_UP
    if not meant:
        raise silence
    if error is not None:
        raise RuleError(str(error), hint=error.hint)
    return reading
