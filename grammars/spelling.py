"""Near spellings: which known word was meant. Knows words, no grammar."""

from __future__ import annotations

from collections.abc import Iterable

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
SHORTEST = 3  # of a word that can be nearly known: two letters are within one of everything


def one_letter_off(typed: str, word: str) -> bool:
    """True where one letter added, dropped, changed or swapped with its neighbour turns `typed` into `word`."""
    if abs(len(typed) - len(word)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(typed, word, strict=False)) if a != b), min(len(typed), len(word)))
    left, right = typed[start:], word[start:]
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped


def nearest(typed: str, words: Iterable[str]) -> str | None:
    """The word that `typed` is, or is within one letter of: the longest, the first by its letters; or None."""
    known = sorted((w for w in words if len(w) >= SHORTEST), key=lambda word: (-len(word), word))
    if typed in known:
        return typed
    return next((w for w in known if one_letter_off(typed, w)), None)


def neighbours(one: str, other: str) -> bool:
    """Whether two letters lie side by side on most keyboards."""
    (row, at), (further, there) = _key(one), _key(other)
    return one != other and abs(row - further) <= 1 and abs(at - there) < 1 + (row == further) / 2


def _key(letter: str) -> tuple[int, float]:
    """Where it lies: its row, and how far from the left, each row half a key further than the one above."""
    row = next(number for number, row in enumerate(_ROWS) if letter in row)
    return row, _ROWS[row].index(letter) + row / 2
