"""The whole bot is killed with answers waiting, and started again on the same ledger."""

from __future__ import annotations

from pathlib import Path

from tests.faults.bots import BotProcess, posted
from tests.faults.kept import records

from .client import Person
from .servers import Server


async def test_what_was_recorded_is_posted_by_the_next_run(ngircd_unlimited: Server, tmp_path: Path) -> None:
    """LED-06, IRC-23: after SIGKILL between commit and posting the roll stands, and the next run posts its line."""
    port = ngircd_unlimited.port
    async with await Person("killer").connect(port, "#killed") as alice:
        with BotProcess(tmp_path, port, ("#killed",), nick="Killed", burst=2) as bot:
            bot.start()
            await alice.sees(":Killed!\\S+ JOIN")
            alice.say("#killed", *(f"roll {number}d10 h0" for number in range(1, 9)))
            await alice.sees("PRIVMSG #killed :killer: .* 2d10 h0")
            bot.kill()
            await alice.sees(":Killed!\\S+ QUIT")
            recorded = {record.id: record for record in await records(f"sqlite:///{bot.database}") if record.draft.line}
            before = {name for line in alice.seen for _, name in posted(line)}
            missing = recorded.keys() - before
            bot.start()
            await alice.sees(":Killed!\\S+ JOIN")
            for name in missing:
                await alice.sees(f"; id {name}$")
                alice.rewind()
    lines = [text.partition(" :")[2] for line in alice.seen for text, _ in posted(line)]
    assert {f"{record.draft.line}; id {name}" for name, record in recorded.items()} == set(lines)
