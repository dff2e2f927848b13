"""Counters: what the wire counts, by network (IRC-26). Names alone."""

from __future__ import annotations

from ircdice.metrics import Registry


class NetworkMetrics:
    """What the wire counts, in a registry."""

    def __init__(self, registry: Registry) -> None:
        self.connected = registry.gauge("ircdice_connected", "1 while the server has let the bot in.", "network")
        self.waiting = registry.gauge("ircdice_lines_waiting", "Lines that are not known to be out.", "network")
        self.channels = registry.gauge("ircdice_channels", "Channels that the bot is in.", "network")
        self.connections = registry.counter("ircdice_connections_total", "Connections that were begun.", "network")
        self.received = registry.counter("ircdice_lines_received_total", "Lines from the server.", "network")
        self.sent = registry.counter("ircdice_lines_sent_total", "Lines to the server.", "network")
        self.commands = registry.counter("ircdice_commands_total", "Commands answered, talk not among them.", "network")
        self.refused = registry.counter("ircdice_refused_total", "Speakers told that it was too much.", "network")
        self.told = registry.counter("ircdice_replies_total", "Replies that are known to be out.", "network")

    def forget(self, network: str) -> None:
        """The network is in the config no more."""
        for gauge in (self.connected, self.waiting, self.channels):
            gauge.forget(network)
