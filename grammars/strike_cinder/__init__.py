"""Strike & Cinder: `sc cinder 5`, `sc strike 6 vs undying`, `sc mind 7 vs @bob`. Knows the words; rolls nothing."""

from __future__ import annotations

import pyparsing as pp

from grammars.strike_cinder.encounters import (
    ENCOUNTERS,
    CloseEncounter,
    Join,
    Leave,
    Luck,
    OpenEncounter,
    Tracking,
)
from grammars.strike_cinder.nodes import Assist, Mind, Resist, Roll
from grammars.strike_cinder.pools import ImpossibleError, Pool
from grammars.strike_cinder.reading import ROLLS
from grammars.strike_cinder.tables import BANES, PATHS, STATES, SUCCESS_RANGE, TAGS, WEAKNESSES
from grammars.strike_cinder.tables import LUCK as LUCK_AT_FIRST
from grammars.strike_cinder.targets import Standing, Target

__all__ = [
    "EXAMPLES",
    "GRAMMAR",
    "HELP",
    "KEYWORDS",
    "Assist",
    "CloseEncounter",
    "ImpossibleError",
    "Join",
    "Leave",
    "Luck",
    "Mind",
    "OpenEncounter",
    "Pool",
    "Resist",
    "Roll",
    "Standing",
    "Target",
    "Tracking",
]

KEYWORDS = ("sc",)
TAKES_DICE = ()
EXAMPLES = {
    "sc strike 6": "six dice on the Success Range; a 4 or more passes, a 6 explodes",
    "sc cinder arcanist": "the dice of a Path in place of a number; `sc cinder 9 arcanist` for one who has grown",
    "sc cinder 5 +1 assist fullmoon dc3": "against a DC, with a bonus, a helper and the full moon",
    "sc strike 6 vs afflicted shifter shifted silver": "an attack: hit or miss, and the Luck it drains",
    "sc strike undying sunlight": "a weakness of one's own stands before vs, the target's behind it",
    "sc mind 7 vs 5": "magic on a mind, and the target's dice against it",
    "sc mind 7 vs @bob": "the same, resisted by bob with `sc resist 5`, `sc resist ironwill` or `pass`",
    "sc resist 5": "resist magic on your mind; a Human who has it says `sc resist ironwill`",
    "sc assist cinder 6 for bob": "try to give bob two dice for his next Cinder roll",
    "sc cinder human ritual": "a Human's four dice in a ritual",
    "sc cinder 5 cantrip # Fire": "with its tag and keyword for the tracking",
    "sc encounter open Encounter luck 6 dc3": "an encounter begins; `sc encounter close` ends it",
    "sc join Viktor arcanist rank 4 exchange": "a character with their Luck joins, and is posted with your rolls, as"
    " `Viktor (alice)`; `sc leave Viktor`",
    "sc strike 9 vs Encounter": "an attack that drains tracked Luck; `as Encounter` rolls for it",
    "sc luck": "everybody's Luck; `sc luck Viktor -1` changes one's",
    "sc tracking": "what was rolled, ready to paste, in private; `sc tracking Viktor` as Viktor's post",
}


def _listed(values: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


HELP = {
    "luck": (
        f"Luck is {LUCK_AT_FIRST} for every Path, one more for a skill of rank II, two more from rank IV on (or as the "
        "config says), and one more by Exchange Equipment for Human Paths and Half-Bloods.",
        "In an encounter a hit drains 1 of its target's, a critical hit or a weakness 2; at 0 one is out of Luck.",
    ),
    "paths": (
        "Strike / Cinder dice: "
        + _listed({p.name: f"{p.strike}/{p.cinder or 'none'}" for p in PATHS.values() if p.strike})
        + "; a manifested Spirit has Strike 4, a Human in a ritual Cinder 4.",
        "Defense DC: "
        + _listed({p.name: p.dc for p in PATHS.values() if p.strike})
        + "; shifted 5, a Spirit manifested or met by Cinder 2.",
    ),
    "passes": (
        "Success Range: from " + _listed({str(at): name for at, _, name in SUCCESS_RANGE}) + " passes.",
        "A die passes at 4 or more; a 6 rolls one more die, under the full moon a Cinder die's 5 as well.",
    ),
    "weaknesses": (
        "Before vs, of the roller: silver -1 Strike of a Shifter, -1 Cinder of an Undying; skyiron -1 Cinder of a "
        "Half-Blood; salt -1 Cinder of a Possessed; sunlight brings an Undying's Strike down to 4.",
        "Behind vs, of the target: silver against a Shifter and sunlight against an Undying make a Strike hit drain 2 "
        "Luck; salt bypasses a Spirit's DC.",
    ),
}
WORDS = (
    *(
        "strike",
        "cinder",
        "mind",
        "resist",
        "assist",
        "assist2",
        "dc",
        "diff",
        "difficulty",
        "vs",
        "fullmoon",
        "ironwill",
    ),
    *("encounter", "join", "luck", "leave", "tracking", "rank", "exchange"),
    *("ritual", "half", "blood", "halfblood", "sky", "iron", "true", "full", "moon", "natural", "afflicted"),
    *(path for path in PATHS if " " not in path),
    *dict.fromkeys(entry.word for entry in (*WEAKNESSES, *BANES)),
    *(*STATES, *TAGS),
)
MARKS = ("dc", "vs")
SHAPES = r"[-+][0-9]+"
GRAMMAR = pp.MatchFirst([*ROLLS, *ENCOUNTERS])
