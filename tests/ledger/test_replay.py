"""Replay: every record of an evening, judged again by the rules of now (LED-16)."""

from dataclasses import replace

import pytest
from playing import SAID, Table, without_id

from ircdice.ledger.record import STANDARD_RULES
from ircdice.replay import Replay

EVENING = """
    alice: roll 5d10 h2 dc3 # over the wall | 9 4 3 8 2
    alice: !wp 2 | 10 7
    alice: roll 6d10 h2 vs @bob # over there | 1 2 3 4 5 6
    bob: roll 5d10 h1 # no way | 7 7 8 1 2
    carol: roll 6d10 h2 vs @bob | 1 2 3 4 5 6
    ... 16 min
    carol: rouse 2 | 3 9
    sam*: close #1
    dave: roll 4d6k3+2 | 1 5 3 6
    dave: sc strike 6 dc4 | 1 2 3 4 5 5
    dave: !discard
    erin: xr 3d6 | 4 4 2
    erin: xr reroll 1 | 6
    frank: b8 t3 severe | 4 5
    gina: toss 3 2 boon dc7 | 5 3 2
    gina: pass
    hank: roll 3d10 h3 vs @ida | 1 2 3
    sam*: pass as ida
    ida in private: roll 2d10 h1 dc1 | 6 1
"""


def evening():
    """The records of an evening with all that may follow a roll."""
    table = Table()
    for line in EVENING.strip().splitlines():
        table.heard(line.strip())
    return table.records


def faults(records):
    """What replaying them finds, by number."""
    replay = Replay()
    return {record.seq: why for record in records if (why := replay.fault(record))}


def test_an_evening_is_judged_as_it_was():
    """LED-16: rolls, rerolls, contests answered, passed and lapsed, what a storyteller did: the same lines."""
    records = evening()
    assert {record.draft.kind for record in records} >= {"roll", "reroll", "contest", "answer", "lapse", "discard"}
    assert faults(records) == {}


COMMENTED = {
    "alice: !track hunger 3 # start": 'alice: hunger 3; "start"',
    'alice: !hunger +1 # rouse; "failed"': "alice: hunger 4 (was 3); \"rouse, 'failed'\"",
    "alice: !undo # oops": 'alice: hunger 3 (was 4); "oops"',
    "alice: !play Viktor # tonight": 'alice: plays Viktor; "tonight"',
    "sam*: !table add weather = sun | rain": "sam: the table weather has 2 entries",
    "alice: !table weather # in May | 2": 'Viktor (alice): weather: rain; 2 of 2; table weather; "in May"',
    "alice: !init +3 # late | 7 50": 'Viktor (alice): initiative 10; 7+3; tie-break 50; init Viktor +3; "late"',
    "sam*: !scene Harbour # at night": 'sam: scene 1, Harbour, opens; "at night"',
    "sam*: !channel botch no # as agreed": 'sam: botch is no from now on; "as agreed"',
    "alice: roll 1d10 h0 vs @bob | 2": "Viktor (alice) vs bob: 1d10 h0 is rolled and covered. bob: answer"
    ' "roll 5d10 h1" or "pass" within 15 min',
    "alice: !withdraw # oh": 'Viktor (alice) vs bob: withdrawn, not answered; Viktor (alice) 2; 1d10 h0 vs @bob; "oh"',
}


def test_gen_03_comments_at_the_desk_are_posted_and_judged_again():
    """GEN-03: a comment follows every command; LED-16: it is judged again with the same line."""
    table = Table()
    assert {line: without_id(table.heard(line)[0].text) for line in COMMENTED} == COMMENTED
    assert faults(table.records) == {}


