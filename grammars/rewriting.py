"""A line written otherwise, no word of it lost: figures for words, signs, dice in front. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from grammars.catalogue import Grammar
from grammars.spelling import nearest
from grammars.spelt import in_figures, in_signs
from grammars.tokens import FLAGS, NDX

_TIMES = re.compile(r"(?<=\s)x(?=[0-9]+(?![a-z0-9]))", FLAGS)  # `rouse x2`
_COMMA = re.compile(r"(?<=[0-9a-z])\s*,\s*(?=[0-9a-z])(?![0-9]*d[0-9])", FLAGS)  # `toss 3,2`; not `roll d6,d8`
_BETWEEN = re.compile(r"(?<=[0-9])\s*(?:[,+&/]|and(?=[\s0-9]))\s*(?=[0-9a-z])", FLAGS)  # `toss 3+2`, `toss 3 & 2`
_APART = re.compile(r"(?<![a-z0-9])([0-9]{0,3})\s?d\s+(?=[0-9])", FLAGS)  # `roll d 20`
COMMENT = re.compile(r"\s#(?:\s.*)?$", re.DOTALL)
_VERSUS = re.compile(r"(?<=\s)(?:(?:versus|vss|v[zdxaew]|[cb]s|sv|against)(?=[\s@])|v\.?(?=[\s@0-9]))", FLAGS)
_AT = re.compile(r"(?<=\s)(?:vs\.?\s*)?@\s*(?=[^\s@])", FLAGS)  # `5d10 h2 @bob`, `vs @ bob`
_NOBODY = re.compile(r"(?<=\s)(?:vs\.?|versus|against)\s+(?P<name>[a-z_][^\s0-9#@,;]+)(?=\s*$)", FLAGS)  # `vs bob`
_ID = re.compile(r"(?<=\s)(?![0-9]+x$)(?:[0-9]+[a-z][0-9a-z]*|[0-9a-z]+-[0-9a-z]{6})$", FLAGS)  # `wp 4d`
_NUMBERED = re.compile(r"(?<=\s)([a-z]{4,})(?=[0-9]{1,3}(?:\s|$))", FLAGS)  # `reroll1`
_MARK = re.compile(r"(?<![a-z])[a-z]{2,4}(?=[0-9])", FLAGS)
_TWICE = re.compile(r"([a-z])\1", FLAGS)
_WORD = re.compile(r"(?<![\w@#-])[a-z]{3,}", FLAGS)
_FILLERS = frozenset({"with", "at", "a", "an", "the", "and"})
_NUMBER = re.compile(r"[0-9]{1,3}")
# Behind these a number belongs to the word that follows: `5d10 2 hunger`, `with 2 advantage`; not `toss 3 dc`.
_COUNTS_BEHIND = re.compile(rf"(?:[0-9]+d[0-9]+|{'|'.join(sorted(_FILLERS))}),?", FLAGS)
_GLUED = re.compile(r"(?<=\s)(?P<number>[0-9]{1,3})(?P<word>(?!d(?![a-z]))[a-z]{1,10})(?=\s|$)", FLAGS)  # `5d10 2h 3dc`
_VS_NUMBER = re.compile(r"(?<=\s)vs\.?\s+(?=(?:dc|diff(?:iculty)?)\s*[0-9])", FLAGS)  # `vs dc7`
_OH = re.compile(r"(?<![a-z0-9])([0-9]{0,3}d[0-9]{1,3})o(?![a-z0-9])", FLAGS)  # `5d1o`
_DIE = re.compile(r"(?<=[\s(][0-9]|[0-9]{2})[sferc](?=[0-9]{1,3}(?![0-9]))", FLAGS)  # `3s6`
_LAST = re.compile(r"\s(?P<word>adv(?:antage)?|dis(?:advantage)?)(?![a-z])(?P<rest>.*)", FLAGS)  # `d20 adv + 5`
_SIGNS = str.maketrans({"×": "*", "÷": "/"})
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])", FLAGS)
_DICE = re.compile(rf"(?:{NDX.pattern})\S*|(?<![a-z0-9+-])[0-9]+(?:[-+][0-9]+)+", FLAGS)  # or a pool, `3+4`


MOST_WORDS = 20  # a longer line is not nearly a command, and is not worth the time


def rewritten(plain: str, word: str, grammar: Grammar) -> Iterator[str]:
    """What a command of `grammar` that begins with `word` may have been."""
    words = grammar.words
    plain = COMMENT.sub("", plain)
    yield in_figures(plain)
    signs = in_signs(in_figures(plain)).translate(_SIGNS)
    yield signs
    if len(signs.split()) > MOST_WORDS:
        return
    yield _COMMA.sub(" ", signs)
    yield _closed(signs)
    yield _dice_in_front(signs, word)
    yield _OH.sub(r"\g<1>0", signs)
    yield _LAST.sub(r"\g<rest> \g<word>", signs)
    yield _APART.sub(r"\1d", signs)
    versus = _VERSUS.sub("vs", signs)
    yield versus  # before `v human` is taken for one word
    yield _joined(signs, words)
    yield opposed(signs)
    yield named(versus, words)
    yield _ID.sub(r"#\g<0>", signs)
    yield _MARK.sub(lambda mark: _TWICE.sub(r"\1", mark[0]), signs)  # `hh2`, `dcc3`
    yield from (rewrite(signs) for rewrite in grammar.rewrites)
    yield _NUMBERED.sub(r"\1 ", signs)
    yield _put_right(signs, len(word), words, ends=False)  # before a name is taken for the beginning of a word
    yield _put_right(signs, len(word), words)
    yield _DIE.sub("d", signs)
    yield _TIMES.sub("", signs)
    yield _unglued(signs, grammar)
    yield _VS_NUMBER.sub("", signs)
    yield plainly(signs, words)
    yield _BETWEEN.sub(" ", signs)


def opposed(plain: str) -> str:
    """The same with `vs` where that may have been meant: `v 5`, `versus 5d10`, `@bob` alone."""
    return _AT.sub("vs @", _VERSUS.sub("vs", plain))


def named(plain: str, words: Collection[str] = ()) -> str:
    """The same with a nick behind `vs` where a name stands at the end that is no nearly known word: `vs bob`."""
    return _NOBODY.sub(lambda said: said[0] if nearest(said["name"].lower(), words) else f"vs @{said['name']}", plain)


def plainly(plain: str, words: Collection[str]) -> str:
    """Without the small words between, and a number behind the word that it counts: `with 2 advantage`."""
    found = plain.split()
    known = [word.lower() in words for word in found]
    counts = [bool(_NUMBER.fullmatch(word)) for word in found]
    said: list[str] = []
    turned: set[int] = set()
    for at, word in enumerate(found):
        told = (
            any(known[at + 1 : at + 2]) or any(counts[at + 1 : at + 2]) or any(map(NDX.match, found[at + 1 : at + 2]))
        )
        if word.lower() in _FILLERS and told and not known[at]:
            continue
        if known[at] and at > 1 and counts[at - 1] and (at - 2 in turned or _COUNTS_BEHIND.fullmatch(found[at - 2])):
            said.insert(-1, word)
            turned.add(at)
            continue
        said.append(word)
    return " ".join(said) if said != found else plain


def _unglued(plain: str, grammar: Grammar) -> str:
    """Numbers behind the words that they stand before, `h2` for `2h`; not where the game has it so, `1up`."""

    def turned(said: re.Match[str]) -> str:
        as_written = grammar.knows(said[0]) and said["word"].lower() not in grammar.marks
        return said[0] if as_written else f"{said['word']}{said['number']}"

    return _GLUED.sub(turned, plain)


def _put_right(plain: str, start: int, words: Collection[str], *, ends: bool = True) -> str:
    """Every word behind the command word spelt right, or written to its end: `sc join Bo arcanyst`, `sc track`."""

    if len(_WORD.findall(plain)) > MOST_WORDS:  # `fire,fire,…` is one word until here
        return plain

    def right(typed: re.Match[str]) -> str:
        said = typed[0].lower()
        longer = [word for word in words if word.startswith(said)] if ends else []
        meant = nearest(said, words) or (longer[0] if len(longer) == 1 else None)
        return meant if meant and said not in words else typed[0]

    return plain[:start] + _WORD.sub(right, plain[start:])


def _closed(plain: str) -> str:
    """As many parentheses closed as were opened."""
    missing = plain.count("(") - plain.count(")")
    text = plain.rstrip()
    if missing < 0 and text.endswith(")" * -missing):
        return text[:missing]
    return text + ")" * missing


def _dice_in_front(plain: str, word: str) -> str:
    """The dice moved to where they belong, straight behind the command word: `roll h2 5d10`."""
    begun = len(plain) - len(plain.lstrip()) + len(word)
    dice = _DICE.search(plain, begun)
    if dice is None:
        return plain
    parts = plain[:begun], dice[0], plain[begun : dice.start()].strip(), plain[dice.end() :].strip()
    return " ".join(filter(None, parts))


def _joined(plain: str, words: Collection[str]) -> str:
    """Two words made into the one that they are, or nearly are, with a hyphen or without: `end turn`, `re-roll`."""
    parts = _HYPHEN.sub(" ", plain).split()
    if len(parts) > MOST_WORDS:  # `s-s-s-…` is one word until here
        return plain
    pairs = [(at, pair) for at, pair in enumerate(pairwise(parts)) if at and all(map(str.isalpha, pair))]
    for at, pair in pairs:
        for between in ("", "-"):
            if meant := nearest(between.join(pair).lower(), words):
                return " ".join([*parts[:at], meant, *parts[at + 2 :]])
    return plain
