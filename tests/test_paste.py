"""LED-20: a posted line is found in whatever people paste, and nothing else is taken for it."""

import asyncio
import re
from itertools import count

import pytest

from ircdice.evaluation import Evaluator
from ircdice.ledger.finding import Asker
from ircdice.ledger.paste import agreement, candidates, differences, marked, meant, names, pasted
from ircdice.ledger.verdict import examine

pytestmark = pytest.mark.slow

LINE = "alice: Critical, 6 successes vs 3, margin +3; 10 3 10, hunger 8 8; 5d10 h2 dc3"
ID = "4d-27b5pk"
POSTED = f"{LINE}; id {ID}"
COMMENTED = "alice_w: 17; 4d6k3 6>4 5, dropped 2; 4d6k3 \"he said 'now' -- and left...\""
CONTEST = (
    "alice vs bob: alice wins, critical, 4 successes to 3; alice 10 10 2 5, hunger 3 1; bob 7 8 2 4; 6d10 h2 vs 4d10"
)

CLIENTS = {
    "as it is": "{}",
    "irssi": "12:34 <@FUDice> {}",
    "irssi, no rank": "12:34 < FUDice> {}",
    "irssi notice": "12:34 -FUDice:#FU_Dice- {}",
    "irssi private": "12:34 [FUDice(ircdice@host.example)] {}",
    "weechat": "12:34:56       @FUDice | {}",
    "weechat, drawn bar": "12:34:56 FUDice │ {}",
    "weechat log": "2026-11-21 12:34:56\t@FUDice\t{}",
    "weechat notice": "12:34:56     -- | Notice(FUDice) -> #FU_Dice: {}",
    "HexChat": "[12:34:56] <FUDice> {}",
    "HexChat, tabs": "[12:34:56]\tFUDice\t{}",
    "HexChat notice": "[12:34:56] -FUDice/#FU_Dice- {}",
    "HexChat log": "Nov 21 12:34:56 <FUDice>\t{}",
    "mIRC": "[12:34] <@FUDice> {}",
    "mIRC log": "[12:34pm] <FUDice> {}",
    "Textual": "[12:34:56 PM] FUDice: {}",
    "LimeChat": "12:34 FUDice: {}",
    "Colloquy": "12:34:56 PM FUDice: {}",
    "Quassel": "[12:34:56] <@FUDice> {}",
    "Quassel, long": "[2026-11-21 12:34:56] <@FUDice> {}",
    "Konversation": "[21.11.2026] [12:34:56] <FUDice> {}",
    "KVIrc": "[12:34:56] <FUDice> {}",
    "IRCCloud": "12:34 FUDice: {}",
    "IRCCloud export": "[2026-11-21 12:34:56] <FUDice> {}",
    "The Lounge": "12:34 <FUDice> {}",
    "The Lounge, lines": "12:34\n@FUDice\n{}",
    "Kiwi": "FUDice\n12:34:56\n{}",
    "Gamja": "12:34 <FUDice> {}",
    "Palaver": "FUDice\t12:34\n{}",
    "Revolution": "[12:34] FUDice: {}",
    "AndroChat": "(12:34) <FUDice> {}",
    "ZNC log": "[12:34:56] <FUDice> {}",
    "ERC": "<FUDice> {}    [12:34]",
    "rcirc": "12:34 <FUDice> {}",
    "Discord, header": "FUDice BOT — Today at 12:34 PM\n{}",
    "Discord, one line": "FUDice BOT — 21/11/2026 12:34 {}",
    "Discord relay": "<FUDice> {}",
    "two relays": "12:34 <discord> <FUDice> {}",
    "Matrix": "FUDice\n{}\n12:34",
    "Slack": "FUDice  12:34 PM\n{}",
    "ISO time": "2026-11-21T12:34:56Z <FUDice> {}",
    "ISO, zone": "2026-11-21T12:34:56.123+01:00 <FUDice> {}",
    "epoch": "1795264496 <FUDice> {}",
    "English date": "Sat 21 Nov 2026 12:34:56 <FUDice> {}",
    "American date": "11/21/2026 12:34 PM <FUDice> {}",
    "bracketed nick": "[FUDice] {}",
    "braces": "{{FUDice}} {}",
    "nick and colon": "FUDice: {}",
    "said by a player": "<mallory> {}",
}
FORUMS = {
    "plain quotes": '"{}"',
    "curly quotes": "“{}”",
    "German quotes": "„{}“",
    "guillemets": "« {} »",
    "single quotes": "‘{}’",
    "parentheses": "({})",
    "mail quote": "> {}",
    "mail quote of a quote": ">> > {}",
    "list": "- {}",
    "bullet": "• {}",
    "numbered": "3. {}",
    "bold": "**{}**",
    "italic": "*{}*",
    "underlined": "__{}__",
    "underscores": "_{}_",
    "struck": "~~{}~~",
    "spoiler": "||{}||",
    "code": "`{}`",
    "fence": "```\n{}\n```",
    "fence in one line": "```{}```",
    "heading": "## {}",
    "bbcode": "[b]{}[/b]",
    "quote": "[quote=alice]{}[/quote]",
    "nested": '[quote="alice"][i]{}[/i][/quote]',
    "code tag": "[code]{}[/code]",
    "HTML": "<p>{}</p>",
    "HTML break": "rolled:<br>{}<br/>and so on",
    "talk in front": "look what I got:\n{}",
    "talk and a colon": "here is mine, 2nd try: {}",
    "talk and code": "my roll was `{}`, nice",
    "talk and quotes": 'he got "{}" then',
    "talk behind": "{} and that was that",
    "full stop": "{}.",
    "blank lines": "\n\n  {}  \n\n",
    "byte order mark": "\ufeff{}",
    "bold before a client": "**[12:34] <FUDice> {}**",
    "code before a client": "`[12:34] <FUDice> {}`",
    "mail quote before a client": "> [12:34] <FUDice> {}",
}
SIGNS = {
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "thin blanks": lambda text: text.replace("; ", ";\u2009"),
    "double blanks": lambda text: text.replace("; ", ";  "),
    "tabs": lambda text: text.replace("; ", ";\t"),
    "a client's dashes": lambda text: text.replace("-", "−"),
    "en dashes": lambda text: text.replace("-", "–"),
    "no-break hyphens": lambda text: text.replace("-", "\u2011"),
    "long dashes": lambda text: text.replace("--", "—"),
    "a telephone's quotes": lambda text: text.replace("'", "’").replace('"', "”"),
    "a telephone's ellipsis": lambda text: text.replace("...", "…"),
    "a nick that rings nobody": lambda text: text[0] + "\u200b" + text[1:],
    "invisible signs": lambda text: "\u200b".join(text),
    "bold verdict": lambda text: text.replace(": ", ": \x02", 1).replace("; ", "\x02; ", 1),
    "colours": lambda text: "\x0304,01" + text.replace(" vs ", "\x03 vs \x1f"),
    "bold in bbcode": lambda text: text.replace(": ", ": [b]", 1).replace(";", "[/b];", 1),
    "bold in markdown": lambda text: text.replace(": ", ": **", 1).replace(";", "**;", 1),
    "HTML's signs": lambda text: text.replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#39;"),
    "the id in capitals": lambda text: text[:-9] + text[-9:].upper(),
    "the id's look-alikes": lambda text: text[:-9] + text[-9:].replace("1", "l").replace("0", "O"),
    "ID:": lambda text: text.replace("; id ", "; ID: "),
    "the id in code": lambda text: text.replace("; id ", "; id `") + "`",
    "the id's dash broken": lambda text: text[:-6] + "\n" + text[-6:],
}
BREAKS = {
    "behind every semicolon": lambda text: text.replace("; ", ";\n"),
    "at every blank": lambda text: "\n".join(text.split(" ", 9)),
    "with indents": lambda text: text.replace("; ", ";\n                 "),
    "in front of the id": lambda text: text.replace("; id ", ";\nid "),
    "behind the word id": lambda text: text.replace("; id ", "; id\n"),
    "in a mail quote": lambda text: "> " + text.replace("; ", ";\n> "),
    "in a client's columns": lambda text: "12:34 FUDice | " + text.replace("; ", ";\n             | "),
    "by a short-lined server": lambda text: "<FUDice> " + text.replace("; ", ";\n<FUDice> ", 2),
    "by a paragraph": lambda text: text.replace("; ", ";\r\n\r\n", 1),
    "by HTML": lambda text: text.replace("; ", ";<br />", 1),
    "within a word": lambda text: re.sub(r"d10(?=.*; id )", "d\n10", text, count=1, flags=re.DOTALL),
}


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