@pytest.mark.parametrize(
    ("system", "lines"),
    [
        ("generic", ("alice: !track hunger 2", "alice: !hunger 3")),
        (
            "crossroads",
            ("alice: xr 3d6 vs @bob | 1 2 3", "bob: 2x xr 3d6 a1 | 1 2 3 4 5 6 1 2", "bob: pass"),
        ),
        (
            "v5",
            (
                "bob: roll 3d10 h1 | 1 2 3",
                "alice: roll 3d10 h1 vs @bob | 1 2 3",
                "bob: !again | 1 2 3",
                "bob: 2x roll 3d10 h1 | 1 2 3 1 2 3",
                "bob: pass",
            ),
        ),
        ("v5", ("bob: !track bane 1", "bob: !track bane 5", "bob: !play Doom", "bob: !undo")),
    ],
    ids=["hunger where V5 is not played", "a repeated roll is no answer", "nor is again", "undo after play"],
)
def test_led_16_what_is_played_is_judged_as_it_was(system, lines):
    """LED-16: each line was said in play, and its record must not be called altered."""
    table = Table(system=system)
    for line in lines:
        table.heard(line)
    assert len(table.records) >= len(lines)
    assert faults(table.records) == {}


def test_what_was_decided_otherwise_before_is_judged_as_it_was():
    """LED-16: `withdraw` alone ended the oldest contest, and the end of a scene named a command without its prefix."""
    table = Table()
    for text in ("roll 1d10 h0 vs @bob", "roll 1d10 h0 vs @carol"):
        table.say("sam", text, (7,), star=True)
    table.say("sam", "withdraw #1", star=True)
    table.say("sam", "!scene Harbour", star=True)
    table.say("sam", "!scene end", star=True)
    withdrawn, opened, ended = table.records[2:]
    withdrawn = replace(withdrawn, draft=replace(withdrawn.draft, text="withdraw"))
    ended = replace(ended, draft=replace(ended.draft, line=ended.draft.line.replace("!log scene", "log scene")))
    assert faults([*table.records[:2], withdrawn, opened, ended]) == {}


def test_xr_10_an_empty_group_is_judged_as_it_was_closed():
    """LED-16, XR-10: as nobody's rolls; those of the next one count, but for its opener's: a storyteller's."""
    table = Table(system="crossroads")
    for line in ("gm: xr group open", "gm: xr group close", "gm*: xr group open"):
        table.heard(line)
    for line in ("gm: xr 3d6 | 1 1 2", "bob: xr 3d6 | 6 4 3", "gm: xr group close"):
        table.heard(line)
    assert [record.draft.kind for record in table.records] == ["track"] * 3 + ["roll"] * 3
    assert "result 1 from 1;" in table.records[-1].draft.line
    assert faults(table.records) == {}


def test_dsk_07_a_discarded_roll_has_used_its_difficulty_up():
    """LED-16, DSK-07: the next roll meets none, and the check finds one that pretends to."""
    table = Table(system="fayrewood")
    for line in (
        "sam* in private: difficulty 9 for bob in #FU_Dice",
        "bob: toss 1 1 | 2 3",
        "bob: !discard",
        "bob: toss 5 5 | 6 6",
        "sam*: reveal #1",
    ):
        table.heard(line)
    assert [record.draft.ref for record in table.records] == [0, 1, 2, 0, 1]
    assert faults(table.records) == {}
    free = table.records[3]
    met = replace(free, draft=replace(free.draft, ref=1, line="bob: Win; 12 from 6 6; difficulty secret; d12 d12"))
    assert "Total 12" in faults([*table.records[:3], met])[4]


GIVEN_BACK = {
    "strike_cinder": """
        carol: sc assist cinder 5 for bob | 4 4 4 4 4
        bob: sc cinder 1 | 1 4 4
        bob: !discard
        bob: sc cinder 1 | 1 4 4
    """,
    "crossroads": """
        alice: xr 3d6 | 4 4 4
        bob: xr 3d6 | 1 2 4
        alice: xr reroll 1 fate #2 | 6
        bob: !discard
        bob: xr 3d6 | 1 2 4
        alice: xr reroll 1 fate #5 | 6
    """,
}


@pytest.mark.parametrize("system", GIVEN_BACK)
def test_dsk_03_what_a_discarded_roll_gave_back_is_spent_again(system):
    """LED-16, DSK-03: a helper's dice and a Change of Fate; without the discard they are gone."""
    table = Table(system=system)
    for line in GIVEN_BACK[system].strip().splitlines():
        table.heard(line.strip())
    records = table.records
    assert faults(records) == {}
    discarded = next(record for record in records if record.draft.kind == "discard")
    assert "again" in discarded.draft.line
    assert list(faults([record for record in records if record is not discarded])) == [records[-1].seq]


