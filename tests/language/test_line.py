"""One typed line made plain, and the way back to the columns as typed (GEN-02, GEN-03)."""

from __future__ import annotations

import pytest

import grammars
from grammars.line import Line, cut, posted_comment

SAME = "roll 5d10 h2 dc3"


@pytest.mark.parametrize(
    "typed",
    [
        "ROLL 5D10 H2 DC3",
        "  roll\t5d10   h2 \u00a0 dc3  ",
        "roll\u30005d10\u2003h2\u2009dc3",
        "\x02roll\x02 \x1d5d10\x1d \x1fh2\x1f dc3\x0f",
        "\x0304roll\x03 \x0312,055d10\x0f h2 dc3",
        "\x03roll 5d10 \x1e\x16\x11h2 dc3",
        "\x04ff0000roll\x04 5d10 h2 dc3",
        "ro\u200bll 5d\u206010 h2\u200e dc3\ufeff",
        "roll 5d10 h2 dc3.",
        "roll 5d10 h2 dc3 ?!",
        "roll 5d10 h2 dc3\r",
        "roll 5d10 h2 dc3 \r\n",
    ],
)
def test_one_command_in_many_dresses(typed: str) -> None:
    """GEN-02: case, spaces, mIRC formatting, and a stop at the end make no difference."""
    assert str(grammars.parse(typed)) == SAME


@pytest.mark.parametrize("dash", "-−–—‐‑")
def test_dashes_are_minus(dash: str) -> None:
    """GEN-02: three dashes are `-`, and so are the hyphens that programs put for it."""
    assert str(grammars.parse(f"v5 3+4{dash}1 h2")) == "v5 3+4-1 h2"


@pytest.mark.parametrize("typed", ["“it”", "„it“", "«it»", '"it"', "‘it’", "'it'", "‚it‘", "‹it›"])
def test_quotes_are_plain(typed: str) -> None:
    """GEN-02, GEN-03: typographic quotes are plain ones, and posted as `'`."""
    assert posted_comment(grammars.read(f"roll 5d10 # {typed}").comment or "") == "it"
    assert posted_comment(grammars.read(f"roll 5d10 # say {typed}").comment or "") == "say 'it'"


@pytest.mark.parametrize(
    "typed", ["roll ٣d10", "roll \uff15d10", "roll 5d10 h٢", "roll ५d10", "roll 5d1٠", "roll ²d10", "v5 ٣"]
)
def test_digits_are_ascii(typed: str) -> None:
    """GEN-02: no other alphabet's digits are read; such a line rolls nothing, called or not."""
    for called in (False, True):
        with pytest.raises(grammars.Refused):
            grammars.parse(typed, called=called)


@pytest.mark.parametrize(
    ("typed", "stands_at"),
    [
        ("roll 5d10 h7", 11),
        ("  roll 5d10 h7", 13),
        ("roll   5d10   h7", 15),
        ("\x02roll\x02 5d10 h7", 13),
        ("\x0304,12roll\x03 5d10 \x02h7", 19),
        ("r\u200boll 5d10 h7", 12),
        ("roll\t\t5d10 h7", 12),
        ("roll 5d10 “h7", 11),
    ],
)
def test_columns_as_typed(typed: str, stands_at: int) -> None:
    """GEN-02: an error's column counts in the text as typed, with formatting, spaces and invisible characters."""
    with pytest.raises(grammars.CommandSyntaxError) as caught:
        grammars.parse(typed)
    assert caught.value.column == stands_at
    assert caught.value.text == typed


@pytest.mark.parametrize(
    "typed", ["", " ", "\x02", "\x03", "\u200b", "\x0304,05", "\x03,5", "a\x00b", "\ud800", "𝟓d10", "é\x02è"]
)
def test_every_column_is_inside_the_line(typed: str) -> None:
    """GEN-02: whatever was dropped, the columns rise and stay in the text as typed."""
    line = Line.of(typed)
    columns = [line.column(i) for i in range(len(line.plain) + 1)]
    assert columns == sorted(set(columns))
    assert columns[-1] == len(typed) + 1


@pytest.mark.parametrize("limit", range(8))
def test_cut_between_characters(limit: int) -> None:
    """GEN-03: bytes are counted, and a character is whole or not there."""
    assert cut("aé€😀", limit) == {0: "", 1: "a", 2: "a", 3: "aé", 4: "aé", 5: "aé", 6: "aé€", 7: "aé€"}[limit]
