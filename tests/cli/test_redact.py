"""LED-25: ircdice ledger redact, by which somebody is forgotten, and what stays sound without them."""

import asyncio
import json
import os
import subprocess
import sys

import pytest
from exported import checked
from operating import evening, ledger

from ircdice.bot import Bot, Message
from ircdice.cli.config import loaded
from ircdice.cli.run import open_for_bot, ready_bot
from ircdice.clock import HOUR, milliseconds

UNDONE = (
    "what they changed in a channel will be as it was before: a deck has the cards that they drew, "
    "and a secret difficulty that they used waits again"
)


def test_somebody_is_forgotten(config, tmp_path):
    """LED-25: the content goes, the leaves stay, the deed is a record; nothing of it is left in the file."""
    code, said = ledger("redact", "--yes", "--who", "~carol", config=config)
    removed = "removed the content of 1 record of ~carol; every root is as before"
    assert (code, said) == (0, f"home/#dice: 1 record of ~carol\n{UNDONE}\n{removed}\n")
    assert ledger("check", config=config)[0] == 0
    ledger("export", tmp_path / "x.jsonl", config=config)
    records = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    withheld = [record for record in records if record.get("withheld")]
    assert [(record["seq"], record["withheld"]) for record in withheld] == [(6, "redacted")]
    assert any(record.get("kind") == "redact" for record in records)
    assert ledger("redact", "--yes", "--who", "~carol", config=config)[0] == 1
    code, said = ledger("redact", "--who", "carol", config=config)
    assert (code, said) == (1, "there are no records of carol; someone without a services account is ~carol\n")
    posted = asyncio.run(evening(config, [("dora", "!log"), ("carol", "roll 4d6"), ("dora", "!verify 6")]))
    assert not any("4d6k3" in line for line in posted)
    assert posted[2].startswith("Withheld")


def test_what_somebody_kept_is_forgotten(config):
    """LED-25, DSK-02: what they kept, and what a storyteller kept of them; the check finds nothing altered."""
    said = [("carol", "!play Viktor"), ("carol", "!track hunger 2"), ("carol", "!hunger +1"), ("dora", "!characters")]
    posted = asyncio.run(evening(config, said))
    assert posted[-1] == "played here: Viktor (carol)"
    ledger("redact", "--yes", "--who", "~carol", config=config)
    assert ledger("check", config=config)[0] == 0
    posted = asyncio.run(evening(config, [("carol", "!play"), ("carol", "!trackers"), ("dora", "!characters")]))
    assert posted[0] == "carol plays nobody here."
    assert posted[1].startswith("nothing is tracked for carol")
    assert posted[2] == "nobody is played here."


def test_contests_with_somebody_forgotten_stay_over(config):
    """LED-25, GEN-06: whether they opened it or answered it; nothing lapses that was answered."""
    ledger("redact", "--yes", "--who", "~bob", config=config)

    async def later():
        whole = loaded(config)
        async with open_for_bot(whole) as notary:
            bot = Bot(notary, notary, whole, lambda: milliseconds() + HOUR)
            await bot.resume()
            return [reply.text for reply in await bot.due() if "lapsed" in reply.text]

    assert asyncio.run(later()) == []


def test_whoever_met_somebody_forgotten_waits_for_no_answer(config, tmp_path):
    """LED-25, LED-21: their dice were shown when it came; the contest is genuine, and an export has them."""
    ledger("redact", "--yes", "--who", "~bob", config=config)
    ledger("export", tmp_path / "x.jsonl", config=config)
    records = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    (contest,) = (record for record in records if record.get("kind") == "contest")
    assert (contest["nick"], len(contest["draws"])) == ("alice", 6)
    assert not any(record.get("withheld") == "covered" for record in records)
    posted = asyncio.run(evening(config, [("dora", f"!verify {contest['seq']}")]))
    assert posted[0].startswith("Genuine")
    assert checked(tmp_path / "x.jsonl")[0] == 0


def test_a_stir_that_is_forgotten_is_not_counted_anew(config, tmp_path):
    """LED-14, LED-25: the next epoch begins, or two stirs of one would have the same generation."""
    assert ledger("redact", "--yes", "--who", "~BOB", config=config)[0] == 0
    asyncio.run(evening(config, [("carol", "!stir mine"), ("carol", "roll 4d6")]))
    ledger("reveal", config=config)
    assert "generation" not in ledger("check", config=config)[1]
    ledger("export", tmp_path / "x.jsonl", config=config)
    assert checked(tmp_path / "x.jsonl")[0] == 0


def test_one_network_alone_forgets(config):
    """LED-25: another network's person of that name is another person."""
    assert ledger("redact", "--yes", "--who", "~carol", "--network", "elsewhere", config=config)[0] == 1
    assert ledger("redact", "--yes", "--who", "~carol", "--network", "home", config=config)[0] == 0


