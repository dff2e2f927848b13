"""Kinds of forgery, written from verification.md alone: no line they make is genuine with exit code 0.

Every kind turns the lines of an evening into forged ones, in a fixed order and as many as there are.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product, zip_longest

from .honest_pastes import BOT, DECORATIONS, READER

DIGITS = "0123456789"
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # LED-10: Crockford's, lower case


@dataclass(frozen=True)
class Evening:
    """What was posted.

    `lines` are complete, each with its id at the end. `foreign` lines come from a bot with another ledger. `hidden`
    are ids of records whose content the asker may not see: covered and private rolls.
    """

    lines: tuple[str, ...]
    foreign: tuple[str, ...]
    hidden: tuple[str, ...]


VERDICTS = (
    "Critical", "Success", "Failure", "20", "12 successes", "margin +9", "alice wins", "not", "rerolled: 10 10 10",
    "discarded", "replaced", "no, 3 successes", "x2", "+5", "and 10 more", "(messy critical)", "= 20", "* 2",
    "is false", "forged", "doesn't count", "(edited)", "[6]", "[20]", "of 100", "!= true", "bis", "0", "00", "k", ".5",
)  # fmt: skip

Kind = Callable[[Evening], Iterator[str]]
KINDS: dict[str, Kind] = {}


def kind(make: Kind) -> Kind:
    """Enter a kind into the table under its docstring."""
    KINDS[(make.__doc__ or "").rstrip(".")] = make
    return make


def halves(line: str) -> tuple[str, str]:
    """What was recorded, and the id."""
    body, _, roll = line.rpartition("; id ")
    return body, roll


def fields(line: str) -> list[str]:
    """The fields between semicolons, without the id."""
    return halves(line)[0].split("; ")


def with_id(body: str, roll: str) -> str:
    return f"{body}; id {roll}"


def says_something(line: str) -> bool:
    """Whether there is anything but the id: an id alone claims nothing, and is answered with its line (LED-20)."""
    return any(letter.isalnum() for letter in halves(line)[0])


def changed(evening: Evening, change: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """Bodies changed under their own ids, the lines in turn."""
    made = [((with_id(body, roll)) for body in change(body)) for body, roll in map(halves, evening.lines)]
    for row in zip_longest(*made):
        yield from (line for line in row if line is not None)


def after_nick(body: str) -> range:
    """The places behind the leading nick and its colon."""
    return range(body.index(":") + 1, len(body))


# ---------------------------------------------------------------- the content


@kind
def digit_changed(evening: Evening) -> Iterator[str]:
    """One digit changed."""

    def change(body: str) -> Iterator[str]:
        for place, digit in product(after_nick(body), DIGITS):
            if body[place] in DIGITS and body[place] != digit:
                yield body[:place] + digit + body[place + 1 :]

    yield from changed(evening, change)


@kind
def digit_added(evening: Evening) -> Iterator[str]:
    """A digit added next to another."""

    def change(body: str) -> Iterator[str]:
        for place, digit in product(after_nick(body), DIGITS):
            if body[place] in DIGITS:
                yield body[:place] + digit + body[place:]

    yield from changed(evening, change)


@kind
def digit_dropped(evening: Evening) -> Iterator[str]:
    """A digit left out."""

    def change(body: str) -> Iterator[str]:
        for place in after_nick(body):
            if body[place] in DIGITS:
                yield body[:place] + body[place + 1 :]

    yield from changed(evening, change)


@kind
def digit_moved(evening: Evening) -> Iterator[str]:
    """A blank or line break moved inside numbers, so that 10 3 becomes 1 03."""

    def change(body: str) -> Iterator[str]:
        for found in re.finditer(r"(?<=[0-9]) (?=[0-9])", body):
            place = found.start()
            yield body[:place] + body[place + 1 :]
            for gap in (" ", "\n", "\u00a0", "\t"):
                yield body[: place - 1] + gap + body[place - 1] + body[place + 1 :]
                yield body[:place] + body[place + 1] + gap + body[place + 2 :]
        for found in re.finditer(r"(?<=[0-9])(?=[0-9])", body):
            for gap in (" ", "\n", "\r\n", "\u00a0", "<br>", ", "):
                yield body[: found.start()] + gap + body[found.start() :]

    yield from changed(evening, change)


@kind
def dice_swapped(evening: Evening) -> Iterator[str]:
    """Two numbers change places."""

    def change(body: str) -> Iterator[str]:
        numbers = list(re.finditer(r"[0-9]+", body))
        for first, second in product(numbers, numbers):
            if first.start() < second.start() and first[0] != second[0]:
                between = body[first.end() : second.start()]
                yield body[: first.start()] + second[0] + between + first[0] + body[second.end() :]

    yield from changed(evening, change)


@kind
def die_removed(evening: Evening) -> Iterator[str]:
    """A die left out, or said twice."""

    def change(body: str) -> Iterator[str]:
        for found in re.finditer(r" [0-9>]+(?=[ ,;]|$)", body):
            yield body[: found.start()] + body[found.end() :]
            yield body[: found.start()] + found[0] + body[found.start() :]

    yield from changed(evening, change)


@kind
def hunger_hidden(evening: Evening) -> Iterator[str]:
    """The word before the dice that stand apart moved or left out."""

    def change(body: str) -> Iterator[str]:
        for word in (", hunger", " hunger", ", dropped", ", trait", ", abilities", ", boon", ", rerolled", " as"):
            if word in body:
                before, _, after = body.partition(word)
                yield before + after
                yield before + "," + after
                yield before + after + word
                yield from (before + other + after for other in (", pool", ", bonus", ", not hunger") if other != word)

    yield from changed(evening, change)


@kind
def verdict_changed(evening: Evening) -> Iterator[str]:
    """Another verdict."""
    verdicts = (
        "Success", "Failure", "Critical", "Botch", "Messy critical", "Bestial failure", "Win", "Loss", "Overcome",
        "Complete Success", "Partial Success", "Critical hit", "Miss", "Change", "Hunger holds", "99",
    )  # fmt: skip

    def change(body: str) -> Iterator[str]:
        nick, _, rest = body.partition(": ")
        said = re.match(r"[^,;]+", rest)
        for verdict in verdicts:
            if said and said[0] != verdict:
                yield f"{nick}: {verdict}{rest[said.end() :]}"
                yield f"{nick}: {verdict}, {rest}"
                yield f"{nick}: {verdict}; {rest}"

    yield from changed(evening, change)


@kind
def negated(evening: Evening) -> Iterator[str]:
    """A word put in that denies, somewhere in the line."""
    words = ("not", "no", "never", "un-", "almost", "non-", "except", "(not)", "*not*", "NOT", "isn't", "~")

    def change(body: str) -> Iterator[str]:
        for found, word in product(list(re.finditer(r" |$", body)), words):
            yield f"{body[: found.start()]} {word}{body[found.start() :]}"
        for found, word in product(list(re.finditer(r"(?<= )[A-Za-z]", body)), ("un", "non-", "!", "in")):
            yield body[: found.start()] + word + body[found.start() :]

    yield from changed(evening, change)


@kind
def words_left_out(evening: Evening) -> Iterator[str]:
    """A word left out."""

    def change(body: str) -> Iterator[str]:
        for found in re.finditer(r" [^ ]+", body):
            yield body[: found.start()] + body[found.end() :]

    yield from changed(evening, change)


@kind
def words_swapped(evening: Evening) -> Iterator[str]:
    """Two neighbouring words change places."""

    def change(body: str) -> Iterator[str]:
        words = body.split(" ")
        for n in range(len(words) - 1):
            if words[n] != words[n + 1]:
                yield " ".join([*words[:n], words[n + 1], words[n], *words[n + 2 :]])

    yield from changed(evening, change)


@kind
def letters_changed(evening: Evening) -> Iterator[str]:
    """A letter changed or left out."""

    def change(body: str) -> Iterator[str]:
        for place in after_nick(body):
            if body[place].isalpha():
                yield body[:place] + ("x" if body[place] != "x" else "y") + body[place + 1 :]
                yield body[:place] + body[place + 1 :]

    yield from changed(evening, change)


@kind
def sign_changed(evening: Evening) -> Iterator[str]:
    """A sign, comparison or comma changed."""
    signs = "+-<>=,.*/"

    def change(body: str) -> Iterator[str]:
        for place, sign in product(after_nick(body), (*signs, "", " ", ">=", "<=", " to ")):
            if body[place] in signs and body[place] != sign:
                yield body[:place] + sign + body[place + 1 :]
        for found, sign in product(list(re.finditer(r"(?<![0-9A-Za-z+-])(?=[0-9])", body)), "-+~<>≠"):
            yield body[: found.start()] + sign + body[found.start() :]

    yield from changed(evening, change)


@kind
def field_moved(evening: Evening) -> Iterator[str]:
    """The parts between semicolons in another order, or one left out, or one twice."""
    for line in evening.lines:
        parts, roll = fields(line), halves(line)[1]
        for n in range(len(parts)):
            yield with_id("; ".join(parts[:n] + parts[n + 1 :]), roll)
            yield with_id("; ".join([*parts[: n + 1], *parts[n:]]), roll)
            if n and parts[n - 1] != parts[n]:
                yield with_id("; ".join([*parts[: n - 1], parts[n], parts[n - 1], *parts[n + 1 :]]), roll)


@kind
def field_added(evening: Evening) -> Iterator[str]:
    """Something put in before the id."""
    added = (
        "margin +9", "Critical", "10 10 10 10", "dc1", '"with the storyteller\'s leave"', "official", "unofficial",
        "rerolled 1 as 10", "costs nothing", "20", "replaced", "discarded", "not valid", "roll 1 of 1",
    )  # fmt: skip
    for line, text in product(evening.lines, added):
        parts, roll = fields(line), halves(line)[1]
        for n in range(len(parts)):
            yield with_id("; ".join([*parts[: n + 1], text, *parts[n + 1 :]]), roll)
        yield with_id(f"{'; '.join(parts)}, {text}", roll)
        yield with_id(f"{'; '.join(parts)} {text}", roll)
        yield with_id(f"{'; '.join(parts)}\n{text}", roll)


@kind
def comment_changed(evening: Evening) -> Iterator[str]:
    """A comment changed, left out or invented."""
    comments = ("for the prince", "with Willpower", "1", "no hunger", "", "difficulty 1", "not this one")

    def change(body: str) -> Iterator[str]:
        bare = re.sub(r' "[^"]*"', "", body)
        if bare != body:
            yield bare
            yield body.replace('"', "")
            yield body.replace(' "', ' "not ')
        for comment in comments:
            if f'{bare} "{comment}"' != body:
                yield f'{bare} "{comment}"'
                yield f"{bare} # {comment}"
                yield f"{bare} “{comment}”"

    yield from changed(evening, change)


@kind
def nick_changed(evening: Evening) -> Iterator[str]:
    """Another name in the roller's place."""
    names = ("mallory", "alice", "bob", "carol", "zoe", BOT, "al", "Viktor", "Viktor (mallory)", "alice vs mallory")

    def change(body: str) -> Iterator[str]:
        nick, _, rest = body.partition(": ")
        for name in (*names, nick + "_", nick + "2", nick + "|away", nick[:-1], f"{nick} (mallory)", f"{nick} vs bob"):
            if name.casefold() != nick.casefold():
                yield f"{name}: {rest}"
                yield f"{name}:{rest}"

    yield from changed(evening, change)


