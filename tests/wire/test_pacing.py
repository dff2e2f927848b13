"""How much, how often and how long, by tables: the time is made up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircdice.bot.message import Reply
from ircdice.config import Join, Limits, NetworkConfig
from ircdice.wire.channels import Rejoins, join_lines
from ircdice.wire.connection import Keepalive, Timeouts
from ircdice.wire.login import nicks_to_try
from ircdice.wire.network import Backoff
from ircdice.wire.outgoing import MOST, MOST_IN_LANE, MOST_URGENT, Entry, Outbox
from ircdice.wire.protocol import PRIVATE, Caller, Close, Effect, Send, Support, Wake
from ircdice.wire.rate_limit import MOST_WARNED, Admission, Bucket, CommandLimits


def test_bucket() -> None:
    """IRC-22: a burst, then one for each interval, and never more than the burst."""
    bucket = Bucket(3, 2.0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert (bucket.wait(0), bucket.wait(0.5), bucket.take(1.9), bucket.take(2.0)) == (2.0, 1.5, False, True)
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]
    assert all(Bucket(1, 0).take(0) for _ in range(5))


@pytest.mark.parametrize(
    ("burst", "interval", "more", "wait"),
    [(3, 2.0, 0, 1.0), (3, 4.0, 0, 2.0), (5, 2.0, 0, 1.0), (1, 2.0, 0, 1.0), (3, 0.0, 9, 0.0)],
)
def test_irc_25_a_change_keeps_the_level(burst: int, interval: float, more: int, wait: float) -> None:
    """IRC-22, IRC-25: whatever the new burst and interval, what was sent just before still counts."""
    bucket = Bucket(3, 2.0)
    assert all(bucket.take(0) for _ in range(3))
    bucket.change(burst, interval, 1.0)
    assert sum(bucket.take(1.0) for _ in range(9)) == more
    assert bucket.wait(1.0) == pytest.approx(wait)


def test_irc_25_a_change_lowers_a_level_above_the_burst() -> None:
    """IRC-22, IRC-25: a full bucket of a smaller burst is full, not more."""
    bucket = Bucket(5, 1.0)
    bucket.change(2, 1.0, 0.0)
    assert [bucket.take(0) for _ in range(3)] == [True, True, False]


def test_irc_28_replies_wait_for_few_urgent_lines() -> None:
    """IRC-28: a server that floods the bot with PINGs does not silence it."""
    bucket = Bucket(4, 1.0)
    for _ in range(1000):
        bucket.force(0)
    assert bucket.wait(0) == 11.0


@given(st.integers(1, 9), st.floats(0.01, 5), st.lists(st.floats(0, 3), max_size=60))
def test_bucket_never_lets_more_through(burst: int, interval: float, steps: list[float]) -> None:
    """IRC-22: over any time, at most the burst and one for each interval that went by."""
    bucket, now, taken = Bucket(burst, interval), 0.0, 0
    for step in steps:
        now += step
        taken += bucket.take(now)
        assert taken <= burst + now / interval + 1e-6


def for_users(burst: int, interval: float) -> CommandLimits:
    """Limits on users alone."""
    return CommandLimits(Limits(burst, interval, channel_burst=1, channel_interval=0))


def for_a_channel(burst: int, interval: float) -> CommandLimits:
    """Limits on a channel alone."""
    return CommandLimits(Limits(1, 0, channel_burst=burst, channel_interval=interval))


def by(name: str) -> Caller:
    """A user of a host of that name, in #c."""
    return Caller(name, name, "#c")


def test_limits_of_a_user() -> None:
    """IRC-15: past the burst one word, then silence until it has drained; what was not answered is given back."""
    limits = for_users(2, 2.0)
    hear_it, warn, drop = Admission.HEARD, Admission.TOO_FAST, Admission.DROPPED
    assert [limits.reserve(by("a"), 0) for _ in range(4)] == [hear_it, hear_it, warn, drop]
    assert limits.reserve(by("b"), 0) is hear_it
    assert [limits.reserve(by("a"), 2) for _ in range(2)] == [hear_it, drop]
    assert [limits.reserve(by("a"), 10) for _ in range(3)] == [hear_it, hear_it, warn]
    for _ in range(9):
        assert limits.reserve(by("b"), 20) is hear_it
        limits.refund(by("b"))


