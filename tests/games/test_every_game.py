"""What holds of every game alike, tried on the examples that each shows: no game is named here."""

from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Room
from timed import best_of_three

import grammars
from grammars import catalogue
from grammars.contests import Pass
from ircdice import dispatcher
from ircdice.dice import RecordingDice, ScriptedDice, SystemDice
from ircdice.errors import RuleError
from ircdice.outcome import Earlier, Outcome
from ircdice.replay import Replay
from ircdice.reply import MOST_BYTES

MOST_SECONDS = 0.5  # of the processor; the figure to reach is 0.1, and what hangs takes minutes
GAMES = [grammar for grammar in catalogue.grammars_found() if grammar.is_system]
EXAMPLES = [(grammar.name, example) for grammar in GAMES for example in grammar.examples]
WORDS = sorted({(grammar.name, word) for grammar in GAMES for word in grammar.keywords})
HOSTILE = {
    "dice and sides": " 9999999d9999999",
    "a number of 100,000 digits": f" {'9' * 100_000}",
    "a number to the limit": f" {'9' * 380}",
    "a hundred parentheses": f" {'(' * 100}",
    "a sum of five thousand": f" {'1+' * 5_000}1",
    "divided by zero": " 1/0",
    "fullwidth digits": " ５d１０",
    "Arabic digits": " ٥d10",
    "signs": f" {'-+' * 190}",
    "nothing but vs": f" {'vs ' * 120}",
    "clauses": f" {'a1' * 190}",
    "ids": f" {'#1 ' * 120}",
}


NEVER = {
    "dice and sides": "9999999d9999999",
    "what never ends": "1d1!",
    "what never ends either": "1d6r<7",
    "a hundred parentheses": "(" * 100,
    "a number of 100,000 digits": "9" * 100_000,
    "a sum of five thousand": "1+" * 4_999 + "1",
    "divided by zero": "1/0",
    "fullwidth digits": "５d１０",
}


class AnyDice(Room):
    """A room with random dice."""

    def __init__(self, game):
        super().__init__(game)
        self.table.begin = lambda _network, _place: SystemDice()


@pytest.mark.parametrize("game", [grammar.name for grammar in GAMES])
def test_gen_04_words_and_examples_equal_what_they_are_written_as(game):
    """GEN-04, GEN-10: called, every command word alone and every example equals its own text read again."""
    texts = {text for grammar in catalogue.grammars_found() for text in (*grammar.keywords, *grammar.examples)}
    seen = 0
    for text in sorted(texts):
        try:
            node = grammars.parse(text, game, called=True)
        except (grammars.UnknownCommand, grammars.CommandSyntaxError):
            continue
        assert grammars.parse(str(node), game, called=True) == node, text
        seen += 1
    assert seen > 50


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(max_examples=200)
@given(st.data())
def test_gen_07_any_text_after_a_command_word_is_read_or_refused(game, data):
    """GEN-04, GEN-07, GD-14, SC-01: a command that its own text says again, talk, or a refusal with its column."""
    signs = sorted({*"".join(game.examples), *"0123456789 .+-@#!"})
    text = data.draw(st.sampled_from(game.keywords)) + data.draw(st.text(st.sampled_from(signs), max_size=30))
    try:
        node = grammars.parse(text, game.name, called=True)
    except grammars.CommandSyntaxError as refusal:
        assert 1 <= refusal.column <= len(text) + 1  # noqa: PT017  # one of three ways to end
    except grammars.UnknownCommand:
        pass
    else:
        assert grammars.parse(str(node), game.name, called=True) == node


@pytest.mark.parametrize("game", [grammar.name for grammar in GAMES])
def test_led_16_what_every_game_records_is_judged_again(game):
    """GEN-09, LED-16: every example, typed by two people in turn; what is remembered is what the records give."""
    room = AnyDice(game)
    for nth, text in enumerate(text for name, text in EXAMPLES if name == game):
        room.say(("alice", "bob")[nth % 2], text)
    assert room.table.records
    room.check()
    replay = Replay()
    assert [why for record in room.table.records if (why := replay.fault(record))] == []


NODES = list(dict.fromkeys(grammars.parse(text, name, called=True) for name, text in EXAMPLES))
LATER = [(node, system) for node in NODES if (system := dispatcher.game_name(node)) and not dispatcher.rolls(node)]


