"""The gate: silence, hint or answer (GEN-02…GEN-04, GEN-10…GEN-15), over tables of real sentences."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import grammars
from grammars import catalogue

from .fates import fate, surprises

pytestmark = pytest.mark.slow

Evaluate = Callable[[Any], dict[str, Any]]

TABLES = Path(__file__).parents[1] / "gate"
# Written out here, and not taken from the grammars: these words of this release, and dice, begin a command.
OURS = re.compile(
    r"(?:(?:r|roll|rouse|wp|hunger|autowin|sc|luck|xr|b8|toss|fw|sweep|pass|withdraw|contests|close|discard|odds|help"
    r"|commands|about|version|hints|stir|fair|verify|log|stats|difficulty|secrets?|blind|reveal|play|characters?|npc|init"
    r"|channel|again|page|table|deck|track|trackers|undo|scene|status|reload|macro|macros)(?![^\W\d_])|v5(?![a-z0-9])|rolld?[0-9]|[0-9]*d[0-9])",
    re.IGNORECASE,
)


def rows(name: str) -> Iterator[tuple[str, str, str]]:
    """Each sentence of a table with what it meets with."""
    for row in (TABLES / name).read_text("utf-8").splitlines():
        if row and not row.startswith("# "):
            first, second, sentence = row.split("\t")
            yield first, second, sentence


SENTENCES = [row for name in ("talk.tsv", "commands.tsv", "nearly.tsv", "other_systems.tsv") for row in rows(name)]
LINES = list(rows("lines.tsv"))


def test_the_tables_are_as_large_as_they_should_be() -> None:
    """GEN-10..GEN-15 are tested with at least 300 sentences of ordinary talk, none of them twice."""
    talk = [sentence for _, _, sentence in rows("talk.tsv")]
    assert len(talk) >= 300
    assert len(set(talk)) == len(talk)


def test_uncalled() -> None:
    """GEN-10, GEN-13, GEN-14: what a sentence meets with in a channel where the bot was not called."""
    assert surprises((uncalled, sentence) for uncalled, _, sentence in SENTENCES) == []


def test_called_in_private() -> None:
    """GEN-02, GEN-13: there every line is for the bot."""
    assert surprises(((called, sentence) for _, called, sentence in SENTENCES), channel=None) == []


@pytest.mark.parametrize("address", ["FUDice: ", "fudice,  "])
def test_called_by_name(address: str) -> None:
    """GEN-02, GEN-13: the same by name, in any case."""
    assert surprises((called, address + sentence) for _, called, sentence in SENTENCES) == []


@pytest.mark.parametrize("prefix", "`!.")
def test_prefixed(prefix: str) -> None:
    """GEN-02: a prefix calls the bot before a command word or dice, and is another bot's before any other word."""
    rows = ((called if OURS.match(sentence) else "silent", prefix + sentence) for _, called, sentence in SENTENCES)
    assert surprises(rows) == []


@pytest.mark.parametrize("system", ["v5", "generic", "crossroads", "fayrewood"])
def test_every_hint_works(system: str) -> None:
    """GEN-11: whatever is offered is a command there, says all that it holds, and keeps every number typed."""
    hints = [
        (sentence, hint) for _, _, sentence in SENTENCES if (hint := hinted(sentence, system)) not in (None, "help")
    ]
    assert len(hints) > 20
    for sentence, hint in hints:
        comment = grammars.read(hint, system, True).comment
        assert comment is None or comment in sentence, sentence
        typed = sentence.partition("#")[0] if OURS.match(sentence) else ""
        assert not Counter(re.findall("[0-9]+", typed)) - Counter(re.findall("[0-9]+", hint)), (sentence, hint)


def hinted(sentence: str, system: str) -> str | None:
    """What is offered in the place of a sentence by who called the bot; nothing for a command."""
    try:
        grammars.read(sentence, system, True)
    except grammars.CommandSyntaxError as error:
        return error.hint
    except grammars.UnknownCommand:
        pass
    return None


