"""Honest ways to paste one posted line, written from verification.md (LED-20) alone: all are genuine, without a note.

BOT is the bot's nick. READER is a player who has rolled in the channel, but rolled none of the pasted lines.
"""

import html
import textwrap
import unicodedata
from collections.abc import Callable

BOT = "FUDice"
READER = "zoe"

Paste = Callable[[str], str]


def around(template: str) -> Paste:
    """What surrounds the pasted line, which is LINE in the template; its roller is NICK there."""
    return lambda line: template.replace("NICK", roller(line)).replace("LINE", line)


def roller(line: str) -> str:
    """The nick of the acting side: `alice` of `alice: …`, `alice vs bob: …` and `Viktor (alice): …`."""
    head = line.partition(": ")[0].partition(" vs ")[0]
    return head[head.index("(") + 1 : -1] if head.endswith(")") else head


def wrapped(width: int, separator: str, start: str = "") -> Paste:
    """The line broken between words, as forums, mail programs and terminals break it."""
    return lambda line: (
        start + separator.join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False))
    )


def quoted_in_pairs(opening: str, closing: str) -> Paste:
    """Straight quotes made typographic, as a phone does it."""

    def paste(line: str) -> str:
        first, *others = line.split('"')
        return first + "".join((closing if n % 2 else opening) + part for n, part in enumerate(others))

    return paste


def capitalised(line: str) -> str:
    """A phone capitalises the first letter."""
    return line[0].upper() + line[1:]


def nick_as(change: Callable[[str], str]) -> Paste:
    """Another spelling of the leading nick that the network takes for the same nick."""

    def paste(line: str) -> str:
        nick, colon, rest = line.partition(":")
        return change(nick) + colon + rest if " " not in nick else line

    return paste


def no_ping(nick: str) -> str:
    """IRC-21: U+200B after the first character, so that the player is not highlighted."""
    return nick[:1] + "\u200b" + nick[1:]


