"""Whose line it is, and whether the bot was called (GEN-02, IRC-12, IRC-13)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ircdice.bot import Bot, Hinting, Randomness
from ircdice.bot.message import Heard, Message, listen
from ircdice.casemapping import fold
from ircdice.dice import UNSTAMPED, DiceSource
from ircdice.ledger import MemoryLedger
from ircdice.settings import ChannelSettings

Evaluate = Callable[[Any], dict[str, Any]]


def hear(
    text: str, *, relay: bool = False, channel: str | None = "#c", me: str = "FUDice", mapping: str = "rfc1459"
) -> Heard | None:
    message = Message("net", channel, "Bridge" if relay else "alice", text, me, "acct", True, relay, mapping)
    return listen(message, "`!.")


@pytest.mark.parametrize(
    "address",
    ["FUDice: ", "FUDice, ", "fudice: ", "FUDICE,", "FUDice:", "  FUDice:  ", "\x02FUDice\x02: ", "FUDice : "],
)
def test_called_by_name(address: str) -> None:
    """GEN-02, IRC-12: the nick with a colon or a comma, in any case and dress."""
    heard = hear(f"{address}roll 5d10")
    assert heard is not None
    assert (heard.text, heard.called, heard.by_name) == ("roll 5d10", True, True)
    assert heard.offset == len(address)


@pytest.mark.parametrize(
    ("me", "typed"), [("FU[Dice]", "fu{dice}"), ("Dice|A", "dice\\a"), ("Dice^", "dice~"), ("D1ce", "d1CE")]
)
def test_the_nick_is_compared_by_casemapping(me: str, typed: str) -> None:
    """GEN-02, IRC-16: `[]\\^` are the capitals of `{}|~` under rfc1459, and not under ascii."""
    heard = hear(f"{typed}: roll 5d10", me=me)
    assert heard is not None
    assert heard.by_name
    strict = hear(f"{typed}: roll 5d10", me=me, mapping="ascii")
    assert strict is not None
    assert strict.by_name == (typed.lower() == me.lower())


@pytest.mark.parametrize("channel", ["#cafe\u0301", "#\u212b", "#a\x02b"])
def test_led_11_a_channel_that_the_ledger_would_call_otherwise_is_not_played_in(channel: str) -> None:
    """LED-11: names are in NFC and without formatting there: two channels of one name would share their numbers."""
    assert hear("FUDice: roll 5d10", channel=channel) is None
    assert hear("FUDice: roll 5d10", channel="#caf\u00e9") is not None


def test_led_11_somebody_behind_a_relay_is_called_as_the_ledger_calls_them() -> None:
    """IRC-13, LED-11: however it is composed, it is one name, and `wp` finds its roll."""
    heard = hear("<\u212bsa> roll 5d10", relay=True)
    assert heard is not None
    assert heard.message.nick == "\u00c5sa@Bridge"


@pytest.mark.parametrize(
    "line",
    [
        "FUDice :)",
        "FUDice; roll",
        "FUDice_: roll",
        "FUDic: roll",
        "a: roll",
        ": roll",
        "FUDice",
    ],
)
def test_what_is_no_address(line: str) -> None:
    """GEN-02, GEN-04: BOTNICK before anything but a command, and other names."""
    heard = hear(line)
    assert heard is not None
    assert (heard.text, heard.called, heard.by_name, heard.offset) == (line, False, False, 0)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("FUDice: roll 5d10", "roll 5d10"),
        ("FUDice roll 5d10", "roll 5d10"),
        ("FUDice 5d10 h2", "5d10 h2"),
        ("@FUDice: roll 5d10", "roll 5d10"),
        ("@FUDice roll", "roll"),
        ("@FUDice 2d6", "2d6"),
    ],
)
def test_gen_04_called_by_name(line: str, command: str) -> None:
    """GEN-04: with a colon or without it, and with `@`."""
    heard = hear(line)
    assert heard is not None
    assert (heard.text, heard.called, heard.by_name) == (command, True, True)
    assert line[heard.offset :] == command


@pytest.mark.parametrize("prefix", "`!.")
def test_called_by_prefix(prefix: str) -> None:
    """GEN-02: a prefix counts before a command word or dice, and another bot's word after it is silence."""
    heard = hear(f" {prefix}roll 5d10")
    assert heard is not None
    assert (heard.text, heard.called, heard.by_name, heard.offset) == ("roll 5d10", True, False, 2)
    for line in (f"{prefix}5 dice", f"{prefix} roll", f"{prefix}{prefix}roll", prefix):
        other = hear(line)
        assert other is not None
        assert not other.called
    dice = hear(f"{prefix}5d10 h2")
    assert dice is not None
    assert (dice.text, dice.called, dice.offset) == ("5d10 h2", True, 1)
    for words in ("seen bob", "rolling 5d10"):
        others = hear(f"{prefix}{words}")
        assert others is not None
        assert others.unknown_word


