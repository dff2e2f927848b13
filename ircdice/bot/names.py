"""Check names of characters, trackers, macros and the like (DSK-01, DSK-02, DSK-05)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from grammars import Command, catalogue
from grammars.line import is_unseen, shown
from grammars.trackers import KNOWN
from ircdice import dispatcher
from ircdice.bot.context import Context
from ircdice.errors import RuleError
from ircdice.table import Chain, characters
from ircdice.table.desk import folded


@cache
def _meanings() -> frozenset[str]:
    """Command words, games, and the words of every verdict."""
    verdicts = (word for game in dispatcher.systems().values() for word in (*game.words, *game.words.values()))
    return frozenset(map(folded, [*catalogue.claims(), *catalogue.system_names(), *verdicts]))


# Words in the bot's own lines: a name with one of them could be taken for a verdict.
_VERDICT_WORD = re.compile(
    r"\b(?:altered|bestial|botch|botched|critical|discarded|fail|failed|fails|failure|fumble|genuine|hit|id|lost|miss|messy|"
    r"not|official|pass|passed|passes|revealed|rolled|secret|storyteller|success|successes|unknown|unofficial|win|wins|"
    r"withheld|won)\b"
)


_ALIKE = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN"}  # alphabets with lookalike letters
_LETTERS = re.compile(r"[^\W\d_]+")


def _is_disguised(word: str) -> bool:
    """Whether a word imitates another: it mixes such alphabets, like `alice` with a Cyrillic a, or is ASCII except for
    font or width."""
    alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return len(alphabets & _ALIKE) > 1 or (unicodedata.normalize("NFKC", word).isascii() and not word.isascii())


# Latin letters that look like others, but are in use, as in the Turkish `Işık`: they are letters of names of their own.
_ALIKE_IN_LATIN = str.maketrans("ıȷɑɡɩᴄᴏꜱᴜᴠᴡᴢ", "ijagicosuvwz")


def _look(name: str) -> str:
    """What a folded name looks like."""
    return folded(name).translate(_ALIKE_IN_LATIN)


def check_meaningless(name: str) -> None:
    """Raise RuleError for a name that looks like a command, a verdict or another name."""
    if any(map(is_unseen, name)) or any(map(_is_disguised, _LETTERS.findall(name))):
        raise RuleError(f'"{shown(name)}" has letters that look like others or cannot be seen: choose another name.')
    if _look(name) in _meanings() or _VERDICT_WORD.search(_look(name)):
        raise RuleError(f'"{name}" has a meaning of its own: choose another name.')


def check_called(name: str) -> None:
    """Raise RuleError for a name that is reserved or begins with a command word, so that it could not be called."""
    if catalogue.command_word(name):
        raise RuleError(f'"{name}" has a meaning of its own: choose another name.')
    check_meaningless(name)


def check_tracker(name: str) -> None:
    """Raise RuleError for a tracker's name that could not be called; some games have commands with the same word."""
    if name.lower() not in KNOWN:
        check_called(name)


def check_free(context: Context[Command], name: str, who: str | None = None) -> None:
    """Raise RuleError for a name that is reserved, or belongs to a user other than `who`, by default the speaker."""
    check_meaningless(name)
    check_nobody(context, name, who)


def check_nobody(context: Context[Command], name: str, who: str | None = None) -> None:
    """Raise RuleError for the nick or character of a user other than `who`, by default the speaker."""
    message = context.message
    who = who or message.who
    for each in characters.played(context.desk, message.place):
        if each.owner != who and _look(each.name) == _look(name):
            raise RuleError(f"{each.name} is {each.whose(message.place)}: choose another name.", keeps_case=True)
    for seen in {name, name.translate(_ALIKE_IN_LATIN)}:
        others = any(_of_another(context, chain, seen, who) for chain in context.table.named(seen))
        if not context.table.same(seen, message.nick) and (message.has(seen) or others):
            raise RuleError(f"{name} is somebody else here: choose another name.", keeps_case=True)


def _of_another(context: Context[Command], chain: Chain, name: str, who: str) -> bool:
    """Whether another user than `who` rolled under that name, or is challenged by it; a storyteller may have rolled for
    their character."""
    message, same = context.message, context.table.same
    own = any(folded(each.name) == folded(name) for each in characters.owned(context.desk, who))
    playing = characters.playing(context.desk, message.place, who)
    # A storyteller may make a character of whom a contest asks for, if no user was or is called that (GEN-06).
    free = message.storyteller and not message.has(name) and context.place.owners.get(chain.root.seq) is None
    asked = chain.waiting and same(name, chain.against or "") and not free
    if asked and not (playing and folded(playing.name) == folded(name)):
        return True
    drafts = [record.draft for record in (chain.root, chain.answered) if record and record.draft.who != who]
    return any(same(name, draft.nick) or (same(name, draft.character) and not own) for draft in drafts)
