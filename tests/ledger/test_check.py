"""`ledger check` (LED-16): a sound ledger is sound, and whatever was done to one is named with its first bad record."""

import asyncio
import shutil
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from ircdice.clock import DAY, HOUR
from ircdice.errors import LedgerDamaged
from ircdice.ledger.archive import known_keys
from ircdice.ledger.check import Check
from ircdice.ledger.epochs import GRACE
from ircdice.ledger.record import Draft, tag

from .evening import CROOK, Evening
from .house import filled


def found(played):
    """The findings as they are printed."""
    return [str(finding) for finding in played.check().findings]


def test_led_16_a_played_evening_is_sound(url, tmp_path):
    """LED-16: every leaf, root, counter, die and verdict of two epochs, on both databases."""
    played = Evening(tmp_path, url)
    asyncio.run(played.play_all())
    report = played.check()
    assert (report.findings, report.notes) == ((), ())
    assert (report.records, report.proved, report.unproved, report.withheld) == (26, 9, 5, 0)
    assert report.complete


SIGNED = {
    "ts": 1,
    "kind": "hunger",
    "ref": 3,
    "epoch": 7,
    "counter": 9,
    "generation": 9,
    "network": "other",
    "channel": "#x",
    "nick": "mallory",
    "who": "mallory",
    "text": "roll 4d10",
    "draws": "10:10,10,10,10,10,10,10",
    "line": "alice: Critical",
    "blind": b"\0" * 16,
    "rules": "9.9",
    "tag": "000000",
    "leaf": b"\0" * 32,
}


@pytest.mark.parametrize("field", SIGNED)
def test_led_11_every_signed_field_is_verified(played, field):
    """LED-11: no field of a record can be altered unnoticed."""
    played.change(15, **{field: SIGNED[field]})
    assert "altered: record 15: its leaf is not the hash of its content" in found(played)


@pytest.mark.parametrize("more", ["\x02", "\x0304", "\u0301"])
def test_led_11_nothing_is_added_to_a_text_unnoticed(played, more):
    """LED-11: texts are verified as they are stored, formatting codes and all."""
    line = played.records[14].draft.line
    played.change(15, line=f"{line[:10]}{more}{line[10:]}")
    assert found(played)[0] == "altered: record 15: its leaf is not the hash of its content"


@pytest.mark.parametrize("field", [{"sealed_text": "9"}, {"sealed_salt": b"\0" * 16}, {"sealed_salt": None}])
def test_led_17_a_sealed_value_is_verified(played, field):
    """LED-17: nor can the difficulty that was sealed."""
    played.change(14, **field)
    assert found(played)[0] == "altered: record 14: its leaf is not the hash of its content"


def test_led_17_no_record_gets_a_sealed_value_later(played):
    """LED-17: nor does one that sealed nothing hold a value without its salt."""
    played.change(15, sealed_text="9")
    assert found(played)[0] == "altered: record 15: its leaf is not the hash of its content"


def swap(played, one, other):
    for old, new in ((one, -1), (other, one), (-1, other)):
        played.sql("UPDATE records SET seq = ? WHERE seq = ?", new, old)


def swap_with_all_keys(played):
    swap(played, 3, 4)
    for seq in (3, 4):
        forge(played, seq)


def close_gap(played):
    played.sql("DELETE FROM records WHERE seq = 8")
    for seq in range(9, 27):
        played.sql("UPDATE records SET seq = ? WHERE seq = ?", seq - 1, seq)


def cut(played, *, table=False, file=False, delivered=False):
    """Records 21 to 26 are deleted, and whatever else knows of them."""
    played.sql("DELETE FROM records WHERE seq > 20")
    if table:
        played.sql("DELETE FROM checkpoints WHERE size > 20")
    if file:
        notes = list(played.paths.checkpoints.notes())
        played.paths.checkpoints.file.unlink()
        played.paths.checkpoints.append(*notes[:-1])
    if delivered:
        played.sql("UPDATE delivered SET seq = 23 WHERE channel = '#fu'")


def forge(played, seq, **fields):
    """By somebody who has all keys: leaf, tag and every checkpoint fit."""
    if fields:
        played.change(seq, **fields)
    draft = played.ask(lambda store: store.get(seq)[0]).draft
    key = played.paths.tag_keys.load().key(seq)
    played.forge(seq, tag=tag(key, seq, draft.network, draft.channel, draft.nick, draft.line))
    played.resign()


def use_a_number_twice(played):
    played.sql("DROP INDEX records_drawn")
    forge(played, 26, counter=1)


