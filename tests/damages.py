"""What may be done to a ledger, and what is to be said of it (LED-16), be it the ledger or its export."""

from dataclasses import replace

from evening import BEGAN, HERE, KEY, NET, TAG_KEY, THERE

from ircdice.ledger.checkpoint import SigningKey, read, sign
from ircdice.ledger.record import complete

CROOK = SigningKey(KEY.name, b"\x66" * 32)


def swap(evening, one, other, *, leaves=False):
    records = evening.records
    first, second = records[one - 1], records[other - 1]
    records[one - 1], records[other - 1] = replace(second, seq=one), replace(first, seq=other)
    if leaves:
        for seq in (one, other):
            evening.rewrite(seq)


def drop(evening, seq):
    del evening.records[seq - 1]


def close_the_gap(evening, seq):
    del evening.records[seq - 1]
    evening.records[:] = [replace(record, seq=n) for n, record in enumerate(evening.records, 1)]


def cut(evening, size):
    del evening.records[size:]


def other_dice(evening, seq):
    """A better roll, whoever made it having all keys but no other seed: leaf and later checkpoints are made anew."""
    record = evening.records[seq - 1]
    evening.rewrite(seq, draws=tuple((sides, sides) for sides, _ in record.draft.draws))
    resign(evening)


def burn(evening):
    """Numbers that displeased are used up and nothing told of them: more than the hidden records can account for."""
    evening.counters[2, NET, THERE] += 3
    evening.roll("bob", 3, channel=THERE)


def two_at_once(evening):
    """A number is used twice."""
    evening.counters[2, NET, THERE] -= 1
    evening.roll("bob", 3, channel=THERE)


def resign(evening, key=KEY):
    notes, whole = [read(note) for note in evening.notes], evening.records
    evening.notes.clear()
    for checkpoint in notes:
        evening.records = whole[: checkpoint.size]
        evening.notes.append(sign(replace(checkpoint, root=evening.root()), key))
    evening.records = whole


def play_on_after(evening, size):
    """An old backup is put back, and play goes on from there without a word."""
    evening.records = evening.records[:size]
    kept = [note for note in evening.notes if read(note).size > size]
    evening.epoch, evening.counters = 2, {}
    for _ in range(12):
        evening.roll("mallory", 5)
    evening.notes = [note for note in evening.notes if note not in kept]
    evening.checkpoint(3)
    evening.notes = [*evening.notes[:-1], *kept, evening.notes[-1]]


def rewrite_all(evening):
    for seq, record in enumerate(evening.records, 1):
        evening.rewrite(seq, nick="mallory" if record.draft.nick == "alice" else record.draft.nick)


def lie_about_the_stir(evening):
    evening.rewrite(8, line='carol: stirred "nothing"; generation 1 of epoch 1')
    resign(evening)


def old_generation(evening):
    """A roll by the dice of before the stir, which somebody knew."""
    record = evening.records[8]
    evening.counters[1, NET, HERE] -= 2
    evening.mixes[1, NET, HERE] = (0, b"")
    evening.epoch = 1
    evening.roll("alice", 7)
    old = evening.records.pop().draft
    blind = record.blind
    evening.records[8] = complete(
        replace(old, stamp=replace(old.stamp, counter=5)), 9, record.ts, blind, "1.0.0", TAG_KEY
    )
    resign(evening)


def clock_back(evening):
    record = evening.records[8]
    evening.records[8] = complete(record.draft, 9, BEGAN, record.blind, "1.0.0", TAG_KEY)
    resign(evening)


# What is done to `evening.played()`, the kind of damage, the first bad record.
DAMAGES = [
    (lambda e: e.rewrite(4, leaves=False, line="alice: 10 10 10 10 10; 5d10"), "altered", 4),
    (lambda e: e.rewrite(4, leaves=False, nick="bob"), "altered", 4),
    (lambda e: e.rewrite(10, leaves=False, sealed=replace(e.records[9].draft.sealed, text="3")), "altered", 10),
    (lambda e: e.rewrite(9, line="alice: 10 10 10 10 10 10 10; 7d10"), "altered", 7),
    (rewrite_all, "altered", 1),
    (lambda e: swap(e, 3, 4), "reordered", 3),
    (lambda e: swap(e, 15, 17, leaves=True), "reordered", 15),
    (lambda e: drop(e, 12), "missing", 12),
    (lambda e: drop(e, 1), "missing", 1),
    (lambda e: close_the_gap(e, 12), "missing", 12),
    (lambda e: cut(e, 20), "cut off", 21),
    (lambda e: cut(e, 0), "cut off", 1),
    (lambda e: other_dice(e, 3), "altered", 3),
    (burn, "missing", 25),
    (two_at_once, "reordered", 25),
    (lambda e: play_on_after(e, 14), "forked", 15),
    (lambda e: resign(e, CROOK), "altered", 0),
    (lie_about_the_stir, "altered", 8),
    (old_generation, "altered", 9),
    (clock_back, "reordered", 9),
]
