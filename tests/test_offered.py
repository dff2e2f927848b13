"""What a hint offers (GEN-11): a command that works, and all that was meant in it."""

import pytest

import grammars

KEEPS_ALL = [  # system, what is typed, the hint
    # figures and signs
    ("v5", "roll 5d10 hunger two dificulty three", "roll 5d10 h2 dc3"),
    ("v5", "roll 3d6 == 11", "roll 3d6 = 11"),
    ("generic", "roll 1d20+5 => 15", "roll 1d20+5 >= 15"),
    ("generic", "roll 2d6 plus 3 # of us", "roll 2d6+3"),
    # parentheses
    ("v5", "roll (3d6", "roll 3d6"),
    ("v5", "roll ((3d6+2) * 2", "roll (3d6+2)*2"),
    ("generic", "roll (3d6+2)*2)", "roll (3d6+2)*2"),
    # the dice stand first
    ("v5", "roll h2 5d10", "roll 5d10 h2"),
    ("v5", "roll h2 dc3 5d10", "roll 5d10 h2 dc3"),
    ("v5", "v5 h2 3+4", "v5 3+4 h2"),
    ("v5", "roll h2 5d10 vs 4d10", "roll 5d10 h2 vs 4d10"),
    ("v5", "roll adv d20+5", "roll 2d20k1+5"),
    # a pool of numbers is the other word's
    ("v5", "roll 3+4 h2", "v5 3+4 h2"),
    ("beat_eight", "help beat-eight", "help beat_eight"),
    # several dice
    ("v5", "roll d6,d8", "roll 1d6+1d8"),
    ("v5", "roll d6, d8, d10", "roll 1d6+1d8+1d10"),
    ("v5", "roll 5d10 and 3d6", "roll 5d10+3d6"),
    ("generic", "roll d6 & d8", "roll 1d6+1d8"),
    ("generic", "roll 2d6; roll d8", "roll 2d6+1d8"),
    ("generic", "roll d6 d8", "roll 1d6+1d8"),
    ("generic", "roll d 20", "roll 1d20"),
    ("generic", "roll 2d6 2d8", "roll 2d6+2d8"),
    ("v5", "roll 5d1o h2", "roll 5d10 h2"),
    ("generic", "roll d20 adv +5", "roll 2d20k1+5"),
    ("generic", "roll 2d6×2", "roll 2d6*2"),
    ("v5", "roll 6d10 h2 against @bo", "roll 6d10 h2 vs @bo"),
    # what stands between two levels
    ("fayrewood", "toss 3+2", "toss d8 d6"),
    ("fayrewood", "toss 3 & 2 dc7", "toss d8 d6 dc7"),
    ("fayrewood", "toss d8+d6", "toss d8 d6"),
    ("fayrewood", "toss 3 and 2", "toss d8 d6"),
    ("fayrewood", "sweep 3+2 dc3", "sweep d8 d6 dc3"),
    # small words between, numbers in front of what they count, and vs before a difficulty
    ("v5", "roll 5d10 with 2 hunger and difficulty 3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 at difficulty 3 and hunger 2", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 2 hunger", "roll 5d10 h2"),
    ("v5", "roll 5d10 2 hunger 3 difficulty", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 2h 3dc", "roll 5d10 h2 dc3"),
    ("beat_eight", "b8 4t 2x", "b8 t4 x2"),
    ("fayrewood", "toss 3 dc", "toss d8"),
    ("v5", "roll 5d10 h2 vs dc3", "roll 5d10 h2 dc3"),
    ("crossroads", "xr 3d6 with 2 advantage", "xr 3d6 a2"),
    ("fayrewood", "toss 3 2 with a boon", "toss d8 d6 boon"),
    ("fayrewood", "toss 3 2 vs dc7", "toss d8 d6 dc7"),
    ("strike_cinder", "sc strike 6 vs dc3", "sc strike 6 dc3"),
    # words that are one
    ("beat_eight", "b8 practically imposible", "b8 practically-impossible"),
    ("beat_eight", "b8 t4 great disadvantge", "b8 t4 great-disadvantage"),
    ("strike_cinder", "sc encounter open The Beast luck 6", "sc encounter open The-Beast luck 6"),
    ("strike_cinder", 'sc join "Big Bob" human', "sc join Big-Bob human"),
    ("strike_cinder", "sc luck Viktor 2", "sc luck Viktor +2"),
    ("crossroads", "xr end turn", "xr endturn"),
    ("crossroads", "xr re-roll 2", "xr reroll 2"),
    ("strike_cinder", "sc strike half blod", "sc strike half-blood"),
    # other spellings
    ("strike_cinder", "sc strike 6 versus human", "sc strike 6 vs human"),
    ("v5", "rouse x2", "rouse 2"),
    ("v5", "wp x2", "wp 2"),
    ("generic", "roll 4d6k 3", "roll 4d6k3"),
    ("generic", "roll 4d6 k 3", "roll 4d6k3"),
    ("v5", "roll 2d20kl 1+5", "roll 2d20kl1+5"),
    ("v5", "roll 2d6[fire]k1+3d6[cold]k1", "roll 2d6k1[fire]+3d6k1[cold]"),
    ("generic", "roll 2d6k1[fire]+3d6 [cold] kh1 # burn", "roll 2d6k1[fire]+3d6k1[cold]"),
    ("generic", "roll 4d6[might]ro<3kl + 2", "roll 4d6ro<3kl1[might]+2"),
    ("generic", "roll (2d6[fire]k1+3)*2", "roll (2d6k1[fire]+3)*2"),
    ("v5", "roll 6x 4d6[might]d1", "roll 6x 4d6dl1[might]"),
    ("generic", "roll 3d6 + 2d", "roll 3d6+2d6"),
    ("generic", "roll a d20", "roll 1d20"),
    ("crossroads", "xr reroll1", "xr reroll 1"),
    ("crossroads", "xr keep1 2 4", "xr keep 1 2 4"),
    ("crossroads", "xr keep 1-2-4", "xr keep 1 2 4"),
    # a letter twice
    ("v5", "roll 5d10 hh2 dc3", "roll 5d10 h2 dc3"),
    ("v5", "roll 5d10 h2 dcc3", "roll 5d10 h2 dc3"),
    ("beat_eight", "b8 tt4 a1", "b8 t4 a1"),
    ("fayrewood", "toss 32 dc7", "toss d8 d6 dc7"),
    ("fayrewood", "toss 12 8 dc7", "toss d12 d8 dc7"),
    # against somebody
    ("v5", "roll 6d10 h2 vs bob", "roll 6d10 h2 vs @bob"),
    ("v5", "roll 6d10 h2 @bob", "roll 6d10 h2 vs @bob"),
    ("v5", "roll 6d10 h2 vs @ bob", "roll 6d10 h2 vs @bob"),
    ("crossroads", "xr 3d6 vs bob", "xr 3d6 vs @bob"),
    ("beat_eight", "b8 t4 vs bob", "b8 t4 vs @bob"),
    ("beat_eight", "b8 t4 v t3", "b8 t4 vs t3"),
    ("fayrewood", "toss d8 d6 vs bob", "toss d8 d6 vs @bob"),
    ("fayrewood", "toss d8 d6 v d10 d4", "toss d8 d6 vs d10 d4"),
    ("strike_cinder", "sc mind 7 vs bob", "sc mind 7 vs @bob"),
    ("strike_cinder", "sc mind 7 v 5", "sc mind 7 vs 5"),
    ("strike_cinder", "sc mind 7 @bob", "sc mind 7 vs @bob"),
    ("strike_cinder", "sc strike 6 against undying", "sc strike 6 vs undying"),
    ("strike_cinder", "sc strike 6 vss undying", "sc strike 6 vs undying"),
    ("fayrewood", "toss 3 2 v 4 1", "toss d8 d6 vs d10 d4"),
    ("crossroads", "xr a1 v @bob", "xr 3d6 a1 vs @bob"),
    ("v5", "v5 3+4 v 3+2", "v5 3+4 vs 3+2"),
    # an id without its sign
    ("v5", "discard 4d", "discard #4d"),
    ("v5", "discard 12", "discard #12"),
    ("v5", "close 4", "close #4"),
    ("v5", "log 4d", "log #4d"),
    ("v5", "wp 2 4d", "wp 2 #4d"),
    ("v5", "wp 4d-27b5pk", "wp #4d-27b5pk"),
    ("crossroads", "xr reroll 1 fate 4d", "xr reroll 1 fate #4d"),
    # words that were not written to their end, and several slips
    ("strike_cinder", "sc track", "sc tracking"),
    ("strike_cinder", "sc enc open Ghoul luck 6", "sc encounter open Ghoul luck 6"),
    ("strike_cinder", "sc join Viktor arcanyst rnk 4", "sc join Viktor arcanist rank 4"),
]


def hinted(text, system):
    """What is offered to who calls, None where the text is a command itself."""
    try:
        grammars.read(text, system, True)
    except grammars.CommandSyntaxError as error:
        return error.hint
    return None


@pytest.mark.parametrize(("system", "text", "hint"), KEEPS_ALL)
def test_gen_11_a_hint_keeps_all_that_was_meant(system, text, hint):
    """GEN-11: no word of what was typed is lost where the command holds it written otherwise."""
    assert hinted(text, system) == hint
    assert hint is None or grammars.read(hint, system, True).comment is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("roll d6, d8", '", d8" could be added, 1d6 + d8, or be another roll, which has a line of its own.'),
        ("roll 2d6 then d8", '"then d8" could be added, 2d6 + d8, or be another roll, which has a line of its own.'),
        ("roll 2d6 2d8", '"2d8" could be added, 2d6 + 2d8, or be another roll, which has a line of its own.'),
        ("roll d20 vs ac 15", '"vs ac 15" could be a question, 1d20 >= 15?'),
        ("roll d6 d8", '"d8" could be one more die, d6 + d8, or drop 8, d6dl8.'),
        ("roll 6d6 [fire]>=5", '">=5" could count dice, 6d6>=5[fire], or ask, 6d6[fire] >= 5.'),
        ("roll (6d6)[fire]>=5", '">=5" asks about the whole, (6d6)[fire] >= 5.'),
        ("roll 3d6 == 11", '"== 11" could count dice, 3d6=11, or ask, 3d6 = 11.'),
        ("roll 2d6[a]k1+3d6[b]k1", "k1 stands before the label of its dice: 2d6k1[a]."),
        ("roll 6x 2d6k1[a]+3d6[b]!6", "!6 stands before the label of its dice: 3d6!6[b]."),
        ("roll 2d6 * x", "* wants a number or dice behind it."),
        ("roll 2d6*x", "* wants a number or dice behind it."),
        ("roll 2d6 / n # of us", "/ wants a number or dice behind it."),
    ],
)
def test_gen_12_what_reads_two_ways_is_asked(text, sentence):
    """GEN-12: dice behind dice, and signs with no number behind them, are no comment and no guess."""
    for system in ("v5", "generic"):
        with pytest.raises(grammars.CommandSyntaxError) as caught:
            grammars.parse(text, system)
        assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sc encounter", '"encounter" is not complete, or out of place.'),
        ("sc join Viktor arcanyst", '"join ..." is not understood.'),
        ("xr damage 2 heavy 1 light", '"heavy" is unknown.'),
        ("roll 3d6 + 2d", '"2d" wants its sides, as 2d6.'),
        ("discard 12", '"12" is no id: they begin with #, as #12.'),
    ],
)
def test_gen_04_what_is_known_is_not_called_unknown(text, sentence):
    """GEN-04, GEN-11: a sentence says no untruth of a word that means something."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "v5", called=True)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["roll 4d6 d1", "roll 4d6 d3", "roll 4d6d4", "roll 2d6 dl8", "roll 20d6 d4"])
def test_gd_08_a_blank_before_what_drops(text):
    """GD-02, GD-08: what cannot be a die more, or leaves dice lying, drops."""
    assert grammars.parse(text, "generic").expression.modifiers[0].name == "dl"


@pytest.mark.parametrize(
    ("text", "sentence", "hint"),
    [
        ("odds 5d10 full please", '"full" stands last of all.', "odds roll 5d10 full"),
        ("odds 5d10 ful", '"ful" is unknown.', "odds roll 5d10 full"),
        ("odds roll 5d10 h2 fulll", '"fulll" is unknown.', "odds roll 5d10 h2 full"),
        ("odds full 5d10 h2", "odds wants a command behind it.", "odds roll 5d10 h2 full"),
        ("odds full roll 5d10 h2", "odds wants a command behind it.", "odds roll 5d10 h2 full"),
        ("odds 4d6k3 in ful", '"ful" is unknown.', "odds roll 4d6k3 full"),
    ],
)
def test_dsk_09_full_is_hinted_at(text, sentence, hint):
    """DSK-09, GEN-03: a word within a letter of `full` may have been meant, and so may `full` that is not the last."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(text, "v5")
    assert (str(caught.value), caught.value.hint) == (sentence, hint)
    assert grammars.parse(hint, "v5").full