def alter_checkpoint(played, number):
    played.sql(
        "UPDATE checkpoints SET note = replace(note, 'dice.example/one', 'dice.example/two') WHERE number = ?", number
    )


def alter_file(played):
    file = played.paths.checkpoints.file
    file.write_text(file.read_text().replace("\n17\n", "\n16\n"))


def empty_file(played):
    played.paths.checkpoints.file.write_text("")


def take_away(played, seq, why):
    played.sql(
        "UPDATE records SET kind = 'withheld', text = ?, nick = '', who = '', line = '', tag = '', rules = '',"
        " draws = '', blind = x'' WHERE seq = ?",
        why,
        seq,
    )


def redact_and_take_away(played, seq):
    """A real redaction, of the records of a person and of the bot in private talk, and one record more."""

    async def redact():
        async with played.open() as ledger:
            await ledger.redact({"~bob"})
            await ledger.redact({"~carol"})

    asyncio.run(redact())
    take_away(played, seq, "redacted")


def overwrite(played, name):
    """The page of a table or index is overwritten."""
    with closing(sqlite3.connect(played.paths.database)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    with played.paths.database.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))


DAMAGES = {
    "two records swapped": (lambda h: swap(h, 3, 4), "reordered", 3),
    "two records swapped with all keys": (swap_with_all_keys, "reordered", 3),
    "one record deleted": (lambda h: h.sql("DELETE FROM records WHERE seq = 8"), "missing", 8),
    "the first record deleted": (lambda h: h.sql("DELETE FROM records WHERE seq = 1"), "missing", 1),
    "one record deleted, and the gap closed": (close_gap, "missing", 8),
    "the tail deleted": (cut, "cut off", 21),
    "the tail deleted with its checkpoint": (lambda h: cut(h, table=True), "cut off", 21),
    "the tail deleted that was posted": (lambda h: cut(h, table=True, file=True, delivered=True), "cut off", 21),
    "everything deleted": (lambda h: h.sql("DELETE FROM records"), "cut off", 1),
    "a line forged, its leaf fits": (lambda h: h.forge(4, line="alice: Critical"), "altered", 4),
    "a nick forged, and every checkpoint": (lambda h: (h.forge(4, nick="bob"), h.resign()), "altered", 4),
    "dice forged with all keys": (lambda h: forge(h, 3, draws="10:10,10,10,10,10"), "altered", 3),
    "a line forged with all keys": (lambda h: forge(h, 22, line="bob: Critical"), "altered", 22),
    "dice of an earlier generation": (lambda h: forge(h, 15, generation=1), "altered", 15),
    "dice of a generation to come": (lambda h: forge(h, 4, generation=2), "altered", 4),
    "a number left out": (lambda h: forge(h, 26, counter=3), "missing", 26),
    "a number used twice": (use_a_number_twice, "reordered", 26),
    "a time that goes back": (lambda h: forge(h, 22, ts=1_700_000_000_000), "reordered", 22),
    "other words stirred in": (lambda h: forge(h, 10, text="stir mine 1700000001"), "altered", 10),
    "a start that never was": (lambda h: forge(h, 18, text="stir 1700086999"), "altered", 18),
    "checkpoints of another key": (lambda h: h.resign(CROOK), "altered", 0),
    "a checkpoint altered in the database": (lambda h: alter_checkpoint(h, 4), "altered", 17),
    "a checkpoint deleted from the database": (
        lambda h: h.sql("DELETE FROM checkpoints WHERE number = 7"),
        "missing",
        26,
    ),
    "all checkpoints deleted from the database": (lambda h: h.sql("DELETE FROM checkpoints"), "missing", 0),
    "a tree altered": (
        lambda h: h.sql("UPDATE checkpoints SET frontier = zeroblob(96) WHERE number = 7"),
        "altered",
        26,
    ),
    "a checkpoint altered in the file": (alter_file, "altered", 16),
    "the file of checkpoints emptied": (empty_file, "missing", 0),
    "a seed replaced": (lambda h: h.sql("UPDATE epochs SET seed = zeroblob(32) WHERE epoch = 1"), "altered", 0),
    "a commitment replaced": (
        lambda h: h.sql("UPDATE epochs SET commitment = zeroblob(32) WHERE epoch = 2"),
        "altered",
        19,
    ),
    "an epoch deleted": (lambda h: h.sql("DELETE FROM epochs WHERE epoch = 2"), "missing", 19),
    "an epoch added": (
        lambda h: h.sql("INSERT INTO epochs VALUES (9, 'ircdice', zeroblob(32), NULL, NULL)"),
        "altered",
        0,
    ),
    "the next epoch deleted": (lambda h: h.sql("DELETE FROM epochs WHERE begun IS NULL"), "missing", 0),
    "the time of an epoch altered": (lambda h: h.sql("UPDATE epochs SET begun = 1 WHERE epoch = 2"), "altered", 19),
    "content taken away without a redaction": (lambda h: take_away(h, 8, "redacted"), "altered", 8),
    "content called lost": (lambda h: take_away(h, 8, "lost"), "altered", 8),
    "content called covered": (lambda h: take_away(h, 8, "covered"), "altered", 8),
    "content called private, and the ledger imported": (
        lambda h: (h.sql("INSERT INTO meta VALUES ('signer', 'x')"), take_away(h, 8, "private")),
        "altered",
        8,
    ),
    "content taken away before a redaction": (lambda h: redact_and_take_away(h, 4), "altered", 0),
    "content taken away after a redaction": (lambda h: redact_and_take_away(h, 28), "altered", 28),
    "the last tree taken away": (
        lambda h: h.sql("UPDATE checkpoints SET frontier = x'' WHERE number = 7"),
        "altered",
        26,
    ),
    "a roll listed under another game": (lambda h: h.change(15, game="fayrewood"), "altered", 15),
    "a roll listed under a scene": (lambda h: h.change(15, scene="1"), "altered", 15),
    "a roll listed as unofficial": (lambda h: h.change(15, official=0), "altered", 15),
    "an index overwritten": (lambda h: overwrite(h, "records_who"), "damaged", 0),
    "the deliveries overwritten": (lambda h: overwrite(h, "delivered"), "damaged", 0),
}


