"""Metrics in the Prometheus text format: numbers that are kept anyway, read when somebody asks."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Protocol

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from cellrace_protocol.catalog import CLIENT_MESSAGES
from cellrace_server.core.race import Phase
from cellrace_server.gateway.desk import Desk
from cellrace_server.services.histogram import Histogram
from cellrace_server.services.identities import Known


class Counted(Protocol):
    """A connection, as far as it is counted."""

    @property
    def known(self) -> Known | None: ...

    @property
    def output(self) -> int: ...


class Metrics(Collector):
    """`text()` is what `/metrics` shows. `connections` are those that are open."""

    def __init__(self, desk: Desk, connections: Callable[[], Collection[Counted]]) -> None:
        self._desk = desk
        self._connections = connections
        self._registry = CollectorRegistry(auto_describe=True)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The numbers as they are now; called by the registry."""
        yield from self._people()
        yield from self._races()
        yield from self._messages()
        yield from self._store()

    def _people(self) -> Iterator[Metric]:
        counters, connections = self._desk.counters, self._connections()
        known = {connection.known.player.id for connection in connections if connection.known is not None}
        yield _gauge("connections", "Open WebSocket connections", counters.connections)
        yield _gauge("identities", "Players who are connected", len(known))
        waiting = sum(connection.output for connection in connections)
        yield _gauge("tasks", "Tasks of the event loop", len(asyncio.all_tasks()))
        yield _gauge("output_bytes", "Bytes that wait for peers to read", waiting)
        yield _counter("connections_accepted", "Connections accepted", counters.accepted)
        refused, pages = _by_status(counters.turned_away), _by_status(counters.pages)
        yield _counters("connections_refused", "Connections and pages turned away", "status", refused)
        yield _counters("pages", "Requests answered over plain HTTP", "status", pages)

    def _races(self) -> Iterator[Metric]:
        hall, channels = self._desk.hall, self._desk.channels
        phases = Counter(room.race.phase for room in hall.rooms.values() if room.race is not None)
        family = GaugeMetricFamily("cellrace_races", "Races in memory", labels=["phase"])
        for phase in Phase:
            family.add_metric([phase.value], phases[phase])
        yield family
        yield _gauge("deadlines", "Races that wait for an instant", hall.deadlines)
        yield _gauge("channels", "Races that somebody receives", len(channels))
        yield _gauge("spectators", "Spectators of all races", channels.spectators)

    def _messages(self) -> Iterator[Metric]:
        counters = self._desk.counters
        received = {name: counters.received[kind] for name, kind in CLIENT_MESSAGES.items()}
        yield _counters("messages", "Messages received", "message", received)
        yield _counter("messages_unreadable", "Messages that could not be read", counters.unreadable)
        yield _counters("refusals", "Refused commands and requests", "reason", counters.refusals)
        yield _counters("limited", "Refused for want of credit", "endpoint", counters.limited)

    def _store(self) -> Iterator[Metric]:
        committer = self._desk.hall.committer
        tally = committer.tally
        yield _counter("facts", "Facts made durable", tally.facts)
        yield _counter("moves", "Moves made durable", tally.moves)
        yield _counter("conflicts", "Appends that another node was faster with", tally.conflicts)
        yield _histogram("append_seconds", "Time until the log has a batch", tally.append_s)
        yield _histogram("fan_out_seconds", "Time until a batch is sent to all it concerns", tally.fan_out_s)
        yield _histogram("batch_facts", "Facts in a batch", tally.batch)
        yield _gauge("waiting_races", "Races with facts that wait for the log", committer.waiting_rooms)
        yield _gauge("waiting_commands", "Commands in them that wait for the log", committer.waiting_commands)
        yield _gauge("store_away", "1 while the store does not answer", int(committer.away))
        yield _counter("store_away_seconds", "Time without an answer of the store", committer.away_ms / 1_000)


def _by_status(counted: Mapping[int, int]) -> dict[str, int]:
    return {str(status): count for status, count in counted.items()}


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"cellrace_{name}", text, value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"cellrace_{name}", text, value)


def _counters(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = CounterMetricFamily(f"cellrace_{name}", text, labels=[label])
    for value, count in sorted(values.items()):
        family.add_metric([value], count)
    return family


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    buckets = [(_bound(bound), count) for bound, count in histogram.cumulative()]
    return HistogramMetricFamily(f"cellrace_{name}", text, buckets=buckets, sum_value=histogram.total)


def _bound(bound: float) -> str:
    """A bucket's upper end as the format wants it."""
    return "+Inf" if bound == float("inf") else str(float(bound))
