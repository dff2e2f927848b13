"""Did you mean: the nearest command that works and keeps all that was typed, else an example (GEN-11)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice, product
from typing import NamedTuple

import pyparsing as pp

from grammars import catalogue
from grammars.catalogue import Grammar
from grammars.errors import Objection
from grammars.line import FIGURE, FIGURES, FLAGS, MOST_CHARACTERS, NDX, WHOLE_ID
from grammars.reading import AS_NAME, SUMS
from grammars.tokens import Token, near

MOST_UNKNOWN = 12  # GEN-16: unknown words to examine,
MOST_LETTERS = 24  # and the length of one
MOST_TRIED = 12  # spellings of a line to try
MOST_FURTHER_ON = 3  # command words found later in a line
MANY = 8  # words of this length may have two wrong letters
NEGATIONS = frozenset(("no", "not", "without", "dont", "don't", "never", "cancel"))
MARKS = ",.!?;:()"
_TALK = re.compile(r"[('\"]*(?u:[^\W\d_])+(?:['-](?u:[^\W\d_])+)*[,.!?;:)'\"/]*")
_IN_PARENTHESES = re.compile(r"^\(([^()]*)\)$")
_PARTS = re.compile(r"(?P<letters>[a-z]+(?:-[a-z]+)*)(?P<rest>[:=]?[-+]?[0-9]*[.,!?]*)", FLAGS)
_AS_NAME = re.compile(rf"\s{AS_NAME}", FLAGS)
_TIMES_NEXT = re.compile(r"\s*([0-9]{1,2})\s?x\s*(?![0-9]+\s?x)(?=[0-9d])", FLAGS)
_COUNT = rf"(?:[0-9]{{1,2}}|{FIGURE})"
_TIMES = re.compile(
    rf"[\s,]+(?:[x\u00d7]\s?(?P<times>{_COUNT})|(?P<often>{_COUNT})\s?(?:[x\u00d7]|times))(?![a-z0-9])[.!]*", FLAGS
)

Works = Callable[[str], str | None]
"""The text of a hint, if it works and loses nothing; otherwise None."""


class Offer(NamedTuple):
    """A command that works, and an example of the typed one; `misspelt` means that a word was misspelt."""

    hint: str | None
    example: str | None
    misspelt: bool = False


def offer(
    plain: str, word: str, system: str, grammar: Grammar, error: pp.ParseBaseException, at: int, works: Works
) -> Offer:
    """A suggestion for a line that `grammar` could not read from `at` on."""
    own = catalogue.named(system)
    if own and word not in own.keywords and grammar.name == catalogue.DICE_NOTATION:
        found = _in_own_game(own, plain, word, works)
        if found or _knows_next(own, plain[at:]):
            return Offer(found, _example(own, plain, own.keywords[0]))
    of_own = own and word in own.keywords and not NDX.search(plain)  # `roll 5 dice` in V5
    example = _example(own if own and of_own else grammar, plain, word)
    if isinstance(error, Objection):
        hint = error.hint or _spelt(plain, word, grammar, works) or _one_by_one(plain, word, at, works)
        return Offer(hint if hint and _keeps_figures(works(hint)) else None, example)
    others = (other for other in catalogue.candidates(word, system) if other is not grammar)
    spelt = (_spelt(plain, word, each, works) for each in (grammar, *others))
    if found := next(filter(None, spelt), None):
        return Offer(found, example, misspelt=True)
    return Offer(_rearranged(plain, word, grammar, works) or _one_by_one(plain, word, at, works), example)


def further_on(plain: str, works: Works) -> str | None:
    """A command after other words in a line: `please roll 5d10`; or `verify` for the id in a posted line."""
    plain = plain[:MOST_CHARACTERS]
    if ids := WHOLE_ID.findall(plain):
        return f"verify {ids[-1].lower()}"
    starts = (at.end() for at in re.finditer(" ", plain) if catalogue.command_word(plain, at.end()))
    lossless = (at for at in starts if not any(map(str.isdigit, plain[:at])))  # GEN-11: no number is dropped
    lossless = (at for at in lossless if NEGATIONS.isdisjoint(plain[:at].lower().split()))
    return next(filter(None, (works(plain[at:]) for at in islice(lossless, MOST_FURTHER_ON))), None)


def knows(tokens: Iterable[Token], typed: str) -> bool:
    """Whether a word consists of tokens of the grammar, run together or not: `h2dc3`.

    Tokens that accept any word, such as nicks, do not count.
    """
    tokens = [token for token in tokens if not (token.rejects or token.re.match("anything"))]
    at, typed = 0, typed[:MOST_LETTERS].replace(",", "")
    while at < len(typed):
        before, at = at, max((m.end() for token in tokens if (m := token.re.match(typed, at))), default=at)
        if at == before:
            return False
    return True


def keeps_numbers(text: str, command: str) -> bool:
    """GEN-11: whether every number of `text` is in `command`."""
    typed, kept = (Counter(re.findall(r"[0-9]+", each)) for each in (text, command))
    return typed <= kept


def _in_own_game(own: Grammar, plain: str, word: str, works: Works) -> str | None:
    """GEN-11: `roll 3d6 a1` as a command of the channel's own game, `xr 3d6 a1`."""
    typed = f"{own.keywords[0]}{plain[len(word) :]}"
    found = None if "!" in typed else works(typed)
    if found is None or "#" in found:
        return None
    return found if keeps_numbers(typed, found) else typed  # `toss 3 2 dc7`, which is `toss d8 d6 dc7`


