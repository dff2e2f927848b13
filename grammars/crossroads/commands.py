"""The Crossroads commands that are no single roll: groups, damage, what follows a roll, turns, Fate Dice."""

from __future__ import annotations

import re
from typing import Any

from grammars.crossroads.follow import (
    FATE_KINDS,
    EndTurn,
    FateEnd,
    FateList,
    GroupClose,
    GroupOpen,
    Keep,
    Reaction,
    Reroll,
)
from grammars.crossroads.nodes import SUCCESS_VALUES, Damage, GroupRoll, GroupValues
from grammars.crossroads.reading import CLAUSE, MODIFIER, PAIRS, Side, group_rolls
from grammars.tokens import LARGEST, MOST_DRAWN, NICK, NOTHING, REFERENCE, Clauses, Misread, Piece, misread, written

_END = r"(?![a-z0-9])"
_POSITION = rf"(?P<position>[-+]?[0-9]+)(?!\.?[0-9a-z])|(?:on\s+)?{REFERENCE}"
_LEAST, _GREATEST = SUCCESS_VALUES


def _ref(pieces: list[Piece]) -> str | None:
    """The roll that a follow-up names, once at most."""
    refs = [match for match in pieces if match.lastgroup == "ref"]
    if len(refs) > 1:
        raise misread(refs[1], 0, "a roll is named here already.", "")
    return refs[0]["ref"].lower() if refs else None


def _positions(pieces: list[Piece]) -> tuple[int, ...]:
    """The dice that are named, each once, counted from 1 (XR-05)."""
    found: list[int] = []
    for match in pieces:
        if match.lastgroup != "position":
            continue
        typed = match["position"]
        if typed[0] in "+-" or len(typed) > len(str(MOST_DRAWN)) or not 1 <= int(typed) <= MOST_DRAWN:
            sentence = f"dice are counted from 1 in drawn order, removed ones too, you wrote {typed}."
            unsigned = f" {typed[1:]}" if typed[0] in "+-" else "1"  # `1-2-4`
            raise misread(match, "position", sentence, unsigned)
        if int(typed) in found:
            raise misread(match, "position", f"die {typed} is named here already.", "")
        found.append(int(typed))
    return tuple(found)


def _keep(pieces: list[Piece]) -> Keep:
    positions = _positions(pieces)
    if not positions:
        raise _incomplete(pieces[-1], "keep wants the dice to keep, as xr keep 1 3 4.", " 1 2 3")
    return Keep(positions, _ref(pieces))


def _reroll(pieces: list[Piece]) -> Reroll:
    positions, ref = _positions(pieces), _ref(pieces)
    if not positions:
        raise _incomplete(pieces[-1], "reroll wants one die, counted in drawn order, as xr reroll 1.", " 1")
    if len(positions) > 1:
        second = [match for match in pieces if match.lastgroup == "position"][1]
        raise misread(second, 0, "one die is rerolled, not more: xr reroll 1.", "")
    return Reroll(positions[0], any(match.lastgroup == "fate" for match in pieces), ref)


def _incomplete(last: Piece, sentence: str, more: str) -> Misread:
    text = last.string
    return Misread(text, last.end(), sentence, instead=text[: last.end()] + more, missing=True)


def _group(pieces: list[Piece]) -> GroupRoll | GroupValues | GroupOpen | GroupClose:
    head, *behind = pieces
    kinds = {match.lastgroup for match in behind}
    if not behind:
        raise _incomplete(head, "group wants Skill Rolls, 3d6; 3d6 a1, their values, -1 0 1, open or close.", " open")
    if "word" in kinds:
        return _opened(behind)
    parted = any(";" in match[0] for match in behind)
    if kinds <= {"amount", "value", "parts"} and not parted:
        return GroupValues(tuple(_value(match) for match in behind if match.lastgroup != "parts"))
    if kinds <= {"amount", "parts"}:  # GEN-12
        sentence = "could be Success Values, with blanks between, or rolls, as 3d6 +1; 3d6 -1?"
        raise misread(behind[0], 0, f'"{written(behind[0])}" {sentence}')
    return _rolled(head, behind)


def _opened(behind: list[Piece]) -> GroupOpen | GroupClose:
    if len(behind) > 1:
        second = behind[0] if behind[0].lastgroup != "word" else behind[1]
        raise misread(second, 0, "group open and group close stand alone.", "")
    return GroupOpen() if behind[0]["word"].lower() == "open" else GroupClose()


def _value(match: Piece) -> int:
    """One Success Value (XR-10)."""
    typed = re.sub(r"[\s,]", "", match[0])
    if len(typed) > 2 or not _LEAST <= int(typed) <= _GREATEST:
        raise misread(match, 0, f"a Success Value is {_LEAST} to {_GREATEST}, you wrote {typed}.", " 0")
    return int(typed)


