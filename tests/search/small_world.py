"""A small world to search in: its people, its facts in two times, what was said, and a second group.

Also an embedder whose vectors a reader can check by eye, and a clock that stands still.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import numpy as np

from memstrata.instants import Precision
from memstrata.model import (
    Commit,
    CommittedEpisode,
    Entity,
    Episode,
    Fact,
    Kind,
    Mention,
    ObjectKind,
    Placement,
    Role,
    SourceType,
    Speaker,
    TimeSource,
)
from memstrata.ports import (
    Changes,
    NamePlacement,
    Projector,
    Subject,
    TextIndex,
    VectorModel,
)
from memstrata.search.searcher import SearchedGraph

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memstrata.ports import (
        VectorIndex,
        Vectors,
    )

NOW = datetime(2024, 6, 1, tzinfo=UTC)
FIRST_COMMIT = datetime(2024, 1, 10, tzinfo=UTC)
SECOND_COMMIT = datetime(2024, 2, 10, tzinfo=UTC)
THIRD_COMMIT = datetime(2024, 3, 10, tzinfo=UTC)
BETWEEN = datetime(2024, 1, 20, tzinfo=UTC)

CAROLINE = Speaker(id="u1", name="Caroline Berg")
HELPER = Speaker(id="a1", name="Helper", role=Role.ASSISTANT)

NAMES = {
    "alice": ("Alice Liddell", ("Alice",)),
    "bob": ("Bob", ()),
    "acme": ("Acme Inc.", ("Acme",)),
    "globex": ("Globex", ()),
    "oslo": ("Oslo", ()),
    "club": ("Rock-n-Roll / Jazz Club", ()),
    "zoe": ("Zoë Ångström", ()),
    "mountain": ("山", ()),
}

SAID = {
    "e1": (CAROLINE, "Alice started at Acme as an engineer.", datetime(2019, 3, 1, 9, 30, tzinfo=UTC)),
    "e2": (HELPER, "Noted: Alice is an engineer at Acme now.", datetime(2019, 3, 1, 9, 31, tzinfo=UTC)),
    "e3": (CAROLINE, "Alice moved on to Globex in June 2021.", datetime(2021, 7, 4, 8, 0, tzinfo=UTC)),
    "e4": (None, "Bob lives in Oslo and plays at the club.", datetime(2020, 1, 1, tzinfo=UTC)),
}


class Graph(Projector, TextIndex, SearchedGraph, Protocol):
    """What a store of the graph is, for search and for building a world in it."""


class StoppedClock:
    """A clock that always says `NOW`."""

    def now(self) -> datetime:
        return NOW


class ConceptEmbedder:
    """Texts as counts of concepts: words of one concept share an axis, others fall on one of 24 by hash."""

    CONCEPTS = (
        {"works", "worked", "work", "job", "employer", "engineer", "started"},
        {"lives", "live", "home", "resides", "city", "town"},
        {"plays", "play", "music", "band", "club"},
    )
    OTHER = 24

    def __init__(self, name: str = "concepts") -> None:
        self._name = name

    @property
    def model(self) -> VectorModel:
        return VectorModel(name=self._name, dimension=len(self.CONCEPTS) + self.OTHER, engine="by hand")

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    queries = passages

    def _vector(self, text: str) -> Vectors:
        vector = np.full(len(self.CONCEPTS) + self.OTHER, 0.01, dtype=np.float32)
        for word in text.lower().replace(".", " ").replace("?", " ").split():
            axes = [axis for axis, concept in enumerate(self.CONCEPTS) if word in concept]
            other = len(self.CONCEPTS) + zlib.crc32(word.encode()) % self.OTHER
            vector[axes[0] if axes else other] += 1.0 if axes else 0.3
        return vector / np.linalg.norm(vector)


def when(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def a_fact(
    fact_id: str,
    triple: tuple[str, str, str],
    sentence: str,
    *,
    period: tuple[datetime | None, datetime | None],
    evidence: tuple[str, ...],
    group_id: str = "default",
) -> Fact:
    valid_at, invalid_at = period
    return Fact(
        id=fact_id,
        group_id=group_id,
        subject=triple[0],
        predicate=triple[1],
        object=triple[2],
        fact=sentence,
        valid_at=valid_at,
        valid_at_precision=None if valid_at is None else Precision.MONTH,
        invalid_at=invalid_at,
        invalid_at_precision=None if invalid_at is None else Precision.MONTH,
        evidence=evidence,
        contested=False,
        confidence=1.0,
        object_kind=ObjectKind.ENTITY if triple[2] in NAMES else ObjectKind.LITERAL,
    )


AT_ACME = ("alice", "WORKS_FOR", "acme")
AT_GLOBEX = ("alice", "WORKS_FOR", "globex")

BELIEVED_FIRST = (
    a_fact("f-acme", AT_ACME, "Alice works for Acme.", period=(when(2019, 3), None), evidence=("x1", "x2")),
    a_fact(
        "f-home", ("bob", "LIVES_IN", "oslo"), "Bob lives in Oslo.", period=(None, None), evidence=("x4",)
    ),
    a_fact(
        "f-club",
        ("bob", "PLAYS_AT", "club"),
        "Bob plays at the club.",
        period=(when(2020), None),
        evidence=("x5",),
    ),
    a_fact(
        "f-speaks",
        ("zoe", "SPEAKS", "TCP/IP and e-mail"),
        "Zoë speaks TCP/IP and e-mail.",
        period=(None, None),
        evidence=("x6",),
    ),
    a_fact(
        "f-peak",
        ("zoe", "CLIMBED", "mountain"),
        "Zoë climbed 山 today.",
        period=(None, None),
        evidence=("x7",),
    ),
)
BELIEVED_LATER = (
    a_fact(
        "f-acme",
        AT_ACME,
        "Alice works for Acme.",
        period=(when(2019, 3), when(2021, 6)),
        evidence=("x1", "x2", "x3"),
    ),
    a_fact(
        "f-globex", AT_GLOBEX, "Alice works for Globex.", period=(when(2021, 6), None), evidence=("x3",)
    ),
)
ELSEWHERE = a_fact(
    "f-else",
    ("alice", "WORKS_FOR", "globex"),
    "Alice secretly works for Initech.",
    period=(None, None),
    evidence=("y1",),
    group_id="other",
)
RESTS_ON = {"x1": "e1", "x2": "e2", "x3": "e3", "x4": "e4", "x5": "e4", "x6": "e4", "x7": "e4", "y1": "e9"}


def an_episode(episode_id: str, group_id: str = "default") -> Episode:
    speaker, content, at = SAID.get(episode_id, (None, "Initech pays Alice in secret.", when(2022)))
    return Episode(
        episode_id=episode_id,
        revision=1,
        group_id=group_id,
        source="small world",
        source_type=SourceType.MESSAGE,
        content=content,
        reference_time=at,
        time_source=TimeSource.OWN,
        ingested_at=FIRST_COMMIT,
        content_hash=f"hash of {episode_id}",
        saga="s1",
        position=int(episode_id[1:]),
        speaker=speaker,
    )


def build(projector: Projector) -> None:
    """Two commits in the group `default`, one in `other`."""
    everybody = tuple(NAMES)
    first = _evidence(BELIEVED_FIRST)
    projector.apply(
        _changes(1, FIRST_COMMIT, "default", facts=BELIEVED_FIRST, evidence=first, known=everybody)
    )
    new = tuple(pair for pair in _evidence(BELIEVED_LATER) if pair not in first)
    projector.apply(
        _changes(2, SECOND_COMMIT, "default", facts=BELIEVED_LATER, evidence=new, expired=("f-acme",))
    )
    projector.apply(
        _changes(
            1,
            FIRST_COMMIT,
            "other",
            facts=(ELSEWHERE,),
            evidence=_evidence((ELSEWHERE,)),
            known=("alice", "globex"),
        )
    )


def retract_last(projector: Projector) -> None:
    """A third commit: Globex is withdrawn, Alice is at Acme still by x3; the club turns out to be Oslo."""
    (acme, globex) = BELIEVED_LATER
    again = replace(acme, invalid_at=None, invalid_at_precision=None)
    projector.apply(
        replace(
            _changes(3, THIRD_COMMIT, "default", facts=(again,), evidence=()),
            names=(_name("club", "default", stands_for="oslo"),),
            entities_gone=("club",),
            facts_expired=(acme.id, globex.id, "f-club"),
            evidence_removed=((globex.id, "x3"), ("f-club", "x5")),
        )
    )


class SmallLog:
    """The log's reads of single episodes, as far as `get` needs them."""

    def latest(self, group_id: str, episode_id: str) -> Episode | None:
        return an_episode(episode_id, group_id) if group_id == "default" and episode_id in SAID else None

    def episodes(self, group_id: str, wanted: Collection[tuple[str, int]]) -> tuple[Episode, ...]:
        return tuple(an_episode(one, group_id) for one, revision in wanted if one in SAID and revision == 1)

    def is_retracted(self, group_id: str, episode_id: str) -> bool:
        return False


