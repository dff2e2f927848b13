"""From the clauses of a V5 command to its node, and the objections to those that cannot stand."""

from __future__ import annotations

import re
from dataclasses import replace

from grammars.line import shown
from grammars.spelt import FIGURES
from grammars.tokens import FLAGS, LARGEST, MOST_DICE, NICK, NOTHING, REFERENCE, Clauses, Misread, Piece, misread
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

POOL_SIDES = 10
HUNGER_IS = "hunger is {}"
_TWICE = {  # what is said of a second one
    "kind": "a pool is of one kind",
    "count": "the number of dice is said twice",
    "ref": "one roll at a time",
}
KINDS = {"willpower": "willpower", "humanity": "humanity", "morality": "humanity"}  # V5-12
# One Regex a clause: a grammar of small tokens takes several times as long (style.md).
_NUMBER = r"\s*[:=]?\s*(?P<{}>[-+]?[0-9]+)"
_NO_MORE = r"(?![0-9d]|\.[0-9])"  # behind a number that stands alone: a full stop may end the command
_HEAD = (
    # generic.md: a `roll` of other dice is no V5 pool, and not V5's to object to
    r"(?:roll(?=[^d]*d\s*10(?![0-9]))|v5(?![0-9]))\s*(?P<count>(?:[-+]?[0-9]+)?)\s*d\s*(?P<sides>[0-9]+)(?![0-9%o]|\.[0-9])"
    rf"|v5(?![0-9])\s*(?P<sum>[-+]?[0-9]+(?:\s*[-+]\s*[0-9]+)*){_NO_MORE}"
)
_IN_WORDS = re.compile(rf"\s+(?:{'|'.join(FIGURES)})(?![a-z])", FLAGS)
_CLAUSE = (
    rf"h(?:unger)?{_NUMBER.format('hunger')}"
    rf"|(?:dc|diff(?:iculty)?){_NUMBER.format('difficulty')}"
    r"|(?P<kind>willpower|humanity|morality)(?![a-z0-9])"
    rf"|vs\.?\s*(?:@(?P<against>{NICK})|(?P<side>(?:[0-9]*\s*d\s*[0-9]+|[0-9]+(?:\s*[-+]\s*[0-9]+)+)(?![0-9]|\.[0-9])))"
    r"|(?P<lone>vs\.?\s*[0-9]+)(?![0-9d])"
    r"|(?P<trackerless>h(?:unger)?)(?![a-z0-9])"
    r"|(?P<numberless>dc|diff(?:iculty)?|vs)(?![a-z0-9])"
    r"|(?P<ambiguous>wp)(?![a-z0-9])"
)


def _whole(match: Piece, group: str, lowest: int, highest: int, rule: str) -> int:
    """The number in `group`, or an objection: `rule` with its limits in place of `{}`, and the nearest offered."""
    typed = match[group]
    number = int(typed)
    if lowest <= number <= highest and typed[0] not in "+-":
        return number
    limits = f"{lowest} or more" if highest == LARGEST >= number else f"{lowest} to {highest}"
    nearest = str(min(max(abs(number), lowest), highest))
    written = re.sub(r"^\s*(?:roll|v5|rouse)\s*|\#.*", "", match[0], flags=re.IGNORECASE).strip()
    raise misread(match, group, f"{rule.format(limits)}, you wrote {shown(written)}.", nearest)


def _terms(match: Piece, group: str) -> tuple[int, ...]:
    """The parts of a pool's sum, which must come to a pool that can be rolled (V5-01)."""
    terms = tuple(int(t) for t in re.findall(r"[-+]?[0-9]+", re.sub(r"\s", "", match[group])))
    total = sum(terms)
    if 1 <= total <= MOST_DICE:
        return terms
    written = shown(match[group])
    came_to = f"{written} comes to {shown(str(total))}" if len(terms) > 1 else f"you wrote {written}"
    nearest = str(min(max(total, 1), MOST_DICE))
    instead = f"{nearest}d{POOL_SIDES}" if group == "side" else nearest  # a lone number behind vs: GEN-05
    raise misread(match, group, f"a pool has 1 to {MOST_DICE} dice, {came_to}.", instead)


