"""Episodes in a commit, and pending ones before it: rows over system time, and the passages of each."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import orjson

from memstrata.projection import passages_of
from memstrata.projection.passages import said
from memstrata.stores.records import OPEN, PENDING, episode_record, micros
from memstrata.stores.sqlite.passages import Wish, drop_passages, place_passages, stored_passages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Episode
    from memstrata.ports import Changes
    from memstrata.stores.sqlite.batch import Batch
    from memstrata.stores.sqlite.passages import Passage

_INGESTED_AT = 3  # where `episode_record` has it


class _Standing(NamedTuple):
    """An episode's row that answers reads of the present."""

    episode: int
    row: int
    revision: int
    content_hash: str
    record: str
    expired_at: int

    @property
    def pending(self) -> bool:
        return self.expired_at == PENDING

    def says(self, episode: Episode) -> bool:
        """Whether it has the episode's content."""
        return self.content_hash == episode.content_hash

    def shows(self, episode: Episode) -> bool:
        """Whether it is that very revision."""
        return self.says(episode) and self.revision == episode.revision

    def gives_way_to(self, episode: Episode) -> bool:
        """Whether this pending row shows nothing that is newer than the episode."""
        ingested_at = orjson.loads(self.record)[_INGESTED_AT]
        return bool(self.says(episode) or ingested_at <= micros(episode.ingested_at))


def _standing(batch: Batch, episode_ids: Iterable[str]) -> dict[int, list[_Standing]]:
    rows = batch.those("standing_episodes", (batch.terms[name] for name in episode_ids))
    standing: dict[int, list[_Standing]] = defaultdict(list)
    for row in rows:
        standing[row[0]].append(_Standing(*row))
    return standing


def apply_episodes(batch: Batch, changes: Changes) -> None:
    """Lets episodes become current and leave; pending rows of the same content turn into current ones."""
    episodes = {episode.episode_id: episode for episode in changes.episodes}
    given = dict(changes.passages)
    standing = _standing(batch, {*episodes, *changes.episodes_gone, *given})
    coming = _Coming()
    for name in changes.episodes_gone:
        for row in standing.pop(batch.terms[name], ()):
            (coming.dropped if row.pending else coming.expired).append(row.row)
    for name, episode in episodes.items():
        coming.place(episode, standing.get(batch.terms[name], ()), given.get(name))
    for name, texts in given.items():
        rows = [] if name in episodes else standing.get(batch.terms[name], [])
        coming.wishes += [Wish(row.row, texts) for row in rows if not row.pending]
    batch.run("expire_episode", ((row, batch.now) for row in coming.expired))
    wishes = coming.wishes + _added(batch, coming.new, pending=False)
    # Pending rows go after that: a new revision may read as they did.
    place_passages(batch, wishes)
    _drop_pending(batch, coming.dropped)
    _settle(batch, coming.settled)


class _Coming:
    """What becomes of the rows that stand, and by which texts each is searched."""

    def __init__(self) -> None:
        self.expired: list[int] = []
        self.dropped: list[int] = []
        self.settled: list[tuple[int, Episode]] = []
        self.new: list[_New] = []
        self.wishes: list[Wish] = []

    def place(self, episode: Episode, rows: Sequence[_Standing], texts: Sequence[str] | None) -> None:
        """Chooses a row that stays, a pending one that turns into the current one, or a new one."""
        kept = [row for row in rows if not row.pending and row.shows(episode)]
        self.expired += [row.row for row in rows if not row.pending and row not in kept]
        way = [row for row in rows if row.pending and row.gives_way_to(episode)]
        turned = [] if kept else [row for row in way if row.says(episode)][:1]
        self.dropped += [row.row for row in way if row not in turned]
        self.settled += [(row.row, episode) for row in turned]
        # A row that stays as it is, without other texts, is not looked at.
        for row in turned if texts is None else kept + turned:
            self.wishes.append(Wish(row.row, texts, said(episode)))
        if not kept and not turned:
            alike = [row.row for row in rows if row.says(episode)][-1:]
            self.new.append(_New(episode, texts, *alike))


