"""The grammars are what they look like: tokens a player would name, composed with pyparsing, drawn as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path

import pytest

import grammars
from grammars import catalogue
from grammars.catalogue import Grammar, grammars_found

DRAWN = Path(__file__).parents[2] / "docs" / "grammar"
GRAMMARS = pytest.mark.parametrize("grammar", grammars_found(), ids=lambda grammar: grammar.name)
FREE = {"words", "a posted line", "a command that rolls", "a word, a game or a rule", "in #channel", "for NICK"}
FREE |= {"NAME", "what changes, as h3", "a reason", "an entry, as fog x2", "a value, or default"}
FREE |= {"= a command that rolls"}
OTHER_WORDS = {
    "again",
    "channel",
    "fair",
    "help",
    "macros",
    "odds",
    "secrets",
    "verify",
}  # grammars that take free words or another command
NAMES = {"alice", "bob", "fog", "rain", "sun", "tarot", "weather"}


def plain(words: str) -> str:
    return re.sub(r"[\s-]", "", words.lower())


@GRAMMARS
def test_gen_04_every_example_is_a_command_and_says_so_again(grammar: Grammar) -> None:
    """GEN-04, GEN-11: what help shows works, and a command in its own words is the same command."""
    for example in grammar.examples:
        reading = grammars.read(example, grammar.name if grammar.is_system else "v5", True)
        again = grammars.read(str(reading.node), reading.grammar if grammar.is_system else "v5", True)
        assert again.node == reading.node


@GRAMMARS
def test_dsk_11_an_example_does_not_say_how_it_is_called(grammar: Grammar) -> None:
    """DSK-11: help and the documents show it as it is typed, `!again`; the sense need not."""
    assert [sense for sense in grammar.examples.values() if "to the bot" in sense] == []


@GRAMMARS
def test_gen_04_no_token_reads_two_things(grammar: Grammar) -> None:
    """Style: a terminal matches one token of an example; a keyword with its number and `natural shifter` are one."""
    tokens = {token for each in grammar.tokens.values() for token in each if token.name not in FREE}
    for example in grammar.examples:
        starts = [0, *(space.end() for space in re.finditer(" ", example))]
        for token in tokens:
            for match in (token.re.match(example, start) for start in starts):
                if match and " " in match[0].strip() and not token.rejects:
                    keyed = token.numbered and re.fullmatch(r"[a-z]+ [0-9]+", match[0].strip())
                    assert keyed or plain(match[0]) in map(plain, token.words), (token.name, match[0])


def drawn(grammar: Grammar) -> str:
    """The words in the diagrams of a grammar."""
    page = unescape((DRAWN / f"{grammar.name}.html").read_text("utf-8"))
    return " ".join(re.findall(r"<text[^>]*>(.*?)</text>", page))


def missing(words: Iterable[str], grammar: Grammar) -> list[str]:
    """Those words that its diagrams do not have, as `dc` or `dcN`."""
    shown = drawn(grammar)
    return [word for word in sorted(words) if not re.search(rf"(?<![a-z]){re.escape(word)}N?(?![a-z])", shown)]


@GRAMMARS
def test_dsk_11_every_word_of_a_grammar_is_drawn(grammar: Grammar) -> None:
    """DSK-11: every word that a command takes, and every command word, is in the diagrams."""
    tokens = {token for each in grammar.tokens.values() for token in each if not token.rejects}
    assert missing({word for token in tokens for word in token.words} | set(grammar.keywords), grammar) == []


@GRAMMARS
def test_dsk_11_what_help_names_is_drawn(grammar: Grammar) -> None:
    """DSK-11: every keyword of the commands that help shows is in the diagrams of its game."""
    lines = [*grammar.examples.values(), *(line for lines in grammar.help.values() for line in lines)]
    named = [*grammar.examples, *re.findall("`([^`]+)`", " ".join(lines))]
    commands = [each for each in named if each.split()[0] in grammar.keywords and grammar.name not in OTHER_WORDS]
    said = [re.sub(r"\[.*?\]| # .*|[#@]\w+", "", each) for each in commands]
    words = {word for each in said for word in re.findall(r"(?<![\w-])[a-z]{2,}(?![\w-])", each)}
    assert missing(words - NAMES, grammar) == []


def test_gen_16_every_command_word_is_claimed_once_or_by_games() -> None:
    """GEN-12: only games share a command word; then the channel's own reads it first. DSK-02: trackers have two."""
    shared = {word: [g for g in found if g.name != "trackers"] for word, found in catalogue.claims().items()}
    shared = {word: found for word, found in shared.items() if len(found) > 1}
    assert all(grammar.is_system for found in shared.values() for grammar in found)


def test_gen_11_a_system_that_is_not_installed_is_none() -> None:
    """GEN-11: a record of a plug-in that was removed is read as where no game is played."""
    assert grammars.parse("roll 5d10 h2", "gone", called=True) == grammars.parse("roll 5d10 h2", "v5")
    with pytest.raises(grammars.CommandSyntaxError, match='"roll 5x" needs dice'):
        grammars.parse("roll 5x", "gone", called=True)
