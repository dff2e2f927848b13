"""A whole ledger out of the database and into one (LED-07, LED-16), on SQLite and PostgreSQL."""

import json
from dataclasses import replace

import pytest
from damages import burn, two_at_once
from evening import KEY, TAG_KEY, played

from ircdice.cli.checking import judge
from ircdice.errors import ExportError
from ircdice.ledger import sharing
from ircdice.ledger.check import Check, History
from ircdice.ledger.examining import Means
from ircdice.ledger.keys import TagKeys
from ircdice.ledger.merkle import Tree
from ircdice.ledger.notes import SigningKey, base64, loss
from ircdice.ledger.proofs import Streams
from ircdice.ledger.store import reading
from ircdice.ledger.store.engine import engines
from ircdice.ledger.store.page import Page
from ircdice.ledger.store.whole import StoredRecords, exported, imported, proofs

pytestmark = pytest.mark.slow


@pytest.fixture
def evening():
    return played()


@pytest.fixture
def asked(url):
    """What a page of the database tells."""
    ways = engines(url)

    def ask(question):
        with ways.read.connect() as connection:
            return question(Page(connection))

    yield ask
    ways.dispose()


def root(page):
    tree = Tree()
    tree.extend(page.leaves(0))
    return tree.root()


def test_led_07_an_import_arrives_at_the_same_roots(evening, url, asked):
    """LED-07: records, leaves, checkpoints, seeds and begins are those that were exported."""
    done = imported(url, evening.exported(private=True))
    assert (done.origin, done.key, done.records, done.withheld, done.checkpoints) == (KEY.name, KEY.verifying, 24, 2, 5)
    assert done.root == evening.root() == asked(root)
    kept = asked(lambda page: page.records(0, 100))
    assert [record.leaf for record in kept] == [record.leaf for record in evening.records]
    assert [replace(record.draft, house=None, system="", official=None) for record in kept if not record.redacted] == [
        replace(record.draft, house=None, system="", official=None)
        for record in evening.records
        if record.seq not in (21, 22)
    ]
    assert [(epoch.number, epoch.seed is None) for epoch in asked(Page.epochs)] == [(1, False), (2, True)]
    assert asked(lambda page: [one.note for one in page.checkpoints()]) == evening.notes


def test_led_07_an_import_is_exported_again_as_it_was(evening, url, asked):
    """LED-07: line by line, those withheld with the same reason."""
    lines = evening.exported()
    imported(url, lines)
    assert asked(lambda page: list(exported(page, KEY.verifying))) == lines


def test_led_07_the_next_process_goes_on_from_an_import(evening, url, asked):
    """LED-12: the last checkpoint has the tree to go on from, and nothing old is posted once more (LED-06)."""
    imported(url, evening.exported(private=True))
    last = asked(Page.last_checkpoint)
    assert (last.size, len(last.frontier)) == (24, 2)
    assert asked(lambda page: page.last()[0]) == 24
    assert asked(lambda page: reading.undelivered(page.connection, ["libera"], 10)) == []
    assert ("libera", "#fu") in asked(lambda page: reading.places(page.connection, 0))


def test_led_07_a_loss_that_was_said_aloud_is_no_damage(evening, url):
    """LED-12: a checkpoint that counts what was given up is taken over as well."""
    del evening.records[20:]
    evening.checkpoint(3, remarks=[loss(21, 24)])
    assert imported(url, evening.exported()).records == 20


