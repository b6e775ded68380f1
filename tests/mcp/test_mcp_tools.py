"""Every tool, called by the SDK's client over both transports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from agents import Agent, Reply

pytestmark = pytest.mark.slow

GRAPHITI = {
    "add_memory": {
        "name", "episode_body", "group_id", "source", "source_description", "uuid", "reference_time",
        "excluded_entity_types", "custom_extraction_instructions", "previous_episode_uuids",
        "update_communities", "saga", "saga_previous_episode_uuid",
    },
    "search_nodes": {"query", "group_ids", "max_nodes", "entity_types", "center_node_uuid"},
    "search_memory_facts": {
        "query", "group_ids", "max_facts", "center_node_uuid", "edge_types", "valid_at_after",
        "valid_at_before", "invalid_at_after", "invalid_at_before",
    },
    "get_episodes": {"group_ids", "max_episodes"},
    "get_entity_edge": {"uuid"},
    "get_episode_entities": {"episode_uuids"},
    "delete_episode": {"uuid"},
    "delete_entity_edge": {"uuid"},
    "add_triplet": {
        "source_node_name", "edge_name", "fact", "target_node_name", "group_id", "source_node_uuid",
        "target_node_uuid",
    },
    "build_communities": {"group_ids"},
    "clear_graph": {"group_ids"},
    "get_status": set(),
}  # fmt: skip
RETRACTING = {"delete_episode", "delete_entity_edge", "clear_graph"}
ADDING = {"add_memory", "add_triplet", "review", "review_items", "review_proposals"}


def told(agent: Agent, group: str, body: str, **more: object) -> Reply:
    return agent.ask("add_memory", name="a note", episode_body=body, group_id=group, **more)


def test_graphitis_tools_are_there_with_its_arguments(agent: Agent) -> None:
    tools = agent.tools()
    for name, arguments in GRAPHITI.items():
        assert arguments <= set(tools[name].input_schema["properties"]), name


def test_every_tool_says_what_it_does_to_the_memory_and_describes_its_arguments(agent: Agent) -> None:
    for name, tool in agent.tools().items():
        hints = tool.annotations
        assert hints is not None
        assert tool.description
        assert hints.destructive_hint is (name in RETRACTING)
        assert hints.read_only_hint is (name not in RETRACTING | ADDING)
        assert hints.open_world_hint is False
        assert tool.input_schema["additionalProperties"] is False
        for argument, field in tool.input_schema["properties"].items():
            assert field.get("description"), (name, argument)


def test_what_was_added_is_found_at_once_with_its_citation(agent: Agent, group: str) -> None:
    added = told(agent, group, "Grace Hopper has worked at Remington since 1949.")
    episode, fact = added.data["episode_uuid"], added.data["facts"][0]["uuid"]
    found = agent.ask("search_memory_facts", query="Where does Grace Hopper work?", group_ids=group)
    (edge,) = found.data["facts"]
    assert (edge["uuid"], edge["episodes"]) == (fact, [episode])
    assert edge["valid_at"] == "1949-01-01T00:00:00Z"
    assert fact in found.text
    assert episode in found.text
    assert "valid from 1949 to present" in found.text


def test_a_fact_that_has_ended_is_found_at_its_time_and_not_now(agent: Agent, group: str) -> None:
    told(agent, group, "Ada has lived in Lisbon since March 2020.", reference_time="2020-03-01")
    told(agent, group, "Ada lived in Lisbon until May 2024.", reference_time="2024-06-01")
    told(agent, group, "Ada has lived in Porto since May 2024.", reference_time="2024-06-01")
    now = agent.ask("search_memory_facts", query="where does Ada live", group_ids=[group])
    then = agent.ask("as_of", query="where did Ada live", as_of="2022", group_ids=[group])
    assert {one["target_node_name"] for one in now.data["facts"]} == {"Porto"}
    assert {one["target_node_name"] for one in then.data["facts"]} == {"Lisbon"}


def test_what_was_learnt_later_is_unknown_as_of_an_earlier_system_time(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lives in Lisbon.")
    found = agent.ask("as_of", query="Ada", system_as_of="2020-01-01", group_ids=group)
    assert found.data["facts"] == []


def test_bounds_choose_facts_by_when_they_began_and_ended(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lived in Lisbon until May 2023. Ada has worked at Acme since March 2021.")
    asked = {"query": "Ada", "group_ids": group}
    ended = agent.ask("search_memory_facts", **asked, invalid_at_after="2023-01-01")
    begun = agent.ask("search_memory_facts", **asked, valid_at_after="2021", valid_at_before="2021-12-31")
    never = agent.ask("search_memory_facts", **asked, valid_at_after="2022")
    assert [one["name"] for one in ended.data["facts"]] == ["lives_in"]
    assert [one["name"] for one in begun.data["facts"]] == ["works_at"]
    assert never.data["facts"] == []


def test_relations_and_types_narrow_a_search(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lives in Lisbon. Ada works at Acme.")
    facts = agent.ask("search_memory_facts", query="Ada", group_ids=group, edge_types=["works at"])
    nodes = agent.ask("search_nodes", query="Lisbon Ada", group_ids=group, entity_types=["place"])
    assert [one["name"] for one in facts.data["facts"]] == ["works_at"]
    assert [one["name"] for one in nodes.data["nodes"]] == ["Lisbon"]
    wrong = agent.call("search_memory_facts", query="Ada", group_ids=group, edge_types=["works_in"])
    assert wrong.kind == "incorrect"
    assert "works_at" in wrong.text


def test_a_centre_ranks_what_is_near_first(agent: Agent, group: str) -> None:
    added = told(agent, group, "Ada works at Acme. Acme is in Lisbon. Bob works at Globex.")
    centre = agent.ask("search_nodes", query="Globex", group_ids=group).data["nodes"][0]["uuid"]
    found = agent.ask("search_memory_facts", query="works at", group_ids=group, center_node_uuid=centre)
    nodes = agent.ask("search_nodes", query="Acme Bob", group_ids=group, center_node_uuid=centre)
    assert added.data["facts"]
    assert found.data["facts"][0]["target_node_name"] == "Globex"
    assert nodes.data["nodes"][0]["name"] == "Bob"


def test_a_context_packs_facts_and_turns_into_its_budget(agent: Agent, group: str) -> None:
    added = told(agent, group, "Ada: I have worked at Acme since 2021.", source="message")
    found = agent.ask("context", query="where does Ada work?", group_ids=group, budget=300)
    assert found.data["tokens"] <= 300
    assert added.data["facts"][0]["uuid"] in found.text
    assert found.data["text"] in found.text
    assert added.data["episode_uuid"] in found.data["episodes"]


def test_a_history_keeps_what_was_retracted_with_its_quote(agent: Agent, group: str) -> None:
    added = told(agent, group, "Ada lives in Lisbon.")
    fact = added.data["facts"][0]["uuid"]
    agent.ask("delete_episode", uuid=added.data["episode_uuid"], group_id=group)
    gone = agent.ask("get_entity_edge", uuid=fact)
    assert agent.ask("search_memory_facts", query="Ada Lisbon", group_ids=group).data["facts"] == []
    assert gone.data["is_believed"] is False
    assert gone.data["evidence"][0]["quote"] == "Ada lives in Lisbon."
    assert "believed until" in agent.ask("history", about=fact, group_ids=group).text
    again = agent.call("delete_episode", uuid=added.data["episode_uuid"], group_id=group)
    assert again.kind == "incorrect"
    assert "already" in again.text


def test_one_fact_is_withdrawn_and_the_rest_of_its_episode_stays(agent: Agent, group: str) -> None:
    added = told(agent, group, "Ada lives in Lisbon. Ada works at Acme.")
    wrong = next(one["uuid"] for one in added.data["facts"] if one["name"] == "lives_in")
    done = agent.ask("delete_entity_edge", uuid=wrong)
    left = agent.ask("search_memory_facts", query="Ada", group_ids=group)
    assert done.data["is_committed"] is True
    assert [one["name"] for one in left.data["facts"]] == ["works_at"]


def test_a_group_is_cleared_and_no_other(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lives in Lisbon.")
    told(agent, f"{group}/beside", "Ada lives in Porto.")
    cleared = agent.ask("clear_graph", group_ids=[group])
    assert cleared.data["groups"] == [{"group_id": group, "episodes": 1, "is_committed": True}]
    assert agent.ask("search_memory_facts", query="Ada", group_ids=group).data["facts"] == []
    assert agent.ask("search_memory_facts", query="Ada", group_ids=f"{group}/beside").data["facts"]
    assert agent.call("clear_graph", group_ids=f"{group}/*").kind == "incorrect"


def test_a_triplet_is_a_fact_of_the_entity_whose_id_is_given(agent: Agent, group: str) -> None:
    ada = told(agent, group, "Ada lives in Lisbon.").data["facts"][0]["source_node_uuid"]
    triplet = {
        "source_node_name": "Ada",
        "edge_name": "plays",
        "fact": "Ada plays chess.",
        "target_node_name": "chess",
        "group_id": group,
        "valid_at": "2019-05",
    }
    added = agent.ask("add_triplet", **triplet, source_node_uuid=ada)
    (fact,) = added.data["facts"]
    assert (fact["name"], fact["source_node_uuid"], fact["fact"]) == ("plays", ada, "Ada plays chess.")
    assert fact["valid_at"] == "2019-05-01T00:00:00Z"
    unknown = agent.call("add_triplet", **triplet, source_node_uuid="0" * 8)
    other = agent.call("add_triplet", **{**triplet, "source_node_name": "Bob"}, source_node_uuid=ada)
    assert (unknown.kind, other.kind) == ("incorrect", "incorrect")
    assert "'Ada', not 'Bob'" in other.text


def test_episodes_come_latest_first_and_page_by_page(agent: Agent, group: str) -> None:
    ids = [
        told(agent, group, f"Ada visited city number {n}.", source_description="diary").data["episode_uuid"]
        for n in range(3)
    ]
    first = agent.ask("get_episodes", group_ids=group, max_episodes=2)
    rest = agent.ask("get_episodes", group_ids=group, cursor=first.data["next_cursor"])
    shown = [one["uuid"] for one in first.data["episodes"] + rest.data["episodes"]]
    assert shown == ids[::-1]
    assert first.data["episodes"][0]["source_description"] == "diary"
    assert first.data["episodes"][0]["name"] == "a note"
    assert "next_cursor" not in rest.data
    assert agent.call("get_episodes", group_ids=group, cursor="x").kind == "incorrect"


def test_a_pattern_lists_the_episodes_of_all_groups_below(agent: Agent, group: str) -> None:
    ids = {told(agent, f"{group}/{n}", f"Note {n} on Ada.").data["episode_uuid"] for n in range(2)}
    found = agent.ask("get_episodes", group_ids=f"{group}/*")
    assert {one["uuid"] for one in found.data["episodes"]} == ids


def test_what_an_episode_left_is_told(agent: Agent, group: str) -> None:
    added = told(agent, group, "Ada lives in Lisbon.")
    left = agent.ask("get_episode_entities", episode_uuids=[added.data["episode_uuid"]])
    assert {one["name"] for one in left.data["nodes"]} == {"Ada", "Lisbon"}
    assert [one["uuid"] for one in left.data["edges"]] == [added.data["facts"][0]["uuid"]]


def test_a_key_of_ones_own_replaces_the_episode(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lives in Lisbon.", uuid="note-1", reference_time="2024-01-01")
    told(agent, group, "Ada lives in Porto.", uuid="note-1", reference_time="2024-01-01")
    found = agent.ask("search_memory_facts", query="Ada", group_ids=group)
    assert [one["target_node_name"] for one in found.data["facts"]] == ["Porto"]


def test_json_is_taken_as_json_and_what_is_none_is_refused(agent: Agent, group: str) -> None:
    body = '{"subject": "Ada", "predicate": "plays", "object": "chess"}'
    assert told(agent, group, body, source="FACT_TRIPLE").data["facts"][0]["name"] == "plays"
    told(agent, group, '{"city": "Porto"}', source="json")
    wrong = agent.call("add_memory", name="x", episode_body="{city", source="json", group_id=group)
    assert wrong.kind == "incorrect"


def test_a_saga_goes_on_after_the_episode_that_is_named(agent: Agent, group: str) -> None:
    first = told(agent, group, "Ada: I live in Lisbon.", source="message", saga="chat").data["episode_uuid"]
    told(agent, group, "Ada: I like it.", source="message", saga="chat", saga_previous_episode_uuid=first)
    wrong = agent.call(
        "add_memory",
        name="x",
        episode_body="Ada: So.",
        group_id=group,
        saga="another",
        saga_previous_episode_uuid=first,
    )
    assert wrong.kind == "incorrect"


def test_hints_that_are_not_used_are_told_and_what_cannot_be_kept_out_is_refused(
    agent: Agent, group: str
) -> None:
    noted = told(agent, group, "Ada lives in Lisbon.", custom_extraction_instructions="be brief")
    assert "custom_extraction_instructions" in noted.data["notes"][0]
    refused = agent.call(
        "add_memory", name="x", episode_body="Bob.", group_id=group, excluded_entity_types=["person"]
    )
    assert refused.kind == "unsupported"
    assert len(agent.ask("get_episodes", group_ids=group).data["episodes"]) == 1


def test_what_is_not_waited_for_is_kept_and_listed(agent: Agent, group: str) -> None:
    queued = told(agent, group, "Ada lives in Lisbon.", wait=False)
    assert queued.data["is_committed"] is False
    listed = agent.ask("get_episodes", group_ids=group)
    assert [one["uuid"] for one in listed.data["episodes"]] == [queued.data["episode_uuid"]]


def test_the_schema_names_what_filters_can_name(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lives in Lisbon.")
    found = agent.ask("schema", group_id=group)
    assert {"name": "lives_in"} in found.data["relations"]
    assert {"name": "place"} in found.data["entity_types"]


def test_cypher_on_sqlite_is_unsupported_and_names_neo4j(agent: Agent, group: str) -> None:
    refused = agent.call("read_cypher", query="MATCH (n) RETURN n", group_id=group)
    assert refused.kind == "unsupported"
    assert "neo4j" in refused.text.lower()


def test_the_status_counts_what_the_groups_hold(agent: Agent, group: str) -> None:
    told(agent, group, "Ada lives in Lisbon.")
    status = agent.ask("get_status")
    held = {one["group_id"]: one for one in status.data["groups"]}
    assert status.data["status"] == "ok"
    assert (held[group]["episodes"], held[group]["facts"]) == (1, 1)


def test_who_belongs_together_is_told_with_a_report(agent: Agent, group: str) -> None:
    pytest.importorskip("graspologic_native")
    told(agent, group, "Ada works at Acme. Bob works at Acme. Zoe works at Globex. Max works at Globex.")
    found = agent.ask("build_communities", group_ids=group)
    named = [{member["name"] for member in one["members"]} for one in found.data["communities"]]
    assert sorted(named, key=sorted) == [{"Ada", "Bob", "Acme"}, {"Zoe", "Max", "Globex"}]
    assert all(one["summary"] for one in found.data["communities"])


def test_a_doubtful_pair_is_listed_decided_and_listed_no_more(agent: Agent, group: str) -> None:
    for name, employer in (("Tom", "Lab"), ("Tom Weller", "Mill")):
        triple = {
            "subject": {"name": name, "type": "person", "attributes": {"employer": employer}},
            "predicate": "likes",
            "object": {"literal": f"the {employer}"},
        }
        told(agent, group, json.dumps(triple), source="fact_triple")
    (pair,) = agent.ask("review", group_id=group).data["pairs"]
    assert {pair["left"]["name"], pair["right"]["name"]} == {"Tom", "Tom Weller"}
    assert pair["reason"]
    half = agent.call("review", action="merge", group_id=group, left=pair["left"]["uuid"])
    assert half.kind == "incorrect"
    assert agent.call("review", group_id=group, left="Tom").kind == "incorrect"
    verdict = {"group_id": group, "left": pair["left"]["uuid"], "right": pair["right"]["uuid"]}
    done = agent.ask("review", action="keep_apart", **verdict, reason="two desks")
    assert done.data["is_committed"] is True
    assert agent.ask("review", group_id=group).data["pairs"] == []
