"""`page`: what a channel's page shows, according to its `page` records, and how it is switched (DSK-16, WEB-10)."""

from __future__ import annotations

import logging
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal
from urllib.parse import quote

from grammars.channel import Page
from ircdice.bot import verdicts
from ircdice.bot.context import Answer, Context
from ircdice.bot.message import ChannelModes, FindModes, Reply, posting
from ircdice.dice import entropy
from ircdice.errors import LedgerUnavailable, RuleError
from ircdice.ledger import Draft, Ledger, Record
from ircdice.settings import ChannelSettings, Settings

log = logging.getLogger(__name__)
Mode = Literal["no", "link", "public"]
PUBLIC, OFF, HIDDEN = "page public", "page off", "page hidden"  # texts of `page` records
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")
TOKEN = 16  # random bytes
ALL = "Page: everybody can read this channel's rolls from now on{}"


@dataclass(frozen=True, slots=True)
class Shown:
    """The records of a channel on the page: none, or those after record `since`, made after `ts` (ms since 1970).

    `token` is the SHA-256, in hex, of the token in the channel's link. `ended` means that a storyteller switched the
    page off, so that only a storyteller can switch it on again.
    """

    mode: Mode = "no"
    since: int = 0
    ts: int = 0
    token: str = ""
    ended: bool = False

    def shows(self, seq: int) -> bool:
        """Whether that record was made after the page was switched on."""
        return self.mode != "no" and seq > self.since

    def after(self, record: Record) -> Shown:
        """The state after another `page` record. A new link shows the same records as the old one."""
        text = record.draft.text
        mode: Mode = "public" if text == PUBLIC else "link" if text.startswith("page link ") else "no"
        since, ts = (self.since, self.ts) if mode == self.mode else (record.seq, record.ts)
        return Shown(mode, since, ts, text.removeprefix("page link ") if mode == "link" else "", ended=text == OFF)


def shown_places(records: Iterable[Record]) -> Mapping[tuple[str, str], Shown]:
    """The state of each place with `page` records, applied in order."""
    found: dict[tuple[str, str], Shown] = {}
    for record in records:
        found[record.draft.place] = found.get(record.draft.place, Shown()).after(record)
    return found


def link_text(token: str) -> str:
    """The text of the record that activates a link: the ledger stores the hash of its token."""
    return f"page link {hashed(token)}"


def hashed(token: str) -> str:
    """SHA-256 of a token, in hex."""
    return sha256(token.encode()).hexdigest()


def page_path(network: str, channel: str) -> str:
    """The path of a public channel's page, `/c/libera/fu_dice` for `#fu_dice`; other names are escaped twice, because
    servers unescape once."""
    plain = channel.startswith("#") and _PLAIN.fullmatch(channel[1:])
    return f"/c/{network}/{channel[1:] if plain else quote(quote(channel, safe=''), safe='')}"


class Pages:
    """Switches the pages of channels on and off, following modes and config (WEB-10)."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        self._ledger, self._settings = ledger, settings
        self._shown: Mapping[tuple[str, str], Shown] | None = None  # None: reload from the ledger

    def forget(self) -> None:
        """Reload from the ledger, which may have changed."""
        self._shown = None

    async def due(self, modes: FindModes) -> list[Reply]:
        """Switch public channels on, and off if they are hidden or the config has changed."""
        replies: list[Reply] = []
        try:
            for network, name in self._settings.joining():
                if (found := modes(network, name)) and (record := await self._settled(network, name, found)):
                    replies += [posting(record, name)] if record.draft.line else []
        except LedgerUnavailable:
            log.warning("pages cannot be switched while the ledger is out of reach")
        return replies

    async def _settled(self, network: str, name: str, found: ChannelModes) -> Record | None:
        """The record that switches a page, if it must be switched."""
        if self._shown is None:
            self._shown = shown_places(await self._ledger.page_records())
        settings, now = self._settings.channel(network, name), self._shown.get((network, found.channel), Shown())
        public = settings.page == "public" and not found.hidden
        if public and now.mode != "public" and not now.ended:
            switch = switching(network, found.channel, PUBLIC, ALL.format(address_of(settings, network, found.channel)))
        elif now.mode not in ("no", settings.page) or (now.mode == "public" and not public):
            switch = switching(network, found.channel, HIDDEN, "")
        else:
            return None
        self.forget()
        return (await self._ledger.append_all((switch,)))[0]


def switching(network: str, channel: str, text: str, line: str) -> Draft:
    """The record that switches a channel's page on or off.

    It has no author: a page switched off by a storyteller stays off when their records are removed (LED-25).
    """
    return Draft("page", network, channel, "", "", text, (), line)


def address_of(settings: ChannelSettings, network: str, channel: str) -> str:
    """` at ADDRESS`; empty if the config does not say where the page is."""
    return f" at {settings.base_url}{page_path(network, channel)}" if settings.base_url else ""


async def page(context: Context[Page]) -> Answer:
    """`page`, `page renew`, `page off`: answered to the storyteller in private; changes are posted in the channel."""
    message, settings, action = context.message, context.settings, context.node.action
    context.require_channel()
    context.require_storyteller("ask for its page", message.channel)
    if settings.page == "no":
        raise RuleError(f"{message.channel} has no page: the config of the bot says page = no.")
    now = shown_places(await context.ledger.page_records()).get((message.network, message.place), Shown())
    if action == "off":
        if now.mode == "no" and now.ended:
            raise RuleError("the page is off already.")
        return await _switched(context, OFF, "Page: this channel's rolls are shown no more", "is off")
    if now.ended and not action:
        return _answer(context, 'is off; "page renew" switches it on')
    if settings.page == "public":
        return await _public(context, now)
    return await _linked(context, now)


async def _public(context: Context[Page], now: Shown) -> Answer:
    message = context.message
    if message.hidden:
        raise RuleError("a channel with the mode +s, +p or +k is never public.")
    address = address_of(context.settings, message.network, message.place)
    if now.mode != "public":
        return await _switched(context, PUBLIC, ALL.format(address), f"is on{address}")
    if context.node.action:
        raise RuleError("the page is public: it has no link.")
    return _answer(context, f"shows what was rolled since {verdicts.when(now.ts)} to everybody{address}")


async def _linked(context: Context[Page], now: Shown) -> Answer:
    if now.mode == "link" and not context.node.action:
        since = f"shows what was rolled since {verdicts.when(now.ts)}"
        return _answer(
            context, f'{since} for those who have its link; it was shown only once: "page renew" makes a new one'
        )
    token = urlsafe_b64encode(entropy(TOKEN)).decode().rstrip("=")
    line = "Page: those who have its link can read this channel's rolls from now on; a storyteller has it"
    if now.mode == "link":
        line = "Page: this channel's link is replaced, and the old one has ended; a storyteller has the new one"
    words = f"is at {context.settings.base_url}/l/{token}/ for those who have this link; it is shown only once"
    return await _switched(context, link_text(token), line, words)


async def _switched(context: Context[Page], text: str, line: str, words: str) -> Answer:
    message = context.message
    # Not `context.record`: the record has no author.
    record = await context.place.append(switching(message.network, message.place, text, line))
    answer = _answer(context, words)
    return answer._replace(replies=(context.post(record), *answer.replies), record=record)


def _answer(context: Context[Page], words: str) -> Answer:
    return context.answer_privately(f"The page of {context.message.channel} {words}.", kind="note")
