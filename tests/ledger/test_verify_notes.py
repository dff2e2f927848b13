"""The notes of verify: whether the roll counts, and whether it was one of several (LED-22)."""

import asyncio
from dataclasses import replace
from itertools import product

import pytest
from playing import Table
from posted import DAY, roll, said

import grammars
from ircdice import dispatcher
from ircdice.dice import RecordingDice, ScriptedDice
from ircdice.ledger import Record
from ircdice.ledger.verify import repeats

from .pastes import found


def test_led_22_unofficial(table):
    """LED-22: a roll of another channel is unofficial, and the channel is named."""
    posted = roll(table, where="#other")
    assert posted.endswith(posted[-8:])
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.startswith("Genuine, but unofficial: alice rolled it in #other on net")


def test_led_22_discarded(table):
    """LED-22: discarded, and what was said of the roll before as well."""
    posted = roll(table)
    changed = roll(table, text="wp 1", faces=(5,))
    said(table, "alice", "discard #1")
    assert said(table, "sam", f"!verify {posted}").startswith("Genuine, but discarded and replaced: alice")
    assert said(table, "sam", f"!verify {changed}").startswith("Genuine, but discarded: alice")


def test_led_22_replaced_and_replaces(table):
    """LED-22: Willpower's roll takes the place of the first, and both say so."""
    posted = roll(table)
    changed = roll(table, text="wp 1", faces=(7,))
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.startswith("Genuine, but replaced: alice rolled it")
    assert answer.endswith(f"It was changed later: {changed[-8:]} counts now.")
    assert said(table, "sam", f"!verify {changed}").endswith(
        f"alice rerolled it in #fu_dice on net, {DAY}. It replaces {posted[-8:]}."
    )


def test_led_22_hunger_said_later(table):
    """LED-22: Hunger said later replaces the roll."""
    posted = roll(table, text="roll 5d10")
    changed = roll(table, text="hunger 2", faces=())
    assert f"{changed[-8:]} counts now" in said(table, "sam", f"!verify {posted}")


def test_led_22_roll_k_of_n(table):
    """LED-22: the same thing, wording apart, in any channel or in private, within ten minutes of it."""
    first = roll(table)
    roll(table, text="roll 5d10 dc3 h2 # again", where="#other")
    roll(table, text="v5 5d10 h2 difficulty 3", where="private")
    roll(table, text="roll 5d10 h2 dc4")
    roll(table, "bob")
    table.now += 9 * 60_000
    last = roll(table)
    assert "Roll 1 of 4: alice rolled the same thing 4 times within 10 minutes." in said(
        table, "sam", f"!verify {first}"
    )
    assert "Roll 4 of 4" in said(table, "sam", f"!verify {last}")
    table.now += 2 * 60_000
    late = roll(table)
    assert "Roll 2 of 2" in said(table, "sam", f"!verify {late}")
    table.now += 11 * 60_000
    alone = roll(table)
    assert "Roll " not in said(table, "sam", f"!verify {alone}")