def _dice(match: Piece) -> int:
    """The dice of `Nd10` (V5-01), one where N is left out."""
    if match["sides"] != "10":
        written = shown(f"{match['count']}d{match['sides']}")
        raise misread(match, "sides", f"a V5 pool is rolled with d10, you wrote {written}.", "10")
    return _whole(match, "count", 1, MOST_DICE, "a pool has {} dice") if match["count"] else 1


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
    count, sides = (part.strip() for part in typed.lower().split("d"))
    dice = int(count or 1)
    if int(sides) == POOL_SIDES and 1 <= dice <= MOST_DICE:
        return {"dice": dice}
    rule = f"a pool has 1 to {MOST_DICE} dice" if int(sides) == POOL_SIDES else "a V5 pool is rolled with d10"
    sentence = f"{rule}, you wrote {shown(typed)}."
    raise misread(match, "side", sentence, f"{min(max(dice, 1), MOST_DICE)}d{POOL_SIDES}")


def _once(match: Piece, side: dict[str, object], name: str, value: object) -> None:
    if name in side:
        sentence = f"{_TWICE.get(name, f'{name} is said twice')}: leave {match[0].strip(' ,')} out."
        raise misread(match, 0, sentence, "")
    side[name] = value


def _object(match: Piece) -> Misread:
    """What is said of a word that belongs here but cannot stand as it is written."""
    kind, word = match.lastgroup, match[0].strip(" ,")
    if kind in {"trackerless", "numberless"} and (in_words := _IN_WORDS.match(match.string, match.end())):
        figure = FIGURES[in_words[0].strip().lower()]
        return misread(match, 0, f'"{word}{in_words[0]}" wants its number in figures: {word} {figure}.')
    if kind == "trackerless":  # V5-22
        sentence = f"{word} alone stands for a tracked Hunger, and none is tracked here: say h0 to h{MOST_HUNGER}."
        return misread(match, 0, sentence)
    if kind == "ambiguous":  # GEN-12
        pool = re.sub(
            r"\s*h(?:unger)?\s*[:=]?\s*[0-9]+", "", match.string[: match.start()], flags=re.IGNORECASE
        ).strip()
        sentence = (
            f'"{word}" could be a Willpower pool, {pool} willpower, or a reroll, which is wp on a line of its own.'
        )
        return misread(match, 0, sentence, "willpower")
    if kind == "lone":  # GEN-05
        number = re.sub(r"[^0-9]", "", word)
        sentence = f'is "{word}" a difficulty, dc{number}, or a pool? For a pool write vs {number}d10.'
        return misread(match, 0, sentence, f"dc{number}")
    wanted = "a pool behind it, as vs 5d10, or @nick" if word.lower() == "vs" else "a number behind it, as dc3"
    return misread(match, 0, f"{word} wants {wanted}.")


def _clause(match: Piece, side: dict[str, object]) -> None:
    """Put one clause of a pool into `side`."""
    kind = match.lastgroup
    if kind == "hunger":
        _once(match, side, kind, _whole(match, kind, 0, MOST_HUNGER, HUNGER_IS))
    elif kind == "difficulty":
        _once(match, side, kind, _whole(match, kind, SMALLEST_DIFFICULTY, LARGEST, "a difficulty is {}"))
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
                raise misread(
                    match,
                    0,
                    f"{match[0].strip(' ,')} behind @{against} is for @{against} to say: put your own before vs.",
                    "",
                )
            _clause(match, sides[-1])
        elif against or len(sides) > 1:
            raise misread(match, 0, f"a contest has two sides: leave {match[0].strip(' ,')} out.", "")
        elif match.lastgroup == "side":
            sides.append(_side(match))
        else:
            against = match["against"]
    node = _checked(behind, sides, against)
    return replace(node, word="v5") if isinstance(node, Contest) and head[0].lower().startswith("v5") else node


