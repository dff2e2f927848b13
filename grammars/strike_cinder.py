"""Strike & Cinder: `sc cinder 5`, `sc strike 6 vs undying`, `sc mind 7 vs @bob`, and encounters with their Luck.

The seed's tables and the commands themselves are in `strike_cinder_nodes.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pyparsing as pp

from grammars.command import Command
from grammars.errors import Objection
from grammars.line import shown
from grammars.strike_cinder_nodes import (
    ASSIST,
    BANES,
    CINDER,
    EXCHANGE,
    HUMAN,
    LARGEST_DC,
    LUCK,
    MANIFESTED_DC,
    MANIFESTED_STRIKE,
    MOST_LUCK,
    MOST_RANK,
    NO_RESISTANCE,
    PATHS,
    POOLS,
    RITUAL_DICE,
    SHIFTED_DC,
    SHORT_PATHS,
    STATES,
    SUCCESS_RANGE,
    TAGS,
    WEAKENING,
    WEAKNESSES,
    Assist,
    Bane,
    CloseEncounter,
    ImpossibleError,
    Join,
    Leave,
    Luck,
    Mind,
    OpenEncounter,
    Pool,
    Resist,
    Roll,
    Target,
    Tracking,
    Weakness,
    article,
)
from grammars.tokens import (
    END,
    MOST_DICE,
    NICK_PATTERN,
    Clause,
    Token,
    at_nick,
    bounded,
    choice,
    clauses,
    command_word,
    flag,
    keyed,
    once,
    refused,
    word,
)

KEYWORDS = ("sc", "strike", "cinder")
HERE = ("strike", "cinder")  # `strike 6`: short for `sc strike 6` where this game is played
CERTAIN = ("sc strike", "sc cinder")  # GEN-03
SYNONYMS = {
    "against": "vs", "versus": "vs", "v": "vs", "target": "dc", "tn": "dc", "dv": "dc", "help": "assist", "end": "close"
}  # fmt: skip
EXAMPLES = {
    "sc strike 6": "six dice on the Success Range; a 4 or more passes, a 6 explodes; also `strike 6`",
    "sc cinder arcanist": "the dice of a Path in place of a number; `sc cinder 9 arcanist` for one who has grown",
    "sc cinder 5 +1 assist fullmoon dc3": "against a DC, with a bonus, a helper and the full moon",
    "sc strike 6 vs afflicted shifter shifted silver": "an attack: hit or miss, and the Luck it drains",
    "sc strike undying sunlight": "one's own weakness is written before vs, the target's after it",
    "sc mind 7 vs 5": "magic on a mind, and the target's dice against it",
    "sc mind 7 vs @bob": "the same, resisted by bob with `sc resist 5`, `sc resist ironwill` or `pass`",
    "sc resist 5": "resist magic on your mind; a Human who has it says `sc resist ironwill`",
    "sc assist cinder 6 for bob": "try to give bob two dice for his next Cinder roll",
    "sc cinder human ritual": "a Human's four dice in a ritual",
    "sc cinder 5 cantrip # Fire": "with its tag and keyword for the tracking",
    "sc encounter open Ghoul luck 6 dc3 strike 5 cinder 4": "an encounter begins (`dc`, `strike` and `cinder` may be"
    " left out); `sc encounter close` ends it",
    "sc join Viktor arcanist rank 4 exchange": "a character with their Luck joins, and is posted with your rolls, as"
    " `Viktor (alice)`; `sc leave Viktor`",
    "sc strike 9 vs Ghoul": "an attack that drains tracked Luck; `as Ghoul` rolls for it",
    "sc cinder vs Ghoul": "with the dice of the Path that you joined with, as `sc mind vs @bob` and `sc resist` are;"
    " `sc strike as Ghoul` with those of Ghoul",
    "sc luck": "everybody's Luck; `sc luck Viktor -1` changes one's",
    "sc tracking": "what was rolled, ready to paste, in private; `sc tracking Viktor` as Viktor's post",
}


def _listed(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _weakens(weak: Weakness) -> str:
    of, pool = article(weak.paths[-1]), weak.pool.capitalize()
    return (
        f"{weak.word} brings the {pool} of {of} down to {weak.most}" if weak.most else f"{weak.word} -1 {pool} of {of}"
    )


def _harms(bane: Bane) -> str:
    how = "a hit meets no DC" if bane.bypasses else f"a {bane.pools[0].capitalize()} hit drains {bane.luck} Luck"
    return f"{bane.word} against {article(bane.paths[-1])}, {how}"


_PATHS = [path for path in PATHS.values() if path.strike]
_POOLS = {path.name: f"{path.strike}/{path.cinder or 'none'}" for path in _PATHS}
HELP = {
    "luck": (
        f"Luck is {LUCK} for every Path, one more for a skill of rank II, two more from rank IV on (or as the "
        f"config says), and one more by Exchange Equipment for {', '.join(PATHS[each].name for each in EXCHANGE)}.",
        "In an encounter a hit drains 1 of its target's, a critical hit or a weakness 2; at 0 one is out of Luck.",
    ),
    "paths": (
        f"Strike / Cinder dice: {_listed(_POOLS)}; "
        f"a manifested Spirit has Strike {MANIFESTED_STRIKE}, a Human in a ritual Cinder {RITUAL_DICE}.",
        f"Defense DC: {_listed({path.name: path.dc for path in _PATHS})}; shifted {SHIFTED_DC}, a Spirit manifested or "
        f"met by Cinder {MANIFESTED_DC}.",
    ),
    "passes": (
        f"Success Range: from {_listed({str(at): name for at, _, name in SUCCESS_RANGE})} passes.",
        "A die passes at 4 or more; a 6 rolls one more die, under the full moon a Cinder die's 5 as well.",
    ),
    "weaknesses": (
        f"Before vs, of the roller: {'; '.join(map(_weakens, WEAKNESSES))}.",
        f"After vs, of the target: {'; '.join(map(_harms, BANES))}.",
    ),
    "fullmoon": (
        "Under the full moon Cinder dice explode on 5 and 6; Strike is not touched by it.",
        "It is written anywhere in the roll, as in sc cinder 5 fullmoon; in sc mind it holds for both sides.",
    ),
    "encounter": (
        "sc encounter open NAME luck N begins one, with dc N, strike N and cinder N if it has them; "
        "sc encounter close ends it.",
        "sc join NAME PATH brings in your character. Attacks vs NAME then drain Luck, as NAME rolls for one of them.",
    ),
    "tracking": (
        "sc tracking gives you the rolls and the Luck of the encounter in private, ready to paste into a forum post.",
        f"{', '.join(TAGS)} is a roll's tag there, and words after # its keyword: sc cinder 5 cantrip # Fire.",
    ),
}

ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

# What parse actions make of tokens, and what they object to.

Built = TypeVar("Built")
SHARED = ("kind", "dc", "fullmoon", "tag", "speaker", "recipient")  # of the whole roll, before or after `vs`


@dataclass(frozen=True)
class Side:
    """The clauses about one side of a roll, or of a whole command.

    `complete` says that nothing else follows, so that a command was meant and an objection is worth a hint.
    """

    text: str
    clauses: list[Clause]
    complete: bool

    @classmethod
    def of(cls, text: str, tokens: pp.ParseResults) -> Side:
        """Everything that was typed."""
        clauses = [clause for clause in tokens if clause.name != "complete"]
        return cls(text, clauses, complete=len(clauses) < len(tokens))

    def values(self) -> dict[str, Any]:
        """The value of each clause; an objection to one that is typed twice."""
        return once(self.text, [clause for clause in self.clauses if clause.name != "change"])

    def all_of(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Those of `words` that were typed, in that order."""
        return tuple(clause.name for clause in self.clauses if clause.name in words)

    def pool(self, kind: str) -> Pool:
        """The dice of this side."""
        said = self.values()
        if "shifted" in said:
            raise self.objection("shifted is for the DC of an Afflicted Shifter: it goes after vs.", "shifted")
        path = said.get("path")
        ironwill = "ironwill" in said
        return self.built(
            lambda: Pool(
                kind,
                dice=said.get("dice"),
                path=None if ironwill and path == HUMAN else path,  # Iron Will is a Human's
                weaknesses=self.all_of(WEAKENING),
                manifested="manifested" in said,
                ritual="ritual" in said,
                ironwill=ironwill,
                changes=tuple(clause.value for clause in self.clauses if clause.name == "change"),
                assist=said.get("assist", 0),
            )
        )

    def built(self, build: Callable[[], Built]) -> Built:
        """What `build` makes, or an objection at the clause to blame."""
        try:
            return build()
        except ImpossibleError as fault:
            raise self.objection(str(fault), fault.clause) from None

    def objection(self, sentence: str, name: str) -> Objection:
        """An objection at the clause of that name, else at the first."""
        clause = next((clause for clause in self.clauses if clause.name == name), self.clauses[0])
        return Objection(self.text, clause.at, sentence, asked=self.complete)


