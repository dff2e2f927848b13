"""LED-21: verdicts on posted lines, as the bot tells them in a channel and in private."""

import asyncio
import re
from dataclasses import replace

import pytest
from playing import CHANNEL, Table
from posted import DAY, ROLLED, alter, roll, said

from ircdice.ledger import Draft, Record, Sealed
from ircdice.ledger.record import sealed_hash


def test_led_21_genuine(table):
    """LED-21: genuine, official, by whom, where and when; in one line to the channel."""
    posted = roll(table)
    answer = table.say("sam", f"!verify [22:13] <@FUDice> {posted}")
    (reply,) = answer.replies
    assert reply.text == f"Genuine and official: alice rolled it in #fu_dice on net, {DAY}."
    assert (reply.target, reply.private, answer.kind) == (CHANNEL, False, "check")


def test_led_21_altered(table):
    """LED-21: what differs is said in the channel, and the line as it was, that marked, to the asker."""
    posted = roll(table).replace("2 successes", "4 successes").replace("Failure", "Success")
    first, second = table.say("sam", f"!verify {posted}").replies
    assert first.text == (
        f"Altered: this is not what was posted in #fu_dice on net, {DAY}."
        ' "Success" should be "Failure". "4" should be "2".'
    )
    assert second.text.endswith("alice: *Failure*, *2* successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3")
    assert (second.target, second.private) == ("sam", True)


@pytest.mark.parametrize("asked", ["1-abcdef", "9z-27b5pk", "#2", f"{ROLLED}; id 1-abcdef", "4u-27b5pk"])
def test_led_21_unknown(table, asked):
    """LED-21: no such roll; a wrong tag shows nothing of the record that has its number."""
    roll(table, faces=(1, 1, 1, 1, 1))
    answer = said(table, "sam", f"!verify {asked}")
    assert answer.startswith("Unknown: there is no roll ")
    assert "alice" not in answer


def test_led_21_lost(table, caplog):
    """LED-21: the tag is right and the record is gone: the operator's log is alarmed."""
    posted = roll(table)
    table.ledger.records.clear()
    assert said(table, "sam", f"!verify <FUDice> {posted}").startswith("Lost: the id 1-")
    assert [r.levelname for r in caplog.records] == ["CRITICAL"]
    forged = posted.replace("2 successes", "5 successes")
    assert said(table, "sam", f"!verify {forged}").startswith("Unknown")


def test_led_21_another_record_in_its_place(table, caplog):
    """LED-21: a ledger that was cut off and went on: the old line's tag is right, its number another roll's."""
    posted = roll(table)
    table.ledger.records.clear()
    roll(table, "bob", faces=(1, 1, 1, 1, 1))
    assert said(table, "sam", f"!verify {posted}").startswith("Lost")
    assert caplog.records


def test_led_21_a_record_that_was_altered(table, caplog):
    """LED-21, LED-30: a line is changed in the database: the true one is no forgery, and the new one no proof."""
    posted = roll(table)
    alter(table, 1, line=ROLLED.replace("Failure, 2", "Critical, 9"))
    assert said(table, "sam", f"!verify {posted}").startswith("Lost")
    for forged in (posted.replace("Failure, 2", "Critical, 9"), posted.replace("Failure, 2", "Critical, 8")):
        assert said(table, "sam", f"!verify {forged}").startswith("Unknown")
    assert said(table, "sam", "!verify #1").startswith("Lost")
    assert len(caplog.records) == 2


def test_led_21_a_covered_contest_is_withheld(table):
    """LED-21, GEN-06: until it is answered nothing of a contest is told, to the one who opened it neither."""
    posted = roll(table, text="roll 5d10 h2 vs @bob")
    for nick in ("alice", "bob", "sam"):
        for asked in ("#1", "#last", posted):
            assert "is a contest that waits for its answer" in said(table, nick, f"!verify {asked}")
    result = said(table, "bob", "pass").splitlines()[0]
    assert "The answer to it is 2-" in said(table, "sam", f"!verify {posted}")
    assert said(table, "sam", f"!verify {result}").startswith("Genuine and official: bob answered it")


def test_led_21_an_altered_waiting_line(table):
    """LED-21: what was posted of a contest is known, and may be compared."""
    posted = roll(table, text="roll 5d10 h2 vs @bob").replace("5d10", "9d10")
    assert said(table, "sam", f"!verify {posted}").startswith("Altered")


def test_led_21_a_private_roll_is_withheld(table):
    """LED-21: a roll in private is its roller's; to anybody else it tells neither line nor whose it is."""
    posted = roll(table, where="private")
    name = posted[-8:]
    for asked in (posted, name, posted.replace("2 successes", "5 successes")):
        answer = said(table, "sam", f"!verify {asked}")
        assert answer == f"Withheld: {name} is a roll made in private, for its roller alone."
    assert said(table, "sam", "!verify #1", where="private").startswith("Unknown")
    assert said(table, "alice", f"!verify {posted}").startswith("Genuine, but unofficial: alice rolled it in private")
    assert "It reads: alice" in said(table, "alice", "!verify #1", where="private")


