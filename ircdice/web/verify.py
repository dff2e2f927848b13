"""`/verify`: whether a pasted line is genuine (WEB-02)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from starlette.datastructures import QueryParams
from starlette.requests import Request

from ircdice.bot import verdicts
from ircdice.ledger.paste import Paste, compared
from ircdice.ledger.record import Record
from ircdice.ledger.verify import Asker, Verification, verify_all
from ircdice.web.access import Place
from ircdice.web.answers import Answer, PageError
from ircdice.web.guard import address_of
from ircdice.web.site import site_of

LARGEST = 64 * 1024  # bytes of a pasted text (WEB-11)
BODY_SECONDS = 10.0
UNKNOWN = "Unknown: there is no such record here; ask the bot."
ABOUT = "Paste a roll: was it really rolled, by whom, where and when?"
EXAMPLE = "alice: Success, 4 successes vs 3, margin 1; 9 7 3, hunger 8 6; 5d10 h2 dc3; id 4d-27b5pk"


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict in the bot's words; `place` is the channel, if this reader may see it."""

    verification: Verification
    place: Place | None = None

    @property
    def text(self) -> str:
        """The sentence."""
        return UNKNOWN if self.verification.verdict == "unknown" else verdicts.sentences(self.verification)

    @property
    def line(self) -> str:
        """The recorded line; empty if it may not be shown."""
        record = self.verification.record
        return record.draft.line if record else ""

    @property
    def marked(self) -> list[tuple[str, str, str]]:
        """For an altered line, the posted and pasted text, piece by piece, and the common end."""
        if self.verification.verdict != "altered" or not self.line:
            return []
        return list(compared(self.line, self.verification.given))

    @property
    def counts(self) -> str:
        """The mark next to the verdict: `good`, `noted`, `bad` or `open`."""
        if self.verification.counts:
            return "good"
        return {"genuine": "noted", "altered": "bad"}.get(self.verification.verdict, "open")

    def as_object(self) -> dict[str, object]:
        """As in `verify --json`, without the services account, which is private."""
        return verdicts.as_object(self.verification) | {"who": None}


async def verify_page(request: Request) -> Answer:
    """`/verify`: a form, and the verdicts on pasted lines."""
    pasted = await _pasted(request)
    found = await findings(request, pasted) if pasted.strip() else []
    if pasted.strip() and not found:
        raise PageError("No posted line with its id was found in that text, and no id.", example=EXAMPLE)
    data = [finding.as_object() for finding in found]
    values = {"findings": found, "pasted": pasted, "example": EXAMPLE}
    return Answer("verify.html", "Verify", data, values, ABOUT, hidden=bool(pasted))


async def _pasted(request: Request) -> str:
    query = QueryParams(await _body(request)) if request.method == "POST" else request.query_params
    return query.get("line", "").replace("\r\n", "\n")


async def _body(request: Request) -> str:
    """The submitted form. PageError if it is too large or too slow."""
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST:
                    raise PageError(f"That is more than {LARGEST // 1024} KiB; paste the lines with their ids.", 413)
    except TimeoutError:
        raise PageError("The text did not arrive in time.", 408) from None
    return body.decode("utf-8", "replace")


async def findings(request: Request, pasted: str) -> list[Finding]:
    """The verdicts, as the bot gives them to strangers (WEB-10)."""
    site = site_of(request)
    paste = Paste(pasted, site.config.bots)
    address = address_of(request)
    site.limits.ids(address, len(paste.ids))
    found = await verify_all(paste, site.ledger, Asker(bots=site.config.bots), site.config.window)
    # Without the key the page cannot tell a lost record from an id that never existed (WEB-02).
    found = [replace(each, verdict="unknown", alarm=None) if each.verdict == "lost" else each for each in found]
    site.limits.wrong(address, sum(each.verdict == "unknown" for each in found))
    return [Finding(each, await _place(request, each.record)) for each in found]


async def _place(request: Request, record: Record | None) -> Place | None:
    """The channel of a record if this reader may see it, by the link or because it is public."""
    if record is None:
        return None
    access = site_of(request).access
    if token := request.path_params.get("token"):
        place = await access.linked_place(token)
        return place if place.shows(record) else None
    return await access.public_place_of(record)
