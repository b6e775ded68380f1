"""Open questions and how far groups were looked at: `questions.db` in the home. It holds ids, no texts.

With the file only time is lost: groups are looked through as a whole again, and answers are in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from memstrata.ports.questions import Waiting
from memstrata.stores.sqlite.connection import fetch, statement, writing
from memstrata.stores.sqlite.own_file import OwnFile

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from memstrata.ports.questions import About

_sql = "questions/{}".format


class OpenQuestions:
    """`ports.QuestionQueue` in a file; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        """The file is opened, and made, when it is first asked for something."""
        self._file = OwnFile(path, ("questions/schema",), without="groups are then looked through anew")

    def looked(self) -> Mapping[str, int]:
        """See `ports.QuestionQueue`."""
        return dict(fetch(self._file.here(), _sql("looked")))

    def open(self, *, tries: int) -> frozenset[str]:
        """See `ports.QuestionQueue`."""
        return frozenset(row[0] for row in fetch(self._file.here(), _sql("open"), (tries,)))

    def put(self, group_id: str, questions: Collection[About], *, looked: int, anew: bool = False) -> None:
        """See `ports.QuestionQueue`."""
        with writing(self._file.here()) as db:
            if anew:
                db.execute(statement(_sql("clear")), (group_id,))
            db.executemany(statement(_sql("put")), [(group_id, _text(one)) for one in questions])
            db.execute(statement(_sql("mark")), (group_id, looked))

    def waiting(self, group_id: str, *, tries: int, limit: int) -> tuple[Waiting, ...]:
        """See `ports.QuestionQueue`."""
        found = fetch(self._file.here(), _sql("waiting"), (group_id, tries, limit))
        return tuple(Waiting(about=tuple(orjson.loads(about)), tries=done) for about, done in found)

    def tried(self, group_id: str, questions: Collection[About]) -> None:
        """See `ports.QuestionQueue`."""
        self._each("tried", group_id, questions)

    def settle(self, group_id: str, questions: Collection[About]) -> None:
        """See `ports.QuestionQueue`."""
        self._each("settle", group_id, questions)

    def close(self) -> None:
        """Closes the file for all threads."""
        self._file.close()

    def _each(self, name: str, group_id: str, questions: Collection[About]) -> None:
        if questions:
            with writing(self._file.here()) as db:
                db.executemany(statement(_sql(name)), [(group_id, _text(one)) for one in questions])


def _text(about: About) -> str:
    return orjson.dumps(about).decode()
