"""`add`, `ingest`: what people bring, through the door into the record."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from memstrata import intake
from memstrata.cli.epilogs import examples
from memstrata.cli.gathering import gathering, taken
from memstrata.cli.rendering import counted, day_of, keyed, print_json
from memstrata.cli.session import (
    When,
    complaints,
    console,
    group_option,
    json_option,
    progress,
)
from memstrata.errors import Incorrect, Misplaced
from memstrata.extraction.recalled import noting
from memstrata.intake.options import check_options
from memstrata.model import DEFAULT_GROUP, SourceType, Speaker
from memstrata.settings import opened
from memstrata.workflow.embed import embed
from memstrata.workflow.intake import accept
from memstrata.workflow.waiting import remember

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.cli.gathering import Command
    from memstrata.intake import Reading, Refusal
    from memstrata.model import Draft
    from memstrata.ports import Installation
    from memstrata.workflow.waiting import Remembered

_WAITS = 1
_REFUSED = 2
_PARTLY_TAKEN = 3
_SHOWN_REFUSALS = 20
_SHOWN_SPEAKERS = 10


wait_option = click.option(
    "--wait", is_flag=True, help="End only when the facts are there to be found (vectors follow)."
)
embed_option = click.option("--embed", "embedded", is_flag=True, help="Wait for vectors too.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the options say of the text that is added."""

    group_id: str
    reference_time: datetime | None
    speaker: str | None
    source_type: str | None
    saga: str | None
    episode_id: str | None
    recalled: tuple[str, ...]

    def draft(self, text: str, now: datetime) -> Draft:
        """The text as a draft, checked."""
        draft = intake.read_text(
            text,
            intake.Options(
                group_id=self.group_id, reference_time=self.reference_time, saga=self.saga, source="cli"
            ),
            speaker=Speaker(id=self.speaker, name=self.speaker) if self.speaker else None,
            episode_id=self.episode_id,
            now=now,
        )
        noted = {**draft.metadata, **noting(draft.content, self.recalled)}
        return _of_type(replace(draft, metadata=noted), self.source_type)


_SAID = (
    group_option,
    click.option("--time", "reference_time", type=When(), help="When it happened (default: now)."),
    click.option("--speaker", help="Who said it; without one it is a text that nobody said."),
    click.option(
        "--type",
        "source_type",
        type=click.Choice([str(one) for one in SourceType]),
        help="What CONTENT is (default: message with a speaker, else text).",
    ),
    click.option("--saga", help="The conversation or thread that it belongs to."),
    click.option("--id", "episode_id", help="A key of your own: the same key again is the next revision."),
    click.option(
        "--recalled",
        multiple=True,
        help="What of CONTENT the memory gave and is no news, word for word; may be given several times.",
    ),
)


def said_options(command: Command) -> Command:
    """Hands the command what is `said` of the text."""
    return gathering(command, _SAID, lambda given: {"said": taken(_Said, given)})


@click.command(
    epilog=examples(
        'memstrata add "I have worked at Acme since March 2021." --speaker Ada --time 2023-05-02',
        "memstrata add - --id notes-17 < notes.txt",
        'memstrata add "Ada moved to Porto in May 2024." --wait',
        'memstrata add \'{"subject": "Ada", "predicate": "plays", "object": "chess"}\' --type fact_triple',
    )
)
@click.argument("content")
@said_options
@click.option("--dry-run", is_flag=True, help="Check it, accept nothing.")
@wait_option
@embed_option
@json_option
def add(content: str, said: _Said, dry_run: bool, wait: bool, embedded: bool, as_json: bool) -> None:
    """Accept one episode: CONTENT, or standard input for `-`. Its facts follow with `memstrata work`.

    With --wait they are there when the command ends; if they cannot be yet, it says why (exit status 1).
    """
    text = _standard_input() if content == "-" else content
    with opened() as installation:
        draft = said.draft(text, installation.clock.now())
        if dry_run:
            accepted: tuple[str, ...] = (intake.episode_id(draft),)
        elif wait or embedded:
            _tell_remembered(_waited(installation, [draft], embedded=embedded), as_json=as_json)
            return
        else:
            accepted = next(accept(installation, [draft])).episode_ids
    if as_json:
        print_json({"episode_ids": accepted, "dry_run": dry_run})
    else:
        verb = "would be accepted as" if dry_run else "accepted"
        console.print(f"{verb} {accepted[0]}", highlight=False)


def _waited(installation: Installation, drafts: Iterable[Draft], *, embedded: bool) -> list[Remembered]:
    """Writes that are waited for, and with `embedded` their vectors and all that wait."""
    done = list(remember(installation, drafts))
    if embedded:
        embed(installation)
    return done


def _tell_remembered(done: Sequence[Remembered], *, as_json: bool) -> None:
    """What a waiting write came to; ends with exit status 1 if something of it waits still."""
    if as_json:
        print_json([remembered_json(one) for one in done])
    else:
        for one in done:
            _tell_one(one)
    if any(one.waiting for one in done):
        sys.exit(_WAITS)


