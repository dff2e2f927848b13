"""The line that is posted (language.md, Replies): order of its parts, Hunger dice last, its bytes; and nodes that read
back as they are written (GEN-01, V5-05)."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from playing import Table, check_script

import grammars
from grammars.channel import Hints
from grammars.contests import Close, Contests, Pass, Withdraw
from grammars.help import Help
from grammars.line import posted_comment
from grammars.odds import OddsOf
from grammars.v5 import AutomaticWin, Contest, Pool, Rouse, SayHunger, Willpower
from ircdice import reply
from ircdice.dice import ScriptedDice
from ircdice.dispatcher import evaluate, system_of
from ircdice.outcome import Earlier, pool
from ircdice.rules.v5 import tally

MOST_BYTES = 400
ID = "; id zzzzzzzzzzzzz-zzzzzz"  # the longest there can be


def test_v5_the_specifications_lines():
    """V5-05, V5-11, V5-17, V5-21: word for word as language.md has them, ids apart."""
    check_script("""
        alice: roll 5d10 h2 dc3 | 10 3 10 8 8
            alice: Critical, 6 successes vs 3, margin +3; 10 3 10, hunger 8 8; 5d10 h2 dc3; id 1
        alice: roll 6d10 h3 # punching | 10 3 2 10 8 8
            alice: 6 successes, messy critical if passed; 10 3 2, hunger 10 8 8; 6d10 h3 "punching"; id 2
        alice: roll 5d10 | 10 3 10 8 8
            alice: 6 successes, critical if passed; 10 3 10 8 8, hunger not said; 5d10; id 3
        alice: roll 5d10 h2 dc2 | 3 4 2 1 5
            alice: Botch and bestial failure, 0 successes vs 2, margin -2; 3 4 2, hunger 1 5; 5d10 h2 dc2; id 4
        alice: roll 5d10 h2 dc3 | 4 3 7 8 2
            alice: Failure, 2 successes vs 3, margin -1; 4 3 7, hunger 8 2; 5d10 h2 dc3; id 5
        alice: wp 2 | 9 6
            alice: Success, 4 successes vs 3, margin +1; costs 1 superficial Willpower; 9 6 7, hunger 8 2, rerolled 4 3 as 9 6; wp 2 on 5; id 6
        alice: rouse 2 | 4 9
            alice: Hunger rises by 1; rouse 4 9; id 7
        alice: roll 5d10 h7
            (alice) Not rolled: hunger is 0 to 5, you wrote h7.
        alice: roll 5d10 h2 dificulty 3
            (alice) Not rolled: "dificulty" is unknown. Did you mean: roll 5d10 h2 dc3
        alice: odds 5d10 h2 dc3
            odds 5d10 h2 dc3: pass 51.3%, of it critical 2.3, messy 5.9; fail 48.8%, of it bestial 12.6, botch 2.1
        alice: roll 6d10 h2 vs 5d10 h1 | 10 10 2 5 3 1 7 8 2 4 9
            alice vs other: alice wins, critical, 4 successes to 3; alice 10 10 2 5, hunger 3 1; other 7 8 2 4, hunger 9; 6d10 h2 vs 5d10 h1; id 8
            (alice) You may still spend Willpower: "wp #8" rerolls 2 5.
            (alice) You may still spend Willpower: "wp #8 as other" rerolls 2 4.
    """)  # noqa: E501  # posted lines are as long as they are


def test_gen_03_what_is_posted_of_a_comment():
    """GEN-03: 80 bytes, no control or bidirectional characters, and neither the bot's quotes nor its semicolons."""
    check_script("""
        alice: roll 1d10 h0 # x"; id 9-aaaaaa | 7
            alice: 1 success; 7; 1d10 h0 "x', id 9-aaaaaa"; id 1
        alice: roll 1d10 h0 # a\u202eb\u200bc | 7
            alice: 1 success; 7; 1d10 h0 "abc"; id 2
    """)


@given(st.text(max_size=200))
def test_gen_03_no_comment_passes_for_the_bots_own_words(said):
    """GEN-03"""
    posted = posted_comment(said)
    assert len(posted.encode()) <= 80
    assert not set(posted) & set('";\r\n\x00\u202e\u200b')


@pytest.mark.parametrize(("dice", "shown"), [(30, " ".join(["7"] * 30)), (31, "7x31")])
def test_gen_01_over_thirty_dice_are_counted(dice, shown):
    """GEN-01: over 30 dice are given as counts by face, 30 are not."""
    line = Table().say("alice", f"roll {dice}d10 h0", [7] * dice).replies[0].text
    assert f"; {shown}; {dice}d10 h0; id " in line


