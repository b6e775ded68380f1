"""What the record index writes in its transactions: compactions, settled extractions, commits.

Every function joins the transaction of the connection that it is given.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import orjson

from memstrata.errors import Damaged
from memstrata.stores.sqlite.connection import statement
from memstrata.stores.sqlite.record_versions import switch

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    import apsw

    from memstrata.stores.sqlite.record_rows import (
        Batch,
        CommitRow,
        DecisionRow,
        EpisodeKey,
        EpisodeRow,
        ExtractionRow,
        Place,
    )

CHUNK: Final = 500


def _sql(name: str) -> str:
    return statement(f"record/{name}")


def register(db: apsw.Connection, batch: Batch) -> None:
    """Takes in one compaction; see `RecordIndex.register`."""
    groups = intern(db, _groups_in(batch))
    old_sagas = _sagas_with_turns(db, groups, batch)
    _add_episodes(db, groups, batch)
    _add_decisions(db, groups, batch.decisions)
    for place in _moved(batch, old_sagas):
        db.execute(
            _sql("queue_next_turns"),
            {
                "number": batch.number,
                "g": groups[place.group_id],
                "saga": place.saga,
                "position": place.position,
                "reference": place.reference,
                "episode_id": place.episode_id,
                "turns": batch.context_turns,
            },
        )
    for row in batch.decisions:
        if row.switch is not None:
            switch(db, groups[row.group_id], row, again=batch.again)
    db.executemany(_sql("add_part"), [(path, batch.number) for path in batch.parts])
    db.executemany(_sql("drop_intended"), [(path,) for path in batch.parts])
    db.executemany(_sql("add_source"), [(source,) for source in batch.sources])
    gone = [(source.removeprefix("commits/"),) for source in batch.sources]
    db.executemany(_sql("drop_spool_read"), gone)


def array(values: Iterable[object]) -> str:
    """The values as a JSON array, for `json_each`."""
    return orjson.dumps(list(values)).decode()


def chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The values in pieces that one `json_each` takes."""
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))


