"""What waits, what is out and what is kept for later, by tables: no socket, and the time is made up."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.bot.message import Reply
from ircdice.wire.outgoing import JOINED_PAST, MANY, MOST_KEPT, Backlog, DeliveryReport, Entry, Outbox, Receipts
from ircdice.wire.protocol import Line, parse

HEAD = "PRIVMSG #x :"


def entry(number: int, *, at: float = 0.0, target: str = "#x", recorded: bool = True, room: int = 400) -> Entry:
    text = f"al: roll {number}; id {number}-abcdef"
    reply = Reply("net", target, text, seq=number if recorded else None)
    return Entry(text, target, "PRIVMSG", at, (reply,), room=room)


def numbers(entries: tuple[Entry, ...]) -> list[int]:
    return [reply.seq or 0 for one in entries for reply in one.replies]


@pytest.mark.parametrize(("waiting", "first"), [(JOINED_PAST, 1), (JOINED_PAST + 1, 4), (60, 4)])
def test_neighbours_share_a_line_when_many_wait(waiting: int, first: int) -> None:
    """IRC-22: past 20 that wait for a channel, as many as fit are joined; to 20 each has a line of its own."""
    outbox = Outbox(1, 0)
    for number in range(waiting):
        outbox.put("#x", entry(number, room=110))
    line = outbox.next(0)
    assert line is not None
    assert (len(line.replies), len(line.text.encode()) <= 110) == (first, True)


@given(
    st.lists(st.tuples(st.sampled_from(["#a", "#b", "al"]), st.integers(1, 60)), max_size=150),
    st.integers(40, 200),
)
def test_joining_loses_nothing_and_keeps_the_order(said: list[tuple[str, int]], room: int) -> None:
    """IRC-22: whatever waits is sent once, in order for its place, and no line is longer than may be."""
    outbox, sent = Outbox(1, 0), dict[str, list[int]]()
    for number, (target, length) in enumerate(said):
        replies = (Reply("n", target, "", seq=number),)
        outbox.put(target, Entry("ü" * (length // 2), target, "PRIVMSG", 0, replies, room=room))
    while line := outbox.next(0):
        sent.setdefault(line.target, []).extend(numbers((line,)))
        assert len(line.text.encode()) <= max(room, 60)
    assert sent == {
        target: [n for n, (other, _) in enumerate(said) if other == target] for target in {target for target, _ in said}
    }
    assert len(outbox) == 0


def test_only_replies_of_a_kind_are_joined() -> None:
    """IRC-22: a NOTICE is not joined with a PRIVMSG, nor with a line that is no reply."""
    one = entry(1)
    assert one.joined(entry(2)) is not None
    assert one.joined(one._replace(command="NOTICE")) is None
    assert one.joined(Entry("too many commands", "#x", "PRIVMSG")) is None
    assert Entry("JOIN #x").joined(Entry("JOIN #y")) is None


def receive(receipts: Receipts, text: str, *, mine: bool = False) -> DeliveryReport:
    return receipts.receive(parse(text) or Line(""), str.lower, mine=mine)


def sent(*entries: Entry, echo: bool) -> Receipts:
    receipts = Receipts()
    for one in entries:
        receipts.sent(one, 0.0, echo=echo)
    return receipts


def test_an_echo_tells_that_a_line_is_out() -> None:
    """IRC-23: with echo-message what came back is out, and what did not counts as not sent."""
    receipts = sent(entry(1), entry(2), entry(3, target="#Y"), echo=True)
    assert receipts.ask(0.0, more=False) is None
    assert receive(receipts, f":al!u@h {HEAD}{entry(1).text}") == DeliveryReport()
    assert numbers(receive(receipts, f":me!u@h {HEAD}{entry(2).text}", mine=True).delivered) == [2]
    assert numbers(receive(receipts, ":me!u@h PRIVMSG #y :colours taken off", mine=True).delivered) == [3]
    assert receive(receipts, ":me!u@h PRIVMSG #z :from elsewhere", mine=True) == DeliveryReport()
    end = receipts.finish(orderly=True)
    assert (numbers(end.delivered), numbers(end.refused)) == ([], [1])


def test_a_pong_vouches_for_what_was_before_its_ping() -> None:
    """IRC-23, LED-06: without echo-message the server is asked how far it is; the rest counts as not sent."""
    receipts = sent(entry(1), entry(2), Entry("JOIN #y"), echo=False)
    token = receipts.ask(0.0, more=False)
    receipts.sent(entry(3), 0.0, echo=False)
    assert receipts.ask(0.0, more=False) is None, "one at a time"
    assert receive(receipts, "PONG s :ircdice") == DeliveryReport()
    assert numbers(receive(receipts, f":s PONG s :{token}").delivered) == [1, 2]
    assert numbers(receipts.finish(orderly=False).refused) == [3]
    assert len(receipts) == 0


def test_an_orderly_end_vouches_too() -> None:
    """IRC-25: the server's ERROR behind our QUIT stands behind all that was said before."""
    told = sent(entry(1), entry(2), echo=False).finish(orderly=True)
    assert (numbers(told.delivered), numbers(told.refused)) == ([1, 2], [])