COMMANDS = [
    ("v5", 'roll 5d10 h2 dc3 # one "two" -- three...'),
    ("v5", "roll 6d10 h2 vs 5d10 h1"),
    ("v5", "rouse"),
    ("generic", "roll 4d6k3 + 2"),
    ("generic", "roll 40d6"),
    ("strike_cinder", "sc cinder 5"),
    ("crossroads", "xr 3d6a1 n2"),
    ("beat_eight", "b8 t4 a1 vs t3"),
    ("fayrewood", "toss d8 d12 boon dc7"),
]
NICKS = ["alice", "bob_", "[mara]", "x-y", "`tick`", "_under_", "a|away", "Ж", "cat^2", "user@discord", "vs", "d10"]


@pytest.fixture(scope="module")
def evening():
    """A thousand posted lines of all games, with their ids, from the real bot; and the bot's ledger."""
    evaluator, made = Evaluator(), []
    for number in range(1_000):
        system, text = COMMANDS[number % len(COMMANDS)]
        answer = evaluator.evaluate({"text": text, "system": system, "who": NICKS[number % len(NICKS)], "table": "t"})
        assert answer.get("id"), answer
        made.append((answer["reply"].removesuffix(f"; id {answer['id']}"), answer["id"]))
    (bot, _) = evaluator._tables["t"]
    yield made, bot._ledger
    evaluator.close()


