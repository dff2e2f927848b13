"""From the clauses of a V5 command to its node, and the objections to those that cannot stand."""

from __future__ import annotations

import re

import pyparsing as pp

from grammars.tokens import LARGEST, MOST_DICE, NICK, REFERENCE, Clauses, Misread, Piece, command, misread
from grammars.v5.nodes import (
    MOST_HUNGER,
    MOST_REROLLED,
    SMALLEST_DIFFICULTY,
    AutomaticWin,
    Contest,
    Pool,
    Rouse,
    SayHunger,
    Willpower,
)

KINDS = {"willpower": "willpower", "humanity": "humanity", "morality": "humanity"}  # V5-12
# One Regex a clause: a grammar of small tokens takes several times as long (style.md).
_NUMBER = r"\s*[:=]?\s*(?P<{}>[-+]?[0-9]+)"
_HEAD = (
    r"(?:roll|v5(?![0-9]))\s*(?P<count>(?:[-+]?[0-9]+)?)\s*d\s*(?P<sides>[0-9]+)(?![0-9.%])"
    r"|v5(?![0-9])\s*(?P<sum>[-+]?[0-9]+(?:\s*[-+]\s*[0-9]+)*)(?![0-9.d])"
)
_CLAUSE = (
    rf"h(?:unger)?{_NUMBER.format('hunger')}"
    rf"|(?:dc|diff(?:iculty)?){_NUMBER.format('difficulty')}"
    r"|(?P<kind>willpower|humanity|morality)(?![a-z0-9])"
    rf"|vs\.?\s*(?:@(?P<against>{NICK})|(?P<side>(?:[0-9]*\s*d\s*10|[0-9]+(?:\s*[-+]\s*[0-9]+)+)(?![0-9.])))"
    r"|(?P<lone>vs\.?\s*[0-9]+)(?![0-9d])"
    r"|(?P<trackerless>h(?:unger)?)(?![a-z0-9])"
    r"|(?P<numberless>dc|diff(?:iculty)?|vs)(?![a-z0-9])"
    r"|(?P<ambiguous>wp)(?![a-z0-9])"
)


def _whole(match: Piece, group: str, lowest: int, highest: int, name: str) -> int:
    """The number in `group`, or an objection that names its limits and offers the nearest."""
    typed = match[group]
    number = int(typed)
    if lowest <= number <= highest and typed[0] not in "+-":
        return number
    limits = f"{lowest} to {highest}" if highest < LARGEST else f"{lowest} or more"
    nearest = str(min(max(abs(number), lowest), highest))
    written = re.sub(r"^\s*(?:roll|v5)\s*", "", match[0], flags=re.IGNORECASE).strip()
    raise misread(match, group, f"{name} is {limits}, you wrote {written}.", nearest)


def _terms(match: Piece, group: str) -> tuple[int, ...]:
    """The parts of a pool's sum, which must come to a pool that can be rolled (V5-01)."""
    terms = tuple(int(t) for t in re.findall(r"[-+]?[0-9]+", re.sub(r"\s", "", match[group])))
    total = sum(terms)
    if 1 <= total <= MOST_DICE:
        return terms
    sentence = f"a pool has 1 to {MOST_DICE} dice, {match[group]} comes to {total}."
    raise misread(match, group, sentence, str(min(max(total, 1), MOST_DICE)))


def _dice(match: Piece) -> int:
    """The dice of `Nd10` (V5-01), one where N is left out."""
    if match["sides"] != "10":
        sentence = f"a V5 pool is rolled with d10, you wrote {match['count']}d{match['sides']}."
        raise misread(match, "sides", sentence, "10")
    return _whole(match, "count", 1, MOST_DICE, "a pool's number of dice") if match["count"] else 1


def _head(match: Piece) -> dict[str, object]:
    if match["sides"]:
        return {"dice": _dice(match)}
    terms = _terms(match, "sum")
    return {"dice": sum(terms), "terms": terms}


def _side(match: Piece) -> dict[str, object]:
    typed = match["side"]
    if "d" not in typed.lower():
        terms = _terms(match, "side")
        return {"dice": sum(terms), "terms": terms}
    count = re.match(r"[0-9]*", typed)
    dice = int(count[0]) if count and count[0] else 1
    if not 1 <= dice <= MOST_DICE:
        sentence = f"a pool's number of dice is 1 to {MOST_DICE}, you wrote {typed}."
        raise misread(match, "side", sentence, f"{min(max(dice, 1), MOST_DICE)}d10")
    return {"dice": dice}


def _once(match: Piece, side: dict[str, object], name: str, value: object) -> None:
    if name in side:
        sentence = f"{match[0].strip()}: {name} stands here already."
        raise misread(match, 0, sentence, "")
    side[name] = value


def _object(match: Piece) -> Misread:
    """What is said of a word that belongs here but cannot stand as it is written."""
    kind, word = match.lastgroup, match[0].strip()
    if kind == "trackerless":  # V5-22
        return misread(match, 0, "h alone stands for a tracked Hunger, and none is tracked here: say h0 to h5.")
    if kind == "ambiguous":  # GEN-12
        return misread(
            match,
            0,
            f'"{word}" could be a Willpower pool, roll 4d10 willpower, or a reroll, wp, on its own.',
            "willpower",
        )
    if kind == "lone":  # GEN-05
        number = re.sub(r"[^0-9]", "", word)
        sentence = f'"{word}" could be a difficulty, dc{number}, or a pool, vs {number}d10?'
        return misread(match, 0, sentence, f"dc{number}")
    return misread(match, 0, f"{word} wants a number behind it{', a pool, or @nick' if word == 'vs' else ''}.")


