"""Answer `verify` in a channel or in private (LED-20 to LED-23)."""

from __future__ import annotations

import logging
import re

from grammars import Command
from grammars.ledger import Verify
from ircdice.bot import verdicts
from ircdice.bot.context import Answer, Context
from ircdice.casemapping import fold
from ircdice.ledger.paste import Paste
from ircdice.ledger.verify import Asker, Verification, verify_all
from ircdice.reply import fits

log = logging.getLogger(__name__)
MOST_TOLD = 4  # lines in private, IRC-20
_WORD = re.compile(r".*?verify\s*:?", re.IGNORECASE | re.DOTALL)


async def verify(context: Context[Verify]) -> Answer:
    """One line to where it was asked; the rest, and the record as it was, to the asker alone."""
    node = context.node
    asker = asking(context)
    paste = Paste(node.ids or _WORD.sub("", context.text, count=1), asker.bots)
    if not paste.ids:
        return Answer((context.say("Nothing verified: verify needs a posted line with its id, or an id."),), "check")
    if refusal := too_often(context, len(paste.ids)):
        return refusal
    verifications = await verify_all(paste, context.ledger, asker, lambda _: context.settings.window)
    for verification in verifications:
        alarm(verification, context.message.network, context.message.place)
    return told(context, verifications)


def too_often(context: Context[Command], count: int) -> Answer | None:
    """The refusal of more ids than the asker may ask about now (LED-23); None if they may."""
    who = f"{context.message.network} {context.message.who}"
    wait = context.services.allowance.wait(who, count, context.now) if context.services.allowance else 0
    if not wait:
        return None
    text = f"Not verified: that was asked too often. Ask again in {-(-wait // 1000)} seconds."
    return Answer((context.whisper(text),), "check")


def asking(context: Context[Command]) -> Asker:
    """Who asks, and where."""
    message = context.message
    return Asker(
        message.network, message.place, message.nick, message.who, casemapping=message.casemapping, bots=(message.me,),
        places=((message.network, f"@~{fold(message.nick, message.casemapping)}"),),
    )  # fmt: skip


def alarm(verification: Verification, network: str, place: str) -> None:
    """Tell the operator of a lost record (LED-21)."""
    if verification.alarm:
        log.critical("%s", verification.alarm, extra={"network": network, "channel": place})


def told(context: Context[Command], verifications: list[Verification]) -> Answer:
    """The verdicts in replies."""
    if len(verifications) > 1:
        each = [_one_of_several(verification) for verification in verifications if not verification.counts]
        rest = each if len(each) <= MOST_TOLD else [*each[: MOST_TOLD - 1], "The others one by one: verify ID."]
        return Answer((context.say(verdicts.summary(verifications)), *map(context.whisper, rest)), "check")
    text, shown = verdicts.told(verifications[0]), verdicts.as_it_was(verifications[0])
    if shown is None:
        return Answer((context.say(text),), "check")
    line = " ".join(shown)
    if verifications[0].verdict == "genuine" and fits(f"{text} {line}"):
        return Answer((context.say(f"{text} {line}"),), "check")
    return Answer((context.say(text), *map(context.whisper, [line] if fits(line) else shown)), "check")


def _one_of_several(verification: Verification) -> str:
    """The verdict on one of several lines; if it may look different, the recorded line."""
    if verification.record is not None and (verification.masked or verification.beside):
        return f"{verification.id} reads: {verification.record.draft.line}"
    return verdicts.told(verification)
