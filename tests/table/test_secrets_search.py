"""What is sealed is looked for in all that the bot says and keeps, and found nowhere before it is revealed.

Two ways: a number or a face that nothing else shows is searched for; and an evening is played again and again with
other secrets, which must not change one sign of what anybody can see but the word whether a roll passes.
"""

import json
import logging
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from evening import stored
from playing import CHANNEL, Table
from vectors import VECTORS

from ircdice.evaluation import Evaluator
from ircdice.ledger.archive import export
from ircdice.ledger.checkpoint import SigningKey
from ircdice.ledger.record import leaf

TELLER = "sam"  # who keeps the secrets, and is told them in private at once


# What is asked behind every roll, by whoever it may concern: questions, mistakes, follow-ups, the storyteller's own.
PRYING = (
    "sam*: !contests",
    "sam*: !log sam",
    "bob: !log",
    "bob: !log #last",
    "bob: log #1",
    "sam* in private: log",
    "sam*: log #1",
    "bob: !stats",
    "sam*: !stats sam",
    "bob: verify #1",
    "bob: verify #2",
    "sam* in private: verify #1",
    "bob: !verify sam: the storyteller rolls in secret; id 1",
    "bob: help difficulty",
    "bob: reveal #1",
    "bob in private: reveal #1 in #FU_Dice",
    "bob: !difficulty 2 for bob",
    "sam*: discard #1",
    "sam*: close #1",
    "... 31 min",
    "... restart",
)
EVENINGS = {
    "fayrewood": (
        "bob: odds toss 3 2 boon",
        "bob: toss 3 2 dc4",
        "bob: tos d8 d6 boon",
        "bob: sweep 5 5 dc6",
        "bob: toss 3 2 vs d4 | 4 2 3",
        "bob: toss 3 2 boon # the lock | 4 5 3",
        "bob: odds toss 3 2",
        "sam*: close #3",
        "bob: discard #3",
    ),
    "v5": (
        "bob: odds roll 5d10",
        "bob: autowin 6 dc3 h1",
        "bob: roll 5d10 h2 dc3",
        "bob: roll 5d10 h2 dificulty 3",
        "bob: rouse | 9",
        "bob: roll 7d10 | 10 10 3 1 7 1 8",
        "bob: odds wp 1",
        "bob: hunger 2",
        "bob: odds wp",
        "bob: wp 1 | 7",
        "bob: wp",
        "bob: odds wp #last",
        "sam*: wp as bob",
    ),
    "strike_cinder": (
        "sam*: sc encounter open Encounter luck 9",
        "bob: sc join Bob arcanist",
        "bob: odds sc strike 5",
        "bob: sc strike 5 dc3",
        "bob: sc strke 5",
        "bob: sc strike 5 vs Encounter | 4 4 4 4 1",
        "bob: sc luck",
        "bob: sc tracking",
        "sam*: sc tracking",
        "bob: discard",
        "bob: sc tracking",
    ),
}


def seen(table, evening):
    """Everything that a line of the evening, and what is asked behind it, brings about for the others."""
    return [reply for line in (*evening, *PRYING) for reply in others(table, line)]


def others(table, line):
    """What a line brings about for anybody but the storyteller who keeps the secret."""
    replies = [(reply.target, reply.text, reply.private) for reply in table.heard(line)]
    return [(target, text) for target, text, private in replies if not private or target != TELLER]


def kept(table):
    """The records as a log, a listing or a traceback would show them."""
    return [repr(record) for record in table.records]


def exported(table):
    """What `ledger export` makes of those records."""
    key = SigningKey("example.net/test", bytes(range(32))).verifying
    records = [replace(record, blind=b"\x22" * 16, rules="1") for record in table.records]
    with TemporaryDirectory() as folder, stored(Path(folder)) as store:
        store.insert((replace(record, leaf=leaf(record)), None) for record in records)
        return list(export(store, key, private=True))


def logged(caplog):
    return "\n".join(logging.Formatter("%(message)s").format(record) for record in caplog.records)


def set_difficulty(table, number):
    table.say("sam", f"difficulty {number} for bob in {CHANNEL}", star=True, where="private")


@pytest.mark.parametrize("system", EVENINGS)
@pytest.mark.parametrize("number", [777, 1000])
def test_fw_10_the_number_stands_nowhere(system, number, caplog):
    """FW-10, DSK-07, LED-17: not in a reply, odds, log, verify, export or record, and at once in the reveal."""
    caplog.set_level(logging.DEBUG)
    table = Table(hinting=True, system=system)
    answer = table.say("sam", f"difficulty {number} for bob in {CHANNEL}", star=True, where="private")
    told = [reply.text for reply in answer.replies] + [text for _, text in seen(table, EVENINGS[system])]
    everything = "\n".join([*told, *kept(table), *exported(table), logged(caplog), repr(answer)])
    assert "difficulty secret" in everything
    assert str(number) not in re.sub(r"\b[0-9a-f]{32,}\b|[0-9]{13}", "", everything)
    (revealed,) = table.say("sam", "reveal #1", star=True).replies
    assert f"difficulty {number} for bob" in revealed.text
    assert str(number) in "\n".join(exported(table))