def test_while_others_wait_the_server_is_asked_seldom() -> None:
    """IRC-22: a PING costs as much as a line: one to four of them while others wait."""
    receipts = sent(*map(entry, range(MANY - 1)), echo=False)
    assert receipts.ask(0.0, more=True) is None
    receipts.sent(entry(MANY), 0.0, echo=False)
    assert receipts.ask(0.0, more=True) == f"ircdice-{MANY}"


@pytest.mark.parametrize("echo", [True, False])
@pytest.mark.parametrize("numeric", ["404", "401", "477"])
def test_a_refusal_is_no_delivery(numeric: str, echo: bool) -> None:
    """IRC-23: what the server refuses to pass on is not out, and the next line to that target is another."""
    receipts = sent(entry(1), entry(2, target="#y"), entry(3), echo=echo)
    token = receipts.ask(0.0, more=False)
    assert numbers(receive(receipts, f":s {numeric} me #X :Cannot send to channel").refused) == [1]
    assert receive(receipts, f":s {numeric} me #z :Cannot send").refused == ()
    if token:
        assert numbers(receive(receipts, f":s PONG s :{token}").delivered) == [2, 3]


def test_waiting_has_an_end() -> None:
    """IRC-23: what never comes back is not sent; a server that answers no PING at all is believed."""
    lying, mute = sent(entry(1), echo=True), sent(entry(1), echo=False)
    assert mute.ask(0.0, more=False)
    assert (lying.overdue(29.0), mute.overdue(29.0)) == (DeliveryReport(), DeliveryReport())
    assert numbers(lying.overdue(30.0).refused) == numbers(mute.overdue(30.0).delivered) == [1]
    assert (len(lying), len(mute)) == (0, 0)


def to(target: str) -> Callable[[str], bool]:
    return lambda other: other == target


def test_what_is_fresh_is_said_as_it_was_and_what_is_old_is_named() -> None:
    """IRC-23: under 60 s old a reply is sent after the rejoin; else a line has the ids of the rolls."""
    backlog = Backlog()
    backlog.put(entry(number, at=float(number)) for number in (1, 2, 41))
    backlog.put([entry(3, at=3.0, recorded=False), entry(42, at=42.0), entry(9, target="al")])
    said = backlog.take(to("#x"), 100.0)
    assert [one.text for one in said] == [
        "These rolls were made earlier, and may not have been shown here: id 1-abcdef, 2-abcdef",
        "al: roll 41; id 41-abcdef",
        "al: roll 42; id 42-abcdef",
    ]
    assert (numbers(said), said[0].at, len(backlog)) == ([1, 2, 41, 42], 100.0, 1)
    assert backlog.take(to("#x"), 100.0) == ()


def test_a_line_of_ids_that_was_lost_is_made_anew() -> None:
    """IRC-23: the rolls that a lost line named are named again."""
    backlog = Backlog()
    backlog.put(map(entry, range(1, 31)))
    first = backlog.take(to("#x"), 60.0)
    assert [len(one.replies) for one in first] == [20, 10]
    backlog.put(first)
    assert numbers(backlog.take(to("#x"), 500.0)) == list(range(1, 31))


def test_lines_without_a_record_are_dropped_first() -> None:
    """IRC-23: a recorded reply is owed, a hint is not."""
    backlog = Backlog()
    kept = [entry(number, recorded=number != 7) for number in range(MOST_KEPT)]
    assert (backlog.put(kept), backlog.put([entry(MOST_KEPT)]), len(backlog)) == (0, 1, MOST_KEPT)
    assert numbers(backlog.take(to("#x"), 0.0)) == [number for number in range(MOST_KEPT + 1) if number != 7]


def test_what_is_kept_is_bounded() -> None:
    """IRC-23: no more than so much is kept; the oldest goes first."""
    backlog = Backlog()
    dropped = backlog.put(entry(number) for number in range(MOST_KEPT + 10))
    assert (dropped, len(backlog)) == (10, MOST_KEPT)
    assert numbers(backlog.take(to("#x"), 0.0)) == list(range(10, MOST_KEPT + 10))
