"""LED-20: a posted line is found in whatever people paste, and nothing else is taken for it."""

import pytest
from pasting import BREAKS, CLIENTS, COMMENTED, CONTEST, FORUMS, ID, LINE, POSTED, SIGNS

from ircdice.ledger.comparing import agreement, candidates, differences, marked, meant
from ircdice.ledger.paste import names, pasted

pytestmark = pytest.mark.slow


def found(text, line, seq=141):
    """Whether exactly one line with that id is found, and is the one recorded."""
    given = pasted(text)
    return [each.seq for each in given] == [seq] and agreement(given[0], line) is not None


@pytest.mark.parametrize("line", [LINE, COMMENTED, CONTEST], ids=["roll", "comment", "contest"])
@pytest.mark.parametrize("way", [*CLIENTS, *FORUMS])
def test_led_20_clients_and_forums(way, line):
    """LED-20: timestamps, brackets, quote marks and markup of clients and forums stand around the line."""
    assert found((CLIENTS | FORUMS)[way].format(f"{line}; id {ID}"), line)


@pytest.mark.parametrize("line", [LINE, COMMENTED, CONTEST], ids=["roll", "comment", "contest"])
@pytest.mark.parametrize("way", [*SIGNS, *BREAKS])
def test_led_20_signs_and_breaks(way, line):
    """LED-20: formatting, smart punctuation, invisible signs and line breaks do not make it another line."""
    assert found((SIGNS | BREAKS)[way](f"{line}; id 4d-101b5k"), line)


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("4d-27b5pk", [(141, "27b5pk")]),
        ("#4d-27b5pk", [(141, "27b5pk")]),
        ("`4D-27B5PK`", [(141, "27b5pk")]),
        ("id 4d-27b5pk", [(141, "27b5pk")]),
        ("ID: 4d–27b5pk", [(141, "27b5pk")]),
        ("#4d", [(141, None)]),
        ("#last", [(None, None)]),
        ("#4d, #4e and #last", [(141, None), (142, None), (None, None)]),
        ("the roll with id 4d-27b5pk please", [(141, "27b5pk")]),
        ("<bob> id 4d-27b5pk", [(141, "27b5pk")]),
        ("4u-27b5pk", [(0, "27b5pk")]),
        ("zzzzzzzzzzzzz-27b5pk", [(0, "27b5pk")]),  # more than any ledger holds
        ("that please", []),
        ("well-liked people", []),
        ("the idea-tattoo was his", []),
        ("alice: 17; 4d6; 4d6", []),
        ("", []),
    ],
)
def test_led_20_ids(typed, ids):
    """LED-20: an id alone, in capitals, with look-alike letters, several; prose has none."""
    given = pasted(typed)
    assert [(each.seq, each.tag) for each in given] == ids
    assert not any(each.lines for each in given)


@pytest.mark.parametrize("left", ["12", "Zoe2 12; 1d100 12; 1d100", "97; 1d100"])
def test_led_21_numbers_of_a_posted_line_are_no_ids(left):
    """LED-21: what is left of a line before its id is held against the record, not looked up as ids of others."""
    (given,) = pasted(f"{left}; id 4d-27b5pk")
    assert (given.seq, given.tag, given.lines) == (141, "27b5pk", (left,))
    assert [each.seq for each in pasted("4d-27b5pk; id 4e-0q9xm3, #4f")] == [141, 142, 143]


PAGE = f"""
Sat Nov 21, 2026 9:41 pm — post by Mara

Alright, so this is what happened:

[quote="alice"]
[21:38] <bob> ready?
[21:38] <@FUDice> {LINE};
id 4d-27b5pk
[21:39] <bob> nice one!! that's 6-0 for us, id say
[/quote]

I rolled too: `bob: 3 successes; 10 7 7 2 1; 5d10; id 4e-0q9xm3` (see above),
and the fight went like this:
* {CONTEST}; id 4f-abcdef, as they say

2 hours later he said "well-liked", 5-000000 times.
"""