ACCEPTED = (
    "the tail deleted",
    "the tail deleted with its checkpoint",
    "the tail deleted that was posted",
    "everything deleted",
    "a checkpoint deleted from the database",
    "the file of checkpoints emptied",
    "a seed replaced",
    "an epoch added",
)


@pytest.mark.parametrize(("damage", "kind", "first"), DAMAGES.values(), ids=DAMAGES)
def test_led_16_damage_is_named(played, damage, kind, first):
    """LED-16: the first bad record, and what was done to it."""
    damage(played)
    report = played.check()
    assert (report.findings[0].damage, report.findings[0].seq) == (kind, first), report.findings


def test_led_12_the_file_may_lack_the_last_checkpoints(played):
    """LED-12: a kill may leave them out; the next start adds them."""
    notes = list(played.paths.checkpoints.notes())
    played.paths.checkpoints.file.unlink()
    played.paths.checkpoints.append(*notes[:-2])
    assert played.check().findings == ()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DROP TABLE meta", "does not say which version"),
        ("DROP TABLE delivered", "no such table: delivered"),
        ("ALTER TABLE records DROP COLUMN draws", "no such column: records.draws"),
        ("UPDATE meta SET value = '0' WHERE name = 'schema'", "does not say which version"),
        ("DELETE FROM meta WHERE name = 'schema'", "does not say which version"),
    ],
)
async def test_led_16_a_start_refuses_an_altered_schema(played, statement, fault):
    """LED-16: tables and columns are those that the migrations made, or the way out is named."""
    played.sql(statement)
    with pytest.raises(LedgerDamaged, match=f"{fault}.*ledger restore DIR"):
        await played.play("alice #fu: roll 5d10 h0")


@pytest.mark.parametrize("rolls", [2, 5])
async def test_led_12_an_old_backup_that_was_played_on(tmp_path, rolls):
    """LED-12: the checkpoint file has seen another history than the database has, of the same length or not."""
    played, old = Evening(tmp_path / "house"), Evening(tmp_path / "old")
    await played.play("alice #fu: roll 5d10 h0", "bob #fu: roll 5d10 h0")
    shutil.copytree(played.folder, old.folder)
    old.now = played.now
    await played.play("alice #fu: roll 5d10 h0", "alice #fu: roll 5d10 h0")
    await old.play(*["mallory #fu: roll 5d10 h0"] * rolls)
    shutil.copy(played.paths.checkpoints.file, old.paths.checkpoints.file)
    first = old.check().findings[0]
    assert (first.damage, first.seq) == ("forked", 5)


async def test_led_12_an_accepted_loss_is_no_damage(played):
    """LED-12: a checkpoint gives up what is lost; everything else is verified as before."""
    cut(played)
    await played.play("alice #fu: roll 5d10 h0", accept_loss=True)
    report = played.check()
    assert report.findings == ()
    played.change(4, line="alice: Critical")
    assert found(played)[0] == "altered: record 4: its leaf is not the hash of its content"


