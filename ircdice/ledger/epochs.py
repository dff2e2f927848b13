"""Dice from seeds, and the epochs of a process: commitment, start, draws, publication (LED-13…LED-15)."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from struct import unpack

from ircdice.clock import HOUR, MINUTE
from ircdice.dice import UNSTAMPED, DiceSource, Draws, RecordedDice, Stamp
from ircdice.errors import DiceError, KeysError, Refused, RuleError
from ircdice.ledger.paths import SeedFiles, commitment
from ircdice.ledger.record import START, Draft, Record, length_prefixed, plain
from ircdice.ledger.store import Store, StoredEpoch

log = logging.getLogger(__name__)
MOST_STIRS = 255  # per channel and epoch: the generation is a u8
IMPORTED = "imported"  # the process name of imported epochs, which are never continued
GRACE = 120_000  # ms after its end, until all draws of an epoch are recorded
MOST_SIDES = 2**32
_STIR = "stir "  # the prefix of a stir's text
_Place = tuple[str, str]  # network and channel


def mix_of(who: str, words: str) -> bytes:
    """The contribution of a channel's latest `stir` to the stream (LED-15)."""
    return plain(f"{who}:{words}").encode()


def stream_key(seed: bytes, network: str, channel: str, generation: int, mix: bytes) -> bytes:
    """The key of a channel's stream: `generation` counts its stirs in the epoch, `mix` is the latest one's."""
    place = length_prefixed(plain(network), plain(channel))
    message = b"ircdice1:key\0" + place + generation.to_bytes(1, "big") + length_prefixed(mix)
    return hmac.digest(seed, message, "sha256")


