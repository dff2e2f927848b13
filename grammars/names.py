"""Names of characters, trackers, macros, scenes, tables and decks (desk.md, "Names")."""

from __future__ import annotations

from grammars.errors import ImpossibleError
from grammars.tokens import END, NICK_PATTERN, Token

MOST_LETTERS = 30
# Words that are a sub-command after some name, or begin what follows it: no name, and no part of one.
SUB_COMMANDS = frozenset(
    {"add", "as", "channel", "drop", "end", "for", "from", "hidden", "in", "left", "next", "off", "on", "rename"}
    | {"retire", "shuffle", "undo", "vs"}
)
RESERVED = SUB_COMMANDS | {"other"}  # GEN-06: the unnamed side of a contest
_LETTER, _LETTER_OR_DIGIT = r"(?u:[^\W\d_])", r"(?u:[^\W_])"
_MORE = rf"(?:{_LETTER_OR_DIGIT}|['-](?={_LETTER_OR_DIGIT}))*"
ONE_WORD = rf"{_LETTER}{_MORE}"  # `Viktor`, `O'Brien`
_NO_NAME = rf"(?!(?:{'|'.join(sorted(SUB_COMMANDS))}){END})"


def name(clause: str = "name", *, numbers: bool = True) -> Token:
    """`Viktor`, `Old Tom`: the clause of that name. Without `numbers` a number ends it: `blood potency 3`."""
    further = rf"(?: +{_NO_NAME}{_LETTER_OR_DIGIT if numbers else _LETTER}{_MORE})*"
    pattern = rf"{_NO_NAME}{ONE_WORD}{further}{END}"
    return Token("NAME", pattern, clause=clause, value=lambda match: " ".join(match[0].split()))


def one_word(clause: str = "name") -> Token:
    """`Viktor`, but no `Old Tom`: where further words follow."""
    return Token("NAME", rf"{_NO_NAME}{ONE_WORD}{END}", clause=clause, value=lambda match: match[0])


def somebody(clause: str, label: str = "a nick", *, no: str = "") -> Token:
    """`bob`, `Viktor`, `"Old Tom"`: who is here, by nick or character. `no` is what it does not begin with."""
    one = rf"(?P<name>(?:{NICK_PATTERN}|{ONE_WORD})(?=[\s.,!?#]|$))"
    pattern = rf'{no}@?(?:"(?P<quoted>{ONE_WORD}(?: {_LETTER_OR_DIGIT}{_MORE})*)"|{one})'
    return Token(label, pattern, clause=clause, value=lambda match: match["quoted"] or match["name"])


def quoted(name: str | None) -> str | None:
    """A name as it is typed where `somebody` is read: one of several words has quotes."""
    return f'"{name}"' if name and " " in name else name


def check_name(part: str, value: str | None) -> None:
    """Refuse a name that is too long or has a meaning of its own."""
    if value is None:
        return
    if len(value) > MOST_LETTERS:
        raise ImpossibleError(f"a name has at most {MOST_LETTERS} characters, yours has {len(value)}.", part)
    if value.casefold() in RESERVED:
        raise ImpossibleError(f'"{value}" has a meaning of its own: choose another name.', part)
