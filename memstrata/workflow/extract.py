"""What the awaiting episodes say: run the extractor, keep the result, send failures to the dead letters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.extraction.extractor import context_hash, shown_context
from memstrata.workflow.bulk import few_collections

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import date

    from memstrata.model import Episode, Extraction
    from memstrata.ports import Installation

#: How many episodes are read, extracted and kept together.
BATCH = 1000

Shown = tuple["Episode", "Sequence[Episode]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What a run of the extractor did, in which groups; `reason` is why the last of the `failed` did."""

    episodes: int = 0
    assertions: int = 0
    already_known: int = 0
    failed: int = 0
    by_status: tuple[tuple[str, int], ...] = ()
    reason: str = ""
    groups: tuple[str, ...] = ()


def extract(
    installation: Installation,
    *,
    day: date | None = None,
    most: int | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Extracted:
    """Extracts every episode that awaits it (accepted on `day`; `most` of them), as they were accepted.

    What is known already for an episode, its context and the extractor's version is not computed
    again. An episode whose extraction fails awaits another attempt until it becomes a dead letter.
    """
    totals = _Totals()
    left = most
    while awaiting := installation.record.awaiting(
        day=day, limit=BATCH if left is None else min(BATCH, left)
    ):
        with few_collections():
            kept = _extract(installation, _with_context(installation, awaiting, totals), totals)
        if kept:
            installation.record.keep(kept)
        on_progress(len(awaiting))
        left = None if left is None else left - len(awaiting)
        if left == 0:
            break
    return totals.report()


def extract_among(installation: Installation, group_id: str, episode_ids: Collection[str]) -> Extracted:
    """Extracts those of the episodes that await it, for somebody who waits; errors as in `extract`."""
    totals = _Totals()
    awaiting = installation.record.awaiting_among(group_id, episode_ids)
    kept = _extract(installation, _with_context(installation, awaiting, totals), totals)
    installation.record.keep(kept, lightly=True)
    return totals.report()


class _Totals:
    def __init__(self) -> None:
        self.reason = ""
        self.statuses: dict[str, int] = {}
        self.assertions = 0
        self.already_known = 0
        self.failed = 0
        self.groups: set[str] = set()

    def add(self, extraction: Extraction) -> None:
        self.statuses[extraction.status] = self.statuses.get(extraction.status, 0) + 1
        self.assertions += len(extraction.assertions)

    def report(self) -> Extracted:
        return Extracted(
            episodes=sum(self.statuses.values()),
            assertions=self.assertions,
            already_known=self.already_known,
            failed=self.failed,
            by_status=tuple(sorted(self.statuses.items())),
            reason=self.reason,
            groups=tuple(sorted(self.groups)),
        )


def _with_context(installation: Installation, awaiting: Sequence[Episode], totals: _Totals) -> list[Shown]:
    """The episodes to extract, each with the turns it is shown; known ones are settled on the way."""
    extractor, record = installation.extractor, installation.record
    shown: list[Shown] = []
    totals.groups.update(episode.group_id for episode in awaiting)
    for episode in awaiting:
        before = record.preceding(episode, extractor.context_turns) if episode.saga else ()
        turns = shown_context(episode, before, extractor.context_turns)
        hashed = context_hash(turns)
        if record.known(episode, hashed, extractor.version):
            record.settle(episode, hashed, extractor.version)
            totals.already_known += 1
        else:
            shown.append((episode, turns))
    return shown


def _extract(installation: Installation, shown: Sequence[Shown], totals: _Totals) -> list[Extraction]:
    """Extractions of the whole batch, or episode by episode once something in it has failed."""
    try:
        done = _all(installation, shown)
    except Exception:  # noqa: BLE001 (whatever one episode breaks must not stop the others)
        done = [extraction for one in shown for extraction in _extract_alone(installation, one, totals)]
    for extraction in done:
        totals.add(extraction)
    return done


def _extract_alone(installation: Installation, shown: Shown, totals: _Totals) -> list[Extraction]:
    try:
        return _all(installation, [shown])
    except Exception as error:  # noqa: BLE001 (kept as a dead letter with its reason)
        totals.failed += 1
        totals.reason = f"{type(error).__name__}: {error}"
        installation.record.failed(
            shown[0], stage="extract", reason=totals.reason, at=installation.clock.now()
        )
        return []


def _all(installation: Installation, shown: Sequence[Shown]) -> list[Extraction]:
    """The extractions, each of its episode's group: one that says nothing cannot tell by itself."""
    done = installation.extractor.extract_all(shown)
    return [
        extraction
        if extraction.group_id == episode.group_id
        else replace(extraction, group_id=episode.group_id)
        for (episode, _), extraction in zip(shown, done, strict=True)
    ]
