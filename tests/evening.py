"""A played evening as a ledger would keep it: two channels, an ended epoch and one that runs, all proved."""

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import grammars
from ircdice.dice import Stamp
from ircdice.ledger import Draft, Record, Sealed
from ircdice.ledger.archive import export
from ircdice.ledger.checkpoint import Checkpoint, SigningKey, Tree, read, sign
from ircdice.ledger.engine import engines, make_file
from ircdice.ledger.epochs import DerivedDice, mix_of, stream_key
from ircdice.ledger.paths import commitment
from ircdice.ledger.record import complete, leaf
from ircdice.ledger.schema import migrate
from ircdice.ledger.store import Store

ORIGIN = "irc.example.net/ircdice"
KEY = SigningKey(ORIGIN, b"\x22" * 32)
TAG_KEY = b"\x11" * 32
NET, HERE, THERE = "libera", "#fu", "#other"
SEEDS = {epoch: sha256(b"epoch %d" % epoch).digest() for epoch in range(1, 6)}
BEGAN = 1_700_000_000_000


@dataclass
class Evening:
    """Records and checkpoints as they come, the seeds of the epochs in `revealed` published."""

    records: list[Record] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    revealed: tuple[int, ...] = (1,)
    key: SigningKey = KEY
    epoch: int = 1
    counters: dict = field(default_factory=dict)
    mixes: dict = field(default_factory=dict)

    def record(self, draft):
        seq = len(self.records) + 1
        blind = sha256(b"blind %d" % seq).digest()[:16]
        self.records.append(complete(draft, seq, BEGAN + 1000 * seq, blind, "1.0.0", TAG_KEY))
        return self.records[-1]

    def say(self, kind, nick, text, channel=HERE, ref=0, line="", **more):
        return self.record(Draft(kind, NET, channel, nick, nick, text, (), line, ref, **more))

    def roll(self, nick, count, sides=10, channel=HERE, kind="roll", ref=0, **more):
        place = self.epoch, NET, channel
        generation, mix = self.mixes.get(place, (0, b""))
        self.counters[place] = self.counters.get(place, 0) + 1
        stamp = Stamp(self.epoch, self.counters[place], generation)
        faces = DerivedDice(stream_key(SEEDS[self.epoch], NET, channel, generation, mix), stamp).roll(count, sides)
        draws = tuple((sides, face) for face in faces)
        line = f"{nick}: {' '.join(map(str, faces))}; {count}d{sides}"
        return self.record(
            Draft(kind, NET, channel, nick, nick, f"roll {count}d{sides}", draws, line, ref, stamp=stamp, **more)
        )

    def stir(self, nick, words, channel=HERE):
        place = self.epoch, NET, channel
        generation = self.mixes.get(place, (0, b""))[0] + 1
        words = grammars.parse(f"stir {words}", called=True).words
        self.mixes[place] = generation, mix_of(nick, words)
        line = f'{nick}: stirred "{words}"; generation {generation} of epoch {self.epoch}'
        stamp = Stamp(self.epoch, 0, generation)
        return self.say("stir", nick, f"stir {words}", channel, line=line, stamp=stamp)

    def checkpoint(self, *following, remarks=(), key=None):
        coming = tuple((number, commitment(number, SEEDS[number])) for number in following)
        made = Checkpoint(ORIGIN, len(self.records), self.root(), ((self.epoch, BEGAN),), coming, tuple(remarks))
        self.notes.append(sign(made, key or self.key))
        return made

    def root(self):
        tree = Tree()
        tree.extend(record.leaf for record in self.records)
        return tree.root()

    def keep(self, store):
        """All of it in the tables."""
        store.insert((record, None) for record in self.records)
        for note in self.notes:
            store.add_checkpoint(read(note).size, note, ())
        for epoch in sorted({record.draft.stamp.epoch for record in self.records} - {0} | set(self.revealed)):
            store.add_epoch(epoch, "ircdice", commitment(epoch, SEEDS[epoch]))
            if epoch in self.revealed:
                store.publish_seed(epoch, SEEDS[epoch])

    def exported(self, private=False):
        with TemporaryDirectory() as folder, stored(Path(folder), "DROP INDEX records_drawn") as store:
            self.keep(store)  # numbers that were used twice as well
            return list(export(store, KEY.verifying, private=private))

    def rewrite(self, seq, *, leaves=True, **changed):
        """Alter what a record says, and its leaf too where whoever does it knows how."""
        record = self.records[seq - 1]
        altered = replace(record, draft=replace(record.draft, **changed))
        self.records[seq - 1] = replace(altered, leaf=leaf(altered)) if leaves else altered


@contextmanager
def stored(folder, *statements):
    """An empty ledger, to be filled, once those statements were carried out."""
    make_file(folder / "ledger.db")
    made = engines(folder / "ledger.db")
    try:
        migrate(made.write)
        with made.transaction() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
            yield Store(connection)
    finally:
        made.close()


def played():
    """The evening: 24 records, 5 checkpoints; contest 6 was answered, 21 waits; seal 10 is open, 22 is not."""
    e = Evening()
    e.checkpoint(1)
    e.say("setting", "", "system=v5 official=yes")  # 1
    for _ in range(3):
        e.roll("alice", 5)  # 2, 3, 4
    e.roll("bob", 3, 6, channel=THERE)  # 5
    opening = e.roll("alice", 4, kind="contest")  # 6
    e.checkpoint(2)
    e.roll("bob", 2, kind="answer", ref=opening.seq)  # 7
    e.stir("carol", "café – our own “words”")  # 8
    e.roll("alice", 7)  # 9
    e.say("seal", "gm", "difficulty for bob", sealed=Sealed("9", b"\x44" * 16))  # 10
    e.roll("bob", 4, ref=10)  # 11
    e.say("reveal", "gm", "reveal #a", ref=10, line="gm: #a is revealed, difficulty 9 for bob; salt 4444")  # 12
    e.say("roll", "bob", "roll 5d10", channel="@bob", line="bob: 1 2 3 4 5; 5d10")  # 13
    e.checkpoint(2)
    e.roll("alice", 30, 3_000_000_000)  # 14
    e.epoch = 2
    e.checkpoint(3)
    for _ in range(3):
        e.roll("alice", 5)  # 15, 16, 17
    e.roll("bob", 3, 6, channel=THERE)  # 18
    e.stir("bob", "again")  # 19
    e.roll("alice", 2)  # 20
    e.roll("alice", 4, kind="contest")  # 21
    e.say(
        "seal", "gm", "secret", sealed=Sealed("roll 5d10; d10 9 9 9 9 9", b"\x55" * 16), line="gm: rolls in secret"
    )  # 22
    e.roll("carol", 1, 100)  # 23
    e.say("discard", "carol", "discard", ref=23, line="carol: discarded")  # 24
    e.checkpoint(3)
    return e