def embed(index: VectorIndex, embedder: ConceptEmbedder) -> None:
    for subject in Subject:
        waiting = index.without_vector(subject, limit=100)
        if waiting:
            handles, texts = zip(*waiting, strict=True)
            index.put(subject, embedder.model, handles, embedder.passages(texts))


def _evidence(facts: Iterable[Fact]) -> tuple[tuple[str, str], ...]:
    return tuple((fact.id, one) for fact in facts for one in fact.evidence)


def _changes(
    seq: int,
    instant: datetime,
    group_id: str,
    *,
    facts: tuple[Fact, ...],
    evidence: tuple[tuple[str, str], ...],
    known: tuple[str, ...] = (),
    expired: tuple[str, ...] = (),
) -> Changes:
    episode_ids = sorted({RESTS_ON[assertion] for _, assertion in evidence})
    by_assertion = {assertion: fact for fact in facts for assertion in fact.evidence}
    return Changes(
        commit=Commit(
            seq=seq,
            group_id=group_id,
            instant=instant,
            episodes=tuple(
                CommittedEpisode(episode_id=e, revision=1, context_hash="", version="v")
                for e in episode_ids
            ),
            decisions=(),
            extractor_version="v",
            ontology_hash="o",
            resolver_version="r",
        ),
        episodes=tuple(an_episode(e, group_id) for e in episode_ids),
        mentions=tuple((_mention(who, group_id), f"name of {who}") for who in known),
        names=tuple(_name(who, group_id, stands_for=who) for who in known),
        entities=tuple(_entity(who, group_id) for who in known),
        placements_recorded=tuple(
            _placement(assertion, by_assertion[assertion], instant)
            for assertion in sorted({assertion for _, assertion in evidence})
        ),
        facts_created=facts,
        facts_expired=expired,
        evidence_added=evidence,
    )


def _name(who: str, group_id: str, *, stands_for: str) -> NamePlacement:
    return NamePlacement(
        signature_id=f"name of {who}", example=_mention(who, group_id), keys=(who,), entity_id=stands_for
    )


def _entity(who: str, group_id: str) -> Entity:
    name, aliases = NAMES[who]
    return Entity(entity_id=who, group_id=group_id, name=name, type=None, aliases=aliases)


def _mention(who: str, group_id: str) -> Mention:
    return Mention(
        mention_id=f"mention of {who}",
        group_id=group_id,
        episode_id="e1" if group_id == "default" else "e9",
        name=NAMES[who][0],
        reference_time=when(2019),
    )


def _placement(assertion: str, fact: Fact, instant: datetime) -> Placement:
    return Placement(
        id=assertion,
        group_id=fact.group_id,
        episode_id=RESTS_ON[assertion],
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        fact=fact.fact,
        kind=Kind.STARTED,
        reference_time=when(2019),
        recorded_at=instant,
        object_kind=fact.object_kind,
        quote=fact.fact,
    )
