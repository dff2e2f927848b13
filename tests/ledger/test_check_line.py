"""LED-19: docs/check_export.py on a pasted line, with an export or the proof of one roll."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256

import operating
import pytest
from damages import CROOK, resign
from evening import KEY, NET, played
from exported import CHECK_EXPORT, VERIFIER, checked, objects, of_type
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ircdice.dice import Stamp
from ircdice.ledger.checkpoint import base64
from ircdice.ledger.record import base32, leaf

PUBLIC = base64(KEY.verifying.public)


def posted(evening, seq):
    """The line of a record as the bot posts it."""
    record = evening.records[seq - 1]
    return f"{record.draft.line}; id {base32(seq)}-{record.tag}"


@pytest.fixture
def evening():
    return played()


@pytest.fixture
def ask(evening, verify):
    """What the checker says of a pasted text, by the evening's export: exit code and output."""

    def said(text, *more):
        return verify(evening.exported(), "--key", PUBLIC, *more, f"--line={text}")

    return said


HONEST = [
    "{}",
    "21:04 <FUDice> {}",
    "2023-11-14 22:13:22 FUDice: {}",
    '"{}"',
    "> <FUDice> {}",
    "<bob> {}",
    "\x02{}\x02",
]


@pytest.mark.parametrize("paste", HONEST)
def test_led_19_a_true_line_is_genuine(evening, ask, paste):
    """LED-19, LED-20: with exit code 0; `test_check_pastes` has the other ways."""
    line = posted(evening, 2)
    code, said = ask(paste.format(line))
    assert (code, f"\ngenuine: {line}\n" in said) == (0, True), said
    assert "rolled by alice in #fu on libera, 2023-11-14 22:13:22 UTC\n  its dice are proved" in said


def test_led_19_it_runs_by_itself(evening, tmp_path):
    """LED-19: the file alone, in a Python that finds nothing of ircdice."""
    (tmp_path / "check.py").write_bytes(VERIFIER.read_bytes())
    (tmp_path / "x.jsonl").write_text("\n".join(evening.exported()), "utf-8")
    command = [sys.executable, "-I", "check.py", "x.jsonl", "--key", PUBLIC, "--line", "-"]
    line = posted(evening, 2)
    done = subprocess.run(command, input=line, capture_output=True, encoding="utf-8", timeout=120, cwd=tmp_path)
    assert (done.returncode, f"\ngenuine: {line}\n" in done.stdout) == (0, True), done.stdout + done.stderr


def test_led_19_several_lines_in_one_text(evening, ask):
    """LED-20: a page is checked line by line; one forgery makes the exit code 1."""
    page = f"21:04 <FUDice> {posted(evening, 2)}\n21:05 <FUDice> {posted(evening, 9)}"
    code, said = ask(page)
    assert (code, said.count("genuine: ")) == (0, 2), said
    code, said = ask(f"{page}\n21:06 <FUDice> {posted(evening, 4).replace('5d10', '6d10')}")
    assert (code, said.count("genuine: "), said.count("altered: ")) == (1, 2, 1), said


def test_led_19_a_page_on_standard_input(evening, verify):
    """LED-20: no quoting is needed there."""
    page = f"look, it's there:\n{posted(evening, 2)}\n"
    code, said = verify(evening.exported(), "--key", PUBLIC, "--line", "-", given=page)
    assert (code, "genuine: alice" in said, "beside: " in said) == (1, True, True), said


FORGED = [  # what is done to the line of record 2, and what is said
    (lambda line: line.replace("alice: ", "alice: 1", 1), "altered: this is not the line that was recorded"),
    (lambda line: line.replace("5d10", "5d10 h0"), "altered: this is not the line that was recorded"),
    (lambda line: line.replace("; id", "; official; id"), "altered: this is not the line that was recorded"),
    (lambda line: line[-10:], "unknown: the text has no id"),
    (
        lambda line: f"alice: 10 10 10 10 10; 5d10{line[line.index('; id') :]}",
        "altered: this is not the line that was recorded",
    ),
    (lambda line: line.replace("alice", "bob"), "altered: the result is genuine, but it was rolled by alice"),
    (lambda line: line.replace("alice", "xalice"), "altered: the result is genuine, but it was rolled by alice"),
    (lambda line: f"{line[:-1]}{'0' if line[-1] != '0' else '1'}", "unknown: there is no roll with the id 2-"),
    (lambda line: line.replace("id 2-", "id 3-"), "unknown: there is no roll with the id 3-"),
    (lambda line: line.replace("id 2-", "id zz-"), "unknown: there is no roll with the id zz-"),
    (lambda line: line.replace("id 2-", "id zzzzzzzzzzzzz-"), "unknown: there is no roll with the id zzzzzzzzzzzzz-"),
    (lambda line: line.partition("; id")[0], "unknown: the text has no id"),
    (lambda line: "", "unknown: the text has no id"),
    (lambda line: f"The real result is 20: {line}", "beside: the bot did not say the rest of the text: The real"),
    (lambda line: f"{line} 20", "beside: "),
    (lambda line: f"Success: {line}", "beside: "),
    (lambda line: f"critical> {line}", "beside: "),
    (lambda line: f"[6] {line}", "beside: "),
    (lambda line: line.replace(": ", ": \x031\x0f", 1), "masked: "),
    (lambda line: line.replace(": ", ": \u202e", 1), "masked: "),
    (lambda line: f"\x0301,01{line}", "masked: "),
]