@pytest.fixture(scope="module")
def lines(evening):
    return evening[0]


def test_led_20_ten_thousand_genuine_lines(lines):
    """LED-20: 10,000 genuine lines, pasted in every way and in two ways at once, are all recognised."""
    chance = Course(20)
    ways, changes = [*CLIENTS.values(), *FORUMS.values()], [*SIGNS.values(), *BREAKS.values()]
    for number in range(10_000):
        line, name = lines[number % len(lines)]
        text = f"{line}; id {name}"
        if number % 3:
            text = chance.choice(changes)(text)
        if number % 3 < 2:
            text = chance.choice(ways).format(text)
        given = pasted(text)
        assert len(given) == 1, text
        assert agreement(given[0], line), text


class Course:
    """The same choices in every run, spread evenly (a multiplicative sequence)."""

    def __init__(self, start):
        self._steps = count(start)

    def below(self, most):
        return next(self._steps) * 2_654_435_761 % 2**32 * most >> 32

    def choice(self, among):
        return among[self.below(len(among))]


def forged(chance, line, others):
    """The line with one thing altered."""
    way = chance.below(6)
    spots = [at for at, sign in enumerate(line) if sign.isdigit()]
    if way == 0 and spots:
        at = chance.choice(spots)
        return line[:at] + chance.choice("0123456789".replace(line[at], "")) + line[at + 1 :]
    if way == 1:
        at = chance.choice([at for at, sign in enumerate(line) if sign.isalpha()])
        return line[:at] + chance.choice("aeiouxyz".replace(line[at].lower(), "")) + line[at + 1 :]
    if way == 2:
        return chance.choice(["x", "_", "Sir ", "evil ", "bob vs ", "[", "|"]) + line
    if way == 3:
        at = chance.below(len(line))
        return line[:at] + line[at + 1 :] if line[at].strip() else line[:at] + " 1" + line[at:]
    if way == 4:
        return line + chance.choice([' "for the win"', "; unofficial", " 10", "0", ", margin +9"])
    other = chance.choice(others)[0]
    mine, theirs = line.split("; "), other.split("; ")
    return "; ".join([theirs[0], *mine[1:]]) if chance.below(2) else "; ".join([*mine[:-1], theirs[-1]])


def test_led_21_ten_thousand_forged_lines(lines):
    """LED-21: 10,000 lines with a digit, a letter, the name, a sign, the comment or a part altered are none of them."""
    chance = Course(21)
    ways, tried = [*CLIENTS.values(), *FORUMS.values()], 0
    while tried < 10_000:
        line, name = lines[tried % len(lines)]
        false = forged(chance, line, lines)
        if false == line:
            continue
        tried += 1
        text = f"{false}; id {name}"
        if tried % 2:
            text = chance.choice(ways).format(text)
        for given in pasted(text):
            assert given.lines, text
            assert agreement(given, line) is None, text


def verdict(text, ledger):
    """What is found of the first id in a text, by somebody to whom short ids mean nothing."""
    return asyncio.run(examine(pasted(text)[0], ledger, Asker("eval", "#elsewhere", "sam", "~sam"))).verdict


def test_led_21_verdicts_on_forgeries(evening):
    """LED-21: against the ledger itself: a forged line is altered, a forged id unknown, and neither ever genuine."""
    lines, ledger = evening
    chance = Course(22)
    for number in range(0, 1_000, 7):
        line, name = lines[number]
        assert verdict(f"{line}; id {name}", ledger) == "genuine"
        if (false := forged(chance, line, lines)) != line:
            assert verdict(f"{false}; id {name}", ledger) == "altered", false
        at = chance.choice([at for at, sign in enumerate(name) if sign != "-"])
        other = name[:at] + chance.choice("0123456789abcdefghjkmnpqrstvwxyz".replace(name[at], "")) + name[at + 1 :]
        assert verdict(f"{line}; id {other}", ledger) == "unknown", other
        swapped = lines[(number + 7) % len(lines)][1]
        assert verdict(f"{line}; id {swapped}", ledger) in ("altered", "genuine" if swapped == name else "altered")


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
