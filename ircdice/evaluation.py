"""The engine without IRC: one line in, one object out, for `ircdice eval` and other programs.

It runs the same bot over a ledger in memory, in an official channel, without time limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from grammars import CommandSyntaxError, catalogue
from ircdice.bot import Answer, Bot, Message, Randomness, Reply, There
from ircdice.clock import milliseconds
from ircdice.config import house_rules
from ircdice.dice import DiceSource, ScriptedDice, SystemDice
from ircdice.errors import DiceError, Refused, RuleError
from ircdice.ledger import MemoryLedger
from ircdice.outcome import Outcome, plain_number
from ircdice.reply import printable
from ircdice.settings import ChannelSettings, HouseRules

NETWORK = "eval"
CHANNEL = "#eval"
DEFAULT_WHO = "player"
MOST_NICK = 64  # characters
_RESERVED = frozenset(" ,:;!#")  # never in a nick
MOST_TABLES = 10_000  # past this, the least recently used one is forgotten
KEYS = {
    "text": str, "dice": list, "who": str, "table": str, "storyteller": bool, "private": bool, "system": str,
    "config": dict,
}  # fmt: skip
Json: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """One line of `eval --lines`; its keys are in docs/reference/json.md."""

    text: str
    dice: Sequence[int] | None = None
    who: str = DEFAULT_WHO
    table: str | None = None
    storyteller: bool = False
    private: bool = False
    system: str = "v5"
    house: HouseRules = field(default_factory=HouseRules)

    @classmethod
    def of(cls, given: object) -> EvalRequest:
        """Parse a request from a JSON object. Refused if it is not valid."""
        if not isinstance(given, dict) or given.get("text") is None:
            raise Refused('this line is not a JSON object with the key "text".')
        values: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        for key, value in values.items():
            if key not in KEYS:
                raise Refused(f'the key "{key}" is unknown; known are {", ".join(KEYS)}.')
            if not isinstance(value, KEYS[key]):
                raise Refused(f'the key "{key}" does not hold what it should.')
        if any(type(face) is not int for face in values.get("dice", ())):  # in Python a bool is an int
            raise Refused('"dice" is a list of whole numbers.')
        who = values.get("who", DEFAULT_WHO)
        if not 0 < len(who) <= MOST_NICK or not who.isprintable() or not _RESERVED.isdisjoint(who):
            raise Refused('"who" is a nick: no spaces, no characters that IRC uses between names, nothing invisible.')
        if values.get("system", "v5") not in catalogue.system_names():
            raise Refused(f'"system" is one of {", ".join(catalogue.system_names())}.')
        # A lone surrogate is not text: it can neither be recorded nor encoded.
        values["text"] = values["text"].encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        values["house"] = house_rules({key: str(value) for key, value in values.pop("config", {}).items()})
        return cls(**values)


@dataclass(slots=True)
class _Channel(Randomness):
    """Settings and dice of one table, replaced for each line."""

    settings: ChannelSettings = field(default_factory=ChannelSettings)
    source: DiceSource = field(default_factory=SystemDice)

    def channel(self, _network: str, _channel: str | None, _casemapping: str = "") -> ChannelSettings:
        return self.settings

    def plays(self, _network: str, _channel: str) -> bool:
        return True

    def joining(self) -> tuple[tuple[str, str], ...]:
        return ()

    def begin(self, _network: str, _place: str) -> DiceSource:
        return self.source


class Evaluator:
    """Answers requests in order; requests for the same table share its state."""

    def __init__(self) -> None:
        self._bot_of = lru_cache(MOST_TABLES)(self._new_bot)
        self._random = SystemDice()
        self._loop = asyncio.new_event_loop()
        self._began = milliseconds()

    def close(self) -> None:
        """Close the event loop."""
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def _new_bot(self, _table: str = "") -> tuple[Bot, _Channel]:
        """The bot of a table, whose clock does not move, so that no time limit passes between two lines."""
        channel = _Channel()
        return Bot(MemoryLedger(lambda: self._began), channel, channel, lambda: self._began), channel

    def answer(self, request: EvalRequest) -> Answer:
        """The bot's answer to one request."""
        bot, channel = self._new_bot() if request.table is None else self._bot_of(request.table)
        channel.settings = ChannelSettings(official=True, system=request.system, house=request.house, twice_seconds=0)
        script = None if request.dice is None else ScriptedDice(request.dice)
        channel.source = script or self._random
        where = None if request.private else CHANNEL
        there = There(CHANNEL, request.storyteller)  # a table has one channel, whatever name a private line gives
        said = NETWORK, where, request.who, request.text
        message = Message(
            *said, storyteller=request.storyteller, there=lambda _name: there, storytellers=lambda _name: ()
        )
        answer = self._loop.run_until_complete(bot.answer(message))
        if script is not None and answer.replies and answer.error is None:  # silence uses no dice
            try:
                script.finish()
            except DiceError as left_over:
                reply = Reply(NETWORK, request.who, f"Not rolled: {left_over}", private=True)
                return Answer((reply,), error=left_over)
        return answer

    def evaluate(self, given: object) -> Json:
        """The object that answers one object of `eval --lines`."""
        text = given.get("text") if isinstance(given, dict) else None
        try:
            request = EvalRequest.of(given)
        except Refused as refusal:
            return {"text": text} | _refusal(refusal)
        return as_json(request, self.answer(request))


