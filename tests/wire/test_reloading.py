"""Another config while the bot runs (IRC-25), on real servers."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ircdice.config import Config, Join, Limits, NetworkConfig
from ircdice.errors import ConfigError
from ircdice.run import Errands, Hooks
from ircdice.wire.channels import changed_channels
from ircdice.wire.network import Networks, needs_reconnect
from ircdice.wire.protocol import Support

from .bots import Rolls, config, network, running, whole
from .client import Person
from .plays import QUICK
from .scripted import JOINED, Scripted, scripted
from .servers import Server
from .tables import on_both

NET = NetworkConfig("n", "h", channels=(Join("#a"), Join("#Key", "k")))


@pytest.mark.parametrize(
    ("changed", "lines"),
    [
        ({}, []),
        ({"channels": (Join("#A"), Join("#key", "k"))}, ["JOIN #key,#A k"]),
        ({"channels": (Join("#a"),)}, ["PART #Key :no longer in the config"]),
        ({"channels": (*NET.channels, Join("#b"), Join("#c", "x"))}, ["JOIN #c,#b x"]),
        ({"channels": ()}, [f"PART {name} :no longer in the config" for name in ("#a", "#Key")]),
        ({"nick": "Other"}, []),  # which is asked for on its own
        ({"flood_burst": 9, "relays": ("r",), "ignore": ("x",), "reconnect_longest": 5.0}, []),
    ],
)
def test_what_a_standing_connection_is_sent(changed: dict[str, object], lines: list[str]) -> None:
    """IRC-25: joins and parts as needed, names compared as the server does, and no new connection."""
    new = replace(NET, **changed)  # type: ignore[arg-type]  # the tests know the fields
    assert not needs_reconnect(NET, new)
    assert changed_channels(NET, new, Support()) == lines


@pytest.mark.parametrize(
    "changed", [{"host": "i"}, {"port": 1}, {"tls": False}, {"password": "p"}, {"username": "u"}, {"bind": "::1"}]
)
def test_what_wants_a_new_connection(changed: dict[str, object]) -> None:
    """IRC-25: only what a connection is made of."""
    assert needs_reconnect(NET, replace(NET, **changed))  # type: ignore[arg-type]  # the tests know the fields


async def test_joins_parts_and_limits_without_a_reconnect(ngircd_unlimited: Server) -> None:
    """IRC-25: channels come and go, limits and settings change, and the connection stands all the while."""
    port = ngircd_unlimited.port
    net = network(port, "#old1", "#stay1", nick="Reload1")
    async with await Person("rel1").connect(port, "#old1", "#stay1", "#new1") as alice:
        async with running(config(net), bot := Rolls()):
            await alice.sees(":Reload1!\\S+ JOIN :?#(old|stay)1")
            await alice.sees(":Reload1!\\S+ JOIN :?#(old|stay)1")
            limits = Limits(user_burst=1, user_interval=60.0)
            new = network(port, "#new1", "#stay1", nick="Reload1b")
            await bot.fleet.change(config(new, limits=limits, no_highlight=True))
            await alice.sees(":Reload1!\\S+ NICK :?Reload1b")
            await alice.sees(":Reload1b!\\S+ PART #old1")
            await alice.sees(":Reload1b!\\S+ JOIN :?#new1")
            alice.say("#new1", "say 1", "say 2")
            await alice.sees("PRIVMSG #new1 :r\u200bel1: 1; id 1-abc")
            alice.rewind()  # the notice may stand before it
            await alice.sees("NOTICE rel1 :Not rolled: too many")
            assert not any("QUIT" in line for line in alice.seen)
        await alice.sees(":Reload1b!\\S+ QUIT")


@on_both
async def test_a_nick_that_is_taken_at_the_reload(server: Server) -> None:
    """IRC-07, IRC-25: the bot goes on as it is called, and has the other nick as soon as it falls free."""
    async with await Person("renews").connect(server.port, "#renew") as alice:
        sitter = await Person("Renamed").connect(server.port, "#renew")
        async with running(config(network(server.port, "#renew", nick="Renamed0")), bot := Rolls()):
            await alice.sees(":Renamed0!\\S+ JOIN")
            await bot.fleet.change(config(network(server.port, "#renew", nick="Renamed")))
            alice.say("#renew", "say still here")
            await alice.sees(":Renamed0!\\S+ PRIVMSG #renew :renews: still here")
            sitter.send("QUIT :bye")
            await alice.sees(":Renamed0!\\S+ NICK :?Renamed$")
        await sitter.__aexit__()


async def test_a_reload_allows_no_second_burst() -> None:
    """IRC-22, IRC-25: lines sent just before a reload still count, or the server may say Excess Flood."""

    async def script(server: Scripted) -> None:
        await server.lets_in()
        server.says(*(b":al!u@h PRIVMSG #x :say %d\r\n" % number for number in range(30)))
        await bot.hears(30)
        await server.gets("PRIVMSG")
        await bot.fleet.change(config(replace(net, relays=("bridge",))))
        server.says(b"PING :end\r\n")
        await server.gets("^PONG :end")
        assert sum(line.startswith(("JOIN", "PRIVMSG")) for line in server.got) <= net.flood_burst

    bot = Rolls()
    async with scripted(script) as (port, done):
        net = network(port, "#x", flood_burst=5, flood_interval=600.0)
        async with running(config(net), bot, timeouts=QUICK):
            await asyncio.wait_for(done, 60)


async def test_networks_come_and_go(ngircd_unlimited: Server, ngircd: Server) -> None:
    """IRC-25: a network that is new is connected to, one that is gone is left, the third does not notice."""
    first, second = ngircd_unlimited.port, ngircd.port

    def net(name: str, port: int, **values: object) -> NetworkConfig:
        return network(port, "#nets", nick=f"Net{name}", name=name, **values)

    async with (
        await Person("nets1").connect(first, "#nets") as alice,
        await Person("nets2").connect(second, "#nets") as bob,
    ):
        async with running(config(net("a", first), net("b", first)), bot := Rolls()):
            for _ in range(2):
                await alice.sees(":Net[ab]!\\S+ JOIN")
            await bot.fleet.change(config(net("b", first), net("c", second)))
            await alice.sees(":Neta!\\S+ QUIT .*the dice rest")
            await bob.sees(":Netc!\\S+ JOIN")
            await bot.fleet.change(config(net("b", first), net("c", second, realname="another")))
            await bob.sees(":Netc!\\S+ QUIT .*back in a moment")
            await bob.sees(":Netc!\\S+ JOIN")
            alice.say("#nets", "say still here")
            await alice.sees(":Netb!\\S+ PRIVMSG #nets :nets1: still here")
            assert not any(re.search(":Netb!\\S+ QUIT", line) for line in alice.seen)
        await alice.sees(":Netb!\\S+ QUIT")


async def test_a_bot_that_leaves_begins_no_network() -> None:
    """IRC-25: a reload that comes to its turn when the bot is leaving connects to nothing that nobody would leave."""

    async def stands(server: Scripted) -> None:
        await server.lets_in()

    async def never(_server: Scripted) -> None:
        raise AssertionError("connected to")

    async with scripted(stands) as (first, done), scripted(never) as (second, never_done):
        net = network(first, "#x")
        async with running(config(net), bot := Rolls()):
            await asyncio.wait_for(done, 60)
            leaving = asyncio.create_task(bot.fleet.leave())
            await asyncio.sleep(0)
            await bot.fleet.change(config(net, network(second, "#x", name="new")))
            await leaving
        assert not never_done.done()


async def test_dsk_12_an_operator_asks(tmp_path: Path) -> None:
    """DSK-12, IRC-14: `status` and `reload` of the account that the config names, and of nobody else."""

    async def script(server: Scripted) -> None:
        await server.gets("^USER ")
        server.says(b":s CAP * LS :account-tag\r\n")
        await server.gets("CAP REQ")
        server.says(b":s CAP * ACK :account-tag\r\n:s 001 FUDice :hi\r\n:s 422 FUDice :no MOTD\r\n", JOINED)
        await server.gets("^JOIN ")
        server.says(b"@account=other :bo!u@h PRIVMSG FUDice :reload\r\n")
        await server.gets("PRIVMSG bo :Only an operator of the bot reloads its config")
        server.says(b"@account=Boss :al!u@h PRIVMSG FUDice :status\r\n")
        await server.gets("PRIVMSG al :test: connected as FUDice; in #x; [0-9]+ lines and 0 commands wait")
        await server.gets(r"PRIVMSG al :ircdice \S+, up 0 h 0 min; no ledger")
        server.says(b"@account=boss :al!u@h PRIVMSG FUDice :reload\r\n")
        await server.gets("PRIVMSG al :the config has 1 faults, which the log names: nothing is changed")
        server.says(b"@account=boss :al!u@h PRIVMSG FUDice :reload\r\n")
        await server.gets("PRIVMSG al :the config is read again")
        await server.gets("PART #x")

    async with scripted(script) as (port, done):
        made, again = (config(network(port, name), operators=("boss",)) for name in ("#x", "#y"))
        faulty = [ConfigError("hots: no such key")]

        def reload() -> Config:
            if faulty:
                raise faulty.pop()
            return again

        async with whole(made, tmp_path) as bot, asyncio.TaskGroup() as tasks:
            fleet = Networks(made, bot)
            bot.services.operations = Errands(fleet, made, Hooks(reload=reload), tasks)
            tasks.create_task(fleet.run())
            await asyncio.wait_for(done, 60)
            await fleet.leave()


CONFIG = """
[bot]
log_file = {log}
log_level = {level}
[network local]
host = 127.0.0.1
port = {port}
tls = no
nick = Hups
channels = {channels}
"""


async def test_signals_of_the_whole_bot(ngircd_unlimited: Server, tmp_path: Path) -> None:
    """IRC-25, IRC-26: SIGHUP takes up the config, or refuses a faulty one; the supervisor is told of each step."""
    path, log, address, port = tmp_path / "c.ini", tmp_path / "log", tmp_path / "notify", ngircd_unlimited.port
    path.write_text(CONFIG.format(log=log, level="info", port=port, channels="#hup1"))
    environ = {**os.environ, "NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "200000"}
    environ.pop("WATCHDOG_PID", None)
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(address))
        receiver.setblocking(False)

        async def told(pattern: str) -> None:
            async with asyncio.timeout(60):
                while not re.match(pattern, (await loop.sock_recv(receiver, 1000)).decode()):
                    pass

        async with await Person("hupper").connect(port, "#hup1", "#hup2") as alice:
            command = [sys.executable, "-m", "ircdice", "run", "-c", str(path)]
            process = await asyncio.create_subprocess_exec(*command, env=environ)
            try:
                await told("READY=1\nSTATUS=networks: local")
                await told("WATCHDOG=1")
                await told("WATCHDOG=1")
                await alice.sees(":Hups!\\S+ JOIN :?#hup1")
                changed = CONFIG.format(log=log, level="debug", port=port, channels="#hup2")
                path.write_text(changed.replace("[bot]", "[bot]\nepoch_hours = 9\ndocs_url = https://docs.example"))
                process.send_signal(signal.SIGHUP)
                await told("RELOADING=1\nMONOTONIC_USEC=")
                await told("READY=1")
                await alice.sees(":Hups!\\S+ PART #hup1")
                await alice.sees(":Hups!\\S+ JOIN :?#hup2")
                path.write_text("[network local]\nhots = x\n")
                process.send_signal(signal.SIGHUP)
                await told("RELOADING=1")
                await told("READY=1")
                alice.say("#hup2", "roll 1d10 h0")
                await alice.sees("PRIVMSG #hup2 :hupper: ")
                process.send_signal(signal.SIGTERM)
                await told("STOPPING=1")
                assert await asyncio.wait_for(process.wait(), 60) == 0
            finally:
                if process.returncode is None:
                    process.kill()
    lines = log.read_text()
    assert "hots: no such key" in lines
    assert "keeps the old config: the config has 2 faults" in lines
    assert " debug logger=" in lines
    assert re.findall(r"\[bot\] (\w+): the new value is used after a restart", lines) == ["epoch_hours"]
    assert logging.getLogger("ircdice").level != logging.DEBUG, "that of the process, not ours"
