"""A sentence on each rule, by id, for `help GEN-07`: the general rules, then those of the games."""

from collections.abc import Mapping
from functools import cache

from grammars import repeat
from grammars.catalogue import Grammar
from grammars.line import COMMENT_BYTES, MOST_CHARACTERS, MOST_DICE, MOST_DRAWN
from grammars.tokens import near
from ircdice import dispatcher
from ircdice.bot.rate_limit import EACH, EVERY, SAME_EVERY, WRONG
from ircdice.clock import MINUTE
from ircdice.settings import ChannelSettings

_WINDOW = ChannelSettings().window
_LAPSE = ChannelSettings().contest_minutes

GENERAL = {  # the rules outside of games
    "GEN-01": "An answer begins with the verdict; then come the costs, the dice, the command and the id.",
    "GEN-02": "Capitals, colours, kinds of dash and quote, and spaces do not matter; ! or my nick may come first.",
    "GEN-03": f"A comment follows # or for, or is plain words after dice; {COMMENT_BYTES} bytes of it are posted.",
    "GEN-04": "Spelling is forgiven if only one thing can be meant; a word that no command uses makes the line talk.",
    "GEN-05": "I ask about a lone number after vs, because it may be a difficulty or a pool.",
    "GEN-06": f"vs @nick covers your dice until the other answers or passes, or {_LAPSE} minutes are over, unless the "
    "config says otherwise.",
    "GEN-07": 'An error rolls and costs nothing; it begins with "Not rolled:" if the command would have rolled, and is '
    "private unless you called me by my nick.",
    "GEN-08": '"odds" before a command gives its exact odds, and rolls nothing.',
    "GEN-09": "A command that changes a roll means your latest one of that kind; add #ID for an older one.",
    "GEN-10": "One word alone is talk, unless I am called or the moment makes it certain.",
    "GEN-11": f"A hint is private, once in {EVERY // MINUTE} minute at most and the same in "
    f'{SAME_EVERY // MINUTE}; "hints off" ends them.',
    "GEN-12": "If a line can be read in two ways, I ask and never guess.",
    "GEN-13": "Commands of free or everyday words count only when I am called.",
    "GEN-14": '"roll 20", "r 2d6" and the like count only when I am called.',
    "GEN-15": f"A command has at most {MOST_CHARACTERS} characters, a pool {MOST_DICE} dice, the whole {MOST_DRAWN}.",
    "GEN-16": "Limits are applied before a line is read, and no line takes long to read.",
    "GEN-17": f'"3x roll 5d10 h2" is {repeat.FEWEST} to {repeat.MOST} rolls of one command, each with its own id; '
    '"roll 3x 4d6" is one roll with three totals.',
    "GEN-18": "A difficulty may be given as its word, and keywords may be spelled out: moderate, trait 4.",
    "GEN-19": "When I am called, I say so if something is known but not available here, or fails inside me.",
    "DSK-01": '"!play Viktor" makes you Viktor in this channel, and "as NAME" rolls for a character of yours; a '
    'storyteller makes others with "!npc Thug"; without a character your nick is it.',
    "DSK-02": '"!track hunger 2" keeps a number of yours, "!hunger +1" changes it, "!hunger 3" sets it and "!trackers" '
    "lists them all; out of bounds is refused.",
    "DSK-03": 'Rolls move what is tracked, and say so: a rouse raises hunger, "wp" costs willpower, a hit drains luck; '
    '"!undo" takes back what you typed.',
    "DSK-04": '"h" alone stands for a tracked Hunger, "roll 5d10 h"; with auto_hunger it is used where no h is typed.',
    "DSK-05": '"macro punch = roll 7d10 h2" lets "!punch" roll that, and "!punch dc3" with another clause; a number in '
    "braces, as {strength}, is that of your tracker.",
    "DSK-06": f'"contests" lists the open ones, "pass" answers one without resisting, "withdraw" takes back your '
    f"own; they lapse after {_LAPSE} minutes, unless the config says otherwise.",
    "DSK-07": 'A storyteller types in private "difficulty 9 for bob in #CHANNEL" or "secret COMMAND in #CHANNEL", a '
    'player "blind COMMAND"; storytellers alone see the result until "reveal #ID".',
    "DSK-08": '"scene Harbour" by a storyteller opens a scene, "scene end" ends it; "log scene" gives what was rolled '
    'in it, ready to paste, also as "md" or "bbcode".',
    "DSK-09": '"init +3" rolls your initiative; "init" shows the order, and "init next" says who acts.',
    "DSK-10": '"channel" shows the settings of a channel; "channel botch no" by a storyteller goes before the config '
    'until "channel botch default".',
    "DSK-11": '"help" tells what to type first; "help" and a game, a command, a word of it or a rule explains that.',
    "DSK-12": '"status in #CHANNEL" tells a storyteller in private the status of that channel, "status" an operator '
    'mine; "reload" by an operator reads the config again, and "about" is for everybody.',
    "DSK-13": '"again" repeats your last roll here, and "again h3" with that clause in place of the one of its kind; '
    "not what was secret, private or a contest.",
    "DSK-14": '"stats" tells what came of this channel\'s rolls and how the dice fell, "stats NICK" of one player\'s; '
    "who won a contest is not counted.",
    "DSK-15": 'A storyteller makes "table add weather = sun | rain" or "deck add tarot = The Fool | The Moon"; "table '
    'weather" draws an entry, "deck tarot" a card that does not come again before "deck tarot shuffle", in private '
    '"deck tarot in #CHANNEL" one that you alone see until "reveal #ID".',
    "DSK-16": '"page in #CHANNEL", in private, tells a storyteller the address of the page; "page renew" makes a new '
    'link, "page off" ends it.',
    "IRC-01": "I play on many networks at once, and a fault on one does not affect the others.",
    "IRC-02": "Connections use TLS and are verified, unless the config says otherwise.",
    "IRC-03": "I ask a server for its capabilities, and do without those that it lacks.",
    "IRC-04": "I log in by the strongest mechanism that server and config allow, or else stay off the network.",
    "IRC-05": "No password or key appears in a log or a reply.",
    "IRC-06": "After a lost connection I reconnect, soon at first and then less and less often.",
    "IRC-07": "If my nick is taken I use another one, and regain mine when it is free.",
    "IRC-08": "I return after a KICK, though not forever, and follow an INVITE only if the config says so.",
    "IRC-09": "Nicks and channels are compared as the server compares them, so Bob[1] and bob{1} may be the same.",
    "IRC-10": "No bytes can break anything, and colours are removed before a line is read.",
    "IRC-11": "Only what people type in a channel or to me is a command: no NOTICE, /me, other bot's line or history.",
    "IRC-12": "A command may be typed alone, after a prefix as in !roll, or after my nick and a colon or comma.",
    "IRC-13": "Users of a relay that the config names are known as user@relay, and are never storytellers.",
    "IRC-14": "Storytellers are known by account, or as channel operators if the config says so, never by nick.",
    "IRC-15": "If you send too many commands at once, I tell you once in private, and listen again a little later.",
    "IRC-20": "I answer in one line where I was asked; longer text goes to you in private, in four lines at most.",
    "IRC-21": "Nobody can make me send a line of their own, or one that another bot would obey.",
    "IRC-22": "I send no faster than the server allows, to all channels in turn, and join lines if many wait.",
    "IRC-23": "Lines that a lost connection held up are sent when I am back; of older ones I give the ids.",
    "IRC-24": "Secrets, hints and longer help are private.",
    "IRC-25": "Before I leave I send what is queued, and a change of the config needs no reconnect.",
    "IRC-26": "I write one log line for each event, and export Prometheus metrics and my health to the operator.",
    "IRC-27": "I am marked as a bot and ignore other bots, and clients may show which command a reply answers.",
    "IRC-28": "The limit is your own and your host's, so a new nick does not evade it; floods do not fill my memory.",
    "IRC-29": "A contest, a tracker and a character belong to your account, if you have one, and not to your nick.",
    "LED-01": "All rolls are in a ledger that is only ever appended to.",
    "LED-02": "A record holds what was typed, every die as it fell, the line as posted, who, where and when.",
    "LED-03": "A roll is recorded first and posted afterwards.",
    "LED-04": "Several processes may share one ledger, and none can write a roll twice.",
    "LED-05": "If the ledger is out of reach, nobody sees a result, and the same dice come when it is back.",
    "LED-06": "A recorded roll counts even if I was cut off before posting it; I post it when I am back.",
    "LED-07": "The operator can export the whole ledger as a file, and back it up while we play.",
    "LED-10": 'An id is a number and a tag that nobody can guess; "#4d" is enough in its channel, or "#last".',
    "LED-11": "Each record is hashed, and all of them into one tree.",
    "LED-12": "The tree is signed again and again, so nothing earlier can be changed unseen.",
    "LED-13": "Dice come from a seed whose commitment is published before the day, and the seed after it.",
    "LED-14": "The dice depend on seed, channel and the number of the command, never on who asks or how.",
    "LED-15": 'Anyone may "stir WORDS" into a channel\'s dice once an hour, and "fair" shows the commitment to them.',
    "LED-16": "A check reads the whole ledger, judges every roll again, and names the first record that is wrong.",
    "LED-17": "A secret is sealed when it is made, and what is revealed can be checked against the seal.",
    "LED-18": "Keys can be replaced, and the old ones still prove what they signed.",
    "LED-19": "Anyone can check an export of the ledger with tools of their own.",
    "LED-20": '"verify" takes a posted line as you copied it, an id, or several of them.',
    "LED-21": "A line is genuine, altered, unknown, lost or withheld; for an altered one I say what differs.",
    "LED-22": f"A genuine roll has notes: discarded, replaced, posted by another, or which of several it is that were "
    f"made within {_WINDOW} minutes.",
    "LED-23": f"You can verify {EACH} lines a minute; after {WRONG} wrong ids from all users together, those who asked "
    "about them wait, so nobody can guess a tag or shut others out.",
    "LED-24": '"log" shows the latest rolls to you alone, and "stats" how many there were and how the dice fell.',
    "LED-25": "If you ask to be forgotten, the words of your records are removed; that they existed stays proved.",
    "WEB-01": "The first page shows the games, gives odds and verifies lines, and names no channel that is not public.",
    "WEB-02": "The page verifies a pasted line or a whole post, and each roll has an address to link to.",
    "WEB-03": "The page draws the exact odds of up to four commands side by side, at an address that can be shared.",
    "WEB-04": "A channel's log can be read by day, nick, game and scene, and shows new rolls as they are posted.",
    "WEB-05": "A channel's statistics compare the faces that fell with what was expected.",
    "WEB-06": "A scene can be read in the order of play, to print or to copy.",
    "WEB-07": "The table page shows characters, trackers, initiative, contests and the latest rolls; nothing hidden.",
    "WEB-08": "The page on fairness shows the commitment to the dice, and recomputes a day of dice in your browser.",
    "WEB-09": "The pages of help show each game's commands, odds, grammar and rules.",
    "WEB-10": "A channel is on the page only if its config says so, from then on, and without what is hidden there.",
    "WEB-11": "The page sets no cookie and loads nothing from elsewhere.",
    "WEB-12": "Odds, addresses and live views have limits, so that many readers cannot slow the page down.",
    "WEB-13": "The page works without JavaScript, on a phone, with a keyboard and with a screen reader.",
    "WEB-14": "Charts are pictures made by the server, with their numbers next to them as text.",
}


@cache
def every() -> Mapping[str, str]:
    """All rules, the general ones first."""
    games = [rule for game in dispatcher.systems().values() for rule in game.rules.items()]
    return {**GENERAL, **dict(games)}


def terms(grammar: Grammar) -> Mapping[str, tuple[str, ...]]:
    """The terms that a grammar explains, with the sentences of rules in place of their ids."""
    return {term: tuple([every().get(line, line) for line in lines]) for term, lines in grammar.help.items()}


def nearest(rule: str) -> str | None:
    """The rule that was probably meant by an id that no rule has."""
    family, _, number = rule.partition("-")
    ids = [name for name in every() if name.startswith(f"{family}-")] or near(rule, every())
    return min(ids, key=lambda name: abs(int(name.partition("-")[2]) - int(number)), default=None)
