"""The epochs that an export lists, held against its records and checkpoints (LED-13). Knows no line of it."""

from __future__ import annotations

from ircdice.errors import ExportError
from ircdice.ledger.notes import Checkpoint
from ircdice.ledger.proofs import EpochProof


class Promised:
    """What was committed to, and drawn from, before the list of epochs came; and that list as far as it was read."""

    def __init__(self) -> None:
        self._made: list[tuple[int, int, bytes]] = []  # records counted, epoch and commitment, in order
        self._signed = self._gave_up = False
        self._drawn: dict[int, int] = {}  # the first record of each epoch
        self.listed = 0

    def drew(self, epoch: int, seq: int) -> None:
        """A record's dice are of that epoch."""
        self._drawn.setdefault(epoch, seq)

    def told(self, checkpoint: Checkpoint) -> None:
        """The next checkpoint; what it gives up was never promised."""
        self._signed = True
        if checkpoint.lost is not None:
            self._made = [made for made in self._made if made[0] < checkpoint.lost]
        self._gave_up |= checkpoint.lost is not None or bool(checkpoint.void)
        self._made += [(checkpoint.size, *following) for following in checkpoint.following]

    def list(self, epoch: EpochProof) -> None:
        """The next epoch. ExportError, going on from the number of its line, where it is not the one that was meant."""
        if epoch.number != self.listed + 1:
            raise ExportError(f"is epoch {epoch.number}, and behind epoch {self.listed}.")
        self.listed = epoch.number
        if not epoch.kept:
            raise ExportError(f"has a seed of epoch {epoch.number} that is not what was committed to.")
        if self._signed:
            self._hold(epoch)

    def _hold(self, epoch: EpochProof) -> None:
        """Against what was promised, and drawn since."""
        size, promise = next(((size, said) for size, number, said in self._made if number == epoch.number), (None, b""))
        begun = self._drawn.get(epoch.number)
        if size is None and begun is None and not self._gave_up:
            raise ExportError(f"is epoch {epoch.number}, which no checkpoint knows of.")
        if begun is not None and (size is None or begun <= size):
            raise ExportError(f"is epoch {epoch.number}, which was not committed to before it began.")
        if size is not None and promise != epoch.commitment:
            raise ExportError(f"is epoch {epoch.number}, which is not what was committed to.")

    def end(self) -> None:
        """ExportError where one is not in the list, or was promised in two ways."""
        promises: dict[int, bytes] = {}
        for _, epoch, promise in self._made:
            if promises.setdefault(epoch, promise) != promise:
                raise ExportError(f"the export has two commitments of epoch {epoch}, which are not alike.")
        for epoch, seq in self._drawn.items():
            if epoch > self.listed:
                raise ExportError(f"the export is cut off: epoch {epoch}, which record {seq} drew from, is not in it.")
