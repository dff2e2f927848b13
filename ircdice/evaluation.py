"""The engine without IRC: one line of talk in, one object out, as `ircdice eval` and other programs use it.

It plays the same bot over a ledger in memory, in an official channel; limits of time are not applied.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grammars import catalogue
from ircdice.bot import Answer, Bot, Message, OwnChance, There
from ircdice.config import house_rules
from ircdice.dice import DiceSource, ScriptedDice, SystemDice
from ircdice.errors import DiceError, Refused
from ircdice.ledger import MemoryLedger
from ircdice.outcome import Die, Outcome, plain_number
from ircdice.settings import ChannelSettings, HouseRules

NETWORK = "eval"
CHANNEL = "#eval"
DEFAULT_WHO = "player"
MOST_NICK = 64  # characters
MOST_TABLES = 10_000  # the one used longest ago is forgotten first
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "text": str,
    "dice": list,
    "who": str,
    "table": str,
    "storyteller": bool,
    "private": bool,
    "system": str,
    "config": dict,
}


def milliseconds() -> int:
    """Now, in ms since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """One line of `eval --lines`; the keys of `cli.md`."""

    text: str
    dice: tuple[int, ...] | None = None
    who: str = DEFAULT_WHO
    table: str | None = None
    storyteller: bool = False
    private: bool = False
    system: str = "v5"
    house: HouseRules = field(default_factory=HouseRules)

    @classmethod
    def of(cls, given: Any) -> EvalRequest:
        """The request that an object states. Refused where it states none."""
        if not isinstance(given, dict) or given.get("text") is None:
            raise Refused('each line is an object with at least the key "text".')
        given = {key: value for key, value in given.items() if value is not None}
        for key, value in given.items():
            if key not in _TYPES:
                raise Refused(f'the key "{key}" is unknown; known are {", ".join(_TYPES)}.')
            if not isinstance(value, _TYPES[key]):
                raise Refused(f'the key "{key}" does not hold what it should.')
        dice = given.pop("dice", None)
        if dice is not None and not all(type(face) is int for face in dice):
            raise Refused('"dice" is a list of whole numbers.')
        _check_who(given.get("who", DEFAULT_WHO))
        # Half a surrogate pair is no text, and could neither be recorded nor written out.
        given["text"] = given["text"].encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        house = house_rules({key: str(value) for key, value in given.pop("config", {}).items()})
        if given.get("system", "v5") not in catalogue.system_names():
            raise Refused(f'"system" is one of {", ".join(catalogue.system_names())}.')
        return cls(dice=None if dice is None else tuple(dice), house=house, **given)


def _check_who(who: str) -> None:
    """A nick as a server would let it through."""
    if not who or len(who) > MOST_NICK or not who.isprintable() or any(sign in " ,:;!#" for sign in who):
        raise Refused('"who" is a nick: no blanks, no signs that IRC uses between names, nothing invisible.')


@dataclass(slots=True)
class _Channel(OwnChance):
    """Settings and chance of one table, set anew for each line."""

    settings: ChannelSettings = field(default_factory=ChannelSettings)
    source: DiceSource = field(default_factory=SystemDice)

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        """As `Settings` has it."""
        return self.settings

    def plays(self, _network: str, _channel: str) -> bool:
        """As `Settings` has it."""
        return True

    def joining(self) -> tuple[tuple[str, str], ...]:
        """It is in no channel."""
        return ()

    def announcing(self) -> tuple[tuple[str, str], ...]:
        """Nobody is told anything unasked here."""
        return ()

    def begin(self, _network: str, _place: str) -> DiceSource:
        """As `Chance` has it."""
        return self.source


