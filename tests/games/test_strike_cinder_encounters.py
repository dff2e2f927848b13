"""Strike & Cinder over time: encounters with their Luck, who is in them, rolls discarded, the tracking text."""

from dataclasses import replace

import pytest
from playing import Table, check_script, line

import grammars
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate
from ircdice.game import Event
from ircdice.rules.strike_cinder.encounters import Memory

GAME = "strike_cinder"


@pytest.fixture
def scene(say):
    """An Encounter that gm opened, and two characters in it."""
    say("sc encounter open Encounter luck 6 dc 3", who="gm")
    say("sc join Viktor arcanist rank IV exchange")
    say("sc join Rex afflicted shifter rank 2", who="bob")
    return say


def test_what_an_encounter_outlasts(scene):
    """SC-15, SC-20, SC-26: help that fails leaves it as it is; once closed it is tracked still, whatever follows."""
    say = scene
    say("sc assist cinder 1 for bob", 1, who="carol")
    say("sc assist cinder 1", 1, who="carol")
    assert say("sc luck")["reply"] == "Encounter Luck 6/6; Viktor Luck 7/7; Rex Luck 5/5"
    say("sc encounter close", who="gm")
    say("sc strike 1", 4)
    assert say("sc tracking")["private_reply"].splitlines()[-3:] == [
        "[footnote]Viktor [luck] 7/7",
        "Rex [luck] 5/5",
        "Encounter [luck] 6/6[/footnote]",
    ]


def test_what_raised_no_luck_is_not_told(say):
    """SC-18, SC-28: the first rank of a skill, and no rank at all, raise nothing; and where nothing is, no note is."""
    say("sc encounter open Encounter luck 6 dc 3")
    say("sc join Al arcanist rank 1")
    say("sc join Bo human")
    assert say("sc tracking")["private_reply"].splitlines() == [
        "[footnote]Al [luck] 4/4",
        "Bo [luck] 4/4",
        "Encounter [luck] 6/6[/footnote]",
    ]


@pytest.mark.parametrize(
    ("words", "house", "luck"),
    [
        ("human", {}, 4),
        ("arcanist rank 1", {}, 4),
        ("arcanist rank 2", {}, 5),
        ("arcanist rank III", {}, 5),
        ("arcanist rank IV", {}, 6),
        ("arcanist rank VI", {}, 6),
        ("undying rank X", {}, 6),
        ("human exchange", {}, 5),
        ("cursed rank 2 exchange", {}, 6),
        ("half-blood rank 6 exchange", {}, 7),
        ("possessed rank 4 exchange equipment", {}, 7),
        ("arcanist rank 4", {"luck_rank_for_two": "6"}, 5),
        ("arcanist rank 6", {"luck_rank_for_two": "6"}, 6),
        ("spirit", {}, 4),
    ],
)
def test_luck_at_the_start(say, words, house, luck):
    """SC-18: four, half a skill's rank, and Exchange Equipment for those who may have it."""
    say("sc encounter open Encounter luck 6")
    assert say(f"sc join Viktor {words}", config=house)["values"] == {"luck": luck}


def test_who_comes_and_goes(scene):
    """SC-19, SC-26, DSK-02: Luck by name, changed within 0 and what it began with; leaving; closing."""
    say = scene
    assert say("sc luck")["reply"] == "Encounter Luck 6/6; Viktor Luck 7/7; Rex Luck 5/5"
    assert say("sc luck viktor")["reply"] == "Viktor Luck 7/7"
    assert say("sc luck Viktor -9")["error"] == "luck is 0 to 7, and that would be -2."
    assert line(say("sc luck Viktor -7")) == "alice: Viktor Luck 0/7, out of Luck (was 7)"
    more = say("sc luck Viktor +2")
    assert (line(more), more["kind"]) == ("alice: Viktor Luck 2/7 (was 0)", "note")
    assert say("sc luck Viktor +6", who="gm")["error"] == "luck is 0 to 7, and that would be 8."
    assert say("sc luck Viktor +5", who="gm")["values"] == {"luck": 7}
    assert line(say("sc leave Rex", who="bob")) == "bob: Rex leaves the encounter"
    assert "Rex is not in this encounter" in say("sc luck Rex")["error"]
    closed = say("sc encounter close", who="gm")
    assert (line(closed), closed["kind"]) == ("gm: the encounter is over", "note")
    assert "no encounter is open here" in say("sc luck")["error"]
    assert "no encounter is open here" in say("sc strike 4 vs Viktor")["error"]