def _tell_one(one: Remembered) -> None:
    what = one.episode_ids[0] if len(one.episode_ids) == 1 else counted(len(one.episode_ids), "episode")
    at = "" if one.commit is None else f", commit {one.commit.seq} of group {one.group_id}"
    console.print(Text(f"accepted {what}{at}"), soft_wrap=True)
    for fact in one.created:
        console.print(Text(f"  {fact.fact}"), soft_wrap=True)
    for fact_id in one.ended:
        console.print(Text(f"  believed no more: {fact_id}", style="dim"), soft_wrap=True)
    _tell_held([one])
    if one.waiting:
        complaints.print(Text(f"not committed yet: {one.waiting}", style="yellow"), soft_wrap=True)


def _tell_held(done: Sequence[Remembered]) -> None:
    """How many facts wait for a person, by group, with the command that lists them."""
    for group in dict.fromkeys(one.group_id for one in done if one.held):
        held = counted(sum(one.held for one in done if one.group_id == group), "fact")
        where = "" if group == DEFAULT_GROUP else f" --group {group}"
        console.print(Text(f"  {held} held for review: memstrata review list{where}"), soft_wrap=True)


def remembered_json(one: Remembered) -> dict[str, object]:
    """A waiting write's answer for a program."""
    return {
        "group_id": one.group_id,
        "episode_ids": one.episode_ids,
        "seq": None if one.commit is None else one.commit.seq,
        "instant": None if one.commit is None else one.commit.instant,
        "created": [
            {
                "id": fact.id,
                "fact": fact.fact,
                "valid_at": fact.valid_at,
                "invalid_at": fact.invalid_at,
            }
            for fact in one.created
        ],
        "ended": one.ended,
        "held": one.held,
        "waiting": one.waiting,
    }


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Misplaced(
            f"not UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}",
            file="standard input",
            mend="convert it to UTF-8, for instance with iconv",
        ) from None


def _of_type(draft: Draft, source_type: str | None) -> Draft:
    """The draft as what the caller says it is, checked as such."""
    if source_type is None:
        return draft
    kind = SourceType(source_type)
    if kind is SourceType.MESSAGE and draft.speaker is None:
        raise Incorrect("a message needs somebody who said it; give --speaker NAME")
    typed = replace(draft, source_type=kind)
    intake.validate(typed)
    return typed


#: Options of `ingest` that `intake.Options` has by the same name.
_AS_GIVEN = ("group_id", "reference_time", "timezone", "encoding", "delimiter", "saga", "strict")
_READ = (
    group_option,
    click.option(
        "--mapping", type=click.Path(path_type=Path), help="YAML that declares what a record asserts."
    ),
    click.option("--format", "format_", help="Name the format instead of recognising it."),
    click.option("--reference-time", type=When(), help="The time of items that have none of their own."),
    click.option("--timezone", help="IANA zone of times without an offset, such as Europe/Berlin."),
    click.option("--encoding", help="The encoding, where it is not Unicode."),
    click.option("--delimiter", help="The column separator of a CSV file."),
    click.option("--saga", help="The conversation that all of it belongs to."),
    click.option("--strict", is_flag=True, help="Refuse everything if one item is bad."),
)


def reading_options(command: Command) -> Command:
    """Hands the command the `options` by which files are read, checked."""
    return gathering(command, _READ, _reading)


def _reading(given: dict[str, Any]) -> Mapping[str, object]:
    mapping = given.pop("mapping")
    options = intake.Options(
        mapping=None if mapping is None else intake.load_mapping(mapping),
        format=given.pop("format_"),
        **{name: given.pop(name) for name in _AS_GIVEN},
    )
    check_options(options)
    return {"options": options}