@kind
def opponent_changed(evening: Evening) -> Iterator[str]:
    """Another name wherever a name is, the sides of a contest changed round."""
    for line in evening.lines:
        body, roll = halves(line)
        nick, _, rest = body.partition(": ")
        names = sorted(set(re.findall(r"\b(?:alice|bob|carol|dave|Viktor|other)\b", body)))
        for old, new in product(names, ("mallory", "alice", "bob", "carol", "other", "zoe")):
            if old != new:
                yield with_id(re.sub(rf"\b{old}\b", new, body), roll)
                yield with_id(re.sub(rf"\b{old}\b", new, body, count=1), roll)
                others = re.sub(rf"\b{old}\b", new, rest)
                if others != rest:
                    yield with_id(f"{nick}: {others}", roll)
        if " vs " in nick:
            first, _, second = nick.partition(" vs ")
            yield with_id(f"{second} vs {first}: {rest}", roll)
            yield with_id(f"{first}: {rest}", roll)
            yield with_id(f"{second}: {rest}", roll)
        if "(" in nick:
            yield with_id(f"{nick[nick.index('(') + 1 : -1]}: {rest}", roll)
            yield with_id(f"{nick[nick.index('(') :]}: {rest}", roll)
            yield with_id(f"{nick.partition(' (')[0]}: {rest}", roll)


