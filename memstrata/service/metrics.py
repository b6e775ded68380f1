"""Numbers for Prometheus: requests by route and status, what waits, commits' lag. No group names."""

from __future__ import annotations

import multiprocessing
import os
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from memstrata.workflow.lag import Lag

_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
#: So that nobody's invented methods become labels.
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _worker() -> str:
    """This process's id where several serve, each started by the first; else nothing."""
    return "" if multiprocessing.parent_process() is None else str(os.getpid())


class Metrics:
    """The numbers of one process."""

    def __init__(self, worker: str | None = None) -> None:
        """As of one of several processes, the numbers of requests carry the label `worker`."""
        self._registry = CollectorRegistry()
        named = _worker() if worker is None else worker
        self._worker = (named,) if named else ()
        label = ("worker",) if named else ()
        self._requests = Counter(
            "memstrata_http_requests",
            "Requests answered.",
            ("route", "method", "status", *label),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "memstrata_http_request_seconds",
            "From a request's arrival to the end of its answer.",
            ("route", "method", *label),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._waiting = Gauge(
            "memstrata_waiting", "What waits for a stage.", ("stage",), registry=self._registry
        )
        self._oldest = Gauge(
            "memstrata_waiting_oldest_seconds",
            "How long the oldest has waited for a stage.",
            ("stage",),
            registry=self._registry,
        )
        self._lag = Gauge(
            "memstrata_commit_lag_seconds",
            "From acceptance to commit, of the episodes committed last.",
            ("quantile",),
            registry=self._registry,
        )

    def observe(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts one request."""
        known = method if method in _METHODS else "other"
        self._requests.labels(route, known, str(status), *self._worker).inc()
        self._seconds.labels(route, known, *self._worker).observe(seconds)

    def text(self, lag: Lag | None) -> bytes:
        """All numbers in Prometheus' text format; without a lag what waits is left out."""
        for gauge in (self._waiting, self._oldest, self._lag):
            gauge.clear()
        if lag is not None:
            for stage in lag.stages:
                self._waiting.labels(stage.name).set(stage.waiting)
                if stage.oldest is not None:
                    self._oldest.labels(stage.name).set(stage.oldest.total_seconds())
            for name, value in (("0.5", lag.p50), ("0.95", lag.p95)):
                if value is not None:
                    self._lag.labels(name).set(value.total_seconds())
        return generate_latest(self._registry)
