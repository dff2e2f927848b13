"""What cannot be carried out: one sentence, its place, the nearest command, and nothing rolled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import grammars
from ircdice.bot import Bot, Hinting, Message, Randomness, Reply
from ircdice.dice import DiceSource
from ircdice.ledger import MemoryLedger
from ircdice.settings import ChannelSettings

Evaluate = Callable[[Any], dict[str, Any]]
TABLE = Path(__file__).parents[1] / "gate" / "bad_input.tsv"
BAD = [row.split("\t") for row in TABLE.read_text("utf-8").splitlines() if not row.startswith("# ")]


class Table(Randomness):
    """One channel and a ledger; its dice may be asked for and never thrown, and the clock is set by the test."""

    def __init__(self, hinting: Hinting | None = None) -> None:
        self.now = 1_000_000
        self.ledger = MemoryLedger(lambda: self.now)
        self.bot = Bot(self.ledger, self, self, lambda: self.now, hinting)

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        return ChannelSettings(official=True)

    def begin(self, _network: str, _place: str) -> DiceSource:
        return self

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        raise AssertionError(f"{count}d{sides} were thrown")

    def finish(self) -> None:
        return None

    def say(self, text: str, *, channel: str | None = "#c", nick: str = "alice") -> tuple[Reply, ...]:
        return asyncio.run(self.bot.hear(Message("net", channel, nick, text)))

    def records(self) -> int:
        return len(asyncio.run(self.ledger.of_channel("net", "#c"))) + len(
            asyncio.run(self.ledger.of_channel("net", "@~alice"))
        )


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    assert made.records() == 0


def test_one_clear_sentence(evaluate: Evaluate) -> None:
    """GEN-05, GEN-07, GEN-12, V5-01, V5-04, V5-05, V5-12, V5-19: the sentence, its column, the nearest command."""
    for column, line, sentence, hint in BAD:
        found = evaluate({"text": line})
        assert (found["error"], found["column"], found["hint"]) == (sentence, int(column), hint or None), line


def test_nothing_is_rolled_or_recorded() -> None:
    """GEN-07: told once, in private, or in the channel where the bot was called by name."""
    for _, line, _, _ in BAD:
        table = Table()
        (reply,) = table.say(line)
        by_name = line.startswith("FUDice:")
        assert not reply.text[0].islower(), line
        hint = "Did you mean:" in reply.text  # GEN-11: a hint is for the speaker alone
        assert (reply.target, reply.private) == (("#c", False) if by_name and not hint else ("alice", True)), line
        assert reply.text.isprintable()
        assert len(reply.text.encode()) <= 400
        assert table.records() == 0


@pytest.mark.parametrize("hint", sorted({hint for _, _, _, hint in BAD if hint}))
def test_a_hint_is_a_command(hint: str) -> None:
    """GEN-11: what is offered works as it is."""
    assert grammars.parse(hint.removeprefix("!"), called=True) is not None


@pytest.mark.parametrize("n", [1, 3, 10])
def test_a_lone_number_behind_vs_is_asked(n: int) -> None:
    """GEN-05: difficulty, dcN, or a pool?"""
    with pytest.raises(grammars.CommandSyntaxError, match=f"difficulty, dc{n}, or a pool\\?"):
        grammars.parse(f"roll 5d10 h2 vs {n}")


def test_wp_behind_a_pool_is_asked() -> None:
    """GEN-12: it reads two ways, and both are named."""
    with pytest.raises(grammars.CommandSyntaxError, match="roll 4d10 willpower, or a reroll") as caught:
        grammars.parse("roll 4d10 wp")
    assert caught.value.column == 11


@pytest.mark.parametrize(
    "line",
    [
        "roll ٣d10",
        "v5 ٣+4",
        "roll with it " * 800,
        "x" * 10_000,
        "\x00",
        "\x00roll 5d10",
        "ro\x00ll 5d10",
        "\r",
        "\xff\xfe",
        "Ã roll 5d10",
        "\ud83d",
        "wp",
        "pass",
    ],
)
def test_met_with_silence(table: Table, line: str) -> None:
    """GEN-10, GEN-15, IRC-10: what is no command is silence, whatever it holds."""
    assert table.say(line) == ()


@pytest.mark.parametrize(
    "line",
    [
        "roll 5d10 \x00h7",
        "roll 5d10\x00 h2",
        "roll 5d10 h2\rroll 5d10",
        "roll 5d10 h2 \xc3 3",
        "roll 5d10 h2 \udcc3 3",
        "roll 5d10 \u202eh7",
        "roll 5d10 " + "h2 " * 3000,
        "roll " + "9" * 300 + "d10",
        "roll 5d10 h" + "9" * 300,
        "v5 1" + "+999999999999" * 29 + " h7",
        "FUDice: " + "\x02" * 9 + "\x00" * 9,
        "FUDice: \ud83d 5d10",
    ],
)
def test_told_without_repeating_what_cannot_be_seen(table: Table, line: str) -> None:
    """GEN-07, IRC-21: NUL, CR, torn characters and walls of digits: one short line that can be sent."""
    (reply,) = table.say(line)
    assert reply.text.isprintable()
    assert len(reply.text.encode("utf-8")) <= 400


@pytest.mark.parametrize("line", ["!odds stats 9", "!odds log 0"])
def test_what_would_not_have_rolled_does_not_say_so(table: Table, line: str) -> None:
    """GEN-07: for its odds, too."""
    (reply,) = table.say(line)
    assert not reply.text.startswith("Not rolled")


@pytest.mark.parametrize(
    ("first", "then", "sentence"),
    [
        ({"text": "roll 4d10 willpower", "dice": [3, 3, 3, 3]}, "wp 2", "cannot be rerolled with Willpower"),
        ({"text": "roll 4d10 h1", "dice": [3, 3, 3, 3]}, "wp 2 #nosuch", "no roll #nosuch"),
        ({"text": "rouse", "dice": [3]}, "wp 2 #1", "cannot be rerolled with Willpower"),
    ],
)
def test_follow_ups_that_cannot_be(evaluate: Evaluate, first: dict[str, object], then: str, sentence: str) -> None:
    """GEN-09, V5-14..V5-16: a sentence, and no die."""
    assert "labels" in evaluate(first | {"table": "t"})
    found = evaluate({"text": then, "table": "t", "dice": []})
    assert found["private_reply"].startswith("Not rolled: ")
    assert sentence in found["private_reply"]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("roll 5d10; h2", ";"),
        ('roll 5d10 "3"', "'3'"),
        ("roll 5d10 (h2)", "(h2)"),
        ("roll 5d10 \u202ey3", "y3"),
        ("roll 5d10 " + "z3" * 40, "z3" * 18 + "z..."),
    ],
)
def test_the_word_that_is_not_known_is_named(table: Table, line: str, named: str) -> None:
    """GEN-04, GEN-07: as it was typed, as far as it can be seen, and not at any length."""
    (reply,) = table.say(line)
    assert reply.text.startswith(f'Not rolled: "{named}" is unknown. ')


def test_errors_are_no_hints() -> None:
    """GEN-05, GEN-07, GEN-12: what was understood and cannot be done is always told, however often."""
    table = Table(Hinting())
    table.say("!hints off")
    for line in ("roll 5d10 h7", "roll 5d10 dc0", "roll 5d10 vs 3", "roll 5d10 wp", "roll 5d10 h7"):
        assert len(table.say(line)) == 1


@pytest.mark.parametrize(
    ("system", "typed", "sentence", "hint"),
    [
        ("beat_eight", "b8 t4 difficulty -1", 'write the difficulty without "difficulty".', "b8 t4 -1"),
        ("beat_eight", "b8 t4 difficulty severe", 'write the difficulty without "difficulty".', "b8 t4 severe"),
        ("beat_eight", "b8 t4 dc8", "the number to beat is always 8", None),
        ("beat_eight", "b8 2d6 t4", "b8 rolls its 2d6 by itself: leave 2d6 out.", "b8 t4"),
        ("beat_eight", "b8 2d6", "b8 rolls its 2d6 by itself: leave 2d6 out.", "b8"),
        ("beat_eight", "b8 4 1", "each number has its letter: t4 is a trait, a1 an ability.", None),
        ("strike_cinder", "sc mind 7 vs bob", "vs needs dice", "sc mind 7 vs @bob"),
        ("strike_cinder", "sc mind 7 vs a human", 'write the target without "a".', "sc mind 7 vs human"),
        ("strike_cinder", "sc strike 6 vs a human", 'write the target without "a".', "sc strike 6 vs human"),
        ("strike_cinder", "sc strike 6 vs the Ghoul dc3", "write the target", "sc strike 6 vs Ghoul dc3"),
        ("fayrewood", "toss d8 + d6 dc7", "main dice are typed one after the other", "toss d8 d6 dc7"),
        ("fayrewood", "toss d8 d6 with help", "help needs the number of helpers, as help 1.", None),
        ("crossroads", "xr a1 dc11", "Crossroads has no difficulty", None),
        ("crossroads", "xr dc11", "Crossroads has no difficulty", None),
    ],
)
def test_gen_11_what_was_meant_is_offered(system: str, typed: str, sentence: str, hint: str | None) -> None:
    """GEN-11, GEN-12: uncalled, a command that was meant is refused with the one that works."""
    with pytest.raises(grammars.CommandSyntaxError) as refused:
        grammars.read(typed, system)
    assert str(refused.value).startswith(sentence)
    assert refused.value.hint == hint
