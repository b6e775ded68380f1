"""What a promotion would do to the graph, as a table with samples and as files."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final

import orjson
from rich.table import Table
from rich.text import Text

from memstrata.cli.rendering import counted, day_of, grid
from memstrata.cli.session import complaints, console
from memstrata.memory.rendering import as_json
from memstrata.workflow.difference import MOST_UNCOMMITTED, Change, as_mapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from memstrata.model import Entity
    from memstrata.workflow.difference import Difference, FactDifference, Told

_SIDE: Final = (
    "id",
    "subject",
    "subject_type",
    "object",
    "object_type",
    "fact",
    "valid_at",
    "invalid_at",
    "confidence",
    "contested",
    "evidence",
)
_COLUMNS: Final = (
    "change",
    "predicate",
    "fields",
    *(f"before_{name}" for name in _SIDE),
    *(f"after_{name}" for name in _SIDE),
)
_ENTITY: Final = (
    "change",
    "entity_id",
    "name",
    "type",
    "aliases",
    "name_before",
    "type_before",
    "aliases_before",
)
_STYLES: Final = {Change.GAINED: "green", Change.LOST: "red", Change.CHANGED: "yellow"}


def show_difference(found: Difference, *, samples: int) -> None:
    """Counts by relation, then samples of each kind, then entities."""
    console.print(
        Text(
            f"{found.promotion.version} for {counted(found.episodes, 'episode')} of {found.promotion.days} "
            f"in group {found.group_id}",
            style="bold",
        ),
        soft_wrap=True,
    )
    if found.facts:
        console.print(_counts(found))
    else:
        console.print("no fact would change")
    for change in Change:
        shown = found.samples(change, samples)
        if shown:
            console.print(
                Text(f"{change} ({len(shown)} of {found.count(change):,})", style=_STYLES[change])
            )
            console.print(_sample_table(shown))
    _show_entities(found, samples)
    if found.held or found.held_before:
        told = f"{counted(found.held, 'candidate')} would wait for review, {found.held_before:,} now"
        console.print(told, highlight=False)
    _show_what_is_missing(found)


def _show_entities(found: Difference, samples: int) -> None:
    lists = (
        ("would come", [_called(one) for one in found.come]),
        ("would go", [_called(one) for one in found.gone]),
        ("would be known otherwise", [f"{_whole(old)} as {_whole(new)}" for old, new in found.renamed]),
    )
    for verb, names in lists:
        if names:
            entities = f"{len(names):,} {'entity' if len(names) == 1 else 'entities'}"
            some = [*names[:samples], *(["..."] if len(names) > samples else [])]
            listed = f": {', '.join(some)}" if samples else ""
            console.print(Text(f"{entities} {verb}{listed}"), soft_wrap=True)


def _called(entity: Entity) -> str:
    """With its type: an entity whose type changes goes under one and comes under another."""
    return entity.name if entity.type is None else f"{entity.name} ({entity.type})"


def _whole(entity: Entity) -> str:
    """With its other names."""
    return " or ".join((_called(entity), *entity.aliases))


def _show_what_is_missing(found: Difference) -> None:
    coverage = found.coverage
    notes = []
    if coverage.lacking:
        notes.append(f"{counted(coverage.lacking, 'episode')} without it yet (`memstrata extractor run`)")
    if coverage.in_force:
        notes.append(f"it is in force for {counted(coverage.in_force, 'episode')} already")
    if coverage.failed:
        notes.append(f"it failed on {counted(coverage.failed, 'episode')}, for which nothing would change")
    if found.uncommitted:
        more = " or more" if found.uncommitted >= MOST_UNCOMMITTED else ""
        waiting = counted(found.uncommitted, "record")
        notes.append(f"{waiting}{more} will be committed anyway with `memstrata work`, which is not shown")
    for note in notes:
        complaints.print(f"note: {note}", style="dim", highlight=False)


def _counts(found: Difference) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("relation")
    for change in Change:
        table.add_column(change.value, justify="right")
    relations = found.relations()
    for name, counts in relations.items():
        table.add_row(name, *(f"{counts[change]:,}" for change in Change))
    if len(relations) > 1:
        table.add_row("all", *(f"{found.count(change):,}" for change in Change), style="bold")
    return table


def _sample_table(shown: tuple[FactDifference, ...]) -> Table:
    table = grid()
    for one in shown:
        for mark, told in (("-", one.before), ("+", one.after)):
            if told is not None:
                table.add_row(Text(mark), _said(told, one))
        if one.change is Change.CHANGED:
            what = ", ".join(one.fields) or "the entities that it is about, not in words"
            table.add_row(Text(""), Text(f"differs in {what}", style="dim"))
    return table


def _said(told: Told, one: FactDifference) -> Text:
    fact = told.fact
    begun = day_of(fact.valid_at, fact.valid_at_precision, "?")
    ended = day_of(fact.invalid_at, fact.invalid_at_precision, "now")
    said = Text(f"{_typed(told.subject, told.subject_type, is_shown='subject_type' in one.fields)} ")
    said.append(one.predicate, style="cyan")
    said.append(f" {_typed(told.object, told.object_type, is_shown='object_type' in one.fields)}")
    return said.append(f"  {begun} .. {ended}, confidence {fact.confidence:.2f}", style="dim")


def _typed(name: str, kind: str | None, *, is_shown: bool) -> str:
    return f"{name} ({kind or 'no type'})" if is_shown else name


def write_difference(found: Difference, folder: Path, *, form: str) -> tuple[Path, ...]:
    """Writes a file for each list into the folder, and gives their paths; those of before are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    lists: dict[str, list[Mapping[str, object]]] = {
        change.value: [as_mapping(one) for one in found.facts if one.change is change] for change in Change
    }
    entities: list[Mapping[str, object]] = list(_entities(found))
    if form == "csv":
        paths = [_write_csv(folder / name, _COLUMNS, map(_flat, rows)) for name, rows in lists.items()]
        return (*paths, _write_csv(folder / "entities", _ENTITY, entities))
    return tuple(
        _write_lines(folder / name, rows) for name, rows in {**lists, "entities": entities}.items()
    )


def _write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    path = path.with_suffix(".jsonl")
    with path.open("wb") as file:
        file.writelines(orjson.dumps(as_json(row)) + b"\n" for row in rows)
    return path


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Path:
    """Lists are one cell, parted by a bar."""
    path = path.with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            plain = {name: as_json(value) for name, value in row.items()}
            writer.writerow([_cell(plain.get(column)) for column in columns])
    return path


def _cell(value: object) -> object:
    return " | ".join(map(str, value)) if isinstance(value, list) else value


def _flat(row: Mapping[str, object]) -> dict[str, object]:
    """A change of a fact with its two sides as columns."""
    flat = {name: row[name] for name in ("change", "predicate", "fields")}
    for side in ("before", "after"):
        told = row[side]
        if isinstance(told, dict):
            flat |= {f"{side}_{name}": told[name] for name in _SIDE}
    return flat


def _entities(found: Difference) -> Iterator[dict[str, object]]:
    pairs: list[tuple[str, Entity, Entity | None]] = [
        *(("come", one, None) for one in found.come),
        *(("gone", one, None) for one in found.gone),
        *(("renamed", new, old) for old, new in found.renamed),
    ]
    for change, one, before in pairs:
        yield {
            "change": change,
            "entity_id": one.entity_id,
            "name": one.name,
            "type": one.type,
            "aliases": list(one.aliases),
            "name_before": before and before.name,
            "type_before": before and before.type,
            "aliases_before": before and list(before.aliases),
        }