def test_a_comment_is_no_time_to_answer_in():
    """LED-16, SC-16: an attack at nobody by name tells no minutes; bob resists the one whose time is not over."""
    table = Table(system="strike_cinder")
    for line in ("alice: sc mind 6 # within 60 min | 5 5 5 5 2 3", "... 16 min", "carol: sc mind 6 | 5 5 5 5 2 3"):
        table.heard(line)
    (reply,) = table.heard("bob: sc resist 4 | 2 2 2 2")
    assert reply.text.startswith("carol vs bob: Overcome")
    assert faults(table.records) == {}


@pytest.mark.parametrize(("later", "fault"), [(20, ""), (5_000, ""), (120_000, "more than 30 minutes old")])
def test_what_was_said_in_its_last_moment_may_be_recorded_behind_it(later, fault):
    """LED-16, V5-15, LED-05: while the ledger is waited for time goes on."""
    table = Table()
    table.heard("alice: roll 5d10 h0 dc3 | 9 4 3 8 2")
    table.now += 30 * 60_000 - 5
    table.heard("alice: !wp 2 | 10 7")
    first, reroll = table.records
    found = faults([first, replace(reroll, ts=reroll.ts + later)])
    assert list(found) == ([reroll.seq] if fault else [])
    assert fault in found.get(reroll.seq, "")


def test_what_is_rolled_before_a_contest_has_lapsed_answers_none():
    """LED-16, GEN-06: a contest's time is over before that is recorded; what its other side rolls then is its own."""
    table = Table()
    table.say("alice", "roll 2d10 h1 vs @bob", (3, 4))
    table.now += 16 * 60_000
    table.say("bob", "roll 2d10 h1", (5, 6))
    table.heard("... 1 s")
    assert [record.draft.kind for record in table.records] == ["contest", "roll", "lapse"]
    assert faults(table.records) == {}


def test_an_answer_comes_in_the_time_of_its_contest():
    """LED-16, GEN-06: as long as the contest's own line says."""
    table = Table(contest_minutes=30)
    table.say("alice", "roll 2d10 h1 vs @bob", (3, 4))
    table.now += 16 * 60_000
    table.say("bob", "roll 2d10 h1", (5, 6))
    assert faults(table.records) == {}


def test_what_resists_nothing_that_was_open_answers_none():
    """LED-16, SC-16: a roll that asks nobody by name tells no time; the record of what follows tells if it answers."""
    table = Table(system="strike_cinder", contest_minutes=2)
    table.say("alice", "sc mind 4", (4, 4, 4, 4))
    table.now += 3 * 60_000
    table.say("bob", "sc resist 2", (1, 1))
    table.say("alice", "sc mind 4", (4, 4, 4, 4))
    table.say("bob", "sc resist 2", (1, 1))
    assert [record.draft.kind for record in table.records] == ["roll", "roll", "roll", "answer"]
    assert faults(table.records) == {}


def test_irc_09_names_are_the_same_as_they_were_there():
    """LED-16, IRC-09: on a network of ascii's x[1] and x{1} are two people, and each has a contest."""
    table = Table()
    for say, *faces in [
        ("alice: roll 2d10 h0 vs @x[1]", 3, 4),
        ("alice: roll 2d10 h0 vs @x{1}", 5, 6),
        ("x{1}: roll 2d10 h0", 7, 8),
        ("x[1]: roll 2d10 h0", 9, 10),
        ("x[1]: wp 1", 2),
        ("x{1}: wp 1", 1),
    ]:
        nick, _, text = say.partition(": ")
        assert table.say(nick, text, faces, casemapping="ascii").record
    assert [record.draft.ref for record in table.records] == [0, 0, 2, 1, 1, 2]
    assert faults(table.records) == {}