@pytest.mark.parametrize("what", ACCEPTED)
def test_led_12_whatever_is_accepted_is_no_damage_any_more(played, what):
    """LED-12: `--accept-loss` gives up what was lost at the end; then the ledger is sound again."""
    DAMAGES[what][0](played)
    asyncio.run(played.play("alice #fu: roll 5d10 h0", accept_loss=True))
    assert played.check().findings == ()


async def test_led_18_rotated_keys_are_followed(played):
    """LED-18: tags by the key of their time, checkpoints by the key that the one before names."""
    async with played.open() as ledger:
        await ledger.rotate_tag_key()
        await ledger.rotate_signing_key()
    await played.play("alice #fu: roll 5d10 h0")
    assert played.check().findings == ()


async def test_led_25_a_redaction_is_no_damage(played):
    """LED-25: every root still holds, and no counter is missed; that something is withheld is counted."""
    async with played.open() as ledger:
        await ledger.redact({"~bob"})
    await played.play("bob #fu: roll 5d10 h0", "bob @: roll 3d10 h1", "carol @: roll 5d10 h2")
    report = played.check()
    assert report.findings == ()
    assert report.withheld > 5


def test_led_16_verdicts_of_other_rules_are_notes(played):
    """LED-16: a verdict that the rules of now judge otherwise is damage only if it was made by these rules."""
    forge(played, 22, line="bob: something else", rules="0.0.1")
    report = played.check()
    assert report.findings == ()
    assert report.notes[0].startswith('record 22, by the rules of version 0.0.1: the rules make of it "bob: ')


async def test_led_14_a_record_of_an_epoch_that_is_long_over(played):
    """LED-14: a process draws from one epoch after another; what comes two epochs later was put there."""
    await played.tend(DAY, GRACE)
    await played.play("alice #fu: roll 5d10 h0")
    await played.tend(DAY, GRACE)
    await played.play("alice #fu: roll 5d10 h0")
    assert played.check().findings == ()
    last = played.records[-1].seq
    forge(played, last, epoch=1, counter=50)
    assert f"record {last}: " in found(played)[0]


@pytest.mark.parametrize("seq", [3, 4, 10, 22])
def test_led_16_an_altered_record_accuses_no_other(played, seq):
    """LED-16: its counter counts as used, and after an altered stir the dice are not proved, but not wrong either."""
    played.change(seq, nick="mallory")
    assert {finding.seq for finding in played.check(judge=lambda _record: None).findings} == {seq}


async def test_led_16_much_damage_of_one_kind_hides_no_other(house):
    """LED-16: of very many findings of one kind the first are enough, of every other kind there is room."""
    records = await filled(house, 1_200)
    house.sql("UPDATE records SET rules = '9'", f"DELETE FROM records WHERE seq = {len(records) - 10}")
    damages = Counter(finding.damage for finding in house.check().findings)
    assert (damages["altered"], damages["missing"]) == (1_000, 1)


async def test_led_14_rolls_that_come_from_no_seed_are_noted(played):
    """LED-14: only private and secret rolls come from the operating system."""
    async with played.open() as ledger:
        draws = ((10, 10),) * 5
        for channel in ("@~bob", "#fu", "#fu"):
            await ledger.append(Draft("roll", "net", channel, "bob", "~bob", "roll 5d10", draws, "bob: 10 10 10 10 10"))
    report = played.check(judge=lambda _record: None)
    assert report.notes == ("2 rolls in channels come from no seed, the first is record 29",)


async def test_led_13_a_seed_that_is_not_published_is_noted(played):
    """LED-13: an epoch that ended long ago, and whose seed was taken out of the table."""
    played.now += HOUR
    await played.play("bob #fu: roll 5d10 h0")
    played.sql("UPDATE epochs SET seed = NULL WHERE epoch = 1")
    report = played.check()
    assert (report.findings, report.notes) == ((), ("epoch 1 ended, and its seed is not published",))


def test_led_16_what_was_found_before_an_interrupt_counts(played):
    """LED-16: a check that is interrupted reports what it has seen, and says nothing of the rest."""
    played.change(3, line="alice: Critical")

    def interrupted(store):
        keys, tags = known_keys(played.paths, store)
        check = Check(store, keys, filed=played.paths.checkpoints.notes(), tags=tags)
        next(check.run())
        return check.report()

    played.sql("DELETE FROM records WHERE seq > 20")
    report = played.ask(interrupted)
    assert report.findings[0].seq == 3
