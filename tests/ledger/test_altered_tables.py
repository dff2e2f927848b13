"""A table that is rebuilt from records that were altered: what cannot be judged is left out (LED-16)."""

from dataclasses import replace

import pytest
from playing import Table

import grammars
from ircdice import dispatcher
from ircdice.casemapping import DEFAULT
from ircdice.errors import ReplayError
from ircdice.settings import ChannelSettings
from ircdice.table import Table as Remembered
from ircdice.table.rolls import Chain, Change


@pytest.mark.parametrize("nth", [0, 1])
def test_led_02_a_record_with_a_die_more_than_the_rules_throw_is_not_judged(nth):
    """LED-02: a roll and what followed it are judged again from the faces recorded, all of them used."""
    table = Table()
    records = [table.say("alice", "roll 2d10 h1", (3, 4)).record, table.say("alice", "wp 1", (7,)).record]
    asked = [grammars.parse(record.draft.text) for record in records]

    def judged():
        chain = Chain(records[0], asked[0], dispatcher.system_of(asked[0]), changes=[Change(records[1], asked[1])])
        return Remembered(ChannelSettings()).standing(chain).outcome

    assert [die.face for die in judged().dice] == [7, 4]
    draws = (*records[nth].draft.draws, (10, 1))
    records[nth] = replace(records[nth], draft=replace(records[nth].draft, draws=draws))
    with pytest.raises(ReplayError, match=f"record {nth + 1} .* more dice"):
        judged()


PLAYED = (  # an evening of every game, each with what may follow
    ("alice", "roll 2d10 h1", (3, 4)),  # 1
    ("alice", "wp 1", (7,)),
    ("alice", "roll 2d10 vs @bob", (3, 4)),  # 3
    ("bob", "roll 1d10 h1", (9,)),
    ("bob", "xr 3d6 a1", (1, 2, 4, 4)),  # 5
    ("bob", "xr keep 1 2 3", ()),
    ("carol", "b8 t4 vs @alice", (3, 5)),  # 7
    ("alice", "b8 t2", (4, 4)),
    ("carol", "toss d8 d6", (7, 2)),  # 9
    ("bob", "roll 4d6k3", (1, 2, 3, 4)),
    ("alice", "roll 2d10 h1", (2, 3)),  # 11
    ("carol", "sc encounter open Encounter luck 6 dc3", ()),
)
REFS = {
    "of another game": 5,
    "of no game's rolls": 12,
    "of another roll": 1,
    "itself": None,
    "later": 11,
    "nowhere": 99,
}


@pytest.fixture
def played():
    table = Table(twice_seconds=0)
    for nick, text, faces in PLAYED:
        assert table.say(nick, text, faces).error is None, text
    return table


def rebuilt(table, seq, **changed):
    """The table that a start makes, one record having been altered in the database since."""
    records = table.records
    records[seq - 1] = replace(records[seq - 1], draft=replace(records[seq - 1].draft, **changed))
    again = Remembered(table.settings, DEFAULT)
    for record in records:
        again.apply(record)
    return again


@pytest.mark.parametrize("ref", REFS.values(), ids=REFS.keys())
@pytest.mark.parametrize("seq", [2, 4, 6, 8])
def test_led_16_a_follow_up_that_was_made_to_follow_something_else_costs_no_table(played, seq, ref):
    """LED-16: what cannot be judged is left out with a word in the log; the rolls that it has no part in are there."""
    again = rebuilt(played, seq, ref=seq if ref is None else ref)
    kept = [chain.root.seq for chain in again.chains()]
    assert {9, 10} <= {*kept}
    assert len(kept) >= 6  # of seven: the roll that it follows now may be past judging
    for chain in again.chains():
        again.standing(chain)


@pytest.mark.parametrize("text", ["help", "log", "wp 1", "xr reroll 1", "pass", "sc join Anna undying", "zzz", ""])
@pytest.mark.parametrize("seq", range(1, len(PLAYED) + 1))
def test_led_16_a_record_that_says_something_else_costs_no_table(played, seq, text):
    """LED-16: nor does one whose words were altered, to those of another game or to no roll at all."""
    again = rebuilt(played, seq, text=text)
    others = {1, 3, 5, 7, 9, 10, 11} - {seq, played.records[seq - 1].draft.ref}
    assert others <= {chain.root.seq for chain in again.chains()}


def test_led_16_play_goes_on_beside_an_altered_record(played, caplog):
    """LED-16, GEN-09: a bot that starts on such a ledger says so, and answers."""
    altered = played.ledger.records
    altered[5] = replace(altered[5], draft=replace(altered[5].draft, ref=1))
    played.restart()
    assert played.say("alice", "wp 1", (9,)).error is None
    assert "record 6 cannot be judged again" in caplog.text
