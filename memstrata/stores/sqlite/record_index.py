"""The record index: one SQLite file that answers for the lake, and may be built again from it at any time.

It holds every revision, decision, extraction and commit as JSON for quick single reads, and the queues: what awaits
extraction, what is pending. Who reads and writes parts and spool is `stores.lake`; here is only SQL.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import orjson

from memstrata.errors import Damaged, Unsupported
from memstrata.stores.sqlite.connection import Connections, statement, writing
from memstrata.stores.sqlite.record_rows import Head, Named, Place, day_number, day_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    import apsw

    from memstrata.stores.sqlite.record_rows import (
        Batch,
        CommitRow,
        DecisionRow,
        EpisodeKey,
        EpisodeRow,
        ExtractionRow,
    )

VERSION: Final = 1
_CHUNK: Final = 500
_DERIVED: Final = (
    "groups",
    "parts",
    "intended",
    "sources",
    "spool_read",
    "heads",
    "episodes",
    "extractions",
    "decisions",
    "commits",
)


def _sql(name: str) -> str:
    return statement(f"record/{name}")


class RecordIndex:
    """One file of the index; safe for threads and processes. A new file must be rebuilt before it is used."""

    def __init__(self, path: Path) -> None:
        self._connections = Connections(path)
        version = self._one("PRAGMA user_version") or 0
        if version > VERSION:
            self.close()
            raise Unsupported(
                f"{path} was written by a newer Memstrata (index version {version}, this one knows {VERSION}); "
                "install that version, or move the file away: it is built again from the lake"
            )

    def close(self) -> None:
        """Closes the file for all threads."""
        self._connections.close()

    def is_new(self) -> bool:
        """Whether the file has never been built."""
        return not self._one("PRAGMA user_version")

    # --- parts and spool files ---

    def next_number(self, *, above: int = 0) -> int:
        """A number for a part, greater than any before it and than `above`."""
        with self._writing() as db:
            number: int = db.execute(_sql("next_number"), (above,)).get
        return number

    def parts(self) -> frozenset[str]:
        """The paths of all registered parts."""
        return frozenset(path for (path,) in self._rows("parts"))

    def intend(self, paths: Iterable[str]) -> None:
        """Notes parts that are about to be written; registering them takes the note away."""
        with self._writing() as db:
            db.executemany(_sql("add_intended"), [(path,) for path in paths])

    def intended(self) -> tuple[str, ...]:
        """Parts that were to be written and have not been registered."""
        return tuple(path for (path,) in self._rows("intended"))

    def give_up(self, paths: Iterable[str]) -> None:
        """Takes away the notes of parts that will not be registered."""
        with self._writing() as db:
            db.executemany(_sql("drop_intended"), [(path,) for path in paths])

    def used_up(self, sources: Collection[str]) -> frozenset[str]:
        """Those of the spool files (stream/name) that a registered compaction has used up."""
        return frozenset(source for (source,) in self._rows("known_sources", (_array(sources),)))

    # --- compaction ---

    def heads(self, keys: Iterable[EpisodeKey]) -> dict[EpisodeKey, Head]:
        """The latest revisions of those episodes that are known."""
        found: dict[EpisodeKey, Head] = {}
        for group_id, ids in _by_group(keys).items():
            g = self._group(group_id)
            for chunk in _chunks(ids) if g is not None else ():
                for h, episode_id, revision, digest, retracted, saga, position, reference in self._rows(
                    "known_heads", {"g": g, "ids": _array(chunk)}
                ):
                    place = None if saga is None else Place(group_id, saga, position, reference, episode_id)
                    found[group_id, episode_id] = Head(
                        revision=revision,
                        content_hash=digest,
                        retracted=bool(retracted),
                        place=place,
                        row=h,
                    )
        return found

    def known_decisions(self, keys: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        """Those of the (group id, decision id) that are registered."""
        found: set[tuple[str, str]] = set()
        for group_id, ids in _by_group(keys).items():
            g = self._group(group_id)
            for chunk in _chunks(ids) if g is not None else ():
                rows = self._rows("known_decisions", {"g": g, "ids": _array(chunk)})
                found.update((group_id, decision_id) for (decision_id,) in rows)
        return frozenset(found)

    def register(self, batch: Batch) -> None:
        """Takes in a compaction, durably and in one transaction: records, queues, parts and sources."""
        with self._durably() as db:
            self._register(db, batch)

    def _register(self, db: apsw.Connection, batch: Batch) -> None:
        groups = _intern(db, _groups_in(batch))
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
        db.executemany(_sql("add_part"), [(path, batch.number) for path in batch.parts])
        db.executemany(_sql("drop_intended"), [(path,) for path in batch.parts])
        db.executemany(_sql("add_source"), [(source,) for source in batch.sources])
        gone = [
            (source.removeprefix("commits/"),) for source in batch.sources if source.startswith("commits/")
        ]
        db.executemany(_sql("drop_spool_read"), gone)

    # --- episodes and decisions ---

    def groups(self) -> tuple[str, ...]:
        """Groups that have an episode or a decision, sorted."""
        return tuple(group_id for (group_id,) in self._rows("groups"))

    def revisions(self, group_id: str, wanted: Iterable[tuple[str, int]]) -> Iterator[bytes]:
        """The bodies of those (episode id, revision) that exist."""
        yield from self._bodies("revisions", group_id, wanted)

    def latest(self, group_id: str, episode_id: str) -> bytes | None:
        """The body of the latest revision; None if the id is unknown."""
        return self._value("latest", {"g": self._group(group_id), "episode_id": episode_id})

    def preceding(self, place: Place, turns: int) -> list[bytes]:
        """The bodies of the unretracted turns before the place, latest first."""
        wanted = {
            "g": self._group(place.group_id),
            "saga": place.saga,
            "position": place.position,
            "reference": place.reference,
            "episode_id": place.episode_id,
            "turns": turns,
        }
        return [body for (body,) in self._rows("preceding_turns", wanted)]

    def accepted_on(self, day: date) -> Iterator[bytes]:
        """The bodies of all revisions of the day, in order of acceptance."""
        after = 0
        while rows := list(
            self._rows("accepted_on", {"day": day_number(day), "after": after, "limit": _CHUNK})
        ):
            yield from (body for _, body in rows)
            after = rows[-1][0]

    def is_retracted(self, group_id: str, episode_id: str) -> bool:
        """Whether the latest revision is retracted; False for an unknown id."""
        return bool(self._value("is_retracted", {"g": self._group(group_id), "episode_id": episode_id}))

    def decisions(self, group_id: str, ids: Iterable[str]) -> list[bytes]:
        """The bodies of those decisions that exist, as they were compacted."""
        return [
            body for (body,) in self._rows("decisions", {"g": self._group(group_id), "ids": _array(ids)})
        ]

    def committed_decisions(
        self, group_id: str, kinds: Iterable[str], until: int | None
    ) -> list[tuple[int, bytes]]:
        """(seq, body) of the decisions of those kinds taken in by commits up to `until`, in their order."""
        wanted = {
            "g": self._group(group_id),
            "kinds": _array(kinds),
            "until": 2**62 if until is None else until,
        }
        return [(seq, body) for seq, body in self._rows("committed_decisions", wanted)]

    # --- extractions ---

    def awaiting(self, day: date | None, limit: int) -> list[tuple[int, int, bytes]]:
        """(row, number in the queue, body) of latest revisions that await extraction, oldest first."""
        if day is None:
            rows = self._rows("awaiting", {"limit": limit})
        else:
            rows = self._rows("awaiting_by_day", {"limit": limit, "day": day_number(day)})
        return [(row, number, body) for row, number, body in rows]

    def known_extraction(self, key: EpisodeKey, revision: int, context_hash: str, version: str) -> bool:
        """Whether that extraction is kept."""
        wanted = {"g": self._group(key[0]), "episode_id": key[1], "revision": revision}
        return (
            self._value("known_extraction", wanted | {"context_hash": context_hash, "version": version})
            is not None
        )

    def named(self, episode_id: str, revision: int) -> tuple[Named, ...]:
        """The episodes of that id and revision, whatever their group."""
        return tuple(
            Named(group_id=group_id, row=h, revision=latest, awaiting=awaiting, day=day_of(day))
            for h, _, group_id, latest, awaiting, day in self._rows(
                "heads_named", {"episode_id": episode_id, "revision": revision}
            )
        )

    def keep(self, rows: Sequence[ExtractionRow], parts: Mapping[str, int]) -> None:
        """Registers extractions and their parts (path -> number), durably, and settles their episodes."""
        with self._durably() as db:
            db.executemany(
                _sql("keep_extraction"),
                [(row.head, row.revision, row.context_hash, row.version, row.body) for row in rows],
            )
            _settle(db, rows)
            db.executemany(_sql("add_part"), parts.items())
            db.executemany(_sql("drop_intended"), [(path,) for path in parts])

    def settle(self, row: ExtractionRow) -> None:
        """Marks the episode as extracted by an extraction that is kept already."""
        with self._writing() as db:
            _settle(db, [row])

    def extractions(self, group_id: str, wanted: Iterable[tuple[str, int, str, str]]) -> Iterator[bytes]:
        """The bodies of those (episode id, revision, context hash, version) that are kept."""
        yield from self._bodies("extractions", group_id, wanted)

    # --- commits ---

    def groups_with_work(self, day: date | None) -> tuple[str, ...]:
        """The groups that have something pending, sorted."""
        if day is None:
            rows = self._rows("groups_with_work")
        else:
            rows = self._rows("groups_with_work_by_day", {"day": day_number(day)})
        return tuple(group_id for (group_id,) in rows)

    def pending(self, group_id: str, limit: int, day: date | None) -> list[tuple[str, bytes, bytes]]:
        """(version, episode, extraction) of what is to be committed, oldest acceptance first."""
        suffix, wanted = self._of_day(group_id, day)
        rows = self._rows(f"pending{suffix}", wanted | {"limit": limit})
        return [(version, episode, extraction) for version, episode, extraction in rows]

    def pending_decisions(self, group_id: str, day: date | None) -> list[bytes]:
        """The decisions to be committed, as they were compacted."""
        suffix, wanted = self._of_day(group_id, day)
        return [body for (body,) in self._rows(f"pending_decisions{suffix}", wanted)]

    def _of_day(self, group_id: str, day: date | None) -> tuple[str, dict[str, int | None]]:
        wanted = {"g": self._group(group_id)}
        return ("", wanted) if day is None else ("_by_day", wanted | {"day": day_number(day)})

    def last_seq(self, group_id: str) -> int:
        """The greatest `seq` of the group's commits; 0 without any."""
        return self._value("last_seq", (self._group(group_id),)) or 0

    def commits(self, group_id: str, after: int) -> Iterator[bytes]:
        """The bodies of the group's commits above `after`, in order."""
        g = self._group(group_id)
        while rows := list(self._rows("commits", {"g": g, "after": after, "limit": _CHUNK})):
            yield from (body for _, body in rows)
            after = rows[-1][0]

    def spool_read(self) -> dict[str, int]:
        """How many bytes of each file of commits have been registered."""
        return dict(self._rows("spool_read"))

    def add_commits(self, rows: Sequence[CommitRow], read: Mapping[str, int]) -> None:
        """Registers commits that are durable, and how far their files are read; known ones change nothing.

        Raises `Damaged` when a commit differs from one of the same group and `seq`, or its `seq` leaves a gap.
        """
        with self._writing() as db:
            groups = _intern(db, {row.group_id for row in rows})
            for row in sorted(rows, key=lambda row: (row.group_id, row.seq)):
                _add_commit(db, groups[row.group_id], row)
            db.executemany(_sql("set_spool_read"), read.items())

    # --- the whole ---

    @contextmanager
    def rebuilding(self) -> Iterator[None]:
        """One transaction that begins with everything derived gone; the calls of its block all join it."""
        with self._durably() as db:
            if not db.execute("PRAGMA user_version").get:
                db.execute(_sql("schema"))
                db.execute(f"PRAGMA user_version = {VERSION}")
            for table in _DERIVED:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 (a name from the list above)
            yield

    @contextmanager
    def _durably(self) -> Iterator[apsw.Connection]:
        """A write transaction that outlives a loss of power, and with it all before it."""
        db = self._connections.here()
        if db.in_transaction:
            yield db
            return
        db.execute("PRAGMA synchronous = FULL")
        try:
            with writing(db):
                yield db
        finally:
            db.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        db = self._connections.here()
        if db.in_transaction:
            yield db
            return
        with writing(db):
            yield db

    def _group(self, group_id: str) -> int | None:
        return self._value("group", (group_id,))

    def _rows(self, name: str, values: object = ()) -> apsw.Cursor:
        return self._connections.here().execute(_sql(name), values)

    def _value(self, name: str, values: object = ()) -> Any:
        return self._rows(name, values).get

    def _one(self, text: str) -> int | None:
        value: int | None = self._connections.here().execute(text).get
        return value

    def _bodies(self, name: str, group_id: str, wanted: Iterable[tuple[object, ...]]) -> Iterator[bytes]:
        g = self._group(group_id)
        for chunk in _chunks(list(wanted)):
            yield from [body for (body,) in self._rows(name, {"g": g, "wanted": _array(chunk)})]


