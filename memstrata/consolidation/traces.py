"""Traces: what an agent did with its tools, read from episodes in OpenAI message form.

Only reading lives here; what is frequent in them is `memstrata.consolidation.procedures`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeGuard

from memstrata.model import SourceType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.model import Episode, Json

#: The name under which arguments are kept that are no JSON object: cut off, or plain text.
WHOLE: Final = "input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of a tool. `failed` says that its result reported an error; no result is no failure."""

    tool: str
    arguments: Mapping[str, Json]
    episode_id: str
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What was done in one saga on one task, in order. `success` is None if nobody said."""

    group_id: str
    saga: str
    task: str | None
    success: bool | None
    steps: tuple[Step, ...]


def traces_of(episodes: Iterable[Episode]) -> tuple[Trace, ...]:
    """The traces in living `json` episodes, by group and saga; other episodes are passed over.

    An episode is part of a trace if its content is a message, a list of messages or an object with
    `messages`, and an assistant message among them calls a tool. The trace episodes of one saga are
    joined in the order of position, time and id, whatever was said between them; a change of
    `metadata.task` begins another trace. `metadata.success` (true or false) is taken from the last
    episode that has it: a run is judged at its end. An episode without a saga is a trace of its own.
    """
    calling = [(episode, steps) for episode in episodes if (steps := _steps(episode))]
    calling.sort(key=lambda pair: _place(pair[0]))
    runs: list[list[tuple[Episode, tuple[Step, ...]]]] = []
    for episode, steps in calling:
        if runs and _continues(episode, runs[-1][-1][0]):
            runs[-1].append((episode, steps))
        else:
            runs.append([(episode, steps)])
    return tuple(_trace(run) for run in runs)


def _place(episode: Episode) -> tuple[str, str, float, float, str]:
    position = float("inf") if episode.position is None else episode.position
    return (
        episode.group_id,
        _saga(episode),
        position,
        episode.reference_time.timestamp(),
        episode.episode_id,
    )


def _saga(episode: Episode) -> str:
    return episode.saga if episode.saga is not None else episode.episode_id


def _continues(episode: Episode, before: Episode) -> bool:
    same_saga = (episode.group_id, _saga(episode)) == (before.group_id, _saga(before))
    return same_saga and _task(episode) == _task(before)


def _task(episode: Episode) -> str | None:
    task = episode.metadata.get("task")
    return None if task is None else task if isinstance(task, str) else json.dumps(task)


def _trace(run: Sequence[tuple[Episode, tuple[Step, ...]]]) -> Trace:
    first = run[0][0]
    verdicts = [said for episode, _ in run if isinstance(said := episode.metadata.get("success"), bool)]
    return Trace(
        group_id=first.group_id,
        saga=_saga(first),
        task=_task(first),
        success=verdicts[-1] if verdicts else None,
        steps=tuple(step for _, steps in run for step in steps),
    )


def _steps(episode: Episode) -> tuple[Step, ...]:
    if episode.source_type is not SourceType.JSON:
        return ()
    messages = _messages(episode.content)
    results = _results(messages)
    steps = []
    for message in messages:
        calls = message.get("tool_calls") if message.get("role") == "assistant" else None
        for call in calls if _is_list(calls) else ():
            function = call.get("function") if _is_object(call) else None
            if _is_object(call) and _is_object(function) and isinstance(tool := function.get("name"), str):
                steps.append(
                    Step(
                        tool=tool,
                        arguments=_arguments(function.get("arguments")),
                        episode_id=episode.episode_id,
                        failed=_reports_failure(results.get(str(call.get("id", "")))),
                    )
                )
    return tuple(steps)


def _messages(content: str) -> list[Mapping[str, Json]]:
    try:
        read: Json = json.loads(content)
    except (ValueError, RecursionError):
        return []
    if _is_object(read):
        inner = read.get("messages")
        read = inner if _is_list(inner) else [read]
    return [message for message in read if _is_object(message)] if _is_list(read) else []


def _results(messages: Iterable[Mapping[str, Json]]) -> dict[str, Json]:
    return {
        call_id: message.get("content")
        for message in messages
        if message.get("role") == "tool" and isinstance(call_id := message.get("tool_call_id"), str)
    }


def _arguments(written: Json) -> Mapping[str, Json]:
    """The arguments as an object; they come as JSON in a string, sometimes broken."""
    read = written
    if isinstance(written, str):
        try:
            read = json.loads(written or "{}")
        except (ValueError, RecursionError):
            read = written
    if _is_object(read):
        return dict(read)
    return {} if read is None else {WHOLE: read}


def _reports_failure(result: Json) -> bool:
    """Whether a tool's result is an error: text that begins so, or an object that says so."""
    if not isinstance(result, str):
        return _is_object(result) and bool(result.get("error") or result.get("is_error"))
    text = result.lstrip()
    if text.startswith("{"):
        try:
            return _reports_failure(json.loads(text))
        except (ValueError, RecursionError):
            return False
    return text[:5].lower() == "error"


def _is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)


def _is_list(value: Json) -> TypeGuard[list[Json]]:
    return isinstance(value, list)
