"""What clients, forums and people put in front of a posted line: times, nicks in brackets, quote marks, markup.

Whatever could be part of a name is no decoration: `evil_alice: …` is not alice's line with something before it.
"""

from __future__ import annotations

import re
from functools import cache

_FLAGS = re.IGNORECASE | re.ASCII
TAB = "\ue001"  # a tab, which a client's log has behind a nick: until then it must not be taken for a blank
MOST_FRONT = 200  # characters
_NICK = rf"[^\s{TAB}<>:;,()\"'*]{{1,80}}"
_RANK = r"(?:[~&@%+!*]{1,3}\s?|\s)?"
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_NTH = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_TIME = (
    r"[0-9]{1,2}[:.h][0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?"
    r"(?:\s?[ap]\.?m\.?(?![a-z]))?(?:\s?(?:utc|gmt|z|cest|cet|[+-][0-9]{2}:?[0-9]{2})(?![a-z0-9]))?"
)
_DATE = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2})?|[0-9]{8}"
    rf"|(?:{_DAY}\s)?(?:{_NTH}\s{_MONTH}|{_MONTH}\s{_NTH})(?:,?\s[0-9]{{4}})?|{_DAY}|today|yesterday)"
)
_STAMP = rf"(?:{_DATE}(?:[t,\s]\s?(?:at\s|-\s)?{_TIME})?|{_TIME}(?:,?\s{_DATE})?)"
_BLANK = rf"[\s{TAB}]"
_MARKS = r"[-_|`~\[{=#│┃]+"
_SAID = (  # who said it, as clients and logs have it; the group `nick` is that name
    rf"<{_RANK}(?P<nick>[^<>]{{1,80}})>",
    rf"[\[({{]{_RANK}(?P<nick>{_NICK}?)(?:\([^()\s]*\))?[\])}}](?=\s)",
    rf"-(?P<nick>{_NICK}?)(?:[(:/][^\s]*?)?-(?=\s)",  # a notice
    rf"(?:--\s)?notice\((?P<nick>{_NICK}?)\)(?:\s->\s\S+?)?:(?=\s)",
    rf"{_RANK}(?P<nick>{_NICK})\s?[:|>│┃](?={_BLANK})",
    rf"{_RANK}(?P<nick>{_NICK})\s?{TAB}",
    # A chat's header in one line; as in the bot's own log, marks alone stand between two rolls, and a notice is none.
    rf"(?!-|{_MARKS}\s)(?P<nick>{_NICK})\s(?:(?:bot|app)\s)?(?:-+\s)?(?:{_STAMP})(?=\s)",
    rf"(?P<nick>{_NICK})\s(?:said|says|wrote):(?=\s)",
)
_OTHER = (
    rf"[\[({{<]?\s?{_STAMP}\s?[\])}}>]?[,:-]?(?={_BLANK}|[<\[])",
    r"[0-9]{9,10}(?=\s)",  # seconds since 1970
    rf"(?:{_BLANK}|[\"'>*•·(,.])+",  # nothing that a nick may hold
    rf"{_MARKS}(?=[\s<])",
    r"[0-9]{1,3}[.)](?=\s)",
    r"\*{1,2}(?=\s)",
    r"to\s(?=[-!#$%&)*+,./:;<=>?@\[\\\]^_`{|}~])",  # what the bot puts before a nick that another would obey
)
_TAG = re.compile(r"\[(?P<name>[a-z]{1,10})(?:=[^\]]{0,80})?\]|<(?P<html>[a-z]{1,10})(?:\s[^<>]{0,80})?>", _FLAGS)
_TIGHT = re.compile(r"_+|`+|\|+|~+|\[+|\{+|\"|'|\*+")
_CLOSERS = re.compile(r"[_`|~\]})>*\"'.,;]*")
_MIRROR = str.maketrans("[{(<", "]})>")
_FENCE = "```"
_CLOCK = re.compile(_TIME, _FLAGS)
_QUOTED = re.compile("[>|│┃]+")
_SENTENCE = re.compile(r":\s")
_OPENED = re.compile(r"(?:^|[\s(])(?P<mark>[_`|~\[{\"'*])")


