"""The rules of Strike & Cinder by their ids, a sentence each, as `help SC-05` tells them."""

from grammars import strike_cinder_nodes as t
from ircdice.rules.strike_cinder.judging import CRITICAL, EXPLODES, MOON_EXPLODES, MOST_DRAINED, PASS, STRONG_ASSIST
from ircdice.settings import HouseRules

_PATHS = [path for path in t.PATHS.values() if path.strike]
_POOLS = ", ".join(f"{path.name} {path.strike}/{path.cinder or 'none'}" for path in _PATHS)
_DCS = ", ".join(f"{path.name} {path.dc}" for path in _PATHS)
_RANGE = ", ".join(f"{passes} {name}" for passes, _, name in t.SUCCESS_RANGE)
_TAGS = ", ".join(t.TAGS)

RULES = {
    "SC-01": f'"sc strike N" and "sc cinder N" throw N six-sided dice, each of which passes at {PASS} or more.',
    "SC-02": f"A {EXPLODES} brings one more die, which may pass and bring another, without end.",
    "SC-03": f"Under the full moon Cinder dice bring one more from {MOON_EXPLODES} on; Strike dice do not.",
    "SC-04": "dcN asks for N passes: that many are a success, fewer a failure.",
    "SC-05": f"Without a DC the passes decide, on the Success Range: from {_RANGE}.",
    "SC-06": f"A Path stands for its dice, Strike/Cinder: {_POOLS}; a manifested Spirit strikes with "
    f"{t.MANIFESTED_STRIKE}.",
    "SC-07": f"A Human has no Cinder but the {t.RITUAL_DICE} dice of a ritual, which no other Path has.",
    "SC-08": f"After vs a Path gives its Defense DC: {_DCS}; shifted {t.SHIFTED_DC}, manifested "
    f"{t.MANIFESTED_DC}; a dcN in the same roll replaces it.",
    "SC-09": f"Cinder meets a Spirit at DC {t.MANIFESTED_DC}, whether it is manifested or not.",
    "SC-10": f"A hit drains 1 Luck; with {CRITICAL} passes or more it is critical and drains {MOST_DRAINED}.",
    "SC-11": "After vs, silver on a Shifter and sunlight on an Undying make a Strike hit drain "
    f"{MOST_DRAINED} Luck, never more, and salt hits a Spirit whatever is thrown.",
    "SC-12": "Before vs, what your own Path cannot bear takes dice from the pool: silver, skyiron, salt or sunlight.",
    "SC-13": "+N and -N change the number of dice, which is at least 1.",
    "SC-14": "assist adds 1 die and assist2 adds 2; one of them, once, as well as any +N.",
    "SC-15": f'"sc assist cinder 6 for bob" gives bob {STRONG_ASSIST} dice on his next roll of that pool if it is '
    "Exceptional, and else nothing.",
    "SC-16": '"sc mind" attacks a mind with Cinder, and the target holds with as many passes; one that fails with a '
    "Complete Success knows of it.",
    "SC-17": "Without Cinder there is no resistance to magic on the mind, except a Human's ironwill, "
    f"{t.IRONWILL_DICE} dice.",
    "SC-18": f"Luck begins at {t.LUCK}, one more for a skill rank of 2, two more from rank "
    f"{HouseRules().luck_rank_for_two}, and one for Exchange Equipment where the Path may have it.",
    "SC-19": "In an encounter hits drain the Luck of their target, never below 0: then they are out of Luck.",
    "SC-20": '"sc tracking" writes down what was rolled in the encounter, with tags, ready for a forum.',
    "SC-21": '"discard #ID" sets a roll aside in public: it never counts again, and Luck that it drained comes back.',
    "SC-22": "Characters meet one another's Defense DC; only magic on a mind is resisted with dice.",
    "SC-23": "Only rolls in the official channel count for advancement.",
    "SC-24": "A name of the open encounter after vs is attacked at its Defense DC, and a hit drains its Luck.",
    "SC-25": "A Path after a number of dice says who rolls, and leaves the number as it is.",
    "SC-26": '"sc encounter open" begins an encounter, perhaps with dice of its own, "sc join" and "sc leave" say who '
    'is in it, "sc luck" tells or changes Luck, "sc encounter close" ends it; a roll "as" one of them needs no number.',
    "SC-27": '"as NAME" rolls for a character or the Encounter, and who plays one character rolls for it anyway; '
    f"{_TAGS} is a roll's tag, words after # its keyword.",
    "SC-28": '"sc tracking NAME" is that character\'s post, sent in private, one part a line, the Luck at its end.',
}
