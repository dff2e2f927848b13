"""From the clauses of a Crossroads roll to its node, and the objections to those that cannot stand."""

from __future__ import annotations

import re
from typing import Any

from grammars.crossroads.nodes import DIE_SIDES, SKILL_DICE, SKILL_SIDES, Contest, GroupRoll, Roll
from grammars.help import Help
from grammars.tokens import LARGEST, MOST_DICE, NICK, Clauses, Misread, Piece, misread, written

PAIRS = {"a": ("advantage", 1), "d": ("advantage", -1), "b": ("bonus", 1), "n": ("bonus", -1)}  # XR-02, XR-03
SPELT = {  # the long names of modifiers
    "advantage": "a", "adv": "a", "disadvantage": "d", "disadv": "d", "dis": "d", "bonus": "b", "negative": "n",
    "armour": "av", "armor": "av", "piercing": "p",
}  # fmt: skip
_TURNED = {"a": "d", "d": "a", "b": "n", "n": "b"}
_DICE = tuple(map(str, DIE_SIDES))
SWITCHES = frozenset({"plain", "low", "simple", "reaction"})
# One Regex a clause: a grammar of small tokens takes several times as long (style.md).
MODIFIER = (
    r"(?P<letter>av|[abdnp])(?:\s*[:=]\s*|\s+(?![0-9]+\s?d[0-9]))?(?P<number>[0-9]+)(?!\.?[0-9])"
    r"|(?P<sign>[-+])\s*(?P<amount>[0-9]+)(?!\.?[0-9])"
)
CLAUSE = (
    r"(?P<run>[-+]\s*[0-9]*d\s?[0-9]+)"
    r"|(?P<count>[0-9]+)\s*d\s*(?P<sides>[0-9]+|%)(?!%|\.?[0-9])"
    rf"|{MODIFIER}"
    r"|(?P<turned>[abdn]\s*[:=]?\s*[-+]\s*[0-9]+)(?!\.?[0-9])"
    rf"|(?P<spelt>(?:{'|'.join(SPELT)})(?:\s*[:=]?\s*[-+]?[0-9]+(?!\.?[0-9])|(?=\s*(?:$|[.,;!?]|\#|for\s))))"
    r"|convert\s*[:=]?\s*(?P<convert>[-+]?[0-9]+)(?!\.?[0-9])"
    r"|(?P<flag>plain|low|simple|reaction)(?![a-z0-9])"
)
# Words of other commands; `reaction` is one where it stands alone, and else belongs to a roll.
_HEAD = (
    r"xr(?!\s*(?:(?:keep|reroll|group|damage|fate|endturn)(?![a-z0-9])"
    r"|reaction\s*(?:$|[\#.!?]|(?:as|for)\s)))"
)
_VERSUS = (
    rf"|vs\.?\s*@(?P<against>{NICK})"
    r"|(?P<lone>vs\.?\s*[0-9]+)(?!\.?[0-9]|\s*d\s*[0-9])"
    r"|(?P<versus>vs)(?:(?![a-z0-9])\.?|(?=[0-9]+\s*d\s*[0-9]|[abdn][0-9]))"  # GEN-04: `vs3d6`
    r"|(?P<numberless>convert)(?![a-z0-9])"
)
DAMAGE_ONLY, SKILL_ONLY = frozenset({"piercing", "armour"}), frozenset({"simple", "reaction"})  # XR-22, XR-18, XR-21
_OPPOSED = "only Skill Rolls, 3d6, oppose and are opposed: leave {} out."