def test_irc_28_a_refusal_takes_nothing() -> None:
    """IRC-15, IRC-28: a refused command takes nothing from the limits of its host and channel."""
    limits = CommandLimits(Limits(1, 1e9, channel_burst=6, channel_interval=1e9))
    verdicts = [limits.reserve(Caller(who, "host", "#c"), 0) for who in "aaabcde"]
    assert verdicts == [Admission.HEARD, Admission.TOO_FAST, Admission.DROPPED, *[Admission.HEARD] * 4]
    assert limits.reserve(Caller("f", "host", "#c"), 0) is Admission.TOO_FAST
    assert [limits.reserve(Caller(who, who, "#c"), 0) for who in "fg"] == [Admission.HEARD, Admission.TOO_FAST]


def test_irc_15_one_line_may_count_as_several() -> None:
    """GEN-17, IRC-15: a repeated command takes as many tokens; more than there ever are only where none is missing."""
    limits = for_users(8, 2.0)
    hear_it, warn, drop = Admission.HEARD, Admission.TOO_FAST, Admission.DROPPED
    assert [limits.reserve(by("a"), 0, 3) for _ in range(3)] == [hear_it, hear_it, warn]
    assert [limits.reserve(by("a"), at, 10) for at in (10, 12)] == [drop, hear_it]
    assert [limits.reserve(by("a"), at) for at in (17, 18)] == [warn, hear_it]
    limits.refund(by("a"), 3)
    assert [limits.reserve(by("a"), 18, count) for count in (4, 3)] == [drop, hear_it]


def test_gen_17_lines_of_one_command_share() -> None:
    """GEN-17: as many as fit, and never with a line that is not of it."""
    outbox = paced(9, 1.0)
    for text, joins in (("one", True), ("two", True), ("three", False), ("four", False)):
        replies = (Reply("n", "#a", text, seq=1, joins=joins),)
        outbox.put(Entry(text, "#a", "PRIVMSG", 0, replies, "x", 9))
    head = "@+draft/reply=x PRIVMSG #a :"
    assert drawn(outbox, 0, 4) == [f"{head}one | two", f"{head}three", f"{head}four", None]


def test_each_who_finds_a_channel_empty_is_warned() -> None:
    """IRC-15: one word for each speaker in a channel that has had its share, until it has drained."""
    limits = for_a_channel(1, 2.0)
    hear_it, warn, drop = Admission.HEARD, Admission.TOO_FAST, Admission.DROPPED
    assert [limits.reserve(by(who), 0) for who in "abcab"] == [hear_it, warn, warn, warn, drop]
    assert [limits.reserve(by(who), 2) for who in "ba"] == [hear_it, warn]


def test_warnings_are_bounded() -> None:
    """IRC-15: whoever comes under ever new names makes the bot neither talk nor remember without end."""
    limits = for_a_channel(1, 1e9)
    verdicts = [limits.reserve(by(str(number)), 0) for number in range(MOST_WARNED + 50)]
    assert (verdicts.count(Admission.TOO_FAST), verdicts.count(Admission.DROPPED)) == (MOST_WARNED, 49)


def test_limits_forget() -> None:
    """IRC-15: speakers who have long been silent take no memory."""
    limits = for_users(2, 2.0)
    for number in range(5000):
        limits.reserve(by(str(number)), number * 10)
    assert len(limits) <= 260


def paced(burst: int, interval: float) -> Outbox:
    """An outbox with that bucket."""
    outbox = Outbox(lambda _effect: None, Support())
    outbox.bucket, outbox.most = Bucket(burst, interval), MOST
    return outbox


def drawn(outbox: Outbox, now: float, count: int) -> list[str | None]:
    """What may be sent now, line by line."""
    return [entry.line if (entry := outbox.next(now)) else None for _ in range(count)]


