"""`verify`, `fair` and `stir` (LED-15, LED-20 to LED-23)."""

from __future__ import annotations

import logging
import re

from grammars import Command
from grammars.line import COMMENT_BYTES, cut
from grammars.verify import Fair, Stir, Verify
from ircdice.bot import verdicts
from ircdice.bot.context import Answer, Context
from ircdice.ledger.paste import Paste
from ircdice.ledger.verify import Asker, Verification, verify_all
from ircdice.reply import fits, marked

log = logging.getLogger(__name__)
MOST_TOLD = 4  # lines in private, IRC-20
_WORD = re.compile(r".*?verify\s*:?", re.IGNORECASE | re.DOTALL)


async def verify(context: Context[Verify]) -> Answer:
    """Answer in one line in place; send the rest, and the record, in private."""
    paste = Paste(context.node.ids or _WORD.sub("", context.text, count=1).rstrip(" .!?"), (context.message.me,))
    if not paste.ids:
        return context.answer("Nothing verified: verify needs a posted line with its id, or an id.")
    if refusal := too_often(context, len(paste.ids)):
        return refusal
    found = await verified(context, paste)
    if len(found) > 1:
        rest = [_one_of_several(verification) for verification in found if not verification.counts]
        if len(rest) > MOST_TOLD:
            rest[MOST_TOLD - 1 :] = ["The others one by one: verify ID."]
        return context.answer(verdicts.summary(found), *rest)
    text, shown = verdicts.sentences(found[0]), verdicts.as_it_was(found[0]) or ()
    line = " ".join(shown)
    if found[0].verdict == "genuine" and shown and fits(f"{text} {line}"):
        return context.answer(f"{text} {line}")
    return context.answer(text, *([line] if shown and fits(line) else shown))


def too_often(context: Context[Command], count: int) -> Answer | None:
    """The error if the user asks about too many ids (LED-23); otherwise None."""
    allowance = context.services.allowance
    wait = allowance.wait(_asker(context), count, context.now) if allowance else 0
    said = f"Not verified: that was asked too often. Ask again in {-(-wait // 1000)} seconds."
    return context.answer_privately(said) if wait else None


def _asker(context: Context[Command]) -> str:
    return f"{context.message.network} {context.message.who}"


async def verified(context: Context[Command], paste: Paste) -> list[Verification]:
    """The verdicts on pasted lines; wrong ids count (LED-23), and lost records are reported in the log (LED-21)."""
    message, private = context.message, f"@~{context.message.fold(context.message.nick)}"
    asker = Asker(
        message.network, message.place, message.nick, message.who, casemapping=message.casemapping, bots=(message.me,),
        places=((message.network, private),),
    )  # fmt: skip
    verifications = await verify_all(paste, context.ledger, asker, lambda *_place: context.settings.window)
    if context.services.allowance:
        wrong = sum(verification.verdict == "unknown" for verification in verifications)
        context.services.allowance.count_wrong(_asker(context), wrong, context.now)
    for alarm in filter(None, [verification.alarm for verification in verifications]):
        log.critical("%s", alarm, extra={"network": message.network, "channel": message.place})
    return verifications


def _one_of_several(verification: Verification) -> str:
    """The verdict on one of several lines, or the recorded line if it may look different."""
    if verification.record is not None and (verification.masked or verification.surrounded):
        return f"{verification.id} reads: {verification.record.draft.line}"
    return verdicts.sentences(verification)


async def stir(context: Context[Stir]) -> Answer:
    """`stir WORDS`: record the words, and post them with the speaker's name."""
    message, place = context.message, context.require_channel()
    await context.services.randomness.ready(message.network, place)
    stamp, started = context.services.randomness.stirred(message.network, place, context.now)
    # The time of the start ensures that the same words never repeat dice of an older copy of the ledger.
    words = f"{cut(context.node.words, COMMENT_BYTES - 12)} {started}"
    line = f'{message.nick}: stirred "{words}"; generation {stamp.generation} of epoch {stamp.epoch}'
    line = marked(line, context.official)
    return context.answer_with(await context.record("stir", line, text=f"stir {words}", stamp=stamp))


async def fair(context: Context[Fair]) -> Answer:
    """`fair`: the commitment, the latest checkpoint, and where to check them."""
    link = f" at {context.settings.docs_url}" if context.settings.docs_url else ""
    return context.answer(f"{context.services.randomness.statement()}{link}", kind="note")