@pytest.mark.parametrize(
    ("game", "said_so", "others"),
    [
        (
            "v5",
            ["roll 5d10 h2 dc3", "v5 4+1 h2 dc3", "v5 3+2 hunger 2 difficulty 3", "v5 5 h2 dc3"],
            ["roll 5d10 h2", "v5 3+2 h1 dc3", "v5 3+2 h2 dc4", "v5 3+3 h2 dc3", "roll 5d10 dc3", "v5 5 willpower dc3"],
        ),
        ("v5", ["roll 5d10 h2 vs @bob", "v5 4+1 h2 vs @Bob"], ["roll 5d10 h2 vs @carol", "v5 4+1 h1 vs @bob"]),
        ("v5", ["roll 5d10 h2 vs 3d10 h1", "v5 4+1 h2 vs 2+1 h1"], ["v5 4+1 h2 vs 2+2 h1"]),
        (
            "strike_cinder",
            ["sc strike 6", "sc strike 6d6", "sc strike 5+1", "sc strike natural shifter", "sc strike 6 fullmoon"],
            ["sc strike 5", "sc strike 6 dc2", "sc strike 6 vs human", "sc cinder 6", "sc strike afflicted shifter"],
        ),
        ("strike_cinder", ["sc cinder 6", "sc cinder 5+1 cantrip"], ["sc cinder 6 fullmoon"]),
        ("strike_cinder", ["sc mind 6 vs 3", "sc mind 5+1 vs 3d6"], ["sc mind 6 vs 4", "sc mind 6 fullmoon vs 3"]),
        ("strike_cinder", ["sc strike 6 vs natural shifter", "sc strike 5+1 vs natural shifter"], ["sc strike 6"]),
        ("crossroads", ["xr 3d6 a2 convert 1", "xr 3d6 a1 b1"], ["xr 3d6 a1", "xr 3d6 a1 b2", "xr 3d6 a1 b1 simple"]),
        ("crossroads", ["xr 3d6 a1 vs @bob", "xr 3d6 a2 d1 vs @BOB"], ["xr 3d6 vs @bob"]),
        ("fayrewood", ["toss d8 d6 dc5", "toss d6up d6 dc5", "toss d6 d8 dc5"], ["toss d8 d6", "toss d8 d6 boon dc5"]),
        ("fayrewood", ["toss d8 d6 vs d4", "toss d6up d6 vs d4"], ["toss d8 d6 vs d6"]),
        ("beat_eight", ["b8 t2 a1 -1", "b8 t3 awkward", "b8 a3 disadvantage"], ["b8 t3", "b8 t3 -3", "b8 t5 x2 -1"]),
        ("beat_eight", ["b8 t2 a1 vs t1", "b8 t3 vs a1"], ["b8 t3 vs t2"]),
        (
            "generic",
            ["roll 2d6+3", "roll 3+2d6", "roll 2d6+1+2", "roll 1d6+1d6+3", "roll (2d6[fire]+5)-2", "roll 2d6+1.5*2"],
            ["roll 3d6+3", "roll 2d6+2", "roll 2d8+3", "roll 3-2d6", "roll 2*(2d6+3)", "roll 3x 2d6+3", "roll 2d6>=3"],
        ),
        ("generic", ["roll 4d6k3", "roll 4d6dl1", "roll 4d6kh3"], ["roll 4d6kl3", "roll 4d6k2", "roll 4d6"]),
        ("generic", ["roll 1d100", "!roll 1 100", "!roll 100", "roll d%"], ["!roll 1 99", "roll 2d100"]),
        ("generic", ["roll 1d20 >= 15", "roll 1d20 >= 14+1"], ["roll 1d20 > 15", "roll 1d20"]),
        ("generic", ["roll 1d6*2", "roll 2*1d6"], ["roll 1d6+1d6", "roll 1d6-1d6"]),
    ],
)
def test_led_22_the_same_thing_in_other_words(game, said_so, others):
    """LED-22: a pool is known again by whatever parts it is said; other dice or another difficulty are other things."""
    table = Table(system=game)
    for text in (*said_so, *others):
        roll(table, text=text, faces=(2,) * dice_of(game, text), where=f"#{len(table.records)}")
    assert len(table.records) == len([*said_so, *others])
    for nth, record in enumerate(table.records, 1):
        of = len(said_so) if nth <= len(said_so) else 1
        assert asyncio.run(repeats(record, table.ledger)) == (nth if of > 1 else 1, of), record.draft.text


def test_led_22_a_roll_for_another_member_of_an_encounter_is_another_thing():
    """LED-22, SC-27: the same player rolls the same dice for two of them; capitals do not matter."""
    table = Table(system="strike_cinder")
    for text in ("!sc encounter open Ghoul luck 6", "!sc join Tom arcanist"):
        assert table.say("alice", text).error is None
    for name in ("Ghoul", "Tom", "ghoul"):
        roll(table, text=f"sc strike 2 as {name}", faces=(2, 2))
    assert [asyncio.run(repeats(record, table.ledger)) for record in table.records[3:]] == [(1, 2), (1, 1), (2, 2)]