REFUSED = [
    ("sc encounter open Second luck 3", "bob", "an encounter is open here already"),
    ("sc join Viktor human", "bob", "Viktor is in this encounter already."),
    ("sc leave Nobody", "bob", "Nobody is not in this encounter, where there are Encounter, Viktor, Rex."),
    ("sc encounter close", "bob", "only a storyteller or the one who opened the encounter may close it."),
    ("sc luck Viktor -1", "bob", "only alice, a storyteller or the one who opened the encounter may change Viktor."),
    ("sc leave Viktor", "bob", "only alice, a storyteller or the one who opened the encounter may change Viktor."),
    (
        "sc strike 4 vs Viktor as Encounter",
        "bob",
        "only gm, a storyteller or the one who opened the encounter may roll for",
    ),
    ("sc strike 4 vs Nobody", "bob", "Nobody is not in this encounter"),
    ("sc strike 4 vs Encounter silver", "bob", "silver does nothing to Encounter when Strike hits it."),
    ("sc strike 4 vs Viktor silver", "bob", "silver does nothing to an Arcanist when Strike hits it."),
    (
        "sc strike 4 vs Viktor shifted",
        "bob",
        "shifted is for a target that is an Afflicted Shifter: vs afflicted shifter shifted.",
    ),
    ("sc tracking Nobody", "bob", "Nobody is not in this encounter"),
    ("odds sc luck", "bob", '"sc luck" rolls nothing, and so has no odds.'),
]


@pytest.mark.parametrize(("text", "who", "sentence"), REFUSED)
def test_what_an_encounter_rules_out(scene, text, who, sentence):
    """SC-24, SC-26, SC-27: reported to the user who asked, and nothing changes."""
    assert scene(text, who=who)["error"].startswith(sentence)
    assert scene("sc luck")["reply"] == "Encounter Luck 6/6; Viktor Luck 7/7; Rex Luck 5/5"


def test_a_storyteller_may(scene):
    """SC-26, SC-27: what is another's is a storyteller's too."""
    assert scene("sc luck Viktor -1", who="st", storyteller=True)["values"] == {"luck": 6}
    answer = scene("sc strike 2 vs Viktor as Encounter", 4, 4, who="st", storyteller=True)
    assert line(answer).startswith(
        "Encounter (st): Hit, Partial Failure, 2 passes vs DC 2, drains 1 Luck, Viktor Luck 5/7;"
    )
    assert line(scene("sc encounter close", who="st", storyteller=True)) == "st: the encounter is over"


def test_gen_03_as_and_a_name_that_nobody_has_is_a_comment(scene):
    """GEN-03: as everywhere; unless what follows it is part of the roll."""
    assert line(scene("sc strike 1 as they fall", 1)).startswith("Viktor (alice): Critical Failure")
    assert scene("sc strike 1 as they fall", 1)["reply"].partition("; id ")[0].endswith('; strike 1 "as they fall"')
    assert (
        scene("sc strike 1 vs Rex as he runs # away", 4)["reply"].partition("; id ")[0].endswith('"as he runs # away"')
    )
    assert scene("sc strike 1 as they +1")["error"] == "nobody here is called they."


def test_a_roll_is_posted_as_the_characters(scene):
    """SC-27: with its name or without, where the speaker plays just one; what no character did has the nick alone."""
    assert line(scene("sc strike 1", 1)).startswith("Viktor (alice): Critical Failure")
    assert line(scene("sc strike 1 as viktor", 1)).startswith("Viktor (alice): Critical Failure")
    assert line(scene("sc strike 1", 1, who="passer-by")).startswith("passer-by: Critical Failure")
    assert line(scene("sc assist strike 1 for bob", 1)).startswith("Viktor (alice): Critical Failure")
    scene("sc join Ann human", who="ann")
    assert line(scene("sc strike 1", 1, who="ann")).startswith("ann: Critical Failure")
    scene("sc join Max human")
    assert line(scene("sc strike 1", 1)).startswith("alice: Critical Failure")
    assert line(scene("sc strike 1 as Max", 1)).startswith("Max (alice): Critical Failure")
    assert scene("odds sc strike 1")["reply"].startswith("odds sc strike 1: ")


