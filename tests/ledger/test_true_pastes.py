"""LED-20: every honest way of pasting a posted line is genuine, with no note."""

import pytest

from .pastes import evening, found, rows

# LINE is the posted line with its id, ⏎ a line break.
AROUND = rows("""
the line alone                   LINE
irssi                            21:04 <@FUDice> LINE
irssi, no rank                   21:04 < FUDice> LINE
irssi, a voiced bot              21:04 <+FUDice> LINE
irssi, a notice                  21:04 -FUDice:#FU_Dice- LINE
irssi, in private                21:04 [FUDice(dice@host.example)] LINE
irssi, a log                     --- Day changed Sat Nov 21 2026⏎21:04 <@FUDice> LINE
weechat                          21:04:11       @FUDice | LINE
weechat, a drawn bar             21:04:11 FUDice │ LINE
weechat, a log                   2026-11-21 21:04:11\t@FUDice\tLINE
weechat, a notice                21:04:11     -- | Notice(FUDice) -> #FU_Dice: LINE
HexChat                          [21:04:11] <FUDice> LINE
HexChat, tabs                    [21:04:11]\tFUDice\tLINE
HexChat, a notice                [21:04:11] -FUDice/#FU_Dice- LINE
HexChat, a log                   Nov 21 21:04:11 <FUDice>\tLINE
mIRC                             [21:04] <@FUDice> LINE
mIRC, a log                      [09:04pm] <FUDice> LINE
Textual                          [9:04:11 PM] FUDice: LINE
Textual, no bracket              21:04 FUDice: LINE
no bracket, no colon             21:04 FUDice LINE
LimeChat                         21:04 FUDice: LINE
Colloquy                         9:04:11 PM FUDice: LINE
Quassel                          [21:04:11] <@FUDice> LINE
Quassel, with its date           [2026-11-21 21:04:11] <@FUDice> LINE
Konversation                     [21.11.2026] [21:04:11] <FUDice> LINE
KVIrc                            [21:04:11] <FUDice> LINE
IRCCloud                         21:04 FUDice: LINE
IRCCloud, an export              [2026-11-21 21:04:11] <FUDice> LINE
The Lounge                       21:04 <FUDice> LINE
The Lounge, in three lines       21:04⏎@FUDice⏎LINE
Kiwi IRC                         FUDice⏎21:04:11⏎LINE
Palaver on a phone               FUDice\t21:04⏎LINE
Revolution on a phone            [21:04] FUDice: LINE
AndroIRC on a phone              (21:04) <FUDice> LINE
ZNC, a log                       [21:04:11] <FUDice> LINE
ERC, the time behind             <FUDice> LINE    [21:04]
Discord, with its header         FUDice BOT — Today at 9:04 PM⏎LINE
Discord, in one line             FUDice APP — Yesterday at 21:04 LINE
Discord, a European date         FUDice — 21/11/2026 21:04⏎LINE
Matrix                           FUDice⏎LINE⏎21:04
Slack                            FUDice  9:04 PM⏎LINE
Telegram                         FUDice, [21.11.2026 21:04]⏎LINE
WhatsApp                         [21.11.26, 21:04:11] FUDice: LINE
an ISO time                      2026-11-21T21:04:11Z <FUDice> LINE
an ISO time with its zone        2026-11-21T21:04:11.123+01:00 <FUDice> LINE
an English date                  Sat 21 Nov 2026 21:04:11 <FUDice> LINE
an American date                 11/21/2026 9:04 PM <FUDice> LINE
single guillemets                ‹FUDice› LINE
an arrow                         → LINE
an arrow without a space         →LINE
a time and a colon               FUDice at 21:04: LINE
an arrow after the nick          FUDice → LINE
two characters for an arrow      -> LINE
the bot's nick in brackets       [FUDice] LINE
the bot's nick in braces         {FUDice} LINE
the bot's nick in small letters  <fudice> LINE
the bot's other nick             <FUDice_> LINE
straight quote marks             "LINE"
curly quote marks                “LINE”
German quote marks               „LINE“
French quote marks               « LINE »
single quote marks               ‘LINE’
corner brackets                  「LINE」
parentheses                      (LINE)
square brackets                  [LINE]
an e-mail's quote                > LINE
a quote of a quote               >> > LINE
an e-mail's client line          > 21:04 <FUDice> LINE
an e-mail with talk              On Saturday I had this:⏎⏎> LINE⏎⏎Do you believe me?
a list with dashes               - LINE
a list with dots                 • LINE
a list with stars                * LINE
bold in Markdown                 **LINE**
italics in Markdown              *LINE*
italics with underscores         _LINE_
code in Markdown                 `LINE`
a fence in Markdown              ```⏎LINE⏎```
a quote in Markdown              > **LINE**
a spoiler                        ||LINE||
bold in a forum                  [b]LINE[/b]
a quote in a forum               [quote]LINE[/quote]
a quote by its player            [quote=FUDice]LINE[/quote]
code in a forum                  [code]LINE[/code]
a paragraph in HTML              <p>LINE</p>
a forum's break                  Look:<br>LINE<br>Not bad, is it?
a full stop                      LINE.
talk on other lines              Look what I rolled!⏎LINE⏎I win, 20 to 3.
empty lines                      ⏎⏎  LINE  ⏎⏎
a Windows line break             21:04 <FUDice> LINE\r
a byte order mark                \ufeffLINE
a direction mark from a phone    \u200eLINE
a space of no width before it    \u200bLINE
bold on IRC                      \x02LINE\x02
a colour on IRC                  \x0303LINE\x03
a colour for the nick            21:04 <\x0304FUDice\x0f> LINE
reset at the end                 LINE\x0f
""")


