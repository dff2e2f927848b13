"""The connection that writes: one transaction after the other, under the ledger's lock. Knows no request."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import TypeVar

from ircdice.ledger.store.driver import Driver
from ircdice.ledger.store.engine import Engines, in_a_line, is_held
from ircdice.ledger.store.marks import Marks
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.site import GoneError, Site

log = logging.getLogger(__name__)
T = TypeVar("T")


class CommitUnknownError(Exception):
    """The outcome of a commit was not heard."""


class Pen:
    """Opened when it is wanted, and again after each error: who knows in what state that has left it. Only where
    somebody else held SQLite's lock nothing was begun.

    For any thread, one at a time.
    """

    def __init__(self, engines: Engines, marks: Marks) -> None:
        self._engines, self._marks, self._site = engines, marks, Site(engines.file)
        self._page: Page | None = None
        self._hasty = False

    def transact(self, work: Callable[[Page], T], *, early: bool = False, hasty: bool = False) -> T:
        """`work`, committed, with the marks that are due, or all of them, `early`. CommitUnknownError: not heard.

        `hasty` waits for nobody else's lock, and leaves SQLite's log where it is. What goes into a file that has lost
        its name is not committed, or not heard (LED-03).
        """
        marks, begun = self._marks.take(early=early), False
        try:
            page = self._opened(hasty=hasty)
            page.driver.say(self._engines.lock)
            self._site.begun()
            begun = True
            try:
                done = work(page)
                if marks:
                    page.mark(marks)
                self._site.expect()
            except BaseException:
                page.driver.undo()
                raise
            self._commit(page)
        except BaseException as error:
            if begun or not is_held(error):
                self.put_down()
            self._marks.give_back(marks)
            raise
        return done

    def look(self, question: Callable[[Page], T]) -> T:
        """What a page under the lock can tell, where nothing is written."""
        page = self._opened(hasty=False)
        with page.connection.begin():
            return question(page)

    def gone(self) -> GoneError | None:
        """What is wrong where SQLite's file is not in its place; for any thread, whoever writes meanwhile."""
        try:
            self._site.expect()
        except GoneError as error:
            return error
        return None

    def make_room(self) -> None:
        """Have SQLite's log as long as it will be. Where that fails it grows with its use, as it would have."""
        try:
            self._engines.make_room(self._opened(hasty=False).driver)
        except Exception as error:
            log.info("the ledger's log is not lengthened beforehand: %s", in_a_line(error))
            self.put_down()

    def put_down(self) -> None:
        """Let go of the connection."""
        page, self._page = self._page, None
        if page is not None:
            self._site.left()
            with contextlib.suppress(Exception):
                page.connection.invalidate()
            with contextlib.suppress(Exception):
                page.connection.close()

    def _opened(self, *, hasty: bool) -> Page:
        if self._page is None:
            self._site.expect_all()  # or SQLite would make a new one
            connection = self._engines.write.connect()
            self._page, self._hasty = Page(connection, Driver(connection)), False
        if hasty is not self._hasty:
            for statement in self._engines.hasty if hasty else self._engines.patient:
                self._page.driver.say(statement)
            self._hasty = hasty
        return self._page

    def _commit(self, page: Page) -> None:
        """The driver's own commit, which takes a third of the time; SQLAlchemy then need only be told."""
        try:
            page.driver.commit()
            self._site.expect_all()
            if page.connection.in_transaction():
                page.connection.rollback()
        except Exception as error:
            raise CommitUnknownError from error
