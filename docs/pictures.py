"""Photograph two pages of `ircdice demo`: `python docs/pictures.py` writes docs/images/roll.png and table.png."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import IO

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "images"
SAID = """\
/as alice !play Viktor
/as alice !track hunger 3
/as alice !track willpower 4/6
/as bob !play Old Tom
/as bob !track luck 4/6
/as bob !track wounds 1/5
/as carol !play Ysolde
/as carol !track hunger 1
/as sam* !scene Rooftops
/as sam* !npc Ghoul
/as sam* !track wounds 2/6 as Ghoul
/as sam* !track channel Doom 3/6
/as alice !init +3
/as bob !init +1
/as carol !init +2
/as sam* !init Ghoul 14
/as sam* !init next
/as sam* !init next
/as bob roll 4d6k3 + 2
/as alice roll 7d10 h3 dc4 # chase over the roofs
/as carol roll 6d10 h2 vs @bob
"""


def read_until(told: IO[str], wanted: str) -> str:
    """What the demo says up to there: the part of it that matches."""
    for line in told:
        if found := re.search(wanted, line):
            return found[0]
    raise EOFError(wanted)


def main() -> None:
    """Play, and photograph the roll over the roofs in the light and the table in the dark."""
    command = [sys.executable, "-m", "ircdice", "demo"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdin is not None
        assert demo.stdout is not None
        address = read_until(demo.stdout, r"http://[0-9.:]+")
        demo.stdin.write(SAID)
        demo.stdin.flush()
        roll = read_until(demo.stdout, r'(?<=over the roofs"; id )\S+')
        read_until(demo.stdout, "is rolled and covered")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for name, path, scheme, height, whole in (
                ("roll", f"/r/{roll}", "light", 890, ".chart"),
                ("table", "/c/demo/fu_dice/table", "dark", 780, ".board"),
            ):
                page = browser.new_page(viewport={"width": 1200, "height": height}, color_scheme=scheme)
                while not page.locator(whole).count():  # the first odds may take their time
                    page.goto(f"{address}{path}")
                page.screenshot(path=FOLDER / f"{name}.png")
            browser.close()
        demo.stdin.write("/quit\n")


if __name__ == "__main__":
    main()