def test_outbox() -> None:
    """IRC-22: places by turns, each in order, what is urgent ahead of all and paid for later."""
    outbox = paced(4, 1.0)
    for text in ("1", "2", "3"):
        outbox.put(Entry(text, "#a", "PRIVMSG"))
    outbox.put(Entry("1", "#b", "PRIVMSG"))
    outbox.urgent("PONG")
    assert drawn(outbox, 0, 5) == ["PONG", "PRIVMSG #a :1", "PRIVMSG #b :1", "PRIVMSG #a :2", None]
    assert (outbox.bucket.wait(0), drawn(outbox, 1, 1), len(outbox)) == (1.0, ["PRIVMSG #a :3"], 0)
    for _ in range(5):
        outbox.urgent("QUIT")
    outbox.put(Entry("late"))
    assert drawn(outbox, 1, 6) == ["QUIT"] * 5 + [None]
    assert outbox.bucket.wait(1) == 6.0


def test_what_is_held_waits_no_more() -> None:
    """IRC-23: a lane, or all of them, may be held for later, each in its order."""
    outbox = paced(0, 1.0)
    for lane, text in (("#a", "a1"), ("b", "b1"), ("#a", "a2"), ("#c", "c1")):
        outbox.put(Entry(text, lane, room=9))
    outbox.hold("#a")
    assert (len(outbox), outbox.undelivered) == (2, 4)
    assert [entry.text for entry in outbox.resume("#a", 0.0)] == ["a1", "a2"]
    outbox.finish(orderly=False)
    assert [[entry.text for entry in outbox.resume(lane, 0.0)] for lane in ("#a", PRIVATE, "#c")] == [
        [],
        ["b1"],
        ["c1"],
    ]
    assert outbox.undelivered == 0


def test_outbox_has_room_for_so_much() -> None:
    """IRC-22: one place, and all together, ask for no more answers than may soon be sent; none while not connected."""
    outbox = paced(0, 1.0)
    for number in range(MOST_IN_LANE):
        assert outbox.room("#a"), number
        outbox.put(Entry("x", "#a"))
    assert (outbox.room("#a"), outbox.room("#b"), outbox.room("#b", MOST - MOST_IN_LANE)) == (False, True, False)
    for number in range(MOST - MOST_IN_LANE):
        outbox.put(Entry("x", f"#{number}"))
    assert not outbox.room("#b")
    outbox.put(Entry("JOIN #x"), MOST)
    assert len(outbox) == MOST
    outbox.finish(orderly=False)
    assert (len(outbox), outbox.room("#b")) == (0, False)


def test_irc_28_a_flood_of_pings_is_forgotten() -> None:
    """IRC-28: where PONGs cannot be sent only the latest wait."""
    outbox = paced(0, 1.0)
    for number in range(10 * MOST_URGENT):
        outbox.urgent(f"PONG :{number}")
    assert len(outbox) == MOST_URGENT
    assert drawn(outbox, 0, 1) == [f"PONG :{9 * MOST_URGENT}"]


@pytest.mark.parametrize(
    ("stood", "reason", "error", "pauses"),
    [
        (0, "", False, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]),
        (299, "", False, [1, 2, 4]),
        (300, "", False, [1, 1, 1]),
        (0, "Closing Link: (K-lined)", True, [60, 240, 300]),
        (0, "Your host is trying to (re)connect too fast -- throttled", True, [60, 240]),
        (0, "TLS handshake failed: too many connections", False, [60, 120, 240]),
        (0, "Server going down", True, [2, 8, 32, 128, 300]),
        (300, "Server going down", True, [2, 2]),
    ],
)
def test_backoff(stood: float, reason: str, error: bool, pauses: list[float]) -> None:
    """IRC-06: doubling to five minutes, anew once one has stood as long; ERROR and throttling lengthen it."""
    backoff = Backoff()
    assert [
        backoff.pause(NetworkConfig("n", "h"), stood, 1.0, reason, error=error, final=False) for _ in pauses
    ] == pauses


