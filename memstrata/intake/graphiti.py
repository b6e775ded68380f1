"""A Graphiti graph as episodes in the order of its system time: what it learnt when, and unlearnt when.

Nodes and edges are Graphiti's (`Episodic`, `Entity`, `RELATES_TO`), read elsewhere. An edge becomes a
`fact_triple` under its own uuid. `expired_at` is when the system stopped believing the edge as it stood:
with an `invalid_at` the fact goes on with that end, without one it is withdrawn.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.instants import TICK, format_instant
from memstrata.intake.door import validate
from memstrata.model import Draft, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Json

SOURCE: Final = "graphiti"

#: The attribute by which a mention is known to be of one node and of no other (`resolution.binding`).
NODE_ID: Final = "node_id"

_ENTITY: Final = "Entity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An `Entity` node."""

    uuid: str
    name: str
    labels: tuple[str, ...] = ()

    @property
    def type(self) -> str | None:
        """Its label besides `Entity`, if it has one."""
        return next((label for label in sorted(self.labels) if label != _ENTITY), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A `RELATES_TO` edge between two nodes; `episodes` are the uuids that it cites."""

    uuid: str
    source: str
    target: str
    name: str
    fact: str
    created_at: datetime
    episodes: tuple[str, ...] = ()
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    expired_at: datetime | None = None
    reference_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An `Episodic` node, the saga that it belongs to, and the uuids of the nodes that it mentions."""

    uuid: str
    name: str
    content: str
    source: str
    source_description: str
    created_at: datetime
    valid_at: datetime | None
    saga: str | None = None
    position: int | None = None
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiGraph:
    """What one group of a Graphiti graph holds; `others` counts nodes of other labels, by label."""

    group_id: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    turns: tuple[Turn, ...]
    others: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What Graphiti took in at one instant of its system time; `withdrawn` are ids of episodes."""

    instant: datetime
    drafts: tuple[Draft, ...] = ()
    withdrawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps, in order; what is refused, each with its reason; what is left out, counted by kind."""

    steps: tuple[Step, ...]
    refused: tuple[str, ...]
    left_out: Mapping[str, int]


def plan(graph: GraphitiGraph, group_id: str) -> Plan:
    """The graph as steps into one of our groups. Pure; the same graph gives the same steps."""
    nodes = {node.uuid: node for node in graph.nodes}
    refused: list[str] = []
    left_out = Counter(graph.others)
    drafts: dict[datetime, list[Draft]] = defaultdict(list)
    withdrawn: dict[datetime, list[str]] = defaultdict(list)
    for turn in graph.turns:
        if not turn.content.strip():
            left_out["empty episodes"] += 1
            continue
        told = _episode(turn, nodes, group_id)
        if objection := _door_says([told]):
            refused.append(f"episode {turn.uuid}: {objection}")
        else:
            drafts[turn.created_at].append(told)
    for edge in graph.edges:
        objection = _objection(edge, nodes)
        revisions = () if objection else tuple(_revisions(edge, nodes, group_id))
        objection = objection or _door_says([draft for _, draft in revisions])
        if objection:
            refused.append(f"edge {edge.uuid}: {objection}")
            continue
        for instant, draft in revisions:
            drafts[instant].append(draft)
        if edge.expired_at is not None and edge.invalid_at is None:
            withdrawn[_expiry(edge)].append(edge.uuid)
    if unmentioned := len(nodes.keys() - _used(graph)):
        left_out["entities without facts and mentions"] = unmentioned
    instants = sorted({*drafts, *withdrawn})
    return Plan(
        steps=tuple(
            Step(
                instant=instant,
                drafts=tuple(sorted(drafts.get(instant, ()), key=lambda one: str(one.episode_id))),
                withdrawn=tuple(sorted(withdrawn.get(instant, ()))),
            )
            for instant in instants
        ),
        refused=tuple(refused),
        left_out=dict(sorted(left_out.items())),
    )


def _door_says(drafts: Iterable[Draft]) -> str:
    """Why the door would refuse one of them: all of what they tell of stays out, and nothing else."""
    try:
        for draft in drafts:
            validate(draft)
    except Incorrect as refusal:
        return str(refusal)
    return ""


def _used(graph: GraphitiGraph) -> set[str]:
    """The nodes that come in: as ends of edges, or as mentions of episodes."""
    used = {uuid for edge in graph.edges for uuid in (edge.source, edge.target)}
    return used.union(*(turn.mentions for turn in graph.turns if turn.content.strip()))


def _objection(edge: Edge, nodes: Mapping[str, Node]) -> str:
    for end, uuid in (("source", edge.source), ("target", edge.target)):
        if uuid not in nodes:
            return f"its {end} {uuid!r} is not among the nodes"
        if not nodes[uuid].name.strip():
            return f"its {end} {uuid!r} has no name"
    if not edge.name.strip():
        return "it has no relation name"
    if edge.valid_at is not None and edge.invalid_at is not None and edge.invalid_at <= edge.valid_at:
        return (
            f"it is invalid at {format_instant(edge.invalid_at)}, which is not after valid at "
            f"{format_instant(edge.valid_at)}"
        )
    return ""


def _expiry(edge: Edge) -> datetime:
    """When the belief in the edge as it stood ended; never before it began."""
    assert edge.expired_at is not None  # noqa: S101 (asked for expired edges alone)
    return max(edge.expired_at, edge.created_at + TICK)


def _revisions(edge: Edge, nodes: Mapping[str, Node], group_id: str) -> Iterator[tuple[datetime, Draft]]:
    """The edge as it was first believed and, when its end was learnt later, as it was believed then."""
    if edge.expired_at is None or edge.invalid_at is None:
        yield edge.created_at, _triple(edge, nodes, group_id)
        return
    yield edge.created_at, _triple(replace(edge, invalid_at=None), nodes, group_id)
    yield _expiry(edge), _triple(edge, nodes, group_id)


def _triple(edge: Edge, nodes: Mapping[str, Node], group_id: str) -> Draft:
    said: dict[str, Json] = {
        "subject": _end(nodes[edge.source]),
        "predicate": edge.name.strip(),
        "object": _end(nodes[edge.target]),
        "fact": edge.fact or edge.name,
        "kind": "holds",
    }
    for name, instant in (("valid_at", edge.valid_at), ("invalid_at", edge.invalid_at)):
        if instant is not None:
            said[name] = format_instant(instant)
    return Draft(
        group_id=group_id,
        source=SOURCE,
        source_type=SourceType.FACT_TRIPLE,
        content=json.dumps(said, ensure_ascii=False, sort_keys=True),
        reference_time=edge.reference_time or edge.valid_at or edge.created_at,
        time_source=TimeSource.RECORD,
        episode_id=edge.uuid,
        native_id=edge.uuid,
        metadata={"format": SOURCE, "episodes": list(edge.episodes)},
    )


def _end(node: Node) -> dict[str, Json]:
    end: dict[str, Json] = {"name": node.name, "attributes": {NODE_ID: [node.uuid]}}
    if node.type is not None:
        end["type"] = node.type
    return end


def _episode(turn: Turn, nodes: Mapping[str, Node], group_id: str) -> Draft:
    source_type, content, speaker = _said(turn)
    mentioned: Sequence[Json] = [
        _end(nodes[uuid]) for uuid in turn.mentions if uuid in nodes and nodes[uuid].name.strip()
    ]
    return Draft(
        group_id=group_id,
        source=turn.source_description or SOURCE,
        source_type=source_type,
        content=content,
        reference_time=turn.valid_at or turn.created_at,
        time_source=TimeSource.OWN if turn.valid_at else TimeSource.RECORD,
        episode_id=turn.uuid,
        saga=turn.saga,
        position=turn.position,
        native_id=turn.uuid,
        speaker=speaker,
        metadata={"format": SOURCE, "name": turn.name, "mentions": mentioned},
    )


def _said(turn: Turn) -> tuple[SourceType, str, Speaker | None]:
    """A message of one line `speaker: text` is that speaker's; what is called JSON and is none is text."""
    if turn.source == SourceType.MESSAGE:
        name, colon, text = turn.content.partition(":")
        is_one_line = "\n" not in turn.content.strip()
        if is_one_line and colon and name.strip() and text.strip():
            return SourceType.MESSAGE, text.strip(), Speaker(id=name.strip(), name=name.strip())
        return SourceType.MESSAGE, turn.content, None
    if turn.source == SourceType.JSON and _is_json(turn.content):
        return SourceType.JSON, turn.content, None
    return SourceType.TEXT, turn.content, None


def _is_json(content: str) -> bool:
    try:
        json.loads(content)
    except ValueError:
        return False
    return True
