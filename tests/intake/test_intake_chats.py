from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memstrata import intake
from memstrata.errors import Misplaced
from memstrata.model import Role, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.model import Draft

    Write = Callable[..., Path]

AT = datetime(2025, 2, 3, 10, tzinfo=UTC)
NOW = datetime(2026, 11, 30, tzinfo=UTC)
OPTIONS = intake.Options(reference_time=AT)
SHARED = Path(__file__).parents[3] / "shared" / "data"


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}


def assistant(text: str | None, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def call(call_id: str | None, name: str = "look", **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"type": "function", "function": function} | ({} if call_id is None else {"id": call_id})


def result(call_id: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def drafts_of(path: Path, options: intake.Options = OPTIONS) -> list[Draft]:
    reading = intake.read(path, options, now=NOW)
    assert reading.format == "openai_chat"
    assert reading.refused == ()
    return list(reading.drafts)


def trace_of(draft: Draft) -> list[dict[str, Any]]:
    assert draft.source_type is SourceType.JSON
    read: list[dict[str, Any]] = json.loads(draft.content)
    return read


def test_the_user_speaks_to_the_assistant_and_the_assistant_to_the_latest_user(write: Write) -> None:
    chat = [
        user("Hi.", name="Mira"),
        assistant("Hello."),
        user("Hi too.", name="Tom"),
        assistant("Hello Tom."),
    ]
    said = [(d.speaker, d.addressee) for d in drafts_of(write("chat.json", chat))]
    names = [(s.id if s else None, a.id if a else None) for s, a in said]
    assert names == [
        ("Mira", "assistant"),
        ("assistant", "Mira"),
        ("Tom", "assistant"),
        ("assistant", "Tom"),
    ]
    assert [s.role for s, _ in said if s] == [Role.USER, Role.ASSISTANT] * 2


def test_text_comes_before_the_calls_of_its_own_message(write: Write) -> None:
    chat = [assistant("I look.", tool_calls=[call("a")]), result("a", "7"), assistant("Seven.")]
    first, trace, last = drafts_of(write("chat.json", chat))
    assert (first.content, last.content) == ("I look.", "Seven.")
    assert [draft.position for draft in (first, trace, last)] == [0, 1, 4]
    assert [message["role"] for message in trace_of(trace)] == ["assistant", "tool"]


def test_a_run_of_calls_ends_at_the_next_text(write: Write) -> None:
    chat = [
        assistant(None, tool_calls=[call("a"), call("b")]),
        result("b", "two"),
        result("a", "one"),
        assistant(None, tool_calls=[call("c")]),
        result("c", "three"),
        user("And?"),
        assistant(None, tool_calls=[call("d")]),
    ]
    first, turn, last = drafts_of(write("chat.json", chat))
    results = [message["content"] for message in trace_of(first) if message["role"] == "tool"]
    assert results == ["one", "two", "three"]
    assert turn.content == "And?"
    assert [message["role"] for message in trace_of(last)] == ["assistant"]


def test_a_late_result_belongs_to_the_run_of_its_call(write: Write) -> None:
    chat = [assistant(None, tool_calls=[call("a")]), user("Still there?"), result("a", "done")]
    trace, turn = drafts_of(write("chat.json", chat))
    assert trace_of(trace)[1]["content"] == "done"
    assert turn.content == "Still there?"


def test_a_call_id_that_occurs_again_keeps_both_results(write: Write) -> None:
    step = [assistant(None, tool_calls=[call("same")])]
    chat = [*step, result("same", "one"), *step, result("same", "two")]
    (trace,) = drafts_of(write("chat.json", chat))
    assert [message["content"] for message in trace_of(trace) if message["role"] == "tool"] == [
        "one",
        "two",
    ]


def test_runs_that_begin_with_one_call_id_are_two_episodes(write: Write) -> None:
    step = [assistant(None, tool_calls=[call("same")]), result("same", "x"), user("Again.")]
    record = {"conversation_id": "c", "messages": [*step, *step]}
    ids = [intake.episode_id(draft) for draft in drafts_of(write("chat.jsonl", [record]))]
    assert len(set(ids)) == len(ids)


def test_a_result_without_a_call_is_refused_alone(write: Write) -> None:
    reading = intake.read(write("chat.json", [user("Hi."), result("zz", "9")]), OPTIONS)
    assert [draft.content for draft in reading.drafts] == ["Hi."]
    (refused,) = reading.refused
    assert refused.place == "messages[1].tool_call_id"
    assert "'zz'" in refused.reason


def test_a_custom_tool_call_keeps_its_input_as_it_is(write: Write) -> None:
    custom = {"id": "k", "type": "custom", "custom": {"name": "shell", "input": "ls {"}}
    (trace,) = drafts_of(write("chat.json", [assistant(None, tool_calls=[custom])]))
    assert trace_of(trace)[0]["tool_calls"] == [custom]


def test_positions_do_not_move_when_a_message_is_refused(write: Write) -> None:
    good = [user("One."), assistant("Two."), user("Three.")]
    bad = [good[0], {"role": "robot", "content": "Two."}, good[2]]
    whole = {d.content: intake.episode_id(d) for d in intake.read(write("c.json", good), OPTIONS).drafts}
    part = {d.content: intake.episode_id(d) for d in intake.read(write("c.json", bad), OPTIONS).drafts}
    assert part == {content: whole[content] for content in ("One.", "Three.")}


def test_a_time_is_the_messages_own_else_the_last_else_the_records_else_the_options(write: Write) -> None:
    records = [
        {
            "created_at": "2025-03-01T08:00:00Z",
            "messages": [user("a"), user("b", timestamp=1740816900), user("c")],
        },
        {"messages": [user("d")]},
    ]
    drafts = drafts_of(write("chat.jsonl", records))
    assert [d.time_source for d in drafts] == [
        TimeSource.RECORD,
        TimeSource.OWN,
        TimeSource.INHERITED,
        TimeSource.OPTION,
    ]
    assert drafts[2].reference_time == drafts[1].reference_time == datetime(2025, 3, 1, 8, 15, tzinfo=UTC)


@pytest.mark.parametrize("bad", ["yesterday", "2025-03-01T08:00:00", -5, 12, 4_000_000_000, [1]])
def test_a_message_with_a_time_that_cannot_be_meant_is_refused_alone(write: Write, bad: object) -> None:
    reading = intake.read(write("c.json", [user("a", created_at=bad), user("b")]), OPTIONS, now=NOW)
    assert [draft.content for draft in reading.drafts] == ["b"]
    assert reading.refused[0].place == "messages[0].created_at"


def test_a_record_without_any_time_is_refused_and_the_others_go_in(write: Write) -> None:
    records = [{"messages": [user("a")]}, {"created_at": 1740816900, "messages": [user("b")]}]
    reading = intake.read(write("c.jsonl", records), now=NOW)
    assert [draft.content for draft in reading.drafts] == ["b"]
    assert reading.refused[0].place == "line 1, messages"


def test_a_conversation_with_ids_has_the_same_ids_under_another_file_name(write: Write) -> None:
    record = {"conversation_id": "c-7", "messages": [user("Hi.", id="m1"), assistant("Hello.", id="m2")]}
    one, two = drafts_of(write("a/x.jsonl", [record])), drafts_of(write("b/y.jsonl", [record]))
    assert [d.native_id for d in one] == ["openai_chat:c-7:m1", "openai_chat:c-7:m2"]
    assert [intake.episode_id(d) for d in one] == [intake.episode_id(d) for d in two]
    assert [intake.content_hash(d) for d in one] == [intake.content_hash(d) for d in two]


def test_no_source_holds_a_path(write: Write) -> None:
    path = write("chat.json", [user("Hi.")])
    (draft,) = drafts_of(path)
    assert str(path.parent) not in json.dumps(
        [draft.source, draft.saga, draft.native_id, dict(draft.metadata)]
    )


def test_a_longer_export_only_adds(write: Write) -> None:
    chat = [user("One."), assistant("Two.")]
    short = drafts_of(write("c.jsonl", [{"conversation_id": "c", "messages": chat}]))
    longer = drafts_of(write("c.jsonl", [{"conversation_id": "c", "messages": [*chat, user("Three.")]}]))
    before, after = [[intake.episode_id(d) for d in drafts] for drafts in (short, longer)]
    assert after[:2] == before


def test_history_that_a_log_repeats_is_not_told_again(write: Write) -> None:
    turns = [user("One."), assistant("Two."), user("Three."), assistant("Four.")]
    log = [{"conversation_id": "c", "messages": turns[:n]} for n in (1, 3, 4)]
    reading = intake.read(write("log.jsonl", log), OPTIONS)
    assert [d.content for d in reading.drafts] == ["One.", "Two.", "Three.", "Four."]
    assert [d.position for d in reading.drafts] == [0, 2, 4, 6]
    assert reading.skipped == {"repeated": 4}


def test_a_result_in_the_next_record_of_a_log_revises_the_run(write: Write) -> None:
    asked = [user("Look."), assistant(None, tool_calls=[call("a")])]
    log = [{"conversation_id": "c", "messages": m} for m in (asked, [*asked, result("a", "7")])]
    _, before, after = drafts_of(write("log.jsonl", log))
    assert intake.episode_id(before) == intake.episode_id(after)
    assert trace_of(after)[1]["content"] == "7"


def test_two_lone_equal_messages_of_one_conversation_are_two(write: Write) -> None:
    log = [{"conversation_id": "c", "messages": [user("ok")]}] * 2
    drafts = drafts_of(write("log.jsonl", log))
    assert len({intake.episode_id(d) for d in drafts}) == 2


def test_messages_on_lines_of_their_own_are_one_conversation(write: Write) -> None:
    lines = [user("Hi."), assistant("Hello."), {"role": "robot", "content": "x"}, user("Bye.")]
    reading = intake.read(write("chat.jsonl", lines), OPTIONS)
    assert {draft.saga for draft in reading.drafts} == {"chat.jsonl"}
    assert reading.summary.count == 3
    assert reading.refused[0].place == "line 3, role"


def test_messages_on_lines_follow_their_conversation_ids(write: Write) -> None:
    lines = [
        user("Hi.", conversation_id="a"),
        user("Ho.", conversation_id="b"),
        user("He.", conversation_id="a"),
    ]
    drafts = drafts_of(write("chat.jsonl", lines))
    assert [(d.saga, d.position) for d in drafts] == [("a", 0), ("b", 0), ("a", 2)]


def test_a_batch_output_gives_its_first_choice_at_its_own_time(write: Write) -> None:
    body = {
        "id": "chatcmpl-1",
        "created": 1740816900,
        "model": "gpt-x",
        "choices": [{"message": assistant("Yes.")}, {"message": assistant("No.")}],
    }
    lines = [
        {"custom_id": "r1", "response": {"status_code": 200, "body": body}},
        {"custom_id": "r2", "response": {"status_code": 500, "body": {}}, "error": {"code": "x"}},
        {"custom_id": "r3", "response": None, "error": {"code": "expired"}},
    ]
    reading = intake.read(write("out.jsonl", lines), now=NOW)
    (draft,) = reading.drafts
    assert (draft.content, draft.saga, draft.native_id) == (
        "Yes.",
        "out.jsonl#r1",
        "openai_chat:r1:chatcmpl-1",
    )
    assert draft.reference_time == datetime(2025, 3, 1, 8, 15, tzinfo=UTC)
    assert draft.metadata["model"] == "gpt-x"
    assert reading.skipped == {"error": 2}


def test_the_first_request_of_two_batches_are_two_episodes(write: Write) -> None:
    line = {"custom_id": "request-1", "body": {"messages": [user("Hi.", id="m")]}}
    one, two = (drafts_of(write(name, [line])) for name in ("a.jsonl", "b.jsonl"))
    assert intake.episode_id(one[0]) != intake.episode_id(two[0])


def test_a_saga_that_is_declared_goes_on_over_all_records(write: Write) -> None:
    records = [{"conversation_id": "a", "messages": [user("One.")]}, {"messages": [user("Two.")]}]
    options = intake.Options(reference_time=AT, saga="mine")
    drafts = drafts_of(write("c.jsonl", records), options)
    assert [(d.saga, d.position) for d in drafts] == [("mine", 0), ("mine", 2)]


def test_a_pipe_is_refused_for_it_cannot_be_read_twice(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Misplaced, match="save it to a file"):
        intake.read(tmp_path / "pipe")


def test_a_batch_input_gives_its_messages(write: Write) -> None:
    line = {"custom_id": "r1", "method": "POST", "url": "/v1/x", "body": {"messages": [user("Hi.")]}}
    assert [d.content for d in drafts_of(write("in.jsonl", [line]))] == ["Hi."]


def test_of_a_preference_only_what_was_preferred_was_said(write: Write) -> None:
    line = {
        "input": {"messages": [user("Hi.")]},
        "preferred_output": [assistant("Hello.")],
        "non_preferred_output": [assistant("What?")],
    }
    reading = intake.read(write("dpo.jsonl", [line]), OPTIONS)
    assert [d.content for d in reading.drafts] == ["Hi.", "Hello."]
    assert reading.skipped == {"non_preferred_output": 1}


def test_an_unknown_part_is_skipped_with_one_warning_a_kind(write: Write) -> None:
    parts = [{"type": "text", "text": "See."}, {"type": "hologram"}, {"type": "hologram"}]
    reading = intake.read(write("c.json", [{"role": "user", "content": parts}]), OPTIONS)
    assert reading.skipped == {"hologram_part": 2}
    (warning,) = reading.warnings
    assert "hologram" in warning


def test_a_trace_carries_task_and_success_of_its_record(write: Write) -> None:
    chat = [
        user("Go."),
        assistant(None, tool_calls=[call("a")]),
        user("Ok."),
        assistant(None, tool_calls=[call("b")]),
    ]
    records = [
        {
            "conversation_id": "c",
            "messages": chat,
            "metadata": {"task": "t-1", "success": False, "topic": "x"},
        },
        {"task_id": 7, "reward": 1.0, "traj": chat},
    ]
    drafts = drafts_of(write("runs.jsonl", records))
    traces = [d for d in drafts if d.source_type is SourceType.JSON]
    assert [(d.metadata["task"], d.metadata["success"]) for d in traces] == [("t-1", False)] * 2 + [
        ("7", True)
    ] * 2
    assert [d.saga for d in traces] == ["c", "c", "runs.jsonl#2", "runs.jsonl#2"]
    assert not any("success" in d.metadata for d in drafts if d not in traces)
    assert drafts[0].metadata["record"] == {"task": "t-1", "success": False, "topic": "x"}


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ([{"type": "text"}], "messages[0].content[0].text"),
        (["Hi."], "messages[0].content[0]"),
        ({"text": "Hi."}, "messages[0].content"),
    ],
)
def test_a_broken_part_is_named(write: Write, content: object, place: str) -> None:
    reading = intake.read(write("c.json", [{"role": "user", "content": content}]), OPTIONS)
    assert [one.place for one in reading.refused] == [place]


