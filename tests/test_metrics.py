"""Figures and how Prometheus reads them."""

from __future__ import annotations

import re

import pytest

from ircdice.metrics import Registry


def test_text_form() -> None:
    """IRC-26: counters and gauges, with labels and without, in the text form of Prometheus."""
    registry = Registry()
    sent = registry.counter("sent_total", "Lines\nsent.", "network")
    sent.add("libera")
    sent.add("libera", by=2)
    sent.add('a"b\\c\nd')
    registry.gauge("memory", "What it takes.").set(1.5)
    registry.gauge("waiting", "Asked when wanted.", "network").follow(lambda: 7.0, "oftc")
    assert registry.text() == (
        "# HELP sent_total Lines\\nsent.\n"
        "# TYPE sent_total counter\n"
        'sent_total{network="a\\"b\\\\c\\nd"} 1\n'
        'sent_total{network="libera"} 3\n'
        "# HELP memory What it takes.\n"
        "# TYPE memory gauge\n"
        "memory 1.5\n"
        "# HELP waiting Asked when wanted.\n"
        "# TYPE waiting gauge\n"
        'waiting{network="oftc"} 7\n'
    )


def test_figures_are_kept_by_name() -> None:
    """IRC-26: who asks for the same name gets the same figure; what is forgotten is shown no more."""
    registry = Registry()
    registry.counter("a_total", "A.").add()
    registry.counter("a_total", "A.").add()
    assert (registry.counter("a_total", "A.").value(), registry.counter("b_total", "B.").value()) == (2, 0)
    gauge = registry.gauge("c", "C.", "network")
    gauge.set(1, "x")
    gauge.forget("x")
    assert not re.search("^c[ {]", registry.text(), re.MULTILINE)
    with pytest.raises(ValueError, match="has the labels"):
        gauge.set(1)
