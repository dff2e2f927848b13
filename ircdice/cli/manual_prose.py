"""What the manual says whatever games there are. Words only; the suite plays the table of lines."""

from __future__ import annotations

TITLE = """
# Playing

<!-- Made by `python -m ircdice.cli.manual > docs/playing.md`: what is changed by hand here is lost. -->

The bot listens in a channel and answers commands. It is called FUDice here; yours may have another nick.
"""

TALK = """
## Talking to the bot

Type a command as a line of its own: `roll 5d10 h2`. Nothing has to stand before it. Capitals do not matter, and
blanks matter little: `roll5d10h2dc3` and `Roll 5 D10 H 2 dc:3` are read as well.

You may call the bot, which makes clear that you mean it:

- by its nick: `FUDice: roll 5d10`, or `FUDice, roll 5d10`;
- by one sign before the command: `` ` ``, `!` or `.`, unless the config says otherwise: `!roll 5d10`;
- in private: `/msg FUDice roll 5d10`. Rolls in private are never official, and nobody is a storyteller there
  but in what names a channel.

Called, a line that begins with dice is a roll: `FUDice: 5d10 h2`.

### Silence, hints and errors

Command words are common English. A line is answered when all of it makes a command. What looks like one that went
wrong gets a hint in private. Everything else is talk, and the bot says nothing.

| line | what the bot does |
|---|---|
| `roll 5d10 h2` | answers |
| `Roll 5D10 H2.` | answers |
| `!roll 5d10` | answers |
| `FUDice: 5d10 h2` | answers |
| `roll with it` | nothing |
| `roll 20 bucks says he fails` | nothing |
| `wp all, gg` | nothing |
| `rouse?` | nothing |
| `toss me the keys` | nothing |
| `!dance` | nothing |
| `roll 5d10 h7` | hints |
| `toss 3 2 7` | hints |
| `xr d6` | hints |
| `rol 5d10` | hints |
| `roll 5d10 h2 dificulty 3` | hints |
| `FUDice: sing` | hints |

- The reply to a refused roll begins with `Not rolled:`. Where anything is refused, no die was thrown and nothing
  was spent.
- A guess at what you meant, `Did you mean: …`, is always private. It comes at most once a minute, and the same one once
  in ten minutes. `!hints off` ends them for you until the bot is started again; `!hints on` brings them back. Called,
  the bot always says what is wrong.
- An error, a command that is clear and cannot be, is always told: in private, and in the channel where you called the
  bot by its nick.
- What reads two ways is asked about, and never guessed: `toss 3 2 7`, `xr d6`.
- One word alone is talk, unless the moment makes it certain: `wp` when you rolled a V5 pool in the last half hour,
  `pass` when a contest waits for you, `rouse` where V5 is played. Called, it is a command. With a question mark it is
  talk.
- Words of everyday talk, `withdraw`, `discard`, `close`, `reveal`, `contests` and `hints`, want a call. `withdraw #4d`,
  `discard #4d`, `close #4d` and `reveal #4d` do not: the id says enough.
- A number before a command that rolls repeats it, for a group of characters: `3x roll 5d10 h2`, two to ten times. Each
  is a roll with an id of its own, and counts by itself where you ask too much at once. Contests are not repeated.
  Without dice it wants a call: `!3x toss 3 2`. `roll 3x 4d6` is one roll with three totals.
- `!again` repeats your last roll in that channel, `!again h3` with another clause in place of the one of its kind,
  `!again dc2` with one more. The comment stays unless you write another. Contests, private and secret rolls are not
  repeated.
- The parts of a command may have commas between them: `roll 5d10, h2, dc3`, `toss 3, 2`, `b8 t4, a1`. Dice with
  a comma between them are asked about: they may be one sum or two rolls.
- A command has at most 400 characters (`verify` 2,000), and a pool at most 100 dice. Who asks too much at once is told
  so once, in private, and is heard again a little later.

### Comments

Say what a roll is for behind it: `roll 5d10 h2 # over the wall`, or `roll 5d10 h2 for the door`. Behind a roll plain
words will do: `roll 5d10 h2 kicking the door in`. A plain word that holds a digit, looks like a word of the command,
or asks for other dice (`drop lowest`, `kh`, `adv`, `secret`) is asked about instead. Up to 80 bytes of a comment are
posted, in quotes; the whole is recorded. Of a contest both sides' comments are posted, the answer's second.

### Ids

Every roll is posted with an id, such as `4d-27b5pk`. Commands that change a roll mean your latest one of that kind in
that channel: `wp` your latest V5 pool or contest, whatever you rolled since. Where it can no longer be changed they are
refused, and never change an older one. To name another, add its id: `wp 2 #4d`. The part before the dash is
enough; with the rest the whole must be right. `#last` is the latest roll of the channel, whosever it is; where that was
made in secret nothing can follow it, and the answer says so.

`verify` says whether a posted line is genuine: see [Checking a line](#checking-a-line).

`discard #4d` disregards a roll of yours, for all to see: it never counts again, what it did is taken back, and nothing
can follow it. `!discard` means your latest, and never an older one. A contest in which another player has rolled is a
storyteller's to discard.

Your rolls are yours by your services account. Without one you are known by your nick alone, and whoever takes that nick
takes your rolls: log in to services before you play.

### Contests

Each game but the dice notation has them, and they go the same way in all; V5's are shown here.

`roll 6d10 h2 vs 5d10 h1` rolls both sides; the side without a name is called `other`, and you may speak for it:
`wp as other`.

`roll 6d10 h2 vs @bob` asks bob. Your dice are thrown at once and stay covered until he answers:

- bob answers with a roll of his own and no Difficulty, `roll 5d10 h1`, or with `pass`, which is no resistance; the line
  that waits says how; asked, he may begin with the dice: `5d10 h1`;
- a storyteller answers for him: `roll 5d10 h1 as bob`, `pass as bob`;
- if several contests wait for bob the oldest is answered, unless he names one: `roll 5d10 h1 #4d`, `pass #4d`. `pass`
  said again within half a minute leaves the next one alone;
- you take it back with `withdraw #4d`; `!withdraw` is your oldest, and said twice no second one. It lapses after 15
  minutes, unless the config says otherwise. Either way your dice are shown.

Between the same two only one contest can be open. `!contests` lists the open ones. Contests with @nick are for
channels, not for private talk.

### Storytellers

The config names storytellers by their services accounts, or says that channel operators are storytellers; a nick
proves nothing. A storyteller may change the rolls of others (`wp 2 #4d`, `wp as bob`) and discard them, answer for
them, and say `close #4d`: no more Willpower and no more rerolls on that roll, or that contest is over. In Crossroads
only a storyteller ends Fate Dice, in Strike & Cinder a storyteller may change everybody's Luck.

### Secrets

A storyteller may keep things from everybody, and tell the bot in private:

- `difficulty 9 for bob in #FU_Dice`: bob's next roll there that may have a difficulty, in V5, Strike & Cinder or
  Fayrewood, meets this one. The answer has the total and whether it passes, and "difficulty secret": no margin, no
  critical. A `dc` of bob's own is refused then. After Willpower it may be left open whether the new dice pass, where
  both answers together would give the number away. A second difficulty for bob takes the place of the first. Where the
  roll is discarded, bob's next one meets it.
- `secret roll 5d10 h2 in #FU_Dice`: the dice are thrown at once, and nobody sees them, not even the storyteller. The
  channel learns that there was a roll, and its id. What the channel remembers, an encounter or a blessing, can be no
  part of it, and nothing can follow it.

`reveal #4d` in the channel, or `reveal #4d in #FU_Dice` in private, tells all in full. The id may be the secret's own
or that of the roll under it. The salt that is posted with it lets anyone check that it was this and nothing else from
the beginning; `verify` quotes the sealed text afterwards, word for word.

A difficulty that is said in the channel is not set: all could read it.

### Relays

Where a relay bot carries a chat from elsewhere, and the config names it, `<carol> roll 5d10` from it is the roll of
`carol@RELAY`. Nobody is a storyteller through a relay. Lines that begin with `<` from anyone else are not read.
"""