def test_led_21_a_private_roll_is_its_rollers_on_that_network(table):
    """LED-21: the same name on another network is another person."""
    posted = roll(table, where="private")
    alter(table, 1, network="elsewhere")
    record = table.ledger.records[0]
    moved = table.ledger.tag_of(1, "elsewhere", record.draft.channel, "alice", record.draft.line)
    table.ledger.records[0] = replace(record, tag=moved)
    assert said(table, "alice", f"!verify {posted[:-6]}{moved}").startswith("Withheld")


def test_led_25_redacted(table):
    """LED-25: what was taken away answers withheld."""
    posted = roll(table)
    record = table.ledger.records[0]
    table.ledger.records[0] = Record.withheld(1, record.ts, b"", "redacted")
    for asked in (posted, posted[-8:]):
        assert said(table, "sam", f"!verify {asked}").startswith("Withheld: 1-")


def seal(table, kind="seal", ref=0):
    draft = Draft(kind, "net", "#fu_dice", "sam", "~sam", "difficulty 9 for alice", (), "sam: a secret", ref)
    return asyncio.run(table.ledger.append(draft))


def test_led_17_sealed(table):
    """LED-17, LED-21: a sealed value is withheld until it is revealed, and its words are never told."""
    record = seal(table)
    for asked in (
        f"!verify {record.id}",
        f"log #{record.id}",
        "!verify #last",
        f"!verify sam: a secret; id {record.id}",
    ):
        answer = said(table, "sam", asked)
        assert "is sealed until it is revealed" in answer
        assert "9" not in answer.replace(record.id, "")
    seal(table, "reveal", 1)
    assert said(table, "alice", f"!verify {record.id}").startswith("Genuine, but unofficial: sam sealed it")


def test_led_21_no_reply_is_taken_for_a_line(table):
    """LED-21: the bot's own answers, pasted again, prove nothing."""
    posted = roll(table)
    for asked in ("!verify #1", f"!verify {posted}", f"!verify {posted.replace('9 4', '9 5')}"):
        assert "; id" not in said(table, "sam", asked)


def test_led_21_a_comment_that_was_left_out(table):
    """LED-21: what has quote marks of its own stands between others."""
    posted = roll(table, text="roll 5d10 h2 dc3 # for real")
    assert (
        said(table, "sam", "!verify " + posted.replace(' "for real"', ""))
        .splitlines()[0]
        .endswith("'\"for real\"' was left out.")
    )


def test_led_21_to_before_another_name_is_added(table):
    """LED-20: the bot puts nothing before a nick that begins with a letter."""
    answer = said(table, "sam", f"!verify to {roll(table)}")
    assert answer.startswith("Genuine, but with other words around it: alice")


@pytest.mark.parametrize("end", [".", "!", "?", " ?!"])
def test_gen_02_the_end_of_the_question(table, end):
    """GEN-02, LED-20: what ends the sentence is not part of the posted line."""
    assert said(table, "sam", f"!verify {roll(table)}{end}").startswith("Genuine and official: alice")


@pytest.mark.parametrize("masked", ["\u202e9 4 3\u202c", "9 \u200f4 \u200f3", "\x03889 4 3", "\u20669 4 3\u2069"])
def test_led_20_what_looks_different_is_read_out(table, masked):
    """LED-20: marks of direction and hiding colours are removed before comparing; the answer says what was compared."""
    posted = roll(table).replace("9 4 3", masked)
    assert said(table, "sam", f"!verify {posted}") == (
        f"Genuine, but masked: alice rolled it in #fu_dice on net, {DAY}."
        f" Control codes in it hide or change what a reader sees. It reads: {ROLLED}"
    )


@pytest.mark.parametrize("way", ["{} Critical hit, really 12 passes", "he had a critical here: {}", "critical> {}"])
def test_led_20_words_around_a_line_are_not_genuine_with_it(table, way):
    """LED-20: the answer says which part of the paste it is about."""
    assert said(table, "sam", f"!verify {way.format(roll(table))}") == (
        f"Genuine, but with other words around it: alice rolled it in #fu_dice on net, {DAY}."
        f" Of what was pasted only this is genuine: {ROLLED}"
    )


def test_led_20_of_several_lines_those_are_read_out_that_look_different(table):
    """LED-20: several lines at once: a masked line and one with other words around it are read out."""
    first, second = roll(table), roll(table, "bob", faces=(1, 2, 3, 4, 5))
    turned = first.replace("9 4 3", "\u202e9 4 3\u202c")
    summary, *rest = said(table, "sam", f"!verify {turned}\nbob had 9\n{second} or 9").splitlines()
    names = first[-8:], second[-8:]
    assert (
        summary
        == f"2 lines: 0 genuine; {names[0]} genuine, but masked; {names[1]} genuine, but with other words around it."
    )
    assert [line.partition(" ")[0] for line in rest] == list(names)
    assert rest[0].endswith(f" reads: {ROLLED}")


