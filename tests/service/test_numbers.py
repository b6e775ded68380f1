"""The numbers of one process, and of one of several."""

from __future__ import annotations

from memstrata.service.metrics import Metrics


def test_one_of_several_processes_says_which_it_is_and_a_process_alone_does_not() -> None:
    alone, third = Metrics(worker=""), Metrics(worker="3")
    for one in (alone, third):
        one.observe("/v1/search", "GET", 200, 0.01)
    assert 'memstrata_http_requests_total{method="GET",route="/v1/search",status="200"} 1.0' in (
        alone.text(None).decode()
    )
    assert 'route="/v1/search",status="200",worker="3"} 1.0' in third.text(None).decode()