@pytest.mark.parametrize("system", ["fayrewood", "strike_cinder"])
def test_fw_10_nothing_but_the_verdict_depends_on_the_number(system):
    """FW-10: of all numbers with the same verdict one evening is as the other, to the last sign."""
    evenings = defaultdict(list)
    for number in range(1, 30):
        table = Table(hinting=True, system=system)
        set_difficulty(table, number)
        evenings[repr((seen(table, EVENINGS[system]), kept(table)))].append(number)
    passed, failed = evenings.values()
    assert [passed, failed] == [list(range(1, passed[-1] + 1)), list(range(passed[-1] + 1, 30))]


@pytest.mark.parametrize("faces", ["10 10 3 1 7 1 8", "9 8 3 1 2 4 2", "2 3 4 5 2 3 4", "8 8 8 8 6 6 6"])
@pytest.mark.parametrize(
    "drawn", ["wp 1 | 7", "wp 3 | 7 8 9", "wp 2 | 6 2", "wp 1 | 1", "wp tens | 2 3", "wp 3 | 1 2 3"]
)
def test_fw_10_willpower_leaves_more_than_one_number(faces, drawn):
    """FW-10, V5-14: what a reroll says beside the roll never tells one Difficulty from all others."""
    if "tens" in drawn and "10" not in faces:
        drawn = "wp 2 | 2 3"
    first, both = defaultdict(set), defaultdict(set)
    for number in range(1, 16):
        table = Table(hinting=True)
        set_difficulty(table, number)
        rolled = others(table, f"bob: roll 7d10 h1 | {faces}")
        rerolled = others(table, "bob: odds wp 1"), others(table, f"bob: {drawn}")
        first[repr(rolled)].add(number)
        both[repr((rolled, rerolled, kept(table)))].add(number)
    assert 1 <= len(first) <= 2
    for numbers in both.values():
        before = next(group for group in first.values() if numbers <= group)
        assert len(numbers) > 1 or numbers == before


@pytest.mark.parametrize(
    ("system", "command", "faces", "others"),
    [
        ("v5", "roll 5d10 h2 dc3 # who hides", (10, 10, 1, 10, 1), (2, 2, 2, 2, 2)),
        ("v5", "roll 6d10 h2 vs 5d10 h1", (9,) * 11, (1,) * 11),
        ("strike_cinder", "sc strike 4", (6, 6, 1, 1, 6, 6, 1, 1), (1, 1, 1, 1)),
        ("fayrewood", "toss 3 2 boon dc7", (8, 6, 4), (1, 1, 1)),
        ("crossroads", "xr 3d6 a1", (6, 6, 6, 6), (1, 2, 3, 4)),
        ("beat_eight", "b8 t4", (6, 6), (1, 1)),
        ("generic", "roll 3d1000+2", (777, 778, 779), (1, 1, 1)),
    ],
)
def test_dsk_07_nothing_depends_on_a_secret_roll(system, command, faces, others, caplog):
    """DSK-07, LED-14, LED-17: in every game, not even how many dice were drawn."""
    caplog.set_level(logging.DEBUG)
    evenings = set()
    for thrown in (faces, others):
        table = Table(hinting=True, system=system)
        table.say("sam", f"secret {command} in {CHANNEL}", thrown, star=True, where="private")
        assert [record.draft.draws for record in table.records] == [()]
        assert command not in "\n".join([*kept(table), *exported(table)])
        evenings.add(repr((seen(table, ("bob: roll 2d6 | 3 4",)), kept(table), logged(caplog))))
        (reply,) = table.say("sam", "reveal #1", star=True).replies
        assert f'"{command}; d' in reply.text
        caplog.clear()
    assert len(evenings) == 1


def test_dsk_07_eval_shows_no_face_and_no_number():
    """DSK-07, cli.md: what other programs are told is looked through as well."""
    evaluator = Evaluator()
    shared = {"table": "t", "system": "generic"}
    sam = shared | {"who": "sam", "storyteller": True, "private": True}
    given = [
        sam | {"text": "secret roll 3d1000 in #FU_Dice", "dice": [777, 778, 779]},
        sam | {"text": "difficulty 888 for bob in #FU_Dice"},
        shared | {"who": "bob", "text": "roll 5d10 h2", "system": "v5", "dice": [9, 8, 3, 1, 2]},
        shared | {"who": "bob", "text": "odds wp", "system": "v5"},
        shared | {"who": "bob", "text": "wp", "system": "v5", "dice": [7]},
    ]
    try:
        answers = [evaluator.evaluate(each) for each in given]
        told = [evaluator.evaluate(sam | {"text": f"reveal #{n} in #FU_Dice"}) for n in (1, 2)]
    finally:
        evaluator.close()
    assert "777 778 779" in answers[0].pop("private_reply")
    for answer in answers:
        shown = json.dumps({key: value for key, value in answer.items() if key != "text"})
        assert not re.search("77[789]|888", re.sub(r"-[0-9a-z]{6}\b", "", shown))
    assert [die["face"] for die in told[0]["dice"]] == [777, 778, 779]
    assert told[1]["values"] == {"successes": 3, "difficulty": 888, "margin": -885}


def test_led_17_the_vector_is_such_a_seal():
    """LED-17: a difficulty is sealed as the specification's example is."""
    table = Table(system="fayrewood")
    set_difficulty(table, int(VECTORS["sealed"]["text"]))
    assert table.records[0].draft.sealed.text == VECTORS["sealed"]["text"]
    assert len(table.records[0].draft.sealed.salt) == len(VECTORS["sealed"]["salt"]) // 2
