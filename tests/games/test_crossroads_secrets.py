"""Hidden Crossroads rolls: their doubles and triples once they are revealed (DSK-07)."""

import pytest
from playing import CHANNEL

from ircdice.replay import Replay

GAME = "crossroads"
SECRETS = [  # command, faces, what is revealed
    ("xr 3d6", (5, 5, 5), "Success, value 1; Fate's Blessing; total 15; 5 5 5, NOTHING; 3d6"),
    ("xr 3d6", (4, 4, 6), "Success, value 1; Change; total 14; 4 4 6, NOTHING; 3d6"),
    ("xr 3d6 simple", (4, 4, 4), "Success, value 1; Change, Fate Die; total 12; 4 4 4, NOTHING; 3d6 simple"),
    ("xr 3d6", (1, 1, 6), "Failure, value -1; Misstep, value 1 less; total 8; 1 1 6; 3d6"),
    (
        "xr 3d6 vs 3d6",
        (6, 5, 1, 4, 4, 4),
        "Partial Success or Compensating Failure, sam chooses, result 0 is 1 less 1; other Change of Fate; "
        "sam 12 from 6 5 1; other 12 from 4 4 4, NOTHING; 3d6 vs 3d6",
    ),
    (
        "xr group 3d6; 3d6",
        (4, 4, 6, 6, 6, 6),
        "Great Success, result 2 from 1 3; Change; Fate's Child; Fate Die; 4 4 6 | 6 6 6, NOTHING; group 3d6, 3d6",
    ),
]


@pytest.mark.parametrize(("text", "faces", "told"), SECRETS)
def test_a_secret_roll_promises_nothing(room, text, faces, told):
    """DSK-07, XR-13, XR-18: nothing follows a hidden roll, nor does it grant anything, and the reply says so."""
    room.say("sam", f"secret {text} in {CHANNEL}", *faces, star=True, where="private")
    revealed = room.line("sam", "reveal #1", star=True)
    verdict = told.replace("NOTHING", "made in secret, so it gives nothing")
    name = "sam vs other" if " vs " in text else "sam"
    assert revealed.startswith(f'sam: #1 is revealed; {name}: {verdict}; sealed "')
    assert room.line("sam", "xr fate") == "sam holds nothing."
    replay = Replay()
    assert [replay.fault(record) for record in room.table.records] == [None, None]  # LED-16