def test_private_is_called() -> None:
    """GEN-10: in private no address or prefix is needed."""
    heard = hear("roll 5d10", channel=None)
    assert heard is not None
    assert heard.called
    assert not heard.by_name


@pytest.mark.parametrize(
    ("line", "nick", "text", "called"),
    [
        ("<carol> roll 5d10", "carol@Bridge", "roll 5d10", False),
        ("<carol>roll 5d10", "carol@Bridge", "roll 5d10", False),
        ("<Carol Ann> roll 5d10", "Carol_20Ann@Bridge", "roll 5d10", False),
        ("<\x0304carol\x03> roll 5d10", "carol@Bridge", "roll 5d10", False),
        ("\x0303<carol>\x0f roll 5d10", "carol@Bridge", "roll 5d10", False),
        ("<cárol🎲> !roll 5d10", "cárol_{1f3b2}@Bridge", "roll 5d10", True),
        ("<carol> FUDice: roll 5d10", "carol@Bridge", "roll 5d10", True),
        ('<a;b",c:d e@x> roll 5d10', "a_3bb_22_2cc_3ad_20e_40x@Bridge", "roll 5d10", False),
        ("<" + "n" * 60 + "> roll 5d10", "n" * 60 + "@Bridge", "roll 5d10", False),
        ("<carol> <dave> roll 5d10", "carol@Bridge", "<dave> roll 5d10", False),
        ("<carol>", "carol@Bridge", "", False),
    ],
)
def test_behind_a_relay(line: str, nick: str, text: str, called: bool) -> None:
    """IRC-13: `<user> text` of a relay is user@relay's, without account and without rights."""
    heard = hear(line, relay=True)
    assert heard is not None
    assert (heard.message.nick, heard.text, heard.called) == (nick, text, called)
    assert heard.message.account is None
    assert not heard.message.storyteller


@pytest.mark.parametrize("sign", "\u200b\u200d\u00ad\u2060\u3164\ufe0f\u115f\u2800\x7f\U000e0041")
@pytest.mark.parametrize("name", ["{}carol", "ca{}rol", "carol{}", "\x0304{}carol\x03"])
def test_irc_29_a_relayed_name_that_looks_like_another_is_refused(name: str, sign: str) -> None:
    """IRC-29: with invisible characters it would be read as somebody else's."""
    assert hear(f"<{name.format(sign)}> roll 5d10", relay=True) is None
    assert hear(f"<carol> roll 5d10 # {sign}", relay=True) is not None


@given(*[st.text("ab_02fFe{[}\u2040\U0001f3b2 ,@", min_size=1, max_size=64)] * 2)
@example("a b", "a_20b")
@example("a b", "a_5f20b")
@example("\u2040", " 40")
@example("\u2040", "_{2040}")
@example("\u2040", "_[2040]")
@example("," * 63, "," * 64)
def test_irc_13_two_behind_a_relay_are_two(one: str, other: str) -> None:
    """IRC-13, LED-02: a user who can choose a name there cannot take another's, and change their rolls."""
    heard = [hear(f"<{user}> roll 5d10", relay=True) for user in (one, other)]
    assume(all(heard))
    assume(fold(one.strip()) != fold(other.strip()))
    assert len({each.message.who for each in heard if each}) == 2


@pytest.mark.parametrize(
    "line",
    ["carol has joined", "roll 5d10", "!roll 5d10", "FUDice: roll 5d10", "<> roll", "<  > roll", "<carol roll", ""],
)
def test_a_relays_own_lines(line: str) -> None:
    """IRC-13: what a relay says for itself is another bot's, and never read."""
    assert hear(line, relay=True) is None