def first(text, old, new):
    return text.replace(old, new, 1)


WITHIN = {
    "curly double quotes": lambda line: line.replace('"', "”"),
    "low and high quotes": lambda line: first(line.replace('"', "“"), "“", "„"),
    "curly apostrophes": lambda line: line.replace("'", "’"),
    "a phone's ellipsis": lambda line: line.replace("...", "…"),
    "a phone's long dash": lambda line: line.replace("--", "—"),
    "true minus signs": lambda line: line.replace("-", "−"),
    "hyphens that do not break": lambda line: line.replace("-", "\u2011"),
    "spaces that do not break": lambda line: line.replace(" ", "\u00a0"),
    "narrow spaces": lambda line: line.replace("; ", ";\u202f"),
    "two spaces": lambda line: line.replace("; ", ";  "),
    "tabs": lambda line: line.replace("; ", ";\t"),
    "a capital from a phone": lambda line: line[0].upper() + line[1:],
    "the nick in capitals": lambda line: line.partition(":")[0].upper() + line[line.index(":") :],
    "a nick that does not ring": lambda line: line[0] + "\u200b" + line[1:],
    "a bold verdict": lambda line: first(first(line, ": ", ": \x02"), "; ", "\x02; "),
    "an underlined verdict": lambda line: first(first(line, ": ", ": \x1f"), "; ", "\x1f; "),
    "an italic nick": lambda line: "\x1d" + first(line, ":", "\x1d:"),
    "bold by a relay": lambda line: first(first(line, ": ", ": **"), "; ", "**; "),
    "bold in HTML": lambda line: f"<p><b>{line}</b></p>",
    "a coloured nick": lambda line: "\x0306" + first(line, ":", "\x03:"),
    "the id in capitals": lambda line: line[:-8] + line[-8:].upper(),
    "the id in code": lambda line: line.replace("; id ", "; id `") + "`",
    "ID with a colon": lambda line: line.replace("; id ", "; ID: "),
    "wrapped at semicolons": lambda line: line.replace("; ", ";\n"),
    "wrapped at every space": lambda line: line.replace(" ", "\n"),
    "wrapped by Windows": lambda line: line.replace("; ", ";\r\n"),
    "wrapped and indented": lambda line: line.replace("; ", ";\n                 "),
    "wrapped in an e-mail's quote": lambda line: "> " + line.replace("; ", ";\n> "),
    "wrapped in weechat's columns": lambda line: "21:04 FUDice | " + line.replace("; ", ";\n             | "),
    "wrapped before the id": lambda line: line.replace("; id ", ";\nid "),
    "wrapped with paragraphs": lambda line: line.replace("; ", ";\n\n"),
    "wrapped by HTML": lambda line: line.replace("; ", ";<br />"),
    "sent in two messages": lambda line: "21:04 <FUDice> " + first(line, "; ", ";\n21:04 <FUDice> "),
}


@pytest.fixture(scope="module")
def posted():
    return evening()


@pytest.mark.parametrize("way", AROUND)
def test_led_20_what_clients_and_forums_add_is_no_note(posted, way):
    """LED-20: times, brackets, quote marks, arrows and the bot's own nick are decoration."""
    table, lines = posted
    for line in lines:
        assert genuine(table, AROUND[way].replace("LINE", line)), line


@pytest.mark.parametrize("way", WITHIN)
def test_led_20_what_clients_and_forums_change_is_no_note(posted, way):
    """LED-20: smart punctuation, formatting and line breaks do not make it another line."""
    table, lines = posted
    for line in lines:
        assert genuine(table, WITHIN[way](line)), line


def test_led_20_the_rollers_own_nick_is_decoration(posted):
    """LED-20, LED-22: whoever pastes a roll of their own is named twice."""
    table, lines = posted
    assert genuine(table, f"21:04 <alice> {lines[0]}")
    assert genuine(table, f"21:04:11 @alice | {lines[0]}")


def test_led_20_several_lines_at_once(posted):
    """LED-20: several lines, each from a client, in one line or in many."""
    table, lines = posted
    for joint in ("\n", " ", " | ", "\n21:04 <FUDice> ", " 21:04 <@FUDice> "):
        each = found(table, joint.join(lines))
        assert [(one.verdict, one.notes) for one in each] == [("genuine", [])] * len(lines), joint


def test_led_20_the_answer_of_log_can_be_verified(posted):
    """LED-20, LED-24: the lines of `log`, pasted as they are, with their times and bars."""
    table, _ = posted
    replies = [reply.text for reply in table.say("sam", "!log 8").replies]
    each = [one for reply in replies for one in found(table, f"21:04 -FUDice- {reply}")]
    assert [(one.verdict, one.notes) for one in each] == [("genuine", [])] * len(each)
    assert len(each) >= 4


def genuine(table, text):
    """Whether a paste of one line is genuine, without a note and with exit code 0."""
    (one,) = found(table, text)
    return one.verdict == "genuine" and one.notes == [] and one.counts