@cache
def _pieces() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, _FLAGS) for pattern in (*_SAID, *_OTHER))


def carried(part: str, front: str, *, behind_a_digit: bool) -> list[int]:
    """Where the next part of a broken line may begin behind what `front`, which the first one stands behind, has too.

    That is all of it, times apart, or its end, a client's column or a `<nick>`; no number alone, a list's or a die. A
    quote mark may be there without it, where somebody copied from within the first part, but not between two dice.
    """
    first = _squeezed(front)

    def passes(at: int) -> bool:
        bare = _squeezed(part[:at])
        if not bare or _ends(first, bare):
            return True
        return bool(_QUOTED.fullmatch(bare)) and not (behind_a_digit and part[at:].strip()[:1].isdigit())

    return [at for at in range(1, min(len(part), MOST_FRONT)) if passes(at)]


def _squeezed(front: str) -> str:
    """Without its blanks, and with every time alike: a line may be broken at the end of a minute."""
    return "".join(_CLOCK.sub("T", front).replace(TAB, " ").split())


def _ends(front: str, bare: str) -> bool:
    is_the_end = front == bare or (front.endswith(bare) and not bare[0].isalnum())
    return is_the_end and (_QUOTED.fullmatch(bare) is not None or any(map(str.isalpha, bare)))


def fronts(text: str, after: str = "", *, prose: bool = False) -> dict[int, str]:
    """Each place at which a line may begin in `text`, all before it being decoration; with the nick shown there last.

    `after` is what follows the line's id: markup that is tight against a name counts where it is closed there. With
    `prose` so do sentences that end in a colon, or where the line itself is set apart by quote marks or markup.
    """
    found = dict.fromkeys([0, *_set_apart(text, after)] if prose else [0], "")
    waiting = list(found)
    while waiting:
        at = waiting.pop()
        for end, nick in _further(text, at, after):
            shown = nick or found[at]
            if end not in found or (shown and not found[end]):
                found[end] = shown
                waiting.append(end)
    return found


def _set_apart(text: str, after: str) -> list[int]:
    """Where a line may begin behind somebody's sentence. No name holds a colon, so it is no part of one."""
    said = [match.end() for match in _SENTENCE.finditer(text[: text.find(";")])]
    opened = [at for match in _OPENED.finditer(text) for at in _opened(text, match.start("mark"), after)]
    return said + opened


def _opened(text: str, at: int, after: str) -> list[int]:
    """Where a line may begin behind markup at `at` that is closed behind its id; the rest may be a nick's own."""
    run = _TIGHT.match(text, at)
    return [end for end in range(at + 1, run.end() + 1) if _closes(text[at:end], after)] if run else []


def _further(text: str, at: int, after: str) -> list[tuple[int, str]]:
    """Where one more piece of decoration ends, and the nick in it."""
    if at > MOST_FRONT:
        return []
    matches = [match for piece in _pieces() if (match := piece.match(text, at)) and match.end() > at]
    ends = [(match.end(), (match.groupdict().get("nick") or "").strip()) for match in matches]
    if (tag := _TAG.match(text, at)) and _is_closed(tag, after):
        ends.append((tag.end(), ""))
    if text[max(at - 1, 0) : at] != text[at : at + 1]:
        ends += [(end, "") for end in _opened(text, at, after)]
    return ends


def _is_closed(tag: re.Match[str], after: str) -> bool:
    name = (tag["name"] or tag["html"]).lower()
    return f"[/{name}]" in after.lower() or f"</{name}>" in after.lower()


def _closes(marks: str, after: str) -> bool:
    """Whether markup ends where it should: behind the id, or a fence anywhere below."""
    closing = marks[::-1].translate(_MIRROR)
    behind = _CLOSERS.match(after)
    return (behind is not None and closing in behind[0]) or (marks == _FENCE and _FENCE in after)
