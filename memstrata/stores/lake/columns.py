"""Records as columns: what a part of the lake looks like inside.

Times are UTC timestamps in microseconds, nested values JSON text, the rest text, integers and booleans,
compressed with zstd; the file's own metadata says from which compaction and which spool files it came.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeVar

from memstrata.errors import Damaged
from memstrata.stores.lake.codec import (
    dump_json,
    load_commit,
    load_decision,
    load_episode,
    load_extraction,
    load_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import polars as pl

    from memstrata.model import Commit, Decision, Episode, Extraction, Json

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_ORIGIN: Final = "memstrata"
_QUEUED: Final = "queued"
_PAGES: Final = "memstrata-pages"
_PAGE: Final = "page"

Record = TypeVar("Record")


class As(StrEnum):
    """How a field is kept in a column."""

    TEXT = "text"
    INTEGER = "integer"
    TIME = "time"
    JSON = "json"


EPISODE_COLUMNS: Final[Mapping[str, As]] = {
    "episode_id": As.TEXT,
    "revision": As.INTEGER,
    "group_id": As.TEXT,
    "source": As.TEXT,
    "source_type": As.TEXT,
    "content": As.TEXT,
    "reference_time": As.TIME,
    "time_source": As.TEXT,
    "ingested_at": As.TIME,
    "content_hash": As.TEXT,
    "saga": As.TEXT,
    "position": As.INTEGER,
    "native_id": As.TEXT,
    "speaker": As.JSON,
    "addressee": As.JSON,
    "metadata": As.JSON,
}
DECISION_COLUMNS: Final[Mapping[str, As]] = {
    "decision_id": As.TEXT,
    "group_id": As.TEXT,
    "kind": As.TEXT,
    "at": As.TIME,
    "by": As.TEXT,
    "who": As.TEXT,
    "target": As.JSON,
    "payload": As.JSON,
    "reason": As.TEXT,
    "evidence": As.JSON,
}
COMMIT_COLUMNS: Final[Mapping[str, As]] = {
    "seq": As.INTEGER,
    "group_id": As.TEXT,
    "instant": As.TIME,
    "episodes": As.JSON,
    "decisions": As.JSON,
    "extractor_version": As.TEXT,
    "ontology_hash": As.TEXT,
    "resolver_version": As.TEXT,
}
EXTRACTION_COLUMNS: Final[Mapping[str, As]] = {
    "group_id": As.TEXT,
    "episode_id": As.TEXT,
    "revision": As.INTEGER,
    "context_hash": As.TEXT,
    "version": As.TEXT,
    "status": As.TEXT,
    "mentions": As.JSON,
    "assertions": As.JSON,
    "outcomes": As.JSON,
    "usage": As.JSON,
    "held": As.JSON,
}
#: What parts that were written before it existed do not have.
_LATER: Final = frozenset({"held"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a compaction's part came from; the same in all parts of one compaction.

    `parts` are all its parts: it counts only if they are all there. `sources` are the spool files that it
    used up, as stream/name. `context_turns` is how many next turns it queued again.
    """

    parts: tuple[str, ...]
    sources: tuple[str, ...]
    context_turns: int


def encode(
    columns: Mapping[str, As],
    records: Sequence[Episode] | Sequence[Decision] | Sequence[Commit] | Sequence[Extraction],
    origin: Origin | None = None,
) -> bytes:
    """The records as one Parquet file."""
    return _written(
        _frame(columns, records), None if origin is None else {_ORIGIN: dump_json(origin).decode()}
    )


