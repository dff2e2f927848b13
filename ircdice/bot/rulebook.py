"""The rules by their ids, a sentence each, as `help GEN-07` tells them: what holds in every game, then the games'."""

from collections.abc import Mapping
from functools import cache

from grammars import catalogue
from grammars.line import COMMENT_BYTES
from grammars.suggest import near
from grammars.tokens import MOST_CHARACTERS, MOST_DICE, MOST_DRAWN
from ircdice import dispatcher
from ircdice.bot.hinting import EVERY, SAME_EVERY
from ircdice.bot.statutes import STATUTES
from ircdice.durations import MINUTE
from ircdice.errors import RuleError
from ircdice.settings import ChannelSettings

RULES = {
    "GEN-01": "A roll is told by what it came to, the outcome first and then what stands beside it.",
    "GEN-02": "Capitals, colours, kinds of dash and quote, and how many blanks there are do not matter; one prefix or "
    "my nick may stand first.",
    "GEN-03": "A comment stands behind # or for, or is plain words behind dice; up to "
    f"{COMMENT_BYTES} bytes of it are posted.",
    "GEN-04": "Spelling is forgiven where one thing can be meant; a word that no command uses makes it no command.",
    "GEN-05": "A lone number behind vs is asked about: it may be a difficulty or a pool.",
    "GEN-06": "vs @nick covers your dice until the other answers, passes, or "
    f"{ChannelSettings().contest_minutes} minutes are over, unless the config says otherwise.",
    "GEN-07": 'An error rolls nothing and costs nothing; "Not rolled:" stands before what would have rolled, and it '
    "comes in private unless you called me by my nick.",
    "GEN-08": '"odds" and a command tells its exact chances, and rolls nothing.',
    "GEN-09": "What changes a roll means your latest one of that kind; an older one wants its #ID.",
    "GEN-10": "One word alone is talk, unless I am called or the moment makes it certain.",
    "GEN-11": f"A hint comes in private, once in {EVERY // MINUTE} minute at most and the same in "
    f'{SAME_EVERY // MINUTE}; "hints off" ends them.',
    "GEN-12": "What reads two ways is asked about and never guessed.",
    "GEN-13": "Commands of free words, or of everyday words, count when I am called.",
    "GEN-14": 'What only counts when it is meant wants a call: "roll 20", "r 2d6".',
    "GEN-15": f"A command has at most {MOST_CHARACTERS} characters, a pool {MOST_DICE} dice, the whole {MOST_DRAWN}.",
}


def general() -> Mapping[str, str]:
    """The rules that are no game's."""
    return RULES | STATUTES


@cache
def every() -> Mapping[str, str]:
    """All rules there are, those of every game first."""
    return {**general(), **dispatcher.rules_told()}


def about(rule: str) -> str:
    """What a rule says. RuleError with the nearest there is, where there is no such rule."""
    if rule in every():
        return f"{rule}: {every()[rule]}"
    meant, family = _nearest(rule), rule.partition("-")[0].lower()
    if meant is None and family in catalogue.topics():  # `help wp 2`
        meant = family
    raise RuleError(f"there is no rule {rule}.", hint=meant and f"help {meant}")


def _nearest(rule: str) -> str | None:
    """The rule of that family whose number is nearest, else one whose id is within a letter."""
    family, _, number = rule.partition("-")
    ids = [name for name in every() if name.startswith(f"{family}-")] or near(rule, every())
    return min(ids, key=lambda name: abs(int(name.partition("-")[2]) - int(number)), default=None)


def has_family(rule: str) -> bool:
    """Whether `help` and that id can only mean a rule: others have ids too, `help F-16`."""
    return any(name.startswith(f"{rule.partition('-')[0]}-") for name in every())
