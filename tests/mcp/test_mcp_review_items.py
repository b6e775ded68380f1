"""The tool `review_items`: what verification left to a person, and verdicts on it, by an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents import Agent

DOUBTFUL = {
    "subject": "Maren",
    "predicate": "works_at",
    "object": "Oakmere",
    "valid_at": "0001-01-01T00:00:00Z",
}


def doubted(agent: Agent, group: str) -> str:
    """The id of an item that waits: a triple that is dated to the year 1."""
    told = {"name": "a note", "episode_body": json.dumps(DOUBTFUL), "source": "fact_triple"}
    agent.ask("add_memory", group_id=group, **told)
    (item,) = agent.ask("review_items", group_id=group).data["items"]
    assert item["rule"] == "times_are_plausible"
    assert item["says"]["subject"] == "Maren"
    assert item["reason"]
    return str(item["id"])


def facts(agent: Agent, group: str) -> list[str]:
    found = agent.ask("search_memory_facts", query="Maren", group_ids=group)
    return [one["fact"] for one in found.data["facts"]]


def test_an_edit_lets_an_item_count_and_is_committed(agent: Agent, group: str) -> None:
    waits = doubted(agent, group)
    assert facts(agent, group) == []
    verdict = {"action": "edit", "group_id": group, "id": waits, "changes": {"valid_at": "2019"}}
    assert agent.ask("review_items", **verdict, reason="the form says so").data["is_committed"] is True
    assert facts(agent, group) == ["Maren works at Oakmere"]
    assert agent.ask("review_items", group_id=group).data["items"] == []


def test_what_is_rejected_waits_no_more_and_never_counts(agent: Agent, group: str) -> None:
    waits = doubted(agent, group)
    agent.ask("review_items", action="reject", group_id=group, id=waits)
    assert agent.ask("review_items", group_id=group).data["items"] == []
    assert facts(agent, group) == []


def test_a_verdict_that_cannot_stand_says_why_and_changes_nothing(agent: Agent, group: str) -> None:
    waits = doubted(agent, group)
    for wrong, said in (
        ({"action": "accept"}, "give its id"),
        ({"action": "accept", "id": "nothing"}, "nothing that waits for review"),
        ({"action": "edit", "id": waits}, "an edit needs them"),
        ({"action": "edit", "id": waits, "changes": {"kind": "was"}}, "expected one of started"),
        ({"action": "edit", "id": waits, "changes": {"colour": "red"}}, "colour"),
        ({"id": waits}, "give action too"),
    ):
        refused = agent.call("review_items", group_id=group, **wrong)
        assert refused.kind == "incorrect", wrong
        assert said in refused.text, wrong
    assert len(agent.ask("review_items", group_id=group).data["items"]) == 1
    assert agent.ask("review_items", group_id=group, rule="is_stated").data["items"] == []


def test_what_is_held_is_told_by_the_write_with_the_tool_that_shows_it(agent: Agent, group: str) -> None:
    told = {"name": "a note", "episode_body": json.dumps(DOUBTFUL), "source": "fact_triple"}
    answer = agent.ask("add_memory", group_id=group, **told)
    assert answer.data["held_for_review"] == 1
    assert "1 more held for a person's verdict: `review_items`" in answer.text
    plain = agent.ask("add_memory", group_id=group, name="a note", episode_body="Good morning.")
    assert plain.data["held_for_review"] == 0
    assert "verdict" not in plain.text


def test_a_verdict_names_the_fact_that_it_is_about_and_what_became_of_it(agent: Agent, group: str) -> None:
    waits = doubted(agent, group)
    rejected = agent.ask("review_items", action="reject", group_id=group, id=waits)
    assert rejected.text.startswith(f"Decided: reject “Maren works at Oakmere” [item {waits}, decision ")
    changes = {"object": "Ashby", "valid_at": "2019"}
    edited = agent.ask("review_items", action="edit", group_id=group, id=waits, changes=changes)
    assert "edit “Maren works at Oakmere” as “Maren works at Ashby”" in edited.text
    assert edited.data["fact"] == "Maren works at Ashby"
    (fact,) = agent.ask("search_memory_facts", query="Maren", group_ids=group).data["facts"]
    of_fact = agent.ask("review_items", action="reject", group_id=group, id=fact["uuid"])
    assert "reject “Maren works at Ashby” " in of_fact.text


def test_an_id_under_another_name_is_refused_with_the_name_that_is_meant(agent: Agent, group: str) -> None:
    for name in ("entry_id", "item_id"):
        refused = agent.call("review_items", action="accept", group_id=group, **{name: "x"})
        assert f"there is no argument {name!r}; did you mean 'id'?" in refused.text
    refused = agent.call("review_items", group_id=group, max_item=3)
    assert "did you mean 'max_items'?" in refused.text