@kind
def command_changed(evening: Evening) -> Iterator[str]:
    """A word said to have been asked for as well."""
    asked = ("h0", "h1", "h5", "dc1", "dc2", "dc9", "wp", "boon", "bane", "a1", "a9", "n1", "k1", "+1", "-1", "vs @bob")
    for line, word in product(evening.lines, asked):
        parts, roll = fields(line), halves(line)[1]
        yield with_id("; ".join(parts) + " " + word, roll)
        yield with_id("; ".join([*parts[:-1], word + " " + parts[-1]]), roll)
        yield with_id("; ".join([*parts[:-1], word]), roll)


@kind
def cut_short(evening: Evening) -> Iterator[str]:
    """Cut off before the id, at every place."""

    def change(body: str) -> Iterator[str]:
        yield from (body[:end] for end in range(1, len(body)))
        yield from (f"{body[:end]}…" for end in range(1, len(body), 3))

    yield from changed(evening, change)


@kind
def head_cut(evening: Evening) -> Iterator[str]:
    """Begun in the midst of the line."""

    def change(body: str) -> Iterator[str]:
        yield from (body[start:] for start in range(1, len(body)))
        yield from (f"…{body[start:]}" for start in range(1, len(body), 3))

    yield from changed(evening, change)


@kind
def middle_cut(evening: Evening) -> Iterator[str]:
    """Something left out in the middle."""

    def change(body: str) -> Iterator[str]:
        for start in after_nick(body):
            for gap, sign in product((1, 3, 8, 20), ("", "…", " ... ", "[…]")):
                if start + gap < len(body) and (body[start : start + gap].strip() or sign):
                    yield body[:start] + sign + body[start + gap :]

    yield from changed(evening, change)