def test_hits_drain_tracked_luck(scene):
    """SC-10, SC-11, SC-19, SC-24: by the target's Path, its own DC, or the one said; never below 0."""
    say = scene
    hit = say("sc strike 10 vs encounter", *(4,) * 10)
    assert (hit["labels"], hit["values"]) == (["hit", "critical_hit"], {"passes": 10, "dc": 3, "luck_drained": 2})
    assert "Critical hit, 10 passes vs DC 3, drains 2 Luck, Encounter Luck 4/6;" in hit["reply"]
    assert say("sc strike 2 vs Encounter", 4, 4)["labels"] == ["miss"]
    assert "Encounter Luck 3/6" in say("sc strike 2 vs Encounter dc2", 4, 4)["reply"]
    assert say("sc strike 4 vs Rex shifted silver", *(4,) * 4)["values"]["dc"] == 5
    assert "drains 2 Luck, Rex Luck 3/5" in say("sc strike 5 vs Rex shifted silver", *(4,) * 5)["reply"]
    say("sc luck Rex -2", who="bob")
    last = say("sc strike 5 vs Rex shifted silver", *(4,) * 5)
    assert last["values"]["luck_drained"] == 2
    assert "drains 2 Luck, Rex Luck 0/5, out of Luck;" in last["reply"]


def test_an_encounter_without_a_dc_asks_for_one(say):
    """SC-24: neither a Path nor a DC of its own."""
    say("sc encounter open Wolf luck 3")
    assert say("sc strike 4 vs Wolf")["error"] == "Wolf has no Defense DC: say it, as dc3."
    assert "Wolf Luck 2/3" in say("sc strike 4 vs Wolf dc2", 4, 4, 1, 1)["reply"]


def test_a_discarded_hit_gives_luck_back(scene):
    """SC-21: in public, once, by the roller; what it truly drained comes back, and the tracking forgets it."""
    say = scene
    say("sc luck Encounter -5", who="gm")
    hit = say("sc strike 10 vs Encounter", *(4,) * 10)
    assert "Encounter Luck 0/6, out of Luck" in hit["reply"]
    assert "[strike] critical hit, 10 passes vs. DC3[/note]" in say("sc tracking")["private_reply"]
    number = hit["id"].partition("-")[0]
    assert "only they or a storyteller may discard it" in say(f"discard #{number}", who="bob")["error"]
    discarded = say(f"discard #{number}")
    assert line(discarded) == f"alice: #{number} is discarded: it does not count and is not listed; Encounter Luck 1/6"
    assert discarded["kind"] == "note"
    assert "is discarded already" in say(f"discard #{number}")["error"]
    assert say("sc luck")["reply"] == "Encounter Luck 1/6; Viktor Luck 7/7; Rex Luck 5/5"
    assert "[strike]" not in say("sc tracking")["private_reply"]
    assert "Viktor [luck] 7/7" in say("sc tracking")["private_reply"]


def test_what_is_discarded_touches_no_other_roll(scene):
    """SC-21: two hits are disregarded one after the other, and the Luck of each comes back."""
    say = scene
    first, second = (say("sc strike 3 vs Encounter", 4, 4, 4)["id"].partition("-")[0] for _ in range(2))
    assert line(say(f"discard #{first}")).endswith("Encounter Luck 5/6")
    assert line(say(f"discard #{second}")).endswith("Encounter Luck 6/6")


def test_an_encounter_keeps_500_rolls():
    """SC-20: its tracking is bounded; what was rolled after them drains Luck, and is not listed."""
    luck, opened = 600, grammars.parse("sc encounter open Wolf luck 600 dc 1", "strike_cinder")
    hit = grammars.parse("sc strike 1 vs Wolf", "strike_cinder")
    hit = replace(hit, target=replace(hit.target, dc=1, luck=luck, most=luck))
    memory = Memory()
    memory.remember(Event("gm", opened, evaluate(opened, ScriptedDice(())), roll=1))
    for number in range(2, 503):
        memory.remember(Event("al", hit, evaluate(hit, ScriptedDice((4,))), roll=number))
    assert len(memory.entries) == 500
    assert memory.find("Wolf").luck == luck - 501


def test_discard_alone_counts_only_when_called(say):
    """SC-21, GEN-13: else it is talk; called, it means the speaker's latest roll; an open contest is withdrawn."""
    say("sc strike 1", 4)
    assert say("discard")["silent"]
    assert "#1 is discarded" in say("!discard")["reply"]
    assert say("!discard")["error"] == "roll #1 is discarded already."
    say("sc mind 3 vs @bob", 4, 4, 4)
    assert "withdraw" in say("!discard")["error"]
    assert say("discard #zz")["error"] == "there is no roll #zz here to discard."
    assert str(grammars.parse("discard #4D")) == "discard #4d"