def _checked(behind: list[Piece], sides: list[dict[str, object]], against: str | None) -> Pool | Contest:
    """The node, once what its clauses rule out between them is refused."""
    if against is None and len(sides) == 1 and "kind" not in sides[0]:
        return Pool(**sides[0])  # type: ignore[arg-type]  # each clause put its own type in
    of = 0  # whose clause it is
    for match in behind:
        of += match.lastgroup == "side"
        if match.lastgroup == "hunger" and "kind" in sides[of]:  # V5-12
            sentence = f"{sides[of]['kind']} pools never hold Hunger dice: leave {match[0].strip(' ,')} out."
            raise misread(match, 0, sentence, "")
        if match.lastgroup == "difficulty" and (against or len(sides) > 1):  # V5-19
            raise misread(
                match,
                0,
                f"with vs the other side's successes are the difficulty: leave {match[0].strip(' ,')} out.",
                "",
            )
    pools = [Pool(**side) for side in sides]  # type: ignore[arg-type]  # each clause put its own type in
    if against is None and len(pools) == 1:
        return pools[0]
    return Contest(pools[0], pools[1] if len(pools) > 1 else None, against)


_ROUSE = rf"rouse(?:\s*(?P<count>[-+]?[0-9]+){_NO_MORE})?\s*(?P<hunger>h(?:unger)?\s*[:=]?\s*[0-9]+)?(?![a-z0-9])"
_WP = r"wp(?![a-z])"
_WP_CLAUSE = (
    rf"(?P<tens>tens)(?![a-z0-9])|(?P<count>[-+]?[0-9]+){_NO_MORE}"
    rf"|h(?:unger)?{_NUMBER.format('hunger')}|(?:on\s+)?{REFERENCE}"
)
_HUNGER = rf"hunger{_NUMBER.format('hunger')}{_NO_MORE}\s*(?:(?:on\s+)?{REFERENCE})?"
_AUTOWIN = rf"autowin\s*(?P<sum>[-+]?[0-9]+(?:\s*[-+]\s*[0-9]+)*){_NO_MORE}"
_AUTOWIN_CLAUSE = rf"h(?:unger)?{_NUMBER.format('hunger')}|(?:dc|diff(?:iculty)?){_NUMBER.format('difficulty')}"


def _rouse(pieces: list[Piece]) -> Rouse:
    match = pieces[0]
    if match["hunger"]:  # V5-12
        raise misread(match, "hunger", "a rouse check never holds Hunger dice: leave the Hunger out.", "")
    return Rouse(_whole(match, "count", 1, MOST_DICE, "rouse makes {} checks")) if match["count"] else Rouse()


def _willpower(pieces: list[Piece]) -> Willpower:
    said: dict[str, object] = {}
    for match in pieces[1:]:
        kind = match.lastgroup or ""
        highest, lowest = (MOST_HUNGER, 0) if kind == "hunger" else (MOST_REROLLED, 1)
        rule = HUNGER_IS if kind == "hunger" else "wp rerolls {} dice"
        value = match[kind].lower() if kind == "ref" else kind == "tens" or _whole(match, kind, lowest, highest, rule)
        _once(match, said, kind, value)
    return Willpower(**said)  # type: ignore[arg-type]  # each clause put its own type in


def _say_hunger(pieces: list[Piece]) -> SayHunger:
    match = pieces[0]
    if match["hunger"][0] in "+-":  # GEN-14
        raise misread(
            match, "hunger", "no Hunger is tracked here, so there is none to change: say it whole, as hunger 2."
        )
    return SayHunger(_whole(match, "hunger", 0, MOST_HUNGER, HUNGER_IS), match["ref"] and match["ref"].lower())


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


POOLS = Clauses(_HEAD, _CLAUSE, _pool, commas=True)
GRAMMAR = {
    "roll": POOLS,
    "v5": POOLS,
    "rouse": Clauses(_ROUSE, NOTHING, _rouse),
    "wp": Clauses(_WP, _WP_CLAUSE, _willpower),
    "hunger": Clauses(_HUNGER, NOTHING, _say_hunger),
    "autowin": Clauses(_AUTOWIN, _AUTOWIN_CLAUSE, _automatic_win, commas=True),
}