@pytest.mark.parametrize(("count", "lines"), [(4, 4), (5, 4)])
def test_irc_20_of_many_lines_some_are_told(table, count, lines):
    """IRC-20, LED-20: each line that is not good is explained in private, in four lines at most."""
    ids = " ".join(f"{seq}-abcdef" for seq in range(1, count + 1))
    summary, *rest = table.say("sam", f"!verify {ids}").replies
    assert summary.text.startswith(f"{count} lines: 0 genuine; 1-abcdef unknown;")
    assert len(rest) == lines
    assert (rest[-1].text == "The others one by one: verify ID.") == (count > lines)


def test_led_20_another_nick_in_the_rollers_place(table):
    """LED-20: the result is genuine, and the answer says whose it is."""
    first, second = table.say("sam", f"!verify {roll(table).replace('alice', 'bob', 1)}").replies
    assert first.text == f"Altered: the result is genuine; it was rolled by alice in #fu_dice on net, {DAY}."
    assert second.text.endswith(f"*alice*: {ROLLED[7:]}")


def test_led_20_a_character_is_left_out_or_a_comment_added(table):
    """LED-20: who rolled is named with the character, and a comment that was added is compared with words."""
    table.say("alice", "!play Viktor")
    posted = roll(table)
    first, second = table.say("sam", f"!verify {posted.replace('Viktor (alice)', 'alice')}").replies
    assert first.text.startswith("Altered: the result is genuine; it was rolled by alice as Viktor in #fu_dice on net")
    first, second = table.say("sam", f"!verify {posted.replace('; id', ' sneaking; id')}").replies
    assert first.text.endswith('"sneaking" was added.')
    assert second.text.endswith("*(nothing)*")


def test_led_21_every_verdict_survives_a_restart(table):
    """GEN-09: what is answered comes from the ledger, and not from what the table has at hand."""
    posted = roll(table)
    roll(table, text="wp 1", faces=(7,))
    before = said(table, "sam", f"!verify {posted}")
    table.restart()
    assert said(table, "sam", f"!verify {posted}") == before


def test_led_17_what_was_sealed_is_told_once_it_is_revealed(table):
    """LED-17, LED-22: verify of a seal that was revealed says what it sealed, which the reveal has told."""
    said(table, "sam", f"difficulty 9 for bob in {CHANNEL}", star=True, where="private")
    said(table, "sam", "reveal #1", star=True)
    assert said(table, "alice", "!verify #1") == (
        f'Genuine and official: sam sealed it in #fu_dice on net, {DAY}. It sealed "9", a difficulty for bob.'
    )


@pytest.mark.parametrize(
    ("secret", "faces", "what"),
    [
        (f"difficulty 9 for bob in {CHANNEL}", (), "difficulty for bob"),
        (f"secret toss 3 2 boon # the lock in {CHANNEL}", (4, 5, 3), "secret roll"),
        (f'secret roll 2d10 # the "lock", a secret in {CHANNEL}', (4, 5), "secret roll"),
    ],
)
def test_led_17_what_verify_quotes_has_the_hash(secret, faces, what):
    """LED-17, LED-21: with the salt that was posted the quoted text, and no more, gives the hash in the seal's leaf."""
    table = Table(system="fayrewood")
    said(table, "sam", secret, faces, star=True, where="private")
    salt = re.search("salt ([0-9a-f]{32})", said(table, "sam", "reveal #1", star=True))[1]
    quoted = re.search(f'It sealed "(.*)", a {what}[.]', said(table, "alice", "!verify #1"))[1]
    assert sealed_hash(Sealed(quoted, bytes.fromhex(salt))) == sealed_hash(table.records[0].draft.sealed)


def test_led_17_what_is_too_long_to_be_quoted_is_not_cut(table):
    """LED-17, IRC-20: half of a sealed text has another hash: the log has its dice."""
    said(table, "sam", f"secret roll 100d10 in {CHANNEL}", (10,) * 100, star=True, where="private")
    said(table, "sam", "reveal #1", star=True)
    assert 'It sealed a secret roll: all dice by "log" and this id. It reads: sam: ' in said(table, "sam", "!verify #1")


@pytest.mark.parametrize("between", [" ", "\n", "  \n "])
def test_led_20_space_before_the_id_is_decoration(table, between):
    """LED-20: a space or a line break before `; id` changes nothing."""
    line, _, tag = roll(table).rpartition("; id ")
    answer = said(table, "sam", f"FUDice: verify {line}{between}; id {tag}")
    assert answer.startswith("Genuine and official: alice rolled it")


def test_led_20_what_else_stands_before_the_id_is_told(table):
    """LED-20: "the result is genuine" is for another nick alone; a line without its `;` is marked."""
    line, _, tag = roll(table).rpartition("; id ")
    first, second = said(table, "sam", f"FUDice: verify {line} id {tag}").split("\n")
    assert first.startswith("Altered: this is not what was posted")
    assert second.endswith(f"{line}*; id {tag}*")


def test_led_20_letters_before_the_nick_make_another_nick(table):
    """LED-20: `xalice` is another nick, and starred."""
    posted = roll(table)
    first, second = said(table, "sam", f"FUDice: verify x{posted}").split("\n")
    assert first.startswith("Altered: the result is genuine; it was rolled by alice")
    assert "*alice*: Failure" in second
