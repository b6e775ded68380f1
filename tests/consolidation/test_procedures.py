from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.consolidation.procedures import mine
from memstrata.consolidation.traces import Step, Trace, traces_of
from memstrata.model import Episode, Rate, SourceType, SupportOf, TimeSource

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from memstrata.model import Json, Procedure

START = datetime(2024, 5, 15, tzinfo=UTC)
TAU = Path(__file__).parents[2] / "../shared/data/tau_bench/gpt-4o-airline_tasks0-24.json.gz"


def episode(
    content: object,
    *,
    name: str = "e",
    saga: str | None = "s",
    position: int | None = None,
    metadata: dict[str, Json] | None = None,
    source_type: SourceType = SourceType.JSON,
) -> Episode:
    return Episode(
        episode_id=name,
        revision=1,
        group_id="g",
        source="agent",
        source_type=source_type,
        content=content if isinstance(content, str) else json.dumps(content),
        reference_time=START + timedelta(minutes=position or 0),
        time_source=TimeSource.OWN,
        ingested_at=START,
        content_hash="",
        saga=saga,
        position=position,
        metadata=metadata or {},
    )


def call(tool: str, arguments: object = "{}", result: object = "done", call_id: str = "c1") -> list[Json]:
    function = {"name": tool, "arguments": arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": call_id, "content": result},
    ]


def test_steps_are_read_in_order_with_their_arguments_and_failures() -> None:
    messages = [
        *call("find", '{"id": 7}', "Error: no such id"),
        *call("find", '{"id": 8}', "done", "c2"),
        *call("note", "cut off {", '{"error": "too long"}', "c3"),
        *call("stop", "", '{"status": "fine"}', "c4"),
    ]
    (trace,) = traces_of([episode(messages)])
    assert [(step.tool, step.arguments, step.failed) for step in trace.steps] == [
        ("find", {"id": 7}, True),
        ("find", {"id": 8}, False),
        ("note", {"input": "cut off {"}, True),
        ("stop", {}, False),
    ]


@pytest.mark.parametrize(
    "content",
    [
        '{"name": "a record"}',
        "[1, 2]",
        "[]",
        "null",
        '{"role": "user", "content": "hello"}',
        '[{"role": "assistant", "content": "hello", "tool_calls": null}]',
        '[{"role": "assistant", "tool_calls": [3, {"function": {"name": 4}}, {}]}]',
        '[{"role": "user", "tool_calls": [{"function": {"name": "x"}}]}]',
        "[" * 100_000,
        "cut {",
    ],
)
def test_json_that_calls_no_tool_is_no_trace(content: str) -> None:
    assert traces_of([episode(content)]) == ()


def test_a_text_that_looks_like_a_trace_is_none() -> None:
    assert traces_of([episode(call("find"), source_type=SourceType.TEXT)]) == ()


def test_messages_may_stand_in_an_object_or_alone() -> None:
    alone, result = call("find")
    for content in ({"messages": [alone, result]}, alone):
        assert [trace.steps[0].tool for trace in traces_of([episode(content)])] == ["find"]


def test_the_trace_episodes_of_a_saga_are_joined_in_order_and_judged_at_the_end() -> None:
    episodes = [
        episode(call("third"), name="c", position=10, metadata={"task": 4, "success": True}),
        episode(call("first"), name="a", position=2, metadata={"task": 4, "success": False}),
        episode("hello", name="t", position=3, source_type=SourceType.MESSAGE),
        episode(call("second"), name="b", position=9, metadata={"task": 4}),
    ]
    (trace,) = traces_of(episodes)
    assert [(step.tool, step.episode_id) for step in trace.steps] == [
        ("first", "a"),
        ("second", "b"),
        ("third", "c"),
    ]
    assert (trace.saga, trace.task, trace.success) == ("s", "4", True)


