"""Rolls as a check has a table keep them: what is asked of the table is told as of any roll."""

from copy import copy
from dataclasses import replace

import pytest
from playing import Table

from grammars import parse
from ircdice import dispatcher
from ircdice.dispatcher import system_of
from ircdice.durations import MINUTE
from ircdice.settings import ChannelSettings
from ircdice.table import KEPT, Thrown
from ircdice.table import Table as Remembered

ROLLS = (
    ("alice", "roll 3d10 h1 dc2 # at the gate", (3, 4, 5)),
    ("bob", "xr 3d6", (5, 5, 5)),
    ("alice", "sc strike 3", (1, 2, 4)),
    ("carol", "b8 t3 severe", (4, 5)),
    ("bob", "xr 3d6", (1, 2, 4, 6)),
    ("alice", "rouse", (3,)),
    ("dave", "sc mind 4", (4, 4, 4, 4)),
)


def tables():
    """One that took the rolls in as play does, and one that they were laid upon."""
    played, laid = Table(), Remembered(ChannelSettings(systems=()))
    applied = Remembered(ChannelSettings(systems=()))
    for nick, text, faces in ROLLS:
        record = played.say(nick, text, faces).record
        applied.apply(record)
        chain = applied.find(record.id)
        thrown = Thrown(chain.node, applied.standing(chain).outcome, chain.comment)
        laid.lay(record, thrown, system_of(chain.node))
    return applied, laid


def told(table, chain):
    """All that anybody may learn of a roll."""
    return chain.root, chain.node, chain.comment, chain.closed, table.standing(chain)


@pytest.mark.parametrize(
    "asked",
    [
        lambda table: table.chains(),
        lambda table: table.own("alice", "~alice"),
        lambda table: table.named("Bob"),
        lambda table: table.unasked(),
        lambda table: [table.find("2"), table.find("last")],
    ],
)
def test_gen_09_a_laid_roll_is_found_as_any(asked):
    """GEN-09: by its number, by who rolled it, as the last; and it stands as it was judged."""
    applied, laid = tables()
    found = [told(laid, chain) for chain in asked(laid)]
    assert found == [told(applied, chain) for chain in asked(applied)]
    assert len(found) > 0


def test_xr_18_a_game_remembers_what_was_laid():
    """XR-18: what a roll gave is there for the next one."""
    applied, laid = tables()
    assert laid.memories == applied.memories
    assert laid.memories != Remembered(ChannelSettings()).memories


def test_laid_rolls_are_forgotten_when_nothing_can_follow_them():
    """GEN-09: the oldest first, and nothing of them is left."""
    table = Remembered(ChannelSettings())
    record = Table().say("alice", "roll 2d10 h1", (3, 4)).record
    for number in range(1, KEPT + 11):
        said = replace(record, seq=number, ts=record.ts + number * 60 * MINUTE)
        applied = Remembered(ChannelSettings())
        applied.apply(said)
        chain = next(applied.chains())
        table.lay(said, Thrown(chain.node, applied.standing(chain).outcome), system_of(chain.node))
    assert [chain.root.seq for chain in table.chains()] == list(range(KEPT + 10, 10, -1))
    assert [chain.root.seq for chain in table.own("alice", "~alice")] == list(range(KEPT + 10, 10, -1))
    assert table.find("a") is None


@pytest.mark.parametrize(("successes", "open_before", "open_behind"), [(2, 0, 1), (0, 1, 0)])
def test_gen_06_a_change_opens_a_roll_to_answers_or_closes_it(monkeypatch, successes, open_before, open_behind):
    """GEN-06: in a game that lets others answer some of its rolls, a change in a check counts as one in play."""
    open_to_all = copy(system_of(parse("roll 3d10 h1")))
    object.__setattr__(open_to_all, "unasked", lambda _, outcome: outcome.values["successes"] == successes)
    monkeypatch.setattr(dispatcher, "system_of", lambda _: open_to_all)
    played, applied, checked = Table(), Remembered(ChannelSettings()), Remembered(ChannelSettings())
    rolled = played.say("alice", "roll 3d10 h1", (3, 4, 5)).record
    changed = played.say("alice", "wp 2", (8, 9)).record
    for table in (applied, checked):
        table.apply(rolled)
        assert len(table.unasked()) == open_before
    applied.apply(changed)
    (chain,), (same,) = applied.chains(), checked.chains()
    checked.followed(changed, same, chain.later[-1], applied.standing(chain))
    assert [len(table.unasked()) for table in (applied, checked)] == [open_behind] * 2
