"""Nicks that are words of the notation, or look like clauses: their evening is recorded as it can be read again."""

import re

import pytest
from playing import Table

import grammars
from ircdice.replay import Replay

NICKS = (
    *(
        "next",
        "drop",
        "off",
        "add",
        "vs",
        "other",
        "in",
        "retire",
        "undo",
        "for",
        "end",
        "human",
        "rank",
        "luck",
        "die",
    ),
    *(
        "-bob",
        "as-",
        "bob-",
        "3x",
        "d20",
        "bob_",
        "_d20",
        "next_",
        "{x}",
        "bob.",
        "b@relay",
        "O'Brien",
        "Old",
        "a" * 31,
    ),
    *("e\u0301ve", "\u00dcnal-", "b\U0001f600b"),
)
# By the nick, by the storyteller sam (*) or by zoe (~); `{n}` is the nick, `{q}` in quotes. Every die shows 3; their
# number is after the |.
EVENINGS = {
    "v5": """
        !track hunger 2
        roll 3d10 h1 | 3
        !init +2 | 2
        !init next
        !hunger +1
        * !track hunger 3 as {q}
        * roll 2d10 h1 as {q} | 2
        * !init +2 as {q} | 2
        * !hunger -1 as {q}
        !undo
        rouse | 1
        * wp as {q} | 1
        ~ roll 2d10 h0 vs @{n} | 2
        !pass
        ~ roll 2d10 h0 vs @{n} | 2
        * !pass as {q}
        * !deck add tarot = a | b | c
        * !deck tarot as {q} | 1
        !macro punch = roll 2d10 h1 as {q}
        !punch | 2
        * !play Viktor as {q}
        * !again as {q} | 2
        * !discard as {q}
        * !init drop {q}
    """,
    "strike_cinder": """
        * sc encounter open Ghoul luck 6 dc3 strike 5
        sc join human
        * sc join arcanist as {q}
        sc strike 3 vs Ghoul | 3
        * sc luck {n} -1
        ~ sc assist strike 3 for {q} | 3
        ~ sc mind 3 vs @{n} | 3
        sc resist 3 | 3
        ~ sc strike 3 vs {n} | 3
        * sc strike 2 as {q} | 2
        * sc leave {n}
    """,
    "crossroads": """
        xr 3d6 | 3
        ~ xr 3d6 vs @{n} | 3
        xr 3d6 | 3
        * xr fate end {q} change
        * xr group open
        * xr 3d6 as {q} | 3
        * xr group close
        !track fate 2
        * xr fate end {q}
    """,
}
LINE = re.compile(r"(?P<mark>[*~]?) ?(?P<text>.*?)(?: \| (?P<faces>[0-9]+))?")


@pytest.mark.parametrize("game", EVENINGS)
@pytest.mark.parametrize("nick", NICKS)
def test_led_16_whatever_a_nick_is_its_records_are_read_and_judged_again(nick, game):
    """LED-16: what is refused leaves no record, and every record is read and judged as it was."""
    table = Table(system=game)
    for each in (nick, "zoe"):
        table.say(each, "!roll 1d10", [3])
    for line in EVENINGS[game].strip().splitlines():
        said = LINE.fullmatch(line.strip())
        who = {"*": "sam", "~": "zoe", "": nick}[said["mark"]]
        text = said["text"].format(n=nick, q=nick if nick.isalpha() and nick.isascii() else f'"{nick}"')
        table.say(who, text, [3] * int(said["faces"] or 0), star=who == "sam")
    replay = Replay()
    for record in table.records:
        grammars.read(record.draft.words, game, called=True)
        assert replay.fault(record) is None
    assert len(table.records) > 5