def test_a_misspelt_role_gets_the_nearest_one_suggested(write: Write) -> None:
    reading = intake.read(write("c.json", [{"role": "assistent", "content": "Hi."}]), OPTIONS)
    assert "did you mean assistant?" in reading.refused[0].reason


def test_a_list_that_is_no_list_is_refused_as_a_record(write: Write) -> None:
    reading = intake.read(write("c.jsonl", [{"messages": "Hi."}, {"messages": [user("Hi.")]}]), OPTIONS)
    assert reading.summary.count == 1
    assert reading.refused[0].place == "line 1, messages"


def test_words_that_look_like_turns_stay_in_their_turn(write: Write) -> None:
    text = "user: hello\nassistant: hi"
    (draft,) = drafts_of(write("c.json", [user(text)]))
    assert draft.content == text


def test_lone_surrogates_in_json_are_replaced_with_a_warning(write: Write) -> None:
    reading = intake.read(write("c.jsonl", '{"role": "user", "content": "a\\ud800b"}\n'), OPTIONS)
    assert [d.content for d in reading.drafts] == ["a\N{REPLACEMENT CHARACTER}b"]
    assert reading.warnings == ("line 1: lone surrogates were replaced by U+FFFD",)


def test_a_pair_of_surrogates_is_a_character(write: Write) -> None:
    reading = intake.read(write("c.jsonl", '{"role": "user", "content": "\\ud83d\\ude00"}\n'), OPTIONS)
    assert [d.content for d in reading.drafts] == ["\N{GRINNING FACE}"]
    assert reading.warnings == ()