class Evaluator:
    """Answers requests in order; those that name the same table share what a channel remembers."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Bot, _Channel]] = {}
        self._chance = SystemDice()
        self._loop = asyncio.new_event_loop()
        self._began = milliseconds()

    def close(self) -> None:
        """Let go of the event loop."""
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def answer(self, request: EvalRequest) -> Answer:
        """What the bot makes of one request."""
        known = self._tables.pop(request.table, None) if request.table is not None else None
        bot, channel = known or self._new()
        if request.table is not None:
            self._tables[request.table] = bot, channel
            if len(self._tables) > MOST_TABLES:
                del self._tables[next(iter(self._tables))]
        channel.settings = ChannelSettings(official=True, system=request.system, house=request.house, twice_seconds=0)
        script = None if request.dice is None else ScriptedDice(request.dice)
        channel.source = script or self._chance
        where = None if request.private else CHANNEL
        there = There(CHANNEL, request.storyteller)  # a table is one channel, whatever a private line calls it
        said = NETWORK, where, request.who, request.text
        message = Message(
            *said, storyteller=request.storyteller, there=lambda _name: there, storytellers=lambda _name: ()
        )
        answer = self._loop.run_until_complete(bot.answer(message))
        if script is not None and answer.replies and answer.error is None:  # silence wants no dice, and minds none
            try:
                script.finish()
            except DiceError as left_over:
                return Answer(error=left_over)
        return answer

    def _new(self) -> tuple[Bot, _Channel]:
        channel = _Channel()
        return Bot(MemoryLedger(self._clock), channel, channel, self._clock), channel

    def _clock(self) -> int:
        """A time that stands still: no limit of minutes runs out between two lines."""
        return self._began

    def evaluate(self, given: Any) -> dict[str, Any]:
        """The object that answers one object of `eval --lines`."""
        text = given.get("text") if isinstance(given, dict) else None
        try:
            request = EvalRequest.of(given)
        except Refused as refusal:
            return {"text": text, "error": str(refusal), "column": None, "hint": None}
        return as_json(request, self.answer(request))


def as_json(request: EvalRequest, answer: Answer) -> dict[str, Any]:
    """The object for one answer, keys as `cli.md` has them."""
    if answer.error is not None and not answer.replies and not isinstance(answer.error, DiceError):
        return {"text": request.text, "silent": True}
    if answer.error is not None:
        column, hint = getattr(answer.error, "column", None), getattr(answer.error, "hint", None)
        told = answer.replies[0].text if answer.replies else f"Not rolled: {answer.error}"
        error = {"text": request.text, "error": str(answer.error), "column": column, "hint": hint}
        return error | {"private_reply" if not answer.replies or answer.replies[0].private else "reply": told}
    if not answer.replies:
        return {"text": request.text, "silent": True}
    return _answered(request, answer)


def _answered(request: EvalRequest, answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {"text": request.text, "who": request.who}
    found |= {"system": answer.system or request.system, "kind": answer.kind}
    found |= _rolled(answer)
    if answer.rolls:
        found["rolls"] = [_rolled(each) for each in answer.rolls]
    return found | _replies(request, answer)


def _rolled(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {"id": answer.record and answer.record.id}
    if answer.replaces:
        found["replaces"] = answer.replaces
    outcome = answer.outcome or Outcome()
    found |= _outcome(outcome, rerolled=answer.rerolled == "acting")
    if outcome.opponent is not None:
        theirs = _outcome(outcome.opponent, rerolled=answer.rerolled == "other")
        found["opponent"] = {"who": answer.other} | theirs
    return found


def _replies(request: EvalRequest, answer: Answer) -> dict[str, Any]:
    public = [reply.text for reply in answer.replies if not reply.private]
    mine = [reply.text for reply in answer.replies if reply.private and reply.target == request.who]
    others = {reply.target: reply.text for reply in answer.replies if reply.private and reply.target != request.who}
    if request.private and mine and not public:
        public, mine = mine[:1], mine[1:]
    found: dict[str, Any] = {"reply": "\n".join(public) or None, "private_reply": "\n".join(mine) or None}
    return found | ({"private_replies": others} if others else {})


def _outcome(outcome: Outcome, *, rerolled: bool) -> dict[str, Any]:
    dice = [_die(die, new=rerolled and die.was is not None) for die in outcome.dice]
    values = {name: _value(value) for name, value in outcome.values.items()}
    return {"dice": dice, "labels": list(outcome.labels), "values": values}


def _value(value: Any) -> Any:
    """A value as JSON has it: whole where it is whole, else at most two decimals (GD-09)."""
    if isinstance(value, tuple | list):
        return [_value(part) for part in value]
    return plain_number(value) if isinstance(value, Fraction) else value


def _die(die: Die, *, new: bool) -> dict[str, Any]:
    shown = {"sides": die.sides, "face": die.face, "role": die.role, "kept": die.kept}
    return shown | {"new": True} if new else shown
