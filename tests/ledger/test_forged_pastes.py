"""LED-20, LED-21: no forged line is genuine without a note. 50,000 lines of more than 70 kinds."""

import re
from itertools import cycle, islice

import pytest

from .pastes import evening, found, relied_on, rows

pytestmark = pytest.mark.slow
EACH = 1_100  # lines of each kind

# LINE is a posted line with its id, which is true; ⏎ is a line break. A reader takes what is around it for the bot's.
BESIDE = rows("""
a result before it             The real result is 20: LINE
a result after it              LINE 20
a verdict before `>`           critical> LINE
a verdict before `:`           Success: LINE
a verdict in brackets          <Success> LINE
a number in brackets           [6] LINE
a number and a bar             20 | LINE
a number in a list             3. LINE
an impossible time             25:61 LINE
a number like a time           6:6 LINE
numbers like a date            13/13/13 LINE
a number without a space       20→LINE
a correction after it          LINE, no, 6 successes
a denial before it             not true: LINE
a denial after it              LINE is wrong
half a line before it          alice: Critical, 9 successes; LINE
half a line after it           LINE; alice: Critical, 9 successes
a title before the nick        Sir LINE
another side of a contest      bob vs LINE
a symbol before it             ❌ LINE
struck out in a chat           ~~LINE~~
struck out in a forum          [s]LINE[/s]
hidden by a forum's colour     [color=white]LINE[/color]
a keycap before it             6️⃣ LINE
a fraction before it           ½ LINE
a nick that nobody has         <Nobody> LINE
a nick with a number           <20> LINE
between the bot and the line   21:04 <FUDice> critical, LINE
behind a colour code           \x03046 LINE
after a quote                  "LINE" and then 20
""")


def digits(line):
    return [found.start() for found in re.finditer("[0-9]", line)]


def at_digit(line, n, change):
    """The line with `change` made to its nth digit."""
    at = digits(line)[n % len(digits(line))]
    return line[:at] + change(line[at]) + line[at + 1 :]


def at_space(line, n, put_in):
    """The line with something else for its nth space behind the nick."""
    spaces = [found.start() for found in re.finditer(" ", line)]
    at = spaces[n % len(spaces)]
    return line[:at] + put_in + line[at + 1 :]


def other(digit, n):
    return str((int(digit) + 1 + n % 9) % 10)


def parts(line):
    return line.split("; ")


def nick(line, name):
    return name + line[line.index(":") :]


# Each takes a posted line without its id, a number that varies it, and another posted line.
ALTERED = {
    "another digit": lambda line, n, _: at_digit(line, n, lambda digit: other(digit, n)),
    "a digit more": lambda line, n, _: at_digit(line, n, lambda digit: digit + str(n % 10)),
    "a digit less": lambda line, n, _: at_digit(line, n, lambda _: ""),
    "a fullwidth digit": lambda line, n, _: at_digit(line, n, lambda digit: chr(0xFF10 + int(other(digit, n)))),
    "a raised digit": lambda line, n, _: at_digit(line, n, lambda digit: digit + "⁰¹²³⁴⁵⁶⁷⁸⁹"[n % 10]),
    "a keycap": lambda line, n, _: at_digit(line, n, lambda digit: other(digit, n) + "\ufe0f\u20e3"),
    "a digit struck out": lambda line, n, _: at_digit(line, n, lambda digit: f"{digit}\u0336{other(digit, n)}"),
    "struck out in Markdown": lambda line, n, _: at_digit(line, n, lambda digit: f"~~{digit}~~ {other(digit, n)}"),
    "struck out on IRC": lambda line, n, _: at_digit(line, n, lambda digit: f"\x1e{digit}\x1e"),
    "reversed on IRC": lambda line, n, _: at_digit(line, n, lambda digit: f"\x16{digit}\x16"),
    "a colour before a digit": lambda line, n, _: at_digit(line, n, lambda digit: f"\x03{n % 9}\x0f{digit}"),
    "a colour that looks like a die": lambda line, n, _: at_digit(line, n, lambda digit: f"\x03{n % 16:02}{digit}"),
    "white on white": lambda line, n, _: at_digit(line, n, lambda digit: f"\x0300,00{digit}\x03"),
    "black on black": lambda line, n, _: at_digit(line, n, lambda digit: f"\x0301,01{digit}\x0f"),
    "white alone": lambda line, n, _: at_digit(line, n, lambda digit: f"\x0300{digit}\x0f"),
    "one colour on itself, in RGB": lambda line, n, _: at_digit(line, n, lambda digit: f"\x04ffffff,ffffff{digit}\x04"),
    "turned round": lambda line, n, _: at_digit(line, n, lambda digit: f"\u202e{digit}\u202c"),
    "turned round to the end": lambda line, n, _: at_space(line, n, " \u202e"),
    "a mark from right to left": lambda line, n, _: at_space(line, n, " \u200f"),
    "a backspace": lambda line, n, _: at_digit(line, n, lambda digit: f"{other(digit, n)}\b{digit}"),
    "a carriage return": lambda line, n, _: f"alice: {n} successes; \r{line}",
    "two dice made one": lambda line, n, _: re.sub("([0-9]) ([0-9])", r"\1\2", line, count=1 + n % 3),
    "one die made two": lambda line, n, _: at_digit(line, n, lambda digit: f"{digit} {n % 10}"),
    "a die put in at a break": lambda line, n, _: at_space(line, n, f"\n{n % 10}. "),
    "a die in brackets at a break": lambda line, n, _: at_space(line, n, f"\n[{1 + n % 10}] "),
    "a bar and a die at a break": lambda line, n, _: at_space(line, n, f"\n{1 + n % 10} | "),
    "a time for two dice": lambda line, n, _: at_space(line, n, f"\n{n % 24}:{n % 60:02} "),
    "words on a line of their own": lambda line, n, _: at_space(line, n, f"\n(no, {n})\n"),
    "a word more": lambda line, n, _: at_space(line, n, (" not ", " no ", " a ", " alice ")[n % 4]),
    "another part": lambda line, n, theirs: "; ".join([*parts(line)[:-1], parts(theirs)[-1]]),
    "another verdict": lambda line, n, theirs: nick(theirs, line[: line.index(":")]),
    "a part left out": lambda line, n, _: "; ".join(part for at, part in enumerate(parts(line)) if at != 1),
    "a part more": lambda line, n, _: f"{line}; margin +{n}",
    "a comment more": lambda line, n, _: f'{line} "and it counts {n} times"',
    "another line": lambda line, n, theirs: theirs,
    "another nick": lambda line, n, _: nick(line, ("carol", "alicia", "bobby", "Bot", "sam")[n % 5]),
    "a nick with a letter more": lambda line, n, _: "aeioux"[n % 6] + line,
    "a nick with a sign more": lambda line, n, _: "_|`^\\-"[n % 6] + line,
    "a nick with a sign after": lambda line, n, _: nick(line, line[: line.index(":")] + "_|`^\\-"[n % 6]),
    "a Cyrillic nick": lambda line, n, _: nick(line, "аӏісе"),
    "no nick": lambda line, n, _: line[line.index(":") + 2 :],
    "something before the id": lambda line, n, _: line + (", or so", ";", " (20)", "\nnot really", " 6")[n % 5],
    "an invented line": lambda line, n, _: f"{line[: line.index(':')]}: Critical, {n} successes; 10 10 10; 3d10",
}
# Each takes the id.
IDS = {
    "another tag": lambda name, n: name[:-1] + "0123456789abcdefghjkmnpqrstvwxyz"[n % 32],
    "another number": lambda name, n: f"{(int(name[0]) + 1 + n) % 9}{name[1:]}",
    "a number of later": lambda name, n: f"{n + 100}{name[1:]}",
}


