"""Lines that a table has posted, what is answered about them, and what a hand may do to their records."""

from dataclasses import replace

DAY = "14 Nov 2023, 22:13 UTC"  # where the tables' clock starts
ROLLED = "alice: Failure, 2 successes vs 3, margin -1; 9 4 3, hunger 8 2; 5d10 h2 dc3"


def said(table, nick, text, faces=(), **more):
    """What is answered to a line, everything in one string."""
    return "\n".join(reply.text for reply in table.say(nick, text, faces, **more).replies)


def roll(table, nick="alice", text="roll 5d10 h2 dc3", faces=(9, 4, 3, 8, 2), **more):
    """The line that is posted for a roll."""
    return table.say(nick, text, faces, **more).replies[0].text


def alter(table, seq, **fields):
    """What a database editor does to a record."""
    records = table.ledger.records
    records[seq - 1] = replace(records[seq - 1], draft=replace(records[seq - 1].draft, **fields))