@pytest.mark.parametrize(
    "text", ["odds full", "odds FULL", "odds full full", "odds full Full full 5d10", "odds full odds"]
)
def test_dsk_09_full_alone_is_no_command(text):
    """DSK-09, GEN-03: with nothing behind it there is nothing to ask about, and what is offered is another command."""
    with pytest.raises(grammars.CommandSyntaxError, match="odds wants a command behind it") as caught:
        grammars.parse(text, "v5", called=True)
    assert grammars.parse(caught.value.hint, "v5")


@pytest.mark.parametrize("text", ["6x 4d6k3", "(2d6+3)*2", "-1d6", "2d6[fire] + 1d8"])
def test_gen_08_odds_of_dice_without_their_word(text):
    """GEN-04, GEN-08: what begins with dice, or with what may stand in front of them, is a roll's."""
    assert grammars.parse(f"odds {text}", "v5") == grammars.parse(f"odds roll {text}", "v5")


@pytest.mark.parametrize("text", ["odds 5d10 full.", "odds 5d10 full!", "odds 5d10 FULL", "odds 5d10 full # please"])
def test_dsk_09_a_full_stop_behind_full(text):
    """DSK-09, GEN-02: the chart, whatever ends the sentence."""
    assert grammars.parse(text, "v5").full


