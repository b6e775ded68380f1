"""REST as a client meets it: each route does what the library does, and says it in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest
from serving_world import ADA

from memstrata.memory.asking import Asking
from memstrata.memory.rendering import as_json
from memstrata.search.view import View
from memstrata.service.answers import encoded

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving


@pytest.fixture
def told(client: TestClient) -> dict[str, object]:
    more = {"content": "Ada Byron moved to Porto in May 2024.", "reference_time": "2024-06-01"}
    answer = client.post("/v1/episodes", json={"episodes": [ADA, more], "wait": True})
    assert answer.status_code == 201
    said: dict[str, object] = answer.json()
    return said


def _fact_ids(client: TestClient) -> list[str]:
    items = client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"]
    return [one["version"]["fact"]["id"] for one in items]


def test_a_waiting_write_answers_with_the_facts_that_it_began(told: dict[str, object]) -> None:
    (done,) = told["committed"]  # type: ignore[misc]
    assert done["waiting"] == ""
    assert done["commit"]["seq"] >= 1
    assert any("Acme" in fact["fact"] for fact in done["created"])


def test_what_is_accepted_without_waiting_is_listed_and_found_by_id_at_once(client: TestClient) -> None:
    answer = client.post("/v1/episodes", json={"episodes": [ADA]})
    (episode_id,) = answer.json()["episode_ids"]
    assert answer.status_code == 202
    assert client.get(f"/v1/episodes/{episode_id}").json()["episode"]["content"] == ADA["content"]
    assert [one["episode_id"] for one in client.get("/v1/episodes").json()["items"]] == [episode_id]


def test_one_bad_episode_of_many_is_named_and_none_is_accepted(client: TestClient) -> None:
    answer = client.post("/v1/episodes", json={"episodes": [ADA, {"content": "   \u0000"}]})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "episodes.1.content"
    assert client.get("/v1/episodes").json()["items"] == []


def test_search_in_a_body_and_in_the_address_answer_alike(
    client: TestClient, told: dict[str, object]
) -> None:
    asked = {"query": "where does Ada work", "for": ["fact"], "as_of": "2024-07", "limit": 3}
    by_body, by_query = client.post("/v1/search", json=asked), client.get("/v1/search", params=asked)
    assert by_body.json()["facts"]
    assert by_body.json() == by_query.json()


def test_answers_are_those_of_the_library_as_every_face_shows_them(
    serving: Serving, told: dict[str, object]
) -> None:
    view = View(groups=("default",))
    asked = Asking(installation=serving.installation)
    for record in (
        asked.history("Ada Byron", view),
        asked.timeline("Ada Byron", view),
        asked.context("Ada", view),
        asked.groups(),
    ):
        assert orjson.loads(encoded(record)) == as_json(record)


def test_a_context_fits_its_budget_and_cites(client: TestClient, told: dict[str, object]) -> None:
    answer = client.post("/v1/context", json={"query": "Ada Byron", "budget": 300}).json()
    assert answer["tokens"] <= 300
    assert answer["facts"][0]["episode_ids"] if "episode_ids" in answer["facts"][0] else answer["text"]


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/v1/history?asked=Ada Byron", "items"),
        ("/v1/timeline?entity=Ada Byron", "spells"),
        ("/v1/diff?after=2020", "changes"),
        ("/v1/groups", "items"),
        ("/v1/entities", "items"),
    ],
)
def test_what_was_told_can_be_read(
    client: TestClient, told: dict[str, object], path: str, key: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.json()[key]


def test_a_fact_and_an_entity_are_found_by_id_and_not_by_each_others(
    client: TestClient, told: dict[str, object]
) -> None:
    fact_id = _fact_ids(client)[0]
    entity_id = client.get("/v1/entities").json()["items"][0]["entity_id"]
    assert client.get(f"/v1/facts/{fact_id}").json()["evidence"]
    assert client.get(f"/v1/entities/{entity_id}").json()["entity"]["entity_id"] == entity_id
    assert client.get(f"/v1/facts/{entity_id}").status_code == 404
    assert client.get(f"/v1/entities/{fact_id}").status_code == 404


def test_a_retracted_episode_takes_its_facts_with_it(client: TestClient, told: dict[str, object]) -> None:
    (first, _) = told["episode_ids"]  # type: ignore[misc]
    before = set(_fact_ids(client))
    answer = client.delete(f"/v1/episodes/{first}", params={"reason": "said in jest", "wait": True})
    assert answer.status_code == 200
    assert set(_fact_ids(client)) < before
    assert client.get(f"/v1/episodes/{first}").json()["is_retracted"]
    assert client.delete(f"/v1/episodes/{first}").status_code in (400, 404, 409)
    (decision,) = client.get("/v1/decisions").json()["items"]
    assert decision["decision"]["reason"] == "said in jest"
    assert decision["seq"] is not None


def test_a_retracted_fact_is_believed_no_more_and_keeps_its_history(
    client: TestClient, told: dict[str, object]
) -> None:
    fact_id = _fact_ids(client)[0]
    assert client.delete(f"/v1/facts/{fact_id}", params={"wait": True}).status_code == 200
    assert fact_id not in _fact_ids(client)
    assert client.get(f"/v1/facts/{fact_id}").json()["versions"][-1]["version"]["expired_at"]


def test_a_verdict_that_is_waited_for_makes_two_one(client: TestClient) -> None:
    said = [
        {"content": f"{name} has worked at Acme since 2021.", "reference_time": "2024-05-14"}
        for name in ("Robert Quill", "Hannah Brook")
    ]
    client.post("/v1/episodes", json={"episodes": said, "wait": True})
    before = len(client.get("/v1/entities").json()["items"])
    verdict = {"kind": "merge", "pair": ["Robert Quill", "Hannah Brook"], "wait": True}
    assert client.post("/v1/decisions", json=verdict).status_code == 201
    assert len(client.get("/v1/entities").json()["items"]) == before - 1


def test_core_blocks_are_edited_and_tell_their_history(client: TestClient) -> None:
    edit = {"operation": "set", "text": "Prefers short answers.", "by": "model", "reason": "was told"}
    assert client.post("/v1/core/human", json=edit).json()["block"]["text"] == edit["text"]
    assert client.get("/v1/core/human").json()["text"] == edit["text"]
    (change,) = client.get("/v1/core/human/history").json()["items"]
    assert (change["by"], change["reason"]) == ("model", "was told")
    assert client.get("/v1/core/persona").status_code == 404
    assert client.get("/v1/core/persona/history").status_code == 404
    assert client.post("/v1/core/human", json={"operation": "rule"}).status_code == 400


def test_lists_go_on_where_a_page_ended(client: TestClient) -> None:
    said = [{"content": f"Note {n}.", "reference_time": "2024-05-14"} for n in range(5)]
    ids = client.post("/v1/episodes", json={"episodes": said}).json()["episode_ids"]
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        params = {"limit": 2} | ({} if cursor is None else {"cursor": cursor})
        page = client.get("/v1/episodes", params=params).json()
        seen += [one["episode_id"] for one in page["items"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert seen == ids[::-1]


def test_an_export_is_the_canonical_one(
    serving: Serving, client: TestClient, told: dict[str, object]
) -> None:
    answer = client.get("/v1/export", params={"history": True})
    lines = list(Asking(installation=serving.installation).export("default", history=True))
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.text.splitlines() == lines


def test_health_metrics_and_version_say_how_it_is(client: TestClient) -> None:
    client.get("/v1/groups")
    assert client.get("/health/live").json() == {"status": "live"}
    stages = {one["name"] for one in client.get("/health/ready").json()["lag"]["stages"]}
    assert stages >= {"compaction", "extraction", "commit"}
    metrics = client.get("/metrics").text
    assert 'memstrata_http_requests_total{method="GET",route="/v1/groups",status="200"} 1.0' in metrics
    assert 'memstrata_waiting{stage="commit"} 0.0' in metrics
    assert client.get("/version").json()["name"] == "memstrata"


def test_who_may_be_one_is_listed_until_somebody_decides(client: TestClient) -> None:
    said = [
        {"content": text, "reference_time": "2024-05-14"}
        for text in (
            "William Harper has worked at Northwind since 2020.",
            "Bill Harper has worked at Contoso since 2021.",
        )
    ]
    client.post("/v1/episodes", json={"episodes": said, "wait": True})
    pairs = client.get("/v1/review").json()["items"]
    names = [{one["left"]["name"], one["right"]["name"]} for one in pairs]
    assert {"William Harper", "Bill Harper"} in names
    pair = pairs[names.index({"William Harper", "Bill Harper"})]
    ids = [pair["left"]["entity_id"], pair["right"]["entity_id"]]
    verdict = {"kind": "keep_apart", "pair": ids, "wait": True}
    assert client.post("/v1/decisions", json=verdict).status_code == 201
    left = client.get("/v1/review").json()["items"]
    assert {"William Harper", "Bill Harper"} not in [
        {one["left"]["name"], one["right"]["name"]} for one in left
    ]


def test_the_tools_of_mcp_stand_beside_the_routes_behind_the_same_gate(serving: Serving) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"Accept": "application/json, text/event-stream"}
    answer = serving.client().post("/mcp", json=asked, headers=headers)
    assert answer.status_code == 200
    assert "search_nodes" in {one["name"] for one in answer.json()["result"]["tools"]}
    serving.token("acme")
    assert serving.client().post("/mcp", json=asked, headers=headers).status_code == 401


def test_what_is_recalled_is_kept_with_the_episode_in_characters(client: TestClient) -> None:
    body = {"content": "I know: Ada works at Acme.", "recalled": ["Ada works at Acme", [0, 6]]}
    answer = client.post("/v1/episodes", json={"episodes": [body], "wait": True})
    (episode_id,) = answer.json()["episode_ids"]
    kept = client.get(f"/v1/episodes/{episode_id}").json()["episode"]
    assert kept["metadata"]["recalled"] == [[0, 6], [8, 25]]
    assert client.get("/v1/facts").json()["items"] == []
    wrong = client.post("/v1/episodes", json={"episodes": [{"content": "Ada.", "recalled": [[0, 9]]}]})
    assert wrong.json()["errors"][0]["field"] == "episodes.0.recalled.0"