# ---------------------------------------------------------------- the id


@kind
def id_of_another(evening: Evening) -> Iterator[str]:
    """The id of another line."""
    for first, second in product(evening.lines, evening.lines):
        if first != second:
            yield with_id(halves(first)[0], halves(second)[1])


@kind
def tag_changed(evening: Evening) -> Iterator[str]:
    """One character of the id changed."""
    for line in evening.lines:
        body, roll = halves(line)
        for place, sign in product(range(len(roll)), ALPHABET):
            if roll[place] not in (sign, "-"):
                yield with_id(body, roll[:place] + sign + roll[place + 1 :])


@kind
def id_cut(evening: Evening) -> Iterator[str]:
    """An id cut short, lengthened or without its tag."""
    for line in evening.lines:
        body, roll = halves(line)
        seq, _, tag = roll.partition("-")
        yield from (with_id(body, roll[:end]) for end in range(len(roll)))
        yield from (with_id(body, roll + sign) for sign in ALPHABET)
        yield from (with_id(body, sign + roll) for sign in ALPHABET[1:])
        yield from (with_id(body, other) for other in (seq, "#" + seq, f"{seq}-", f"-{tag}", tag, f"{tag}-{seq}"))


@kind
def id_missing(evening: Evening) -> Iterator[str]:
    """No id at all, or none that belongs to the line."""
    for line in evening.lines:
        body, roll = halves(line)
        for end in (
            "",
            "; id",
            "; id ",
            "; id unknown",
            "; id 4d-27b5pk",
            "; id zzz-zzzzzz",
            "; no id",
            f"; {roll[:2]}",
        ):
            yield body + end


@kind
def invented(evening: Evening) -> Iterator[str]:
    """A line and id invented."""
    lines = (
        "alice: Critical, 6 successes vs 3, margin +3; 10 3 10, hunger 8 8; 5d10 h2 dc3",
        "bob: 20; d20 20; d20",
        "alice vs bob: alice wins, critical, 4 successes to 3; alice 10 10; bob 7 8; 2d10 vs 2d10",
        "Viktor (alice): Complete Success, 3 passes; 6>4 5 2 3 1",
    )
    ids = [f"{seq}-{tag}" for seq in ("0", "1", "2", "4d", "zz", "100") for tag in ("27b5pk", "000000", "zzzzzz")]
    for line, roll in product(lines, [*ids, *(halves(posted)[1] for posted in evening.lines)]):
        yield with_id(line, roll)


@kind
def two_ids(evening: Evening) -> Iterator[str]:
    """Two ids on one line."""
    for first, second in product(evening.lines, evening.lines):
        if first != second:
            body, roll = halves(first)
            yield with_id(with_id(body, halves(second)[1]), roll)
            yield with_id(with_id(body, roll), halves(second)[1])
            yield with_id(body, f"{halves(second)[1]} {roll}")
            yield with_id(body, f"{roll}, {halves(second)[1]}")


@kind
def another_ledger(evening: Evening) -> Iterator[str]:
    """A true line of a bot with another ledger."""
    yield from evening.foreign
    for line, posted in product(evening.foreign, evening.lines):
        yield with_id(halves(line)[0], halves(posted)[1])
        yield with_id(halves(posted)[0], halves(line)[1])


