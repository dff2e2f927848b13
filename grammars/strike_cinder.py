"""Strike & Cinder: `sc cinder 5`, `sc strike 6 vs undying`, `sc mind 7 vs @bob`, and encounters with their Luck.

The seed's tables, the terms of the help and the commands themselves are in `strike_cinder_nodes.py`. Ids such as SC-06
are rules of the specification; the bot explains one at `help SC-06`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import pyparsing as pp

from grammars.errors import ImpossibleError
from grammars.names import ONE_WORD, one_word
from grammars.opposed import nick_without_at, sides
from grammars.strike_cinder_nodes import (
    ASSIST,
    CINDER,
    IRONWILL_IS_FOR,
    LIKE_A_CLAUSE,
    PATHS,
    POOLS,
    SHIFTED_IS_FOR,
    SHORT_PATHS,
    STATES,
    TAGS,
    TERMS,
    WEAKENING,
    Assist,
    CloseEncounter,
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
)
from grammars.tokens import (
    END,
    NICK_PATTERN,
    THE_END,
    Clause,
    Token,
    at_nick,
    builds,
    choice,
    clauses,
    command_word,
    flag,
    keyed,
    made_by,
    refused,
    values_of,
    word,
)

KEYWORDS = ("sc", "strike", "cinder", "luck")
ONLY_CALLED = ("luck",)  # GEN-10
ONLY_HERE = ("strike", "cinder")  # `strike 6`: short for `sc strike 6` where this game is played
# GEN-03: once a number follows, these are no talk, and a comment may follow: `sc strike 6 brawler`. `sc strike` alone
# is talk, unless the bot is called (SC-26).
CERTAIN = ("sc strike", "sc cinder")
# Words that no command takes: "did you mean ..." and help look them up.
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
    "sc luck": "everybody's Luck; `sc luck Viktor -1` changes one's, and `!luck` tells you alone",
    "sc tracking": "what was rolled, ready to paste, in private; `sc tracking Viktor` as Viktor's post",
}
HELP = TERMS

A_NAME = rf"(?:{NICK_PATTERN}|{ONE_WORD})(?=[\s.,!?#]|$)"
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

# What is made of clauses. `values_of` refuses a clause that is given twice; tuples are joined, as those of `+1 +2`.


def _roll(clauses: Sequence[Clause]) -> Roll:
    """SC-01 to SC-14: `vs` is followed by a target."""
    own, theirs = sides(clauses)
    # Refuses a second `vs`.
    values_of([clause for clause in clauses if clause.name == "vs"])
    target = Target(**values_of(theirs, Target)) if theirs else None
    return Roll(Pool(**values_of(own, Pool)), target, **values_of(clauses, Roll))


def _mind(clauses: Sequence[Clause]) -> Mind:
    """SC-16: `vs` is followed by dice, a Human, or `@nick`."""
    own, theirs = sides(clauses)
    dice = values_of(theirs, Pool)
    other = Pool(CINDER, **dice) if dice else None
    return Mind(Pool(CINDER, **values_of(own, Pool)), other, **values_of(clauses, Mind))


def _resist(clauses: Sequence[Clause]) -> Resist:
    """SC-16, SC-17."""
    return Resist(Pool(CINDER, **values_of(clauses, Pool)), **values_of(clauses, Resist))


def _assist(clauses: Sequence[Clause]) -> Assist:
    """SC-15."""
    return Assist(Pool(**values_of(clauses, Pool)), **values_of(clauses, Assist))


def _number(match: re.Match[str]) -> int:
    """SC-01: a number of dice, which are six-sided."""
    if match["sides"] not in (None, "6"):
        raise ImpossibleError("Strike & Cinder is rolled with d6", typed=True)
    return int((match["number"] or "1").replace(" ", ""))


def _rank(match: re.Match[str]) -> int:
    """SC-18."""
    rank = match["rank"].lower()
    return ROMAN.index(rank) + 1 if rank in ROMAN else int(rank)


def name(clause: str, pattern: str = A_NAME) -> Token:
    """A name: the clause `clause`."""
    pattern = rf"@?(?P<name>(?=[^0-9.@-]){pattern})"
    return Token("NAME", pattern, clause=clause, value=lambda match: match["name"])


# Words and numbers. END ends a word; THE_END is the end of the line, or `#` or `for` before a comment.
# `numbered`: a number follows its words; `tight`: one may, without a space.

SC = command_word("sc")
KIND = Token(  # SC-01: `strike6` too
    "strike or cinder",
    r"(?:strike|cinder)(?![a-z])",
    POOLS,
    clause="kind",
    value=lambda match: match[0].lower(),
    numbered=True,
)
DICE = Token(  # SC-01: `6`, `6d6`, `d6`
    "6 or 6d6",
    r"(?:(?P<number>[0-9]+)|(?=d[0-9]))(?:\s?d\s?(?P<sides>[0-9]+)|(?!\s?d\s?[0-9]))(?!\.?[0-9])",
    clause="dice",
    value=_number,
)
CHANGE = Token(  # SC-13
    "+1",
    r"(?P<number>[-+]\s*[0-9]+)(?:\s*d\s*(?P<sides>[0-9]+))?(?!\.?[0-9])",
    clause="changes",
    value=lambda match: (_number(match),),
)
ASSISTED = Token(  # SC-14
    "assist2",
    rf"assist(?:\s*(?P<dice>[0-9]+)(?:\s*d\s*6)?)?{END}",
    ASSIST.values(),
    clause="assist",
    value=lambda match: int(match["dice"] or "1"),
)
PATH = choice("path", {path: path for path in PATHS} | SHORT_PATHS)  # SC-06: in place of dice, or after them
WEAKNESS = choice(  # SC-11, SC-12: with the Path that has it
    "weaknesses", {w: (w,) for w in WEAKENING} | {"sky-iron": ("skyiron",), "true sunlight": ("sunlight",)}
)
MANIFESTED = flag("manifested")  # SC-06: the Strike of a Spirit that rolls
STATE = choice("states", {state: (state,) for state in STATES})  # SC-08: of an Afflicted Shifter, of a Spirit
RITUAL = flag("ritual")  # SC-07: with cinder human
IRONWILL = flag("ironwill", "ironwill", "iron-will", "human ironwill", "human iron-will")  # SC-17: to resist with
HUMAN = flag("human")  # SC-17: no Cinder to resist with
FULLMOON = flag("fullmoon", "fullmoon", "full-moon")  # SC-03: idle on Strike
DC = keyed("dc", "difficulty diff dc")  # SC-04
TAG = choice("tag", {tag: tag for tag in TAGS})  # SC-27
VERSUS = flag("vs", "vs.", "vs")
NICK = at_nick()
NEW_NAME = one_word()
NAME = name("name", rf"(?!for\s|{LIKE_A_CLAUSE.pattern}{END}){A_NAME}")  # SC-24, SC-26

# What is typed and cannot be. `asked`: it is refused in answer to uncalled lines too (GEN-12); `instead`: what the
# command that is offered has in its place.

SHIFTED = refused("shifted", rf"shifted{END}", SHIFTED_IS_FOR, asked=True)  # before vs
NO_IRONWILL = refused("ironwill", rf"iron[\s-]?will{END}", IRONWILL_IS_FOR, asked=True)
LONE_NUMBER = refused(  # GEN-05, GEN-12
    "3",
    r"(?P<number>[0-9]+)(?:\s?d\s?[0-9]+)?(?!\.?[0-9])",
    '"vs {}" could be a difficulty, dc{number}, or a pool; only sc mind has a pool after vs.',
    asked=True,
)
OPPONENT = refused(  # SC-22
    "@nick", "@", "only sc mind is opposed by a roll: write the target's Path, as vs human, or its name without @."
)
NOT_THEIRS = refused(
    "+1",
    rf"[-+]\s*[0-9]+|(?:assist\s?[0-9]?|ritual|iron[\s-]?will){END}",
    "{} after vs would be the target's, who rolls nothing: put it before vs.",
    asked=True,
)
NOT_JUDGED = "{} means nothing here: mind, resist and assist are judged on the Success Range."  # SC-15, SC-16
NO_DC = refused("dc3", r"(?:dc|difficulty|diff)\s*[:=]?\s*[0-9]+", NOT_JUDGED)
NO_VS = refused("vs", rf"vs{END}", NOT_JUDGED)

ARTICLE = refused("a", r"(?:an?|the)\s+(?=[a-z])", 'write the target without "{}".', asked=True, instead="")
NO_AT = nick_without_at("dice, as 5, a Path, ironwill")  # GEN-06

# Rolls: dice, as `6`, then clauses in any order, as `undying +1 dc3`; a Path may stand in place of the dice.

allowed = CHANGE | ASSISTED | PATH | WEAKNESS | MANIFESTED | RITUAL
refused_here = SHIFTED | NO_IRONWILL
own = allowed | refused_here
shared = FULLMOON | TAG
dc = DC | VERSUS.suppress() + DC
speaker = word("as") + name("speaker")  # SC-27

whom = (ARTICLE | PATH | NOT_THEIRS | OPPONENT | LONE_NUMBER | NAME).set_name("a Path or a name, as vs human")
target = (WEAKNESS | STATE)[...] + whom + clauses(PATH | WEAKNESS | STATE | NOT_THEIRS | shared | dc | speaker | VERSUS)
roll = KIND + pp.Opt(DICE) + clauses(own | shared | dc | speaker) + pp.Opt(VERSUS - target)
roll.set_parse_action(made_by(_roll, asked=True))

resists = (IRONWILL | own | shared | NO_DC).set_name("what resists")
resistance = (IRONWILL | DICE | ~HUMAN + WEAKNESS[...] + PATH) + clauses(resists)
defender = ARTICLE | NICK + clauses(shared) | resistance | HUMAN + clauses(shared) | NO_AT
defender.set_name("dice, as 5, a Path, ironwill or @nick")
mind = word("mind", tight=True) + pp.Opt(DICE) + clauses(own | shared | NO_DC) + pp.Opt(VERSUS - defender)
mind.set_parse_action(made_by(_mind, asked=True))
resist = word("resist", tight=True) + pp.Opt(DICE) + clauses(resists | NO_VS)
resist.set_parse_action(made_by(_resist, asked=True))
recipient = word("for") + name("recipient") + THE_END
assist = word("assist") + KIND + pp.Opt(DICE) + clauses(own | shared | NO_DC | NO_VS) + pp.Opt(recipient)
assist.set_parse_action(made_by(_assist, asked=True))

# Encounters.

LUCK_OF = keyed("luck", "luck").set_name("Luck, as luck 6")
STRIKE_OF = keyed("strike", "strike")
CINDER_OF = keyed("cinder", "cinder")
RANKS = "|".join(sorted(ROMAN, key=len, reverse=True))
RANK = Token("rank 4", rf"rank\s*(?P<rank>[0-9]+|{RANKS}){END}", ("rank",), clause="rank", value=_rank, numbered=True)
EXCHANGED = flag("exchange", "exchange equipment", "exchange")
BY = Token("-1", r"[-+]\s*[0-9]+(?!\.?[0-9])", clause="change", value=lambda match: int(match[0].replace(" ", "")))
NEW_LUCK = refused("3", r"[0-9]+(?!\.?[0-9])", "Luck is changed by +N or -N, you wrote {}.", asked=True)

others = clauses(DC | STRIKE_OF | CINDER_OF)
open_encounter = word("encounter") + word("open", "start") + NEW_NAME + others - LUCK_OF + others
open_encounter.set_parse_action(builds(OpenEncounter, asked=True))
close_encounter = (word("encounter") + word("close")).set_parse_action(builds(CloseEncounter))
join = (word("join") + pp.Opt(~PATH + NEW_NAME) + PATH + clauses(RANK | EXCHANGED)).set_parse_action(
    builds(Join, asked=True)
)
whose = pp.Opt(NAME + pp.Opt(BY | NEW_LUCK))
luck = (word("luck") + whose).set_parse_action(builds(Luck))
my_luck = (command_word("luck") + whose).set_parse_action(builds(partial(Luck, aside=True)))
leave = (word("leave") + NAME).set_parse_action(builds(Leave))
tracking = (word("tracking") + pp.Opt(NAME)).set_parse_action(builds(Tracking))

# GEN-03: after a complete command that cannot be talk (CERTAIN, or with dice or a number with its key) the rest of the
# line is a comment: `sc strike 6 brawler`. Words such as "plus three" are asked about (reading.py).
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
    | my_luck.set_name("luck")
    | (SC + leave).set_name("sc leave")
    | (SC + tracking).set_name("sc tracking")
)
