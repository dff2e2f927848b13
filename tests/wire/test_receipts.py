"""What waits, what is out and what is kept for later, by tables: no socket, and the time is made up."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.bot.message import Reply
from ircdice.wire.outgoing import JOINED_PAST, MANY, MOST_KEPT, Entry, Outbox, Settled, pieces
from ircdice.wire.protocol import Line, Note, Support, parse

HEAD = "PRIVMSG #x :"


def entry(number: int, *, at: float = 0.0, target: str = "#x", recorded: bool = True, room: int = 400) -> Entry:
    text = f"al: roll {number}; id {number}-abcdef"
    reply = Reply("net", target, text, seq=number if recorded else None)
    return Entry(text, target, "PRIVMSG", at, (reply,), room=room)


def numbers(entries: Iterable[Entry]) -> list[int]:
    return [reply.seq or 0 for one in entries for reply in one.replies]


class Kept(Outbox):
    """An outbox with what it reported since the last look."""

    def __init__(self) -> None:
        self.effects: list[Settled | Note] = []
        super().__init__(self.effects.append, Support())

    def delivered(self) -> list[int]:
        """The rolls that are known to be out."""
        found = [reply.seq or 0 for one in self.effects if isinstance(one, Settled) for reply in one.replies]
        self.effects.clear()
        return found

    def unsent(self, lane: str = "#x") -> list[int]:
        """The rolls that are kept for another time."""
        return numbers(self.resume(lane, 0.0))

    def receive_text(self, text: str, *, mine: bool = False) -> list[int]:
        """The rolls that a line from the server confirms."""
        self.receive(parse(text) or Line(""), mine=mine)
        return self.delivered()


@pytest.mark.parametrize(("waiting", "first"), [(JOINED_PAST, 1), (JOINED_PAST + 1, 4), (60, 4)])
def test_neighbours_share_a_line_when_many_wait(waiting: int, first: int) -> None:
    """IRC-22: past 20 that wait for a channel, as many as fit are joined; to 20 each has a line of its own."""
    outbox = Kept()
    for number in range(waiting):
        outbox.put(entry(number, room=110))
    line = outbox.next(0)
    assert line is not None
    assert (len(line.replies), len(line.text.encode()) <= 110) == (first, True)


@given(
    st.lists(st.tuples(st.sampled_from(["#a", "#b", "al"]), st.integers(1, 60)), max_size=150),
    st.integers(40, 200),
)
def test_joining_loses_nothing_and_keeps_the_order(said: list[tuple[str, int]], room: int) -> None:
    """IRC-22: whatever waits is sent once, in order for its place, and no line is longer than may be."""
    outbox, sent = Kept(), dict[str, list[int]]()
    for number, (target, length) in enumerate(said):
        replies = (Reply("n", target, "", seq=number),)
        outbox.put(Entry("ü" * (length // 2), target, "PRIVMSG", 0, replies, room=room))
    while line := outbox.next(0):
        sent.setdefault(line.target, []).extend(numbers((line,)))
        assert len(line.text.encode()) <= max(room, 60)
    assert sent == {
        target: [n for n, (other, _) in enumerate(said) if other == target] for target in {target for target, _ in said}
    }
    assert len(outbox) == 0


def test_a_reply_of_several_lines_is_delivered_with_the_last() -> None:
    """IRC-20, LED-06: it is not marked as posted before all of it is."""
    long = entry(1)._replace(text="al: " + "many words " * 100)
    parts = list(pieces(long, Support(), nick="FUDice", userhost="u@h", tags=False))
    assert [numbers([part]) for part in parts] == [[], [], [1]]
    assert all(len(f":FUDice!u@h {part.line}\r\n".encode()) <= 512 for part in parts)


def test_only_replies_of_a_kind_are_joined() -> None:
    """IRC-22: a NOTICE is not joined with a PRIVMSG, nor with a line that is no reply."""
    one = entry(1)
    assert one.joined(entry(2)) is not None
    assert one.joined(one._replace(command="NOTICE")) is None
    assert one.joined(Entry("too many commands", "#x", "PRIVMSG")) is None
    assert Entry("JOIN #x").joined(Entry("JOIN #y")) is None


def sent(*entries: Entry, echo: bool, labels: bool = False) -> Kept:
    outbox = Kept()
    for one in entries:
        outbox.put(one)
    while outbox.next(0.0, echo=echo, labels=labels):
        pass
    return outbox


def test_an_echo_tells_that_a_line_is_out() -> None:
    """IRC-23: with echo-message what came back is out, and what did not counts as not sent."""
    outbox = sent(entry(1), entry(2), entry(3, target="#Y"), echo=True)
    assert outbox.ask(0.0) is None
    assert outbox.receive_text(f":al!u@h {HEAD}{entry(1).text}") == []
    assert outbox.receive_text(f":me!u@h {HEAD}{entry(2).text}", mine=True) == [2]
    assert outbox.receive_text(":me!u@h PRIVMSG #y :colours taken off", mine=True) == [3]
    assert outbox.receive_text(":me!u@h PRIVMSG #z :from elsewhere", mine=True) == []
    outbox.finish(orderly=True)
    assert (outbox.delivered(), outbox.unsent()) == ([], [1])


def test_a_label_tells_which_line_is_meant() -> None:
    """IRC-03: with labeled-response, an echo without formatting and a refusal name their line."""
    outbox = sent(entry(1), entry(2), entry(3), echo=True, labels=True)
    assert outbox.receive_text("@label=2 :me!u@h PRIVMSG #x :colours taken off", mine=True) == [2]
    assert outbox.receive_text("@label=1 :s ACK") == [], "an echo is missing"
    assert outbox.receive_text("@label=3 :s 404 me #x :Cannot send to channel") == []
    assert outbox.unsent() == [3]
    assert outbox.receive_text("@label=9 :me!u@h PRIVMSG #x :colours taken off", mine=True) == [1]


def test_what_a_server_acknowledges_is_out() -> None:
    """IRC-03, IRC-23: without an echo, the ACK of a labelled line spares a PING; one without a label says nothing."""
    outbox = sent(entry(1), entry(2), echo=False, labels=True)
    assert [outbox.receive_text(line) for line in (":s ACK", "@label= :s ACK", "@label=1 :s ACK")] == [[], [], [1]]
    assert outbox.ask(0.0) == "ircdice-2"


def test_only_a_server_that_takes_labels_gets_them() -> None:
    """IRC-03, IRC-27: with the tag of a reply, and only if the server takes labels."""
    outbox = Kept()
    lines = []
    for labels in (True, False):
        outbox.put(entry(1)._replace(msgid="abc"))
        one = outbox.next(0.0, labels=labels)
        lines.append(one.line.partition(" ")[0] if one else "")
    assert lines == ["@label=1;+draft/reply=abc", "@+draft/reply=abc"]


def test_a_pong_vouches_for_what_was_before_its_ping() -> None:
    """IRC-23, LED-06: without echo-message the server is asked how far it is; the rest counts as not sent."""
    outbox = sent(entry(1), entry(2), Entry("JOIN #y"), echo=False)
    token = outbox.ask(0.0)
    outbox.put(entry(3))
    outbox.next(0.0)
    assert outbox.ask(0.0) is None, "one at a time"
    assert outbox.receive_text("PONG s :ircdice") == []
    assert outbox.receive_text(f":s PONG s :{token}") == [1, 2]
    outbox.finish(orderly=False)
    assert (outbox.unsent(), outbox.undelivered) == ([3], 0)


def test_an_orderly_end_vouches_too() -> None:
    """IRC-25: the server's ERROR behind our QUIT stands behind all that was said before."""
    outbox = sent(entry(1), entry(2), echo=False)
    outbox.finish(orderly=True)
    assert (outbox.delivered(), outbox.unsent()) == ([1, 2], [])


