"""Record `ircdice demo` as an animated drawing: `python docs/record_demo.py` writes docs/images/demo.svg."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from html import escape
from pathlib import Path

FILE = Path(__file__).parent / "images" / "demo.svg"
TYPED = (
    "roll 5d10 h2 dc3 # over the wall",
    "roll with it!",
    "!odds 5d10 h2 dc3",
    "roll 4d6k3 + 2",
    "!verify #last",
)
COLUMNS = 100
LETTER, ROW, MARGIN = 8.43, 24, 22  # of a monospaced face of 14 pixels
READING = 1.6  # seconds before the next line is typed
STYLE = """
svg { background: #17120e; font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
text { fill: #efe4d0; white-space: pre; animation: appear 0.25s backwards; }
.typed { fill: #edc877; }
.remark { fill: #a39377; }
@keyframes appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
"""


def recorded() -> list[str]:
    """What the demo shows for those lines, without its first words."""
    command = [sys.executable, "-m", "ircdice", "demo"]
    done = subprocess.run(command, input="\n".join(TYPED), capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    return lines[next(number for number, line in enumerate(lines) if line.startswith("<player>")) :]


def drawn(lines: list[str]) -> str:
    """The drawing: each line appears in its turn, and stays."""
    rows, seconds = [], 0.0
    for line in lines:
        typed = line.startswith("<player>")
        seconds += READING if typed else READING / 2
        kind = "typed" if typed else "remark" if line.startswith("*") else "told"
        rows += [(kind, seconds, part) for part in textwrap.wrap(line, COLUMNS, subsequent_indent="         ")]
    texts = [
        f'<text class="{kind}" x="{MARGIN}" y="{MARGIN + ROW * (nth + 0.7):.0f}" '
        f'style="animation-delay: {begin:.1f}s">{escape(part)}</text>'
        for nth, (kind, begin, part) in enumerate(rows)
    ]
    width, height = 2 * MARGIN + LETTER * COLUMNS, 2 * MARGIN + ROW * len(rows)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">'
    title = "<title>A player rolls in the demo, and the bot answers</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", *texts, "</svg>", ""])


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(drawn(recorded()), "utf-8")
