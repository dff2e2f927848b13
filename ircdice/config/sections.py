"""Sections of a file → what each one gives, key by key. Knows nothing of what is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ircdice.casemapping import fold
from ircdice.config.faults import Faults, nearest
from ircdice.config.ini import Option, Section
from ircdice.config.schema import TITLES, Key, Schema, accepted
from ircdice.config.values import channel as channel_name

_NETWORK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(slots=True)
class Block:
    """A section understood: its kind, whose it is, and its checked values. A key that was faulty is in `lines` only."""

    kind: str
    title: str
    line: int
    network: str = ""
    channel: str = ""  # as written
    given: dict[str, Any] = field(default_factory=dict, repr=False)
    lines: dict[str, int] = field(default_factory=dict)
    files: list[Option] = field(default_factory=list)  # `KEY_file`, to be read for KEY


def understand(sections: Iterable[Section], keys: Schema, faults: Faults) -> list[Block]:
    """A block for each section that can be told what it is."""
    blocks: dict[tuple[str, str, str], Block] = {}
    for section in sections:
        block = _named(section, faults) if section.line > 0 else None
        if block is None:
            continue
        # IRC-09: brackets are not folded here, as on some networks `[` and `{` are two letters, not one
        first = blocks.setdefault((block.kind, block.network, fold(block.channel, "ascii")), block)
        if first is not block:
            faults.add(block.line, f"stands on line {first.line} already", section=block.title)
        _fill(block, section.options, accepted(keys, block.kind), keys, faults)
    return list(blocks.values())


def _named(section: Section, faults: Faults) -> Block | None:
    title = " ".join(section.title.split())
    kind, _, name = title.partition(" ")
    kind = kind.lower()
    block = Block(kind, title, section.line)
    try:
        if kind not in TITLES:
            raise ValueError(f"no such section; {nearest(kind, TITLES)}")
        if ("NAME" in TITLES[kind]) != bool(name):
            raise ValueError(f"the section is called [{TITLES[kind]}]")
        if kind == "network":
            block.network = _network(name)
        elif kind == "channel":
            block.network, _, channel = name.partition("/")
            block.channel = channel_name(channel)
    except ValueError as error:
        faults.add(section.line, str(error), section=section.title)
        return None
    return block


def _network(name: str) -> str:
    if not _NETWORK.fullmatch(name):
        raise ValueError("a network's name is of letters, digits, . - and _")
    return name


def _fill(block: Block, options: Iterable[Option], known: dict[str, Key], keys: Schema, faults: Faults) -> None:
    for option in options:
        name = option.key.removesuffix("_file")
        from_file = option.key not in known and name in known and known[name].secret
        if option.key not in known and not from_file:
            faults.add(option.line, _unknown(option.key, known, keys), section=block.title, key=option.key)
        elif option.key in block.lines:
            sentence = f"stands on line {block.lines[option.key]} already"
            faults.add(option.line, sentence, section=block.title, key=option.key)
        else:
            block.lines[option.key] = option.line
            if from_file:
                block.files.append(option)
            else:
                take(block, known[option.key], option, faults)


def take(block: Block, key: Key, option: Option, faults: Faults) -> None:
    """Check one value and note it, or its fault."""
    try:
        block.given[key.name] = key.parse(option.value)
    except ValueError as error:
        faults.add(option.line, str(error), section=block.title, key=option.key)


def _unknown(key: str, known: dict[str, Key], keys: Schema) -> str:
    homes = [f"[{TITLES[kind]}]" for kind in TITLES if key in {own.name for own in keys[kind]}]
    if homes:
        return f"belongs in {' or '.join(homes)}"
    names = [*known, *(f"{name}_file" for name, own in known.items() if own.secret)]
    return f"no such key; {nearest(key, names)}"