def at(kind, number=None, /, **changed):
    """The export with a line of that kind, and number, changed."""

    def change(lines):
        items = [json.loads(line) for line in lines]
        (item,) = [one for one in items if one["type"] == kind and one.get("seq") == number][:1]
        item.update(changed)
        return [json.dumps(one) for one in items]

    return change


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda lines: [], "empty"),
        (lambda lines: lines[1:], "line 1 of the export is not how one begins"),
        (lambda lines: ["{", *lines], "line 1 of the export is not of its form: it is no JSON from its character 2 on"),
        (at("log", key=base64(bytes(32))), "not signed by"),
        (at("record", 4, line="alice: 10 10 10 10 10"), "line 6 of the export is record 4, which was altered"),
        (at("record", 10, opened="3"), "is record 10, which was altered"),
        (at("record", 4, seq=5), "line 6 of the export is record 5, and behind record 3"),
        (at("record", 4, leaf="zz"), 'line 6 of the export is not of its form: leaf, "zz", is no hexadecimal number'),
        (at("record", 4, kind="withheld"), 'line 6 of the export is not of its form: "withheld" is no kind of record'),
        (at("record", 21, withheld="because"), 'line 26 of the export .*: "because" is no reason to withhold'),
        (at("record", 21, leaf="00" * 32), "the first 24 records are not those"),
        (lambda lines: [line for line in lines if '"seq":12,' not in line], "is record 13, and behind record 11"),
        (lambda lines: [line for line in lines if '"seq":2' not in line], "is record 3, and behind record 1"),
        (lambda lines: lines[:-5] + lines[-3:], "cut off: a checkpoint counts 24"),
        (
            lambda lines: [*lines[:5], lines[5][:-1] + ',"line":"alice: 10 10"}', *lines[6:]],
            "line 6 of.*twice there: line",
        ),
        (at("epoch", seed="00" * 32), "line 31 of the export has a seed of epoch 1 that is not"),
        (
            lambda lines: [line for line in lines if not line.startswith('{"type":"epoch","epoch":1')],
            "is epoch 2, and behind epoch 0",
        ),
    ],
)
def test_led_07_a_damaged_export_is_refused_whole(evening, url, asked, damage, sentence):
    """LED-07: with what is wrong; nothing of it is kept, and the sound export can then be taken in."""
    with pytest.raises(ExportError, match=sentence):
        imported(url, damage(evening.exported()))
    assert asked(lambda page: (page.last()[0], page.last_checkpoint(), page.epochs())) == (0, None, [])
    assert imported(url, evening.exported()).records == 24


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (burn, "line 31 of the export is record 25: its counter is 5, the last of epoch 2 in #other was 1"),
        (two_at_once, "line 31 of the export is record 25: its counter is 1, the last of epoch 2 in #other was 1"),
    ],
)
def test_led_14_numbers_that_are_left_out_are_not_taken_in(evening, url, damage, sentence):
    """LED-14: behind the last checkpoint too, where no root speaks against them."""
    damage(evening)
    with pytest.raises(ExportError, match=sentence):
        imported(url, evening.exported())


def test_led_07_only_an_empty_ledger_is_filled(evening, url):
    """LED-07: nothing is put behind what is there, nor in its place."""
    imported(url, evening.exported())
    with pytest.raises(ExportError, match="has records"):
        imported(url, evening.exported())


def test_led_07_only_of_the_ledger_that_is_meant(evening, url):
    """LED-07: whoever knows the key takes no other ledger's export."""
    with pytest.raises(ExportError, match="another ledger"):
        imported(url, evening.exported(), key=SigningKey(KEY.name, bytes(32)).verifying)
    assert imported(url, evening.exported(), key=KEY.verifying).records == 24


def test_led_07_progress_and_interruption(evening, url, asked):
    """LED-07: how far it came is told; interrupted, the ledger is as empty as before."""
    for _ in range(1_500):
        evening.roll("alice", 1)
    evening.notes.pop()
    evening.checkpoint(3)
    told = []

    def interrupted(done):
        if done == 1000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imported(url, evening.exported(), interrupted)
    assert asked(lambda page: (page.last()[0], page.epochs())) == (0, [])
    assert imported(url, evening.exported(), told.append).records == 1524
    assert {0, 1000} <= set(told)


def test_led_16_a_stored_ledger_is_checked_on_several_cores(evening, url, asked, monkeypatch):
    """LED-16: processes of their own read the database; altered by hand, it is found."""
    monkeypatch.setattr(sharing, "ALONE", 0)
    imported(url, evening.exported(private=True))

    def check():
        epochs = asked(proofs)
        means = Means(Streams(epochs), "1.0.0", TagKeys(((1, TAG_KEY),)))
        history = History.of("table", asked(lambda page: [one.note for one in page.checkpoints()]), KEY.verifying)
        found = sharing.shared(sharing.Share(StoredRecords(url), means, judge), 24, 2)
        whole = Check([history], epochs)
        for stretch, _ in found:
            whole.take(stretch)
        return whole.report()

    assert check().findings == ()
    ways = engines(url)
    with ways.write.begin() as connection:
        connection.exec_driver_sql("UPDATE records SET line = 'alice: 10 10 10 10 10' WHERE seq = 4")
    ways.dispose()
    assert [str(finding) for finding in check().findings] == [
        "altered: record 4: its content is not what its leaf was made of"
    ]