def test_nothing_is_longer_than_the_longest_delay() -> None:
    """IRC-06: what the config says, throttling or not."""
    made = NetworkConfig("n", "h", reconnect_longest=2.0)
    backoff = Backoff()
    pauses = [backoff.pause(made, 0, 1.0, reason, error=True, final=False) for reason in ("K-lined", "throttled")]
    assert [*pauses, backoff.pause(made, 0, 1.0, "", error=True, final=True)] == [2.0, 2.0, 2.0]


def test_jitter_is_full() -> None:
    """IRC-06: the pause lies anywhere between nothing and its ceiling."""
    made = NetworkConfig("n", "h", reconnect_first=8.0)
    assert [Backoff().pause(made, 0, chance, "", error=False, final=False) for chance in (0.0, 0.25, 0.5)] == [
        0.0,
        2.0,
        4.0,
    ]


def test_what_is_refused_for_good_waits_longest() -> None:
    """IRC-04, IRC-06: a password that is wrong will be wrong the next time."""
    made = NetworkConfig("n", "h")
    assert Backoff().pause(made, 0, 0.1, "SASL failed", error=False, final=True) == 300


def hurry() -> Iterator[Effect]:
    return iter(())


PING, GIVE_UP, END_CAP = Send("PING :ircdice", urgent=True), Close("no answer from the server"), Wake(0.0, hurry)


def test_keepalive() -> None:
    """IRC-06: after 60 s of silence a PING, 60 s later the end; any line is a sign of life."""
    alive = Keepalive(Timeouts(), 0, hurry)
    assert [alive.step(at, welcomed=True) for at in (59, 60, 61, 119)] == [None, PING, None, None]
    alive.heard = 119
    steps = [alive.step(at, welcomed=True) for at in (178, 179, 238, 239)]
    assert steps == [None, PING, None, GIVE_UP]


def test_registration_is_bounded() -> None:
    """IRC-03: no longer than 30 s on a server that says nothing."""
    silent = Keepalive(Timeouts(), 0, hurry)
    steps = [silent.step(at, welcomed=False) for at in (19, 20, 21, 30)]
    assert steps == [None, END_CAP, None, GIVE_UP]
    talking = Keepalive(Timeouts(), 0, hurry)
    found = {}
    for at in range(0, 125, 5):
        talking.heard = at
        if step := talking.step(at, welcomed=False):
            found[at] = step
    assert found == {20: END_CAP, 120: GIVE_UP}


def test_rejoins() -> None:
    """IRC-08: a growing pause, at most five in an hour, by channel."""
    rejoins = Rejoins()
    assert [rejoins.pause("#a", at) for at in range(6)] == [1, 4, 16, 64, 256, None]
    assert (rejoins.pause("#b", 6), rejoins.pause("#a", 3601)) == (1, 64)


def test_refused_joins() -> None:
    """IRC-08: a minute, doubling to an hour; nothing more while a try is due, and anew once the bot was in."""
    rejoins, now, pauses = Rejoins(), 0.0, []
    for _ in range(8):
        pause = rejoins.refused("#a", now)
        assert pause is not None
        assert rejoins.refused("#a", now + 1) is None
        pauses.append(pause)
        now += pause
    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    rejoins.joined("#a")
    assert rejoins.refused("#a", now) == 60


def test_join_lines() -> None:
    """IRC-08: keys stand for the channels before them, and no line is too long."""
    assert list(join_lines([Join("#a"), Join("#b", "k"), Join("#c", "l")])) == ["JOIN #b,#c,#a k,l"]
    assert list(join_lines([])) == []
    many = list(join_lines(Join(f"#{'x' * 40}{number}") for number in range(25)))
    assert all(len(line) <= 510 for line in many)
    assert sum(line.count("#") for line in many) == 25
    assert [line.count("#") for line in many] == [11, 11, 3]
    assert [line.count("#") for line in join_lines([Join(f"#{number}") for number in range(5)], 2)] == [2, 2, 1]


def test_nicks() -> None:
    """IRC-07: alternates, underscores, then another end, and not for ever."""
    tried = list(nicks_to_try("FUDiceBot", ("Other",)))
    assert tried[:5] == ["Other", "FUDiceBot_", "FUDiceBot__", "FUDiceBot___", "FUDiceB01"]
    assert len(tried) == len(set(tried)) < 40
