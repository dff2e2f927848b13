"""Every line that language.md shows, and what players found: what each is read as, or why it is not."""

from __future__ import annotations

from pathlib import Path

from playing import check_script

import grammars
from ircdice.bot.message import Message, listen

TABLE = Path(__file__).parents[1] / "gate" / "documented.tsv"
# What a line meets with, the game that is played, the line; then the command and its comment, or the command that is
# offered and the sentence.
ROWS = [(*row.split("\t"), "", "")[:5] for row in TABLE.read_text("utf-8").splitlines()]


def test_gen_03_a_documented_line_is_read_as_documented() -> None:
    """GEN-02 to GEN-04, GEN-10 to GEN-14, GEN-17, GEN-18: silent, answered as that command, or refused and why."""
    for meets, system, line, command, words in ROWS:
        assert _read(line, system) == (meets, command, words), line


def _read(line: str, system: str) -> tuple[str, str, str]:
    """What a line meets with; the command and its comment, or the command offered and the sentence."""
    heard = listen(Message("net", "#FU_Dice", "alice", line), "`!.")
    if heard is None or heard.unknown_word:
        return "silent", "", ""
    try:
        reading = grammars.read(heard.text, system, heard.called)
    except grammars.UnknownCommand:
        return "silent", "", ""
    except grammars.CommandSyntaxError as error:
        return "hint", error.hint or "", str(error)
    return "answer", str(reading.node), reading.comment or ""


def test_gen_01_the_replies_of_the_other_games_are_as_documented() -> None:
    """GEN-01, SC-16, B8-06: replies of language.md that the tests of V5 do not have, ids apart."""
    check_script(
        """
        alice: sc cinder 5 # Fire | 6 5 2 3 1 4
            alice: Complete Success, 3 passes; 6>4 5 2 3 1; cinder 5 "Fire"; id 1
        alice: sc mind 7 vs @bob | 4 6 5 1 2 3 1 5
            alice vs bob: mind 7 is rolled and covered. bob: answer "sc resist 5" or "pass" within 15 min; id 2
        bob: sc resist 5 | 4 5 5 2 1
            alice vs bob: Overcome, bob aware, 4 passes to 3; alice 4 6>5 5 1 2 3 1; bob 4 5 5 2 1; mind 7 vs 5; id 3
        alice: b8 t4 vs @bob | 4 3
            alice vs bob: b8 t4 is rolled and covered. bob: answer "b8 t3" or "pass" within 15 min; id 4
        bob: b8 t3 | 6 2
            alice vs bob: bob wins, 11 to 11, a tie goes to the target; alice 4 3, trait +4; bob 6 2, trait +3; b8 t4 vs t3; id 5
        """  # noqa: E501  # posted lines are as long as they are
    )
