"""What a commit concerns, as the commit before it left it: read at once, under the group's lock."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memstrata.model import ObjectKind
from memstrata.stores.neo4j.connection import run
from memstrata.stores.records import ALWAYS, OPEN, micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import neo4j

    from memstrata.model import Entity, Episode
    from memstrata.ports import Changes


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingEpisode:
    """An episode that answers reads of the present."""

    handle: str
    pending: bool
    revision: int
    content_hash: str
    ingested: int
    saga: str | None
    turn: str | None

    def says(self, episode: Episode) -> bool:
        """Whether it has the episode's content."""
        return self.content_hash == episode.content_hash

    def shows(self, episode: Episode) -> bool:
        """Whether it is that very revision, committed."""
        return not self.pending and self.says(episode) and self.revision == episode.revision

    def gives_way_to(self, episode: Episode) -> bool:
        """Whether it is pending and shows nothing that is newer than the episode."""
        return self.pending and (self.says(episode) or self.ingested <= micros(episode.ingested_at))


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingName:
    """A name, and all entities that it ever stood for."""

    entity: str
    keys: Sequence[str]
    stood_for: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingEntity:
    """An entity as it is called now."""

    name: str
    type: str | None
    aliases: Sequence[str]

    def says(self, entity: Entity) -> bool:
        """Whether it is that very version."""
        return (self.name, self.type, tuple(self.aliases)) == (entity.name, entity.type, entity.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingFact:
    """A current version of a fact; `beside` where it is contested, and so no relationship."""

    beside: bool
    text: str
    passage: str
    handle: str
    awaits: int | None
    evidence: Sequence[str]
    evidence_in: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """All of it, by id; `mentions` (signature, how many) are those that go, with their episodes or alone.

    `moving` are the episodes whose mentions may stand for other entities from this commit on, `said` the
    episodes of assertions that become evidence, `cited` the facts that rest on each episode.
    """

    last_seq: int
    last_instant: int
    last_write: str | None
    emptying: bool
    episodes: Mapping[str, Sequence[StandingEpisode]]
    names: Mapping[str, StandingName]
    mentions: Sequence[tuple[str, int]]
    moving: Sequence[str]
    entities: Mapping[str, StandingEntity]
    facts: Mapping[str, StandingFact]
    said: Mapping[str, str]
    cited: Mapping[str, Sequence[str]]


def locked(transaction: neo4j.ManagedTransaction, changes: Changes) -> Standing:
    """Takes the group's lock and reads what the changes concern."""
    given = {"group": changes.commit.group_id, "always": ALWAYS, "open": OPEN, **_concerned(changes)}
    (found,) = run(transaction, "standing", given=given)
    return Standing(
        last_seq=found["last_seq"],
        last_instant=found["last_instant"],
        last_write=found["last_write"],
        emptying=found["emptying"],
        episodes=standing_episodes(found["episodes"]),
        names={id_: StandingName(**row) for id_, row in _by(found["names"], "signature")},
        mentions=[(signature, times) for signature, times in found["mentions"]],
        moving=found["moving"],
        entities={id_: StandingEntity(**row) for id_, row in _by(found["entities"], "id")},
        facts={id_: StandingFact(**row) for id_, row in _by(found["facts"], "id")},
        said=dict(found["said"]),
        cited=dict(found["cited"]),
    )


def standing_episodes(rows: Iterable[Mapping[str, Any]]) -> Mapping[str, Sequence[StandingEpisode]]:
    """Rows of an `id` and the fields of `StandingEpisode`, by episode id."""
    standing: defaultdict[str, list[StandingEpisode]] = defaultdict(list)
    for id_, row in _by(rows, "id"):
        standing[id_].append(StandingEpisode(**row))
    return standing


def _by(rows: Iterable[Mapping[str, Any]], key: str) -> Iterable[tuple[str, dict[str, Any]]]:
    """Each row's value of `key`, and the others."""
    for row in rows:
        fields = dict(row)
        yield fields.pop(key), fields


def apart(changes: Changes) -> list[list[str]]:
    """The mentions (episode, mention) that come to episodes which stay as they are."""
    touched = {one.episode_id for one in changes.episodes} | set(changes.episodes_gone)
    alone = {
        (one.episode_id, one.mention_id) for one, _ in changes.mentions if one.episode_id not in touched
    }
    return [list(one) for one in sorted(alone)]


def _concerned(changes: Changes) -> dict[str, list[Any]]:
    """The ids that `standing.cypher` looks up."""
    facts = changes.facts_created
    entities = {one.entity_id for one in changes.entities} | set(changes.entities_gone)
    entities |= {fact.subject for fact in facts}
    entities |= {fact.object for fact in facts if fact.object_kind is not ObjectKind.LITERAL}
    evidence = (*changes.evidence_added, *changes.evidence_removed)
    recorded = {one.id for one in changes.placements_recorded}
    return {
        "episodes": sorted({*(one.episode_id for one in changes.episodes), *changes.episodes_gone}),
        "signatures": sorted(
            {one.signature_id for one in changes.names} | {s for _, s in changes.mentions}
        ),
        "standing_for": [[one.signature_id, one.entity_id] for one in changes.names],
        "apart": apart(changes),
        "entities": sorted(entities),
        "facts": sorted(
            {*changes.facts_expired, *(one.id for one in facts), *(name for name, _ in evidence)}
        ),
        "assertions": sorted({one for _, one in changes.evidence_added} - recorded),
    }