@pytest.mark.parametrize(
    "line",
    [
        '{"role": "user", "content": "a\\u0000"}',
        '{"role": "user", "x": NaN}',
        '{"role": "user", "x": 1e999}',
    ],
)
def test_json_that_no_log_can_hold_is_refused_by_line(write: Write, line: str) -> None:
    reading = intake.read(write("c.jsonl", f'{{"role": "user", "content": "Hi."}}\n{line}\n'), OPTIONS)
    assert reading.summary.count == 1
    assert reading.refused[0].place.startswith("line 2")


def test_a_line_nested_without_end_is_refused_alone(write: Write) -> None:
    deep = '{"role": "user", "content": "x", "x": ' + "[" * 5000 + "]" * 5000 + "}"
    reading = intake.read(write("c.jsonl", f'{deep}\n{{"role": "user", "content": "Hi."}}\n'), OPTIONS)
    assert [d.content for d in reading.drafts] == ["Hi."]
    assert "nested" in reading.refused[0].reason


@pytest.mark.parametrize("first", ["garbage", '{"role": "us', "{}", "7", '{"x": 1}'])
def test_a_first_line_that_is_faulty_costs_itself_alone(write: Write, first: str) -> None:
    reading = intake.read(write("c.jsonl", f'{first}\n{{"role": "user", "content": "Hi."}}\n'), OPTIONS)
    assert [d.content for d in reading.drafts] == ["Hi."]
    assert [one.place.partition(",")[0] for one in reading.refused] == ["line 1"]


