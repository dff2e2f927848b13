"""Ten thousand genuine lines and a hundred thousand forged ones, pasted in every way (LED-20, LED-21)."""

import asyncio
from itertools import count

import pytest
from pasting import BREAKS, CLIENTS, FORUMS, SIGNS

from ircdice.evaluation import Evaluator
from ircdice.ledger.comparing import agreement
from ircdice.ledger.paste import pasted
from ircdice.ledger.verdict import examine
from ircdice.ledger.verification import Asker

pytestmark = pytest.mark.slow

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


WRAPS = ["\n", "<br>", "\u2028", "\x0b", "\x85", "\f"]
PUT_IN = ["10 | ", "not > ", "<not> ", "14 | ", "10. ", "[10] ", "10: ", "10> ", "10:10 ", "- ", "-2 | ", "7) ", "* "]


def forged(chance, line, others):
    """The line with one thing altered."""
    way = chance.below(7)
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
    if way == 5:  # at a wrap, where decoration is passed over
        at = chance.choice([at for at, sign in enumerate(line) if sign == " "])
        return f"{line[:at]}{chance.choice(WRAPS)}{chance.choice(PUT_IN)}{line[at + 1 :]}"
    other = chance.choice(others)[0]
    mine, theirs = line.split("; "), other.split("; ")
    return "; ".join([theirs[0], *mine[1:]]) if chance.below(2) else "; ".join([*mine[:-1], theirs[-1]])


@pytest.mark.parametrize("nth", range(10))
def test_led_21_a_hundred_thousand_forged_lines(lines, nth):
    """LED-21: 100,000 lines, a digit, letter, name, sign, comment, wrap or part of each altered, are none of them."""
    chance = Course(21 + nth * 1_000_003)
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
        assert verdict(f"{line}; id {swapped}", ledger) == "altered"