@pytest.mark.parametrize("face", [0, 11, 2**31])
@pytest.mark.parametrize("text", ["rouse", "roll 1d10", "roll 1d10 h0", "roll d10!+0", "toss d10"])
def test_a_face_that_its_die_does_not_have_is_told(text, face):
    """LED-16: whoever altered the database may have written any number there; the check goes on behind it."""
    table = Table()
    table.say("alice", text, (3,))
    table.say("alice", "rouse", (9,))
    (altered, next_one) = table.records
    altered = replace(altered, draft=replace(altered.draft, draws=((10, face),)))
    assert "the record does not hold 1 more d10" in faults([altered, next_one])[1]
    assert list(faults([altered, next_one])) == [1]


@pytest.mark.parametrize("seq", range(1, 18))
def test_another_line_is_told(seq):
    """LED-16: a verdict that the faces do not give is found, wherever it stands."""
    records = evening()
    record = records[seq - 1]
    records[seq - 1] = replace(record, draft=replace(record.draft, line=f"{record.draft.line}!"))
    assert list(faults(records)) == [seq]


def test_other_faces_are_told():
    """LED-16: the line must be that of the faces; what amends the roll is then another one too."""
    records = evening()
    first = records[0]
    records[0] = replace(first, draft=replace(first.draft, draws=((10, 10), *first.draft.draws[1:])))
    assert 1 in faults(records)


def test_what_the_rules_refuse_is_told():
    """LED-16: a record whose text is no command any more."""
    records = evening()
    records[0] = replace(records[0], draft=replace(records[0].draft, text="roll 5d10 h9"))
    assert "hunger is 0 to 5" in faults(records)[1]


@pytest.mark.parametrize("kind", ["lapse", "answer", "reroll", "discard", "reveal"])
@pytest.mark.parametrize("ref", [-1, -(2**63), 0, 99, 2**63 - 1])
def test_what_refers_to_no_record_is_told(kind, ref):
    """LED-16: whoever altered the database may have written any number there; the check comes to its end."""
    table = Table()
    table.say("alice", "roll 2d10 h1 vs @bob", (3, 4))
    table.heard("... 15 min")
    opened, lapse = table.records
    assert 2 in faults([opened, replace(lapse, draft=replace(lapse.draft, kind=kind, ref=ref))])


def test_what_no_grammar_reads_any_more_is_told():
    """LED-16: a command of other times; it is the record's rules version that makes a note of it."""
    records = evening()
    records[0] = replace(records[0], draft=replace(records[0].draft, text="shoot 5d10 h2"))
    told = faults(records)
    assert told[1].startswith("the current grammar does not read it: ")
    assert told[2] == "the roll that it changes is not there"
    assert told[8].startswith("the rules refuse it: ")


def test_a_line_in_private_is_not_that_of_a_channel():
    """LED-16, V5-20: nothing in private is official, whatever its record says; a like roll in a channel was."""
    table = Table(system="generic")
    table.heard("alice: roll 2d6 | 3 4")
    (record,) = table.records
    in_channel = replace(record.draft, terms=replace(record.draft.terms, house=STANDARD_RULES))
    in_private = replace(
        in_channel, channel="@~bob", nick="bob", who="~bob", line=in_channel.line.replace("alice", "bob")
    )
    told = faults([replace(record, draft=in_channel), replace(record, seq=2, draft=in_private)])
    assert list(told) == [2]
    assert told[2].endswith('; unofficial"')


@pytest.mark.parametrize("changed", [{"draws": ((10, 3), (10, 4), (10, 5))}, {"kind": "contest"}, {"kind": "draw"}])
def test_a_record_whose_line_does_not_tell_what_was_altered_is_told(changed):
    """LED-16: a die more than the rules throw, or another kind of record, though the line fits."""
    table = Table()
    table.heard("alice: roll 2d10 h1 | 3 4")
    (record,) = table.records
    assert list(faults([replace(record, draft=replace(record.draft, **changed))])) == [1]