def test_gen_09_what_a_roll_cannot_become_is_refused_by_every_game():
    """GEN-09, LED-16: as records say it that were altered. What follows no roll of its game is refused before the game
    is asked, and so is an answer to a contest that is over."""
    assert {system for _, system in LATER} >= {"v5", "crossroads"}
    for opening in filter(dispatcher.rolls, NODES):
        over = Earlier(opening, Outcome(kind="contest"))
        for node in [Pass(), *(node for node, system in LATER if system != dispatcher.game_name(opening)), opening]:
            with pytest.raises(RuleError, match=r"^nothing can be changed about that roll by "):
                dispatcher.amend(node, over, ScriptedDice(()))


@pytest.mark.parametrize(("system", "text"), EXAMPLES)
def test_replayed_faces_give_the_same_outcome(system, text):
    """Design, Memory: an outcome is its node and its faces, whatever they are."""
    node = grammars.parse(text, system, called=True)
    if not dispatcher.rolls(node):
        return
    for _ in range(30):
        dice = RecordingDice(SystemDice())
        try:
            outcome = dispatcher.evaluate(node, dice)
        except RuleError:  # it needs an encounter or a group
            return
        again = ScriptedDice([face for _, face in dice.draws])
        assert dispatcher.evaluate(node, again) == outcome
        again.finish()


@pytest.mark.parametrize(("system", "text"), EXAMPLES)
def test_odds_add_up_and_hold_every_outcome(system, text):
    """GEN-08: the chances of a value to 1, but for an endless tail; what is rolled had a chance."""
    node = grammars.parse(text, system, called=True)
    if not dispatcher.rolls(node):
        return
    try:
        chances = dispatcher.odds(node)
    except RuleError:  # nothing is rolled, or the other side is not known
        return
    assert all(0 < chance <= 1 for chance in chances.outcomes.values())
    if chances.values:
        assert 0 <= 1 - chances.values.moment(0) < 1e-9
    for _ in range(30):
        outcome = dispatcher.evaluate(node, SystemDice())
        assert set(outcome.labels) <= chances.outcomes.keys()
        if chances.name in outcome.values:
            assert outcome.values[chances.name] in chances.values


@pytest.mark.parametrize(("system", "word"), WORDS)
def test_hostile_numbers_cost_nothing(evaluate, system, word):
    """GEN-15, GEN-16: read or refused in a line, called or not, and soon."""
    for hostile in HOSTILE.values():
        for text in (f"{word}{hostile}", f"!{word}{hostile}", f"odds {word}{hostile}"):
            answer, seconds = best_of_three(lambda text=text: afresh(evaluate, text, system))
            assert seconds < MOST_SECONDS, text[:40]
            told = [line for key in ("reply", "private_reply") for line in (answer.get(key) or "").splitlines()]
            assert all(len(line.encode()) <= MOST_BYTES for line in told)
            assert "something went wrong" not in "".join(told)


@pytest.mark.parametrize("system", [grammar.name for grammar in GAMES])
def test_what_others_hang_on_is_refused_at_once(evaluate, system):
    """GEN-15, GEN-16, GD-14: called, each is one sentence in a line, and soon."""
    for word in [word for game, word in WORDS if game == system]:
        for never in NEVER.values():
            text = f"!{word} {never}"
            answer, seconds = best_of_three(lambda text=text: afresh(evaluate, text, system))
            told = answer.get("private_reply") or ""
            assert told, text[:40]
            assert "something went wrong" not in told
            assert len(told.encode()) <= MOST_BYTES
            assert seconds < MOST_SECONDS, text[:40]


def afresh(evaluate, text, system):
    """An answer that is not cached."""
    grammars.gate.read.cache_clear()
    return evaluate({"text": text, "system": system})


@pytest.mark.parametrize("system", [grammar.name for grammar in GAMES])
def test_each_game_has_its_table_of_what_is_refused(system):
    """GEN-07: `REFUSED` of its reading test has at least ten texts, each with its column and its sentence."""
    found = [row[:3] for row in import_module(f".test_{system}_reading", __package__).REFUSED]
    assert len({text for text, column, sentence in found if column and sentence}) >= 10