@pytest.mark.parametrize(
    "line", ["<carol> roll 5d10", " <carol> roll 5d10", "\x02<\x02carol> roll 5d10", "<3 roll 5d10", "<"]
)
@pytest.mark.parametrize("channel", ["#c", None])
def test_quoted_lines_are_never_read(line: str, channel: str | None) -> None:
    """IRC-13: a line that begins with `<` from anyone but a relay."""
    assert hear(line, channel=channel) is None


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("roll 5d10 h7", 11),
        ("FUDice: roll 5d10 h7", 19),
        ("FUDice:   roll   5d10   h7", 25),
        ("FUDice: 5d10 h7", 14),
        ("FUDice: h7", 9),
        ("FUDice: rol 5d10", 9),
        ("!roll 5d10 h7", 12),
        ("  .roll 5d10 h7", 14),
        ("\x02FUDice:\x02 roll \x0304,125d10\x03 h7", 28),
        ("\x0304!roll\x03 5d10 h7", 16),
        ("!odds 5d10 h7", 12),
        ("FUDice: rouse h2", 15),
        ("FUDice:", 8),
    ],
)
def test_the_column_is_in_the_line_as_typed(evaluate: Evaluate, line: str, column: int) -> None:
    """GEN-02, GEN-07: after an address, after a prefix, and with formatting in front."""
    found = evaluate({"text": line})
    assert found["column"] == column


class Fixed(Randomness):
    """Settings of a channel, and dice that show their sides."""

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        return ChannelSettings(official=True)

    stamp = UNSTAMPED

    def begin(self, _network: str, _place: str) -> DiceSource:
        return self

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        return (sides,) * count

    def finish(self) -> None:
        return None


def test_a_relayed_roll_has_a_look_of_its_own() -> None:
    """IRC-13: it is answered in the channel, as user@relay."""
    bot = Bot(MemoryLedger(lambda: 1), Fixed(), Fixed(), lambda: 1)
    (reply,) = asyncio.run(bot.hear(Message("net", "#c", "Bridge", "<carol> roll 2d10 h0", relay=True)))
    assert reply.target == "#c"
    assert reply.text.startswith("carol@Bridge: 4 successes, critical if passed; 10 10;")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("<carol> wp 2 #zz", "Not rolled: there is no roll #zz here that could be changed."),
        ("<carol> !roll 5d10 h7", "Not rolled: hunger is 0 to 5, you wrote h7."),
        ("<carol> roll 5d10 h7", "Not rolled: hunger is 0 to 5, you wrote h7."),
        ("<carol> roll 5d10 q7", 'Not rolled: "q7" is unknown. For example: roll 5d10 h2 dc3'),
        ("<carol> v5 8 dificulty 3", None),
        ("<carol> !hints off", "hints are off for you."),
    ],
)
def test_nobody_behind_a_relay_can_be_whispered_to(line: str, said: str | None) -> None:
    """IRC-13, GEN-07: what would be sent in private goes to the channel, an uncalled hint nowhere."""
    bot = Bot(MemoryLedger(lambda: 1), Fixed(), Fixed(), lambda: 1, Hinting())
    replies = asyncio.run(bot.hear(Message("net", "#c", "Bridge", line, relay=True)))
    assert [(reply.target, reply.text, reply.private) for reply in replies] == ([("#c", said, False)] if said else [])


def test_a_relay_in_private_is_not_heard() -> None:
    """IRC-13: a relay carries channels."""
    assert hear("<carol> roll 5d10", relay=True, channel=None) is None


@pytest.mark.parametrize("prefix", "`!.")
def test_a_prefix_behind_the_name(prefix: str) -> None:
    """GEN-02: who calls the bot by its name may write a prefix as well; what is no command stays as it is."""
    heard = hear(f"FUDice: {prefix}roll 5d10")
    assert heard is not None
    assert (heard.text, heard.called, heard.by_name, heard.offset) == ("roll 5d10", True, True, 9)
    other = hear(f"FUDice: {prefix}seen bob")
    assert other is not None
    assert (other.text, other.called) == (f"{prefix}seen bob", True)
