"""Metrics: counters and gauges in the text form of Prometheus (IRC-26). Knows neither what is counted nor any page."""

from __future__ import annotations

from collections.abc import Callable

_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})
_IN_HELP = str.maketrans({"\\": r"\\", "\n": r"\n"})


class Metric:
    """One figure, or one for each set of labels, under one name."""

    def __init__(self, name: str, kind: str, told: str, labels: tuple[str, ...]) -> None:
        self.name, self.kind, self.told, self.labels = name, kind, told, labels
        self._values: dict[tuple[str, ...], Callable[[], float] | float] = {} if labels else {(): 0.0}

    def add(self, *labels: str, by: float = 1.0) -> None:
        """Count `by` more; a counter is never given less than 0."""
        known = self._values.get(labels)
        self._values[labels] = (known if type(known) is float else self.value(*labels)) + by

    def set(self, value: float, *labels: str) -> None:
        """Put a gauge to `value`."""
        self._values[self._key(labels)] = value

    def follow(self, read: Callable[[], float], *labels: str) -> None:
        """Ask `read` for the value whenever it is wanted: nothing is counted twice."""
        self._values[self._key(labels)] = read

    def forget(self, *labels: str) -> None:
        """Show these labels no more: what they stood for is gone."""
        self._values.pop(self._key(labels), None)

    def value(self, *labels: str) -> float:
        """The figure now; 0 where nothing was counted."""
        found = self._values.get(self._key(labels), 0.0)
        return found() if callable(found) else found

    def lines(self) -> list[str]:
        """What the text form says of it."""
        head = [f"# HELP {self.name} {self.told.translate(_IN_HELP)}", f"# TYPE {self.name} {self.kind}"]
        return head + [f"{self.name}{self._shown(key)} {_number(self.value(*key))}" for key in sorted(self._values)]

    def _key(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        if len(labels) != len(self.labels):
            raise ValueError(f"{self.name} has the labels {self.labels}, not {labels}")
        return labels

    def _shown(self, key: tuple[str, ...]) -> str:
        pairs = zip(self.labels, key, strict=True)
        shown = ",".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in pairs)
        return f"{{{shown}}}" if shown else ""


class Registry:
    """The figures of one process, by name."""

    def __init__(self) -> None:
        self._metrics: dict[str, Metric] = {}

    def counter(self, name: str, told: str, *labels: str) -> Metric:
        """A figure that only grows; the same name gives the same figure."""
        return self._metrics.setdefault(name, Metric(name, "counter", told, labels))

    def gauge(self, name: str, told: str, *labels: str) -> Metric:
        """A figure that goes up and down."""
        return self._metrics.setdefault(name, Metric(name, "gauge", told, labels))

    def text(self) -> str:
        """All figures, in the form that Prometheus reads."""
        return "".join(f"{line}\n" for metric in self._metrics.values() for line in metric.lines())


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
