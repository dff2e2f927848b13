"""A bare asyncio IRC bot that answers each line with a constant: what a round trip costs at the least."""

from __future__ import annotations

import asyncio
import sys

from bench.others.durable import Durable

ANSWER = "alice: Success, 4 successes vs 3, margin +1; 9 6 7, hunger 8 2"


async def main(port: int, channel: str, nick: str) -> None:
    """Join `channel` and answer until the server closes."""
    durable = Durable()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"NICK {nick}\r\nUSER echo 0 * :echo\r\nJOIN {channel}\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b"PING"):
            writer.write(b"PONG" + line[4:])
        elif b" PRIVMSG " in line:
            number = durable.keep("alice", line.decode(errors="replace"), ANSWER)
            writer.write(f"PRIVMSG {channel} :{ANSWER}; id {number}\r\n".encode())


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "Echo"))
