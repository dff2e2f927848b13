"""What no single value can tell: faults and warnings that come of several keys or sections together."""

from __future__ import annotations

from collections import ChainMap

from ircdice.casemapping import fold
from ircdice.config import building, logins
from ircdice.config.faults import Faults, nearest
from ircdice.config.model import NetworkConfig
from ircdice.config.sections import Block

Warned = list[tuple[int, str]]  # line of the file, sentence


def check(blocks: list[Block], faults: Faults) -> None:
    """Note every fault that several keys or sections make together."""
    networks = {block.network for block in blocks if block.kind == "network"}
    if not networks:
        faults.add(0, "there is no [network NAME]")
    for block in blocks:
        if block.kind == "channel" and block.network not in networks:
            sentence = f"there is no [network {block.network}]; {nearest(block.network, networks)}"
            faults.add(block.line, sentence, section=block.title)
        if block.kind == "network":
            _check_network(block, faults)
    _check_systems(blocks, faults)


def _check_network(block: Block, faults: Faults) -> None:
    def fault(key: str, sentence: str) -> None:
        faults.add(block.lines.get(key, block.line), sentence, section=block.title, key=key)

    if "host" not in block.lines:
        fault("host", "is missing")
    names = [fold(join.name, "ascii") for join in block.given.get("channels", ())]
    for name in sorted({name for name in names if names.count(name) > 1}):
        fault("channels", f"{name} stands twice")
    default = NetworkConfig(name="", host="")
    first, longest = (block.given.get(key, getattr(default, key)) for key in ("reconnect_first", "reconnect_longest"))
    if all({key, key.removesuffix("_file")} & block.given.keys() for key in block.lines):
        # else what is faulty would be told as missing too
        for key, sentence in logins.faults(block.given):
            fault(key, sentence)
    if first > longest:
        fault("reconnect_first", f"{first:g} is longer than reconnect_longest, {longest:g}")


def _check_systems(blocks: list[Block], faults: Faults) -> None:
    """A channel's own game is one of those that it answers, wherever each of the two is said."""
    apart = {(b.network, fold(b.channel)): b for b in blocks if b.kind == "channel"}
    for network in (block for block in blocks if block.kind == "network"):
        names = {fold(join.name) for join in network.given.get("channels", ())}
        places = [apart[key] for key in apart if key[0] == network.network and key[1] not in names]
        for place in (*(apart.get((network.network, name)) for name in sorted(names)), *places):
            levels = [block for block in (place, network, *(b for b in blocks if b.kind == "bot")) if block]
            settings = building.settings(ChainMap(*[block.given for block in levels]))
            if settings.systems and settings.system not in settings.systems:
                block = next(block for block in levels if "system" in block.given or "systems" in block.given)
                key = "system" if "system" in block.given else "systems"
                sentence = f"{settings.system} is played, and is not among systems, {', '.join(settings.systems)}"
                faults.add(block.lines[key], sentence, section=block.title, key=key)


def warnings(blocks: list[Block]) -> Warned:
    """What is no fault and yet hardly meant, with its line."""
    return [*_unjoined(blocks), *_alike(blocks), *_logins(blocks)]


def _unjoined(blocks: list[Block]) -> Warned:
    joined = {(b.network, fold(j.name)) for b in blocks if b.kind == "network" for j in b.given.get("channels", ())}
    apart = [
        block for block in blocks if block.kind == "channel" and (block.network, fold(block.channel)) not in joined
    ]
    return [(block.line, f"[{block.title}]: the channel is not among its network's channels") for block in apart]


def _alike(blocks: list[Block]) -> Warned:
    """Channels that are two on some networks and one on the others: the first one's settings hold there."""
    first: dict[tuple[str, str], Block] = {}
    found = []
    for block in (block for block in blocks if block.kind == "channel"):
        other = first.setdefault((block.network, fold(block.channel)), block)
        if other is not block:
            sentence = f"[{block.title}]: is [{other.title}] where the server takes brackets for letters"
            found.append((block.line, sentence))
    return found


def _logins(blocks: list[Block]) -> Warned:
    return [
        (block.lines.get(key, block.line), f"[{block.title}] {key}: {sentence}")
        for block in blocks
        if block.kind == "network"
        for key, sentence in logins.warnings(block.given)
    ]