def test_gen_01_over_thirty_dice_of_both_sides_are_counted():
    """GEN-01, V5-19: it is the line that has over 30 dice."""
    line = Table().say("alice", "roll 16d10 h1 vs 15d10 h0", [7] * 15 + [6] + [8] * 15).replies[0].text
    assert "; alice 7x15, hunger 6x1; other 8x15; " in line


def test_gen_01_counts_are_by_face_highest_first_hunger_dice_last():
    """GEN-01, V5-05"""
    faces = [10] * 3 + [9] * 2 + [1] * 30 + [10, 2]
    line = Table().say("alice", "roll 37d10 h2", faces).replies[0].text
    assert "; 10x3 9x2 1x30, hunger 10x1 2x1; 37d10 h2; " in line


POOL = st.builds(Pool, st.integers(1, 100), st.none() | st.integers(0, 5), st.none() | st.integers(1, 999_999))
PLAIN = st.builds(Pool, st.integers(1, 100), kind=st.sampled_from(["willpower", "humanity"]))
SIDE = st.builds(Pool, st.integers(1, 100), st.none() | st.integers(0, 5)) | PLAIN
TERMS = st.lists(st.integers(-9, 20), min_size=2, max_size=8).map(lambda t: (max(abs(t[0]), 1), *t[1:]))
SUMS = TERMS.filter(lambda t: 1 <= sum(t) <= 100)
LONG = st.builds(lambda terms, hunger: Pool(sum(terms), hunger, terms=terms), SUMS, st.none() | st.integers(0, 5))
REF = st.none() | st.sampled_from(["4d", "last", "4d-27b5pk", "1"])
NICKS = st.sampled_from(["bob", "Bob_[x]", "bob@discord", "[a]`^{}|", "Zoë", "x" * 50, "é" * 50])
NODES = {
    "pool": POOL | PLAIN | LONG,
    "contest": st.builds(Contest, SIDE | LONG, SIDE | LONG),
    "contest with a nick": st.builds(Contest, SIDE | LONG, against=NICKS),
    "rouse": st.builds(Rouse, st.integers(1, 100)),
    "willpower": st.builds(Willpower, st.none() | st.integers(1, 3), st.booleans(), st.none() | st.integers(0, 5), REF),
    "hunger": st.builds(SayHunger, st.integers(0, 5), REF),
    "autowin": st.builds(AutomaticWin, SUMS, st.integers(1, 50), st.integers(0, 5)),
    "pass": st.builds(Pass, REF),
    "withdraw": st.builds(Withdraw, REF),
    "close": st.builds(Close, REF.filter(bool)),
    "contests": st.just(Contests()),
    "hints": st.builds(Hints, st.booleans()),
    "help": st.builds(Help, st.sampled_from([None, "v5", "roll", "messy", "willpower", "wp"])),
    "odds": st.builds(OddsOf, POOL | SIDE | st.builds(Rouse, st.integers(1, 9)) | st.builds(Willpower)),
}


@pytest.mark.parametrize("kind", NODES)
@given(data=st.data())
def test_gen_01_a_node_is_written_as_it_is_read(kind, data):
    """GEN-01: `str(node)` parses to the same node, for each kind of node; what is posted can be typed again."""
    node = data.draw(NODES[kind])
    assert grammars.parse(str(node), called=True) == node


FACES = st.lists(st.integers(1, 10), min_size=200, max_size=200)
COMMENTS = st.text(max_size=120)
LONGEST = Pool(1, 0, terms=(1,) + (1, -1) * 90)


@given(
    POOL | PLAIN | LONG | st.builds(Contest, SIDE | LONG, SIDE | LONG),
    FACES,
    NICKS,
    NICKS,
    COMMENTS,
    COMMENTS,
    st.booleans(),
)
@example(LONGEST, [1] * 200, "alice", "bob", "ß" * 60, "", True)
@example(Contest(LONGEST, LONGEST), [1] * 200, "é" * 50, "é" * 50, "ß" * 60, "x", False)
@example(Contest(Pool(100, 5), Pool(100, 5)), list(range(1, 11)) * 20, "é" * 50, "x" * 50, "ß" * 60, "ß" * 60, False)
def test_gen_01_no_line_is_longer_than_400_bytes(node, faces, nick, other, comment, answering, official):
    """GEN-01, V5-05, V5-20: whatever the pool, the nicks and the comments, and where, it is ASCII but for names and
    comments, one line, says that it is unofficial, and no side's dice stand behind its Hunger dice."""
    outcome = evaluate(node, ScriptedDice(faces))
    names = (nick, other if outcome.opponent else None)
    said = {"comment": comment, "answering": answering}
    line = reply.line(system_of(node), node, outcome, names=names, official=official, **said)
    assert line.count('"') % 2 == 0
    assert len((line + ID).encode()) <= MOST_BYTES
    assert line.startswith(nick)
    assert line.endswith("; unofficial") != official
    bare = re.sub(r"\S+(?=\.\.\.; all in the log)", "", line)  # the end of what had to be cut may be half a name
    bare = bare.replace(nick, "").replace(other, "")
    bare = re.sub(r'"[^"]*"', "", bare)
    assert bare.isascii()
    assert bare.isprintable()
    assert not re.search(r"hunger [0-9x ]+, [0-9]", line)


