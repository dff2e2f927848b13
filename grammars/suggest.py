"""Did you mean: the nearest command that works and keeps all that was typed (GEN-11)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice, product

from grammars.tokens import FLAGS, NDX, Token

MOST_UNKNOWN = 12  # GEN-16: unknown words that are looked at,
MOST_LETTERS = 24  # and the length of one
MOST_TRIED = 12  # ways to spell a line
LONG = 5  # GEN-03: letters of a word that plain talk is compared with
MANY = 8  # letters of a word in which two may be wrong
SHORT = 3  # letters of a word that plain talk may not hold as it is: `lying low`
HARD = frozenset(("easy", "simple", "average", "hard", "tough", "difficult"))
# GEN-03: with one of these a comment may have been meant as part of the roll.
SUMS = frozenset(
    ("plus", "minus", "add", "subtract", "times", "twice", "double", "doubled", "half", "halved", "divided")
)
NEGATIONS = frozenset(("no", "not", "without", "dont", "never"))
_MARKS = ",.!?;:()"
_TALK = re.compile(r"[('\"]*(?u:[^\W\d_])+(?:['-](?u:[^\W\d_])+)*[,.!?;:)'\"/]*")
_IN_PARENTHESES = re.compile(r"^\(([^()]*)\)$")
_BLANK = re.compile(r"[\s-]")
_PARTS = re.compile(r"(?P<letters>[a-z]+(?:-[a-z]+)*)(?P<rest>[:=]?[-+]?[0-9]*[.,!?]*)", FLAGS)
FIGURES: Mapping[str, str] = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip


def near(typed: str, words: Iterable[str], letters: int = 1) -> list[str]:
    """Those of `words` from which `typed` differs in at most `letters`, the nearest first; no word of two letters."""
    alike = [word for word in words if len(word) > 2 and abs(len(word) - len(typed)) <= letters]
    return get_close_matches(typed, alike, cutoff=(len(typed) - letters) / len(typed)) if alike else []


def plain_words(tokens: Iterable[Token]) -> frozenset[str]:
    """GEN-03: the words of a grammar that stand without a number: short ones as they are, as `boon`, and the long words
    of spellings such as `great disadvantage` one by one."""
    spellings = [spelling for token in tokens if not token.numbered for spelling in token.words]
    parts = {word for spelling in spellings for word in _BLANK.split(spelling) if len(word) >= LONG}
    return frozenset(parts.union(spellings))


def may_be(typed: str, words: Iterable[str], alone: bool = False) -> bool:
    """GEN-03: whether a word of talk is or may be a misspelling of one of `words`; one that is `alone` is compared with
    shorter words too, as `bon` with `boon`, and may be a difficulty of no game."""
    if (len(typed) >= SHORT and typed in words) or (alone and typed in HARD):
        return True
    return bool(near(typed, (w for w in words if len(w) >= LONG - alone)))


def phrase_in(said: str, words: Iterable[str]) -> str | None:
    """GEN-03: the spelling of several words, or of words run together, that talk holds: `full moon`."""
    for word in words:
        parts = _BLANK.split(word)
        if len(parts) > 1 and (found := re.search(rf"\b{'[ -]?'.join(map(re.escape, parts))}\b", said, FLAGS)):
            return found[0]
    return None


def knows(tokens: Iterable[Token], typed: str) -> bool:
    """Whether a word consists of tokens of the grammar, run together or not: `h2dc3`.

    A token that takes any word, as a nick, does not count.
    """
    tokens = [token for token in tokens if not (token.rejects or token.re.match("anything"))]
    at = 0
    typed = typed[:MOST_LETTERS].replace(",", "")
    while at < len(typed):
        ends = (m.end() for token in tokens if (m := token.re.match(typed, at)))
        end = max(ends, default=at)
        if end == at:
            return False
        at = end
    return True


def suggestion(
    plain: str,
    word: str,
    tokens: Collection[Token],
    synonyms: Mapping[str, str],
    works: Callable[[str], str | None],
) -> str | None:
    """The nearest command to `plain`, which begins with the command word `word`; None where there is none.

    Unknown words are replaced by near words of the grammar, one spelling of the line after another, until `works`
    reads one to its end; it returns the command as it is shown. Every number and every known word stays.
    """
    known = sorted({w for token in tokens for w in token.words})
    said, unknown = _looked_at(plain, word, tokens)
    spellings = [[each] for each in said]
    for at in unknown[:MOST_UNKNOWN]:
        spellings[at] = [*_meant(said[at].lower(), known, synonyms), said[at]]
    if all(len(each) == 1 for each in spellings):
        return None
    for tried in islice(product(*spellings), MOST_TRIED):
        text = word + " ".join(tried)
        if (found := works(text)) and found.partition(" # ")[2] in plain:  # what was replaced is no comment
            return found if keeps_numbers(text, found) else text
    return None


def rearranged(
    plain: str,
    word: str,
    tokens: Collection[Token],
    synonyms: Mapping[str, str],
    works: Callable[[str], str | None],
) -> str | None:
    """The command in its usual order: dice, the rest, then as a comment the words that can be no part of it."""
    known = sorted({w for token in tokens for w in token.words})
    said, unknown = _looked_at(plain, word, tokens)
    parts = [_IN_PARENTHESES.sub(r"\1", each.strip(",.?;:")) for at, each in enumerate(said) if at not in unknown]
    talk = [said[at] for at in unknown]
    if any(not _TALK.fullmatch(each) or each.lower() in SUMS | NEGATIONS for each in talk):
        return None
    if any(_meant(each.lower(), known, synonyms) for each in talk[:MOST_UNKNOWN]):
        return None
    parts.sort(key=lambda part: NDX.match(part) is None)
    if not (parts and NDX.match(parts[0])):
        return None
    comment = " ".join(filter(None, (*talk, plain.partition(" #")[2].strip())))
    found = works(f"{word} {' '.join(parts)} # {comment}" if comment else f"{word} {' '.join(parts)}")
    return found if found and found.partition(" # ")[2] == comment and keeps_numbers(plain, found) else None


def _looked_at(plain: str, word: str, tokens: Collection[Token]) -> tuple[list[str], list[int]]:
    """The words that follow the command word, and the places of those that are no tokens of the grammar."""
    said = plain.partition(" #")[0][len(word) :].split(" ")
    return said, [at for at, each in enumerate(said) if not knows(tokens, each.strip(_MARKS).lower())]


def _meant(typed: str, words: Iterable[str], synonyms: Mapping[str, str]) -> list[str]:
    """What a word may have been: a synonym, a number in words, near words of the grammar."""
    parts = _PARTS.fullmatch(typed[:MOST_LETTERS])
    if parts is None:
        return []
    letters, rest = parts["letters"], parts["rest"]
    if letters in FIGURES and not rest.strip(".,!?"):
        return [FIGURES[letters]]
    if letters in synonyms:
        return [synonyms[letters] + rest]
    return [word + rest for word in near(letters, words, 2 if len(letters) >= MANY else 1)]


def keeps_numbers(text: str, command: str) -> bool:
    """GEN-11: whether every number of `text` is in `command`."""
    return _numbers(text) <= _numbers(command)


def _numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"[0-9]+", text))
