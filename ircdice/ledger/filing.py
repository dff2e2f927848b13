"""What the file of checkpoints lacks of those in the table, and what stands behind them (LED-12, LED-16). Reads no
file."""

from __future__ import annotations

from dataclasses import replace

from ircdice.ledger.check import History
from ircdice.ledger.examining import Finding
from ircdice.ledger.torn import claimed, told


def filed(table: History, file: History, *, kept_here: bool) -> History:
    """The file's history, and what is to be said of it: one that has no checkpoint of the table's proves nothing.

    Its last may be missing, where the bot writes it just now or was killed before it did; those that are damaged are
    told as such. `kept_here`: a bot has run here, and so has kept a file.
    """
    made, kept = table.checkpoints, set(file.checkpoints)
    lacking = [each for each in made if each not in kept]
    if lacking == [*made[-1:]]:
        return file
    if len(lacking) == len(made):
        why = f"{file.where} has none of the {len(made)} checkpoints: the database alone says how many records it had"
        if kept_here:
            return replace(file, findings=(*file.findings, Finding(0, "missing", why)))
        return replace(file, notes=(*file.notes, f"{why}, for no bot of this config's has run yet"))
    if len(lacking) <= len(file.findings) + len(file.void):
        return file
    lacks = f"{file.where} lacks {len(lacking)} of the ledger's {len(made)} checkpoints"
    return replace(file, notes=(*file.notes, f"{lacks}, the first of them counts {lacking[0].size} records"))


def with_rest(file: History, rest: str, origin: str, last: int) -> History:
    """The file's history, and what is to be said of what stands behind it in a ledger of `last` records."""
    if not rest:
        return file
    if (counted := claimed(rest, origin)) <= last:
        return replace(file, notes=(*file.notes, f"{file.where} {told(rest)}"))
    why = f"half a note at the end of {file.where} counts {counted} records, {last} are here"
    return replace(file, findings=(*file.findings, Finding(last + 1, "cut off", why)))
