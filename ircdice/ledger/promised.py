"""What checkpoints committed epochs to, and the epochs that are listed held against it (LED-13). Reads no file."""

from __future__ import annotations

from collections.abc import Iterable

from ircdice.errors import ExportError
from ircdice.ledger.notes import Checkpoint
from ircdice.ledger.proofs import EpochProof


class Promises:
    """What was said of each epoch before it began, by checkpoints told in the order of what they count."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[int, bytes]] = {}  # of each epoch the records counted, and its commitment
        self.signed = self._gave_up = False
        self.twice: list[tuple[int, int]] = []  # records counted, and an epoch that was not committed to as before

    @classmethod
    def of(cls, checkpoints: Iterable[Checkpoint]) -> Promises:
        """What those say."""
        made = cls()
        for checkpoint in checkpoints:
            made.told(checkpoint)
        return made

    def told(self, checkpoint: Checkpoint) -> None:
        """The next checkpoint; what it gives up was never promised."""
        self.signed = True
        if (lost := checkpoint.lost) is not None:
            self._first = {epoch: made for epoch, made in self._first.items() if made[0] < lost}
            self.twice = [made for made in self.twice if made[0] < lost]
        self._gave_up |= lost is not None or bool(checkpoint.void)
        for epoch, promise in checkpoint.following:
            if self._first.setdefault(epoch, (checkpoint.size, promise))[1] != promise:
                self.twice.append((checkpoint.size, epoch))

    def kept(self, epoch: EpochProof) -> bool:
        """Whether its commitment is what was signed first, if anything was, and its seed is what it commits to."""
        first = self._first.get(epoch.number)
        return epoch.kept and (first is None or first[1] == epoch.commitment)

    def fault(self, epoch: EpochProof, begun: int | None) -> str | None:
        """What speaks against its commitment, where record `begun` is the first that drew from it, if any did."""
        size, promise = self._first.get(epoch.number, (None, b""))
        if begun is not None and (size is None or begun <= size):
            return "was not committed to before it began"
        if size is not None and promise != epoch.commitment:
            return "is not what was committed to"
        if size is None and self.signed and not self._gave_up:  # or some checkpoints count no more
            return "is in the list of epochs, and no checkpoint knows of it"
        return None


class Listed:
    """The epochs that an export lists, as far as it was read, and what came before them."""

    def __init__(self) -> None:
        self.promises = Promises()
        self._drawn: dict[int, int] = {}  # the first record of each epoch
        self.last = 0

    def drew(self, epoch: int, seq: int) -> None:
        """A record's dice are of that epoch."""
        self._drawn.setdefault(epoch, seq)

    def list(self, epoch: EpochProof) -> None:
        """The next epoch. ExportError, going on from the number of its line, where it is not the one that was meant."""
        if epoch.number != self.last + 1:
            raise ExportError(f"is epoch {epoch.number}, and behind epoch {self.last}.")
        self.last = epoch.number
        if not epoch.kept:
            raise ExportError(f"has a seed of epoch {epoch.number} that is not what was committed to.")
        if self.promises.signed and (why := self.promises.fault(epoch, self._drawn.get(epoch.number))):
            raise ExportError(f"is epoch {epoch.number}, which {why}.")

    def end(self) -> None:
        """ExportError where one is not in the list, or was promised in two ways."""
        for _, epoch in self.promises.twice:
            raise ExportError(f"the export has two commitments of epoch {epoch}, which are not alike.")
        for epoch, seq in self._drawn.items():
            if epoch > self.last:
                raise ExportError(f"the export is cut off: epoch {epoch}, which record {seq} drew from, is not in it.")
