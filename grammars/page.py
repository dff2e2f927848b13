"""`page`, `page renew`, `page off`: the channel's page on the web (DSK-16)."""

from __future__ import annotations

from grammars.command import Node, builds
from grammars.secrets import IN
from grammars.tokens import command_word, flag

SYSTEM = False  # answered by the bot, not by the rules of a game
KEYWORDS = ("page",)
ONLY_CALLED = KEYWORDS  # GEN-13
EXAMPLES = {
    "page in #FU_Dice": "storyteller, in private: the address of the channel's page, and since when it shows the rolls",
    "page renew in #FU_Dice": "storyteller: a new link, the old one ends; or the page is switched on again",
    "page off in #FU_Dice": "storyteller: the page shows nothing of the channel any more",
}

HELP = {
    "web": (
        "A channel may have a page on the web with its rolls, if its config says so: /msg FUDice page in #FU_Dice tells"
        " a storyteller its address.",
    )
}


class Page(Node):
    """Ask for a channel's page, or change it; `action` is empty, `renew` or `off`."""

    begins = "page"

    action: str = ""
    channel: str | None = None

    private = True  # the address is for the storyteller


# The notation.

ACTION = (flag("action", "renew", value="renew") | flag("action", "off", value="off")).set_name("renew or off")
page = (command_word("page") + (ACTION | IN)[...]).set_parse_action(builds(Page))

GRAMMAR = page
