"""Conversations with questions whose evidence is known: LoCoMo and BEAM, as drafts for the door.

A LoCoMo session, and a BEAM batch, is a saga; a turn is one episode. What an image shows stands behind
the text of its turn. Gold that names turns which are not there is left out, and so are questions
without any.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from memstrata.errors import Incorrect, Missing
from memstrata.model import Draft, Role, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

#: LoCoMo's category of questions that need several turns, often of several sessions.
_MULTI_HOP: Final = 1
_SESSION = re.compile(r"session_(\d+)")
_SPLIT = re.compile(r"[;,\s]+")

#: BEAM dates whole days, LoCoMo whole sessions: turns follow one another at this pace.
_PACE: Final = timedelta(seconds=30)
_BEGINNING: Final = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, the native ids of the turns that answer it, and its kind as its set calls it."""

    text: str
    gold: frozenset[str]
    kind: str
    multi_hop: bool = False
    original: frozenset[str] = frozenset()
    updated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation: its turns in order, each with a `native_id`, and its questions."""

    name: str
    turns: tuple[Draft, ...]
    questions: tuple[Question, ...]


def locomo(folder: Path) -> tuple[Conversation, ...]:
    """The LoCoMo conversations of all `*.json.gz` in a folder. Raises `Missing` if there are none."""
    files = sorted(folder.glob("*.json.gz"))
    if not files:
        raise Missing(f"{folder}: no *.json.gz of LoCoMo there; give a folder that holds one with --data")
    return tuple(
        _of_locomo(one) for file in files for one in json.loads(gzip.decompress(file.read_bytes()))
    )


def beam(folder: Path) -> tuple[Conversation, ...]:
    """The BEAM chats of all `messages_*` and `questions_*` in a folder. Raises `Missing` without them."""
    messages, questions = _by_chat(folder, "messages_*.jsonl.gz"), _by_chat(folder, "questions_*.jsonl.gz")
    return tuple(_of_beam(chat, messages[chat], questions[chat]) for chat in messages)


def is_beam(folder: Path) -> bool:
    """Whether a folder holds BEAM's messages."""
    return any(folder.glob("messages_*.jsonl.gz"))


def _of_locomo(sample: Mapping[str, Any]) -> Conversation:
    name = str(sample["sample_id"])
    told = sample["conversation"]
    numbers = sorted(int(found[1]) for key in told if (found := _SESSION.fullmatch(key)) and told[key])
    turns = [turn for number in numbers for turn in _session(name, number, told)]
    there = {str(turn.native_id) for turn in turns}
    asked = (_locomo_question(one, there) for one in sample["qa"])
    return Conversation(name=name, turns=tuple(turns), questions=tuple(one for one in asked if one.gold))


def _session(name: str, number: int, told: Mapping[str, Any]) -> Iterator[Draft]:
    written = str(told[f"session_{number}_date_time"])
    try:
        begun = datetime.strptime(written, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        raise Incorrect(
            f"{name}, session {number}: {written!r} is no time; expected one such as "
            "'1:56 pm on 8 May, 2023'"
        ) from None
    for position, turn in enumerate(told[f"session_{number}"]):
        shown = turn.get("blip_caption")
        yield Draft(
            group_id="default",
            source="locomo",
            source_type=SourceType.MESSAGE,
            content=f"{turn['text']} [shares {shown}]".strip() if shown else turn["text"],
            reference_time=begun + position * _PACE,
            time_source=TimeSource.OWN,
            saga=f"{name}/{number}",
            position=position,
            native_id=turn["dia_id"],
            speaker=Speaker(id=turn["speaker"], name=turn["speaker"]),
        )


def _locomo_question(asked: Mapping[str, Any], there: Iterable[str]) -> Question:
    named = {part for text in asked["evidence"] for part in _SPLIT.split(str(text)) if part}
    return Question(
        text=asked["question"],
        gold=frozenset(named & set(there)),
        kind=str(asked["category"]),
        multi_hop=asked["category"] == _MULTI_HOP,
    )


def _by_chat(folder: Path, pattern: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    files = sorted(folder.glob(pattern))
    if not files:
        raise Missing(f"{folder}: no {pattern} of BEAM there; give a folder that holds one with --data")
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for file in files:
        for line in gzip.decompress(file.read_bytes()).splitlines():
            row = json.loads(line)
            found[str(row["chat"])].append(row)
    return found


def _of_beam(
    chat: str, messages: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, Any]]
) -> Conversation:
    turns = tuple(_messages(chat, messages))
    there = {str(turn.native_id) for turn in turns}
    questions = tuple(_beam_question(one, there) for one in asked)
    return Conversation(
        name=f"beam-{chat}", turns=turns, questions=tuple(one for one in questions if one.gold)
    )


def _messages(chat: str, messages: Sequence[Mapping[str, Any]]) -> Iterator[Draft]:
    at = _BEGINNING
    for position, message in enumerate(messages):
        at = max(at + _PACE, _anchored(message.get("time_anchor")))
        role = Role.ASSISTANT if message["role"] == "assistant" else Role.USER
        yield Draft(
            group_id="default",
            source="beam",
            source_type=SourceType.MESSAGE,
            content=message["content"],
            reference_time=at,
            time_source=TimeSource.OWN,
            saga=f"{chat}/{message['batch']}",
            position=position,
            native_id=str(message["id"]),
            speaker=Speaker(id=message["role"], name=message["role"], role=role),
        )


def _anchored(anchor: object) -> datetime:
    """The day that a message is anchored to, where it is one."""
    try:
        return datetime.strptime(str(anchor), "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return _BEGINNING


def _beam_question(asked: Mapping[str, Any], there: Iterable[str]) -> Question:
    sources, known = asked.get("source_chat_ids"), set(there)
    parts = sources if isinstance(sources, dict) else {}
    return Question(
        text=asked["question"],
        gold=frozenset(_ids(sources) & known),
        kind=asked["ability"],
        original=frozenset(_ids(parts.get("original_info")) & known),
        updated=frozenset(_ids(parts.get("updated_info")) & known),
    )


def _ids(source: object) -> set[str]:
    """All message ids in a value, however deep."""
    if source is None:
        return set()
    if isinstance(source, dict):
        return {one for value in source.values() for one in _ids(value)}
    if isinstance(source, list):
        return {one for value in source for one in _ids(value)}
    return {str(source)}
