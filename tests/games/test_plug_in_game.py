"""A sixth game from a package of its own, by its entry point: no file of ours is touched (GEN-01, GEN-04, GEN-08)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GRAMMAR = '''"""Coin: `coin N [heads K]`, N coins, K heads wanted; `flip P`. Knows the words; flips nothing."""
from dataclasses import dataclass
import pyparsing as pp
from grammars import Command
from grammars.tokens import positive

KEYWORDS = ("coin", "flip")
EXAMPLES = ("coin 3", "coin 5 heads 2", "flip 1")

@dataclass(frozen=True, slots=True)
class Coins(Command):
    """Coins to flip, and the heads that would please."""
    count: int
    wanted: int | None = None

    def __str__(self):
        return f"coin {self.count}" + ("" if self.wanted is None else f" heads {self.wanted}")

@dataclass(frozen=True, slots=True)
class Flip(Command):
    """One of the coins that lie there, to flip again."""
    place: int

    def __str__(self):
        return f"flip {self.place}"

COINS = (
    pp.CaselessKeyword("coin").suppress()
    - positive("count")
    + pp.Opt(pp.CaselessKeyword("heads").suppress() - positive("wanted"))
).set_parse_action(lambda t: Coins(**t.as_dict()))
FLIP = (pp.CaselessKeyword("flip").suppress() - positive("place")).set_parse_action(lambda t: Flip(t.place))
GRAMMAR = COINS | FLIP
'''
RULES = '''"""Coin: heads count, nothing else does."""
from itertools import product
from coin_game.grammar import Coins, Flip
from ircdice.errors import RuleError
from ircdice.odds import Odds
from ircdice.outcome import Outcome, faces_of, pool
from ircdice.game import Game

HEADS = 2

def judge(node: Coins, faces: tuple[int, ...]) -> Outcome:
    heads = faces.count(HEADS)
    labels = () if node.wanted is None else ("win",) if heads >= node.wanted else ("loss",)
    return Outcome(dice=pool(faces, sides=2), labels=labels, values={"heads": heads})

class Coin(Game):
    nodes = (Coins,)
    amends = {Flip: "reroll"}
    words = {"win": "Win", "loss": "Loss"}
    rules = {"COIN-01": f"A coin on {HEADS} shows heads."}

    def evaluate(self, node, dice, _house):
        return judge(node, dice.roll(node.count, 2))

    def odds(self, node, _house):
        return Odds.over(judge(node, faces) for faces in product((1, 2), repeat=node.count))

    def means(self, node, earlier):
        return earlier.node.count > 1

    def amend(self, node, earlier, dice, house):
        if node.place > earlier.node.count:
            raise RuleError(f"there is no coin {node.place}.")
        faces = faces_of(earlier.outcome.dice)
        faces[node.place - 1 : node.place] = dice.roll(1, 2)
        return judge(earlier.node, tuple(faces))._replace(kind="reroll", becomes=earlier.node)

GAME = Coin()
'''


def installed(folder, name="coin", **modules):
    """A package with those modules that says it has a game, as pip would put it into `folder`."""
    files = {f"{name}_game/{module}.py": text for module, text in modules.items()} | {
        f"{name}_game/__init__.py": "",
        f"{name}_game-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}-game\nVersion: 1.0\n",
        f"{name}_game-1.0.dist-info/entry_points.txt": f"[ircdice.games]\n{name} = {name}_game\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def with_folder(environment, folder):
    return environment | {"PYTHONPATH": os.pathsep.join([str(folder), environment["PYTHONPATH"]])}


@pytest.fixture(scope="module")
def coined(tmp_path_factory, environment):
    return with_folder(environment, installed(tmp_path_factory.mktemp("site"), grammar=GRAMMAR, rules=RULES))


@pytest.fixture(scope="module")
def evaluated(coined):
    """What `eval --lines`, one process for all tests, answers to some objects."""
    command = [sys.executable, "-m", "ircdice", "eval", "--lines"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, encoding="utf-8", env=coined, cwd="/") as process:

        def answers(*lines):
            process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
            process.stdin.flush()
            return [json.loads(process.stdout.readline()) for _ in lines]

        yield answers
        assert process.communicate(timeout=120)[1] == ""


def run(environment, *arguments, said=""):
    return subprocess.run(
        [sys.executable, *arguments],
        input=said,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=120,
        cwd="/",
    )


def test_gen_01_it_is_played_end_to_end(evaluated):
    """GEN-01: judged, worded and recorded by the engine, from the text to the line."""
    win, loss, plain, commented = evaluated(
        {"text": "coin 3 heads 2", "dice": [2, 1, 2], "who": "alice", "system": "coin"},
        {"text": "coin 3 heads 3", "dice": [2, 1, 2]},
        {"text": "COIN 1", "dice": [2], "system": "coin"},
        {"text": "coin 2 # for luck", "dice": [1, 1]},
    )
    assert (win["labels"], win["values"], win["system"], win["kind"]) == (["win"], {"heads": 2}, "coin", "roll")
    assert win["reply"].startswith("alice: Win, 2 heads; 2 1 2; coin 3 heads 2; id 1-")
    assert [die["sides"] for die in win["dice"]] == [2, 2, 2]
    assert {die["role"] for die in win["dice"]} == {"dice"}
    assert (loss["labels"], plain["labels"], plain["values"]) == (["loss"], [], {"heads": 1})
    assert commented["reply"].startswith('player: 0 heads; 1 1; coin 2 "for luck"; id ')


def test_gen_09_its_own_follow_ups_find_the_roll_that_is_meant(evaluated):
    """GEN-09: the latest of the kind that it changes, and none before that."""
    table = {"system": "coin", "table": "t", "who": "alice"}
    says = [("coin 3", [1, 1, 1]), ("coin 2", [1, 1]), ("coin 1", [1]), ("flip 3", []), ("flip 2", [2])]
    answers = evaluated(*[{"text": text, "dice": dice, **table} for text, dice in says])
    assert answers[3]["error"] == "there is no coin 3."
    assert answers[4]["reply"].startswith("alice: 1 heads; 1 2; flip 2 on 2; id 4-")


def test_gen_04_its_words_are_known_to_the_gate(evaluated):
    """GEN-04, GEN-11: talk is silent, a slip is pointed at, and the nearest command is found."""
    talk, slip, called, impossible = evaluated(
        {"text": "coin a phrase", "system": "coin"},
        {"text": "coin 5 heds 2", "system": "coin"},
        {"text": "FUDice: coin 3 heads", "system": "coin"},
        {"text": "!coin 0", "system": "coin"},
    )
    assert talk["silent"]
    assert (slip["column"], slip["hint"]) == (8, "coin 5 heads 2")
    assert slip["private_reply"] == 'Not rolled: "heds" is unknown. Did you mean: coin 5 heads 2'
    assert called["error"]
    assert impossible["error"]


def test_gen_08_its_odds_are_asked_in_the_channel_and_on_the_command_line(coined, evaluated):
    """GEN-08"""
    (asked,) = evaluated({"text": "odds coin 2 heads 1", "system": "coin"})
    assert asked["kind"] == "check"
    assert asked["reply"].startswith("odds coin 2 heads 1: Win 75.0%, Loss 25.0%; ")
    done = run(coined, "-m", "ircdice", "odds", "coin 2 heads 1", "--json")
    found = json.loads(done.stdout)
    assert found["system"] == "coin"
    assert found["as_fraction"] == {"loss": "1/4", "win": "3/4"}
    assert found["distribution"] == {"name": "heads", "values": [[0, 0.25], [1, 0.5], [2, 0.25]]}


def test_gen_04_help_knows_it(evaluated):
    """GEN-04: by its command word, among the systems, and by its examples."""
    word, whole = evaluated({"text": "!help coin", "system": "coin"}, {"text": "!help", "system": "coin"})
    assert "coin 3" in word["reply"]
    assert whole["reply"].startswith("Games here: Coin, Beat Eight,")


def test_dsk_11_help_tells_its_rules(evaluated):
    """DSK-11: by their ids, nearly right ones too."""
    rule, wrong = evaluated({"text": "!help coin-1", "system": "coin"}, {"text": "!help COIN-07"})
    assert rule["reply"] == "COIN-01: A coin on 2 shows heads."
    assert (wrong["error"], wrong["hint"]) == ("there is no rule COIN-07.", "!help COIN-01")


def test_gen_01_a_channel_may_be_set_to_it(coined, tmp_path):
    """GEN-01: `system = coin` in a config, which without it is a fault that names the systems there are."""
    file = tmp_path / "config.ini"
    file.write_text(
        "[network a]\nhost = irc.example.net\nchannels = #coins\n[channel a/#coins]\nsystem = coin\n", "utf-8"
    )
    file.chmod(0o600)
    done = run(coined, "-m", "ircdice", "config", "check", "-c", str(file))
    assert (done.returncode, done.stderr) == (0, "")


BROKEN = {
    "one": {"grammar": "KEYWORDS = ("},
    "two": {"grammar": GRAMMAR, "rules": "import nowhere"},
    "three": {"grammar": GRAMMAR, "rules": "HEADS = 2"},
    "four": {"grammar": "KEYWORDS = ('x',)"},
    "five": {"grammar": GRAMMAR.replace('("coin", "flip")', '("coin", "flip", "roll")'), "rules": RULES},
}


def test_gen_01_a_game_that_does_not_load_is_named_and_left_out(tmp_path, environment):
    """Design: a broken plug-in does not keep the others from playing."""
    for name, modules in BROKEN.items():
        installed(tmp_path, name, **modules)
    done = run(with_folder(environment, tmp_path), "-m", "ircdice", "eval", "roll 5d10 h2 dc3")
    assert done.returncode == 0
    assert "player: " in done.stdout
    for name in BROKEN:
        assert f"the game {name} ({name}_game) does not load and is left out" in done.stderr


def test_gen_01_a_stray_folder_of_grammars_is_never_imported(tmp_path, environment):
    """Design: games outside the tree come by their entry point and by nothing else."""
    stray = tmp_path / "stray"
    for name in ("grammars/coin.py", "ircdice/rules/coin.py"):
        (stray / name).parent.mkdir(parents=True)
        (stray / name).write_text("raise SystemExit('imported')", "utf-8")
    there = environment | {"PYTHONPATH": os.pathsep.join([environment["PYTHONPATH"], str(stray)])}
    done = run(there, "-m", "ircdice", "eval", "roll 5d10 h2 dc3")
    assert (done.returncode, done.stderr) == (0, "")


def test_gen_01_the_bot_exits_when_its_own_games_do_not_load(tmp_path, environment):
    """Design: no bot that is joined, deaf and looks healthy."""
    package = tmp_path / "own"
    for name in ("grammars", "ircdice"):
        shutil.copytree(Path(environment["PYTHONPATH"], name), package / name)
    (package / "grammars" / "fayrewood.py").write_text("import nowhere", "utf-8")
    done = run(environment | {"PYTHONPATH": str(package)}, "-m", "ircdice", "eval", "roll 5d10")
    assert done.returncode != 0
    assert "nowhere" in done.stderr