# One line of decoration, before or after. Forgeries are decorated with these as well.
DECORATIONS: dict[str, str] = {
    "the bare line": "LINE",
    "blanks around": "   LINE  ",
    "a tab before": "\tLINE",
    "a line feed at the end": "LINE\n",
    "empty lines around": "\n\nLINE\n\n",
    "carriage return and line feed": "LINE\r\n",
    "a full stop at the end": "LINE.",
    # IRC clients
    "nick in angle brackets": "<FUDice> LINE",
    "an operator": "<@FUDice> LINE",
    "a voice": "<+FUDice> LINE",
    "an owner": "<~FUDice> LINE",
    "a padded nick": "< FUDice> LINE",
    "irssi": "21:04 < FUDice> LINE",
    "irssi, an operator": "21:04 <@FUDice> LINE",
    "irssi, seconds": "21:04:33 <FUDice> LINE",
    "mIRC, HexChat": "[21:04] <FUDice> LINE",
    "mIRC, seconds": "[21:04:33] <FUDice> LINE",
    "ZNC's log": "[21:04:33] <FUDice> LINE\n",
    "HexChat's log": "Nov 25 21:04:33 <FUDice>\tLINE",
    "HexChat's window": "FUDice\tLINE",
    "WeeChat": "21:04:33 FUDice | LINE",
    "WeeChat, aligned": "21:04:33          FUDice | LINE",
    "WeeChat, a voice": "21:04:33 +FUDice | LINE",
    "WeeChat's log": "2026-11-25 21:04:33\tFUDice\tLINE",
    "WeeChat's log, an operator": "2026-11-25 21:04:33\t@FUDice\tLINE",
    "Pidgin": "(21:04:33) FUDice: LINE",
    "Pidgin, twelve hours": "(09:04:33 PM) FUDice: LINE",
    "Konversation": "[21:04] [FUDice] LINE",
    "KVIrc": "[21:04:33] <FUDice> LINE",
    "IRCCloud": "[2026-11-25 21:04:33] <FUDice> LINE",
    "ISO time with a zone": "[2026-11-25T21:04:33Z] <FUDice> LINE",
    "ISO time with an offset": "2026-11-25T21:04:33+0100 <FUDice> LINE",
    "ISO time with thousandths": "2026-11-25T21:04:33.123Z <FUDice> LINE",
    "a notice": "-FUDice- LINE",
    "irssi, a notice": "21:04 -FUDice:#dice- LINE",
    "irssi, in private": "21:04 [FUDice(dice@host.example)] LINE",
    "irssi's log": "--- Day changed Sat Nov 21 2026\n21:04 <@FUDice> LINE",
    "WeeChat, a drawn bar": "21:04:11 FUDice │ LINE",
    "WeeChat, a notice": "21:04:11     -- | Notice(FUDice) -> #dice: LINE",
    "HexChat, tabs": "[21:04:11]\tFUDice\tLINE",
    "HexChat, a notice": "[21:04:11] -FUDice/#dice- LINE",
    "mIRC's log": "[09:04pm] <FUDice> LINE",
    "Konversation's log": "[21.11.2026] [21:04:11] <FUDice> LINE",
    "Colloquy": "9:04:11 PM FUDice: LINE",
    "The Lounge": "21:04\n@FUDice\nLINE",
    "Kiwi IRC": "FUDice\n21:04:11\nLINE",
    "Palaver": "FUDice\t21:04\nLINE",
    "ERC": "<FUDice> LINE    [21:04]",
    "time without a bracket": "21:04 FUDice LINE",
    "time and a colon": "21:04 FUDice: LINE",
    "time alone": "21:04 LINE",
    "time in brackets alone": "[21:04] LINE",
    "time in parentheses alone": "(9:04 pm) LINE",
    "nick and a colon": "FUDice: LINE",
    "nick and an angle": "FUDice> LINE",
    "nick alone": "FUDice LINE",
    "nick in lower case": "fudice: LINE",
    "nick with an at sign": "@FUDice LINE",
    "nick and a time": "FUDice at 21:04: LINE",
    "nick and an arrow": "FUDice → LINE",
    "nick in braces": "{FUDice} LINE",
    "nick after a collision": "<FUDice_> LINE",
    "nick in square brackets": "[FUDice] LINE",
    "nick in parentheses": "(FUDice) LINE",
    "nick in single angle quotes": "‹FUDice› LINE",
    "nick in double angle quotes": "«FUDice» LINE",
    "nick in mathematical angles": "⟨FUDice⟩ LINE",
    "nick in bold": "<\x02FUDice\x02> LINE",
    "nick in colour": "<\x0304FUDice\x0f> LINE",
    "a reset at the end": "LINE\x0f",
    "the whole line in bold": "\x02LINE\x02",
    "the whole line in italics": "\x1dLINE\x1d",
    "the whole line in colour": "\x0303LINE\x03",
    "a byte order mark": "\ufeffLINE",
    "a direction mark from a phone": "\u200eLINE",
    "U+200B before": "\u200bLINE",
    # other messengers
    "Discord, compact": "[9:04 PM]FUDice: LINE",
    "Discord, today": "FUDice — Today at 9:04 PM\nLINE",
    "Discord, yesterday": "FUDice — Yesterday at 21:04\nLINE",
    "Discord, an application": "FUDice\nAPP\n — 25/11/2026 21:04\nLINE",
    "Discord, long date": "FUDice — Wednesday, November 25, 2026 9:04 PM\nLINE",
    "Discord, in one line": "FUDice APP — Yesterday at 21:04 LINE",
    "Slack": "FUDice  [9:04 PM]\nLINE",
    "Slack, an application": "FUDice  APP  9:04 PM\nLINE",
    "Telegram": "FUDice, [25.11.2026 21:04]\nLINE",
    "WhatsApp": "[25/11/2026, 21:04:33] FUDice: LINE",
    "WhatsApp, a dash": "25/11/2026, 21:04 - FUDice: LINE",
    "Signal, a narrow blank": "[9:04\u202fPM] FUDice: LINE",
    "Matrix": "FUDice\n21:04\nLINE",
    "time behind": "LINE 21:04",
    "time in brackets behind": "LINE [21:04]",
    "time on the next line": "LINE\n21:04",
    "block quote": "> LINE",
    "block quote, tight": ">LINE",
    "quote of a quote": "> > LINE",
    "quote of a quote, tight": ">> LINE",
    "Discord's long quote": ">>> LINE",
    "quoted client": "> <FUDice> LINE",
    "quoted client, time": "> 21:04 <FUDice> LINE",
    "quoted in bold": "> **LINE**",
    "inline code": "`LINE`",
    "code block": "```\nLINE\n```",
    "code block, named": "```text\nLINE\n```",
    "indented code": "    LINE",
    "bold nick": "**FUDice:** LINE",
    "bold": "**LINE**",
    "italics": "*LINE*",
    "italics with underscores": "_LINE_",
    "spoiler": "||LINE||",
    # dates
    "German date": "25.11.2026 21:04 <FUDice> LINE",
    "American date": "11/25/2026 9:04 PM FUDice: LINE",
    "date in words": "25 Nov 2026 21:04 <FUDice> LINE",
    "weekday": "Wed 25 Nov 2026 21:04:33 <FUDice> LINE",
    "ctime": "Wed Nov 25 21:04:33 2026 <FUDice> LINE",
    "date alone": "2026-11-25 LINE",
    # quote marks, brackets, arrows
    "straight quotes": '"LINE"',
    "single quotes": "'LINE'",
    "curly single quotes": "‘LINE’",
    "curly quotes": "“LINE”",
    "German quotes": "„LINE“",
    "French quotes": "« LINE »",
    "French quotes, narrow blanks": "«\u202fLINE\u202f»",
    "Japanese quotes": "「LINE」",
    "parentheses": "(LINE)",
    "square brackets": "[LINE]",
    "braces": "{LINE}",
    "angle brackets": "<LINE>",
    "arrow": "→ LINE",
    "arrow, tight": "→LINE",
    "typed arrow": "-> LINE",
    "double arrow": "=> LINE",
    "angle quote as an arrow": "» LINE",
    "dash of a dialogue": "— LINE",
    "list, a dash": "- LINE",
    "list, a dot": "• LINE",
    "list, an asterisk": "* LINE",
    "an old quote": "| LINE",
    # forums and mail
    "forum quote": "[quote]LINE[/quote]",
    "forum quote with a name": '[quote="FUDice"]LINE[/quote]',
    "forum quote with a bare name": "[quote=FUDice]LINE[/quote]",
    "forum spoiler": "[spoiler]LINE[/spoiler]",
    "forum bold": "[b]LINE[/b]",
    "forum line breaks": "Look:<br>LINE<br>Not bad, is it?",
    "forum quote on lines of its own": "[quote=FUDice]\nLINE\n[/quote]",
    "forum code": "[code]LINE[/code]",
    "forum header": "FUDice wrote:\nLINE",
    "HTML quote": "<blockquote>LINE</blockquote>",
    "HTML paragraph": "<p>LINE</p>",
    "HTML code": "<pre><code>LINE</code></pre>",
    "HTML line break": "LINE<br>",
    "mail reply": "On Wed, 25 Nov 2026 at 21:04, FUDice wrote:\n> LINE",
    "mail signature": "LINE\n-- \nZoe\nstoryteller of the Harbour",
    "phone signature": "LINE\n\nSent from my phone",
    # several lines
    "talk before": "<zoe> what did you get?\n<FUDice> LINE",
    "talk after": "<FUDice> LINE\n<zoe> nice, 6 successes!",
    "talk around": "21:03 <zoe> go on\n21:04 <FUDice> LINE\n21:05 <zoe> wow",
    "a question above": "Is this one right?\n\nLINE\n\nThanks, Zoe",
    "talk with a result": "Look what I rolled!\nLINE\nI win, 20 to 3.",
    "pasted twice": "LINE\nLINE",
}