def test_led_20_a_forum_page():
    """LED-20: a whole page: each line with an id is found, the talk around it is passed over."""
    given = pasted(PAGE)
    assert [each.seq for each in given] == [141, 142, 143]
    lines = (LINE, "bob: 3 successes; 10 7 7 2 1; 5d10", CONTEST)
    assert [meant(each, line) for each, line in zip(given, lines, strict=True)] == list(lines)
    agreed = [agreement(each, line) for each, line in zip(given, lines, strict=True)]
    assert [each and each.speaker for each in agreed] == ["FUDice", "", ""]


def test_led_20_several_lines_in_one():
    """LED-20: a page squeezed into one line of chat comes apart at the ids."""
    other = "bob: 3 successes; 10 7 7 2 1; 5d10"
    given = pasted(f"12:34 <FUDice> {POSTED} 12:35 <FUDice> {other}; id 4e-0q9xm3")
    assert [meant(each) for each in given] == [LINE, other]
    assert agreement(given[0], LINE)
    assert agreement(given[1], other)


@pytest.mark.parametrize(
    ("way", "speaker"),
    [("{}", ""), ("<@FUDice> {}", "FUDice"), ("12:34 <discord> <mallory> {}", "mallory"), ("mallory: {}", "mallory")],
)
def test_led_22_who_is_shown_to_say_it(way, speaker):
    """LED-22: the nick that stands nearest in front of a line is who posted it."""
    assert agreement(pasted(way.format(POSTED))[0], LINE).speaker == speaker


NO_LINE = {
    "a longer name": "m{}",
    "a name in two words": "evil {}",
    "a nick with a bracket": "[x]{}",
    "a nick with a backtick": "`{}",
    "a nick with an underscore": "_{}",
    "a nick with a bar": "|{}",
    "a title": "Sir {}",
    "a contest": "bob vs {}",
    "a character": "Big Viktor ({}",
    "somebody's sentence": "I swear, it was {}",
    "half of another line": "bob: Critical, 9 successes; {}",
}


@pytest.mark.parametrize("way", NO_LINE)
def test_led_21_words_in_front_are_no_decoration(way):
    """LED-21: whatever may be read as part of a name or a result makes it another line."""
    assert agreement(pasted(NO_LINE[way].format(POSTED))[0], LINE) is None


@pytest.mark.parametrize("wrap", ["\n", "<br>", "\u2028", "\x0b", "\x85", "\f", "\r"])
@pytest.mark.parametrize(
    "put_in", ["10 | ", "not > ", "<not> ", "10. ", "[10] ", "10: ", "10> ", "10:10 ", "- ", "10\t", "3 | 10 | "]
)
def test_led_21_what_stands_behind_a_wrap_belongs_to_the_line(wrap, put_in):
    """LED-21: behind a wrap nothing is passed over that may be a die, a word or a sign of the line, as a column is."""
    forged = POSTED.replace("10 3 10", f"10{wrap}{put_in}3 10").replace("alice: ", f"alice:{wrap}", 1)
    for front in ("", "- ", "10. ", "FUDice: ", "12:34 <FUDice> "):
        (given,) = pasted(front + forged)
        assert agreement(given, LINE) is None, front
        assert given.lines


@pytest.mark.parametrize("wrap", ["<br>", "\u2028", "\x0b", "\x85", "\r"])
def test_led_21_a_quote_mark_in_what_is_seen_as_one_line(wrap):
    """LED-21: `6 > 4` is a die rerolled; where no line ends for certain a sign between two dice is no quote mark."""
    for front in ("", "> "):
        (given,) = pasted(front + POSTED.replace("10 3 10", f"10{wrap}> 3 10"))
        assert agreement(given, LINE) is None


