"""What a storyteller keeps to themselves: `difficulty`, `secret`, `reveal` (DSK-07, FW-10). Keeps no secret itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyparsing as pp

from grammars.tokens import NICK, REFERENCE, REFERENCE_SHAPE, Clauses, Misread, Piece, command, misread

SYSTEM = False  # answered by the bot, not by a rules file
SHAPES = REFERENCE_SHAPE
KEYWORDS = ("difficulty", "secret", "reveal")
CALLED = ("difficulty", "secret")  # GEN-13
EXAMPLES = {
    "difficulty 9 for bob in #FU_Dice": "storyteller, in private: bob's next roll there meets a difficulty that nobody"
    " reads before `reveal`",
    "secret roll 5d10 h2 in #FU_Dice": "storyteller, in private: a roll that is covered for everybody until `reveal`",
    "reveal #4d": "storyteller: what was sealed is told, with the salt that proves it; in private,"
    " `reveal #4d in #FU_Dice`",
}
SOMEBODY, SOMEWHERE = "bob", "#FU_Dice"  # in the examples, and where a hint wants them and knows no better
MOST_DIFFICULTY = 1000
_CHANNEL = r"[#&+!][^\s,]*[^\s,.!?]"
_IN = rf"in\s+(?P<channel>{_CHANNEL})"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A difficulty for a nick's next roll in a channel (FW-10); what was left out is None."""

    only_aside = True  # said in the channel it is no secret
    number: int | None = field(default=None, repr=False)
    nick: str | None = None
    channel: str | None = None

    def __post_init__(self) -> None:
        """Refuse a number that no game could use."""
        if self.number is not None and not 1 <= self.number <= MOST_DIFFICULTY:
            raise ValueError(f"a difficulty is 1 to {MOST_DIFFICULTY}")

    @property
    def completed(self) -> Difficulty:
        """With something for what was left out, as a hint has it (GEN-11)."""
        return Difficulty(self.number or 6, self.nick or SOMEBODY, self.channel or SOMEWHERE)

    def __str__(self) -> str:
        number = [] if self.number is None else [str(self.number)]
        return " ".join(["difficulty", *number, *_said("for", self.nick), *_said("in", self.channel)])


@dataclass(frozen=True, slots=True)
class Secret:
    """A roll whose dice stay covered; `command` as it was typed, for the channel's own game to read."""

    only_aside = True
    command: str = field(default="", repr=False)
    channel: str | None = None

    @property
    def completed(self) -> Secret:
        """With a channel, where a roll is there without one (GEN-11)."""
        return Secret(self.command, self.channel or SOMEWHERE) if self.command else self

    def __str__(self) -> str:
        return " ".join(["secret", *([self.command] if self.command else []), *_said("in", self.channel)])


@dataclass(frozen=True, slots=True)
class Reveal:
    """The end of a secret: of a sealed difficulty, a roll under one, or a secret roll."""

    ref: str
    channel: str | None = None

    def __str__(self) -> str:
        return " ".join([f"reveal #{self.ref}", *_said("in", self.channel)])


def _said(word: str, name: str | None) -> list[str]:
    return [] if name is None else [word, name]


def _difficulty(pieces: list[Piece]) -> Difficulty:
    said: dict[str, str] = {}
    for match in pieces[1:]:
        kind = match.lastgroup or ""
        if kind in said:
            raise misread(match, 0, f"{match[0].strip()} says twice what is said already: leave it out.", "")
        said[kind] = match[kind]
    number = _number(pieces, said["number"]) if "number" in said else None
    return Difficulty(number, said.get("nick"), said.get("channel"))


def _number(pieces: list[Piece], typed: str) -> int:
    number = int(typed[:12])
    if 1 <= number <= MOST_DIFFICULTY and typed[0] not in "+-":
        return number
    match = next(piece for piece in pieces if piece.lastgroup == "number")
    nearest = str(min(max(abs(number), 1), MOST_DIFFICULTY))
    raise misread(match, "number", f"a difficulty is 1 to {MOST_DIFFICULTY}.", nearest)


def _secret(tokens: pp.ParseResults) -> Secret:
    return Secret(tokens[0]["command"].strip(), tokens[0]["channel"])


def _reveal(text: str, _loc: int, tokens: pp.ParseResults) -> Reveal:
    match = tokens[0]
    if match["ref"] is None:
        raise Misread(text, match.end(), "reveal wants an id behind it, as reveal #4d.", missing=True)
    return Reveal(match["ref"].lower(), match["channel"])


GRAMMAR = {
    "difficulty": Clauses(
        r"difficulty(?![a-z0-9])",
        rf"[:=]?\s*(?:dc\s*)?(?P<number>[-+]?[0-9]+)(?!\.?[0-9a-z])|for\s+@?(?P<nick>{NICK})(?=[\s.,!?]|$)|{_IN}",
        _difficulty,
    ),
    "secret": command(rf"secret(?![a-z0-9])(?P<command>.*?)(?:\s{_IN}\s*[.!?]*\s*|\s*)$").set_parse_action(_secret),
    "reveal": command(rf"reveal(?![a-z0-9])\s*(?:{REFERENCE})?\s*(?:{_IN})?").set_parse_action(_reveal),
}
