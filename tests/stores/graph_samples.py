"""Small values of every kind that a graph store takes, for its tests and measurements."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from memstrata.ids import identify
from memstrata.model import (
    Block,
    Commit,
    CommittedEpisode,
    Entity,
    Episode,
    Fact,
    Kind,
    Mention,
    ObjectKind,
    Placement,
    Procedure,
    ProcedureStep,
    Rate,
    Slot,
    SourceType,
    Summary,
    SupportOf,
    TimeSource,
)
from memstrata.ports import Changes, NamePlacement

START = datetime(2025, 1, 1, tzinfo=UTC)
GROUP = "acme"


def at(day: int) -> datetime:
    """An instant so many days after the first."""
    return START + timedelta(days=day)


def commit(seq: int, *, group: str = GROUP, episodes: tuple[str, ...] = ()) -> Commit:
    return Commit(
        seq=seq,
        group_id=group,
        instant=at(seq),
        episodes=tuple(
            CommittedEpisode(episode_id=one, revision=1, context_hash="c", version="v") for one in episodes
        ),
        decisions=(),
        extractor_version="x1",
        ontology_hash="o1",
        resolver_version="r1",
    )


def episode(name: str, content: str = "Tom works.", *, group: str = GROUP, **fields: Any) -> Episode:
    given: dict[str, Any] = {
        "revision": 1,
        "source": "test",
        "source_type": SourceType.TEXT,
        "reference_time": START,
        "time_source": TimeSource.OWN,
        "ingested_at": START,
        "content_hash": identify(content),
    }
    return Episode(episode_id=name, group_id=group, content=content, **{**given, **fields})


def mention(name: str, episode_id: str = "e1", *, group: str = GROUP, **fields: Any) -> Mention:
    given: dict[str, Any] = {
        "mention_id": f"{episode_id}/{name}",
        "reference_time": START,
        "type": "Person",
    }
    return Mention(group_id=group, episode_id=episode_id, name=name, **{**given, **fields})


def entity(name: str, *, group: str = GROUP, **fields: Any) -> Entity:
    given: dict[str, Any] = {"entity_id": f"id-{name.lower()}", "type": "Person"}
    return Entity(name=name, group_id=group, **{**given, **fields})


def named(
    name: str, *, signature: str | None = None, entity_id: str | None = None, **fields: Any
) -> NamePlacement:
    return NamePlacement(
        signature_id=signature or f"s-{name.lower()}",
        example=mention(name, **fields),
        keys=(f"name:{name.lower()}",),
        entity_id=entity_id or f"id-{name.lower()}",
    )


def placement(
    name: str, episode_id: str = "e1", *, group: str = GROUP, seq: int = 1, **fields: Any
) -> Placement:
    given: dict[str, Any] = {
        "subject": "id-tom",
        "predicate": "works_at",
        "object": "id-acme",
        "fact": "Tom works at Acme.",
        "kind": Kind.HOLDS,
        "reference_time": START,
    }
    return Placement(
        id=name, group_id=group, episode_id=episode_id, recorded_at=at(seq), **{**given, **fields}
    )


def fact(name: str, sentence: str = "Tom works at Acme.", *, group: str = GROUP, **fields: Any) -> Fact:
    given: dict[str, Any] = {
        "subject": "id-tom",
        "predicate": "works_at",
        "object": "id-acme",
        "valid_at": START,
        "valid_at_precision": None,
        "invalid_at": None,
        "invalid_at_precision": None,
        "evidence": (),
        "contested": False,
        "confidence": 1.0,
    }
    return Fact(id=name, group_id=group, fact=sentence, **{**given, **fields})


def summary(entity_id: str, text: str, created_at: datetime, *, group: str = GROUP) -> Summary:
    """A summary of one block; of none for an empty text."""
    block = Block(topic="works_at", text=text, facts=("f1", "f2"), evidence=("a1",))
    return Summary(
        entity_id=entity_id,
        group_id=group,
        blocks=(block,) if text else (),
        input_hash=f"hash of {text}",
        created_at=created_at,
    )


def procedure(name: str, *, group: str = GROUP, tool: str = "look_up", **fields: Any) -> Procedure:
    slot = Slot(argument="user_id", name="user_id", type="string")
    given: dict[str, Any] = {
        "support": 2,
        "support_of": SupportOf.TASKS,
        "success_with": Rate(successes=2, runs=3),
        "success_without": Rate(successes=0, runs=0),
        "evidence": (),
    }
    return Procedure(
        procedure_id=name,
        group_id=group,
        name=name,
        steps=(ProcedureStep(tool=tool, slots=(slot,), repeats=False),) * 2,
        **{**given, **fields},
    )


def triples(seq: int, count: int, *, group: str = GROUP, words: tuple[str, ...] = ("works",)) -> Changes:
    """A batch as a commit of declared triples makes it: as many new facts, and twice as many new names."""
    key = [identify(group, seq, n) for n in range(count)]
    people = [f"Person {one[:8]}" for one in key]
    places = [f"Place {one[-8:]}" for one in key]
    both = people + places
    sentence = [
        f"{a} {words[(seq * count + n) % len(words)]} at {b}, "
        f"{words[(seq * 7 + n * 13) % len(words)]} and {words[(seq + n * n) % len(words)]}"
        for n, (a, b) in enumerate(zip(people, places, strict=True))
    ]
    ids = {name: identify("entity", group, name) for name in both}
    mentions = {
        name: mention(name, key[n % count], group=group, mention_id=identify(name))
        for n, name in enumerate(both)
    }
    return Changes(
        commit=commit(seq, group=group, episodes=tuple(key)),
        episodes=tuple(episode(one, text, group=group) for one, text in zip(key, sentence, strict=True)),
        mentions=tuple((mentions[name], identify("s", name)) for name in both),
        names=tuple(
            NamePlacement(
                signature_id=identify("s", name),
                example=mentions[name],
                keys=(f"name:{name}", f"first:{name[:9]}", f"last:{name[-4:]}"),
                entity_id=ids[name],
            )
            for name in both
        ),
        entities=tuple(entity(name, group=group, entity_id=ids[name]) for name in both),
        placements_recorded=tuple(
            placement(
                identify("a", one),
                one,
                group=group,
                seq=seq,
                subject=ids[a],
                object=ids[b],
                fact=text,
                subject_mention=mentions[a].mention_id,
                object_mention=mentions[b].mention_id,
            )
            for one, a, b, text in zip(key, people, places, sentence, strict=True)
        ),
        facts_created=tuple(
            fact(
                identify("f", one),
                text,
                group=group,
                subject=ids[a],
                object=ids[b],
                object_kind=ObjectKind.ENTITY,
                evidence=(identify("a", one),),
            )
            for one, a, b, text in zip(key, people, places, sentence, strict=True)
        ),
        evidence_added=tuple((identify("f", one), identify("a", one)) for one in key),
    )