@kind
def hidden(evening: Evening) -> Iterator[str]:
    """A result for a covered or private roll."""
    results = (
        "alice vs bob: alice wins, critical, 4 successes to 3; alice 10 10 2 5; bob 7 8 2 4; 4d10 vs 4d10",
        "alice vs bob: bob wins, 1 success to 3; alice 1 1 2 6; bob 7 8 2 9; 4d10 vs 4d10",
        "alice: Critical, 6 successes; 10 10 10; 3d10",
        "alice: 20; d20 20; d20",
    )
    for roll in evening.hidden:
        yield from (with_id(result, roll) for result in results)
        yield from (with_id(halves(line)[0], roll) for line in evening.lines)
        for result, verdict in product(results, ("Success", "Failure", "bob wins", "17", "Critical")):
            yield with_id(re.sub(r": [^,;]+", f": {verdict}", result, count=1), roll)
    for line in evening.lines:
        body, roll = halves(line)
        if "secret" in body:
            for number in range(1, 13):
                yield with_id(body.replace("difficulty secret", f"difficulty {number}"), roll)
                yield with_id(body.replace("secret", f"{number}"), roll)
                yield with_id(f"{body}; it was {number}", roll)
        if "covered" in body:
            nick, _, rest = body.partition(": ")
            for verdict in ("Success", "alice wins", "bob wins", "Critical, 5 successes"):
                yield with_id(f"{nick}: {verdict}; {rest}", roll)
                yield with_id(body.replace("is rolled and covered", verdict), roll)


# ---------------------------------------------------------------- several lines


@kind
def mixed(evening: Evening) -> Iterator[str]:
    """The beginning of one line and the end of another."""
    for first, second in product(evening.lines, evening.lines):
        if first == second:
            continue
        one, two = fields(first), fields(second)
        for cut in range(1, max(len(one), len(two))):
            body = "; ".join(one[:cut] + two[cut:])
            for posted in (first, second):
                if body != halves(posted)[0]:
                    yield with_id(body, halves(posted)[1])


@kind
def interrupted(evening: Evening) -> Iterator[str]:
    """A line of talk in the midst of the pasted line."""
    talk = ("<bob> no, it was a failure", "20", "Critical, 9 successes", "[21:05] <carol> reroll!", "...", "not")
    for line, words in product(evening.lines, talk):
        for found in re.finditer(" ", line.rpartition(" id ")[0]):
            yield f"{line[: found.start()]}\n{words}\n{line[found.end() :]}"


@kind
def put_in_at_a_break(evening: Evening) -> Iterator[str]:
    """A die put in where a line breaks, as if it belonged to a client or a list."""
    starts = ("7. ", "[7] ", "7 | ", "(7) ", "> 7 ", "12:07 ", "7) ", "| 7 | ", "- 7 ", "7> ")

    def change(body: str) -> Iterator[str]:
        for found, start in product(list(re.finditer(" ", body)), starts):
            yield f"{body[: found.start()]}\n{start}{body[found.end() :]}"

    yield from changed(evening, change)


@kind
def overwritten(evening: Evening) -> Iterator[str]:
    """Another result before a carriage return."""
    for line, verdict in product(evening.lines, VERDICTS):
        yield f"{halves(line)[0]}, {verdict}\r{line}"
        yield f"{line.partition(': ')[0]}: {verdict}; \r{line}"


@kind
def among_true_lines(evening: Evening) -> Iterator[str]:
    """A forged line between two true ones."""
    for (first, second), forged in product(
        zip(evening.lines, reversed(evening.lines), strict=True), islice(digit_changed(evening), 0, 400, 7)
    ):
        yield f"{first}\n{forged}\n{second}"
        yield f"{forged}\n{first}"
        yield f"{first}\n{forged}"


@kind
def joined(evening: Evening) -> Iterator[str]:
    """A forged line in front of a true one, on the same line."""
    for line, forged in product(evening.lines, islice(digit_changed(evening), 0, 300, 9)):
        yield f"{forged} {line}"
        yield f"{halves(forged)[0]} {line}"
        yield f"{halves(forged)[0]}; {line}"
        yield f'{halves(forged)[0]} "{line}"'
        yield f"{line} {forged}"


# ---------------------------------------------------------------- next to the line