@pytest.fixture(scope="module")
def posted():
    return evening()


def many(lines):
    """EACH lines, one after the other, with a number, another line, and a client's way to show it."""
    clients = cycle(("{}", "21:04 <@FUDice> {}", "[21:04:11] <FUDice> {}", "> {}", "“{}”"))
    for n, line, client in islice(zip(range(EACH), cycle(lines), clients, strict=False), EACH):
        yield n, *line.rsplit("; id ", 1), lines[(n + 1 + n // len(lines)) % len(lines)].rsplit("; id ", 1)[0], client


@pytest.mark.parametrize("kind", BESIDE)
def test_led_20_words_beside_a_true_line_are_noted(posted, kind):
    """LED-20: what stands on the same line and is no decoration is noted."""
    table, lines = posted
    for line in lines:
        (one,) = found(table, BESIDE[kind].replace("LINE", line))
        assert (one.verdict, "beside" in one.notes, one.counts) == ("genuine", True, False), line


@pytest.mark.parametrize("kind", ALTERED)
def test_led_21_an_altered_line_is_never_relied_on(posted, kind):
    """LED-20, LED-21: whatever is altered in a line, it is altered, or noted with the line as it was."""
    table, lines = posted
    tried = 0
    for n, line, name, theirs, client in many(lines):
        if (forged := ALTERED[kind](line, n, theirs)) != line:
            tried += 1
            assert not relied_on(table, client.format(f"{forged}; id {name}")), forged
    assert tried > EACH // 2


@pytest.mark.parametrize("kind", IDS)
def test_led_21_another_id_is_never_relied_on(posted, kind):
    """LED-21: with an id that is not its own no line is genuine."""
    table, lines = posted
    for n, line, name, _, client in many(lines):
        if (forged := IDS[kind](name, n)) != name:
            assert not relied_on(table, client.format(f"{line}; id {forged}")), forged


def test_led_21_a_true_line_covers_no_false_one(posted):
    """LED-20: a forged line with the id of a true one, in the same paste."""
    table, lines = posted
    for n, line, name, _, client in many(lines):
        forged = client.format(f"{ALTERED['another digit'](line, n, '')}; id {name}")
        for paste in (f"{line}; id {name}\n{forged}", f"{forged} {line}; id {name}"):
            assert not all(one.counts for one in found(table, paste)), paste


def test_led_21_the_result_is_genuine_under_another_nick(posted):
    """LED-20: another nick in the roller's place is altered, and the roller is named."""
    table, lines = posted
    (one,) = found(table, lines[0].replace("alice", "bob", 1))
    assert (one.verdict, one.counts) == ("altered", False)
    (reply, *_) = table.say("sam", f"!verify {lines[0].replace('alice', 'bob', 1)}").replies
    assert "the result is genuine; it was rolled by alice" in reply.text
