"""The texts that the ledger records for commands: one of each kind."""

import pytest

import grammars
from grammars import catalogue
from grammars.command import AgainstDifficulty, Holding, Node, TwoSided
from grammars.generic.nodes import Throws
from grammars.strike_cinder import Throw

BASES = {AgainstDifficulty, Holding, Throw, Throws, TwoSided}
TEXTS = """
v5: roll 5d10 h2 dc3
v5: roll 6d10 h2 vs @bob
v5: rouse
v5: wp
v5: hunger 2
v5: autowin 9 dc4 h1
beat_eight: b8 t4 a1
beat_eight: b8 t4 vs @bob
beat_eight: b8 impossible
crossroads: xr 3d6 a1 n2
crossroads: xr 3d6 vs @bob
crossroads: xr group 3d6; 3d6 a1; 3d6 d1
crossroads: xr group -1 0 0 1
crossroads: xr group open
crossroads: xr group close
crossroads: xr damage 2h1l a1 b1
crossroads: xr keep 1 2 4
crossroads: xr reroll 1
crossroads: xr reaction
crossroads: xr endturn
crossroads: xr fate
crossroads: xr fate spend
crossroads: xr fate end bob die
fayrewood: toss d8 d6 dc7
fayrewood: toss d8 d6 vs @bob
fayrewood: sweep d12 d12 dc5
strike_cinder: sc strike 6
strike_cinder: sc assist cinder 6 for bob
strike_cinder: sc mind 7 vs 5
strike_cinder: sc resist 5
strike_cinder: sc encounter open Ghoul luck 6 dc3 strike 5 cinder 4
strike_cinder: sc encounter close
strike_cinder: sc join Viktor arcanist rank 4 exchange
strike_cinder: sc luck
strike_cinder: sc leave Viktor
strike_cinder: sc tracking
generic: roll 4d6k3
generic: roll 1d20+5 >= 15
generic: roll 1 100
generic: 3x roll 4d6k3
generic: odds roll 4d6k3 full
generic: again h3
generic: pass
generic: withdraw #4d
generic: close #4d
generic: discard #4d
generic: contests
generic: channel system fayrewood
generic: hints off
generic: page renew in #FU_Dice
generic: status in #FU_Dice
generic: reload
generic: help messy
generic: about
generic: play Viktor
generic: characters
generic: character Viktor rename Victor
generic: npc Thug
generic: init +3
generic: init
generic: init next
generic: init drop Ghoul
generic: init end
generic: log alice 10
generic: log scene
generic: stats alice
generic: macro punch = roll 7d10 h2 dc2
generic: macros
generic: scene Harbour
generic: scene end
generic: scene
generic: difficulty 9 for bob in #FU_Dice
generic: secret roll 5d10 in #FU_Dice
generic: blind roll 5d10
generic: secrets
generic: reveal #4d
generic: table add weather = sun | rain | fog x2
generic: table drop weather
generic: table weather
generic: deck tarot shuffle
generic: deck tarot left 1f by 1
generic: table
generic: track hunger 2
generic: track hunger
generic: trackers
generic: undo #4d
generic: verify #4d
generic: stir our own words
generic: fair
"""
EACH = [tuple(line.split(": ", 1)) for line in TEXTS.strip().splitlines()]


@pytest.mark.parametrize(("game", "text"), EACH, ids=lambda each: each)
def test_led_16_commands_are_recorded_in_these_words(game, text):
    """LED-16: a renamed class, field or word does not change the text of a command."""
    assert str(grammars.parse(text, game, called=True)) == text


def test_led_16_no_command_is_missing_here():
    """LED-16: each kind of command is in the table above."""
    catalogue.grammars_found()
    kinds = {kind for kind in _below(Node) if kind.__module__.startswith("grammars.")} - BASES
    assert {type(grammars.parse(text, game, called=True)) for game, text in EACH} == kinds


def _below(kind):
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
