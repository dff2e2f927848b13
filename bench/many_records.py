"""`python -m bench.many_records COUNT FILE`: a SQLite ledger of so many records, made as a bot would make them.

Only its commits are not waited for. 1,000 people in 200 channels of two networks, a tenth of the records follow-ups.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import event

from ircdice.dice import Stamp, SystemDice, entropy
from ircdice.ledger import Draft, Record
from ircdice.ledger.engine import engines, make_file
from ircdice.ledger.record import complete
from ircdice.ledger.schema import migrate
from ircdice.ledger.store import Store

TAG_KEY = b"\x11" * 32
START = 1_600_000_000_000
PEOPLE, CHANNELS, PLACES_EACH = 1_000, 200, 5
IN_ONE = 5_000  # rows a transaction
EPOCH = 100_000  # records


def completed(draft: Draft, seq: int, ts: int) -> Record:
    """As the bot completes a draft, with a key that is known."""
    return complete(draft, seq, ts, entropy(16), "0.1.0", TAG_KEY)


def person(number: int) -> str:
    """A nick and account."""
    return f"player{number}"


def place(number: int) -> tuple[str, str]:
    """Network and channel."""
    return f"net{number % 2}", f"#channel{number}"


def roll(who: int, where: int, stamp: Stamp, faces: tuple[int, ...], ref: int = 0) -> Draft:
    """A roll of some d10."""
    draws = tuple((10, face) for face in faces)
    nick, (network, channel) = person(who), place(where)
    shown = " ".join(map(str, faces))
    line = f"{nick}: Success, 4 successes vs 3, margin +1; {shown}; {len(faces)}d10 dc3"
    kind = "reroll" if ref else "roll"
    return Draft(kind, network, channel, nick, nick, f"roll {len(faces)}d10 dc3", draws, line, ref, stamp=stamp)


def records(first: int, count: int) -> Iterator[Record]:
    """`count` records from number `first` on, one every 20 s."""
    dice, counters = SystemDice(), dict.fromkeys(range(CHANNELS), 0)
    for seq in range(first, first + count):
        if seq % EPOCH == 0:
            counters = dict.fromkeys(counters, 0)
        who = dice.roll(1, PEOPLE)[0]
        where = (who * 7 + dice.roll(1, PLACES_EACH)[0]) % CHANNELS
        counters[where] += 1
        stamp = Stamp(1 + seq // EPOCH, counters[where], 0)
        follows = seq - 1 if seq % 10 == 0 else 0
        yield completed(roll(who, where, stamp, dice.roll(3 + seq % 7, 10), follows), seq, START + seq * 20_000)


def make(count: int, file: Path) -> float:
    """The ledger; the seconds that it took."""
    start = time.perf_counter()
    make_file(file)
    ways = engines(file)
    for pragma in ("synchronous = OFF", "cache_size = -400000"):
        event.listen(ways.write, "connect", lambda raw, _, said=f"PRAGMA {pragma}": raw.execute(said))
    migrate(ways.write)
    with ways.write.connect() as connection:
        store = Store(connection)
        with connection.begin():
            store.deliver({place(number): 0 for number in range(CHANNELS)}, START)
            made = records(store.last()[0] + 1, count)
        while some := list(itertools.islice(made, IN_ONE)):
            with connection.begin():
                store.insert([(record, b"bench" + record.seq.to_bytes(7)) for record in some])
    ways.close()
    return time.perf_counter() - start


if __name__ == "__main__":
    number, path = int(sys.argv[1]), Path(sys.argv[2]).resolve()
    taken = make(number, path)
    print(f"{number} records in {taken:.0f} s, {path.stat().st_size / number:.0f} bytes each")