# The roller pastes it: NICK is the nick at the head of the line.
BY_THE_ROLLER: dict[str, str] = {
    "roller in angle brackets": "21:04 <NICK> LINE",
    "roller in WeeChat": "21:04:11 @NICK | LINE",
    "roller and a colon": "NICK: LINE",
    "roller quotes with a mark": "<NICK> > LINE",
    "roller quotes the bot": "<NICK> <FUDice> LINE",
    "roller in quote marks": '<NICK> "LINE"',
    "forum quote by the roller": '[quote="NICK"]LINE[/quote]',
}

# What happens to the line itself on the way.
CHANGES: dict[str, Paste] = {
    "capital from a phone": capitalised,
    "capital from a phone, quoted": lambda line: f"“{capitalised(line)}”",
    "nick in capitals": nick_as(str.upper),
    "nick with U+200B": nick_as(no_ping),
    "nick with U+200B, client": lambda line: f"21:04 <FUDice> {nick_as(no_ping)(line)}",
    "roller in bold": nick_as(lambda nick: f"\x02{nick}\x02"),
    "roller underlined": nick_as(lambda nick: f"\x1f{nick}\x1f"),
    "roller in italics": nick_as(lambda nick: f"\x1d{nick}\x1d"),
    "roller in colour": nick_as(lambda nick: f"\x0306{nick}\x03"),
    "verdict in bold": lambda line: line.replace(": ", ": \x02", 1).replace("; ", "\x02; ", 1),
    "verdict underlined": lambda line: line.replace(": ", ": \x1f", 1).replace("; ", "\x1f; ", 1),
    "verdict in bold by a relay": lambda line: line.replace(": ", ": **", 1).replace("; ", "**; ", 1),
    "bold in HTML": lambda line: f"<p><b>{line}</b></p>",
    "id in capitals": lambda line: line[: line.rindex(" ")] + line[line.rindex(" ") :].upper(),
    "id in code": lambda line: line.replace("; id ", "; id `") + "`",
    "id with a colon": lambda line: line.replace("; id ", "; ID: "),
    "curly quotes inside": quoted_in_pairs("“", "”"),
    "German quotes inside": quoted_in_pairs("„", "“"),
    "two primes inside": lambda line: line.replace('"', "″"),
    "typographic apostrophe": lambda line: line.replace("'", "’"),
    "minus sign": lambda line: line.replace("margin -", "margin −"),
    "en dashes": lambda line: line.replace("-", "–"),
    "hyphens that do not break": lambda line: line.replace("-", "\u2011"),
    "ellipsis": lambda line: line.replace("...", "…"),
    "long dash": lambda line: line.replace("--", "—"),
    "blanks that do not break": lambda line: line.replace(" ", "\u00a0"),
    "narrow blanks": lambda line: line.replace("; ", ";\u202f"),
    "two blanks after a semicolon": lambda line: line.replace("; ", ";  "),
    "blanks doubled": lambda line: line.replace(" ", "  "),
    "tabs for blanks": lambda line: line.replace("; ", ";\t"),
    "HTML entities": html.escape,
    "HTML entities, numbered": lambda line: line.replace('"', "&#34;").replace(">", "&#62;").replace("'", "&#39;"),
    "HTML blanks": lambda line: line.replace("; ", ";&nbsp;"),
    "decomposed accents": lambda line: unicodedata.normalize("NFD", line),
    "wrapped at 30": wrapped(30, "\n"),
    "wrapped at 40": wrapped(40, "\n"),
    "wrapped at 60": wrapped(60, "\n"),
    "wrapped at 72, CRLF": wrapped(72, "\r\n"),
    "wrapped at 20": wrapped(20, "\n"),
    "wrapped after every word": wrapped(1, "\n"),
    "wrapped and indented": wrapped(50, "\n    "),
    "wrapped, blank at the end": wrapped(50, " \n"),
    "wrapped by irssi": wrapped(50, "\n               ", "21:04 < FUDice> "),
    "wrapped by WeeChat": wrapped(50, "\n                | ", "21:04:33 FUDice | "),
    "wrapped in a mail quote": wrapped(60, "\n> ", "> "),
    "wrapped in a quote of a quote": wrapped(60, "\n>> ", ">> "),
    "wrapped by a forum": wrapped(50, "<br>"),
    "wrapped by a forum, both": wrapped(50, "<br />\n"),
    "wrapped in a code block": lambda line: f"```\n{wrapped(60, chr(10))(line)}\n```",
    "wrapped, line separator": wrapped(50, "\u2028"),
    "wrapped, a blank line between": wrapped(60, "\n\n"),
    "the semicolons on lines of their own": lambda line: line.replace("; ", ";\n"),
    "the semicolons in paragraphs": lambda line: line.replace("; ", ";\n\n"),
    "the id on a line of its own": lambda line: line.replace("; id ", ";\nid "),
    "sent in two messages": lambda line: "21:04 <FUDice> " + line.replace("; ", ";\n21:04 <FUDice> ", 1),
    "everything at once": lambda line: (
        "[quote]\n[21:04] <@FUDice> " + wrapped(50, "\n")(quoted_in_pairs("“", "”")(line)) + "\n[/quote]"
    ),
}

# Only the id is pasted (LED-20: "or an id"). The line's id stands last.
IDS: dict[str, str] = {
    "the id": "ID",
    "the id with its word": "id ID",
    "the id with a number sign": "#ID",
    "the id in a sentence's quotes": '"ID"',
}


def honest() -> dict[str, Paste]:
    """Every row, under its name."""
    ids = {name: (lambda line, text=text: text.replace("ID", line.rpartition(" ")[2])) for name, text in IDS.items()}
    around_it = {name: around(text) for name, text in (DECORATIONS | BY_THE_ROLLER).items()}
    return around_it | CHANGES | ids