def test_another_task_and_an_episode_without_saga_begin_another_trace() -> None:
    episodes = [
        episode(call("x"), name="a", position=1, metadata={"task": "one"}),
        episode(call("x"), name="b", position=2, metadata={"task": "two"}),
        episode(call("x"), name="c", saga=None),
        episode(call("x"), name="d", saga=None),
    ]
    found = [(trace.saga, trace.task, trace.success) for trace in traces_of(episodes)]
    assert found == [("c", None, None), ("d", None, None), ("s", "one", None), ("s", "two", None)]


def trace(
    *steps: tuple[str, dict[str, Json]] | tuple[str, dict[str, Json], bool],
    task: str | None = None,
    saga: str = "s",
    success: bool | None = True,
    group: str = "g",
) -> Trace:
    return Trace(
        group_id=group,
        saga=saga,
        task=task,
        success=success,
        steps=tuple(
            Step(
                tool=step[0],
                arguments=step[1],
                episode_id=f"{task or saga}-{place}",
                failed=step[2:] == (True,),
            )
            for place, step in enumerate(steps)
        ),
    )


def shown(procedures: tuple[Procedure, ...]) -> list[list[str]]:
    return [[str(step) for step in procedure.steps] for procedure in procedures]


def test_a_value_used_again_fills_the_same_slot_and_other_values_their_own() -> None:
    traces = [
        trace(("find", {"name": name}), ("book", {"who": name, "seat": seat, "why": "x"}), task=name)
        for name, seat in (("ann", 4), ("bob", 5))
    ]
    assert shown(mine(traces)) == [
        ["find(name=<name: string>)", "book(seat=<seat: integer>, who=<name: string>, why=<why: string>)"]
    ]


def test_values_that_are_equal_in_one_run_only_are_two_slots_of_different_names() -> None:
    traces = [
        trace(("find", {"id": "a"}), ("book", {"id": "a"}), task="1"),
        trace(("find", {"id": "a"}), ("book", {"id": "b"}), task="2"),
    ]
    assert shown(mine(traces)) == [["find(id=<id: string>)", "book(id=<id_2: string>)"]]


def test_truth_values_are_never_taken_for_the_same_value() -> None:
    traces = [trace(("a", {"x": True, "y": None}), ("b", {"z": True}), task=task) for task in "12"]
    assert shown(mine(traces)) == [["a(x=<x: boolean>, y=<y: null>)", "b(z=<z: boolean>)"]]


@pytest.mark.parametrize(
    ("between", "repeats"),
    [
        ([("find", {"id": 1}, True)], False),
        ([("find", {"name": "x"}, True), ("find", {"id": 1}, True)], False),
        ([("find", {"id": 2})], False),
        ([("find", {"id": 1})], True),
    ],
    ids=["failed", "failed in another shape, then again", "word for word", "of another"],
)
def test_calls_in_a_row_are_one_step(between: list[tuple[str, dict[str, Json]]], *, repeats: bool) -> None:
    traces = [trace(*between, ("find", {"id": 2}), ("book", {}), task=task) for task in "12"]
    (procedure,) = mine(traces)
    assert [(step.tool, step.repeats) for step in procedure.steps] == [("find", repeats), ("book", False)]


AB: tuple[tuple[str, dict[str, Json]], ...] = (("a", {}), ("b", {}))


def test_support_counts_tasks_where_named_and_sagas_else() -> None:
    tasks = [trace(*AB, task=task, saga=f"{task}{n}") for task in "12" for n in range(3)]
    sagas = [trace(*AB, saga=f"s{n}") for n in range(3)]
    found = [mine(some)[0] for some in (tasks, sagas, tasks + sagas)]
    assert [(one.support, one.support_of) for one in found] == [
        (2, SupportOf.TASKS),
        (3, SupportOf.SAGAS),
        (5, SupportOf.BOTH),
    ]


def test_many_runs_of_one_task_support_nothing() -> None:
    assert mine([trace(*AB, task="1", saga=f"s{n}") for n in range(9)]) == ()


