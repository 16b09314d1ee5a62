"""Metrics in the Prometheus text format: numbers that are kept anyway, read when somebody asks."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from cellrace_server.gateway.channels import Channels
from cellrace_server.gateway.counters import Counters
from cellrace_server.services.hall import Hall


class Metrics(Collector):
    """`text()` is what `/metrics` shows."""

    def __init__(self, counters: Counters, hall: Hall, channels: Channels) -> None:
        self._counters = counters
        self._hall = hall
        self._channels = channels
        self._registry = CollectorRegistry(auto_describe=True)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The numbers as they are now; called by the registry."""
        counters, commits = self._counters, self._hall.committer.tally
        yield _gauge("connections", "Open WebSocket connections", counters.connections)
        yield _gauge("races", "Races in memory", len(self._hall.rooms))
        yield _gauge("channels", "Races that somebody receives", len(self._channels))
        yield _gauge("store_away", "1 while the store does not answer", int(self._hall.committer.away))
        yield _counter("connections", "Connections accepted", counters.accepted)
        yield _counter("connections_refused", "Connections turned away", counters.turned_away)
        yield _counter("messages", "Messages received", counters.received)
        yield _counter("messages_unreadable", "Messages that could not be read", counters.unreadable)
        yield _counter("appends", "Round trips to the log", commits.appends)
        yield _counter("facts", "Facts made durable", commits.facts)
        yield _counter("append_seconds", "Time spent waiting for the log", commits.waited_ms / 1_000)
        yield _counter("conflicts", "Appends that another node was faster with", commits.conflicts)
        refusals = CounterMetricFamily("cellrace_refusals", "Refused commands", labels=["reason"])
        for reason, count in sorted(counters.refusals.items()):
            refusals.add_metric([reason], count)
        yield refusals
        limited = CounterMetricFamily("cellrace_limited", "Refused for want of credit", labels=["endpoint"])
        for endpoint, count in sorted(counters.limited.items()):
            limited.add_metric([endpoint], count)
        yield limited


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"cellrace_{name}", text, value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"cellrace_{name}", text, value)