def dice_of(game, text):
    """How many dice a command draws at a table where nothing is remembered."""
    dice = RecordingDice(ScriptedDice((2,) * 100))
    dispatcher.evaluate(grammars.read(text.removeprefix("!"), game, True).node, dice)
    return len(dice.draws)


TERMS = ("1d4", "2d4", "4d4k2", "4d4dl2", "4d4kl2", "4d4dh2", "3", "2-1", "1d4*2", "2*1d4", "(1d4+1)", "1d{1,2,4}[x]")


@pytest.mark.parametrize("operator", "+-*")
def test_led_22_the_same_thing_has_the_same_odds(operator):
    """LED-22: of sums and products, those that are taken for the same come to the same, each as often."""
    nodes = [
        grammars.read(f"roll {one}{operator}{other}", "generic", True).node for one, other in product(TERMS, TERMS)
    ]
    alike: dict[object, set[tuple[tuple[int, int], ...]]] = {}
    for node in nodes:
        weights = dispatcher.odds(node).values.weights
        alike.setdefault(node.rolled, set()).add(tuple(sorted(weights.items())))
    assert len(alike) < len(nodes)
    assert [node for node, found in alike.items() if len(found) > 1] == []


def test_led_22_the_window_is_the_channels():
    """LED-22: `window` minutes."""
    table = Table(window=2)
    roll(table)
    table.now += 3 * 60_000
    posted = roll(table)
    assert "Roll " not in said(table, "sam", f"!verify {posted}")
    again = roll(table)
    assert "2 times within 2 minutes" in said(table, "sam", f"!verify {again}")


def test_led_22_a_reroll_of_the_best_of_three(table):
    """LED-22: a changed roll is still one of several."""
    for _ in range(3):
        roll(table)
    changed = roll(table, text="wp 1", faces=(7,))
    assert "Roll 3 of 3" in said(table, "sam", f"!verify {changed}")


@pytest.mark.parametrize(
    ("way", "another"),
    [
        ("<@FUDice> {}", False),
        ("FUDice_: {}", False),
        ("<alice> {}", False),
        ("<mallory> {}", True),
        ("mallory: {}", True),
        ("12:34 <@mallory> {}", True),
        ("12:34 mallory {}", True),
    ],
)
def test_led_22_posted_by_another(table, way, another):
    """LED-22: whom the paste shows to post it, if that is neither the bot nor the roller."""
    roll(table, "mallory", where=None)
    answer = said(table, "sam", f"!verify {way.format(roll(table))}")
    if another:
        assert answer.startswith("Genuine, but posted by mallory: alice rolled it")
    else:
        assert answer.startswith("Genuine and official: alice rolled it")


def test_led_22_what_replaced_a_discarded_roll_does_not_count(table):
    """LED-22: of a roll that was changed and then discarded nothing counts."""
    posted = roll(table)
    changed = roll(table, text="wp 1", faces=(5,))[-8:]
    said(table, "alice", "discard #1")
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.endswith(f"It was changed later: {changed} was discarded with it.")
    assert "counts now" not in answer


@pytest.mark.parametrize("way", ["{}", "<FUDice> {}", "[12:03] <@FUDice> {}", "12:03 -FUDice- {}"])
def test_led_22_the_bots_own_log_is_said_by_nobody_else(table, way):
    """LED-22: several rolls in a line, with their times and a bar between them, as `log` tells them."""
    for who, text, faces in (("alice", "roll 2d10 h1", (3, 4)), ("bob", "rouse", (7,)), ("carol", "roll 2d6", (1, 2))):
        roll(table, who, text=text, faces=faces)
    (log,) = table.say("alice", "!log").replies
    assert log.text.count(" | ") == 2
    assert [each.notes for each in found(table, way.format(log.text))] == [[], [], []]


def answered_and_closed(table):
    """A contest that bob answered, alice spent Willpower on, and sam closed: the ids of the four lines."""
    opened = roll(table, text="roll 2d10 h1 vs @bob", faces=(6, 7))
    answered = roll(table, "bob", text="roll 2d10 h1", faces=(8, 9))
    changed = roll(table, text="wp 1", faces=(9,))
    return [line[-8:] for line in (opened, answered, changed, said(table, "sam", "close #last", star=True))]


