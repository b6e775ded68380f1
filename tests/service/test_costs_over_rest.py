"""What models took, over REST: a group's to whoever reads it, everybody's to whoever reads everything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memstrata.memory.access import Right
from memstrata.ports import Call, Stage

if TYPE_CHECKING:
    from serving_world import Serving


@pytest.fixture(autouse=True)
def _spent(serving: Serving) -> None:
    assert serving.installation.calls is not None
    serving.installation.calls.note(
        [
            Call(
                at=datetime(2026, 5, day, tzinfo=UTC),
                group_id=group,
                episode_id="e",
                stage=stage,
                version="model-1",
                model="gpt-5-mini",
                calls=1.0,
                input_tokens=1_000_000,
                output_tokens=0,
            )
            for day, group, stage in (
                (1, "acme/eng", Stage.EXTRACT),
                (2, "acme/eng", Stage.REPAIR),
                (2, "beta/secret", Stage.EXTRACT),
            )
        ]
    )


def test_a_groups_costs_are_for_whoever_reads_it(serving: Serving) -> None:
    client = serving.client(serving.token("acme/eng", can=[Right.READ]))
    told = client.get("/v1/costs", params={"group_id": "acme/eng", "by": ["day", "stage"]}).json()
    assert told["by"] == ["day", "stage"]
    assert [one["key"]["stage"] for one in told["rows"]] == ["extract", "repair"]
    assert told["total"]["cost"] == pytest.approx(0.5)
    assert client.get("/v1/costs", params={"group_id": "beta/secret"}).status_code == 403
    assert client.get("/v1/costs").status_code == 403


def test_all_costs_are_for_whoever_reads_everything(serving: Serving) -> None:
    client = serving.client(serving.token("*", can=[Right.READ]))
    told = client.get("/v1/costs", params={"by": "group", "since": "2026-05-02"}).json()
    assert {one["key"]["group"]: one["calls"] for one in told["rows"]} == {"acme/eng": 1, "beta/secret": 1}
    assert serving.client(serving.token("*", can=[Right.WRITE])).get("/v1/costs").status_code == 403


def test_what_cannot_be_listed_by_is_refused(serving: Serving) -> None:
    client = serving.client(serving.token("*"))
    assert client.get("/v1/costs", params={"by": "colour"}).status_code == 422