def test_an_error_that_is_told_again_is_a_new_one() -> None:
    """An error that was kept would gather the frames of everybody who raised it, and what they hold."""

    def raised() -> grammars.CommandSyntaxError:
        with pytest.raises(grammars.CommandSyntaxError) as caught:
            grammars.read("roll 5d10 h7", "v5", True)
        return caught.value

    def depth(error: BaseException) -> int:
        return sum(1 for _ in traceback.walk_tb(error.__traceback__))

    first, *others = [raised() for _ in range(5)]
    assert all(other is not first for other in others)
    assert {depth(other) for other in others} == {depth(first)}


def test_lines_with_what_stands_in_front() -> None:
    """GEN-02, GEN-13, IRC-12: addresses and prefixes, and what only looks like one."""
    assert surprises((in_channel, line) for in_channel, _, line in LINES) == []
    assert surprises(((in_private, line) for _, in_private, line in LINES), channel=None) == []


@pytest.mark.parametrize(
    ("system", "with_commas", "plain"),
    [
        ("v5", "roll 5d10, h2, dc3", "roll 5d10 h2 dc3"),
        ("v5", "roll 5d10,h2 , vs 4d10", "roll 5d10 h2 vs 4d10"),
        ("v5", "wp 2, #4d", "wp 2 #4d"),
        ("beat_eight", "b8 t4, a1, severe", "b8 t4 a1 severe"),
        ("crossroads", "xr 3d6,a1,n2", "xr 3d6 a1 n2"),
        ("crossroads", "xr keep 1, 2, 4", "xr keep 1 2 4"),
        ("fayrewood", "toss d8, d6, boon, dc7", "toss d8 d6 boon dc7"),
        ("strike_cinder", "sc strike 6, vs afflicted shifter, silver", "sc strike 6 vs afflicted shifter silver"),
    ],
)
def test_commas_between_the_parts_of_a_command(system: str, with_commas: str, plain: str) -> None:
    """GEN-04: the parts of a command may have commas between them."""
    assert grammars.read(with_commas, system).node == grammars.read(plain, system).node


@pytest.mark.parametrize("line", ["wp, 2", "rouse, 2", "rouse,", "wp, 2 of us are left", "pass, 3"])
def test_a_comma_after_the_command_word_is_talk(line: str) -> None:
    """GEN-10: `wp, 2` is addressed to a person, not to the bot."""
    assert fate(line) == "silent"


EXAMPLES = [(g.name, example) for g in catalogue.grammars_found() if g.is_system for example in g.examples]


@pytest.mark.parametrize("mark", [".", "?", ". # and done", "..."])
def test_a_sentence_may_end(mark: str) -> None:
    """GEN-02: a full stop that ends a complete command is dropped, whatever the command ends with."""
    for system, example in EXAMPLES:
        assert grammars.read(example + mark, system, True).node == grammars.read(example, system, True).node


@pytest.mark.parametrize(
    ("line", "meets"),
    [
        ("xr 3d6.5", "hint"),
        ("xr 3d6 a1.5", "hint"),
        ("xr group -1 0.5 1", "hint"),
        ("xr 3d6 a2 convert 1.5", "hint"),
    ],
)
def test_a_point_between_digits_is_no_full_stop(line: str, meets: str) -> None:
    """GEN-02, GEN-04: no half of a number is read and the rest dropped."""
    assert fate(line) == meets


@pytest.mark.parametrize(
    "line",
    [
        "xr group 3 -1 7 2 -2 1 3 -1 2",
        "xr group -2 -3 2 -1 -1 for the win",
        "xr group 3d6 a1 b1 n1 d1 a1 b1; 3d6; 3d6; 3d6; 2d3",
        "xr -1 +2 -3 d1 vs 3d6b1 -1 b3 n2 p3",
    ],
)
def test_what_was_understood_and_cannot_be_is_told_at_any_length(line: str) -> None:
    """GEN-07, XR-10, XR-22: ten words bound what is guessed at, not what a rule forbids."""
    assert fate(line) == "hint"