def test_the_tracking_text(scene):
    """SC-20, SC-27, SC-28: in private, the viewer's own rolls without a name, Luck bonuses first, Luck last."""
    say = scene
    say("sc cinder 5 cantrip # Fire", 4, 4, 4, 1, 1)
    say("sc strike 9 vs Encounter # [b]Sword[/b]", *(4,) * 4, *(1,) * 5)
    say("sc strike 4 vs Viktor as Encounter", 4, 4, 1, 1, who="gm")
    say("sc strike 1 dc1", 1, who="bob")
    say("sc strike 1", 4, who="passer-by")
    mine = say("sc tracking")
    assert mine["reply"] is None
    assert mine["private_reply"].splitlines() == [
        "[note]Viktor [luck] 7, with skill rank 4 and Exchange Equipment",
        "Rex [luck] 5, with skill rank 2",
        "[cantrip], Fire",
        "[cinder], Fire, Complete Success",
        "[strike], bSword/b, hit, Complete Success, 4 passes vs. DC3",
        "Encounter [strike] hit, 2 passes vs. DC2",
        "Rex [strike] failure, 0 passes vs. DC1[/note]",
        "[footnote]Viktor [luck] 6/7",
        "Rex [luck] 5/5",
        "Encounter [luck] 5/6[/footnote]",
    ]
    others = say("sc tracking Rex", who="gm")["private_reply"].splitlines()
    assert "Viktor [cinder], Fire, Complete Success" in others
    assert "[strike] failure, 0 passes vs. DC1[/note]" in others
    assert say("sc tracking", who="gm", private=True)["error"] == "there was no encounter here to track."


def test_the_tracking_of_the_seed(say):
    """SC-20, SC-28: the rulebook's own example, its degree of success and its hit."""
    say("sc encounter open Encounter luck 6 dc 3", who="gm")
    say("sc join PC human")
    say("sc cinder 5 cantrip vs Encounter # Fire", 4, 4, 4, 1, 1)
    say("sc strike 6 vs PC dc3 as Encounter", 4, 4, 4, 4, 1, 1, who="gm")
    assert say("sc tracking")["private_reply"].splitlines() == [
        "[note][cantrip], Fire",
        "[cinder], Fire, hit, Complete Success, 3 passes vs. DC3",
        "Encounter [strike] hit, 4 passes vs. DC3[/note]",
        "[footnote]PC [luck] 3/4",
        "Encounter [luck] 5/6[/footnote]",
    ]


def test_the_tracking_has_degrees_and_bonuses(say):
    """SC-28: the degree of a success against a DC as well, and whatever changed the pool."""
    say("sc encounter open Encounter luck 6 dc 3", who="gm")
    say("sc join Al arcanist")
    say("sc cinder 4 +1 assist fullmoon", 4, 4, 4, 4, 4, 1)
    say("sc strike 4 -1 assist2 fullmoon dc3", 4, 4, 4, 1, 1)
    say("sc strike 2 +1 dc1", 4, 1, 1)
    say("sc assist strike 5 for alice", 4, 4, 4, 4, 4, who="bob")
    say("sc strike 4 vs Encounter # Bow", 4, 4, 4, 4, 4, 1)
    assert say("sc tracking")["private_reply"].splitlines()[:4] == [
        "[note][cinder], Exceptional Success, with +1, assist and full moon",
        "[strike] Complete Success, 3 passes vs. DC3, with -1 and assist2",
        "[strike] success, 1 pass vs. DC1, with +1",
        "[strike], Bow, hit, Exceptional Success, 5 passes vs. DC3, with assist2[/note]",
    ]


def test_the_luck_of_who_left_stays_in_the_tracking(scene):
    """SC-21, SC-28: marked, with the Luck that a discarded hit gives back; and no more once they are back."""
    hit = scene("sc strike 3 vs Rex dc3", 4, 4, 4)["id"].partition("-")[0]
    scene("sc leave Rex", who="bob")
    assert scene("sc tracking Rex", who="bob")["private_reply"].splitlines() == [
        "[note]Viktor [luck] 7, with skill rank 4 and Exchange Equipment",
        "Rex [luck] 5, with skill rank 2",
        "Viktor [strike] hit, Complete Success, 3 passes vs. DC3[/note]",
        "[footnote]Viktor [luck] 7/7",
        "Rex [luck] 4/5, left",
        "Encounter [luck] 6/6[/footnote]",
    ]
    assert scene("sc luck")["reply"] == "Encounter Luck 6/6; Viktor Luck 7/7"
    assert line(scene(f"discard #{hit}")).endswith("Rex Luck 5/5")
    assert "Rex [luck] 5/5, left" in scene("sc tracking")["private_reply"]
    scene("sc join Rex human", who="bob")
    assert "Rex [luck] 4/4\n" in scene("sc tracking")["private_reply"]