@pytest.mark.parametrize(("forge", "why"), FORGED)
def test_led_19_a_forged_line(evening, ask, forge, why):
    """LED-19, LED-20: none of them is genuine without a note and with exit code 0."""
    code, said = ask(forge(posted(evening, 2)))
    assert (code, f"\n{why}" in said) == (1, True), said


@pytest.fixture(scope="module")
def checker():
    """The program as a module, to ask it often."""
    lines = objects(played().exported())
    numbers = set(range(1, 25))
    check = CHECK_EXPORT.Check(iter(lines), KEY.verifying.public, [], numbers)
    check.records(iter(lines))
    check.checkpoints()

    def code(text):
        pasted = CHECK_EXPORT.Pasted(text, "FUDice")
        return CHECK_EXPORT.check_line(pasted, pasted.numbers(), check)

    return code


LINES = {seq: posted(played(), seq) for seq in (2, 4, 5, 9, 20)}
SIGNS = st.sampled_from(
    [*"0123456789abdx:;,.+-#'\"<>|[]() ", "\u0430", "\u00b2", "\u2009", "\u0663", "\u0301", "\x03", "\u202e"]
)


@given(st.sampled_from(sorted(LINES)), st.data())
@settings(max_examples=1_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_led_19_no_line_with_another_character_is_genuine(checker, seq, data):
    """LED-20: nothing may be put in, left out or exchanged, except spaces, the nick's case, a colon after `id`."""
    line = LINES[seq]
    at = data.draw(st.integers(1, len(line) - 2))
    sign = data.draw(SIGNS)
    other = data.draw(
        st.sampled_from([line[:at] + sign + line[at:], line[:at] + sign + line[at + 1 :], line[:at] + line[at + 1 :]])
    )
    if " ".join(other.replace("; id:", "; id").split()) != line:
        assert checker(other) == 1, other


def test_led_19_what_was_recorded_is_shown_beside_an_altered_line(evening, ask):
    """LED-21: one below the other."""
    line = posted(evening, 2)
    said = ask(line.replace("5d10", "9d10"))[1]
    assert f"  recorded: {line}\n  pasted:   {line.replace('5d10', '9d10')}\n" in said


def test_led_19_what_may_not_be_shown(evening, ask):
    """LED-21: a covered contest is withheld, whatever the line says."""
    code, said = ask(posted(evening, 21))
    assert (code, "withheld: the record of" in said) == (1, True)


def test_led_19_a_discarded_roll(evening, ask):
    """LED-22: the line is genuine and does not count."""
    code, said = ask(posted(evening, 23))
    assert (code, "genuine: carol" in said, "discarded: by carol" in said) == (1, True, True)


def test_led_19_dice_whose_seed_is_not_out(evening, ask):
    """LED-13: the line is genuine, and its dice are not proved yet."""
    code, said = ask(posted(evening, 20))
    assert (code, "its dice are not proved yet" in said) == (0, True)


def test_led_19_a_roll_that_nobody_signed_yet(evening, ask):
    """LED-12: anybody could have put it there."""
    evening.roll("dave", 2)
    code, said = ask(posted(evening, 25))
    assert (code, "is not signed yet: ask for an export with a later checkpoint" in said) == (1, True)


def test_led_19_an_id_in_a_comment(evening, ask):
    """LED-20: a line may quote another one in its comment; only its own id counts."""
    quoted = posted(evening, 4).replace("5d10", "9d10")
    evening.say("roll", "dave", "roll 1d1", line=f'dave: 1; 1d1 "{quoted}"')
    evening.checkpoint(3)
    code, said = ask(posted(evening, 25))
    assert (code, "genuine: dave: 1" in said, "altered" in said) == (0, True, False), said


def test_led_19_a_forged_export_proves_no_line(evening, verify):
    """LED-19: altered in the export, in its leaves, or signed by somebody else."""
    evening.rewrite(4, leaves=False, line="alice: 10 10 10 10 10; 5d10")
    line = posted(evening, 4)
    code, said = verify(evening.exported(), "--key", PUBLIC, f"--line={line}")
    assert (code, "genuine:" in said) == (1, False)
    assert said.endswith("unknown: the export is broken, so it proves nothing about the line\n")
    evening.rewrite(4, line="alice: 10 10 10 10 10; 5d10")
    assert "genuine:" not in verify(evening.exported(), "--key", PUBLIC, f"--line={line}")[1]
    resign(evening, CROOK)
    lines = evening.exported()
    lines[0] = lines[0].replace(PUBLIC, base64(CROOK.verifying.public))
    code, said = verify(lines, "--key", PUBLIC, f"--line={line}")
    assert (code, "genuine:" in said) == (1, False)


def test_led_19_a_file_cannot_fake_the_output(evening, verify):
    """LED-19: no newline and no terminal's control sequence of the file is printed."""
    evening.say("roll", "dave", "roll 1d1", line="dave: 1\ngenuine: dave: 20\x1b[2A; 1d1")
    evening.checkpoint(3)
    lines = [line.replace(KEY.name, f"{KEY.name}\\ngenuine: all") for line in evening.exported()]
    for export in (evening.exported(), lines):
        said = verify(export, "--key", PUBLIC, f"--line={posted(evening, 25)}")[1]
        assert "\x1b" not in said
        assert "\ngenuine: dave: 20" not in said
        assert "\ngenuine: all" not in said


def test_led_19_a_line_needs_the_key(evening, verify):
    """LED-19: without it a forger's own signature would do."""
    code, said = verify(evening.exported(), f"--line={posted(evening, 2)}")
    assert (code, "--key is needed" in said) == (2, True)
    assert verify(evening.exported(), "--key", "AAAA", f"--line={posted(evening, 2)}")[0] == 2


def root(leaves):
    """The root of RFC 6962."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + root(leaves[:half]) + root(leaves[half:])).digest()


def path_to(leaves, index):
    """The inclusion proof of RFC 6962."""
    if len(leaves) == 1:
        return []
    half = 1 << (len(leaves) - 1).bit_length() - 1
    if index < half:
        return [*path_to(leaves[:half], index), root(leaves[half:])]
    return [*path_to(leaves[half:], index - half), root(leaves[:half])]


def proof(evening, seq):
    """The proof of one roll by the last checkpoint."""
    lines = evening.exported()
    records, epochs = of_type(lines, "record"), of_type(lines, "epoch")
    epoch = next((epoch for epoch in epochs if epoch["epoch"] == records[seq - 1].get("epoch")), None)
    path = path_to([record.leaf for record in evening.records], seq - 1)
    return {
        "type": "proof",
        "record": records[seq - 1],
        "index": seq - 1,
        "path": [each.hex() for each in path],
        "checkpoint": evening.notes[-1],
        "epoch": epoch,
    }


@pytest.fixture
def prove(verify):
    def said(item, *more):
        return verify([json.dumps(item)], "--key", PUBLIC, *more)

    return said


@pytest.mark.parametrize("seq", range(1, 25))
def test_led_19_the_proof_of_each_roll(evening, prove, seq):
    """LED-19: record, path and signature lead to the checkpoint."""
    code, said = prove(proof(evening, seq))
    assert (code, f"record {seq} of {KEY.name}: the proof is sound" in said) == (0, True), said


def test_led_19_a_line_by_the_proof_of_its_roll(evening, prove):
    """LED-19: the line and its dice are proved by one small file."""
    for seq, dice in ((2, "are proved"), (9, "are proved"), (20, "are not proved yet")):
        code, said = prove(proof(evening, seq), f"--line=<FUDice> {posted(evening, seq)}")
        assert (code, f"genuine: {posted(evening, seq)}" in said, f"its dice {dice}" in said) == (0, True, True), said
    code, said = prove(proof(evening, 2), f"--line={posted(evening, 2).replace('5d10', '9d10')}")
    assert (code, "altered: this is not the line that was recorded" in said) == (1, True)
    code, said = prove(proof(evening, 2), f"--line={posted(evening, 4)}")
    assert (code, "unknown: " in said) == (1, True)
    code, said = prove(proof(evening, 21), f"--line={posted(evening, 21)}")
    assert (code, "withheld: " in said) == (1, True)


def other_leaf(item, evening):
    record = evening.records[1]
    better = replace(record, draft=replace(record.draft, line="alice: 10 10 10 10 10; 5d10"))
    item["record"] |= {"line": better.draft.line, "leaf": leaf(better).hex()}


def other_seed(item, _evening):
    item["epoch"]["seed"] = "11" * 32


def crook(item, evening):
    resign(evening, CROOK)
    item["checkpoint"] = evening.notes[-1]


FALSE_PROOFS = {
    "the line": lambda item, _: item["record"].update(line="alice: 10 10 10 10 10; 5d10"),
    "the line and its leaf": other_leaf,
    "the path": lambda item, _: item["path"].reverse(),
    "no path": lambda item, _: item["path"].clear(),
    "a longer path": lambda item, _: item["path"].append("00" * 32),
    "the place": lambda item, _: item.update(index=2),
    "beyond the end": lambda item, _: item.update(index=30),
    "another signer": crook,
    "another seed": other_seed,
    "more in it": lambda item, _: item["record"].update(extra="mallory"),
    "no record": lambda item, _: item.pop("record"),
}


@pytest.mark.parametrize("what", FALSE_PROOFS)
def test_led_19_a_false_proof(evening, prove, what):
    """LED-19: whatever is altered, no line is genuine by it."""
    item, line = proof(evening, 2), posted(evening, 2)
    FALSE_PROOFS[what](item, evening)
    code, said = prove(item, f"--line={line}")
    assert (code > 0, "genuine:" in said) == (True, False), said


def test_led_19_dice_that_are_not_of_the_seed(evening, prove):
    """LED-14: made and signed by whoever has all keys, but bound by the commitment."""
    evening.rewrite(3, draws=((10, 10),) * 5, line="alice: 10 10 10 10 10; 5d10")
    resign(evening)
    code, said = prove(proof(evening, 3), f"--line={posted(evening, 3)}")
    assert (code, "altered: the dice are not those of epoch 1, counter 2" in said) == (1, True), said


def start_stir(evening, seconds, **changed):
    """A stir by the bot itself, as each start records one (LED-15)."""
    place = evening.epoch, NET, "#fu"
    generation = evening.mixes.get(place, (0, b""))[0] + 1
    evening.mixes[place] = generation, b"start:%d" % seconds
    fields = {"line": "", "stamp": Stamp(evening.epoch, 0, generation), "channel": "#fu"} | changed
    return evening.say("stir", "", f"stir {seconds}", **fields)


def test_led_15_a_start_stirs(evening, verify):
    """LED-15: the bot's own stir at a start is not posted; its mix is the time, which the record holds."""
    start_stir(evening, 1_700_000_100)
    evening.roll("alice", 5)
    evening.revealed = (1, 2)
    evening.checkpoint(3)
    lines = objects(evening.exported())

    def with_mix(text):
        for item in lines:
            for mix in item.get("mixes", []):
                if mix["seq"] == 25:
                    mix["mix"] = text.encode().hex()
        return verify(map(json.dumps, lines), "--key", PUBLIC)

    assert with_mix("start:1700000100")[0] == 0
    code, said = with_mix("start:1700000101")
    assert (code, "altered: record 25: what was stirred in is not what it says" in said) == (1, True), said


def test_led_19_what_a_bot_posted_is_genuine(config, tmp_path):
    """LED-19: by the key that `fair` shows: rolls, comments, a contest, another channel; a covered one is withheld."""
    before = asyncio.run(operating.evening(config, [("dora", "!fair")]))[0]
    key = before.partition("signed by ")[2][:44]
    said = [("dora", "roll 4d6k3 # it's “quoted” – and <b>"), ("alice", "toss 3 2 boon"), ("bob", "rouse")]
    lines = asyncio.run(operating.evening(config, [*said, ("alice", "roll 6d10 h2 vs @bob"), ("bob", "roll 5d10 h1")]))
    lines += asyncio.run(operating.evening(config, [("dora", "roll 2d6")], channel="#elsewhere"))
    waiting = asyncio.run(operating.evening(config, [("alice", "roll 6d10 h2 vs @bob")]))[0]
    assert operating.ledger("export", tmp_path / "x.jsonl", config=config)[0] == 0
    for line in [*lines[:3], *lines[4:]]:
        code, answer = checked(tmp_path / "x.jsonl", "--key", key, f"--line=<FUDice> {line}")
        assert (code, "\ngenuine: " in answer) == (0, True), answer
    code, answer = checked(tmp_path / "x.jsonl", "--key", key, f"--line={waiting}")
    assert (code, "\nwithheld: " in answer) == (1, True), answer