def _knows_next(own: Grammar, rest: str) -> bool:
    """Whether the unknown word belongs to that game: `t4` in `roll 2d6 t4`."""
    unknown = rest.partition(" ")[0].strip(MARKS).lower()
    return unknown not in ("", "vs") and any(knows(tokens, unknown) for tokens in own.tokens.values())


def _keeps_figures(found: str | None) -> bool:
    """Whether a hint in an objection works, and leaves no number in words in a comment (GEN-11)."""
    return found is not None and FIGURES.keys().isdisjoint(found.partition(" # ")[2].lower().split())


def _example(grammar: Grammar, plain: str, word: str) -> str | None:
    """The example that begins like the line."""
    typed = plain[:MOST_CHARACTERS].lower().split()
    begins = map(catalogue.first_words, grammar.commands)
    words = {word}.union(*[each for each in begins if word in each])  # for `r` those of `roll`
    fitting = [e for e in grammar.examples if catalogue.command_word(e) in words]

    def alike(example: str) -> tuple[int, int]:
        same = [a == b for a, b in zip(example.lower().split(), typed, strict=False)]
        return [*same, False].index(False), sum(same)

    return max(fitting, key=alike, default=None)


def _spelt(plain: str, word: str, grammar: Grammar, works: Works) -> str | None:
    """The line with unknown words replaced by similar words of the grammar.

    Spellings are tried until one works; numbers and known words stay.
    """
    said, unknown = _looked_at(plain, word, grammar)
    spellings = [[each] for each in said]
    for at in unknown[:MOST_UNKNOWN]:
        spellings[at] = [*_meant(said[at].lower(), word, grammar), said[at]]
    if all(len(each) == 1 for each in spellings):
        return None
    for tried in islice(product(*spellings), MOST_TRIED):
        text = word + " ".join(tried)
        if (found := works(text)) and found.partition(" # ")[2] in plain:  # replaced words are not a comment
            return found if keeps_numbers(text, found) else text
    return None


def _rearranged(plain: str, word: str, grammar: Grammar, works: Works) -> str | None:
    """The command in its usual order: dice, the rest, `as NAME`, then the other words as a comment."""
    if name := _AS_NAME.search(plain.partition(" #")[0]):
        plain = f"{plain[: name.start()]}{plain[name.end() :]}"
    said, unknown = _looked_at(plain, word, grammar)
    parts = [_IN_PARENTHESES.sub(r"\1", each.strip(",.?;:")) for at, each in enumerate(said) if at not in unknown]
    talk = [said[at] for at in unknown]
    if any(not _TALK.fullmatch(each) or each.lower() in SUMS | NEGATIONS for each in talk):
        return None
    if any(map(str.isdigit, "".join(talk))):  # `h²`
        return None
    if any(_meant(each.lower(), word, grammar) for each in talk[:MOST_UNKNOWN]):
        return None
    parts.sort(key=lambda part: NDX.match(part) is None)
    if not (parts and NDX.match(parts[0])):
        return None
    comment = " ".join(filter(None, (*talk, plain.partition(" #")[2].strip())))
    command = f"{word} {' '.join(parts)}{name[0] if name else ''}"
    found = works(f"{command} # {comment}" if comment else command)
    return found if found and found.partition(" # ")[2] == comment and keeps_numbers(plain, found) else None


def _one_by_one(plain: str, word: str, at: int, works: Works) -> str | None:
    """GEN-17: `3x roll 5d10 h2` for `roll 5d10 h2 x3`, unread from `at` on, and for `roll 3x 5d10 h2`."""
    if times := _TIMES.search(plain.partition(" #")[0], at - 1):
        count = (times["times"] or times["often"]).lower()
        return works(f"{FIGURES.get(count, count)}x {plain[: times.start()]}{plain[times.end() :]}")
    times = _TIMES_NEXT.match(plain, len(word))
    return times and works(f"{times[1]}x {word} {plain[times.end() :]}")


def _looked_at(plain: str, word: str, grammar: Grammar) -> tuple[list[str], list[int]]:
    """The words after the command word, and the places of those that are not tokens of the grammar."""
    said = plain.partition(" #")[0][len(word) :].split(" ")
    return said, [at for at, each in enumerate(said) if not knows(grammar.tokens[word], each.strip(MARKS).lower())]


def _meant(typed: str, word: str, grammar: Grammar) -> list[str]:
    """Candidates for a word: a synonym, a number in words, or similar words of the grammar."""
    parts = _PARTS.fullmatch(typed[:MOST_LETTERS])
    if parts is None:
        return []
    letters, rest = parts["letters"], parts["rest"]
    if letters in FIGURES and not rest.strip(".,!?"):
        return [FIGURES[letters]]
    if letters in grammar.synonyms:
        return [grammar.synonyms[letters] + rest]
    words = sorted({spelling for token in grammar.tokens[word] for spelling in token.words})
    return [each + rest for each in near(letters, words, 2 if len(letters) >= MANY else 1)]