CHECKING = """
## Checking a line

`FUDice: verify` and a posted line, or `verify #4d`, asks the ledger. Paste the line as it is: with the time and the
nick that your client shows, from a forum, an e-mail or a chat, in quotes or wrapped, or several lines at once. The
answer is one line; what is too long for it comes in private:

| answer | means |
|---|---|
| Genuine and official | the bot posted exactly this; the answer says who rolled it, where and when |
| Genuine, but unofficial | it was rolled in private, or in a channel that is not official |
| Genuine, but discarded | its roller said that it does not count |
| Genuine, but replaced | it was changed later, with Willpower for example; the answer names the id that counts now |
| Genuine, but posted by bob | your paste shows that bob posted it, who is neither the bot nor the roller |
| Genuine, but masked | control codes in the text hide or change what you see; the answer has the line as it reads |
| Genuine, but with other words beside it | only the line that the answer repeats is the bot's |
| Altered: the result is genuine | only the name was changed; the answer says who rolled it |
| Altered | that id was posted with another line; the answer says what differs, and you get the true line in private |
| Unknown | there is no such roll |
| Lost | the id is right, but its record is gone or damaged: the operator must look into it |
| Withheld | a contest that waits for its answer, a secret, or somebody's private roll |

- "Roll 2 of 3" means that the same player rolled the same thing three times within ten minutes (or as many as the
  config says), in whatever words and in any channel.
- "It is closed" means that a storyteller closed the roll; "Nobody answered it" says how a contest ended.
- `verify #last` asks about the latest roll here. `#4d` alone finds rolls of this channel, a whole id those of any.
- Times, brackets, quote marks, arrows, the bot's nick and the nicks of players in the channel may be on the same line.
  Other words are noted, as in `Success: alice: 17; …`.
- You may ask about twenty lines a minute.

`!log` lists the latest rolls with their ids, in private; what is discarded is left out. `log #4d` tells one roll with
every die, and whether it is discarded or what has replaced it. `!stats` counts your dice, and says whether they fell as
fair dice do: "this uneven or more 40 times in 100" is nothing to wonder about.
"""

ANSWERS = """
## Reading an answer

`NICK: VERDICT; COST; DICE; COMMAND "COMMENT"; unofficial; id ID`

- The verdict comes first, the dice in the order in which they were thrown. V5's Hunger dice stand last, behind the
  word `hunger`. Strike & Cinder's `6>4` is a six that drew a four. Dice that do not count stand behind `dropped`;
  Crossroads names them by their positions, as `xr keep` and `xr reroll` do: `6 2 4 3, die 2 dropped`.
- `COST` is what a command spends. `unofficial` marks rolls outside the channels that the config calls official.
- More than 30 dice are given as counts by face: `10x3 9x2`. A line never has more than 400 bytes: dice are counted
  first, then the comment is cut.
- A roll that was changed is posted whole, with `rerolled 4 3 as 6 10`, and with the roll that it replaces: `wp on 4c`.
- After a contest each side is told in private what Willpower could still do.

`odds` before a command says how likely its results are, and rolls nothing. The percentages are rounded one by one from
exact fractions, so they may not add up to 100. Up to twenty values are listed one by one, more of them as ranges.
`full` at the end also brings a chart of the whole in private.
"""
