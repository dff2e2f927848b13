"""Whether keys and name are those of a ledger, which keeps them as it was made with them (LED-10, LED-12, LED-18)."""

from __future__ import annotations

import logging
from pathlib import Path

from ircdice.errors import KeysError
from ircdice.ledger.canonical import is_own
from ircdice.ledger.ids import tag
from ircdice.ledger.keeping import Keeping
from ircdice.ledger.keys import SigningKeys, TagKeys
from ircdice.ledger.record import Record
from ircdice.ledger.store.ledger import StoredLedger
from ircdice.ledger.store.page import Page

log = logging.getLogger(__name__)


async def keys_of(ledger: StoredLedger, keeping: Keeping) -> tuple[TagKeys, SigningKeys]:
    """The keys; KeysError where a ledger that has records has none: new ones would disown all of them."""
    tags = keeping.tag_keys
    if await ledger.read(lambda page: page.last()[0]):
        for missing in [file for file in (tags.file, keeping.signing_file) if not file.exists()]:
            raise KeysError(f"{missing} is missing: it belongs to this ledger; restore it from a backup.")
    loaded = tags.load()
    if (kept := await ledger.transact(lambda page: page.keep("tag_key", loaded.mark))) != loaded.mark:
        raise KeysError(f"{tags.file} is not this ledger's: every bot on it needs the same one. Its mark is {kept}.")
    file = keeping.signing_keys(await _origin(ledger, keeping))
    latest = await ledger.read(lambda page: page.last_checkpoint())
    return loaded, file.resumed(latest.note if latest else None)


def look_at_tags(page: Page, tags: TagKeys, file: Path) -> None:
    """Whether the latest tag is of the key for its record, or the next would be of another's; KeysError where not.

    Of a ledger that is as it was signed: it is the file of the keys then that is not.
    """
    last = page.last()[0]
    if ahead := tags.ahead(last):
        log.warning("%s: %s", file, ahead)
    for record in page.records(last - 1, 1):
        if not record.redacted and is_own(record) and record.tag != _tag(record, tags):
            raise KeysError(f"{file} is not as it was: the tag of record {record.seq} is of another key.")


def _tag(record: Record, tags: TagKeys) -> str:
    draft = record.draft
    return tag(tags.key(record.seq), record.seq, draft.network, draft.channel, draft.nick, draft.line)


async def _origin(ledger: StoredLedger, keeping: Keeping) -> str:
    """The ledger's name, which it keeps; KeysError where the config calls it by another."""
    wanted = keeping.origin
    kept = await ledger.transact(lambda page: page.keep("origin", wanted or keeping.suggested))
    if wanted not in (None, kept):
        raise KeysError(f"origin: this ledger is {kept}, and cannot become {wanted}.")
    return kept
