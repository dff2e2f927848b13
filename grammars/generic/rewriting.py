"""The dice notation written otherwise: modifiers tight behind dice, in front of their label. Reads none."""

from __future__ import annotations

import re
from functools import partial

from grammars.tokens import FLAGS

_MODIFIER = re.compile(r"(?<=[0-9])(\s?(?:k[hl]?|d[hl]|ro?|m[ia]))\s+(?=[0-9]+(?![0-9d]))", FLAGS)  # `4d6k 3`
# `2d6[fire]k1`; not `2d6[fire] d8`, which may be one die more, nor `2d6[fire]!`, which ends a sentence.
MISLAID = re.compile(
    r"(?P<label>\s?\[[^\[\]]*\])(?P<what>(?:(?:\s?(?:k[hl]?|d[hl]|ro?|m[ia])|d|e|!!?p?)(?:<=|>=|<>|[<>=])?-?[0-9]+"
    r"|(?:k[hl]?|d[hl]?)(?![a-z0-9]))+)",
    FLAGS,
)


def before_labels(plain: str) -> str:
    """What changes dice in front of the label that they have: `2d6k1[fire]`."""
    return MISLAID.sub(lambda said: f"{said['what'].replace(' ', '')}{said['label']}", plain)


REWRITES = (partial(_MODIFIER.sub, r"\1"), before_labels)
