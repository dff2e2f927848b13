"""Random and broken commands of every grammar, played by the engine: none may fail, flood or take long."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time

import grammars
from grammars import catalogue
from ircdice import dispatcher
from ircdice.errors import Refused
from ircdice.evaluation import EvalRequest, Evaluator, as_json
from ircdice.outcome import Outcome
from ircdice.reply import MOST_BYTES

ANEW = 5_000  # lines, and then new tables
TABLES = 20
NICKS = ("alice", "bob", "carol")
LONGEST, LONGEST_ODDS = 1.5, 5.0  # seconds of the processor for one line, and for odds, on a busy machine
FORETOLD = 0.2  # of the rolls, which must have odds that know what they came to
_ADDRESS = re.compile(r"\A\s*(?:fudice[:,]\s*)?[!`.]?", re.IGNORECASE)
ODD_SIGNS = "٣é\u200b\x02\x0304#@!?.,;:=+-*/%(){}[]<>≥−“\t 0123456789dhkrpmfx"
SIDES = ("2", "4", "6", "6", "10", "20", "100", "1000", "1000000", "F", "%", "{1,3,5,5}", "{0,1000000}")
MODIFIERS = ("k", "kl", "dl", "dh", "!", "!>", "!!", "!p", "r<", "ro", "mi", "ma", ">=", "<", "f", "=")
PARTS = (
    "vs",
    "@bob",
    "@alice",
    "#1",
    "#2",
    "#last",
    "as bob",
    "for luck",
    "# why",
    "0",
    "-1",
    "7",
    "100",
    "101",
    "999999999",
    "keep two",
    "drop lowest",
    "kh",
    "x6",
    "six times",
    "explode on 5",
    "secret",
    "full",
)


@dataclass
class Strings:
    """Lines made of what the grammars say of themselves: their examples, words and signs."""

    chance: random.Random
    commands: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    signs: str = ODD_SIGNS

    def __post_init__(self) -> None:
        for grammar in catalogue.grammars_found():
            told = " ".join([*grammar.examples.values(), *(line for lines in grammar.help.values() for line in lines)])
            self.commands += [*grammar.examples, *re.findall(r"`([^`]+)`", told)]
            tokens = (token for each in grammar.tokens.values() for token in each)
            self.words += [*grammar.keywords, *(word for token in tokens for word in token.words)]
        self.parts = [*PARTS, *self.words, *{part for command in self.commands for part in command.split()}]
        self.signs += "".join(sorted(set("".join(self.commands))))

    def __iter__(self) -> Iterator[str]:
        kinds = (self._mutated, self._spliced, self._of_words, self._of_signs, self._of_dice)
        while True:
            line = self.chance.choice(kinds)()
            line = f"odds {line}" if self.chance.random() < 0.1 else line
            line = line.title() if self.chance.random() < 0.1 else line
            yield f"{self.chance.choice('!`.')}{line}" if self.chance.random() < 0.4 else line

    def _mutated(self) -> str:
        line = self.chance.choice(self.commands)
        for _ in range(self.chance.randint(0, 3)):
            at, end = sorted(self.chance.randint(0, len(line)) for _ in range(2))
            put = self.chance.choice(
                ("", line[at:end], self.chance.choice(self.signs), str(self.chance.randint(0, 120)))
            )
            line = line[:at] + put + line[at + self.chance.randint(0, 1) :]
        return line

    def _spliced(self) -> str:
        one, other = (self.chance.choice(self.commands).split() for _ in range(2))
        return " ".join(one[: self.chance.randint(1, len(one))] + other[self.chance.randint(0, len(other)) :])

    def _of_words(self) -> str:
        gap = self.chance.choice((" ", " ", "", "  "))
        chosen = self.chance.choices(self.parts, k=self.chance.randint(0, 8))
        return gap.join([self.chance.choice(self.words), *chosen])

    def _of_dice(self) -> str:
        """The dice notation, whose odds may be of anything."""
        pick, terms = self.chance.choice, []
        for _ in range(pick((1, 1, 1, 2, 3))):
            numbers = (1, 2, 3, 6, 10, 50, 100)
            after = [f"{pick(MODIFIERS)}{pick(('', *numbers))}" for _ in range(pick((0, 0, 1, 1, 2, 3)))]
            terms.append(f"{pick(('', *numbers))}d{pick(SIDES)}{''.join(after)}")
        word, written = (
            pick(("roll ", "roll", "roll 6x ", "odds ")),
            pick(("+", "-", "*", " >= ", "//", " < ")).join(terms),
        )
        return f"{word}{written}{pick(('', '', f' {pick(self.parts)}'))}"

    def _of_signs(self) -> str:
        word = self.chance.choice((*self.words, "roll", "roll ", "xr ", "sc ", "toss ", "b8 ", ""))
        return word + "".join(self.chance.choices(self.signs, k=self.chance.randint(0, 40)))


@dataclass
class Found:
    """What became of the lines."""

    became: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def note(self, line: str, answer: object, replies: list[str], seconds: float) -> None:
        """One line, what it brought, and how long it took."""
        self.timed(line, seconds, LONGEST_ODDS if "odds" in line.lower() else LONGEST)
        if any(len(reply.encode()) > MOST_BYTES or "\n" in reply for reply in replies):
            self.wrong.append(f"too long: {line!r}")
        if any("something went wrong" in reply for reply in replies):
            self.wrong.append(f"failed: {line!r}")
        keys = json.loads(json.dumps(answer))
        self.became["silent" if "silent" in keys else "refused" if "error" in keys else str(keys["kind"])] += 1

    def hold_to_odds(self, request: EvalRequest, outcome: Outcome | None) -> None:
        """What was rolled in the dice notation must be among what may be rolled, or not be foretold at all."""
        node = grammars.parse(_ADDRESS.sub("", request.text), request.system, called=True)
        began = process_time()
        try:
            odds = dispatcher.odds(node)
        except Refused as refusal:
            self.became[f"without odds: {re.sub('[0-9]+', 'N', str(refusal))}"] += 1
            return
        finally:
            self.timed(f"odds {request.text}", process_time() - began, LONGEST_ODDS)
        self.became["with odds"] += 1
        assert outcome is not None
        if odds.name is None:
            foretold = outcome.labels in odds.together
        else:
            foretold = all(value in odds.values for value in outcome.values.get("totals", outcome.values.values()))
        if not foretold:
            self.wrong.append(f"not foretold: {request.text!r}, {outcome.labels} {outcome.values}")

    def timed(self, line: str, seconds: float, longest: float) -> None:
        """How long something took."""
        if seconds > longest:
            self.wrong.append(f"{seconds:.1f} s: {line!r}")


def played(count: int, seed: int) -> Found:
    """`count` lines, played at tables that remember."""
    chance, found = random.Random(seed), Found()
    systems, lines = catalogue.system_names(), iter(Strings(chance))
    for nth in range(count):
        if nth % ANEW == 0:
            evaluator = Evaluator()
        place = chance.randrange(TABLES)
        who, private = chance.choice(NICKS), chance.random() < 0.1
        request = EvalRequest(
            next(lines),
            who=who,
            table=str(place),
            storyteller=chance.random() < 0.2,
            private=private,
            system=systems[place % len(systems)],
        )
        began = process_time()
        answer = evaluator.answer(request)
        seconds = process_time() - began
        found.note(request.text, as_json(request, answer), [reply.text for reply in answer.replies], seconds)
        if answer.kind == "roll" and answer.system == "generic" and chance.random() < FORETOLD:
            found.hold_to_odds(request, answer.outcome)
        if nth % ANEW == ANEW - 1 or nth == count - 1:
            evaluator.close()
    return found