def _array(values: Iterable[object]) -> str:
    return orjson.dumps(list(values)).decode()


def _chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (values[start : start + _CHUNK] for start in range(0, len(values), _CHUNK))


def _by_group(keys: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for group_id, one in keys:
        ids[group_id].append(one)
    return ids


def _intern(db: apsw.Connection, group_ids: Collection[str]) -> dict[str, int]:
    """The number of each group, given one if it is new."""
    db.executemany(_sql("add_group"), [(group_id,) for group_id in sorted(group_ids)])
    return {group_id: db.execute(_sql("group"), (group_id,)).get for group_id in group_ids}


def _groups_in(batch: Batch) -> set[str]:
    groups = {row.key[0] for row in batch.episodes}
    groups.update(group_id for group_id, _ in batch.retracted)
    groups.update(row.group_id for row in batch.decisions)
    return groups


def _sagas_with_turns(db: apsw.Connection, groups: Mapping[str, int], batch: Batch) -> set[tuple[str, str]]:
    """Those of the sagas that get turns that have some already."""
    places = {(row.key[0], row.saga) for row in batch.episodes if row.saga is not None}
    found: set[tuple[str, str]] = set()
    for group_id, sagas in _by_group(places).items():
        for chunk in _chunks(sagas):
            rows = db.execute(_sql("known_sagas"), {"g": groups[group_id], "sagas": _array(chunk)})
            found.update((group_id, saga) for (saga,) in rows)
    return found


def _add_episodes(db: apsw.Connection, groups: Mapping[str, int], batch: Batch) -> None:
    n: int = db.execute(_sql("last_episode")).get
    new_row: int = db.execute(_sql("last_head")).get
    rows = {key: head.row for key, head in batch.known.items()}
    revisions: list[tuple[object, ...]] = []
    heads: dict[EpisodeKey, tuple[int, EpisodeRow]] = {}
    for n, row in enumerate(batch.episodes, n + 1):  # noqa: B020, PLR1704 (goes on from the last one)
        if row.key not in rows:
            rows[row.key] = new_row = new_row + 1
        revisions.append((n, rows[row.key], row.revision, row.day, row.body))
        heads[row.key] = (n, row)
    db.executemany(_sql("add_episode"), revisions)
    new = [key for key in heads if key not in batch.known]
    db.executemany(
        _sql("add_head"),
        [(rows[key], groups[key[0]], key[1], *_standing(*heads[key]), *_queued(key, batch)) for key in new],
    )
    db.executemany(
        _sql("revise_head"),
        [(rows[key], *_standing(*heads[key]), *_queued(key, batch)) for key in heads if key in batch.known],
    )
    db.executemany(_sql("retract_head"), [(rows[key],) for key in sorted(batch.retracted - heads.keys())])


def _standing(n: int, row: EpisodeRow) -> tuple[object, ...]:
    return (n, row.revision, row.content_hash, row.day, row.saga, row.position, row.reference)


def _queued(key: EpisodeKey, batch: Batch) -> tuple[int, int]:
    """(retracted, awaiting): what is withdrawn is not extracted."""
    return (1, 0) if key in batch.retracted else (0, batch.number)


def _moved(batch: Batch, old_sagas: set[tuple[str, str]]) -> list[Place]:
    """The places whose next turns see another context than before.

    Turns of a saga that is new are all new themselves, and await extraction already.
    """
    if not batch.context_turns:
        return []
    places = {row.place for row in batch.episodes if (row.key[0], row.saga) in old_sagas}
    touched = {row.key for row in batch.episodes} | batch.retracted
    places.update(batch.known[key].place for key in touched if key in batch.known)
    return [place for place in places if place is not None]


def _add_decisions(db: apsw.Connection, groups: Mapping[str, int], rows: Sequence[DecisionRow]) -> None:
    db.executemany(
        _sql("add_decision"),
        [(groups[row.group_id], row.decision_id, row.kind, row.day, row.body) for row in rows],
    )


def _settle(db: apsw.Connection, rows: Sequence[ExtractionRow]) -> None:
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
    db.executemany(_sql("forget_failures"), [{"h": row.head} for row in rows])


def _add_commit(db: apsw.Connection, g: int, row: CommitRow) -> None:
    last: int = db.execute(_sql("last_seq"), (g,)).get
    if row.seq <= last:
        if db.execute(_sql("commit_body"), (g, row.seq)).get != row.body:
            raise Damaged(
                f"group {row.group_id} has two different commits {row.seq}; restore it from a backup"
            )
        return
    if row.seq != last + 1:
        raise Damaged(
            f"group {row.group_id}: commit {last + 1} is missing before commit {row.seq}; restore the log of commits"
        )
    db.execute(_sql("add_commit"), (g, row.seq, row.body))
    keys = [
        {
            "g": g,
            "episode_id": episode_id,
            "revision": revision,
            "context_hash": digest,
            "version": row.version,
        }
        for episode_id, revision, digest in row.episodes
    ]
    db.executemany(_sql("mention_extraction"), keys)
    db.executemany(_sql("commit_episode"), keys)
    db.executemany(
        _sql("commit_decision"),
        [(row.seq, place, decision_id, g) for place, decision_id in enumerate(row.decisions)],
    )
