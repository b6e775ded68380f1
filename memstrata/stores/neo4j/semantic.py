"""Summaries and procedures over system time; independent of commits, so a rebuild keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import uuid4

from memstrata.model import Summary
from memstrata.stores.neo4j import lucene
from memstrata.stores.neo4j.connection import run
from memstrata.stores.records import OPEN, micros, micros_or
from memstrata.stores.searched import text_of
from memstrata.stores.semantic_codec import dumped, in_order, load_procedure, load_summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    import neo4j

    from memstrata.model import Procedure
    from memstrata.ports import Handle
    from memstrata.stores.neo4j.connection import Connection

    Properties = dict[str, str | int | list[str] | None]

_LATEST: Final = OPEN - 1


class Neo4jSemantic:
    """See `ports.SemanticMemory`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def summary_hashes(self, group_id: str) -> Mapping[str, str]:
        """The input hash of each entity's latest summary, by entity id."""
        found = self._connection.fetch("semantic/hashes", group=group_id, open=OPEN)
        return {row["id"]: row["hash"] for row in found}

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        """Makes each the entity's latest, from its `created_at` on; all or none."""
        rounds = [list(map(_summary_properties, some)) for some in _each_entity_once(summaries)]

        def write(transaction: neo4j.ManagedTransaction) -> None:
            for rows in rounds:
                run(transaction, "semantic/put_summaries", rows=rows)

        if rounds:
            self._connection.write(write)

    def summaries_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Summary]:
        """The summaries of those handles (of `match` and `nearest`); unknown ones are absent."""
        found = self._connection.fetch("semantic/summaries_at", handles=list(handles)) if handles else ()
        return {row["handle"]: load_summary(row["body"]) for row in found}

    def procedures_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Procedure]:
        """The procedures of those handles; unknown ones are absent."""
        found = self._connection.fetch("semantic/procedures_at", handles=list(handles)) if handles else ()
        return {row["handle"]: load_procedure(row["body"]) for row in found}

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""
        found = self._connection.fetch(
            "semantic/summary", group=group_id, id=entity_id, at=micros_or(at, _LATEST)
        )
        return load_summary(found[0]["body"]) if found else None

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""
        wanted = {one.procedure_id: one for one in procedures}

        def write(transaction: neo4j.ManagedTransaction) -> None:
            found = run(transaction, "semantic/standing_procedures", group=group_id, open=OPEN)
            standing = {row["id"]: row["body"] for row in found}
            same = {id_ for id_, one in wanted.items() if standing.get(id_) == dumped(one)}
            ending = [id_ for id_ in standing if id_ not in same]
            run(
                transaction, "semantic/end_procedures", group=group_id, ids=ending, open=OPEN, at=micros(at)
            )
            new = [
                _procedure_properties(one, group_id, at) for id_, one in wanted.items() if id_ not in same
            ]
            run(transaction, "semantic/add_procedures", rows=new)

        self._connection.write(write)

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
        found = self._connection.fetch("semantic/procedures", group=group_id, at=micros_or(at, _LATEST))
        return in_order(load_procedure(row["body"]) for row in found)


def _each_entity_once(summaries: Sequence[Summary]) -> Iterator[list[Summary]]:
    """The summaries in rounds in which no entity comes twice: within one statement rows have no order."""
    waiting = list(summaries)
    while waiting:
        first = {(one.group_id, one.entity_id): one for one in reversed(waiting)}
        yield list(first.values())
        taken = {id(one) for one in first.values()}
        waiting = [one for one in waiting if id(one) not in taken]


def _summary_properties(one: Summary) -> Properties:
    return {
        "group_id": one.group_id,
        "entity_id": one.entity_id,
        "created_at": one.created_at.isoformat(),
        "input_hash": one.input_hash,
        **_searched(one, one.group_id, micros(one.created_at)),
    }


def _procedure_properties(one: Procedure, group_id: str, at: datetime) -> Properties:
    return {
        "group_id": group_id,
        "procedure_id": one.procedure_id,
        "name": one.name,
        "evidence": list(one.evidence),
        **_searched(one, group_id, micros(at)),
    }


def _searched(one: Summary | Procedure, group_id: str, begun: int) -> Properties:
    """What both are found by; a text of nothing waits for no vector."""
    text = text_of(one)
    handle = (
        f"{lucene.token(group_id)}.{'s' if isinstance(one, Summary) else 'p'}.{begun:020d}.{uuid4().hex}"
    )
    return {
        "body": dumped(one),
        "text": text,
        "words": lucene.indexed(group_id, text),
        "handle": handle,
        "passage": handle,
        "awaits": begun if text else None,
        "believed_from": begun,
        "believed_until": OPEN,
    }
