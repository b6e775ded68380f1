"""The document: whole, stable, with examples; whatever it allows to be asked is answered without a 500."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

#: What clients are generated from: a change here breaks them.
OPERATION_IDS = {
    "add_episodes", "cancel_operation", "communities", "context", "context_by_query", "core_block",
    "core_blocks", "core_history", "cypher", "dead_letters", "decide", "decisions", "diff", "edit_core",
    "entities", "entity", "episode", "episodes", "export", "fact", "facts", "groups", "history",
    "ingest", "live", "metrics", "operation", "operation_file", "operations", "path",
    "proposals", "ready", "release_dead_letter", "restore_fact", "retract_episode", "retract_fact",
    "review", "review_item", "rule", "rule_all", "rule_on_proposal", "schema", "search", "search_by_query",
    "start_operation", "timeline", "version",
}  # fmt: skip


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    made: dict[str, Any] = client.get("/openapi.json").json()
    return made


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [said for methods in document["paths"].values() for said in methods.values()]


def test_operation_ids_are_stable(document: dict[str, Any]) -> None:
    assert {said["operationId"] for said in _operations(document)} >= OPERATION_IDS


def test_every_operation_has_a_summary_an_example_and_its_problems(document: dict[str, Any]) -> None:
    for said in _operations(document):
        assert said["summary"], said["operationId"]
        if said["operationId"] in ("metrics", "export", "operation_file"):
            continue
        good = next(
            one for code, one in said["responses"].items() if code.startswith("2") and "content" in one
        )
        assert "example" in good["content"]["application/json"], said["operationId"]
        assert "application/problem+json" in said["responses"]["422"]["content"], said["operationId"]


def test_every_answer_is_described_to_its_last_record(document: dict[str, Any]) -> None:
    components = document["components"]["schemas"]
    for said in _operations(document):
        for code, answer in said["responses"].items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
            if code.startswith("2") and schema is not None:
                name = schema["$ref"].rpartition("/")[2]
                assert components[name]["properties"], said["operationId"]
    assert components["Fact"]["properties"]["valid_at"]["anyOf"][0] == {
        "type": "string",
        "format": "date-time",
    }
    pointed = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert pointed <= components.keys()


def test_unknown_fields_are_refused_by_the_document_too(document: dict[str, Any]) -> None:
    bodies = {name: one for name, one in document["components"]["schemas"].items() if name.endswith("Body")}
    assert len(bodies) >= 6
    assert all(one.get("additionalProperties") is False for one in bodies.values())


@pytest.mark.slow
def test_whatever_the_document_allows_is_answered_without_an_error_of_the_server(
    serving: Serving, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", serving.app)
    answers: Counter[int] = Counter()
    token = serving.token("*")
    headers = {"Authorization": f"Bearer {token}"}
    client = serving.client(token)
    client.post("/v1/episodes", json={"episodes": [{"content": "Ada works at Acme."}], "wait": True})
    for found in schema.get_all_operations():
        operation = found.ok()
        strategy = operation.as_strategy()

        @given(case=strategy)
        @settings(
            max_examples=12,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def answered(case: schemathesis.Case) -> None:
            response = case.call(headers=headers)
            assert response.status_code != 500, case.as_curl_command()
            assert response.headers["content-type"], case.as_curl_command()
            case.operation.validate_response(response)  # it is what the document says
            answers[response.status_code] += 1

        answered()
    assert sum(answers.values()) >= 300, answers
    assert {200, 202, 400, 404} <= answers.keys(), answers  # it got past the door