def _rolled(head: Piece, behind: list[Piece]) -> GroupRoll:
    sides = [Side(head)]
    for match in behind:
        if match[0].lstrip().startswith(",") and not sides[-1].empty:  # a comma between two clauses is no clause itself
            sides.append(Side(match))
        if match.lastgroup == "parts":
            if sides[-1].empty:
                raise misread(match, 0, "a roll is wanted before this, as xr group 3d6; 3d6 a1.", "")
            sides.append(Side(match))
        elif match.lastgroup == "value":
            raise misread(
                match, 0, f'"{written(match)}" is no modifier: write b{match["value"]} or n{match["value"]}.', ""
            )
        else:
            if match.lastgroup == "sides" and sides[-1].dice is not None:
                sentence = f"a semicolon parts the rolls of a group: {written(match)} would be the next one."
                raise misread(match, 0, sentence, f"; {written(match)}")
            sides[-1].take(match)
    if sides[-1].empty:
        sides.pop()
    if sum(side.values.get("dice", 3) + abs(side.values.get("advantage", 0)) for side in sides) > MOST_DRAWN:
        raise misread(head, 0, f"a command draws at most {MOST_DRAWN} dice.")
    return group_rolls(sides)


def _damage(pieces: list[Piece]) -> Damage:
    head, *behind = pieces
    if head["points"] is None:
        raise _incomplete(head, "damage wants its points, H heavy and L light, as xr damage HHL a1.", " 1l")
    points = {"h": 0, "l": 0}
    for count, kind in re.findall(r"([0-9]*)\s*([hl])", head["points"], re.IGNORECASE):
        points[kind.lower()] += int(count or 1)
    netted = {"advantage": 0, "bonus": 0}
    for match in behind:
        if match["letter"] and match["letter"].lower() not in PAIRS:  # XR-22
            raise misread(match, 0, f"{written(match)} is for damage that is rolled: leave it out.", "")
        name, sign = PAIRS[match["letter"].lower()] if match["letter"] else ("bonus", 1 if match["sign"] == "+" else -1)
        netted[name] += sign * int((match["number"] or match["amount"])[:7])
    if max(map(abs, (*points.values(), *netted.values()))) > LARGEST:
        raise misread(head, 0, f"damage has at most {LARGEST} points of a kind.")
    return Damage(points["h"], points["l"], **netted)


def _fate(pieces: list[Piece]) -> FateList:
    return FateList(pieces[0]["nick"])


def _whose(pieces: list[Piece]) -> FateEnd:
    """XR-25: `xr fate end` alone."""
    sentence = "fate end wants whose, as xr fate end bob die."
    raise misread(pieces[0], "word", sentence, "end bob", meant=True)


def _fate_end(pieces: list[Piece]) -> FateEnd:
    kind = pieces[0]["kind"]
    return FateEnd(pieces[0]["nick"], kind and kind.lower())


def _reaction(pieces: list[Piece]) -> Reaction:
    return Reaction(_ref(pieces))


def _alone(node: type[Any]) -> Any:
    return lambda _pieces: node()


KEEP = Clauses(rf"xr\s*keep{_END}", rf",?\s*(?:{_POSITION})", _keep)
REROLL = Clauses(rf"xr\s*reroll{_END}", rf"{_POSITION}|(?P<fate>fate){_END}", _reroll)
GROUP = Clauses(
    rf"xr\s*group{_END}",
    rf"{CLAUSE}|(?P<parts>;)|(?P<word>open|close){_END}|(?P<value>[0-9]+)(?!\.?[0-9a-z])",
    _group,
    commas=True,
)
DAMAGE = Clauses(rf"xr\s*damage{_END}\s*(?P<points>(?:[0-9]{{0,7}}\s*[hl]\s*)+)?", MODIFIER, _damage)
FATE = Clauses(rf"xr\s*fate{_END}(?:\s*@?(?P<nick>(?!as\s|for\s){NICK}))?", NOTHING, _fate)
_ENDLESS = Clauses(rf"xr\s*fate\s+(?P<word>end){_END}(?=\s*(?:$|[.!?\#]))", NOTHING, _whose)
FATE_END = Clauses(
    rf"xr\s*fate\s+end\s+@?(?P<nick>{NICK})(?:\s+(?P<kind>{'|'.join(FATE_KINDS)}){_END})?", NOTHING, _fate_end
)
ENDTURN = Clauses(rf"xr\s*endturn{_END}", NOTHING, _alone(EndTurn))
REACTION = Clauses(rf"xr\s*reaction{_END}", REFERENCE, _reaction)
COMMANDS = REACTION | KEEP | REROLL | GROUP | DAMAGE | FATE_END | _ENDLESS | FATE | ENDTURN