def _sides(text: str, tokens: pp.ParseResults) -> tuple[Side, Side, Side]:
    """What was typed about the whole roll, about the one who rolls, and from `vs` on about the other."""
    said = Side.of(text, tokens)
    found = said.clauses
    versus = next((i for i, clause in enumerate(found) if clause.name == "vs"), len(found))
    whole = [clause for clause in found if clause.name in SHARED]
    own = [clause for clause in found[:versus] if clause.name not in SHARED]
    theirs = [clause for clause in found[versus:] if clause.name not in SHARED]
    return replace(said, clauses=whole), replace(said, clauses=own), replace(said, clauses=theirs)


def _roll(text: str, _at: int, tokens: pp.ParseResults) -> Roll:
    """`sc strike` and `sc cinder`."""
    whole, own, theirs = _sides(text, tokens)
    said = whole.values()
    pool = own.pool(said.pop("kind"))
    target = _target(theirs) if theirs.clauses else None
    everything = replace(whole, clauses=theirs.clauses + whole.clauses + own.clauses)
    return everything.built(lambda: Roll(pool, target, **said))


def _target(theirs: Side) -> Target:
    """The target of a roll (SC-08, SC-24)."""
    said = theirs.values()
    for name in ("dice", "change", "assist", "ritual"):
        clause = next((clause for clause in theirs.clauses if clause.name == name), None)
        if clause is not None:
            typed = shown(clause.typed)
            raise theirs.objection(
                f"{typed} after vs would be the target's, who rolls nothing: put it before vs.", name
            )
    if "ironwill" in said:
        raise theirs.objection("ironwill resists sc mind and nothing else.", "ironwill")
    if "path" in said and "name" in said:
        raise theirs.objection(f"{shown(said['name'])} is the target already.", "path")
    return Target(said.get("path"), said.get("name"), theirs.all_of(WEAKENING), theirs.all_of(STATES))


