"""An epoch of one process: the stream that its dice come from, channel by channel (LED-13…LED-15). Knows no file."""

from __future__ import annotations

from dataclasses import dataclass, field

import grammars
from grammars.fair import Stir
from ircdice.dice import Stamp
from ircdice.durations import HOUR, MINUTE
from ircdice.errors import RuleError
from ircdice.ledger.record import Record
from ircdice.ledger.stream import DerivedDice, commitment, mix_of, stream_key

MOST_STIRS = 255  # an epoch: the generation is a u8

_Place = tuple[str, str]  # network and channel


@dataclass(frozen=True, slots=True)
class Mix:
    """What a channel's latest stir put into its stream; `ts` is when, in ms since 1970."""

    generation: int = 0
    mix: bytes = b""
    ts: int = -HOUR


UNSTIRRED = Mix()


@dataclass(slots=True)
class Epoch:
    """A seed that was committed to as `number`, and how far each channel has drawn from it since `begun`."""

    number: int
    seed: bytes = field(repr=False)
    begun: int = 0  # ms since 1970
    _counters: dict[_Place, int] = field(default_factory=dict)
    _mixes: dict[_Place, Mix] = field(default_factory=dict)
    _keys: dict[_Place, bytes] = field(default_factory=dict, repr=False)

    @property
    def commitment(self) -> bytes:
        """What was published of the seed before the epoch began."""
        return commitment(self.number, self.seed)

    def begin(self, network: str, channel: str) -> DerivedDice:
        """The dice of the channel's next command: the same ones again until a record has used them up (LED-05)."""
        place = network, channel
        generation = self._mix(place).generation
        return DerivedDice(self._key(place), Stamp(self.number, self._counters.get(place, 0) + 1, generation))

    def take(self, record: Record) -> None:
        """Take account of a record that is kept: its number is used up, its stir is in the stream from now on."""
        draft = record.draft
        if draft.stamp.epoch != self.number:
            return
        place = draft.network, draft.channel
        self.count(place, draft.stamp.counter)
        if draft.kind == "stir":
            node = grammars.parse(draft.text, called=True)
            if isinstance(node, Stir):
                self.mixed(place, Mix(draft.stamp.generation, mix_of(draft.who, node.words), record.ts))

    def count(self, place: _Place, counter: int) -> None:
        """A number is used up there, and all below it."""
        self._counters[place] = max(counter, self._counters.get(place, 0))

    def mixed(self, place: _Place, mix: Mix) -> None:
        """A stir holds there, unless a later one is known."""
        if mix.generation > self._mix(place).generation:
            self._mixes[place] = mix
            self._keys.pop(place, None)

    def next_stir(self, network: str, channel: str, now: int) -> Stamp:
        """Where a stir said now would stand (LED-15). RuleError where it is too soon, or there were too many."""
        mix = self._mix((network, channel))
        if now - mix.ts < HOUR:
            minutes = -(-(HOUR - (now - mix.ts)) // MINUTE)
            raise RuleError(f"the dice here were stirred within the hour; again in {minutes} min.")
        if mix.generation >= MOST_STIRS:
            raise RuleError(f"the dice here were stirred {MOST_STIRS} times; again when the next epoch begins.")
        return Stamp(self.number, 0, mix.generation + 1)

    def _mix(self, place: _Place) -> Mix:
        return self._mixes.get(place, UNSTIRRED)

    def _key(self, place: _Place) -> bytes:
        if place not in self._keys:
            mix = self._mix(place)
            self._keys[place] = stream_key(self.seed, *place, mix.generation, mix.mix)
        return self._keys[place]