STORED = """
    alice: !macro punch = roll 3d10 h1
    alice: !play Viktor
    alice: !track hunger 2
    alice: !init +3 | 5 6
    sam*: !scene Harbour
    alice: rouse | 3
    sam*: !npc Thug
    alice: !character Viktor rename Vik
    sam*: !deck add tarot = cup | coin | sword
    sam*: !deck tarot | 1
    alice: !macro punch =
    alice: !character Vik retire
    sam*: !init next
    sam*: !init end
    sam*: !scene end
    sam*: !channel wp_minutes 20
"""
LISTED = [{"key": ""}, {"key": "x"}, {"character": "x"}, {"scene": "x"}, {"game": "x"}, {"listed_official": False}]


@pytest.mark.parametrize("changed", LISTED, ids=str)
def test_led_16_a_value_that_is_stored_or_listed_elsewhere_is_found(changed):
    """LED-16: no leaf binds key, character, scene, game and official, so each stored value is judged again."""
    table = Table()
    for line in STORED.strip().splitlines():
        table.heard(line.strip())
    assert faults(table.records) == {}
    kinds = set()
    for seq, record in enumerate(table.records, 1):
        if changed == {"key": record.draft.key}:
            continue
        records = table.records
        records[seq - 1] = replace(record, draft=replace(record.draft, **changed))
        assert faults(records), f"{seq}: {record.draft.kind} {record.draft.text}"
        kinds.add(record.draft.kind)
    assert kinds >= {"macro", "character", "track", "init", "scene", "draw", "setting"}


FOR_SOMEBODY = {
    "v5": """
        bob: !play Viktor
        sam*: roll 2d10 h1 as bob | 4 5
        sam*: !play Old Tom as bob
        sam*: !npc Thug
        sam*: !init +0 as Thug | 4 5
        sam*: !init +1 as carol | 4 5
        sam*: !deck add tarot = cup | coin | sword | wand
        sam*: !deck tarot as Thug | 1
        sam*: !deck tarot as carol | 1
        sam* in private: !deck tarot in #FU_Dice as carol | 1 1 1 1 1
    """,
    "strike_cinder": """
        bob: !play Viktor
        sam*: sc encounter open Hydra luck 6 dc3 strike 2
        bob: sc join arcanist
        sam*: sc strike as Hydra vs Viktor | 1 2
        alice: sc strike 2 as alice | 1 2
        sam*: sc strike vs Hydra dc3 as bob | 1 2 3 4
        sam*: !play Old Tom as bob
        sam*: sc strike 3 as bob | 1 2 3
        sam*: sc strike 3 as carol | 1 2 3
        sam*: !discard as carol
    """,
}
ACCOUNTS = {"bob": "bobby", "sam": "samuel", "carol": None}


@pytest.mark.parametrize("system", FOR_SOMEBODY)
@pytest.mark.parametrize("accounts", [{}, ACCOUNTS])
def test_what_a_storyteller_did_for_somebody_is_judged_as_it_was(system, accounts):
    """LED-16, DSK-01: a roll, a place in the order, a card, a character, for a nick, an account, the channel's own."""
    table = Table(system=system)
    for line in FOR_SOMEBODY[system].strip().splitlines():
        said = SAID.fullmatch(line.strip())
        faces = tuple(map(int, (said["dice"] or "").split()))
        known = {
            "account": accounts.get(said["nick"]),
            "owner": accounts.get,
            "absent": lambda _, nick: nick not in ACCOUNTS,
        }
        answer = table.say(said["nick"], said["text"], faces, star=bool(said["star"]), where=said["where"], **known)
        assert answer.error is None, answer.error
    assert faults(table.records) == {}


def test_sc_27_whose_roll_a_record_is():
    """LED-16, SC-27: the speaker's own for a member of the encounter, and for their own nick, as it always was."""
    table = Table(system="strike_cinder")
    for line in ("sam: sc encounter open Hydra luck 6", "sam: sc strike 1 as Hydra | 1", "sam: sc strike 1 as sam | 1"):
        table.heard(line)
    assert [record.draft.character for record in table.records if record.draft.kind == "roll"] == ["", ""]
    assert faults(table.records) == {}