@pytest.mark.parametrize("text", ["odds 5d10 # in full", "odds 5d10 for the full house", "odds 5d10 pulling him"])
def test_dsk_09_full_in_a_comment(text):
    """GEN-03: what stands behind # or for is said beside it."""
    assert not grammars.parse(text, "v5").full


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("is 3d-k93xv2 real?", "verify 3d-k93xv2"),
        ("IS 3D-K93XV2 REAL", "verify 3d-k93xv2"),
        ("check 3d-k93xv2", "verify 3d-k93xv2"),
        ("3d-k93xv2?", "verify 3d-k93xv2"),
        ("is #3d legit", "verify #3d"),
        ("verify 3d-k93xv2 please", "verify 3d-k93xv2"),
        ("verify is 3d-k93xv2 real?", "verify 3d-k93xv2"),
        ("verify is #3d real", "verify #3d"),
        ("is it real: alice: 17; 4d6k3 6 6 5, dropped 2; 4d6k3; id 4d-27b5pk", "verify 4d-27b5pk"),
        ("self-esteem", "help"),
        ("in the mid-1980s", "help"),
        ("look at #goth", "help"),
        ("verify my identity", "verify #last"),
    ],
)
def test_led_20_an_id_among_words(text, hint):
    """LED-20: who asks about an id in words of their own is shown how it is asked."""
    assert hinted(text, "v5") == hint


