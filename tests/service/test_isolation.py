"""Every route, crossed with the ids and names of a group out of reach: nothing of it is told or changed.

The routes come from the app's own document: one that this table does not know fails the first test.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from serving_world import ADA

from memstrata.language_models.scripted import ScriptedModel
from memstrata.memory.access import Right
from memstrata.workflow.adjudicate import adjudicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient
    from serving_world import Serving

pytestmark = pytest.mark.slow  # hundreds of requests

OWN, FOREIGN = "acme/eng", "beta/secret"
#: Stands in what the foreign group was told, and in nothing that is asked.
CANARY = "Zanzibarcanary"
#: What a model proposes to declare in the foreign group.
PROPOSED = "settled_in"
OPEN = {("get", path) for path in ("/health/live", "/health/ready", "/version", "/metrics")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ids:
    """What a foreigner may have got hold of."""

    episode: str
    fact: str
    entity: str
    operation: str
    cursor: str

    def all(self) -> tuple[str, ...]:
        return (self.episode, self.fact, self.entity, self.operation)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    serving: Serving
    owner: TestClient
    stranger: TestClient
    neighbour: TestClient
    ids: Ids
    before: bytes


@pytest.fixture
def world(serving: Serving) -> World:
    owner = serving.client(serving.token("*"))
    stranger = serving.client(serving.token(OWN, f"{OWN}/*"))
    neighbour = serving.client(serving.token("beta", "beta/sec", "beta/sec2", f"{FOREIGN}/*"))
    told = {**ADA, "content": f"Ada Byron has worked at {CANARY} since 2021.", "group_id": FOREIGN}
    more = {**told, "content": f"Ada Byron moved to {CANARY} Street in May 2024."}
    own = {**ADA, "group_id": OWN}
    owner.post("/v1/episodes", json={"episodes": [told, more], "wait": True})
    owner.post("/v1/episodes", json={"episodes": [own], "wait": True})
    owner.post("/v1/core/human", json={"operation": "set", "text": CANARY, "group_id": FOREIGN})
    _propose(serving, owner)
    asked = {"groups": FOREIGN, "about": "Ada Byron"}
    fact = owner.get("/v1/facts", params=asked).json()["items"][0]["version"]["fact"]
    page = owner.get("/v1/episodes", params={"group_id": FOREIGN, "limit": 1}).json()
    export = owner.post("/v1/operations", json={"kind": "export", "group_id": FOREIGN}).json()
    ids = Ids(
        episode=page["items"][0]["episode_id"],
        fact=fact["id"],
        entity=fact["subject"],
        operation=export["operation_id"],
        cursor=page["next_cursor"],
    )
    return World(
        serving=serving,
        owner=owner,
        stranger=stranger,
        neighbour=neighbour,
        ids=ids,
        before=_whole(owner),
    )


def _propose(serving: Serving, owner: TestClient) -> None:
    for name in (CANARY, "Acme Street"):
        triple = {"subject": "Ada Byron", "predicate": PROPOSED, "object": name}
        told = {"content": triple, "source_type": "fact_triple", "group_id": FOREIGN}
        owner.post("/v1/episodes", json={"episodes": [told], "wait": True})
    said = {"answers": [{"item": 1, "reason": CANARY, "verdict": "exclusive"}]}
    model = ScriptedModel(lambda _: json.dumps(said))
    adjudicate(replace(serving.installation, model=model), FOREIGN, whole=True)
    made = owner.get("/v1/review/proposals", params={"group_id": FOREIGN})
    assert CANARY in made.text


def _whole(owner: TestClient) -> bytes:
    """All that the foreign group holds."""
    parts = (
        owner.get("/v1/export", params={"group_id": FOREIGN, "history": True}).content,
        owner.get("/v1/episodes", params={"group_id": FOREIGN}).content,
        owner.get("/v1/decisions", params={"group_id": FOREIGN}).content,
        owner.get("/v1/core/human/history", params={"group_id": FOREIGN}).content,
    )
    return b"\n".join(parts)


def _bodies(group: str, ids: Ids) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """What is sent in the body of each route that takes one, aimed at a group."""
    places = ([group], [OWN, group], [f"{group.split('/', maxsplit=1)[0]}/*"])
    searches = [{"query": "Ada Byron", "groups": place} for place in places]
    centred = {"query": "Ada", "centre": ids.entity, "rerank": "node_distance", "for": ["fact"]}
    return {
        ("post", "/v1/episodes"): [
            {"episodes": [{**ADA, "group_id": group}]},
            {"episodes": [{**ADA, "group_id": OWN}, {**ADA, "group_id": group}], "wait": True},
            {"episodes": [{**ADA, "group_id": group, "episode_id": ids.episode}]},
        ],
        ("post", "/v1/search"): [
            *searches,
            {**centred, "groups": [group]},
            {"query": "Ada", "groups": [group], "history": True, "system_as_of": "2100"},
            {"query": "Ada", "groups": [group], "filters": {"relations": ["works_at"]}},
        ],
        ("post", "/v1/context"): searches,
        ("post", "/v1/core/{label}"): [
            {"operation": "set", "text": "mine", "group_id": group},
            {"operation": "rule", "rule": {"about": ids.entity}, "group_id": group},
        ],
        ("post", "/v1/decisions"): [
            {"kind": "merge", "pair": ["Ada Byron", ids.entity], "group_id": group},
            {"kind": "keep_apart", "pair": ["Ada Byron", "Acme"], "group_id": group, "wait": True},
        ],
        ("post", "/v1/review/items"): [
            {"verdict": "accept", "rule": "is_stated", "group_id": group, "wait": True},
            {"verdict": "reject", "rule": "is_stated", "group_id": group, "dry_run": True},
            {"verdict": "reject", "predicate": PROPOSED, "group_id": group},
        ],
        ("post", "/v1/review/items/{entry_id}"): [
            {"verdict": "reject", "group_id": group},
            {"verdict": "edit", "changes": {"object": "Acme"}, "group_id": group, "wait": True},
        ],
        ("post", "/v1/review/proposals"): [
            {"predicate": PROPOSED, "verdict": "reject", "group_id": group, "wait": True},
            {"predicate": PROPOSED, "verdict": "accept", "group_id": group},
        ],
        ("post", "/v1/operations"): [
            {"kind": "rebuild", "group_id": group},
            {"kind": "export", "group_id": group},
            {"kind": "clear", "group_id": group},
            {"kind": "work"},
        ],
        ("post", "/v1/operations/ingest"): [{}],
        ("post", "/v1/cypher"): [{"query": "MATCH (n) RETURN n", "group_id": group}],
    }


#: What a query needs beside the group, by the parameter's name.
_ASKED = {
    "query": "Ada Byron",
    "asked": "Ada Byron",
    "entity": "Ada Byron",
    "start": "Ada Byron",
    "end": "Acme",
    "after": "2020",
    "name": "notes.md",
}


def _routes(world: World) -> list[tuple[str, str, dict[str, Any]]]:
    document = world.owner.get("/openapi.json").json()
    return [
        (method, path, said)
        for path, methods in document["paths"].items()
        for method, said in methods.items()
    ]


def _queries(said: dict[str, Any], group: str, ids: Ids) -> Iterator[dict[str, Any]]:
    """The queries of a route, aimed at a group by name, by pattern, by nothing, and by ids."""
    names = {one["name"] for one in said.get("parameters", ()) if one["in"] == "query"}
    asked = {name: value for name, value in _ASKED.items() if name in names}
    if "groups" in names:
        for place in ([group], [OWN, group], [f"{group.split('/', maxsplit=1)[0]}/*"], ["*"]):
            yield {**asked, "groups": place}
    if "group_id" in names:
        yield {**asked, "group_id": group}
        if "cursor" in names:
            yield {**asked, "group_id": group, "cursor": ids.cursor}
    yield asked
    for parameter in {"entity", "asked", "about", "start", "centre"} & names:
        for id_ in ids.all():
            yield {**asked, parameter: id_}


def _requests(world: World, group: str) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any] | None]]:
    bodies = _bodies(group, world.ids)
    for method, template, said in _routes(world):
        if (method, template) in OPEN:
            continue
        sent: list[dict[str, Any] | None] = list(bodies.get((method, template), [None]))
        for path in _paths(template, world.ids):
            for query in _queries(said, group, world.ids):
                for body in sent:
                    yield method, path, query, body


def _paths(template: str, ids: Ids) -> list[str]:
    if "{label}" in template:
        return [template.replace("{label}", "human")]
    if "{" not in template:
        return [template]
    head, rest = template.split("{", 1)
    return [f"{head}{id_}{rest.split('}', 1)[1]}" for id_ in ids.all()]


def test_every_route_with_a_body_is_in_the_table(world: World) -> None:
    with_body = {(method, path) for method, path, said in _routes(world) if "requestBody" in said}
    assert with_body == set(_bodies(FOREIGN, world.ids))


def test_nothing_of_a_group_out_of_reach_is_told_or_changed_by_any_route(world: World) -> None:
    count = 0
    for client in (world.stranger, world.neighbour):
        for method, path, query, body in _requests(world, FOREIGN):
            content = {"content": b"x"} if path.endswith("/ingest") else {"json": body}
            answer = client.request(method, path, params=query, **content)
            where = f"{method} {path} {query} {body}: {answer.status_code}"
            assert answer.status_code != 500, where
            assert CANARY.lower() not in answer.text.lower(), where
            assert FOREIGN not in _told(answer.text, query, body), where
            count += 1
    assert count >= 350
    assert _whole(world.owner) == world.before


def _told(text: str, query: dict[str, Any], body: dict[str, Any] | None) -> str:
    """An answer without what it repeats of the request."""
    reach = text.replace(f"{FOREIGN}/*", "")  # what its own token reaches
    return reach.replace(FOREIGN, "") if FOREIGN in f"{query}{body}" else reach


def test_no_token_gets_past_the_door_of_any_route(world: World) -> None:
    nobody = world.serving.client()
    for method, path, query, body in _requests(world, FOREIGN):
        content = {"content": b"x"} if path.endswith("/ingest") else {"json": body}
        answer = nobody.request(method, path, params=query, **content)
        assert answer.status_code == 401, f"{method} {path}"
    assert _whole(world.owner) == world.before


def test_what_is_not_there_and_what_is_out_of_reach_are_told_alike(world: World) -> None:
    for kind in ("facts", "entities", "episodes", "operations"):
        for id_ in world.ids.all():
            there = world.stranger.get(f"/v1/{kind}/{id_}")
            not_there = world.stranger.get(f"/v1/{kind}/{'0' * len(id_)}")
            assert there.status_code == not_there.status_code == 404
            assert there.json()["detail"].replace(id_, "") == not_there.json()["detail"].replace(
                "0" * len(id_), ""
            )
    for group in (FOREIGN, "beta/nothing"):
        answer = world.stranger.get("/v1/facts", params={"groups": group})
        assert answer.status_code == 403


def test_a_new_tenant_is_answered_with_nothing_before_its_first_write(world: World) -> None:
    tenant = world.serving.client(world.serving.token("newcomer/*"))
    for groups in (None, "newcomer/*", "newcomer/a/*", "*"):
        asked = {} if groups is None else {"groups": groups}
        found = tenant.get("/v1/search", params={"query": "Ada", **asked})
        assert (found.status_code, found.json()["facts"]) == (200, [])
        for path in ("/v1/facts", "/v1/core"):
            listed = tenant.get(path, params=asked)
            assert (listed.status_code, listed.json()["items"]) == (200, [])
        packed = tenant.get("/v1/context", params={"query": "Ada", **asked})
        assert packed.status_code == 200
        assert CANARY not in packed.text


def test_rights_count_within_reach_too(world: World) -> None:
    reader = world.serving.client(world.serving.token(OWN, can=[Right.READ]))
    before = world.owner.get("/v1/decisions", params={"group_id": OWN}).content
    for method, path, query, body in _requests(world, OWN):
        if method == "get" or path in ("/v1/search", "/v1/context", "/v1/cypher"):
            continue
        content = {"content": b"x"} if path.endswith("/ingest") else {"json": body}
        answer = reader.request(method, path, params=query, **content)
        is_export = body is not None and body.get("kind") == "export"
        is_cancel = path.startswith("/v1/operations/") and method == "delete"
        assert answer.status_code == 403 or is_export or is_cancel, f"{method} {path} {answer.text}"
    assert world.owner.get("/v1/decisions", params={"group_id": OWN}).content == before
