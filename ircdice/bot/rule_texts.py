"""The rules by their ids, a sentence each, as `help GEN-07` tells them: what holds in every game, then the games'."""

from collections.abc import Mapping
from functools import cache

from grammars import catalogue, repeat
from grammars.line import COMMENT_BYTES
from grammars.suggest import near
from grammars.tokens import MOST_CHARACTERS, MOST_DICE, MOST_DRAWN
from ircdice import dispatcher
from ircdice.bot.rate_limit import ALL, EACH, EVERY, SAME_EVERY
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
    "GEN-16": "How much you ask is counted before a line is read, and no line takes long to read.",
    "GEN-17": f'"3x roll 5d10 h2" is {repeat.FEWEST} to {repeat.MOST} rolls of one command, each with its own id; '
    '"roll 3x 4d6" is one roll with three totals.',
    "GEN-18": "A difficulty may be given as its word, and keywords may be spelled out: moderate, trait 4.",
    "GEN-19": "What is known and not to be had here says so when I am called, and so does what fails inside me.",
}

_WINDOW = ChannelSettings().window
_LAPSE = ChannelSettings().contest_minutes

DESK = {
    "DSK-01": "A character is a name that a nick plays in a channel; that is not there yet: the nick is the character.",
    "DSK-02": "Trackers keep Hunger, Willpower, Luck and whatever else has a number; they are not there yet.",
    "DSK-03": "Rolls move the trackers where the rules say so; trackers are not there yet.",
    "DSK-04": '"h" alone stands for a tracked Hunger; trackers are not there yet, so say it, as h2.',
    "DSK-05": "A macro is a command under a name of your own; macros are not there yet.",
    "DSK-06": f'"contests" lists the open ones, "pass" answers one without resisting, "withdraw" takes back your '
    f"own; they lapse after {_LAPSE} minutes, unless the config says otherwise.",
    "DSK-07": 'A storyteller tells me in private "difficulty 9 for bob in #CHANNEL" or "secret COMMAND in #CHANNEL"; '
    '"reveal #ID" tells it, with what proves it.',
    "DSK-08": "Scenes gather what was rolled in them; they are not there yet.",
    "DSK-09": "Initiative orders who acts; it is not there yet.",
    "DSK-10": "What a channel is set to stands in the config of whoever runs me; no command changes it yet.",
    "DSK-11": '"help" alone, with a command word, a game, a term or the id of a rule tells about it.',
    "DSK-12": "How I fare is told to whoever runs me by the log and the service; there is no command for it yet.",
    "DSK-13": '"again" repeats your last roll here, and "again h3" with that clause in place of the one of its kind; '
    "not what was secret, private or a contest.",
    "DSK-14": '"stats" tells your rolls and how the dice fell, "stats NICK" those of another player.',
    "DSK-15": "Tables and decks draw words at random; they are not there yet.",
    "DSK-16": "The page shows a channel to whom its config lets see it; no command tells its address yet.",
}
IRC = {
    "IRC-01": "I play on many networks at once, and a fault on one touches no other.",
    "IRC-02": "Connections are by TLS and verified, unless the config says otherwise aloud.",
    "IRC-03": "What a server is capable of is asked and used, and done without where it is not there.",
    "IRC-04": "I log in by the strongest way that server and config allow, and stay out where that fails.",
    "IRC-05": "Passwords and keys stand in no log and in no reply.",
    "IRC-06": "A broken connection is made again, soon at first and then less and less often.",
    "IRC-07": "Where my nick is taken I come under another, and take it back when it falls free.",
    "IRC-08": "I come back after a KICK, though not without end, and follow an INVITE only where the config says so.",
    "IRC-09": "Nicks and channels are compared as the server compares them, so that Bob[1] and bob{1} may be the same.",
    "IRC-10": "Whatever bytes arrive break nothing, and colours are taken off before a line is read.",
    "IRC-11": "Only what people say in a channel or to me is a command: no NOTICE, no /me, no bot's line, no history.",
    "IRC-12": "A command may stand alone, behind one sign as in !roll, or behind my nick and a colon or comma.",
    "IRC-13": "Behind a relay that the config names people are known as user@relay, and are never storytellers.",
    "IRC-14": "A storyteller is one by services account, or as operator where the config says so, never by nick.",
    "IRC-15": "Who asks for too much at once is told so once in private, and is heard again a little later.",
    "IRC-20": "I answer in one line where I was asked; what is longer goes to you in private, in four lines at most.",
    "IRC-21": "Nobody's words can make me send a line of their own, or one that another bot would obey.",
    "IRC-22": "I speak no faster than the server allows, to all channels by turns, and join lines where many wait.",
    "IRC-23": "What a broken connection kept back is said after I am back; of what is too old the ids.",
    "IRC-24": "Secrets, hints and longer help are told in private.",
    "IRC-25": "Before I leave I say what still waits, and a change of the config needs no reconnect.",
    "IRC-26": "My log has one line for each event, and figures are there for whoever watches me.",
}
LEDGER = {
    "LED-01": "All rolls stand in a ledger that is only ever added to.",
    "LED-02": "A record holds what was typed, every face as it was drawn, the line as posted, who, where and when.",
    "LED-03": "A roll is recorded first and posted then.",
    "LED-04": "Several processes may share one ledger, and none can write a roll twice.",
    "LED-05": "Where the ledger is out of reach nobody is told a result, and the same dice come when it is back.",
    "LED-06": "A roll that was recorded stands even if I was cut off before posting it; it is posted when I am back.",
    "LED-07": "Whoever runs me can hand out the whole ledger as a file, and back it up while we play.",
    "LED-10": 'An id is a number and a tag that nobody can guess; in its channel "#4d" or "#last" is enough.',
    "LED-11": "Each record is hashed, and all of them into one tree.",
    "LED-12": "The tree is signed again and again, so that nothing before can be changed unseen.",
    "LED-13": "Dice come from a seed that is committed to beforehand and published when its time is over.",
    "LED-14": "Which dice come depends on seed, channel and the count of its commands, never on who asks or how.",
    "LED-15": 'Anyone may "stir WORDS" into a channel\'s dice once an hour, and "fair" tells what they are bound to.',
    "LED-16": "A check reads the whole ledger, judges every roll again, and names the first record that is wrong.",
    "LED-17": "A secret is sealed when it is made, and what is revealed can be checked against that.",
    "LED-18": "Keys can be changed, and the old ones still prove what they signed.",
    "LED-19": "Anyone can check the ledger's file with tools of their own.",
    "LED-20": '"verify" takes a posted line as you copied it, an id, or several of them.',
    "LED-21": "A line is genuine, altered, unknown, lost or withheld, and of an altered one it is told what differs.",
    "LED-22": f"A genuine roll has notes: discarded, replaced, posted by another, or which of several it is that were "
    f"made within {_WINDOW} minutes.",
    "LED-23": f"Verifying is limited to {EACH} lines a minute for each, and {ALL} in all, so that "
    "tags cannot be guessed.",
    "LED-24": '"log" shows the latest rolls to you alone, and "stats" how many there were and how the dice fell.',
    "LED-25": "Who asks to be forgotten has the words of their records taken away; that they were there stays proved.",
}


def general() -> Mapping[str, str]:
    """The rules that are no game's."""
    return RULES | DESK | IRC | LEDGER


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
