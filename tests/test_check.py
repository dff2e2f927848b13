"""`ledger check` (LED-16): every leaf, root, counter and die, and what was done where one of them is wrong."""

from dataclasses import replace

import pytest
from damages import CROOK, DAMAGES, resign, rewrite_all
from evening import HERE, KEY, NET, TAG_KEY, THERE, played

from ircdice.ledger import Draft, Record
from ircdice.ledger.check import Check, History, stretches
from ircdice.ledger.entry import Entry
from ircdice.ledger.examining import STRETCH, Means, looked
from ircdice.ledger.judging import Discrepancies, Judging
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.notes import SigningKey, loss, succession
from ircdice.ledger.portions import Portion
from ircdice.ledger.proofs import Streams

TAGS = TagKeys(((1, TAG_KEY),))


@pytest.fixture
def evening():
    return played()


def stretch(evening, after, step=STRETCH, *, proofs=None, tags=None):
    """What its records behind `after` show."""
    entries = [Entry.of(record) for record in evening.records if after < record.seq <= after + step]
    return looked(Means(Streams(evening.proofs() if proofs is None else proofs), "1.0.0", tags), after, entries)


def checked(evening, *, step=4, tags=None, file=(), proofs=None):
    """The report on it, looked at in small stretches."""
    proofs = evening.proofs() if proofs is None else proofs
    histories = [History.of("table", evening.notes, KEY.verifying), History.of("file", file, KEY.verifying)]
    check = Check(histories, proofs)
    last = max((record.seq for record in evening.records), default=0)
    for after in stretches(last, step):
        check.take(stretch(evening, after, step, proofs=proofs, tags=tags))
    return check.report()


@pytest.mark.parametrize("step", [1, 3, 7, 24, 4096])
def test_led_16_a_sound_ledger(evening, step):
    """LED-16: whatever the stretches, everything is looked at."""
    report = checked(evening, step=step, tags=TAGS, file=evening.notes[2:])
    assert report.findings == ()
    assert report.sound
    assert (report.records, report.checkpoints, report.proved, report.unproved) == (24, 8, 9, 7)


@pytest.mark.parametrize(("damage", "kind", "first"), DAMAGES)
@pytest.mark.parametrize("step", [1, 5, 4096])
def test_led_16_damage_is_named(evening, damage, kind, first, step):
    """LED-16: what was done, and the first record that is wrong."""
    damage(evening)
    report = checked(evening, step=step)
    assert not report.sound
    where = f"record {first}: " if first else ""
    assert str(report.findings[0]).startswith(f"{kind}: {where}"), report.findings


def test_led_16_two_that_no_leaf_can_be_made_of(evening):
    """LED-16: records with a time that none can have are named, though neither can be told from the other."""
    for at in (2, 4):
        evening.records[at] = replace(evening.records[at], ts=-1)
    found = [finding.seq for finding in checked(evening).findings if finding.damage == "altered"]
    assert found == [evening.records[2].seq, evening.records[4].seq]


@pytest.mark.parametrize(
    ("damage", "first"),
    [
        (lambda e: e.rewrite(9, line="alice: 10 10 10 10 10 10 10; 7d10"), 9),
        (lambda e: e.rewrite(17, nick="bob"), 17),
        (rewrite_all, 2),
        (lambda e: (e.rewrite(12, line="another"), resign(e)), 12),
    ],
)
def test_led_10_the_tag_tells_which_record_it_was(evening, damage, first):
    """LED-10, LED-16: who has no tag key cannot alter what it is made of, though they make leaves anew, and sign."""
    damage(evening)
    report = checked(evening, tags=TAGS)
    assert (report.findings[0].damage, report.findings[0].seq) == ("altered", first)


def test_led_12_the_file_knows_what_the_table_forgot(evening):
    """LED-12: tail and checkpoints deleted, the database agrees with itself; the file tells."""
    file = list(evening.notes)
    del evening.records[20:], evening.notes[4:]
    assert checked(evening).sound
    report = checked(evening, file=file)
    assert [str(finding) for finding in report.findings] == [
        "cut off: record 21: a checkpoint counts 24 records, 20 are here"
    ]


def test_led_12_an_old_backup_that_was_played_on(evening):
    """LED-16: the table's later checkpoint and the file's are of two histories."""
    file = list(evening.notes)
    del evening.records[14:], evening.notes[4:]
    evening.epoch, evening.counters = 2, {}
    for _ in range(20):
        evening.roll("mallory", 1)
    evening.checkpoint(3)
    assert checked(evening).sound
    report = checked(evening, file=file)
    assert (report.findings[0].damage, report.findings[0].seq) == ("forked", 15)


def test_led_12_an_accepted_loss_is_a_note(evening):
    """LED-12: what was said aloud is repeated, and the rest is looked at as ever."""
    del evening.records[20:]
    evening.counters[2, NET, HERE] = 5
    evening.checkpoint(3, remarks=[loss(21, 24)])
    report = checked(evening, file=evening.notes)
    assert report.sound, report.findings
    assert "table: the checkpoint of 20 gives up what was recorded from 21 on" in report.notes
    evening.rewrite(4, leaves=False, nick="x")
    assert checked(evening).findings[0].seq == 4