# Each leaves the line as it is: genuine, with a note.
BESIDE = {
    "a result before it": "The real result is 20: LINE",
    "a result after it": "LINE 20",
    "a verdict before `>`": "critical> LINE",
    "a verdict before `:`": "Success: LINE",
    "a verdict in brackets": "<Success> LINE",
    "a number in brackets": "[6] LINE",
    "a number and a bar": "20 | LINE",
    "a number in a list": "3. LINE",
    "an impossible time": "25:61 LINE",
    "a number like a time": "6:6 LINE",
    "numbers like a date": "13/13/13 LINE",
    "a number and an arrow": "20→LINE",
    "a correction after it": "LINE, no, 6 successes",
    "a denial before it": "not true: LINE",
    "a denial after it": "LINE is wrong",
    "half a line before it": "alice: Critical, 9 successes; LINE",
    "half a line after it": "LINE; alice: Critical, 9 successes",
    "a title before the nick": "Sir LINE",
    "another side of a contest": "bob vs LINE",
    "a symbol before it": "❌ LINE",
    "struck out in a chat": "~~LINE~~",
    "struck out in a forum": "[s]LINE[/s]",
    "hidden by a forum's colour": "[color=white]LINE[/color]",
    "a keycap before it": "6\ufe0f\u20e3 LINE",
    "a fraction before it": "½ LINE",
    "a nick that nobody has": "<Nobody> LINE",
    "a nick with a number": "<20> LINE",
    "between the bot and the line": "21:04 <FUDice> critical, LINE",
    "a number behind a colour code": "\x03046 LINE",
    "after a quote": '"LINE" and then 20',
}


@kind
def words_beside(evening: Evening) -> Iterator[str]:
    """Words, numbers and signs on the same line."""
    for line, template in product(evening.lines, BESIDE.values()):
        yield template.replace("LINE", line)


@kind
def verdict_appended(evening: Evening) -> Iterator[str]:
    """Something said after the id."""
    for line, verdict, gap in product(evening.lines, VERDICTS, (" ", "; ", ": ", ", ", " - ", " (", "\t", " > ")):
        yield line + gap + verdict


@kind
def denied_before(evening: Evening) -> Iterator[str]:
    """Something said before the nick."""
    words = (
        *VERDICTS,
        "The real result is 20",
        "critical",
        "Success",
        "This never happened",
        "fake",
        "Botch",
        "joke",
        f"{BOT} lied",
        f"{READER} 20",
        f"{BOT}: 20",
        "no",
    )
    gaps = (" ", ": ", "> ", "; ", " | ", " -> ", ' "', " (", "] ", " - ")
    for line, word, gap in product(evening.lines, words, gaps):
        yield word + gap + line


@kind
def bracketed_before(evening: Evening) -> Iterator[str]:
    """A verdict where a client shows the nick."""
    brackets = (
        "<{}> ",
        "[{}] ",
        "({}) ",
        "‹{}› ",
        "«{}» ",
        "21:04 <{}> ",
        "[21:04] {}: ",
        "**{}:** ",
        "@{}: ",
        "[quote={}]",
    )
    words = (
        "Critical",
        "Botch",
        "Success",
        "Failure",
        "6",
        "20",
        "not",
        "fake",
        "reroll",
        "12 successes",
        "false",
        "1",
    )
    for line, bracket, word in product(evening.lines, brackets, words):
        yield bracket.format(word) + line


@kind
def not_a_time(evening: Evening) -> Iterator[str]:
    """Numbers before the nick that only resemble a time or date."""
    numbers = (
        "25:99",
        "10:3",
        "6:6",
        "99.99.9999",
        "6>4",
        "20",
        "2026",
        "17/3",
        "10 3",
        "-3",
        "#6",
        "1.",
        "6)",
        "99:99:99",
    )
    for line, number, bracket in product(
        evening.lines, numbers, ("{} ", "[{}] ", "({}) ", "<{}> ", "{}: ", "{} <FUDice> ")
    ):
        yield bracket.format(number) + line


@kind
def glued(evening: Evening) -> Iterator[str]:
    """Letters or digits tight before the nick."""
    for line, word in product(
        evening.lines, ("x", "not", "al", "1", "20", "un", "_", "é", "я", "-", "not-", "~", "^", "\\")
    ):
        yield word + line
        yield f"{BOT}{word}{line}"


@kind
def struck_out(evening: Evening) -> Iterator[str]:
    """Marked up so that a reader sees it struck out, small or hidden."""
    marks = (
        ("~~", "~~"), ("<s>", "</s>"), ("<del>", "</del>"), ("[s]", "[/s]"), ("[strike]", "[/strike]"),
        ("<!--", "-->"), ('<span style="display:none">', "</span>"), ("[size=0]", "[/size]"),
        ("[color=white]", "[/color]"), ("<strike>", "</strike>"), ("<sup>", "</sup>"),
        ("<template>", "</template>"),
        ("\x1e", "\x1e"), ("\x1e", ""), ("\x0301,01", "\x0f"), ("\x0300,00", "\x03"), ("\x1b[8m", "\x1b[0m"),
        ("\x1b[9m", "\x1b[0m"), ("\x04FFFFFF,FFFFFF", "\x0f"),
    )  # fmt: skip
    for line, (before, after) in product(evening.lines, marks):
        body, roll = halves(line)
        yield before + line + after
        yield with_id(before + body + after, roll)
        for found in re.finditer(r"(?<= )[^ ]+", body):
            yield with_id(f"{body[: found.start()]}{before}{found[0]}{after}{body[found.end() :]}", roll)
            if before[0] != "\x1e":
                yield with_id(f"{body[: found.start()]}{before}9{after}{body[found.start() :]}", roll)