class _New(NamedTuple):
    """An episode that needs a row; `alike` is one of an earlier revision that says the same."""

    episode: Episode
    texts: Sequence[str] | None
    alike: int | None = None


def place_pending(batch: Batch, episodes: Sequence[tuple[Episode, tuple[str, ...]]]) -> None:
    """Adds the episodes as pending ones, unless the current revision says the same."""
    latest = {episode.episode_id: (episode, texts) for episode, texts in episodes}
    batch.terms.intern(text for episode, _ in latest.values() for text in texts_of(episode))
    standing = _standing(batch, latest)
    dropped, new = [], []
    for name, (episode, texts) in latest.items():
        rows = standing[batch.terms[name]]
        dropped += [row.row for row in rows if row.pending]
        if not any(row.says(episode) and not row.pending for row in rows):
            new.append(_New(episode, texts))
    _drop_pending(batch, dropped)
    place_passages(batch, _added(batch, new, pending=True), pending=True)


def _drop_pending(batch: Batch, rows: Sequence[int]) -> None:
    if rows:
        stored = stored_passages(batch, rows)
        drop_passages(batch, [one for places in stored.values() for one in places.values()])
        batch.run("drop_episode", ((row,) for row in rows))


def _settle(batch: Batch, settled: Sequence[tuple[int, Episode]]) -> None:
    """Turns pending rows into current ones."""
    batch.run(
        "commit_pending_episode",
        (
            (
                row,
                episode.revision,
                micros(episode.reference_time),
                batch.now,
                episode_record(episode),
                *place_of(batch, episode),
            )
            for row, episode in settled
        ),
    )


def _added(batch: Batch, new: Sequence[_New], *, pending: bool) -> list[Wish]:
    """Writes the rows of episodes that have none; gives by which texts they are to be searched."""
    if not new:
        return []
    first = batch.next_row("episode")
    created, expired = (PENDING, PENDING) if pending else (batch.now, OPEN)
    batch.run(
        "add_episode",
        (
            (
                row,
                batch.group_key,
                batch.terms[one.episode.episode_id],
                one.episode.revision,
                micros(one.episode.reference_time),
                created,
                expired,
                one.episode.content_hash,
                one.episode.content,
                episode_record(one.episode),
                *place_of(batch, one.episode),
            )
            for row, one in enumerate(new, first)
        ),
    )
    earlier = stored_passages(batch, [one.alike for one in new if one.alike is not None])
    return [Wish(row, _texts(one, earlier), said(one.episode)) for row, one in enumerate(new, first)]


def _texts(one: _New, earlier: dict[int, dict[int, Passage]]) -> Sequence[str]:
    if one.texts is not None:
        return one.texts
    if one.alike is not None:
        return [passage.text for _, passage in sorted(earlier[one.alike].items())]
    return passages_of(one.episode)


def texts_of(episode: Episode) -> Iterator[str]:
    """Every text of an episode that its row holds as an integer."""
    yield episode.episode_id
    yield episode.source
    if episode.saga is not None:
        yield episode.saga
    if episode.speaker is not None:
        yield episode.speaker.id
        if episode.speaker.name:
            yield episode.speaker.name


def place_of(batch: Batch, episode: Episode) -> tuple[int | str | None, ...]:
    """Where it comes from and where it stands: the columns of `place_episode.sql` after the first."""
    terms, speaker, saga = batch.terms, episode.speaker, episode.saga
    return (
        terms[episode.source],
        None if speaker is None else terms[speaker.id],
        terms[speaker.name] if speaker is not None and speaker.name else None,
        None if saga is None else terms[saga],
        OPEN if episode.position is None else episode.position,
        None if saga is None else episode.episode_id,
    )
