"""`ircdice health`: ask a running bot how it is, by its `[metrics]` endpoint (IRC-26)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from ircdice.cli.config import CONFIG_FILE, loaded
from ircdice.config import Listen

HEALTHY, NO, CANNOT_SAY = 0, 1, 3  # NO: it cannot play or does not answer; CANNOT_SAY: it has no endpoint
_TIMEOUT = 10.0  # seconds


@click.command()
@CONFIG_FILE
def health(config: Path | None) -> int:
    """Ask the running bot by its [metrics] endpoint whether it can play."""
    listen = loaded(config).metrics.listen
    if listen is None:
        click.echo("ircdice: [metrics] listen is off, so the bot cannot be asked", err=True)
        return CANNOT_SAY
    try:
        status, text = asyncio.run(_ask(listen))
    except (OSError, EOFError):
        click.echo(f"ircdice: nothing answers at {listen}", err=True)
        return NO
    click.echo(text, nl=False)
    return HEALTHY if status == "200" else NO


COMMANDS = {"health": health}


async def _ask(listen: Listen) -> tuple[str, str]:
    """The status and the text of `/healthz`."""
    async with asyncio.timeout(_TIMEOUT):
        if listen.socket is not None:
            reader, writer = await asyncio.open_unix_connection(listen.socket)
        else:
            reader, writer = await asyncio.open_connection(listen.host, listen.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        text = (await reader.read()).decode()
        writer.close()
    return head.decode().split(" ")[1], text
