"""Summaries and procedures as JSON text, the same for every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from memstrata.instants import parse_instant
from memstrata.model import Block, Procedure, ProcedureStep, Rate, Slot, Summary, SupportOf

if TYPE_CHECKING:
    from collections.abc import Iterable


def dumped(value: Summary | Procedure) -> str:
    """The record as JSON text: equal records give equal text."""
    return orjson.dumps(value).decode()


def load_summary(text: str) -> Summary:
    """The summary that `dumped` wrote."""
    wire = orjson.loads(text)
    blocks = tuple(
        Block(
            topic=one["topic"],
            text=one["text"],
            facts=tuple(one["facts"]),
            evidence=tuple(one["evidence"]),
        )
        for one in wire["blocks"]
    )
    return Summary(
        entity_id=wire["entity_id"],
        group_id=wire["group_id"],
        blocks=blocks,
        input_hash=wire["input_hash"],
        created_at=parse_instant(wire["created_at"]),
    )


def load_procedure(text: str) -> Procedure:
    """The procedure that `dumped` wrote."""
    wire = orjson.loads(text)
    return Procedure(
        procedure_id=wire["procedure_id"],
        group_id=wire["group_id"],
        name=wire["name"],
        steps=tuple(
            ProcedureStep(
                tool=step["tool"],
                slots=tuple(Slot(**slot) for slot in step["slots"]),
                repeats=step["repeats"],
            )
            for step in wire["steps"]
        ),
        support=wire["support"],
        support_of=SupportOf(wire["support_of"]),
        success_with=Rate(**wire["success_with"]),
        success_without=Rate(**wire["success_without"]),
        evidence=tuple(wire["evidence"]),
    )


def in_order(procedures: Iterable[Procedure]) -> tuple[Procedure, ...]:
    """By support, then length, both descending, then id."""
    return tuple(sorted(procedures, key=lambda one: (-one.support, -len(one.steps), one.procedure_id)))
