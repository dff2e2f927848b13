"""`page`: a channel's page on the web, switched on and off, and the token of its link (DSK-16, WEB-10)."""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime

from grammars.channel import Page
from ircdice.bot.context import Answer, Context
from ircdice.bot.message import ChannelModes, FindModes, Reply, posting
from ircdice.dice import entropy
from ircdice.errors import LedgerUnavailable, RuleError
from ircdice.ledger import Draft, Ledger, Record
from ircdice.settings import ChannelSettings, Settings
from ircdice.table.page import HIDDEN, OFF, PUBLIC, Shown, link_text, page_path, shown_places

log = logging.getLogger(__name__)
TOKEN = 16  # random bytes
ALL = "Page: everybody can read this channel's rolls from now on{}"


class Pages:
    """Switches the pages of channels as their modes and the config say (WEB-10)."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        self._ledger, self._settings = ledger, settings
        self._shown: Mapping[tuple[str, str], Shown] | None = None  # None: to be read from the ledger

    def forget(self) -> None:
        """The ledger may say something else now."""
        self._shown = None

    async def due(self, modes: FindModes) -> list[Reply]:
        """Switch public channels on, and off when they are hidden or the config has changed."""
        replies: list[Reply] = []
        try:
            for network, name in self._settings.joining():
                found = modes(network, name)
                if found is not None and (reply := await self._settled(network, name, found)):
                    replies.append(reply)
        except LedgerUnavailable:
            log.warning("pages cannot be switched while the ledger is out of reach")
        return replies

    async def _settled(self, network: str, name: str, found: ChannelModes) -> Reply | None:
        if self._shown is None:
            self._shown = shown_places(await self._ledger.page_records())
        settings, now = self._settings.channel(network, name), self._shown.get((network, found.channel), Shown())
        public = settings.page == "public" and not found.hidden
        if public and now.mode != "public" and not now.ended:
            line = ALL.format(address_of(settings, network, found.channel))
            return posting(await self._switch(network, found.channel, PUBLIC, line), name)
        if now.mode not in ("no", settings.page) or (now.mode == "public" and not public):
            await self._switch(network, found.channel, HIDDEN, "")
        return None

    async def _switch(self, network: str, channel: str, text: str, line: str) -> Record:
        self.forget()
        return await self._ledger.append(switching(network, channel, text, line))


def switching(network: str, channel: str, text: str, line: str) -> Draft:
    """The record by which the page shows a channel from now on, or no more.

    It has no author: what a storyteller switched off stays off when they are forgotten (LED-25).
    """
    return Draft("page", network, channel, "", "", text, (), line)


def address_of(settings: ChannelSettings, network: str, channel: str) -> str:
    """` at ADDRESS`; empty if the config does not say where the page is."""
    return f" at {settings.base_url}{page_path(network, channel)}" if settings.base_url else ""


async def page(context: Context[Page]) -> Answer:
    """`page`, `page renew`, `page off`: told to the storyteller alone; what changes is posted in the channel."""
    message, settings, action = context.message, context.settings, context.node.action
    if message.channel is None:
        raise RuleError("say of which channel: page in #channel.")
    context.require_storyteller("ask for its page", message.channel)
    if settings.page == "no":
        raise RuleError(f"{message.channel} has no page: the config of the bot says page = no.")
    shown = shown_places(await context.ledger.page_records())
    now = shown.get((message.network, message.place), Shown())
    if action == "off":
        return await _off(context, now)
    if settings.page == "public":
        return await _public(context, now)
    if action == "renew" or (now.mode != "link" and not now.ended):
        return await _link(context, now)
    if now.mode == "no":
        return _told(context, 'is off; "page renew" makes a new link and switches it on')
    return _told(context, f'{_since(now)} for those who have its link; it is told once: "page renew" makes a new one')


async def _off(context: Context[Page], now: Shown) -> Answer:
    if now.mode == "no" and now.ended:
        raise RuleError("the page is off already.")
    return await _switched(context, OFF, "Page: this channel's rolls are shown no more", "is off")


async def _public(context: Context[Page], now: Shown) -> Answer:
    message = context.message
    if message.hidden:
        raise RuleError("a channel with the mode +s, +p or +k is never public.")
    address = address_of(context.settings, message.network, message.place)
    if now.mode == "public" and not context.node.action:
        return _told(context, f"{_since(now)} to everybody{address}")
    if now.mode == "public":
        raise RuleError("the page is public: it has no link.")
    if now.ended and not context.node.action:
        return _told(context, 'is off; "page renew" switches it on')
    return await _switched(context, PUBLIC, ALL.format(address), f"is on{address}")


async def _link(context: Context[Page], now: Shown) -> Answer:
    token = urlsafe_b64encode(entropy(TOKEN)).decode().rstrip("=")
    where = f"{context.settings.base_url}/l/{token}/"
    line = "Page: those who have its link can read this channel's rolls from now on; a storyteller has it"
    if now.mode == "link":
        line = "Page: this channel's link is replaced, and the old one has ended; a storyteller has the new one"
    told = f"is at {where} for those who have this link; it is told only now"
    return await _switched(context, link_text(token), line, told)


async def _switched(context: Context[Page], text: str, line: str, told: str) -> Answer:
    message = context.message
    record = await context.place.append(switching(message.network, message.place, text, line))
    return Answer((context.post(record), *_told(context, told).replies), "note", record=record)


def _told(context: Context[Page], words: str) -> Answer:
    return Answer((context.whisper(f"The page of {context.message.channel} {words}."),), "note")


def _since(now: Shown) -> str:
    return f"shows what was rolled since {datetime.fromtimestamp(now.ts / 1000, UTC):%-d %b %Y, %H:%M UTC}"
