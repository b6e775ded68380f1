"""The record index: one SQLite file that answers for the lake, and may be built again from it at any time.

It holds every revision, decision, extraction and commit as JSON for quick single reads, and the queues:
what awaits extraction, what is pending. Who reads and writes parts and spool is `stores.lake`; here is only
SQL.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from memstrata.errors import Damaged
from memstrata.stores.sqlite.connection import Connections, statement, writing
from memstrata.stores.sqlite.record_checks import CheckTable
from memstrata.stores.sqlite.record_rows import Failure, Head, Named, Place, day_number, day_of
from memstrata.stores.sqlite.record_schema import make, migrate, version_of
from memstrata.stores.sqlite.record_versions import VersionTable
from memstrata.stores.sqlite.record_writes import (
    CHUNK,
    add_commit,
    array,
    by_group,
    chunks,
    intern,
    keep,
    register,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    import apsw

    from memstrata.stores.sqlite.record_rows import (
        Batch,
        CommitRow,
        EpisodeKey,
        ExtractionRow,
    )

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
    "promotions",
)


def _sql(name: str) -> str:
    return statement(f"record/{name}")


class RecordIndex:
    """One file of the index; safe for threads and processes. A new file must be rebuilt before use."""

    def __init__(self, path: Path) -> None:
        self._connections = Connections(path)
        self.checks = CheckTable(self._connections)
        self.versions = VersionTable(self._connections)
        try:
            migrate(self._connections.here())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Closes the file for all threads."""
        self._connections.close()

    def is_new(self) -> bool:
        """Whether the file has never been built."""
        return not version_of(self._connections.here())

    # --- parts and spool files ---

    def next_number(self, *, above: int = 0) -> int:
        """A number for a part, greater than any before it and than `above`."""
        with self._writing() as db:
            number: int = db.execute(_sql("next_number"), (above,)).get
        return number

    def last_number(self) -> int:
        """The greatest number given to a part."""
        number: int = self._value("last_number")
        return number

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
        return frozenset(source for (source,) in self._rows("known_sources", (array(sources),)))

    # --- compaction ---

    def heads(self, keys: Iterable[EpisodeKey]) -> dict[EpisodeKey, Head]:
        """The latest revisions of those episodes that are known."""
        found: dict[EpisodeKey, Head] = {}
        for group_id, ids in by_group(keys).items():
            g = self._group(group_id)
            for chunk in chunks(ids) if g is not None else ():
                for h, episode_id, revision, digest, withdrawn, saga, position, reference in self._rows(
                    "known_heads", {"g": g, "ids": array(chunk)}
                ):
                    place = None if saga is None else Place(group_id, saga, position, reference, episode_id)
                    found[group_id, episode_id] = Head(
                        revision=revision,
                        content_hash=digest,
                        withdrawn=withdrawn,
                        place=place,
                        row=h,
                    )
        return found

    def known_decisions(self, keys: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        """Those of the (group id, decision id) that are registered."""
        found: set[tuple[str, str]] = set()
        for group_id, ids in by_group(keys).items():
            g = self._group(group_id)
            for chunk in chunks(ids) if g is not None else ():
                rows = self._rows("known_decisions", {"g": g, "ids": array(chunk)})
                found.update((group_id, decision_id) for (decision_id,) in rows)
        return frozenset(found)

    def register(self, batch: Batch) -> None:
        """Takes in a compaction, durably and in one transaction: records, queues, parts and sources."""
        with self._durably() as db:
            register(db, batch)

    @contextmanager
    def registering(self, number: int) -> Iterator[None]:
        """One transaction for pages, the highest of that number; the calls of its block join it."""
        with self._writing() as db:
            if number > db.execute(_sql("last_number")).get:
                db.execute(_sql("next_number"), (number - 1,))
            yield

    def note_read(self, read: Mapping[str, int]) -> None:
        """Notes how far spool files (stream/name) are taken in."""
        with self._writing() as db:
            db.executemany(_sql("set_spool_read"), read.items())

    def register_bound(self, number: int, parts: Sequence[str], sources: Sequence[str]) -> None:
        """Registers parts that pages were put into, durably, and the spool files that held them as used."""
        with self._durably() as db:
            db.executemany(_sql("add_part"), [(path, number) for path in parts])
            db.executemany(_sql("drop_intended"), [(path,) for path in parts])
            db.executemany(_sql("add_source"), [(source,) for source in sources])
            db.executemany(_sql("drop_spool_read"), [(source,) for source in sources])

    # --- episodes and decisions ---

    def groups(self) -> tuple[str, ...]:
        """Groups that have an episode or a decision, sorted."""
        return tuple(group_id for (group_id,) in self._rows("groups"))

    def revisions(self, group_id: str, wanted: Iterable[tuple[str, int]]) -> Iterator[bytes]:
        """The bodies of those (episode id, revision) that exist."""
        yield from self._bodies("revisions", group_id, wanted)

    def latest(self, group_id: str, episode_id: str) -> bytes | None:
        """The body of the latest revision; None if the id is unknown."""
        body: bytes | None = self._value("latest", {"g": self._group(group_id), "episode_id": episode_id})
        return body

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
            self._rows("accepted_on", {"day": day_number(day), "after": after, "limit": CHUNK})
        ):
            yield from (body for _, body in rows)
            after = rows[-1][0]

    def listed(self, group_id: str, before: int, limit: int) -> list[tuple[int, bytes]]:
        """(order of acceptance, body) of unretracted latest revisions before a place, latest first."""
        wanted = {"g": self._group(group_id), "before": before, "limit": limit}
        return [(n, body) for n, body in self._rows("listed", wanted)]

    def listed_decisions(
        self, group_id: str, before: int, limit: int
    ) -> list[tuple[int, int | None, bytes]]:
        """(order of acceptance, seq of its commit, body) of decisions before a place, latest first."""
        wanted = {"g": self._group(group_id), "before": before, "limit": limit}
        return [(d, seq, body) for d, seq, body in self._rows("listed_decisions", wanted)]

    def is_retracted(self, group_id: str, episode_id: str) -> bool:
        """Whether the latest revision is retracted; False for an unknown id."""
        return bool(self._value("is_retracted", {"g": self._group(group_id), "episode_id": episode_id}))

    def decisions(self, group_id: str, ids: Iterable[str]) -> list[bytes]:
        """The bodies of those decisions that exist, as they were compacted."""
        wanted = {"g": self._group(group_id), "ids": array(ids)}
        return [body for (body,) in self._rows("decisions", wanted)]

    def committed(self, group_id: str, ids: Iterable[str]) -> list[tuple[bytes, bytes]]:
        """(episode, extraction) as last committed of those episodes, unless retracted since."""
        wanted = {"g": self._group(group_id), "ids": array(ids)}
        return [(episode, extraction) for episode, extraction in self._rows("committed", wanted)]

    def committed_decisions(
        self, group_id: str, kinds: Iterable[str], *, after: int, until: int | None
    ) -> list[tuple[int, bytes]]:
        """(seq, body) of the decisions of those kinds taken in by commits in (after, until], in order."""
        wanted = {
            "g": self._group(group_id),
            "kinds": array(kinds),
            "after": after,
            "until": 2**62 if until is None else until,
        }
        return [(seq, body) for seq, body in self._rows("committed_decisions", wanted)]

    # --- extractions ---

    def awaiting(
        self, day: date | None, limit: int, but: Iterable[str] = ()
    ) -> list[tuple[int, int, bytes, int]]:
        """(row, number in the queue, body, was ever extracted) of what awaits extraction, oldest first."""
        wanted = {"limit": limit, "but": array(filter(None, map(self._group, but)))}
        if day is None:
            rows = self._rows("awaiting", wanted)
        else:
            rows = self._rows("awaiting_by_day", wanted | {"day": day_number(day)})
        return [(row, number, body, extracted) for row, number, body, extracted in rows]

    def awaiting_among(
        self, group_id: str, episode_ids: Iterable[str]
    ) -> list[tuple[int, int, bytes, int]]:
        """As `awaiting`, of those episodes alone."""
        return list(self._rows("awaiting_among", {"g": self._group(group_id), "ids": array(episode_ids)}))

    def known_extraction(self, key: EpisodeKey, revision: int, context_hash: str, version: str) -> bool:
        """Whether that extraction is kept."""
        wanted = {"g": self._group(key[0]), "episode_id": key[1], "revision": revision}
        return (
            self._value("known_extraction", wanted | {"context_hash": context_hash, "version": version})
            is not None
        )

    def named(self, wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Named]]:
        """The episodes of those ids and revisions, whatever their groups."""
        found: defaultdict[tuple[str, int], list[Named]] = defaultdict(list)
        for chunk in chunks(list(wanted)):
            for episode_id, revision, h, group_id, awaiting, asked, day in self._rows(
                "heads_named", {"wanted": array(chunk)}
            ):
                one = Named(group_id=group_id, row=h, awaiting=awaiting, asked=asked, day=day_of(day))
                found[episode_id, revision].append(one)
        return found

    def keep(self, rows: Sequence[ExtractionRow], parts: Mapping[str, int]) -> None:
        """Registers extractions and their parts (path -> number), durably; candidates settle nothing."""
        with self._durably() as db:
            keep(db, rows)
            db.executemany(_sql("add_part"), parts.items())
            db.executemany(_sql("drop_intended"), [(path,) for path in parts])

    def extractions(self, group_id: str, wanted: Iterable[tuple[str, int, str, str]]) -> Iterator[bytes]:
        """The bodies of those (episode id, revision, context hash, version) that are kept."""
        yield from self._bodies("extractions", group_id, wanted)

    def holding(self, group_id: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(order of acceptance, episode, extraction in force) of what holds something, after a place."""
        return list(self._rows("holding", {"g": self._group(group_id), "after": after, "limit": limit}))

    def in_force(self, group_id: str, ids: Iterable[str]) -> list[tuple[bytes, bytes]]:
        """(episode, extraction in force) of those episodes, unless retracted."""
        return list(self._rows("in_force", {"g": self._group(group_id), "ids": array(ids)}))

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

    def pending_among(self, group_id: str, episode_ids: Iterable[str]) -> list[tuple[str, bytes, bytes]]:
        """As `pending`, of those episodes alone."""
        wanted = {"g": self._group(group_id), "ids": array(episode_ids)}
        return list(self._rows("pending_among", wanted))

    def awaiting_count(self) -> tuple[int, bytes | None]:
        """How many episodes await extraction, and the body of the oldest."""
        return self._counted("awaiting_count")

    def pending_count(self) -> tuple[int, bytes | None]:
        """How many episodes await a commit, and the body of the oldest."""
        return self._counted("pending_count")

    def decisions_count(self) -> tuple[int, bytes | None]:
        """How many decisions await a commit, and the body of the oldest."""
        return self._counted("decisions_count")

    def _counted(self, name: str) -> tuple[int, bytes | None]:
        [(count, body)] = self._rows(name)
        return count, body

    def ever_committed(self, group_id: str, episode_ids: Iterable[str]) -> frozenset[str]:
        """Those of the episodes that a commit has taken in, in whatever revision."""
        wanted = {"g": self._group(group_id), "ids": array(episode_ids)}
        return frozenset(episode_id for (episode_id,) in self._rows("ever_committed", wanted))

    def commit_of(self, group_id: str, episode_id: str) -> bytes | None:
        """The body of the last commit that took the episode in; it looks through them, latest first."""
        body: bytes | None = self._value(
            "commit_of", {"g": self._group(group_id), "episode_id": episode_id}
        )
        return body

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

    def commit(self, group_id: str, seq: int) -> bytes:
        """The body of the group's commit of that `seq`, which must be there."""
        body: bytes = self._value("commit_body", (self._group(group_id), seq))
        return body

    def commits(self, group_id: str, after: int) -> Iterator[bytes]:
        """The bodies of the group's commits above `after`, in order."""
        g = self._group(group_id)
        while rows := list(self._rows("commits", {"g": g, "after": after, "limit": CHUNK})):
            yield from (body for _, body in rows)
            after = rows[-1][0]

    def spool_read(self) -> dict[str, int]:
        """How many bytes are taken in of files of commits (by name), and of others (by stream/name)."""
        return dict(self._rows("spool_read"))

    def add_commits(self, rows: Sequence[CommitRow], read: Mapping[str, int]) -> dict[str, Damaged]:
        """Registers commits that are durable, and how far their files are read; known ones change nothing.

        Gives the groups where a commit differs from one of the same `seq`, or leaves a gap: theirs are
        taken in up to there, and the files do not count as read.
        """
        damaged: dict[str, Damaged] = {}
        with self._writing() as db:
            groups = intern(db, {row.group_id for row in rows})
            for row in sorted(rows, key=lambda row: (row.group_id, row.seq)):
                if row.group_id not in damaged:
                    try:
                        add_commit(db, groups[row.group_id], row)
                    except Damaged as error:
                        damaged[row.group_id] = error
            if not damaged:
                db.executemany(_sql("set_spool_read"), read.items())
        return damaged

    # --- failures ---

    def failed(self, failure: Failure, attempts: int, *, stays: bool = False) -> bool:
        """Counts a failure; True at the last one allowed: the episode leaves the queues, or `stays`."""
        group_id, episode_id = failure.key
        counted = {
            "group_id": group_id,
            "episode_id": episode_id,
            "revision": failure.revision,
            "stage": failure.stage,
            "reason": failure.reason,
            "at": failure.at,
        }
        with self._writing() as db:
            is_dead: bool = db.execute(_sql("count_failure"), counted).get >= attempts
            if is_dead and not stays:
                where = {"episode_id": episode_id, "g": db.execute(_sql("group"), (group_id,)).get}
                db.execute(_sql("bury"), where | {"revision": failure.revision})
                db.execute(
                    _sql("mark_dead"),
                    {"group_id": group_id, "episode_id": episode_id, "stage": failure.stage},
                )
        return is_dead

    def dead_letters(self, group_id: str | None) -> list[Failure]:
        """The failures that made dead letters, oldest first."""
        return [
            Failure(
                key=(group, one), revision=revision, stage=stage, reason=reason, at=at, attempts=attempts
            )
            for group, one, revision, stage, reason, at, attempts in self._rows(
                "dead_letters", {"group_id": group_id}
            )
        ]

    def release(self, group_id: str, episode_id: str) -> bool:
        """Lets a dead letter await extraction again; False if it is none."""
        with self._writing() as db:
            where = {"episode_id": episode_id, "g": db.execute(_sql("group"), (group_id,)).get}
            if not db.execute(_sql("release"), where).fetchall():
                return False
            db.execute(_sql("forget_all_failures"), {"group_id": group_id, "episode_id": episode_id})
        return True

    def bury_again(self) -> None:
        """Takes dead letters out of the queues of an index that has just been built again."""
        with self._writing() as db:
            db.execute(_sql("bury_again"))

    # --- the whole ---

    @contextmanager
    def rebuilding(self) -> Iterator[None]:
        """One transaction that begins with everything derived gone; the calls of its block all join it."""
        with self._durably() as db:
            if not version_of(db):
                make(db)
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
        g: int | None = self._value("group", (group_id,))
        return g

    def _rows(self, name: str, values: Any = ()) -> apsw.Cursor:
        return self._connections.here().execute(_sql(name), values)

    def _value(self, name: str, values: Any = ()) -> Any:
        return self._rows(name, values).get

    def _bodies(self, name: str, group_id: str, wanted: Iterable[tuple[object, ...]]) -> Iterator[bytes]:
        g = self._group(group_id)
        for chunk in chunks(list(wanted)):
            yield from [body for (body,) in self._rows(name, {"g": g, "wanted": array(chunk)})]