def by_group(keys: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The ids of each group."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for group_id, one in keys:
        ids[group_id].append(one)
    return ids


def intern(db: apsw.Connection, group_ids: Collection[str]) -> dict[str, int]:
    """The number of each group, given one if it is new."""
    db.executemany(_sql("add_group"), [(group_id,) for group_id in sorted(group_ids)])
    return {group_id: db.execute(_sql("group"), (group_id,)).get for group_id in group_ids}


def _groups_in(batch: Batch) -> set[str]:
    groups = {row.key[0] for row in batch.episodes}
    groups.update(group_id for group_id, _ in batch.withdrawn)
    groups.update(row.group_id for row in batch.decisions)
    return groups


def _sagas_with_turns(db: apsw.Connection, groups: Mapping[str, int], batch: Batch) -> set[tuple[str, str]]:
    """Those of the sagas that get turns that have some already."""
    places = {(row.key[0], row.saga) for row in batch.episodes if row.saga is not None}
    found: set[tuple[str, str]] = set()
    for group_id, sagas in by_group(places).items():
        for chunk in chunks(sagas):
            rows = db.execute(_sql("known_sagas"), {"g": groups[group_id], "sagas": array(chunk)})
            found.update((group_id, saga) for (saga,) in rows)
    return found


def _add_episodes(db: apsw.Connection, groups: Mapping[str, int], batch: Batch) -> None:
    n: int = db.execute(_sql("last_episode")).get
    new_row: int = db.execute(_sql("last_head")).get
    rows = {key: head.row for key, head in batch.known.items()}
    revisions: list[tuple[object, ...]] = []
    heads: dict[EpisodeKey, tuple[int, EpisodeRow]] = {}
    for n, row in enumerate(batch.episodes, n + 1):  # noqa: B020 (goes on from the last one)
        if row.key not in rows:
            rows[row.key] = new_row = new_row + 1
        revisions.append((n, rows[row.key], row.revision, row.day, row.body))
        heads[row.key] = (n, row)
    db.executemany(_sql("add_episode"), revisions)
    new = [key for key in heads if key not in batch.known]
    db.executemany(
        _sql("add_head"),
        [
            (rows[key], groups[key[0]], key[1], *_standing(*heads[key]), *_queued(heads[key][1], batch))
            for key in new
        ],
    )
    db.executemany(
        _sql("revise_head"),
        [
            (rows[key], *_standing(*heads[key]), *_queued(heads[key][1], batch))
            for key in heads
            if key in batch.known
        ],
    )
    db.executemany(_sql("retract_head"), [(rows[key],) for key in _retracted(batch) if key not in heads])


def _standing(n: int, row: EpisodeRow) -> tuple[object, ...]:
    return (n, row.revision, row.content_hash, row.day, row.saga, row.position, row.reference)


def _queued(row: EpisodeRow, batch: Batch) -> tuple[int, int, int]:
    """(retracted, withdrawn, awaiting): what is retracted is not extracted."""
    withdrawn = batch.withdrawn.get(row.key, 0)
    return (1, withdrawn, 0) if withdrawn == row.revision else (0, withdrawn, batch.number)


def _retracted(batch: Batch) -> list[EpisodeKey]:
    """Episodes that were there before and have been retracted in this batch."""
    return [
        key
        for key, revision in batch.withdrawn.items()
        if key in batch.known and revision > batch.known[key].withdrawn
    ]


def _moved(batch: Batch, old_sagas: set[tuple[str, str]]) -> list[Place]:
    """The places whose next turns see another context than before.

    Turns of a saga that is new are all new themselves, and await extraction already.
    """
    if not batch.context_turns:
        return []
    places = {row.place for row in batch.episodes if (row.key[0], row.saga) in old_sagas}
    touched = {*(row.key for row in batch.episodes), *_retracted(batch)}
    places.update(batch.known[key].place for key in touched if key in batch.known)
    return [place for place in places if place is not None]


def _add_decisions(db: apsw.Connection, groups: Mapping[str, int], rows: Sequence[DecisionRow]) -> None:
    db.executemany(
        _sql("add_decision"),
        [(groups[row.group_id], row.decision_id, row.kind, row.day, row.body) for row in rows],
    )


def keep(db: apsw.Connection, rows: Sequence[ExtractionRow]) -> None:
    """Adds extractions; those that are no candidates come into force."""
    db.executemany(
        _sql("keep_extraction"),
        [
            {
                "h": row.head,
                "revision": row.revision,
                "context_hash": row.context_hash,
                "version": row.version,
                "body": row.body,
                "seen": row.asked,
                "failed": row.failed,
            }
            for row in rows
        ],
    )
    _settle(db, [row for row in rows if not row.is_candidate])


def _settle(db: apsw.Connection, rows: Sequence[ExtractionRow]) -> None:
    """Names the extractions of episodes, which then await none unless they were queued again meanwhile."""
    db.executemany(
        _sql("settle"),
        [
            {
                "h": row.head,
                "seen": row.seen,
                "revision": row.revision,
                "context_hash": row.context_hash,
                "version": row.version,
            }
            for row in rows
        ],
    )
    if db.execute(_sql("any_failure")).get:
        db.executemany(_sql("forget_failures"), [{"h": row.head} for row in rows])


def add_commit(db: apsw.Connection, g: int, row: CommitRow) -> None:
    """Takes in one commit of group `g`; see `RecordIndex.add_commits`."""
    last: int = db.execute(_sql("last_seq"), (g,)).get
    if row.seq <= last:
        if db.execute(_sql("commit_body"), (g, row.seq)).get != row.body:
            raise Damaged(
                f"group {row.group_id} has two different commits {row.seq}; restore it from a backup"
            )
        return
    if row.seq != last + 1:
        raise Damaged(
            f"group {row.group_id}: commit {last + 1} is missing before commit {row.seq}; restore its log"
        )
    db.execute(_sql("add_commit"), (g, row.seq, row.body))
    keys = [
        {
            "g": g,
            "episode_id": episode_id,
            "revision": revision,
            "context_hash": digest,
            "version": version,
        }
        for episode_id, revision, digest, version in row.episodes
    ]
    db.executemany(_sql("mention_extraction"), keys)
    db.executemany(_sql("commit_episode"), keys)
    db.executemany(
        _sql("commit_decision"),
        [(row.seq, place, decision_id, g) for place, decision_id in enumerate(row.decisions)],
    )