@click.command(
    epilog=examples(
        "memstrata ingest notes/ chat.jsonl --dry-run",
        "memstrata ingest executive.csv --mapping mapping.yaml --group congress",
    )
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@reading_options
@click.option("--dry-run", is_flag=True, help="Read, check and count it, accept nothing.")
@wait_option
@json_option
def ingest(
    files: tuple[Path, ...], options: intake.Options, dry_run: bool, wait: bool, as_json: bool
) -> None:
    """Accept the episodes of FILES: text, Markdown, chat messages, records with a mapping, triples.

    What is refused is listed with its place (exit status 3, or 2 if nothing is left); the rest is
    accepted.
    """
    with progress("reading"):
        taken = _Taken(files=tuple((file, _read(file, options)) for file in files), dry_run=dry_run)
    done: list[Remembered] = []
    accepted = taken.counted if dry_run else _accept(taken, done if wait else None)
    if as_json:
        print_json(taken.as_json(accepted) | ({"committed": _committed(done)} if wait else {}))
    else:
        _report(taken, accepted)
        _tell_held(done)
        for one in done:
            if one.waiting:
                complaints.print(Text(f"not committed yet: {one.waiting}", style="yellow"), soft_wrap=True)
    if taken.refused:
        sys.exit(_PARTLY_TAKEN if sum(accepted.values()) else _REFUSED)


def _read(file: Path, options: intake.Options) -> Reading:
    """What a file gives; whatever is wrong with it as a whole names it, which matters among several."""
    try:
        return intake.read(file, options)
    except Misplaced as error:
        if error.file is not None:
            raise
        raise Misplaced(
            error.problem, file=str(file), line=error.line, field=error.field, mend=error.mend
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What was read of the files, before or after it is accepted."""

    files: Sequence[tuple[Path, Reading]]
    dry_run: bool

    @property
    def counted(self) -> dict[str, int]:
        """How many episodes each file gives."""
        return {str(file): reading.summary.count for file, reading in self.files}

    @property
    def refused(self) -> int:
        """How many items the door does not let in."""
        return sum(reading.refused_count for _, reading in self.files)

    @property
    def skipped(self) -> Counter[str]:
        """What is no evidence, counted by kind."""
        counts: Counter[str] = Counter()
        for _, reading in self.files:
            counts.update(reading.skipped)
        return counts

    def refusals(self) -> Iterator[tuple[Path, Refusal]]:
        """The refusals that were kept, each with its file."""
        return ((file, one) for file, reading in self.files for one in reading.refused)

    def warnings(self) -> list[str]:
        """What was taken with a doubt."""
        return [f"{file}: {text}" for file, reading in self.files for text in reading.warnings]

    def as_json(self, accepted: Mapping[str, int]) -> dict[str, object]:
        """The whole for a program."""
        return {
            "accepted": accepted,
            "summaries": {str(file): _summary(reading) for file, reading in self.files},
            "refused": [
                {"file": str(file), "place": one.place, "reason": one.reason}
                for file, one in self.refusals()
            ],
            "refused_count": self.refused,
            "skipped": dict(self.skipped),
            "warnings": self.warnings(),
            "dry_run": self.dry_run,
        }


def _summary(reading: Reading) -> dict[str, object]:
    summary = reading.summary
    return {
        "format": reading.format,
        "episodes": summary.count,
        "by_type": {str(kind): count for kind, count in summary.by_type.items()},
        "sagas": summary.sagas,
        "first": summary.first,
        "last": summary.last,
        "speakers": sorted(summary.speakers),
        "groups": sorted(summary.groups),
    }


def _committed(done: Sequence[Remembered]) -> list[dict[str, object]]:
    """What was committed, batch by batch, with counts in place of the facts."""
    return [
        remembered_json(one)
        | {"episode_ids": len(one.episode_ids), "created": len(one.created), "ended": len(one.ended)}
        for one in done
    ]


def _accept(taken: _Taken, done: list[Remembered] | None) -> dict[str, int]:
    """Accepts what was read; with `done`, waits for it too, and adds there what it came to."""
    accepted = dict.fromkeys(taken.counted, 0)
    total = sum(taken.counted.values())
    with opened() as installation, progress("accepting", total) as advance:
        for file, reading in taken.files:
            if done is not None:
                for one in remember(installation, reading.drafts):
                    done.append(one)
                    accepted[str(file)] += len(one.episode_ids)
                    advance(len(one.episode_ids))
                continue
            for batch in accept(installation, reading.drafts):
                accepted[str(file)] += len(batch.episode_ids)
                advance(len(batch.episode_ids))
    return accepted


def _report(taken: _Taken, accepted: Mapping[str, int]) -> None:
    verb = "would accept" if taken.dry_run else "accepted"
    for file, reading in taken.files:
        count = accepted[str(file)]
        console.print(Text(f"{verb} {counted(count, 'episode')} from {file}"), soft_wrap=True)
        if taken.dry_run and count:
            console.print(keyed(_told(reading)))
    for kind, count in sorted(taken.skipped.items()):
        console.print(Text(f"left out, no evidence: {count:,} {kind}", style="dim"))
    for warning in taken.warnings()[:_SHOWN_REFUSALS]:
        complaints.print(Text(f"warning: {warning}", style="yellow"), soft_wrap=True)
    for file, one in list(taken.refusals())[:_SHOWN_REFUSALS]:
        complaints.print(Text(f"refused: {file}, {one.place}: {one.reason}", style="red"), soft_wrap=True)
    if taken.refused > _SHOWN_REFUSALS:
        complaints.print(f"... and {taken.refused - _SHOWN_REFUSALS:,} more (--json lists them)")


def _told(reading: Reading) -> list[tuple[str, Text]]:
    """What a dry run tells of one file."""
    summary = reading.summary
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(summary.by_type.items()))
    first, last = day_of(summary.first, None, ""), day_of(summary.last, None, "")
    told = [
        ("  format", Text(reading.format)),
        ("  kinds", Text(kinds)),
        ("  sagas", Text(f"{summary.sagas:,}")),
        ("  time", Text(first if first == last else f"{first} .. {last}")),
    ]
    if summary.speakers:
        named = sorted(summary.speakers)
        more = f" and {len(named) - _SHOWN_SPEAKERS:,} more" if len(named) > _SHOWN_SPEAKERS else ""
        told.append(("  speakers", Text(", ".join(named[:_SHOWN_SPEAKERS]) + more)))
    return told