class DerivedDice(DiceSource):
    """The dice of command number `stamp.counter` from the stream of `key`."""

    stamp = UNSTAMPED

    def __init__(self, key: bytes, stamp: Stamp) -> None:
        self.stamp = stamp
        self._key = key
        self._block = 0  # the next block to compute
        self._numbers: list[int] = []  # computed, not yet used

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` faces from 1 to `sides`, without modulo bias."""
        if not 1 <= sides <= MOST_SIDES:
            raise DiceError(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
        fair = MOST_SIDES - MOST_SIDES % sides
        faces: list[int] = []
        while len(faces) < count:
            if not self._numbers:
                block = self.stamp.counter.to_bytes(8, "big") + self._block.to_bytes(4, "big")
                self._numbers += unpack(">8I", hmac.digest(self._key, b"ircdice1:draw\0" + block, "sha256"))
                self._block += 1
            if (number := self._numbers.pop(0)) < fair:
                faces.append(number % sides + 1)
        return tuple(faces)


def derived(key: bytes, stamp: Stamp, draws: Draws) -> bool:
    """Whether the recorded `draws` match the stream for that command."""
    dice = DerivedDice(key, stamp)
    try:
        return all(dice.roll(1, sides) == (face,) for sides, face in draws)
    except DiceError:  # an altered number of sides
        return False


def mix_of_stir(record: Record) -> bytes:
    """The mix of a `stir` record: its words as stored. Refused if there are none."""
    words = record.draft.text.removeprefix(_STIR)
    if not words or words == record.draft.text:
        raise Refused("its text is no stir.")
    return mix_of(record.draft.who, words)


def is_start(draft: Draft) -> bool:
    """Whether a stir is the bot's own, from before the first roll after a start (LED-15)."""
    return draft.kind == "stir" and draft.who == START and not draft.nick


def start_draft(network: str, channel: str, seconds: int, epoch: int, generation: int) -> Draft:
    """The bot's own stir, with the mix `start:` and the time of the start in seconds since 1970."""
    return Draft("stir", network, channel, "", START, f"{_STIR}{seconds}", (), "", stamp=Stamp(epoch, 0, generation))


@dataclass(slots=True)
class _Stream:
    """A channel's position in its stream, and the stream's key."""

    counter: int
    generation: int
    key: bytes = field(repr=False)
    stirred: int  # time of the last stir by a player, in ms since 1970


@dataclass(slots=True)
class Epoch:
    """The seed of epoch `number`, and the channels that have drawn from it since this start.

    `begun` is in ms since 1970.
    """

    number: int
    seed: bytes = field(repr=False)
    begun: int = 0
    _streams: dict[_Place, _Stream] = field(default_factory=dict, repr=False)

    @property
    def commitment(self) -> bytes:
        """The commitment, published before the epoch began."""
        return commitment(self.number, self.seed)

    def is_open(self, network: str, channel: str) -> bool:
        """Whether dice may be drawn there: the channel was stirred since this start."""
        return (network, channel) in self._streams

    def open(self, network: str, channel: str, counter: int, stirs: Sequence[Record]) -> None:
        """Prepare a channel to draw after `counter`, with the latest of `stirs`."""
        last = stirs[-1]
        generation = last.draft.stamp.generation
        key = stream_key(self.seed, network, channel, generation, mix_of_stir(last))
        stirred = max((stir.ts for stir in stirs if not is_start(stir.draft)), default=-HOUR)
        self._streams[network, channel] = _Stream(counter, generation, key, stirred)

    def close(self, network: str, channel: str) -> None:
        """Forget the position of a channel, so that it is looked up before the next draw."""
        self._streams.pop((network, channel), None)

    def dice(self, network: str, channel: str) -> DiceSource:
        """The dice of the channel's next command: the same ones until a record has used them (LED-05).

        There are no dice if the channel is not open.
        """
        if (stream := self._streams.get((network, channel))) is None:
            return RecordedDice(())
        return DerivedDice(stream.key, Stamp(self.number, stream.counter + 1, stream.generation))

    def take(self, record: Record) -> None:
        """A record was written: advance the counter, and apply its stir."""
        draft = record.draft
        stream = self._streams.get(draft.place)
        if draft.stamp.epoch != self.number or stream is None:
            return
        stream.counter = max(stream.counter, draft.stamp.counter)
        if draft.kind == "stir" and draft.stamp.generation > stream.generation:
            stream.generation = draft.stamp.generation
            stream.key = stream_key(self.seed, *draft.place, stream.generation, mix_of_stir(record))
            stream.stirred = stream.stirred if is_start(draft) else record.ts

    def next_stir(self, network: str, channel: str, now: int) -> Stamp:
        """The stamp of a stir made now (LED-15). RuleError if it is too soon, or there were too many."""
        stream = self._streams[network, channel]
        if now - stream.stirred < HOUR:
            minutes = -(-(HOUR - (now - stream.stirred)) // MINUTE)
            raise RuleError(f"the dice here were stirred within the hour; again in {minutes} min.")
        if stream.generation >= MOST_STIRS:
            raise RuleError(f"the dice here were stirred {MOST_STIRS} times; again when the next epoch begins.")
        return Stamp(self.number, 0, stream.generation + 1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The current epoch, and the next one, whose commitment is already published."""

    running: Epoch
    coming: Epoch


class Epochs:
    """The epochs of the process `name`. Methods with a store run under the ledger's lock, and can be repeated.

    Their results are valid once the transaction is committed.
    """

    def __init__(self, name: str, seeds: SeedFiles, length: int) -> None:
        self._name, self._seeds, self._length = name, seeds, length

    def resume(self, store: Store, now: int, *, fresh: bool) -> Schedule | None:
        """The schedule when the process stopped; None if a new epoch must begin first.

        `fresh` means that records were lost, so that neither the running epoch nor the next may be used (LED-12). The
        same holds for a next one that was due more than an epoch ago (LED-13).
        """
        epochs = store.epochs(self._name)
        running = next((epoch for epoch in reversed(epochs) if epoch.begun is not None), None)
        coming = _coming(epochs)
        if fresh or running is None or coming is None or running.begun is None:
            return None
        if now > running.begun + 2 * self._length or store.counter(coming.number):
            return None
        try:
            seeds = [self._seeds.committed(epoch.number, epoch.commitment) for epoch in (running, coming)]
        except KeysError as error:
            log.error("a new epoch begins, as one cannot be continued: %s", error)
            return None
        return Schedule(Epoch(running.number, seeds[0], running.begun), Epoch(coming.number, seeds[1]))

    def prepare(self, store: Store, now: int) -> None:
        """Commit to a fresh seed; earlier commitments are never used (LED-12, LED-13)."""
        for epoch in store.epochs(self._name):
            if epoch.begun is None:
                store.begin_epoch(epoch.number, now)
        self._commit(store)

    def begin(self, store: Store, now: int) -> Schedule:
        """Begin the next epoch, and commit to another one."""
        coming = _coming(store.epochs(self._name))
        assert coming is not None, "nothing is committed to"
        seed = self._seeds.committed(coming.number, coming.commitment)
        store.begin_epoch(coming.number, now)
        return Schedule(Epoch(coming.number, seed, now), self._commit(store))

    def publish(self, store: Store, now: int, drawn: int) -> tuple[list[int], list[int]]:
        """Publish the seed of each ended epoch before `drawn`, unless one of its contests is open (LED-13).

        Returns the published epochs, and those that must wait.
        """
        published: list[int] = []
        waiting: list[int] = []
        for ended, following in pairwise(store.epochs(self._name)):
            if ended.begun is None or ended.number >= drawn or ended.seed is not None:
                continue
            if now < (following.begun or now) + GRACE or store.waiting_places(ended.number):
                waiting.append(ended.number)
                continue
            try:
                store.publish_seed(ended.number, self._seeds.committed(ended.number, ended.commitment))
            except KeysError as error:
                log.error("epoch %d can no longer be proved: %s", ended.number, error)
            else:
                published.append(ended.number)
        return published, waiting

    def _commit(self, store: Store) -> Epoch:
        number = store.next_epoch()
        epoch = Epoch(number, self._seeds.make(number))
        store.add_epoch(number, self._name, epoch.commitment)
        return epoch


def _coming(epochs: Sequence[StoredEpoch]) -> StoredEpoch | None:
    return next((epoch for epoch in epochs if epoch.begun is None), None)
