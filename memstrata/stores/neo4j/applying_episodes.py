"""The first part of a commit in the graph: episodes, their passages and their places in sagas."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from memstrata.ids import identify
from memstrata.projection import passages_of
from memstrata.stores.neo4j.batch import token_of
from memstrata.stores.neo4j.lucene import indexed
from memstrata.stores.neo4j.rows import key_of, since_epoch, turn_of
from memstrata.stores.records import OPEN, PENDING, episode_record, micros
from memstrata.stores.searched import properties_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Episode
    from memstrata.ports import Changes
    from memstrata.stores.neo4j.batch import Batch
    from memstrata.stores.neo4j.resting import Citing
    from memstrata.stores.neo4j.standing import StandingEpisode


def apply_episodes(batch: Batch, changes: Changes, citing: Citing) -> set[str]:
    """Lets episodes become current and leave, with their passages; a pending one gives way.

    Returns the episodes that are new, or new revisions: they say already which facts rest on them.
    """
    episodes = {episode.episode_id: episode for episode in changes.episodes}
    concerned = sorted({*episodes, *changes.episodes_gone})
    standing = batch.standing.episodes
    new = [
        one for name, one in episodes.items() if not any(row.shows(one) for row in standing.get(name, ()))
    ]
    ending = {one.episode_id for one in new} | set(changes.episodes_gone)
    ended = [row for name in sorted(ending) for row in standing.get(name, ()) if not row.pending]
    dropped = [
        name
        for name in concerned
        for row in standing.get(name, ())
        if row.pending and (name in changes.episodes_gone or row.gives_way_to(episodes[name]))
    ]
    texts = dict(_texts(batch, changes, new, standing))
    batch.each("drop_pending", dropped, called="ids")
    batch.each("end_episodes", [row.handle for row in ended], called="handles")
    batch.each("add_episodes", [_row(batch, one, texts.pop(one.episode_id, ()), citing) for one in new])
    _put_passages(batch, texts)
    _place_in_sagas(batch, new, ended)
    return {one.episode_id for one in new}


def _row(batch: Batch, episode: Episode, texts: Sequence[str], citing: Citing) -> dict[str, Any]:
    """An episode that becomes current, with its passages, as `add_episodes.cypher` takes it."""
    handle = batch.handle()
    times = {"believed_from": batch.now, "believed_until": OPEN}
    # A new revision says what the one before said, but for what the facts of this commit tell otherwise.
    cited = batch.standing.cited.get(episode.episode_id, ())
    return {
        "episode": {
            **described(episode),
            "entity_edges": citing.by(episode.episode_id, cited),
            "handle": handle,
            **times,
        },
        "passages": [
            {
                **_passage(batch.group_id, handle=batch.handle(), position=n, text=text),
                "episode": handle,
                "valid_from": micros(episode.reference_time),
                "awaits": batch.now,
                **times,
            }
            for n, text in enumerate(texts)
        ],
    }


def described(episode: Episode) -> dict[str, Any]:
    """What an episode's node holds from the episode itself."""
    speaker = episode.speaker
    return {
        "uuid": episode.episode_id,
        "name": episode.episode_id,
        "group_id": episode.group_id,
        "content": episode.content,
        "source": episode.source_type.value,
        "source_description": episode.source,
        "valid_at": since_epoch(episode.reference_time),
        "revision": episode.revision,
        "content_hash": episode.content_hash,
        "record": episode_record(episode),
        "saga": None if episode.saga is None else key_of(episode.saga),
        "turn": None if episode.saga is None else turn_of(episode),
        "speaker_id": None if speaker is None else speaker.id,
        "speaker_name": None if speaker is None else speaker.name,
        "metadata": sorted(f"{name}={value}" for name, value in properties_of(episode)),
        "ingested": micros(episode.ingested_at),
        "valid_from": micros(episode.reference_time),
    }


def _texts(
    batch: Batch,
    changes: Changes,
    new: Sequence[Episode],
    standing: Mapping[str, Sequence[StandingEpisode]],
) -> Sequence[tuple[str, Sequence[str]]]:
    """The passages of every episode that gets some, by episode id.

    Of a new revision for which none are given: those that it had, if it says the same, or else its own.
    """
    given = dict(changes.passages)
    lacking = [one for one in new if one.episode_id not in given]
    before = {
        one.episode_id: row.handle
        for one in lacking
        for row in standing.get(one.episode_id, ())
        if row.says(one)
    }
    found = batch.each("passages_at", sorted(before.values()), called="handles")
    had = {record["handle"]: record["texts"] for record in found}
    own = [(one.episode_id, had.get(before.get(one.episode_id, "")) or passages_of(one)) for one in lacking]
    return [*given.items(), *own]


def _put_passages(batch: Batch, passages: Mapping[str, Sequence[str]]) -> None:
    """Gives other passages to episodes that stand: what reads as before at its place stays."""
    rows = [
        {
            "episode": name,
            "passages": [
                _passage(batch.group_id, handle=batch.handle(), position=n, text=text)
                for n, text in enumerate(texts)
            ],
        }
        for name, texts in passages.items()
    ]
    batch.each("put_passages", rows)


def _passage(group_id: str, *, handle: str, position: int, text: str) -> dict[str, Any]:
    return {
        "group_id": group_id,
        "handle": handle,
        "passage": handle,
        "position": position,
        "text": text,
        "words": indexed(group_id, text),
    }


def _place_in_sagas(batch: Batch, new: Sequence[Episode], ended: Sequence[StandingEpisode]) -> None:
    placed = [episode for episode in new if episode.saga is not None]
    batch.each(
        "join_sagas",
        [
            {
                "episode": one.episode_id,
                "saga": one.saga,
                "saga_uuid": identify("saga", batch.group_id, str(one.saga)),
            }
            for one in placed
        ],
    )
    places = {(key_of(str(one.saga)), turn_of(one)) for one in placed}
    places |= {(row.saga, row.turn) for row in ended if row.saga is not None and row.turn is not None}
    batch.each("link_turns", [{"saga": saga, "turn": turn} for saga, turn in sorted(places)])


def pending_row(episode: Episode, texts: Sequence[str]) -> dict[str, Any]:
    """A pending episode with its passages, as `add_pending.cypher` takes it."""
    name = blake2b(episode.episode_id.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    handle = f"{token_of(episode.group_id)}.p.{name}"
    times = {"believed_from": PENDING, "believed_until": PENDING}
    return {
        "episode": {**described(episode), "handle": handle, **times},
        "passages": [
            {
                **_passage(episode.group_id, handle=f"{handle}.{n}", position=n, text=text),
                "episode": handle,
                "valid_from": micros(episode.reference_time),
                **times,
            }
            for n, text in enumerate(texts)
        ],
    }
