"""`ircdice log --scene`: what was rolled in a scene, ready to paste, whether or not the bot runs (DSK-08)."""

from __future__ import annotations

import asyncio

import click

from ircdice.casemapping import DEFAULT, fold
from ircdice.cli.verify import open_ledger
from ircdice.config import Config
from ircdice.errors import Refused
from ircdice.table import scenes

MOST_RECORDS = 100_000


def log(scene: str, channel: str, form: str, config: Config) -> int:
    """Print the scene of that number or name; exit code 0, or 1 if there is none."""
    network, slash, name = channel.partition("/")
    if not slash:
        raise Refused("say the channel with its network, as libera/#FU_Dice.")
    lines = asyncio.run(_lines(scene, (network, fold(name, DEFAULT)), form, config))
    click.echo("\n".join(lines) if lines else f"there was no scene {scene} in {channel}.", err=not lines)
    return 0 if lines else 1


async def _lines(scene: str, place: tuple[str, str], form: str, config: Config) -> list[str]:
    number = int(scene) if scene.isascii() and scene.isdecimal() else None
    async with open_ledger(config) as ledger:
        found = scenes.named(await ledger.scenes(*place), scene if number is None else None, number)
        if found is None:
            return []
        records = await ledger.of_scene(*place, str(found.number), MOST_RECORDS)
    return scenes.pasted(f"{found.name} ({place[1]}, scene {found.number})", scenes.told(records), form)
