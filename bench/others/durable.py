"""What another bot says, kept in SQLite before it is said, as LED-03 has it: one table, no index, no proof."""

import os
import sqlite3
from itertools import count

FILE = "BENCH_DURABLE"  # in the environment: the database; nothing is kept where none is named


class Durable:
    """Numbers what is said."""

    def __init__(self):
        path = os.environ.get(FILE)
        self._numbers = count(1)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False) if path else None
        if self._database:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.execute("CREATE TABLE said (number INTEGER PRIMARY KEY, nick TEXT, text TEXT, line TEXT)")

    def keep(self, nick, text, line):
        """Its number, once it is on the disk."""
        number = next(self._numbers)
        if self._database:
            self._database.execute("INSERT INTO said VALUES (?, ?, ?, ?)", (number, nick, text, line))
        return number