def test_led_20_quote_marks_at_a_wrap():
    """LED-20: every line of a mail bears its mark, one that begins with the line's own quote mark too, and the first
    of what was marked by hand has none."""
    line = 'Alice: Success, 3 successes vs 3, may reroll one: "xr reroll 1", 2 or 4; 9 8 7 2; xr 4d6'
    mail = f"> {line}; id {ID}".replace('one: "', 'one:\n> "').replace("8 7", "8\n> 7")
    assert agreement(pasted(mail)[0], line)
    by_hand = f"{line}; id {ID}".replace("; ", ";\n> ")
    assert agreement(pasted(by_hand)[0], line)
    between_dice = f"{line}; id {ID}".replace("8 7", "8\n> 7")
    assert agreement(pasted(between_dice)[0], line) is None


def test_led_21_an_inner_line_is_all_there_is():
    """LED-21: what stands between a line and its id belongs to the line."""
    for text in (
        f"{LINE}, or so; id {ID}",
        f"{LINE}\nnot really; id {ID}",
        f"{LINE};; id {ID}",
        f"{LINE} id {ID} id {ID}",
    ):
        assert not any(each.lines == () and agreement(each, LINE) for each in pasted(text)[:1]), text


@pytest.mark.parametrize("end", [" id {}", ", id {}", "\nid {}", "\n12:34 <FUDice> id {}", " (id {})"])
def test_led_21_a_result_without_its_semicolon(end):
    """LED-21: a line is no mere mention of a roll because the sign in front of its id is gone."""
    (given,) = pasted(LINE.replace("6 successes", "9 successes") + end.format(ID))
    assert given.lines
    assert agreement(given, LINE) is None


def test_led_21_differences_are_told_by_words():
    """LED-21: what differs, and the line as it was with that marked."""
    forged = LINE.replace("6 successes", "9 successes").replace(" 8 8", " 8 10")
    assert differences(LINE, forged) == (("6", "9"), ("8", "10"))
    assert marked(LINE, forged) == LINE.replace("6 successes", "*6* successes").replace(" 8 8;", " 8 *8*;")
    assert marked(LINE, LINE) == LINE


def test_names_of_a_line():
    """LED-10: the nicks that a tag may have been made with."""
    assert names(LINE) == ("alice",)
    assert names(CONTEST) == ("alice", "bob")
    assert names("Viktor (alice): Win; 4; d8") == ("alice", "Viktor (alice)")
    assert names("no line at all") == ()


def test_led_20_candidates_begin_like_a_line():
    """LED-21: where no record is left, what was pasted as the line is still known."""
    (given,) = pasted(f"hello\n12:34 <FUDice> {LINE[:16]}\n{LINE[17:]}; id {ID}")
    assert candidates(given)[0] == LINE


@pytest.mark.parametrize(
    "comment",
    [
        "k1 is fun; 'quote' id 4d-27b5pk",
        "fun; id 4d-27b5pk",
        "id 4d-27b5pk and; id 5-aaaaaa again",
        "id 4d-27b5pk, he said",
    ],
)
@pytest.mark.parametrize("paste", ["{}", "12:34 <@FUDice> {}", "> {}", "what bob rolled:\n{}\nsee?"])
def test_led_20_an_id_in_a_comment_is_part_of_it(comment, paste):
    """LED-20: a comment that speaks of an id, or ends as a line does, is compared with the line that it stands in."""
    line = f'alice: 3; 1d6 3; 1d6 "{comment}"'
    (one,) = pasted(paste.format(f"{line}; id 9-abcdef"))
    assert (one.seq, one.tag) == (9, "abcdef")
    assert agreement(one, line)


def test_led_20_a_line_behind_a_stray_quote_hides_none():
    """LED-20: what looks like a line of its own is asked about by itself, whatever quotes stand around it."""
    forged = "alice: 60; 10d6 6 6 6 6 6 6 6 6 6 6; 10d6; id 4d-27b5pk"
    found = pasted(f'{forged}"\nbob: 3; 1d6 3; 1d6 "c"; id 9-abcdef')
    assert [one.tag for one in found] == ["27b5pk", "abcdef"]