def as_json(request: EvalRequest, answer: Answer) -> Json:
    """The object for one answer, with the keys of docs/reference/json.md."""
    if not answer.replies:
        return {"text": request.text, "silent": True}
    if (error := answer.error) is not None:
        reply = answer.replies[0]
        sent = {"private_reply" if reply.private else "reply": reply.text}
        return {"text": request.text} | _refusal(error) | sent
    result: Json = {"text": request.text, "who": request.who}
    result |= {"system": answer.system or request.system, "kind": answer.kind} | _rolled(answer)
    if answer.rolls:
        result["rolls"] = [_rolled(each) for each in answer.rolls]
    return result | _replies(request, answer)


def _refusal(error: Refused) -> Json:
    column = error.column if isinstance(error, CommandSyntaxError) else None
    hint = error.hint if isinstance(error, CommandSyntaxError | RuleError) else None
    return {"error": printable(str(error)), "column": column, "hint": hint and printable(hint)}


def _rolled(answer: Answer) -> Json:
    result: Json = {"id": answer.record and answer.record.id}
    if answer.replaces:
        result["replaces"] = answer.replaces
    outcome = answer.outcome or Outcome()
    result |= _outcome(outcome, rerolled=answer.rerolled == "acting")
    if outcome.opponent is not None:
        other_side = _outcome(outcome.opponent, rerolled=answer.rerolled == "other")
        result["opponent"] = {"who": answer.other} | other_side
    return result


def _replies(request: EvalRequest, answer: Answer) -> Json:
    public = [reply.text for reply in answer.replies if not reply.private]
    own = [reply.text for reply in answer.replies if reply.private and reply.target == request.who]
    others = {reply.target: reply.text for reply in answer.replies if reply.private and reply.target != request.who}
    if request.private and own and not public:
        public, own = own[:1], own[1:]
    result: Json = {"reply": "\n".join(public) or None, "private_reply": "\n".join(own) or None}
    return result | ({"private_replies": others} if others else {})


def _outcome(outcome: Outcome, *, rerolled: bool) -> Json:
    values = {
        name: [plain_number(part) for part in value] if isinstance(value, tuple) else plain_number(value)
        for name, value in outcome.values.items()
    }
    dice = [
        {"sides": die.sides, "face": die.face, "role": die.role, "kept": die.kept}
        | ({"new": True} if rerolled and die.was is not None else {})
        for die in outcome.dice
    ]
    return {"dice": dice, "labels": list(outcome.labels), "values": values}