def test_led_22_an_answered_contest_that_was_closed(table):
    """LED-22, V5-25: it was answered, and no more Willpower may be spent on it; nobody says that it was not."""
    opened, answered, changed, closed = answered_and_closed(table)
    note = f" It is closed, no more Willpower on it: {closed}. It reads: "
    for asked, before in (
        (opened, f"It was changed later: {changed} counts now. The answer to it is {answered}."),
        (answered, f"It was changed later: {changed} counts now."),
        (changed, f"It replaces {answered}."),
    ):
        assert f" {before}{note}" in said(table, "sam", f"!verify {asked}")
    assert "Nobody" not in said(table, "sam", f"!verify {opened}")
    assert said(table, "bob", f"!verify {closed}").startswith("Genuine and official: sam said it")


def test_led_22_a_roll_that_was_closed(table):
    """LED-22, V5-25: it is no contest, and counts as it did; a game without such words has none told."""
    posted = roll(table)
    closed = said(table, "sam", "close #1", star=True)[-8:]
    assert said(table, "sam", f"!verify {posted}") == (
        f"Genuine and official: alice rolled it in #fu_dice on net, {DAY}. "
        f"It is closed, no more Willpower on it: {closed}."
    )
    posted = roll(table, text="roll 2d6", faces=(1, 2))
    closed = said(table, "sam", "close #last", star=True)[-8:]
    assert said(table, "sam", f"!verify {posted}").endswith(f"It is closed: {closed}.")


def test_led_22_why_a_roll_is_closed_is_the_rules_to_say():
    """LED-22, V5-25: whoever closed it may be called what they like; where the roll's own words are gone, no more."""
    table = Table()
    roll(table)
    closed = said(table, "is_closed", "close #1", star=True)
    assert closed.startswith("is_closed: #1 is closed, no more Willpower on it; id ")
    changed = table.ledger.records[1]
    table.ledger.records[1] = replace(changed, draft=replace(changed.draft, line="#1 is closed, for good"))
    note = f" It is closed, no more Willpower on it: {closed[-8:]}."
    assert note in said(table, "sam", "!verify #1")
    table.ledger.records[0] = replace(table.records[0], draft=replace(table.records[0].draft, text="gone"))
    assert f" It is closed: {closed[-8:]}." in said(table, "sam", "!verify #1")


@pytest.mark.parametrize("way", ["withdraw", "close", "late"])
def test_led_22_a_contest_that_nobody_answered(table, way):
    """LED-22, GEN-06: withdrawn, closed while it was open, or too late: nobody answered it."""
    posted = roll(table, text="roll 2d10 h1 vs @bob", faces=(6, 7))
    if way == "late":
        table.heard("... 15 min")
    else:
        said(table, *{"withdraw": ("alice", "withdraw #1"), "close": ("sam", "close #1")}[way], star=way == "close")
    answer = said(table, "sam", f"!verify {posted}")
    assert answer.endswith(f"Nobody answered it: {table.records[-1].id}.")
    assert "closed" not in answer


def test_led_22_a_contest_whose_answer_was_redacted_was_answered(table):
    """LED-22, LED-25: whoever answered asked to be forgotten; that it was closed afterwards is no lapse."""
    opened, _, _, closed = answered_and_closed(table)
    record = table.ledger.records[1]
    gone = Record.withheld(2, record.ts, b"", "redacted")
    table.ledger.records[1] = replace(gone, draft=replace(gone.draft, ref=1))
    assert f"It is closed, no more Willpower on it: {closed}." in said(table, "sam", f"!verify {opened}")


def test_led_22_the_notes_for_other_programs(table):
    """LED-22: `closed by` of what was answered, `ended by` of what was not."""
    opened, *_, closed = answered_and_closed(table)
    (verified,) = found(table, opened)
    notes = verified.notes
    assert f"closed by {closed}" in notes
    assert not any(note.startswith("ended by") for note in notes)
