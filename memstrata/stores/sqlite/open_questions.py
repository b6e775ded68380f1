"""Open questions and how far groups were looked at: `questions.db` in the home. It holds ids, no texts.

With the file only time is lost: groups are looked through as a whole again, and answers are in the log.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import orjson

from memstrata.errors import Unsupported
from memstrata.ports.questions import Waiting
from memstrata.stores.sqlite.connection import Connections, fetch, statement, writing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    import apsw

    from memstrata.ports.questions import About

VERSION: Final = 1

_sql = "questions/{}".format


class OpenQuestions:
    """`ports.QuestionQueue` in a file; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        """The file is opened, and made, when it is first asked for something."""
        self._path = path
        self._opening = threading.Lock()
        self._opened: Connections | None = None

    def looked(self) -> Mapping[str, int]:
        """See `ports.QuestionQueue`."""
        return dict(fetch(self._here(), _sql("looked")))

    def open(self, *, tries: int) -> frozenset[str]:
        """See `ports.QuestionQueue`."""
        return frozenset(row[0] for row in fetch(self._here(), _sql("open"), (tries,)))

    def put(self, group_id: str, questions: Collection[About], *, looked: int, anew: bool = False) -> None:
        """See `ports.QuestionQueue`."""
        with writing(self._here()) as db:
            if anew:
                db.execute(statement(_sql("clear")), (group_id,))
            db.executemany(statement(_sql("put")), [(group_id, _text(one)) for one in questions])
            db.execute(statement(_sql("mark")), (group_id, looked))

    def waiting(self, group_id: str, *, tries: int, limit: int) -> tuple[Waiting, ...]:
        """See `ports.QuestionQueue`."""
        found = fetch(self._here(), _sql("waiting"), (group_id, tries, limit))
        return tuple(Waiting(about=tuple(orjson.loads(about)), tries=done) for about, done in found)

    def tried(self, group_id: str, questions: Collection[About]) -> None:
        """See `ports.QuestionQueue`."""
        self._each("tried", group_id, questions)

    def settle(self, group_id: str, questions: Collection[About]) -> None:
        """See `ports.QuestionQueue`."""
        self._each("settle", group_id, questions)

    def close(self) -> None:
        """Closes the file for all threads."""
        if self._opened is not None:
            self._opened.close()

    def _each(self, name: str, group_id: str, questions: Collection[About]) -> None:
        if questions:
            with writing(self._here()) as db:
                db.executemany(statement(_sql(name)), [(group_id, _text(one)) for one in questions])

    def _here(self) -> apsw.Connection:
        with self._opening:
            if self._opened is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                opened = Connections(self._path)
                _prepare(opened.here(), self._path)
                self._opened = opened
        return self._opened.here()


def _prepare(db: apsw.Connection, path: Path) -> None:
    """Makes the tables of a new file; raises `Unsupported` for one of a newer version."""
    with writing(db):
        found = db.execute("PRAGMA user_version").get
        if found == 0:
            db.execute(statement(_sql("schema")))
            db.execute(f"PRAGMA user_version = {VERSION}")
    if found > VERSION:
        raise Unsupported(
            f"{path} was written by a newer Memstrata (version {found}, this one knows {VERSION}); "
            "install that version, or move the file away: groups are then looked through anew"
        )


def _text(about: About) -> str:
    return orjson.dumps(about).decode()