def _clause(match: Piece, side: dict[str, object]) -> None:
    """Put one clause of a pool into `side`."""
    kind = match.lastgroup
    if kind == "hunger":
        _once(match, side, kind, _whole(match, kind, 0, MOST_HUNGER, "hunger"))
    elif kind == "difficulty":
        _once(match, side, kind, _whole(match, kind, SMALLEST_DIFFICULTY, LARGEST, "a difficulty"))
    elif kind == "kind":
        _once(match, side, kind, KINDS[match[kind].lower()])
    else:
        raise _object(match)


def _pool(pieces: list[Piece]) -> Pool | Contest:
    head, *behind = pieces
    sides = [_head(head)]
    against = None
    for match in behind:
        if match.lastgroup not in {"against", "side"}:
            if against and match.lastgroup in {"hunger", "kind"}:
                raise misread(match, 0, f"@{against} says that for their own side: put yours before vs.", "")
            _clause(match, sides[-1])
        elif against or len(sides) > 1:
            raise misread(match, 0, "vs stands here already: a contest has two sides.", "")
        elif match.lastgroup == "side":
            sides.append(_side(match))
        else:
            against = match["against"]
    return _checked(behind, sides, against)


def _checked(behind: list[Piece], sides: list[dict[str, object]], against: str | None) -> Pool | Contest:
    """The node, once what its clauses rule out between them is refused."""
    for match in behind:
        if match.lastgroup == "hunger" and any("kind" in side and "hunger" in side for side in sides):
            kind = next(side["kind"] for side in sides if "kind" in side)
            raise misread(match, 0, f"{kind} pools never hold Hunger dice: leave {match[0].strip()} out.", "")
        if match.lastgroup == "difficulty" and (against or len(sides) > 1):  # V5-19
            raise misread(
                match, 0, f"with vs the other side's successes are the difficulty: leave {match[0].strip()} out.", ""
            )
    pools = [Pool(**side) for side in sides]  # type: ignore[arg-type]  # each clause put its own type in
    if against is None and len(pools) == 1:
        return pools[0]
    return Contest(pools[0], pools[1] if len(pools) > 1 else None, against)


_ROUSE = command(
    r"rouse(?:\s*(?P<count>[-+]?[0-9]+)(?![0-9.d]))?\s*(?P<hunger>h(?:unger)?\s*[:=]?\s*[0-9]+)?(?![a-z0-9])"
)
_WP = r"wp(?![a-z])"
_WP_CLAUSE = (
    rf"(?P<tens>tens)(?![a-z0-9])|(?P<count>[-+]?[0-9]+)(?![0-9.d])|h(?:unger)?{_NUMBER.format('hunger')}|{REFERENCE}"
)
_HUNGER = command(rf"hunger{_NUMBER.format('hunger')}(?![0-9.d])\s*(?:{REFERENCE})?")
_AUTOWIN = r"autowin\s*(?P<sum>[-+]?[0-9]+(?:\s*[-+]\s*[0-9]+)*)(?![0-9.d])"
_AUTOWIN_CLAUSE = rf"h(?:unger)?{_NUMBER.format('hunger')}|(?:dc|diff(?:iculty)?){_NUMBER.format('difficulty')}"


def _rouse(tokens: pp.ParseResults) -> Rouse:
    match = tokens[0]
    if match["hunger"]:  # V5-12
        raise misread(match, "hunger", "a rouse check never holds Hunger dice: leave the Hunger out.", "")
    return Rouse(_whole(match, "count", 1, MOST_DICE, "rouse's number of checks")) if match["count"] else Rouse()


def _willpower(pieces: list[Piece]) -> Willpower:
    said: dict[str, object] = {}
    for match in pieces[1:]:
        kind = match.lastgroup or ""
        highest, lowest = (MOST_HUNGER, 0) if kind == "hunger" else (MOST_REROLLED, 1)
        name = "hunger" if kind == "hunger" else "wp's number of dice"
        value = match[kind].lower() if kind == "ref" else kind == "tens" or _whole(match, kind, lowest, highest, name)
        _once(match, said, kind, value)
    return Willpower(**said)  # type: ignore[arg-type]  # each clause put its own type in


def _say_hunger(tokens: pp.ParseResults) -> SayHunger:
    match = tokens[0]
    if match["hunger"][0] in "+-":  # GEN-14
        raise misread(match, "hunger", "no Hunger is tracked here, so there is none to change: say the Hunger itself.")
    return SayHunger(_whole(match, "hunger", 0, MOST_HUNGER, "hunger"), match["ref"] and match["ref"].lower())


def _automatic_win(pieces: list[Piece]) -> AutomaticWin:
    head, *behind = pieces
    said: dict[str, object] = {}
    for match in behind:
        _clause(match, said)
    for name, missing, wanted in (("difficulty", "dc2", "Difficulty"), ("hunger", "h0", "Hunger")):
        if name not in said:
            text = head.string
            raise Misread(
                text, len(text), f"autowin wants the {wanted} too, as {missing}.", instead=f"{text} {missing}"
            )
    return AutomaticWin(_terms(head, "sum"), **said)  # type: ignore[arg-type]  # as above


POOLS = Clauses(_HEAD, _CLAUSE, _pool)
GRAMMAR = {
    "roll": POOLS,
    "v5": POOLS,
    "rouse": _ROUSE.add_parse_action(_rouse),
    "wp": Clauses(_WP, _WP_CLAUSE, _willpower),
    "hunger": _HUNGER.add_parse_action(_say_hunger),
    "autowin": Clauses(_AUTOWIN, _AUTOWIN_CLAUSE, _automatic_win),
}