def _mind(text: str, _at: int, tokens: pp.ParseResults) -> Mind:
    """SC-16: alone, against dice, a Human, or `@nick`."""
    whole, own, theirs = _sides(text, tokens)
    said, answer = whole.values(), theirs.values()
    pool = own.pool(CINDER)
    if "against" in answer:
        return own.built(lambda: Mind(pool, against=answer["against"], **said))
    if _defenceless(answer):
        return own.built(lambda: Mind(pool, human=True, **said))
    other = _resistance(theirs) if answer else None
    return own.built(lambda: Mind(pool, other, **said))


def _resist(text: str, _at: int, tokens: pp.ParseResults) -> Resist:
    """SC-16, SC-17."""
    whole, own, _ = _sides(text, tokens)
    return Resist(_resistance(own), **whole.values())


def _resistance(side: Side) -> Pool:
    """The dice of one who resists."""
    if _defenceless(side.values()):
        raise side.objection(NO_RESISTANCE, "path")
    pool = side.pool(CINDER)
    side.built(lambda: Resist(pool))
    return pool


def _defenceless(said: dict[str, Any]) -> bool:
    """SC-17: a Human has no resistance but Iron Will."""
    return said.get("path") == HUMAN and not said.keys() & {"dice", "ironwill", "ritual"}


