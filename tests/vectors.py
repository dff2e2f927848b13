"""The specification's worked values, and its records as ours."""

import json
from pathlib import Path

from ircdice.dice import Stamp
from ircdice.ledger import Draft

VECTORS = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text("utf-8"))
TAG_KEY = bytes.fromhex(VECTORS["tag_key"])
SEED = bytes.fromhex(VECTORS["seed"])
PLACE = (VECTORS["network"], VECTORS["channel"])


def draft_of(record):
    """What was said, of one of the vectors' records."""
    stamp = Stamp(record["epoch"], record["counter"], record["generation"])
    names = ("kind", "network", "channel", "nick", "who", "text", "line", "ref")
    said = {name: record[name] for name in names}
    return Draft(draws=tuple(map(tuple, record["draws"])), stamp=stamp, **said)