@pytest.mark.parametrize(
    ("system", "text", "plain"),
    [
        ("v5", "roll 5d10, h2, dc3", "roll 5d10 h2 dc3"),
        ("strike_cinder", "sc strike 6, vs human, dc3", "sc strike 6 vs human dc3"),
        ("strike_cinder", "sc strike afflicted, silver", "sc strike afflicted shifter silver"),
        ("strike_cinder", "sc strike 6 vs natural silver", "sc strike 6 vs natural shifter silver"),
        ("crossroads", "xr 3d6, a1,n2", "xr 3d6 a1 n2"),
        ("beat_eight", "b8 t4,a1, severe", "b8 t4 a1 severe"),
        ("fayrewood", "toss 3,2", "toss 3 2"),
        ("fayrewood", "toss 3, 2, boon, dc7", "toss 3 2 boon dc7"),
        ("fayrewood", "sweep 5, 5, dc5", "sweep 5 5 dc5"),
        ("v5", "help V5 07", "help V5-07"),
        ("v5", "roll 5d10 h2 dc3…", "roll 5d10 h2 dc3"),
        ("v5", "wp 2 on #4d", "wp 2 #4d"),
        ("v5", "hunger 2 on #4d", "hunger 2 #4d"),
        ("crossroads", "xr keep 1 2 3 on #4d", "xr keep 1 2 3 #4d"),
        ("crossroads", "xr reroll 1 fate on #4d", "xr reroll 1 fate #4d"),
    ],
)
def test_gen_04_commas_and_short_names(system, text, plain):
    """GEN-04: one thing can be meant."""
    assert grammars.parse(text, system) == grammars.parse(plain, system)


@pytest.mark.parametrize(
    "text", ["toss 3, 2 beers", "b8 t4, edge of my seat", "sc join us if you are human", "sc luck was 50", "help me 5"]
)
def test_gen_10_commas_in_talk(text):
    """GEN-10: talk with commas and numbers is met with silence."""
    with pytest.raises(grammars.UnknownCommand):
        grammars.parse(text, "fayrewood")
