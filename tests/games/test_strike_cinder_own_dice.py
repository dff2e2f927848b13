"""Strike & Cinder: rolls for which no dice are said, in an encounter that knows them (SC-26)."""

import pytest

from grammars.strike_cinder import Join, OpenEncounter, Pool, Roll, Target
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate, system_of
from ircdice.errors import RuleError
from ircdice.game import Event

WOLF = OpenEncounter("Wolf", 6, difficulty=3, strike=5, cinder=2)
GHOUL = OpenEncounter("Ghoul", 4, strike=7)
PATHS = (("vera", "Viktor", "arcanist"), ("hal", "Hal", "human"), ("sue", "Sue", "spirit"))
JOINED = tuple((nick, Join(name, path=path)) for nick, name, path in PATHS)


def unstated(kind, **more):
    return Pool(kind, **more)


@pytest.fixture
def encounter():
    """What a channel remembers once that Encounter is open and three characters have joined."""

    def opened(node):
        memory = system_of(node).memory()
        for nick, command in (("gm", node), *JOINED):
            memory.remember(Event(nick, command, evaluate(command, ScriptedDice(())), roll=1))
        return memory

    return opened


@pytest.mark.parametrize(
    ("nick", "node", "posted", "size"),
    [
        ("gm", Roll(unstated("strike"), character="Wolf"), "strike 5", 5),
        ("gm", Roll(unstated("cinder", changes=(1,)), character="Wolf"), "cinder 2 +1", 3),
        ("gm", Roll(unstated("strike"), Target(name="Viktor"), character="Wolf"), "strike 5 vs Viktor", 5),
        ("vera", Roll(unstated("cinder"), Target(name="Wolf")), "cinder arcanist vs Wolf", 7),
        ("gm", Roll(unstated("strike"), character="Viktor"), "strike arcanist", 4),
        ("hal", Roll(unstated("strike")), "strike human", 4),
        ("sue", Roll(unstated("cinder")), "cinder spirit", 6),
        ("vera", Roll(Pool("strike", 9), Target(name="Wolf")), "strike 9 vs Wolf", 9),
    ],
)
def test_sc_26_the_encounter_knows_the_dice(encounter, nick, node, posted, size):
    """SC-26: its own, or those of the character's Path; a number that is typed counts."""
    node = encounter(WOLF).prepared(node, nick)
    assert node.as_posted == posted
    assert len(evaluate(node, ScriptedDice((1,) * size)).dice) == size


@pytest.mark.parametrize(
    ("nick", "node", "sentence"),
    [
        (
            "gm",
            Roll(unstated("cinder"), character="Ghoul"),
            "Ghoul has no Cinder dice of its own: say how many, as sc cinder 5 as Ghoul.",
        ),
        (
            "hal",
            Roll(unstated("cinder")),
            "a Human has no Cinder, except for cinder human ritual, 4d6, and sc resist ironwill, 5d6.",
        ),
        ("vera", Roll(unstated("strike", weakness="silver")), "silver does not weaken the Strike of an Arcanist"),
        ("gm", Roll(unstated("strike")), "how many dice? Say a number, or a Path such as arcanist."),
    ],
)
def test_sc_26_dice_that_nobody_knows(encounter, nick, node, sentence):
    """SC-07, SC-12, SC-26: the reply gives the reason, and what the Path rules out is refused."""
    memory = encounter(GHOUL)
    with pytest.raises(RuleError, match="^" + sentence.replace("?", r"\?")):
        memory.prepared(node, nick)


def test_sc_26_no_encounter_knows_no_dice():
    """SC-26: without one, a number or a Path is asked for."""
    node = Roll(unstated("strike"))
    with pytest.raises(RuleError, match="how many dice"):
        system_of(node).memory().prepared(node, "vera")


def test_sc_26_an_encounters_dice_are_told():
    """SC-26: what it is opened with, in the reply and in its text."""
    told = system_of(WOLF).headline(WOLF, evaluate(WOLF, ScriptedDice(())))
    assert told == "the encounter opens, Wolf Luck 6/6, DC 3, Strike 5, Cinder 2"
    assert str(WOLF) == "sc encounter open Wolf luck 6 dc3 strike 5 cinder 2"


@pytest.mark.parametrize("dice", [{"strike": 0}, {"cinder": 101}])
def test_sc_26_an_encounter_has_1_to_100_dice(dice):
    """SC-13, GEN-15"""
    with pytest.raises(ValueError, match="the number of dice is 1 to 100"):
        OpenEncounter("Wolf", 6, **dice)
