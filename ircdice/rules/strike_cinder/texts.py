"""The texts of Strike & Cinder: its rules for `help`, and the words of a reply."""

from __future__ import annotations

from grammars import strike_cinder as sc
from ircdice.rules.strike_cinder import judging
from ircdice.settings import HouseRules

WORDS = {
    "success": "Success",
    "hit": "Hit",
    "critical_hit": "Critical hit",
    "miss": "Miss",
    **{label: name for _, label, name in reversed(judging.SUCCESS_RANGE)},
    "resisted": "Resisted",
    "overcome": "Overcome",
    "aware": "aware",
    "assist2": "gives assist2, +2 dice, to the recipient's next roll of that pool",
    "no_assist": "gives no assistance, not even +1",
    "helper_busy": "the helper makes no other roll that has an effect in this post",
    "assisted": "assist2 of a helper is in it, and spent",
    "moon_idle": "fullmoon has no effect on Strike",
}
CHANCES = (
    {"hit": ("hit", "critical_hit"), "miss": ("miss",)},
    {"success": ("success",), "failure": ("failure",)},
    {
        "overcome": ("overcome", "aware"),
        "resisted": ("resisted",),
        "the attack fails": ("partial_failure", "failure", "critical_failure"),
    },
)
SHORT = {"critical_hit": "critical", "aware": "aware"}


def luck_of(name: str, luck: int, most: int) -> str:
    """`Encounter Luck 4/6`, with a note at 0 (SC-19)."""
    return f"{name} Luck {luck}/{most}{'' if luck else ', out of Luck'}"


_PATHS = [path for path in sc.PATHS.values() if path.strike]
_POOLS = ", ".join(f"{path.name} {path.strike}/{path.cinder or 'none'}" for path in _PATHS)
_DCS = ", ".join(f"{path.name} {path.dc}" for path in _PATHS)
_RANGE = ", ".join(f"{passes} {name}" for passes, _, name in judging.SUCCESS_RANGE)
_EXCHANGE = ", ".join(sc.PATHS[path].name for path in sc.EXCHANGE)
_TAGS = ", ".join(sc.TAGS)

RULES = {
    "SC-01": f'"sc strike N" and "sc cinder N" throw N six-sided dice, each of which passes at {judging.PASS} or more.',
    "SC-02": f"Each {judging.EXPLODES} rolls one more die, which may pass and explode again, without end.",
    "SC-03": f'"fullmoon" in a roll lets Cinder dice explode from {judging.MOON_EXPLODES} on, in "sc mind" those of '
    "both sides; Strike dice do not.",
    "SC-04": "dcN needs N passes: that many are a success, fewer a failure; against a target they are a hit or a miss.",
    "SC-05": f"Without a DC the passes decide, on the Success Range: from {_RANGE}.",
    "SC-06": f"A Path gives its dice, Strike/Cinder: {_POOLS}; a manifested Spirit strikes with "
    f"{sc.FORMS[sc.MANIFESTED]}.",
    "SC-07": f"A Human has no Cinder but the {sc.FORMS[sc.RITUAL]} dice of a ritual, which no other Path has.",
    "SC-08": f"After vs a Path gives its Defense DC: {_DCS}; shifted {sc.SHIFTED_DC}, manifested "
    f"{sc.MANIFESTED_DC}; a dcN in the same roll replaces it.",
    "SC-09": f"Cinder meets a Spirit at DC {sc.MANIFESTED_DC}, whether it is manifested or not.",
    "SC-10": f"A hit drains 1 Luck; with {judging.CRITICAL} passes or more it is a critical hit and drains "
    f"{judging.MOST_DRAINED}.",
    "SC-11": "After vs, silver on a Shifter and sunlight on an Undying make a Strike hit drain "
    f"{judging.MOST_DRAINED} Luck, never more, and salt hits a Spirit whatever is thrown.",
    "SC-12": "Before vs, the weakness of your own Path takes dice: silver -1 Strike of a Shifter and -1 Cinder of an "
    "Undying, skyiron -1 Cinder of a Half-Blood, salt -1 Cinder of a Possessed; sunlight brings an Undying's Strike "
    "down to 4.",
    "SC-13": "+N and -N change the number of dice, which is at least 1.",
    "SC-14": "assist adds 1 die and assist2 adds 2; one of them, once, as well as any +N.",
    "SC-15": f'"sc assist cinder 6 for bob" gives bob {judging.STRONG_ASSIST} dice on his next roll of that pool if it '
    "is Exceptional, and else nothing.",
    "SC-16": '"sc mind" attacks a mind with Cinder: it is resisted with as many passes, otherwise overcome; aware if '
    "it resisted in vain with a Complete Success.",
    "SC-17": "Without Cinder there is no resistance to magic on the mind, except a Human's ironwill, "
    f"{sc.FORMS[sc.IRONWILL]} dice.",
    "SC-18": f"Luck is {judging.LUCK} for every Path, one more for a skill rank of {judging.RANK_FOR_ONE}, two more "
    f"from rank {HouseRules().luck_rank_for_two} unless the config says otherwise, and one for Exchange Equipment of "
    f"{_EXCHANGE}.",
    "SC-19": "In an encounter hits drain the Luck of their target, never below 0: then they are out of Luck.",
    "SC-20": '"sc tracking" writes down what was rolled in the encounter, with tags, ready for a forum.',
    "SC-21": '"discard #ID" sets a roll aside in public: it never counts again, and Luck that it drained comes back.',
    "SC-22": "Characters meet one another's Defense DC; only magic on a mind is resisted with dice.",
    "SC-23": "Only rolls in the official channel count for advancement.",
    "SC-24": "A name of the open encounter after vs is attacked at its Defense DC, and a hit drains its Luck.",
    "SC-25": "A Path after a number of dice says who rolls, and leaves the number as it is.",
    "SC-26": '"sc encounter open NAME luck N" begins an encounter, with dc N, strike N and cinder N if it has them, '
    'and "sc encounter close" ends it; "sc join NAME PATH" and "sc leave NAME" say who is in it, "sc luck" shows or '
    'changes Luck, and a roll "as NAME" needs no number.',
    "SC-27": '"as NAME" rolls for a character or the Encounter, and who plays one character rolls for it anyway; '
    f"{_TAGS} is a roll's tag, words after # its keyword.",
    "SC-28": '"sc tracking NAME" is that character\'s post, sent in private, one part a line, the Luck at its end.',
}
