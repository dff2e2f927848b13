"""`eval` and `odds`: the engine on the command line, without IRC."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import closing
from typing import TextIO

import click

import grammars
from grammars.line import shown
from ircdice import dispatcher
from ircdice.bot import refusal_text
from ircdice.bot.odds import as_object, odds_line, percent, question
from ircdice.cli.config import BAD_INPUT, DONE, json_line, print_json
from ircdice.errors import Refused
from ircdice.evaluation import Evaluator, Json
from ircdice.outcome import plain_number

BAR = 50  # characters for 100%


@click.command("eval")
@click.argument("text", required=False)
@click.option("--lines", is_flag=True, help="Read JSON lines from standard input, write JSON lines.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object instead of the reply.")
@click.option("--dice", help="The faces to use, in draw order: 10,3,8.")
@click.option("--as", "who", default="player", show_default=True, help="The nick of the sender.")
def evaluate(text: str | None, lines: bool, as_json: bool, dice: str | None, who: str) -> int:
    """Answer one command as in an official channel."""
    if lines == (text is not None):
        raise click.UsageError("eval needs either a TEXT or --lines.")
    if text is None:
        _evaluate_lines(sys.stdin, sys.stdout)
        return DONE
    given: Json = {"text": text, "who": who}
    if dice is not None:
        given["dice"] = _faces(dice)
    with closing(Evaluator()) as evaluator:
        answer = evaluator.evaluate(given)
    replies = [json_line(answer)] if as_json else filter(None, (answer.get("reply"), answer.get("private_reply")))
    for line in replies:
        click.echo(line, err="error" in answer and not as_json)
    return BAD_INPUT if "error" in answer else DONE


def _faces(dice: str) -> list[int]:
    try:
        return [int(face) for face in dice.split(",") if face.strip()]
    except ValueError:
        raise Refused(f'--dice takes whole numbers, as 10,3,8; you wrote "{shown(dice)}".') from None


def _evaluate_lines(lines: TextIO | None, out: TextIO | None) -> None:
    """`eval --lines`: an object for each line, in order; flushed line by line unless the input is a file."""
    if lines is None or out is None:
        raise Refused("eval --lines needs standard input and standard output.")
    at_once = not stat.S_ISREG(os.fstat(lines.fileno()).st_mode)
    with closing(Evaluator()) as evaluator:
        for line in filter(str.strip, lines):
            out.write(f"{json_line(_line(evaluator, line))}\n")
            if at_once:
                out.flush()
    out.flush()


def _line(evaluator: Evaluator, line: str) -> Json:
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        given = None  # the evaluator refuses it
    return evaluator.evaluate(given)


@click.command()
@click.argument("text")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object instead of a bar for each value.")
def odds(text: str, as_json: bool) -> None:
    """Show the exact odds of a command."""
    try:
        node = grammars.read(text, called=True).node.inner
    except Refused as refusal:
        raise Refused(refusal_text(refusal, rolls=False)) from None
    asked = question(node)
    chances = dispatcher.odds(node)
    if as_json:
        print_json(as_object(text, node, chances))
        return
    click.echo(odds_line(asked, chances, dispatcher.system_of(node)))
    for value, chance in chances.values.items():
        click.echo(f"{plain_number(value):>4} {percent(chance):>5}% {'#' * round(float(chance) * BAR)}".rstrip())
