"""LED-19, LED-20: docs/check_export.py on the two tables of pastes."""

import asyncio
import io
import json
from contextlib import redirect_stdout

import operating
import pytest
from exported import CHECK_EXPORT

from .forgeries import KINDS, forged
from .honest_pastes import BOT, BY_THE_ROLLER, CHANGES, DECORATIONS, around
from .pastes import evening

EACH = 40  # lines of each kind of forgery
# The checker takes these for another line. `ircdice verify` reads them.
NOT_READ = {"italics with underscores", "sent in two messages", "id in code"}
HONEST = {name: around(text) for name, text in (DECORATIONS | BY_THE_ROLLER).items()} | CHANGES


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What the checker says of a text by the export of an evening: exit code and output; and the evening."""
    config, posted = evening(tmp_path_factory.mktemp("checked"))
    asyncio.run(operating.evening(config, ()))  # a start signs what was recorded
    export = config.parent / "export.jsonl"
    assert operating.ledger("export", export, config=config)[0] == 0
    items = [json.loads(line) for line in export.read_text("utf-8").splitlines()]
    check = CHECK_EXPORT.Check(iter(items), CHECK_EXPORT.public_key(items[0]["key"]), [], range(1, len(items)))
    check.records(iter(items))
    check.checkpoints()

    def checked(text):
        pasted, shown = CHECK_EXPORT.Pasted(text, BOT), io.StringIO()
        with redirect_stdout(shown):
            code = CHECK_EXPORT.check_line(pasted, pasted.numbers(), check)
        return code, shown.getvalue()

    return checked, posted


@pytest.mark.slow
def test_led_20_the_checker_accuses_nobody(said):
    """LED-20: an honest paste is genuine, though the checker notes more of what is around it."""
    checked, posted = said
    for way in HONEST.keys() - NOT_READ:
        for line in posted.lines:
            answer = checked(HONEST[way](line))[1]
            assert answer.startswith("genuine: "), (way, HONEST[way](line), answer)
            assert "\naltered: " not in answer, (way, HONEST[way](line), answer)


@pytest.mark.slow
def test_led_21_the_checker_relies_on_no_forged_line(said):
    """LED-19, LED-21: exit code 1 for every kind of forgery."""
    checked, posted = said
    for kind, make in KINDS.items():
        for line in forged(posted, make, EACH):
            assert checked(line)[0] == 1, (kind, line)
