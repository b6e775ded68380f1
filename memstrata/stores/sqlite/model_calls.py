"""The log of calls to language models and the cache of their replies: `models.db` in the home.

Only what is paid for twice is lost with the file; nothing of the memory rests on it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import apsw
import orjson

from memstrata.errors import Fault
from memstrata.ports.models import Finish, Reply
from memstrata.ports.spending import ListedBy, Spent
from memstrata.stores.sqlite.connection import fetch, statement, writing
from memstrata.stores.sqlite.own_file import OwnFile
from memstrata.stores.sqlite.record_rows import day_number, ticks_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date
    from pathlib import Path

    from memstrata.ports.spending import Call

#: What leads from one version of the file to the next, beginning with an empty one.
_STEPS: Final = ("models/schema", "models/version_2")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC).date()
_NO_DAY: Final = 2**31
#: The order in which `spent.sql` gives what it was asked to list by.
_COLUMNS: Final = (
    ListedBy.DAY,
    ListedBy.GROUP,
    ListedBy.STAGE,
    ListedBy.VERSION,
    ListedBy.MODEL,
    ListedBy.EPISODE,
)

_sql = "models/{}".format


class ModelCalls:
    """Both roles, `ports.CallLog` and `ports.ReplyCache`; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        """The file is opened, and made, when it is first asked for something."""
        self._file = OwnFile(path, _STEPS, without="replies are asked for again, and counting starts anew")

    def close(self) -> None:
        """Closes the file for all threads."""
        self._file.close()

    # --- CallLog ---

    def note(self, calls: Sequence[Call]) -> None:
        """See `ports.CallLog`."""
        rows = [
            (
                ticks_of(one.at),
                day_number(one.at.astimezone(UTC).date()),
                one.group_id,
                one.episode_id,
                one.stage.value,
                one.version,
                one.model,
                one.calls,
                one.input_tokens,
                one.output_tokens,
                one.cached_tokens,
                one.retries,
                one.seconds,
                one.failed,
            )
            for one in calls
        ]
        if rows:
            with writing(self._file.here()) as db:
                db.executemany(statement(_sql("add_call")), rows)

    def spent(
        self,
        by: Collection[ListedBy] = (),
        *,
        since: date | None = None,
        until: date | None = None,
        group_id: str | None = None,
    ) -> tuple[Spent, ...]:
        """See `ports.CallLog`."""
        asked: dict[str, object] = {one.value: one in by for one in _COLUMNS}
        asked |= {
            "since": 0 if since is None else day_number(since),
            "until": _NO_DAY if until is None else day_number(until),
            "only": group_id,
        }
        found = tuple(_spent(by, row) for row in fetch(self._file.here(), _sql("spent"), asked))
        return found if found or by else (Spent(),)

    # --- ReplyCache ---

    def get(self, key: str) -> Reply | None:
        """See `ports.ReplyCache`."""
        found = fetch(self._file.here(), _sql("reply"), (key,))
        if not found:
            return None
        told = orjson.loads(found[0][0])
        return Reply(
            text=told["text"],
            input_tokens=told["input_tokens"],
            output_tokens=told["output_tokens"],
            cached_tokens=told["cached_tokens"],
            finish=Finish(told["finish"]),
            retries=told["retries"],
            seconds=told["seconds"],
        )

    def put(self, key: str, reply: Reply, episodes: Sequence[tuple[str, str]]) -> None:
        """See `ports.ReplyCache`: what was kept under that key is overwritten."""
        with writing(self._with_content()) as db:
            r = db.execute(statement(_sql("put_reply")), (key, orjson.dumps(reply))).get
            db.executemany(
                statement(_sql("add_told_of")), [(group, episode, r) for group, episode in episodes]
            )

    def evict(self, group_id: str, episode_ids: Collection[str]) -> int:
        """See `ports.ReplyCache`: freed pages are overwritten, and the log of changes is emptied."""
        db = self._with_content()
        asked = {"group_id": group_id, "ids": orjson.dumps(sorted(episode_ids)).decode()}
        with writing(db):
            gone = len(db.execute(statement(_sql("evict")), asked).fetchall())
        try:
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError as error:
            raise Fault(
                f"the replies are removed, but {self._file.path} is being read by another process, which "
                "keeps their bytes in its log of changes; try again when it has ended"
            ) from error
        return gone

    def _with_content(self) -> apsw.Connection:
        """The connection, which leaves nothing of what it removes or replaces in the file."""
        db = self._file.here()
        db.execute("PRAGMA secure_delete = ON")
        return db


def _spent(by: Collection[ListedBy], row: Sequence[object]) -> Spent:
    values = dict(zip(_COLUMNS, row, strict=False))
    if isinstance(day := values[ListedBy.DAY], int):
        values[ListedBy.DAY] = (_EPOCH + timedelta(days=day)).isoformat()
    sums = [float(str(number)) for number in row[len(_COLUMNS) :]]
    return Spent(
        key={one: str(values[one]) for one in _COLUMNS if one in by},
        calls=sums[0],
        input_tokens=sums[1],
        output_tokens=sums[2],
        cached_tokens=sums[3],
        retries=sums[4],
        seconds=sums[5],
        failed=sums[6],
    )
