"""What checks found, over REST: in the groups of the token alone, what fails first."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.drift import EVERY_GROUP, Finding
from memstrata.memory.access import Right
from memstrata.ports import Severity
from memstrata.workflow.judging import note_findings, note_inability

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

LAST = date(2026, 3, 31)
OWN, FOREIGN = "acme/eng", "beta/secret"
CANARY = "Zanzibar"


def noted(
    serving: Serving,
    check: str,
    group_id: str,
    *values: float,
    limit: float = 0.1,
    severity: Severity = Severity.WARNING,
    said: str = "",
) -> None:
    """One value a day, the last on the last day; above the limit fails."""
    for ago, value in zip(range(len(values) - 1, -1, -1), values, strict=True):
        finding = Finding(
            check=check,
            group_id=group_id,
            value=value,
            threshold=limit,
            passed=value <= limit,
            sentence=said or f"{check} of {group_id} is {value}.",
            details={"entities": 4.0},
        )
        day = LAST - timedelta(days=ago)
        note_findings(serving.installation, [finding], day=day, severity=severity)


@pytest.fixture
def owner(serving: Serving) -> TestClient:
    """Asks with a token for everything, of a memory with two groups."""
    client = serving.client(serving.token("*"))
    for group in (OWN, FOREIGN):
        told = {"content": "Ada Byron has worked at Acme since 2021.", "group_id": group}
        client.post("/v1/episodes", json={"episodes": [told], "wait": True})
    noted(serving, "orphan_entities", OWN, *[0.05] * 9, 0.2)
    noted(serving, "stale_facts", OWN, 0.01)
    noted(serving, "bitemporal_invariants", OWN, 2.0, severity=Severity.ERROR)
    noted(serving, "orphan_entities", FOREIGN, 0.3, said=f"Look at {CANARY}.")
    noted(serving, "episodes_suite", EVERY_GROUP, 0.0, said=f"All of {CANARY} passes.")
    return client


def items(client: TestClient, **params: Any) -> list[dict[str, Any]]:
    answer = client.get("/v1/checks", params=params)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def keys(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["latest"]["check"], one["latest"]["group_id"]) for one in found]


def test_errors_come_first_then_other_failures_then_what_passes(owner: TestClient) -> None:
    assert keys(items(owner)) == [
        ("bitemporal_invariants", OWN),
        ("orphan_entities", OWN),
        ("orphan_entities", FOREIGN),
        ("episodes_suite", EVERY_GROUP),
        ("stale_facts", OWN),
    ]
    assert keys(items(owner, over_all="only")) == [("episodes_suite", EVERY_GROUP)]
    assert keys(items(owner, failing=True))[-1] == ("orphan_entities", FOREIGN)


def test_a_result_says_what_its_number_is_and_when_it_was_found(owner: TestClient) -> None:
    first, second, *_ = items(owner)
    assert first["latest"]["severity"] == "error"
    assert first["about"]["title"] == "Bitemporal invariants"
    assert first["series"] == []
    assert (second["latest"]["day"], second["latest"]["threshold"]) == ("2026-03-31", 0.1)
    assert second["latest"]["details"] == {"entities": 4.0}
    assert datetime.fromisoformat(second["latest"]["at"]) <= datetime.now(UTC)


def test_series_end_with_the_newest_day_and_have_their_baseline(owner: TestClient) -> None:
    found = items(owner, groups=OWN, days=2, over_all="no")
    assert keys(found) == [
        ("bitemporal_invariants", OWN),
        ("orphan_entities", OWN),
        ("stale_facts", OWN),
    ]
    before, last = found[1]["series"]
    assert (before["day"], before["passed"], last["passed"]) == ("2026-03-30", True, False)
    assert last["baseline"] == {"low": 0.05, "middle": 0.05, "high": 0.05, "days": 9}


def test_pages_follow_one_another_without_gap_or_repeat(owner: TestClient) -> None:
    found, cursor = [], None
    while True:
        page = owner.get("/v1/checks", params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert keys(found) == keys(items(owner))
    assert owner.get("/v1/checks", params={"cursor": "anything"}).status_code == 400


def test_one_check_over_time_has_its_sentences(owner: TestClient) -> None:
    asked = {"group_id": OWN, "since": "2026-03-30"}
    answer = owner.get("/v1/checks/orphan_entities", params=asked).json()
    assert answer["about"]["unit"] == "share"
    assert [one["result"]["day"] for one in answer["days"]] == ["2026-03-30", "2026-03-31"]
    assert answer["days"][1]["result"]["sentence"] == f"orphan_entities of {OWN} is 0.2."
    assert answer["days"][1]["baseline"]["days"] == 9
    until = owner.get("/v1/checks/orphan_entities", params={"group_id": OWN, "until": "0001-01-01"})
    assert until.json()["days"] == []


def test_a_check_that_never_ran_there_is_not_found(owner: TestClient) -> None:
    answer = owner.get("/v1/checks/label_shift", params={"group_id": OWN})
    assert answer.status_code == 404
    assert "there are: bitemporal_invariants, orphan_entities, stale_facts" in answer.json()["detail"]


def test_a_group_out_of_reach_and_what_is_over_all_groups_are_never_told(
    serving: Serving, owner: TestClient
) -> None:
    assert owner.get("/v1/checks").status_code == 200
    stranger = serving.client(serving.token(OWN, f"{OWN}/*"))
    for params in ({}, {"groups": "*"}, {"groups": OWN}, {"groups": "*", "over_all": "only", "days": 9}):
        found = stranger.get("/v1/checks", params=params)
        assert {group for _, group in keys(found.json()["items"])} <= {OWN}
        assert CANARY not in found.text
    for group in (FOREIGN, "*"):
        refused = stranger.get("/v1/checks/orphan_entities", params={"group_id": group})
        assert refused.status_code == 403
        assert CANARY not in refused.text
    assert stranger.get("/v1/checks", params={"groups": FOREIGN}).status_code == 403
    assert owner.get("/v1/checks/episodes_suite", params={"group_id": "*"}).status_code == 200


def test_reading_checks_takes_the_right_to_read(serving: Serving, owner: TestClient) -> None:
    assert owner.get("/v1/checks").status_code == 200
    writer = serving.client(serving.token("*", can=[Right.WRITE]))
    assert writer.get("/v1/checks").status_code == 403
    assert writer.get("/v1/checks/orphan_entities", params={"group_id": OWN}).status_code == 403


def test_that_a_check_could_not_run_stands_until_it_has_run(serving: Serving, owner: TestClient) -> None:
    note_inability(serving.installation, "orphan_entities", "It could not run.", day=LAST)
    note_inability(serving.installation, "stale_facts", "It could not run.", day=LAST - timedelta(days=1))
    found = {key: one["latest"] for key, one in zip(keys(items(owner)), items(owner), strict=True)}
    assert found["orphan_entities", EVERY_GROUP]["ran"] is False
    assert ("stale_facts", EVERY_GROUP) not in found


def test_a_memory_that_was_never_checked_has_no_results(client: TestClient) -> None:
    assert client.get("/v1/checks").json() == {"items": [], "next_cursor": None}
