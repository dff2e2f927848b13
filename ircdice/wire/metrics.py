"""Metrics of the wire, by network (IRC-26)."""

from __future__ import annotations

from ircdice.metrics import Registry


class NetworkMetrics:
    """Counters and gauges in a registry."""

    def __init__(self, registry: Registry) -> None:
        self.connected = registry.gauge("ircdice_connected", "1 while the server has accepted the bot.", "network")
        self.waiting = registry.gauge("ircdice_lines_waiting", "Lines not known to be delivered.", "network")
        self.channels = registry.gauge("ircdice_channels", "Channels that the bot is in.", "network")
        self.connections = registry.counter("ircdice_connections_total", "Connections that were begun.", "network")
        self.received = registry.counter("ircdice_lines_received_total", "Lines from the server.", "network")
        self.sent = registry.counter("ircdice_lines_sent_total", "Lines to the server.", "network")
        self.commands = registry.counter("ircdice_commands_total", "Commands that were answered.", "network")
        self.refused = registry.counter("ircdice_refused_total", "Warnings about too many commands.", "network")
        self.delivered = registry.counter("ircdice_replies_total", "Replies known to be delivered.", "network")

    def forget(self, network: str) -> None:
        """The network is no longer in the config."""
        for gauge in (self.connected, self.waiting, self.channels):
            gauge.forget(network)
