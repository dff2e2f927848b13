"""The nearest command that would have worked: misspelt words put right, what cannot be used left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import takewhile

import pyparsing as pp

from grammars import slips
from grammars.catalogue import Grammar, hinted
from grammars.rewriting import COMMENT, plainly, rewritten
from grammars.spelt import in_figures
from grammars.tokens import FLAGS, Misread

_OTHERWISE = frozenset({"or", "not"})  # what stands behind is another roll, and no part of this one
_SPELT = re.compile(r"(?<![^\s,])[a-z][a-z0-9:=+-]*", FLAGS)
TRIES = 8  # a line that is further off than that was not nearly anything
MOST_TRIED = 16  # ways to spell a line


def mended(grammar: Grammar, plain: str, word: str, instead: str | None = None) -> str | None:
    """The text of the nearest command that `grammar` reads whole, else its first example for `word`.

    First what says all that was typed; then `instead`, which the grammar's own objection offers.
    """
    said = plainly(in_figures(plain), grammar.words)
    return keeping_all(grammar, plain, word) or _word_by_word(
        grammar, said if said != plain else instead or plain, word
    )


def keeping_all(grammar: Grammar, plain: str, word: str) -> str | None:
    """The text of a command that `grammar` reads whole, where it takes no more than to write `plain` otherwise."""
    tried = {plain}
    for text in rewritten(plain, word, grammar):
        if text not in tried and (found := as_it_is(grammar, text, word)):
            return found
        tried.add(text)
    return None


def as_it_is(grammar: Grammar, plain: str, word: str) -> str | None:
    """The command that `plain` is, if it is one."""
    try:
        found = grammar.parsers[word].parsed(plain)
    except pp.ParseBaseException:
        return None
    return hinted(found[0], plain) if found and not found[1].strip() and grammar.owns(found[0]) else None


def _word_by_word(grammar: Grammar, plain: str, word: str) -> str | None:
    """The same by putting right or leaving out what cannot be read, one word at a time."""
    text = plain
    for _ in range(TRIES):
        try:
            found = grammar.parsers[word].parsed(text)
        except Misread as objection:
            text = objection.instead or _without_the_word(grammar, text, objection.loc, word)
        except pp.ParseBaseException as failure:
            begun = len(text) - len(text.lstrip()) + len(word)
            text = _without_the_word(grammar, text, max(failure.loc, begun), word)
        else:
            if found and not found[1].strip():
                if not grammar.owns(found[0]):
                    break
                return hinted(found[0], text)
            left = found[1] if found else text.lstrip()[len(word) :]
            text = _without_the_word(grammar, text, len(text) - len(left), word)
    fitting = [e for e in grammar.examples if re.match(rf"{re.escape(word)}(?![a-z])", e, FLAGS)]
    return max(fitting, key=partial(_alike, plain.lower().split()), default=None)


def _alike(typed: Sequence[str], example: str) -> int:
    """With how many words of what was typed an example begins: `sc cinder` is shown one of Cinder."""
    pairs = zip(typed, example.lower().split(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _without_the_word(grammar: Grammar, text: str, at: int, word: str) -> str:
    """`text` with the word at `at` put right where that can be done, else without it."""
    match = re.compile(r"\s*(\S+)").match(text, at)
    if match is None:
        return text[:at]
    typed = match[1].lower()
    bare = typed.strip(".,!?;:()")
    if bare in _OTHERWISE:
        return text[:at]
    meant = bare if grammar.knows(bare) else grammar.nearly(bare)
    if meant in (None, typed) and (figures := slips.meant(grammar, text, at, word)):
        return figures[0].text
    put_right = "" if meant is None or meant == typed else " " + meant
    return text[:at] + put_right + text[match.end() :]


def put_right(grammar: Grammar, plain: str, word: str) -> tuple[str, int, str] | None:
    """The first misspelt word, where it stands, and the command that `plain` is with each spelt right."""
    said = COMMENT.sub("", plain)
    texts, slipped = [""], []
    behind = 0
    for typed in _SPELT.finditer(said, len(said) - len(said.lstrip()) + len(word)):
        if right := slips.right(grammar, said, typed.start(), word):
            slipped.append(typed)
            texts = [f"{text}{said[behind : typed.start()]}{each}" for text in texts for each in right][:MOST_TRIED]
            behind = typed.end()
    found = {command for text in texts if (command := as_it_is(grammar, f"{text}{said[behind:]}", word))}
    return (slipped[0][0], slipped[0].start(), found.pop()) if slipped and len(found) == 1 else None


def slipped_alone(grammar: Grammar, plain: str, at: int, word: str) -> bool:
    """Whether a line is a whole command but for letters that slipped in front of a figure, `toss 3 2 dx7`.

    One letter may be any other: `b8 m8` is talk.
    """
    found = [each for each in slips.meant(grammar, plain, at, word) if each.certain]
    return len(found) == 1 and as_it_is(grammar, COMMENT.sub("", found[0].text), word) is not None


def unknown_words(grammar: Grammar, words: Iterable[str]) -> list[str]:
    """Those of `words` that are neither known to the grammar nor nearly so."""
    return [w for w in words if not grammar.knows(w) and grammar.nearly(w) is None]