def _assist(text: str, _at: int, tokens: pp.ParseResults) -> Assist:
    """SC-15."""
    whole, own, _ = _sides(text, tokens)
    said = whole.values()
    pool = own.pool(said.pop("kind"))
    return own.built(lambda: Assist(pool, **said))


def _open(text: str, _at: int, tokens: pp.ParseResults) -> OpenEncounter:
    """SC-26."""
    said = Side.of(text, tokens)
    _check_name(said)
    return OpenEncounter(**said.values())


def _join(text: str, _at: int, tokens: pp.ParseResults) -> Join:
    """SC-18, SC-26."""
    said = Side.of(text, tokens)
    _check_name(said)
    return said.built(lambda: Join(**said.values()))


def _check_name(said: Side) -> None:
    """SC-26: a name can be told from a Path after `vs`."""
    name = said.values()["name"]
    meaning = any(token.re.fullmatch(name) for token in (PATH, WEAKNESS, STATE, RITUAL, IRONWILL))
    if meaning or not TARGET_NAME.matches(f" {name}"):
        raise said.objection(f"{name} means something else after vs: choose another name.", "name")


def _of_names(node: Callable[..., Command]) -> Callable[[str, int, pp.ParseResults], Command]:
    return lambda text, _, tokens: node(**once(text, tokens))