def test_while_others_wait_the_server_is_asked_seldom() -> None:
    """IRC-22: a PING costs as much as a line: one to four of them while others wait."""
    outbox = sent(*map(entry, range(MANY - 1)), echo=False)
    for number in (MANY, MANY + 1):
        outbox.put(entry(number))
    assert outbox.ask(0.0) is None
    outbox.next(0.0)
    assert outbox.ask(0.0) == f"ircdice-{MANY}"


@pytest.mark.parametrize("echo", [True, False])
@pytest.mark.parametrize("numeric", ["404", "401", "477"])
def test_a_refusal_is_no_delivery(numeric: str, echo: bool) -> None:
    """IRC-23: what the server refuses to pass on is not out, and the next line to that target is another."""
    outbox = sent(entry(1), entry(2, target="#y"), entry(3), echo=echo)
    token = outbox.ask(0.0)
    assert outbox.receive_text(f":s {numeric} me #X :Cannot send to channel") == []
    assert outbox.unsent() == [1]
    assert outbox.receive_text(f":s {numeric} me #z :Cannot send") == outbox.unsent() == []
    if token:
        assert outbox.receive_text(f":s PONG s :{token}") == [2, 3]


def test_waiting_has_an_end() -> None:
    """IRC-23: what never comes back is not sent; a server that answers no PING at all is believed."""
    lying, mute = sent(entry(1), echo=True), sent(entry(1), echo=False)
    assert mute.ask(0.0)
    for outbox in (lying, mute):
        outbox.overdue(29.0)
    assert (lying.unconfirmed, mute.unconfirmed) == (1, 1)
    for outbox in (lying, mute):
        outbox.overdue(30.0)
    assert (lying.unsent(), mute.delivered()) == ([1], [1])
    assert (lying.undelivered, mute.undelivered) == (0, 0)