def _frame(columns: Mapping[str, As], records: Sequence[object]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(
        [
            _column(name, kind, [getattr(record, name) for record in records])
            for name, kind in columns.items()
        ]
    )


def _written(frame: pl.DataFrame, metadata: dict[str, str] | None = None) -> bytes:
    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd", metadata=metadata)
    return buffer.getvalue()


def _column(name: str, kind: As, values: list[object]) -> pl.Series:
    import polars as pl

    if kind is As.TIME:
        ticks = [(value - _EPOCH) // _MICROSECOND for value in values if isinstance(value, datetime)]
        return pl.Series(name, ticks, dtype=pl.Int64).cast(pl.Datetime("us", "UTC"))
    if kind is As.JSON:
        return pl.Series(name, [_json_text(value) for value in values], dtype=pl.String)
    if kind is As.INTEGER:
        return pl.Series(name, values, dtype=pl.Int64)
    return pl.Series(name, [None if value is None else str(value) for value in values], dtype=pl.String)


def _json_text(value: object) -> str | None:
    return None if value is None else dump_json(value).decode()


def origin_of(part: bytes, path: str) -> Origin:
    """Where a compaction's part came from; raises `Damaged` for a file that does not say so."""
    import polars as pl

    try:
        written = pl.read_parquet_metadata(BytesIO(part))[_ORIGIN]
    except (KeyError, pl.exceptions.PolarsError, OSError) as error:
        raise Damaged(f"{path} is no part of the log: {error!r}; restore it from a backup") from error
    value = load_json(written)
    match value:
        case {"parts": [*parts], "sources": [*sources], "context_turns": int(turns)}:
            return Origin(
                parts=tuple(str(part) for part in parts),
                sources=tuple(str(source) for source in sources),
                context_turns=turns,
            )
        case _:
            raise Damaged(f"{path} does not say from which compaction it is; restore it from a backup")


def decode_episodes(part: bytes, path: str) -> list[Episode]:
    """The episodes of a part, in its order."""
    return _decode(EPISODE_COLUMNS, part, path, load_episode)


def decode_decisions(part: bytes, path: str) -> list[Decision]:
    """The decisions of a part, in its order."""
    return _decode(DECISION_COLUMNS, part, path, load_decision)


def decode_commits(part: bytes, path: str) -> list[Commit]:
    """The commits of a part, in its order."""
    return _decode(COMMIT_COLUMNS, part, path, load_commit)


def encode_extractions(extractions: Sequence[Extraction], queued: Sequence[int]) -> bytes:
    """Extractions as one Parquet file, each with its episode's number in the queue when handed out."""
    import polars as pl

    return _written(
        _frame(EXTRACTION_COLUMNS, extractions).with_columns(pl.Series(_QUEUED, queued, pl.Int64))
    )


def decode_extractions(part: bytes, path: str) -> list[tuple[Extraction, int]]:
    """The extractions of a part, in its order, with their numbers in the queue."""
    columns = {**EXTRACTION_COLUMNS, _QUEUED: As.INTEGER}
    return [
        (load_extraction(dump_json(row)), queued)
        for row in _rows(columns, part, path)
        for queued in [row.pop(_QUEUED)]
    ]


def encode_pages(
    columns: Mapping[str, As], rows: Sequence[tuple[Any, int, int | None]], origin: Origin, heads: object
) -> bytes:
    """Records of several pages as one Parquet file: (record, its page's number, its number in the queue).

    `heads` are what the pages say beside their records; they go into the file's metadata with its origin.
    """
    import polars as pl

    added = [pl.Series(_PAGE, [number for _, number, _ in rows], pl.Int64)]
    if any(queued is not None for _, _, queued in rows):
        added.append(pl.Series(_QUEUED, [queued for _, _, queued in rows], pl.Int64))
    return _written(
        _frame(columns, [record for record, _, _ in rows]).with_columns(added),
        {_ORIGIN: dump_json(origin).decode(), _PAGES: dump_json(heads).decode()},
    )


def heads_of(part: bytes, path: str) -> Json:
    """What the pages in a part say beside their records, as `encode_pages` was given it."""
    import polars as pl

    try:
        return load_json(pl.read_parquet_metadata(BytesIO(part))[_PAGES])
    except (KeyError, pl.exceptions.PolarsError, OSError) as error:
        raise Damaged(f"{path} holds no pages: {error!r}; restore it from a backup") from error


def pages_in(part: bytes, path: str) -> list[int]:
    """For each record of a part of pages, the number of its page."""
    return [row[_PAGE] for row in _rows({_PAGE: As.INTEGER}, part, path)]


def _decode(
    columns: Mapping[str, As], part: bytes, path: str, load: Callable[[bytes], Record]
) -> list[Record]:
    return [load(dump_json(row)) for row in _rows(columns, part, path)]


def _rows(columns: Mapping[str, As], part: bytes, path: str) -> Iterator[dict[str, Any]]:
    import polars as pl

    try:
        there = pl.read_parquet_schema(BytesIO(part))
        wanted = [name for name in columns if name in there or name not in _LATER]
        frame = pl.read_parquet(BytesIO(part), columns=wanted)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Damaged(f"{path} cannot be read as Parquet: {error!r}; restore it from a backup") from error
    for row in frame.iter_rows(named=True):
        yield {name: _value(columns[name], value) for name, value in row.items()}


def _value(kind: As, value: object) -> object:
    return load_json(value) if kind is As.JSON and isinstance(value, str) else value