# ---------------------------------------------------------------- what a reader sees


@kind
def colour_before_digit(evening: Evening) -> Iterator[str]:
    """Colour codes whose digits run into the line's."""
    codes = (
        "\x031\x0f",
        "\x03{}\x02\x02",
        "\x031,\x0f",
        "\x032\x03",
        "\x0311\x0f",
        "\x031,1\x0f",
        "\x049\x0f",
        "\x031",
    )

    def change(body: str) -> Iterator[str]:
        for place, code in product(after_nick(body), codes):
            if body[place] in DIGITS:
                yield body[:place] + code.format(body[place]) + body[place:]

    yield from changed(evening, change)


@kind
def hidden_by_colour(evening: Evening) -> Iterator[str]:
    """Words in the colour of their ground."""
    pairs = ("01,01", "00,00", "1,1", "04,04", "99,99", "15,15")

    def change(body: str) -> Iterator[str]:
        for found, pair in product(list(re.finditer(r"(?<= )[^ ]+", body)), pairs):
            start = f"{body[: found.start()]}\x03{pair}"
            yield f"{start}{found[0]}\x0f{body[found.end() :]}"
            yield f"{start}\x02\x02{found[0]}\x03{body[found.end() :]}"
            yield f"{start}not \x0f{body[found.start() :]}"

    yield from changed(evening, change)


LOOK_ALIKE = {
    "a": "аɑａ", "c": "сϲｃ", "e": "еｅ", "i": "іıｉ", "o": "оοｏ", "p": "рρｐ", "s": "ѕｓ", "u": "υｕ", "x": "хｘ",
    "y": "уｙ", "d": "ԁｄ", "h": "һｈ", "l": "ӏｌ1", "b": "Ьｂ", "n": "ո", "m": "ｍ", "w": "ԝ", "r": "ｒ",
    "S": "Ѕ", "C": "С", "B": "В", "0": "O٠０𝟎", "1": "l１١𝟏¹", "2": "２٢𝟐²", "3": "З３٣𝟑³", "4": "４٤𝟒", "5": "５٥𝟓",
    "6": "６б𝟔", "7": "７٧𝟕", "8": "８𝟖",
    "9": "９٩𝟗", "+": "＋", ";": "；", ":": "：׃", ",": "‚，", ">": "＞˃", "-": "－ー",
}  # fmt: skip


@kind
def marked_digit(evening: Evening) -> Iterator[str]:
    """A digit raised, reversed, struck out, white or on a key."""
    shapes = (
        "{0}\ufe0f\u20e3",
        "\x16{0}\x16",
        "\x1e{0}\x1e",
        "\x0300{0}\x0f",
        "\x031{0}\x0f",
        "~~{1}~~ {0}",
        "{0} {1}",
    )

    def change(body: str) -> Iterator[str]:
        for place in after_nick(body):
            if body[place] in DIGITS:
                other = (int(body[place]) + 1) % 10
                for shape in (*shapes, "{0}" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[other]):
                    yield body[:place] + shape.format(body[place], other) + body[place + 1 :]

    yield from changed(evening, change)


@kind
def look_alike(evening: Evening) -> Iterator[str]:
    """A letter or digit replaced by one that looks the same."""

    def change(body: str) -> Iterator[str]:
        for place, letter in enumerate(body):
            for other in LOOK_ALIKE.get(letter, ""):
                yield body[:place] + other + body[place + 1 :]

    yield from changed(evening, change)


INVISIBLE = "\u200b\u200c\u200d\u2060\u00ad\ufeff\u180e\u115f\u3164\ufe0f\u034f\U000e0031\u2061\u206a\uffa0"


@kind
def invisible(evening: Evening) -> Iterator[str]:
    """An invisible character in the line, behind the nick."""

    def change(body: str) -> Iterator[str]:
        for place, sign in product(after_nick(body), INVISIBLE):
            yield body[:place] + sign + body[place:]

    yield from changed(evening, change)
    for line, sign in product(evening.lines, INVISIBLE):
        body, roll = halves(line)
        yield from (with_id(body, roll[:place] + sign + roll[place:]) for place in range(1, len(roll)))
        yield with_id(body, sign + roll)
        yield f"{body}{sign}; id {roll}"