def test_what_is_fresh_is_said_as_it_was_and_what_is_old_is_named() -> None:
    """IRC-23: under 60 s old a reply is sent after the rejoin; else a line has the ids of the rolls."""
    outbox = Kept()
    outbox.keep(entry(number, at=float(number)) for number in (1, 2, 41))
    outbox.keep([entry(3, at=3.0, recorded=False), entry(42, at=42.0), entry(9, target="al")])
    said = outbox.resume("#x", 100.0)
    assert [one.text for one in said] == [
        "These rolls were made earlier, and may not have been shown here: id 1-abcdef, 2-abcdef",
        "al: roll 41; id 41-abcdef",
        "al: roll 42; id 42-abcdef",
    ]
    assert (numbers(said), said[0].at, outbox.undelivered) == ([1, 2, 41, 42], 100.0, 1)
    assert outbox.resume("#x", 100.0) == []


def test_a_line_of_ids_that_was_lost_is_made_anew() -> None:
    """IRC-23: the rolls that a lost line named are named again."""
    outbox = Kept()
    outbox.keep(map(entry, range(1, 31)))
    first = outbox.resume("#x", 60.0)
    assert [len(one.replies) for one in first] == [20, 10]
    outbox.keep(first)
    assert numbers(outbox.resume("#x", 500.0)) == list(range(1, 31))


def test_lines_without_a_record_are_dropped_first() -> None:
    """IRC-23: a recorded reply is owed, a hint is not."""
    outbox = Kept()
    kept = [entry(number, recorded=number != 7) for number in range(MOST_KEPT)]
    outbox.keep(kept)
    assert outbox.effects == []
    outbox.keep([entry(MOST_KEPT)])
    assert [one.detail for one in outbox.effects if isinstance(one, Note)] == ["1 lines, too many waited"]
    assert numbers(outbox.resume("#x", 0.0)) == [number for number in range(MOST_KEPT + 1) if number != 7]


def test_what_is_kept_is_bounded() -> None:
    """IRC-23: no more than so much is kept; the oldest goes first."""
    outbox = Kept()
    outbox.keep(entry(number) for number in range(MOST_KEPT + 10))
    assert outbox.undelivered == MOST_KEPT
    assert numbers(outbox.resume("#x", 0.0)) == list(range(10, MOST_KEPT + 10))
