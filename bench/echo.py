"""A bare asyncio IRC bot that answers each line with a constant: the least that a round trip costs."""

from __future__ import annotations

import asyncio
import sys

ANSWER = "alice: Success, 4 successes vs 3, margin +1; 9 6 7, hunger 8 2; id 1-abcdef"


async def main(port: int, channel: str) -> None:
    """Join `channel` and answer until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"NICK Echo\r\nUSER echo 0 * :echo\r\nJOIN {channel}\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b"PING"):
            writer.write(b"PONG" + line[4:])
        elif b" PRIVMSG " in line:
            writer.write(f"PRIVMSG {channel} :{ANSWER}\r\n".encode())


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
