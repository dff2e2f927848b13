"""The whole bot is killed with answers waiting, and started again on the same ledger."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from .client import Person
from .servers import Server

CONFIG = """
[bot]
data = {folder}
[network local]
host = 127.0.0.1
port = {port}
tls = no
nick = Killed
channels = #killed
flood_burst = 2
flood_interval = 1.0
reconnect_first = 0.1
"""


async def test_what_was_recorded_is_told_by_the_next_run(ngircd_unlimited: Server, tmp_path: Path) -> None:
    """LED-06, IRC-23: after SIGKILL between commit and posting the roll stands, and its line is posted after the
    rejoin: each of eight rolls is told, with its id, and none is rolled anew.
    """
    path = tmp_path / "config.ini"
    path.write_text(CONFIG.format(folder=tmp_path, port=ngircd_unlimited.port))
    command = [sys.executable, "-m", "ircdice", "run", "-c", str(path)]
    async with await Person("killer").connect(ngircd_unlimited.port, "#killed") as alice:
        for run in range(2):
            process = await asyncio.create_subprocess_exec(*command)
            try:
                await alice.sees(":Killed!\\S+ JOIN", within=40)
                if run == 0:
                    alice.say("#killed", *(f"roll {number}d10 h0" for number in range(1, 9)))
                    await alice.sees("PRIVMSG #killed :killer: .* 1d10 h0")
                    await asyncio.sleep(0.7)  # all are recorded by now, and some are not said
                    process.kill()
                    await alice.sees(":Killed!\\S+ QUIT")
                    before = {found[1] for line in alice.seen if (found := re.search(r"\b([1-8])d10 h0", line))}
                    assert before - {str(number) for number in range(1, 9)} == set()
                    assert len(before) < 8
                else:
                    await alice.sees("PRIVMSG #killed :killer: .* 8d10 h0", within=40)
            finally:
                if process.returncode is None:
                    process.kill()
                await process.wait()
    told: dict[str, set[str]] = {}
    for line in alice.seen:
        if (found := re.search(r"PRIVMSG #killed :killer: .* ([1-8])d10 h0;.* id (\S+)$", line)) is not None:
            told.setdefault(found[1], set()).add(found[2])
    assert sorted(told) == [str(number) for number in range(1, 9)]
    assert all(len(ids) == 1 for ids in told.values()), told