def _dice(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """SC-01: `6`, `6d6`, `d6`."""
    _check_sides(text, at, tokens)
    count = bounded(text, at, tokens[0], tokens.count or "1", 1, MOST_DICE, "the number of dice")
    return Clause("dice", count, at, tokens[0])


def _change(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """SC-13."""
    _check_sides(text, at, tokens)
    return Clause("change", int(tokens.sign + tokens.number[:6]), at, tokens[0])


def _check_sides(text: str, at: int, tokens: pp.ParseResults) -> None:
    if tokens.sides not in ("", None, "6"):
        raise Objection(text, at, f"Strike & Cinder is rolled with d6, you wrote {shown(tokens[0])}.")


def _helped(_text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """SC-14."""
    return Clause("assist", int((tokens.dice or "1")[:6]), at, tokens[0])


def _rank(text: str, at: int, tokens: pp.ParseResults) -> Clause:
    """SC-18."""
    digits = str(ROMAN.index(tokens.rank.lower()) + 1) if tokens.rank.lower() in ROMAN else tokens.rank
    if digits[0] not in "0123456789":
        raise Objection(text, at, f"a rank is 1 to {MOST_RANK}, you wrote {shown(tokens.rank)}.")
    return Clause("rank", bounded(text, at, tokens.rank, digits, 1, MOST_RANK, "a rank"), at, tokens[0])


def _lone_number(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-05, GEN-12."""
    dc = tokens[0].lower().partition("d")[0].strip()
    sentence = f'"vs {tokens[0]}" could be a difficulty, dc{dc}, or a pool; only sc mind has a pool after vs.'
    raise Objection(text, at, sentence, asked=True)


def _no_contest(text: str, at: int, _tokens: pp.ParseResults) -> None:
    """SC-22."""
    sentence = "only sc mind is opposed by a roll: write the target's Path, as vs human, or its name without @."
    raise Objection(text, at, sentence)


def _no_difficulty(text: str, at: int, tokens: pp.ParseResults) -> None:
    """SC-15, SC-16."""
    typed = shown(tokens[0])
    raise Objection(text, at, f"{typed} means nothing here: mind, resist and assist are judged on the Success Range.")


def _which_way(text: str, at: int, tokens: pp.ParseResults) -> None:
    """GEN-12: a number that may be the new Luck, or what it changes by."""
    asked = not text[at + len(tokens[0]) :].strip(" .!?")
    raise Objection(text, at, f"Luck is changed by +N or -N, you wrote {shown(tokens[0])}.", asked=asked)


def _under_its_word(_text: str, _at: int, tokens: pp.ParseResults) -> Clause:
    """`silver` as a clause of its own name: several such words may be typed, each once."""
    return Clause(tokens[0].value, True, tokens[0].at, tokens[0].typed)


def name(clause: str, pattern: str = NICK_PATTERN) -> Token:
    """A name: the clause `clause`. Only after a space: else every word of talk would be known as one."""
    token = Token("NAME", rf"(?<=[\s.])@?(?P<name>(?=[^0-9.@-]){pattern})(?=[\s.,!?#]|$)")
    token.set_parse_action(lambda _text, at, tokens: Clause(clause, tokens.name, at, tokens[0]))
    return token


# The notation: words and numbers.

SC = command_word("sc")
KIND = Token("strike or cinder", r"(?:strike|cinder)(?![a-z])", POOLS, numbered=True)  # SC-01: `strike6` too
KIND.set_parse_action(lambda _text, at, tokens: Clause("kind", tokens[0].lower(), at, tokens[0]))
COUNT = Token("6", r"(?P<count>[0-9]+)(?!\.?[0-9]|\s?d\s?[0-9])").set_parse_action(_dice)
D6 = Token("6d6", r"(?P<count>[0-9]*)\s?d\s?(?P<sides>[0-9]+)(?!\.?[0-9])").set_parse_action(_dice)
CHANGE = Token("+1", r"(?P<sign>[-+])\s*(?P<number>[0-9]+)(?:\s*d\s*(?P<sides>[0-9]+))?(?!\.?[0-9])")  # SC-13
CHANGE.set_parse_action(_change)
ASSISTED = Token("assist2", rf"assist(?:\s*(?P<dice>[0-9]+)(?:\s*d\s*6)?)?{END}", ASSIST.values())  # SC-14
ASSISTED.set_parse_action(_helped)
PATH = choice("path", {path: path for path in PATHS} | SHORT_PATHS)  # SC-06
# SC-11, SC-12
WEAKNESS = choice("weakness", {w: w for w in WEAKENING} | {"sky-iron": "skyiron", "true sunlight": "sunlight"})
WEAKNESS.add_parse_action(_under_its_word)
STATE = choice("state", {state: state for state in STATES})  # SC-08
STATE.add_parse_action(_under_its_word)
RITUAL = flag("ritual")  # SC-07
IRONWILL = flag("ironwill", "ironwill", "iron-will")  # SC-17
FULLMOON = flag("fullmoon", "fullmoon", "full-moon")  # SC-03
DC = keyed("dc", "difficulty diff dc", 1, LARGEST_DC, says="a DC")  # SC-04
TAG = choice("tag", {tag: tag for tag in TAGS})  # SC-27
VERSUS = flag("vs", "vs.", "vs")
NICK = at_nick()
NAME = name("name", rf"(?!for\s){NICK_PATTERN}")  # SC-26
TARGET_NAME = name("name", rf"(?![a-z]{{1,2}}[0-9]+{END}){NICK_PATTERN}")  # SC-24; `dv3` is no name
LONE_NUMBER = refused("3", r"[0-9]+(?:\s?d\s?[0-9]+)?(?!\.?[0-9])", _lone_number)
OPPONENT = refused("@nick", "@", _no_contest)
NO_DC = refused("dc3", r"(?:dc|difficulty|diff)\s*[:=]?\s*[0-9]+", _no_difficulty)
NO_VS = refused("vs", rf"vs{END}", _no_difficulty)
COMPLETE = pp.FollowedBy(pp.Regex(r"[.!?]*\s*(?:#|for\s|$)"))
COMPLETE.set_parse_action(lambda _text, at, _tokens: Clause("complete", True, at, ""))

# Rolls. A pool is `6`, `6d6`, `undying` or `silver undying`; clauses follow it in any order, `9 undying +1 dc3`.

dice = COUNT | D6
adjectives = (WEAKNESS | STATE | RITUAL)[...]
pool = (dice | adjectives + PATH).set_name("dice, as 6, or a Path")
own = CHANGE | ASSISTED | PATH | WEAKNESS | STATE | RITUAL | IRONWILL
shared = FULLMOON | TAG
common = shared | DC | word("as") + name("speaker")  # SC-27
end = pp.Opt(COMPLETE)

whom = (PATH | IRONWILL | OPPONENT | LONE_NUMBER | TARGET_NAME).set_name("a Path or a name, as vs human")
attack = VERSUS.suppress() + DC | VERSUS - adjectives + whom
roll = KIND + pp.Opt(pool) + clauses(own | common) + pp.Opt(attack + clauses(own | common | VERSUS)) + end
roll.set_parse_action(_roll)

resistance = (pool | IRONWILL).set_name("dice, as 5, a Path or ironwill")
mind_clauses = clauses(own | shared | NO_DC)
mind = word("mind", tight=True) + pp.Opt(pool) + mind_clauses
mind += pp.Opt(VERSUS - (NICK + clauses(shared) | resistance + mind_clauses)) + end
mind.set_parse_action(_mind)
resist = word("resist", tight=True) + pp.Opt(resistance) + clauses(own | shared | NO_DC | NO_VS) + end
resist.set_parse_action(_resist)
assist = word("assist") + KIND + pp.Opt(pool) + clauses(own | shared | NO_DC | NO_VS)
assist += word("for") + name("recipient") + COMPLETE | end
assist.set_parse_action(_assist)

# Encounters.

LUCK_OF = keyed("luck", "luck", 1, MOST_LUCK, says="Luck")
STRIKE_OF = keyed("strike", "strike", 1, MOST_DICE, says="the number of dice")
CINDER_OF = keyed("cinder", "cinder", 1, MOST_DICE, says="the number of dice")
RANK = Token("rank 4", rf"rank\s*(?P<rank>[0-9]+|[ivx]+){END}", ("rank",), numbered=True).set_parse_action(_rank)
EXCHANGED = flag("exchange", "exchange equipment", "exchange")
BY = Token("-1", r"(?P<sign>[-+])\s*(?P<number>[0-9]+)(?!\.?[0-9])").set_parse_action(_change)
NEW_LUCK = refused("3", r"[0-9]+(?!\.?[0-9])", _which_way)

others = clauses(DC | STRIKE_OF | CINDER_OF)
open_encounter = word("encounter") + word("open", "start") + NAME + others - LUCK_OF.set_name("luck 6") + others + end
open_encounter.set_parse_action(_open)
close_encounter = (word("encounter") + word("close")).set_parse_action(lambda: CloseEncounter())
join = word("join") + NAME + PATH + clauses(RANK | EXCHANGED) + end
join.set_parse_action(_join)
luck = (word("luck") + pp.Opt(NAME + pp.Opt(BY | NEW_LUCK))).set_parse_action(_of_names(Luck))
leave = (word("leave") + NAME).set_parse_action(_of_names(Leave))
tracking = (word("tracking") + pp.Opt(NAME)).set_parse_action(_of_names(Tracking))

GRAMMAR = (
    (SC + roll).set_name("sc strike, sc cinder")
    | roll.set_name("strike, cinder")
    | (SC + mind).set_name("sc mind")
    | (SC + resist).set_name("sc resist")
    | (SC + assist).set_name("sc assist")
    | (SC + open_encounter).set_name("sc encounter open")
    | (SC + close_encounter).set_name("sc encounter close")
    | (SC + join).set_name("sc join")
    | (SC + luck).set_name("sc luck")
    | (SC + leave).set_name("sc leave")
    | (SC + tracking).set_name("sc tracking")
)