def test_the_tracking_of_a_spirit_that_salt_met(say):
    """SC-11, SC-20: no DC was met, so the Path is in its place."""
    say("sc encounter open Wraith luck 2")
    say("sc join Ghost spirit", who="bob")
    say("sc join Al human")
    say("sc strike 1 vs Ghost salt", 1)
    assert "[strike] hit, 0 passes vs. Spirit[/note]" in say("sc tracking")["private_reply"]


def test_an_attack_by_one_who_never_joined_is_listed(say):
    """SC-20, SC-24: what took the Luck that the last lines show is above them, and keeps its name."""
    say("sc encounter open Encounter luck 6 dc 3", who="gm")
    say("sc join Al human")
    say("sc strike 3 vs Encounter", 4, 4, 4, who="passer-by")
    say("sc strike 2", 4, 1, who="passer-by")
    say("sc strike 1 vs Encounter", 1)
    say("sc leave Al")
    assert say("sc tracking", who="gm")["private_reply"].splitlines() == [
        "[note]passer-by [strike] hit, Complete Success, 3 passes vs. DC3",
        "Al [strike] miss, 0 passes vs. DC3[/note]",
        "[footnote]Al [luck] 4/4, left",
        "Encounter [luck] 5/6[/footnote]",
    ]


def test_only_a_roll_is_discarded(say):
    """SC-21: an encounter that opens is no result; it stays, and is not taken for the speaker's latest roll."""
    say("sc encounter open Encounter luck 6 dc 3")
    assert say("!discard")["error"] == "you have no roll here to discard."
    assert say("discard #1")["error"].endswith('Encounter Luck 6/6, DC 3", cannot be discarded.')
    assert say("sc strike 3 vs Encounter", 4, 4, 4)["values"]["luck_drained"] == 1


@pytest.mark.parametrize(
    ("text", "posted"),
    [
        ("sc join Viktor arcanist rank IV exchange", "Viktor joins, Arcanist, Luck 7/7"),
        ("sc join Al human", "Al joins, Human, Luck 4/4"),
        ("sc join Rex afflicted shifter rank 2", "Rex joins, Afflicted Shifter, Luck 5/5"),
    ],
)
def test_who_joins_is_told_with_luck(say, text, posted):
    """SC-18, SC-26: the Path by its name, and the Luck at the start."""
    opened = say("sc encounter open Wolf luck 6 dc 3", who="gm")
    assert (line(opened), opened["kind"]) == ("gm: the encounter opens, Wolf Luck 6/6, DC 3", "note")
    joined = say(text)
    assert (line(joined), joined["kind"]) == (f"alice: {posted}", "note")


def test_helpers_and_minds_have_the_characters_dice_and_are_listed(scene):
    """SC-15, SC-16, SC-20, SC-26: assist, mind and resist take the Path's dice, and both sides are tracked."""
    say = scene
    assert line(say("sc assist cinder for carol # Ward", 4, 4, 4, 1, 1, 1, 1)).endswith(
        'assist cinder arcanist for carol "Ward"'
    )
    say("sc mind vs @bob # Sleep", 4, 4, 4, 4, 1, 1, 1)
    answer = say("sc resist", 4, 4, 4, 1, 1, who="bob")
    assert answer["labels"] == ["overcome", "aware"]
    assert line(answer).endswith('; mind arcanist vs afflicted shifter "Sleep"')
    say("sc mind 3", 4, 1, 1, who="bob")
    assert say("sc tracking")["private_reply"].splitlines()[2:6] == [
        "[cinder], Ward, Complete Success",
        "[cinder], Sleep, Complete Success, overcome",
        "Rex [cinder], Complete Success, overcome",
        "Rex [cinder], Failure[/note]",
    ]
    mind = say("sc mind vs @bob", 4, 4, 4, 1, 1, 1, 1)["id"].partition("-")[0]
    assert (
        "[cinder], Complete Success[/note]" not in say("sc tracking")["private_reply"]
    )  # covered until it is answered
    say("pass", who="bob")
    assert "\n[cinder], Complete Success, overcome[/note]" in say("sc tracking")["private_reply"]
    say(f"discard #{mind}")
    assert say("sc tracking")["private_reply"].count("[cinder]") == 4