class Side:
    """The clauses of one roll as they are read, one by one."""

    __slots__ = ("dice", "opens", "values", "where")

    def __init__(self, opens: Piece) -> None:
        self.opens = opens  # what stands in front of it
        self.values: dict[str, Any] = {}
        self.dice: Piece | None = None
        self.where: dict[str, Piece] = {}  # the clause that said it

    @property
    def empty(self) -> bool:
        """Whether nothing was said of the roll."""
        return not self.where

    def take(self, match: Piece) -> None:
        """Put one clause into the roll."""
        kind = match.lastgroup or ""
        if kind == "number":
            self._take_letter(match)
        elif kind == "sides":
            self._take_dice(match)
        elif kind == "amount":
            self._add("bonus", 1 if match["sign"] == "+" else -1, match, "amount")
        elif kind == "convert":
            self._once("convert", match)
            self.values["convert"] = _positive(match)
        elif kind == "flag":
            self.values[match["flag"].lower()] = True
        elif kind == "spelt":
            raise self._named(match)
        else:
            raise _object(match)
        self.where[kind if kind != "flag" else match["flag"].lower()] = match

    def _named(self, match: Piece) -> Misread:
        """The objection to a modifier by its long name: of which letter it is."""
        name, number = re.match(r"([a-z]+)\D*?(-?[0-9]*)$", written(match).lower()).groups()  # type: ignore[union-attr]  # as the clause has it
        letter = SPELT[name]
        clause = f"{_TURNED.get(letter, letter) if number.startswith('-') else letter}{number.lstrip('-') or 1}"
        if not number and letter in "ad" and "advantage" in self.where:
            return misread(match, 0, f'"{written(match)}" says twice what is said already: leave it out.', "")
        return misread(match, 0, f'"{written(match)}" is written {clause}, a letter and a number.', clause)

    def _take_dice(self, match: Piece) -> None:
        self._once("dice", match)
        count, sides = int(match["count"]), match["sides"]
        if sides not in _DICE:  # XR-01
            sentence = f"Crossroads is rolled with d6 and d3, you wrote {match['count']}d{sides}."
            raise misread(match, "sides", sentence, "6", meant=True)
        if not 1 <= count <= MOST_DICE:
            sentence = f"a roll has 1 to {MOST_DICE} dice, you wrote {match['count']}d{sides}."
            raise misread(match, "count", sentence, str(min(max(count, 1), MOST_DICE)))
        self.dice = match
        self.values |= {"dice": count, "sides": int(sides)}

    def _take_letter(self, match: Piece) -> None:
        letter, number = match["letter"].lower(), match["number"]
        if letter == "d" and self.dice is None and number.lstrip("0") in _DICE and not _modified(self.where):  # XR-26
            sentence = f'"{written(match)}" could be one die, xr 1d{number}, or Disadvantage {number}, '
            raise misread(match, 0, f"{sentence}xr 3d6 d{number}.", f"1d{number}", meant=True)
        if letter == "av":
            self._once("armour", match)
            self.values["armour"] = _bounded(match, "number")
            self.where["armour"] = match
        elif letter == "p":
            self.values["piercing"] = self.values.get("piercing", 0) + _bounded(match, "number")
            self.where["piercing"] = match
        else:
            name, sign = PAIRS[letter]
            self._add(name, sign, match, "number")

    def _add(self, name: str, sign: int, match: Piece, group: str) -> None:
        self.values[name] = self.values.get(name, 0) + sign * _bounded(match, group)
        self.where[name] = match

    def _once(self, name: str, match: Piece) -> None:
        if name in self.values:
            raise misread(match, 0, f"{written(match)}: {name} stands here already.", "")

    def lone(self) -> Roll:
        """The node of a roll that stands by itself: words such as `low` alone are none, and may be talk (XR-01)."""
        if self.where.keys() <= SWITCHES:
            first = next(iter(self.where.values()))
            word = written(first)
            raise misread(first, 0, f"{word} wants a roll, as xr 3d6 {word}.", f" 3d6 {word}")
        return self.roll()

    def roll(self) -> Roll:
        """The node, once what its clauses rule out between them is refused."""
        misplaced = DAMAGE_ONLY if self.is_skill else SKILL_ONLY
        if not misplaced.isdisjoint(self.where):
            raise self._misplaced(next(name for name in self.where if name in misplaced))
        drawn = self.values.get("dice", SKILL_DICE) + abs(self.values.get("advantage", 0))
        if drawn > MOST_DICE:
            sentence = f"a roll draws at most {MOST_DICE} dice, yours would draw {drawn}."
            raise misread(self.where["advantage"], 0, sentence, "")
        if abs(self.values.get("bonus", 0)) > LARGEST:
            raise misread(self.where["bonus"], 0, f"a modifier comes to at most {LARGEST}.", "")
        return Roll(**self.values)

    def _misplaced(self, name: str) -> Misread:
        """The objection to what belongs to the other kind of roll."""
        where = self.where[name]
        if name in SKILL_ONLY:
            return misread(where, 0, f"{name} is for Skill Rolls, 3d6: leave it out.", "")
        sentence = f"{written(where)} is for damage rolls, anything but 3d6: leave it out, or say 3d6 plain."
        return misread(where, 0, sentence, "")

    @property
    def is_skill(self) -> bool:
        """XR-01."""
        dice = self.values.get("dice", SKILL_DICE), self.values.get("sides", SKILL_SIDES)
        return dice == (SKILL_DICE, SKILL_SIDES) and not self.values.get("plain")

    def skill_roll(self, sentence: str) -> Roll:
        """The node of a roll that must be a Skill Roll."""
        if not self.is_skill:
            where = self.where.get("plain") or self.dice or self.opens
            instead = "3d6" if where is self.dice else ""
            raise misread(where, 0, sentence.format(written(where)), instead)
        return self.roll()