@kind
def reversed_by_bidi(evening: Evening) -> Iterator[str]:
    """Bidirectional controls that turn numbers round."""
    pairs = (
        ("\u202e", "\u202c"),
        ("\u202d", "\u202c"),
        ("\u2067", "\u2069"),
        ("\u2068", "\u2069"),
        ("\u202b", "\u202c"),
    )
    pairs = (*pairs, ("\u202e", ""), ("\u200f", ""), ("\u200e", ""), ("\u061c", ""))

    def change(body: str) -> Iterator[str]:
        for found, (before, after) in product(list(re.finditer(r"(?<= )[^ ]+", body)), pairs):
            yield f"{body[: found.start()]}{before}{found[0]}{after}{body[found.end() :]}"
            yield f"{body[: found.start()]}{before}{found[0][::-1]}{after}{body[found.end() :]}x"
        for before, after in pairs:
            yield f"{body[: body.index(':') + 2]}{before}{body[body.index(':') + 2 :]}{after}"

    yield from changed(evening, change)


@kind
def control_characters(evening: Evening) -> Iterator[str]:
    """Control characters that move or erase what was written."""
    codes = ("\b", "9\b", "\x1b[2K", "\x1b[1D9", "\x1b[3C", "\x00", "\x7f", "9\x7f", "\x1b[7m", "\x05", "\x1b]0;x\x07")

    def change(body: str) -> Iterator[str]:
        for found, code in product(list(re.finditer(r"(?<=[ 0-9])[0-9a-z]", body)), codes):
            yield body[: found.start()] + code + body[found.start() :]

    yield from changed(evening, change)


@kind
def combined(evening: Evening) -> Iterator[str]:
    """Combining marks that strike a character out or ring it."""
    marks = "\u0336\u0335\u0338\u20dd\u20e0\u0305\u0333\u0307"

    def change(body: str) -> Iterator[str]:
        for place, mark in product(after_nick(body), marks):
            if body[place] != " ":
                yield body[: place + 1] + mark + body[place + 1 :]
        for mark in marks:
            nick, colon, rest = body.partition(":")
            yield nick + colon + "".join(letter + mark for letter in rest)

    yield from changed(evening, change)


@kind
def entity_trick(evening: Evening) -> Iterator[str]:
    """HTML entities and tags that become something else on a page."""
    inserted = (
        "&#57;",
        "&#x39;",
        "&nbsp;not&nbsp;",
        "<!-- 9 -->",
        "<b>9</b>",
        "&zwj;",
        "&#8238;",
        "&shy;",
        "&lt;9&gt;",
    )

    def change(body: str) -> Iterator[str]:
        for found, text in product(list(re.finditer(r"(?<= )[^ ]", body)), inserted):
            yield body[: found.start()] + text + body[found.start() :]
        for place in after_nick(body):
            if body[place] in DIGITS:
                yield f"{body[:place]}&#{48 + (int(body[place]) + 1) % 10};{body[place + 1 :]}"

    yield from changed(evening, change)


@kind
def number_in_words(evening: Evening) -> Iterator[str]:
    """A number written differently."""
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

    def change(body: str) -> Iterator[str]:
        for found in re.finditer(r"[0-9]+", body):
            number = int(found[0])
            if number < len(words):
                yield body[: found.start()] + words[number] + body[found.end() :]
            for text in (
                f"{number}.0",
                f"{number}0",
                f"0{number}",
                f"{number}/1",
                f"-{number}",
                f"1,{number}",
                f"{number}%",
            ):
                yield body[: found.start()] + text + body[found.end() :]

    yield from changed(evening, change)


def forged(evening: Evening, make: Kind, count: int) -> list[str]:
    """`count` lines of one kind in the decorations of honest pastes, spread evenly; fewer where there are fewer."""
    true = set(evening.lines)
    plain = [line for line in dict.fromkeys(make(evening)) if line not in true and says_something(line)]
    decorations = list(DECORATIONS.values())
    step = max(1, len(plain) // count)
    chosen = plain[::step] if step > 1 else plain * (-(-count // len(plain)))
    # A stride without a common factor, so that a repeated line meets every decoration.
    places = ((n + n // len(plain)) * 31 % len(decorations) for n in range(len(chosen)))
    made = (decorations[place].replace("LINE", line) for place, line in zip(places, chosen, strict=True))
    return list(islice(dict.fromkeys(made), count))
