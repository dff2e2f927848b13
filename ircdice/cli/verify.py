"""`ircdice verify` and `log`: check posted lines and print scenes, whether or not the bot is running."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click

from ircdice.bot import scenes, verdicts
from ircdice.casemapping import DEFAULT, MAPPINGS, fold
from ircdice.cli.config import CANNOT_SAY, CONFIG_FILE, DONE, NO, ledger_paths, loaded, print_json
from ircdice.config import Config
from ircdice.errors import KeysError, LedgerDamaged, LedgerUnavailable, Refused
from ircdice.ledger.paste import Paste
from ircdice.ledger.service import StoredLedger, open_to_read
from ircdice.ledger.verify import Asker, Verification, verify_all

_WORST_FIRST = (NO, CANNOT_SAY, DONE)  # for several lines; a forgery is worse than a doubt
MOST_RECORDS = 100_000  # of a scene


@click.command()
@click.argument("line")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each line.")
@CONFIG_FILE
def verify(line: str, as_json: bool, config: Path | None) -> int:
    """Check whether a posted LINE is genuine.

    LINE is a line as you copied it, an id, or - for a page on standard input. The bot may be running or not.
    """
    settings = loaded(config)
    if line == "-" and sys.stdin is None:
        raise Refused("there is no standard input.")
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if line == "-" else line
    paste = Paste(text, settings.bots)
    if not paste.ids:
        raise Refused("no posted line with its id was given, and no id.")
    places = {(name, fold(channel, mapping)) for name, channel in settings.joining() for mapping in MAPPINGS}
    asker = Asker(everywhere=True, bots=settings.bots, places=places)
    try:
        return asyncio.run(_verified(paste, asker, settings, as_json=as_json))
    except (LedgerDamaged, LedgerUnavailable) as away:
        click.echo(f"ircdice: {away}", err=True)
        return CANNOT_SAY


@asynccontextmanager
async def open_ledger(config: Config) -> AsyncIterator[StoredLedger]:
    """The ledger of a config, read only; the bot may be running on it.

    LedgerUnavailable if there is none or it cannot be opened, LedgerDamaged if its file is lost, KeysError without key.
    """
    paths = ledger_paths(config)
    paths.expect_database()
    if not paths.tag_keys.file.exists():
        raise KeysError(f"{paths.tag_keys.file} is missing: without it no id can be checked.")
    ledger = open_to_read(paths, paths.tag_keys.load())
    try:
        yield ledger
    finally:
        await ledger.close()


async def _verified(paste: Paste, asker: Asker, config: Config, *, as_json: bool) -> int:
    codes = set()
    async with open_ledger(config) as ledger:
        verifications = await verify_all(paste, ledger, asker, config.window)
        for verification in verifications:
            which = f"{verification.id}: " if len(verifications) > 1 else ""
            if as_json:
                print_json(verdicts.as_object(verification))
            else:
                click.echo(f"{which}{verdicts.sentences(verification)}")
                if shown := verdicts.as_it_was(verification):
                    click.echo(f"  {' '.join(shown)}")
            if verification.alarm:
                click.echo(f"ircdice: alarm: {verification.alarm}", err=True)
            codes.add(_code(verification))
    return next(code for code in _WORST_FIRST if code in codes)


def _code(verification: Verification) -> int:
    if verification.counts:
        return DONE
    return NO if verification.verdict in ("genuine", "altered", "lost") else CANNOT_SAY


@click.command()
@click.option("--scene", required=True, help="The number or the name of the scene.")
@click.option("--channel", required=True, help="The channel, as NETWORK/#NAME.")
@click.option("--form", type=click.Choice(["text", "md", "bbcode"]), default="text", show_default=True)
@CONFIG_FILE
def log(scene: str, channel: str, form: str, config: Path | None) -> int:
    """Print what was rolled in a scene, ready to paste."""
    network, slash, name = channel.partition("/")
    if not slash:
        raise Refused("--channel takes a network and a channel, as libera/#FU_Dice.")
    lines = asyncio.run(_lines(scene, (network, fold(name, DEFAULT)), form, loaded(config)))
    click.echo("\n".join(lines) if lines else f"there was no scene {scene} in {channel}.", err=not lines)
    return DONE if lines else NO


async def _lines(scene: str, place: tuple[str, str], form: str, config: Config) -> list[str]:
    number = int(scene) if scene.isascii() and scene.isdecimal() else None
    async with open_ledger(config) as ledger:
        opened = scenes.named(await ledger.scenes(*place), scene if number is None else None, number)
        if opened is None:
            return []
        records = await ledger.of_scene(*place, str(opened.number), MOST_RECORDS)
    return scenes.pasted(scenes.title(opened, place[1]), scenes.lines_of(records), form)