_MODIFIERS = frozenset({"advantage", "bonus", "piercing", "armour"})


def _modified(where: dict[str, Piece]) -> bool:
    return not _MODIFIERS.isdisjoint(where)


def _bounded(match: Piece, group: str) -> int:
    number = int(match[group]) if len(match[group]) < 10 else LARGEST + 1
    if number > LARGEST:
        raise misread(match, group, f"a modifier is at most {LARGEST}, you wrote {written(match)}.", str(LARGEST))
    return number


def _positive(match: Piece) -> int:
    typed = match["convert"]
    if typed[0] in "+-" or not 1 <= int(typed) <= MOST_DICE:
        sentence = f"convert wants 1 or more of the Advantage, at most {MOST_DICE}, you wrote {written(match)}."
        raise misread(match, "convert", sentence, "1")
    return int(typed)


def _object(match: Piece) -> Misread:
    """What is said of words that belong here but cannot stand as they are written."""
    kind, word = match.lastgroup, written(match)
    if kind == "run":  # XR-26
        sign, count, die = re.split(r"([0-9]*)(?=d)", word.replace(" ", ""), maxsplit=1, flags=re.IGNORECASE)
        apart = f"{sign}{count} {die}" if count else f"{die}"
        sentence = f'"{word}" could be modifiers, {apart}, or dice of their own, xr {count or 1}{die}.'
        return misread(match, 0, sentence, f" {apart}", meant=True)
    if kind == "turned":
        letter, sign, number = re.match(r"([a-z])\W*?([-+])\s*([0-9]+)", word.lower()).groups()  # type: ignore[union-attr]  # as the clause has it
        clause = f"{_TURNED[letter] if sign == '-' else letter}{number}"
        return misread(match, 0, f"{word} wants its number without a sign, as {clause}.", clause)
    if kind == "lone":  # GEN-05
        sentence = f'"{word}": difficulty, dcN, or a pool? Crossroads opposes rolls alone: vs 3d6, or vs @nick.'
        return misread(match, 0, sentence, "vs 3d6")
    return misread(match, 0, f"{word} wants a number behind it.", "")


def _roll(pieces: list[Piece]) -> Roll | Contest | Help:
    head, *behind = pieces
    sides, against = [Side(head)], None
    for match in behind:
        kind = match.lastgroup
        if kind not in {"against", "versus"}:
            if against is not None and kind != "flag":
                raise misread(match, 0, f"@{against} says that for their own side: put yours before vs.", "")
            sides[0 if against else -1].take(match)
        elif against is not None or len(sides) > 1:
            raise misread(match, 0, "vs stands here already: a contest has two sides.", "")
        elif kind == "versus":
            sides.append(Side(match))
        else:
            against = match["against"]
    if not behind:
        return Help("xr")  # XR-01
    if against is None and len(sides) == 1:
        return sides[0].lone()
    if sides[-1].empty and against is None:
        raise misread(sides[1].opens, 0, "vs wants a Skill Roll or @nick behind it.", " vs 3d6")
    rolls = [side.skill_roll(_OPPOSED) for side in sides]
    return Contest(rolls[0], None if against else rolls[1], against)


ROLL = Clauses(_HEAD, CLAUSE + _VERSUS, _roll, commas=True)


def group_rolls(sides: list[Side]) -> GroupRoll:
    """The rolls of a group, each of them a Skill Roll (XR-10)."""
    return GroupRoll(tuple(side.skill_roll("a group is made of Skill Rolls, 3d6: leave {} out.") for side in sides))