def test_one_side_of_a_contest_is_forgotten(config):
    """LED-25: what hangs on a withheld record is a note, and the ledger sound; so is a later hour of play."""
    assert ledger("redact", "--yes", "--who", "~alice", config=config)[0] == 0
    asyncio.run(evening(config, [("bob", "roll 3d10 h0"), ("carol", "roll 2d6")]))
    code, said = ledger("check", config=config)
    assert code == 0, said
    assert "note: record 8, by the rules" in said


def test_a_roll_under_a_forgotten_difficulty_is_a_note(config):
    """LED-25, FW-10: the storyteller who sealed it is forgotten; the roll can't be judged, and nothing is wrong."""

    async def scene():
        whole = loaded(config)
        async with open_for_bot(whole) as notary:
            bot = await ready_bot(notary, whole)
            sealing = Message("home", None, "gm", "difficulty 4 for alice in #dice", storyteller=True)
            await bot.answer(sealing)
            return (await bot.hear(Message("home", "#dice", "alice", "roll 5d10 h0")))[0].text

    assert "difficulty secret" in asyncio.run(scene())
    assert ledger("check", config=config)[0] == 0
    code, said = ledger("redact", "--yes", "--who", "~gm", config=config)
    assert (code, said.splitlines()[0]) == (0, "home/#dice: 1 record of ~gm")
    code, said = ledger("check", config=config)
    assert (code, said.endswith("sound\n")) == (0, True), said
    assert "note: record 11, by the rules" in said


def test_what_somebody_changed_in_a_channel_is_undone(config):
    """LED-25, DSK-15: their cards are in the deck again, and the difficulty that they used waits again."""

    async def heard(*said):
        whole = loaded(config)
        async with open_for_bot(whole) as notary:
            bot = await ready_bot(notary, whole)
            messages = [Message("home", where, nick, text, storyteller=nick == "gm") for where, nick, text in said]
            return [(await bot.answer(message)).replies[0].text for message in messages]

    asyncio.run(
        heard(
            ("#dice", "gm", "!deck add tarot = sun | moon"),
            (None, "gm", "difficulty 4 for carol in #dice"),
            ("#dice", "carol", "!deck tarot"),
            ("#dice", "carol", "roll 5d10 h0"),
        )
    )
    ledger("redact", "--yes", "--who", "~carol", config=config)
    *drawn, rolled = asyncio.run(
        heard(("#dice", "alice", "!deck tarot"), ("#dice", "alice", "!deck tarot"), ("#dice", "carol", "roll 5d10 h0"))
    )
    assert {card for line in drawn for card in ("sun", "moon") if card in line} == {"sun", "moon"}
    assert "difficulty secret" in rolled
    assert ledger("check", config=config)[0] == 0


def test_a_dry_run_only_counts(config):
    """LED-25: how many records of whom, and where; nothing changes."""
    before = ledger("stats", config=config)
    counted = ledger("redact", "--dry-run", "--who", "~alice", config=config)
    assert counted == (0, f"home/#dice: 3 records of ~alice\n{UNDONE}\n")
    assert ledger("redact", "--dry-run", "--who", "~nobody", config=config)[0] == 1
    assert ledger("stats", config=config) == before


def test_without_a_terminal_nobody_is_asked(config):
    """LED-25: then nothing is removed unless --yes says so."""
    before = ledger("stats", config=config)
    code, said = ledger("redact", "--who", "~alice", config=config)
    assert (code, said.splitlines()[-1]) == (
        2,
        "ircdice: there is no terminal to ask on: try --dry-run first, then --yes.",
    )
    assert ledger("stats", config=config) == before


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, 3), ("", 1, 3), ("y", 0, 0)])
def test_on_a_terminal_there_is_a_question(config, answer, code, left):
    """LED-25: only a yes removes anything."""
    command = [sys.executable, "-m", "ircdice", "ledger", "redact", "--who", "~alice", "-c", str(config)]
    keyboard, terminal = os.openpty()
    try:
        asked = subprocess.Popen(command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        os.write(keyboard, f"{answer}\n".encode())
        said = asked.communicate(timeout=120)[0]
    finally:
        os.close(keyboard)
        os.close(terminal)
    assert (asked.returncode, "Remove the content of 3 records for good? It cannot be undone." in said) == (code, True)
    counted = ledger("redact", "--dry-run", "--who", "~alice", config=config)[1]
    assert counted.startswith("home/#dice: 3 records" if left else "there are no records")


def test_nobody_in_particular_is_not_forgotten(config):
    """LED-25: an empty name would take the ledger's own records away."""
    assert ledger("redact", "--who", "", config=config)[0] == 2
