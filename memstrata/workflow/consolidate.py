"""What is known of entities as summaries, and what agents did as procedures: as of the last commit.

Both say what the group's last commit believed and not what the clock says, so running again without a
new commit changes nothing. The rules are `memstrata.consolidation`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from memstrata.consolidation.procedures import mine
from memstrata.consolidation.summaries import stale_summaries, summarise
from memstrata.consolidation.traces import traces_of
from memstrata.model import DecisionKind, Entity, SourceType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from memstrata.model import Episode, Fact
    from memstrata.ports import Installation

#: How many summaries are written, and how many episodes read, together.
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What became of a group's summaries: of `entities`, `written` anew, `emptied` among those.

    An emptied summary tells of nothing any more: its facts, or the entity itself, are gone.
    """

    group_id: str
    entities: int = 0
    written: int = 0
    emptied: int = 0
    blocks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """What was found in a group's traces; `judged` are those that somebody called a success or failure."""

    group_id: str
    traces: int = 0
    judged: int = 0
    procedures: int = 0
    changed: bool = False


def summarise_changed(installation: Installation, group_id: str) -> Summarised:
    """Writes the summaries whose input has changed, as the group's last commit believes it.

    Entities that are gone get an empty last summary; a group without commits has none.
    """
    at, graph = last_commit(installation, group_id), installation.graph
    if at is None:
        return Summarised(group_id=group_id)
    known = graph.summary_hashes(group_id)
    facts = tuple(graph.all_facts(group_id))
    entities = {entity.entity_id: entity for entity in graph.all_entities(group_id)}
    names = graph.names_of(group_id, _ends(facts) | known.keys())
    gone = [_gone(group_id, one, names) for one in known if one not in entities]
    stale = stale_summaries(
        [*entities.values(), *gone],
        facts,
        names,
        known={(group_id, entity_id): hashed for entity_id, hashed in known.items()},
        at=at,
    )
    emptied = blocks = 0
    waiting = iter(stale)
    while batch := list(islice(waiting, BATCH)):
        summaries = [summarise(entity, own, names, created_at=at) for entity, own in batch]
        graph.put_summaries(summaries)
        emptied += sum(not summary.blocks for summary in summaries)
        blocks += sum(len(summary.blocks) for summary in summaries)
    return Summarised(
        group_id=group_id, entities=len(entities), written=len(stale), emptied=emptied, blocks=blocks
    )


def mine_procedures(installation: Installation, group_id: str) -> Mined:
    """Finds the procedures in what the last commit holds of the group's tool calls, and keeps them."""
    at, graph = last_commit(installation, group_id), installation.graph
    if at is None:
        return Mined(group_id=group_id)
    told = (one for one in current_episodes(installation, group_id) if one.source_type is SourceType.JSON)
    traces = traces_of(told)
    found = mine(traces)
    changed = found != graph.procedures(group_id)
    if changed:
        graph.put_procedures(group_id, found, at)
    return Mined(
        group_id=group_id,
        traces=len(traces),
        judged=sum(trace.success is not None for trace in traces),
        procedures=len(found),
        changed=changed,
    )


def last_commit(installation: Installation, group_id: str) -> datetime | None:
    """The instant of the last commit that the group's graph holds; None before the first."""
    seq = installation.graph.last_seq(group_id)
    last = next(iter(installation.record.commits(group_id, after=seq - 1)), None) if seq else None
    return None if last is None else last.instant


def current_episodes(installation: Installation, group_id: str) -> Iterator[Episode]:
    """The episodes that the last commit rests on, each in its committed revision, by id."""
    current = sorted(_current(installation, group_id).items())
    for start in range(0, len(current), BATCH):
        wanted = current[start : start + BATCH]
        found = installation.record.episodes(group_id, wanted)
        yield from sorted(found, key=lambda episode: episode.episode_id)


def _current(installation: Installation, group_id: str) -> Mapping[str, int]:
    """The committed revision of each episode that was not retracted after it."""
    record, last = installation.record, installation.graph.last_seq(group_id)
    taken: dict[str, tuple[int, int]] = {}
    for commit in record.commits(group_id):
        if commit.seq > last:
            break
        taken |= {one.episode_id: (commit.seq, one.revision) for one in commit.episodes}
    for seq, decision in record.committed_decisions(group_id, (DecisionKind.RETRACT,), until=last):
        episode_id = str(decision.target["episode_id"])
        # a commit that takes an episode in and its retraction too has seen the episode come back
        if taken.get(episode_id, (seq, 0))[0] < seq:
            del taken[episode_id]
    return {episode_id: revision for episode_id, (_, revision) in taken.items()}


def _ends(facts: Iterable[Fact]) -> set[str]:
    return {end for fact in facts for end in (fact.subject, fact.object)}


def _gone(group_id: str, entity_id: str, names: Mapping[str, str]) -> Entity:
    return Entity(entity_id=entity_id, group_id=group_id, name=names.get(entity_id, entity_id), type=None)