@given(st.integers(1, 40), FACES, st.integers(1, 3), st.integers(0, 5), st.booleans())
def test_v5_05_hunger_dice_stand_last_in_every_line(dice, faces, count, hunger, said_later):
    """V5-05, V5-17, V5-21: after a roll, after Willpower and where Hunger is said with it, normal dice stand before."""
    table = Table()
    table.say("alice", f"roll {dice}d10" + ("" if said_later else f" h{hunger}"), faces[:dice])
    normal = max(dice - hunger, 0)
    taken = min(count, sum(face < 10 for face in faces[:normal]))  # V5-14: tens stay
    answer = table.say("alice", f"wp {count}" + (f" h{hunger}" if said_later else ""), faces[100 : 100 + taken])
    assert (answer.error is None) == (taken > 0)
    for record in table.records:
        assert not re.search(r"hunger [0-9]+(x[0-9]+)?( [0-9]+(x[0-9]+)?)*, [0-9]", record.draft.line)
    if taken:
        roles = [die.role for die in answer.outcome.dice]
        assert roles == ["normal"] * normal + ["hunger"] * (dice - normal)


@given(st.lists(st.integers(1, 10), min_size=1, max_size=30), st.integers(0, 5))
def test_v5_10_a_one_never_cancels_a_success(faces, ones):
    """V5-10: ones among the dice, or further ones beside them, leave the successes as they are."""
    thrown = faces, [face for face in faces if face != 1], [*faces, *[1] * ones]
    assert len({tally(pool(each, 10)).successes for each in thrown}) == 1


@given(POOL, FACES)
def test_led_02_what_was_drawn_judges_to_the_same_again(node, faces):
    """LED-02: text and draws are all that a roll needs to be judged again."""
    table = Table()
    outcome = table.say("alice", str(node), faces[: node.dice]).outcome
    record = table.records[0]
    again = grammars.parse(record.draft.text)
    assert evaluate(again, ScriptedDice(face for _, face in record.draft.draws)) == outcome
    assert Earlier(again, outcome).mine == outcome


def test_gen_01_what_the_log_has_is_said_how_to_ask(evaluate):
    """GEN-01: where the dice have no room the line says what lists them: log, and its own id."""
    made = evaluate({"text": "roll 20x 10d6", "table": "t"})["reply"]
    assert '; all dice by "log" and this id; 20x 10d6; id 1-' in made
    listed = evaluate({"text": f"log {made.rpartition(' ')[2]}", "table": "t"})["private_reply"]
    assert "dice in the order drawn: d6" in listed


def test_gen_01_dice_are_counted_before_a_comment_is_cut():
    """GEN-01, IRC-20: where the line has no room for every die, they are given as counts, and the comment is whole."""
    node, comment = grammars.parse("roll 30d10 h0"), "to the last man " * 5
    outcome = evaluate(node, ScriptedDice([10] * 30))
    names = ("alice of a long name " * 9).strip(), None
    line = reply.line(system_of(node), node, outcome, names=names, comment=comment)
    assert f'; 10x30; 30d10 h0 "{comment.strip()}"' in line


def test_gen_01_a_comment_is_cut_before_the_dice_are_left_out(evaluate):
    """GEN-01, IRC-20: where the line has no room for both, it has every die and the beginning of the comment."""
    terms, comment = ["2d20"] * 20, "to lift the gate of the old castle and to hold it until all are through"
    made = evaluate({"text": f"roll {'+'.join(terms)} # {comment}", "dice": [7] * 40})["reply"]
    assert made.count("2d20 7x2") == 20
    assert 10 < len(made.partition(' "')[2].partition('"')[0]) < len(comment)
    assert comment.startswith(made.partition(' "')[2].partition('"')[0])
    assert len(made.encode()) <= MOST_BYTES