def test_led_18_keys_hand_over(evening):
    """LED-18: a checkpoint of the next key is believed once the one before named it."""
    new = SigningKey(KEY.name, b"\x77" * 32)
    evening.checkpoint(3, remarks=[succession(new.verifying)])
    evening.checkpoint(3, key=new)
    assert checked(evening).sound
    evening.checkpoint(3, key=CROOK)
    assert str(checked(evening).findings[0]).startswith("altered: record 24: table: no checkpoint: not signed by ")


@pytest.mark.parametrize("note", ["", "no note", "a\n1\nb\n\n— c d\n"])
def test_led_16_a_checkpoint_that_is_none(evening, note):
    """LED-16: garbage among the checkpoints is found, and does no harm to the rest."""
    evening.notes.insert(2, note)
    report = checked(evening)
    assert [(finding.damage, finding.seq) for finding in report.findings] == [("altered", 0)]


def test_led_25_what_was_redacted_is_no_damage(evening):
    """LED-25: its leaf holds the roots, and its counter is not missed."""
    for seq in (3, 23):
        record = evening.records[seq - 1]
        evening.records[seq - 1] = Record.withheld(seq, record.ts, record.leaf, "redacted")
    report = checked(evening, tags=TAGS)
    assert report.sound, report.findings
    assert report.withheld == 2


def disputed(record):
    """The rules of now see record 9 otherwise."""
    return "it would be a failure" if record.seq == 9 else None


def judged(evening, rules, *portions):
    """What is told of the evening's discrepancies by that version of the rules, each portion judged for itself."""
    discrepancies = Discrepancies()
    for portion in portions:
        discrepancies.take(Judging(disputed, portion, rules).take(map(Entry.of, evening.records)))
    report = discrepancies.added(checked(evening))
    return [str(finding) for finding in report.findings], report.notes


@pytest.mark.parametrize(
    "portions", [(Portion(),), (Portion(0, 2), Portion(1, 2)), tuple(Portion(n, 5) for n in range(5))]
)
def test_led_16_verdicts_are_judged_again(evening, portions):
    """LED-16: another verdict by the same rules is damage, by those of another version it is a note."""
    assert judged(evening, "1.0.0", *portions) == (["altered: record 9: it would be a failure"], ())
    assert judged(evening, "1.1.0", *portions) == ([], ("record 9, by rules 1.0.0: it would be a failure",))


def test_led_16_what_follows_a_roll_of_other_rules_is_judged_as_far_as_that():
    """LED-16: a reroll by the rules of now of a roll that they read otherwise is a note as well."""
    evening = played()
    old, new = evening.records[1], evening.records[3]
    evening.records[3] = replace(new, draft=replace(new.draft, ref=old.seq), rules="1.1.0")
    judging = Judging(lambda record: "not so" if record.seq in {2, 4} else None, None, "1.1.0")
    assert [verdict.expected for verdict in judging.take(map(Entry.of, evening.records))] == [True, True]
    judging = Judging(lambda record: "not so" if record.seq == 4 else None, None, "1.1.0")
    assert [verdict.expected for verdict in judging.take(map(Entry.of, evening.records))] == [False]


def test_led_25_behind_what_is_withheld_a_verdict_is_a_note(evening):
    """LED-25: the record that it may hang on cannot be read any more."""
    record = evening.records[2]
    evening.records[2] = Record.withheld(3, record.ts, record.leaf, "redacted")
    findings, notes = judged(evening, "1.0.0", Portion(0, 2), Portion(1, 2))
    assert (findings, notes) == ([], ("record 9, by rules 1.0.0: it would be a failure",))


def test_led_14_rolls_from_nowhere_are_counted(evening):
    """LED-14: in a channel only secret rolls come from the system's chance."""
    draws = ((10, 10),) * 5
    evening.record(Draft("roll", NET, THERE, "mallory", "mallory", "roll 5d10", draws, "mallory: 10 10 10 10 10"))
    report = checked(evening)
    assert report.sound
    assert report.notes == ("1 rolls in channels are bound by no seed, the first is record 25",)


def test_led_13_an_epoch_that_is_not_in_the_list(evening):
    """LED-16: whoever takes an epoch out of the list is found out by its records."""
    report = checked(evening, proofs=evening.proofs()[1:])
    assert [(finding.damage, finding.seq) for finding in report.findings] == [("missing", 2)]


def test_led_16_an_empty_ledger():
    """LED-16: nothing is there, and nothing is missing."""
    assert Check([], []).report().sound


def test_led_16_interruption(evening):
    """LED-16: what was found until it was interrupted is true."""
    begun = Check([History.of("table", evening.notes, KEY.verifying)], evening.proofs())
    begun.take(stretch(evening, 0, 3))
    assert begun.report(whole=False).sound, "an epoch that was committed to later is none that nobody knows of"
    evening.rewrite(4, leaves=False, nick="x")
    check = Check([History.of("table", evening.notes, KEY.verifying)], evening.proofs())
    check.take(stretch(evening, 0, 6))
    report = check.report(whole=False)
    assert (report.records, report.checkpoints) == (6, 2)
    assert [finding.seq for finding in report.findings] == [4]