def test_success_is_compared_with_and_without_and_only_successes_support() -> None:
    traces = [
        *(trace(*AB, task=task) for task in "12"),
        *(trace(*AB, task=task, success=False) for task in "345"),
        trace(*AB, task="6", success=None),
        trace(("c", {}), task="7"),
        trace(("c", {}), task="8", success=False),
    ]
    (found,) = mine(traces)
    assert (found.support, found.success_with, found.success_without) == (
        2,
        Rate(successes=2, runs=5),
        Rate(successes=1, runs=2),
    )
    assert found.success_with.share == 0.4
    assert Rate(successes=0, runs=0).share is None
    assert found.evidence == ("1-0", "1-1", "2-0", "2-1")


def test_groups_are_mined_apart() -> None:
    assert mine([trace(*AB, task="1"), trace(*AB, task="2", group="h")]) == ()


def test_a_procedure_is_named_for_its_tools() -> None:
    tools = ["get_user", "find-flight", "book", "pay", "send"]
    names = [
        mine([trace(*((tool, {}) for tool in tools[:count]), task=task) for task in "12"])[0].name
        for count in (2, 5)
    ]
    assert names == [
        "get user, then find flight",
        "get user, then find flight, ..., finally send (5 steps)",
    ]


arguments = st.dictionaries(
    st.sampled_from("xy"), st.sampled_from([1, "v", "w", True, None, [1]]), max_size=2
)
traces_drawn = st.lists(
    st.builds(
        lambda steps, task, saga, success: trace(*steps, task=task, saga=saga, success=success),
        st.lists(st.tuples(st.sampled_from("abc"), arguments, st.booleans()), max_size=6),
        st.one_of(st.none(), st.sampled_from("123")),
        st.sampled_from(["s", "t", "u"]),
        st.sampled_from([True, True, False, None]),
    ),
    max_size=8,
)


@given(traces=traces_drawn, order=st.randoms())
def test_the_order_of_traces_changes_no_byte(traces: list[Trace], order: random.Random) -> None:
    shuffled = traces.copy()
    order.shuffle(shuffled)
    assert repr(mine(traces)) == repr(mine(shuffled))


@given(traces=traces_drawn)
def test_rates_account_for_every_judged_run(traces: list[Trace]) -> None:
    for one in mine(traces):
        with_, without = one.success_with, one.success_without
        assert with_.runs + without.runs == sum(trace.success is not None for trace in traces)
        assert with_.successes + without.successes == sum(trace.success is True for trace in traces)
        assert 2 <= one.support <= with_.successes


def tau_episodes() -> Iterator[Episode]:
    """Each run of tool calls between two turns of a tau-bench conversation as one episode."""
    with gzip.open(TAU) as file:
        conversations = json.load(file)
    for one in conversations:
        metadata = {"task": f"airline-{one['task_id']}", "success": one["reward"] == 1.0}
        saga, calls = f"airline-{one['task_id']}-{one['trial']}", []
        for place, message in enumerate([*one["traj"], {"role": "user"}]):
            if message.get("tool_calls") or message["role"] == "tool":
                calls.append(message)
            elif calls:
                yield episode(calls, name=f"{saga}:{place}", saga=saga, position=place, metadata=metadata)
                calls = []


@pytest.mark.skipif(not TAU.exists(), reason="the tau-bench runs are not beside the repository")
def test_real_airline_runs_give_procedures_whose_support_can_be_checked_by_hand() -> None:
    episodes = list(tau_episodes())
    traces = traces_of(episodes)
    procedures = mine(traces)
    assert len(traces) == len({one.saga for one in episodes})
    first = procedures[0]
    assert first.name == "get user details, then get reservation details"
    supporting = {
        one.task
        for one in traces
        if one.success
        and "get_user_details>get_reservation_details" in ">".join(step.tool for step in one.steps)
    }
    assert first.support == len(supporting) >= 10
    reads = [step.tool.startswith(("get_", "search_")) for one in procedures for step in one.steps]
    assert not all(reads)
    known = {one.episode_id for one in episodes}
    assert all(one.evidence and set(one.evidence) <= known for one in procedures)