@pytest.mark.parametrize("word", ["wp", "pass", "rouse", "WP!", "wp # now", "pass as bob"])
def test_a_word_alone_waits_for_its_moment(word: str) -> None:
    """GEN-10: what the word would be, if the moment makes it certain."""
    reading = silence(word, "generic").reading
    assert reading is not None
    assert reading.alone
    assert reading.word == re.match("[a-z]+", word.lower())[0]  # type: ignore[index]  # each begins with letters


@pytest.mark.parametrize("line", ["wp gg", "pass the salt", "rolls", "hello", "wpm", "", "pass, 2"])
def test_more_than_a_word_has_no_moment(line: str) -> None:
    """GEN-10: only one word alone, with or without a comment."""
    found = silence(line, "v5").reading
    assert found is None or not found.alone


def silence(line: str, system: str) -> grammars.UnknownCommand:
    """Why a line is met with silence."""
    with pytest.raises(grammars.UnknownCommand) as caught:
        grammars.read(line, system, False)
    return caught.value


def test_help_alone_answers_where_it_was_called(evaluate: Evaluate) -> None:
    """IRC-24: called in a channel, `help` alone is answered there, in one line."""
    found = evaluate({"text": "!help"})
    assert str(found["reply"]).startswith("Games here: ")
    assert found["private_reply"] is None


def test_rouse_alone_needs_its_system() -> None:
    """GEN-10: `rouse` alone is a command where the channel plays V5, and talk elsewhere."""
    assert str(grammars.parse("rouse", system="v5")) == "rouse"
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse("rouse", system="another")


def test_more_than_ten_words_are_talk() -> None:
    """GEN-10: an uncalled hint needs at most ten words, the command word with them, unless dice follow it."""
    ten = "hunger 2 dc3 h2 dc3 h2 dc3 h2 dc3 h2"
    assert fate(ten) == "hint"
    assert fate(f"{ten} dc3") == "silent"
    assert fate("roll 5d10 h7 " + "and " * 20) == "hint"


def test_words_of_a_comment_do_not_count() -> None:
    """GEN-03, GEN-10: what follows `#` is about the command, and is no part of it."""
    assert fate("hunger 2 dc3 # and all that came of it") == "hint"
    assert fate("hunger 2 and all # dc3 h2") == "silent"


@pytest.mark.parametrize("text", ["roll 5d10 # " + "x" * 389, "roll 5d10 h7 " + "y " * 200])
def test_too_long_a_command(text: str) -> None:
    """GEN-15: 400 characters, whatever they are; told where dice show that it was meant."""
    with pytest.raises(grammars.CommandSyntaxError, match="at most 400 characters") as caught:
        grammars.parse(text)
    assert caught.value.column == 401


def test_a_command_of_400_characters() -> None:
    """GEN-15: exactly 400 are taken, and runs of spaces count as one (GEN-02)."""
    text = "roll 5d10 # " + "x" * 388
    assert len(text) == 400
    assert str(grammars.parse(text)) == "roll 5d10"
    assert str(grammars.parse(text.replace(" ", "     "))) == "roll 5d10"


def test_too_long_a_talk() -> None:
    """GEN-15: ten thousand characters of talk are silence; called, they are refused."""
    assert fate("roll with it " * 800) == "silent"
    assert fate("FUDice: " + "roll with it " * 800) == "hint"
    assert fate("x" * 10_000) == "silent"


@pytest.mark.parametrize("text", ["roll 100d10", "rouse 100", "roll 100d10 vs 100d10", "v5 100"])
def test_as_many_dice_as_there_may_be(text: str) -> None:
    """GEN-15: 100 dice in a pool."""
    assert str(grammars.parse(text)) == text


@pytest.mark.parametrize("text", ["roll 101d10", "rouse 101", "roll 5d10 vs 101d10", "v5 50+51", "autowin 101 dc2 h0"])
def test_more_dice_than_there_may_be(text: str) -> None:
    """GEN-15: 101 are refused, with the limit in the sentence."""
    with pytest.raises(grammars.CommandSyntaxError, match="1 to 100"):
        grammars.parse(text, called=True)
