"""What was found as lines of a context, each with what it rests on: facts, summaries, raw turns."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from memstrata.marks import mark
from memstrata.search.fusion import Arm
from memstrata.search.page import cost_of, fitting
from memstrata.search.wording import fact_line, one_line, turn_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Entity, Episode, Placement
    from memstrata.ports import GraphReader, NamedVersion, SemanticMemory
    from memstrata.search.results import EpisodeResult, Results

MOST_SUMMARIES: Final = 3
MOST_TURN_CHARACTERS: Final = 600
MOST_NEIGHBOUR_CHARACTERS: Final = 200
MOST_CITATIONS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedFact:
    """A fact as it stands in a context, with what it rests on.

    `assertion_ids` and `episode_ids` are the first three, by id; `evidence` counts all assertions.
    """

    fact: NamedVersion
    line: str
    assertion_ids: tuple[str, ...]
    episode_ids: tuple[str, ...]
    evidence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSummary:
    """A block of an entity's summary as it stands in a context, with the facts it rests on."""

    entity_id: str
    line: str
    fact_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedTurn:
    """A raw episode as it stands in a context; `cut` if its text is not whole.

    `is_neighbour` if it was not found itself, but said directly before or after one that was.
    """

    episode_id: str
    reference_time: datetime
    position: int | None
    line: str
    cut: bool
    is_neighbour: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """A turn that was found, and those directly before and after it in its saga."""

    turn: CitedTurn
    before: CitedTurn | None
    after: CitedTurn | None

    @property
    def neighbours(self) -> tuple[CitedTurn, ...]:
        """Those there are; what was asked before what was answered."""
        return tuple(one for one in (self.before, self.after) if one is not None)


def cited_facts(reader: GraphReader, results: Results) -> tuple[CitedFact, ...]:
    """The facts that were found, with the episodes that they rest on: one look-up a group."""
    wanted: dict[str, set[str]] = {}
    for result in results.facts:
        fact = result.fact.version.fact
        wanted.setdefault(fact.group_id, set()).update(fact.evidence[:MOST_CITATIONS])
    placements = {
        (group_id, placement.id): placement
        for group_id, ids in wanted.items()
        for placement in reader.evidence(group_id, ids)
    }
    return tuple(_cited(one.fact, placements, with_belief=results.history) for one in results.facts)


def _cited(
    named: NamedVersion, placements: Mapping[tuple[str, str], Placement], *, with_belief: bool
) -> CitedFact:
    fact = named.version.fact
    assertion_ids = fact.evidence[:MOST_CITATIONS]
    episode_ids = tuple(
        dict.fromkeys(
            placements[fact.group_id, assertion_id].episode_id
            for assertion_id in assertion_ids
            if (fact.group_id, assertion_id) in placements
        )
    )
    return CitedFact(
        fact=named,
        line=f"- {fact_line(named, episode_ids, with_belief=with_belief)}",
        assertion_ids=assertion_ids,
        episode_ids=episode_ids,
        evidence=len(fact.evidence),
    )


def cited_summaries(memory: SemanticMemory, results: Results) -> tuple[CitedSummary, ...]:
    """The summaries of the entities that the query names, block by block, as of the system time in view."""
    named = [
        result.entity
        for result in results.entities
        if any(found.arm is Arm.NAMES for found in result.found)
    ]
    return tuple(line for entity in named[:MOST_SUMMARIES] for line in _summary(memory, entity, results))


def _summary(memory: SemanticMemory, entity: Entity, results: Results) -> Iterator[CitedSummary]:
    summary = memory.summary(entity.group_id, entity.entity_id, at=results.moment.system)
    for block in summary.blocks if summary is not None else ():
        yield CitedSummary(
            entity_id=entity.entity_id,
            line=f"- {one_line(entity.name)}: {one_line(block.text)} {mark('summary', entity.entity_id)}",
            fact_ids=block.facts,
        )


def around(result: EpisodeResult) -> Around:
    """The turn that was found, and its neighbours, shorter."""
    return Around(
        turn=_turn(result.episode, MOST_TURN_CHARACTERS),
        before=_neighbour(result.before),
        after=_neighbour(result.after),
    )


def packed(found: Sequence[Around], room: int) -> tuple[CitedTurn, ...]:
    """The turns that fit into so many tokens, then their neighbours as far as there is room left.

    In order of time; no episode comes twice.
    """
    kept = list(fitting([one.turn for one in found], room))
    room -= sum(cost_of(one.line) for one in kept)
    shown = {one.episode_id for one in kept}
    for one in found:
        if one.turn.episode_id in shown:
            for neighbour in one.neighbours:
                if neighbour.episode_id not in shown and cost_of(neighbour.line) <= room:
                    room -= cost_of(neighbour.line)
                    shown.add(neighbour.episode_id)
                    kept.append(neighbour)
    return tuple(sorted(kept, key=_said_order))


def _neighbour(episode: Episode | None) -> CitedTurn | None:
    return None if episode is None else _turn(episode, MOST_NEIGHBOUR_CHARACTERS, is_neighbour=True)


def _said_order(turn: CitedTurn) -> tuple[datetime, float, str]:
    return turn.reference_time, inf if turn.position is None else turn.position, turn.episode_id


def _turn(episode: Episode, most: int, *, is_neighbour: bool = False) -> CitedTurn:
    return CitedTurn(
        episode_id=episode.episode_id,
        reference_time=episode.reference_time,
        position=episode.position,
        line=f"- {turn_line(episode, most_characters=most)}",
        cut=len(one_line(episode.content)) > most,
        is_neighbour=is_neighbour,
    )