def test_json_without_any_known_shape_is_refused_with_its_keys(write: Write) -> None:
    with pytest.raises(Misplaced, match=r"no format recognises.*keys colour, size.*--mapping"):
        intake.read(write("x.json", {"size": 1, "colour": "red"}))


def test_tau_bench_runs_are_read_with_task_and_success() -> None:
    packed = SHARED / "tau_bench" / "gpt-4o-airline_tasks0-24.json.gz"
    if not packed.exists():
        pytest.skip("the shared data are not here")
    with pytest.raises(Misplaced, match="gzip archive"):
        intake.read(packed)


def test_a_list_of_runs_gives_a_saga_each(tmp_path: Path) -> None:
    packed = SHARED / "tau_bench" / "gpt-4o-airline_tasks0-24.json.gz"
    if not packed.exists():
        pytest.skip("the shared data are not here")
    path = tmp_path / "airline.json"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    runs = json.loads(path.read_text())
    drafts = drafts_of(path)
    assert len({d.saga for d in drafts}) == len(runs)
    assert len({intake.episode_id(d) for d in drafts}) == len(drafts)
    roles = Counter(m["role"] for d in drafts if d.source_type is SourceType.JSON for m in trace_of(d))
    assert roles["tool"] == sum(m["role"] == "tool" for run in runs for m in run["traj"])
    good = {d.saga for d in drafts if d.metadata.get("success")}
    used_tools = [any(m["role"] == "tool" for m in run["traj"]) for run in runs]
    assert len(good) == sum(run["reward"] >= 1 and used for run, used in zip(runs, used_tools, strict=True))