@pytest.mark.parametrize(
    ("text", "who", "sentence"),
    [
        ("sc strike vs Encounter", "alice", "whose dice, Viktor or Max? Add as Viktor."),
        ("sc mind vs @bob", "alice", "whose dice, Viktor or Max? Add as Viktor."),
        ("sc resist", "alice", "whose dice, Viktor or Max? Add a number of dice or a Path."),
        (
            "sc resist",
            "hal",
            "a Human has no Cinder, except for cinder human ritual, 4d6, and sc resist ironwill, 5d6.",
        ),
        ("sc resist", "carol", "how many dice? Say a number, or a Path such as arcanist."),
        ("sc assist strike for bob", "carol", "how many dice? Say a number, or a Path such as arcanist."),
    ],
)
def test_whose_dice_is_asked(scene, text, who, sentence):
    """SC-17, SC-26: of two characters neither is guessed."""
    scene("sc join Max human")
    scene("sc join Hal human", who="hal")
    assert scene(text, who=who)["error"] == sentence


def test_what_has_no_dice_counts_only_when_called():
    """SC-26, GEN-10: `sc mind` and `sc assist strike` are talk; an answer is not."""
    for text in ("sc mind", "sc assist strike", "sc mind the gap", "sc resist the urge"):
        with pytest.raises(grammars.UnknownCommand):
            grammars.parse(text, GAME)
    assert str(grammars.parse("sc mind", GAME, called=True)) == "sc mind"
    assert str(grammars.parse("sc assist strike", GAME, called=True)) == "sc assist strike"
    assert str(grammars.parse("sc resist", GAME)) == "sc resist"


def test_gen_10_luck_called_answers_in_private():
    """GEN-10: `luck`, called, is answered in private; uncalled it is talk."""
    table = Table(system="strike_cinder")
    table.say("ann", "sc encounter open Ghoul luck 6")
    for text in ("!luck", "FUDice: luck", "!luck Ghoul"):
        (reply,) = table.say("bob", text).replies
        assert (reply.target, reply.private, reply.text) == ("bob", True, "Ghoul Luck 6/6")
    assert table.say("bob", "luck").replies == ()
    assert table.say("bob", "Luck +11").replies == ()


@pytest.mark.parametrize("name", ["O'Brien", "Anne-Marie", "Zoë", "R2D2"])
def test_sc_26_names_have_letters_digits_apostrophes_and_hyphens(name):
    """SC-24, SC-26, desk.md (Names): such a name joins and can be hit."""
    table = Table(system="strike_cinder")
    table.say("alice", "sc encounter open Ghoul luck 6")
    assert table.say("bob", f"sc join {name} human").error is None
    assert table.say("alice", f"sc strike 1 vs {name}", (1,)).error is None


@pytest.mark.parametrize("name", ["[Bo]", "Crit;hit", "a|b", "Bo_", "7up", "X1", "end", "Other", "x" * 31])
def test_sc_26_other_names_do_not_join(name):
    """SC-26, desk.md (Names): no name may look like the bot's own words or a sub-command."""
    table = Table(system="strike_cinder")
    table.say("alice", "sc encounter open Ghoul luck 6")
    assert table.say("bob", f"!sc join {name} human").error is not None


def test_gen_11_a_hint_keeps_as_name():
    """SC-26: a storyteller who rolls for a player is shown the whole command."""
    check_script(
        """
        bob: roll 1d6 | 2
            bob: 2; 1d6 2; 1d6; id 1
        sam*: sc encounter open Ghoul luck 6
            sam: the encounter opens, Ghoul Luck 6/6; id 2
        bob: sc join Vik human
            bob: Vik joins, Human, Luck 4/4; id 4
        sam*: sc strike vs Ghoul as bob
            (sam) Not rolled: Ghoul has no Defense DC: say it, as dc3. Did you mean: sc strike vs Ghoul dc3 as bob
        sam*: sc strike vs Ghoul as Vik
            (sam) Not rolled: Ghoul has no Defense DC: say it, as dc3. Did you mean: sc strike vs Ghoul dc3 as Vik
    """,
        system="strike_cinder",
    )
