"""All stages one after another: what `memstrata work` and a waiting write do, without Dagster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.errors import MemstrataError
from memstrata.workflow.adjudicate import adjudicate
from memstrata.workflow.bulk import few_collections
from memstrata.workflow.commit import behind, commit_pending
from memstrata.workflow.embed import embed
from memstrata.workflow.extract import Extracted, extract
from memstrata.workflow.looking import to_ask
from memstrata.workflow.rules import declare_ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import date

    from memstrata.ports import Compaction, Installation
    from memstrata.workflow.adjudicate import Adjudicated
    from memstrata.workflow.commit import Committed
    from memstrata.workflow.extract import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """What one pass did. `failed` holds (group, why) of groups whose commit was refused.

    `extracted.stopped` and `not_embedded` say why extractor and embedder stopped, if they did: episodes
    wait meanwhile, and words find what has no vector.
    """

    compaction: Compaction
    extracted: Extracted
    committed: tuple[Committed, ...]
    failed: tuple[tuple[str, str], ...]
    embedded: int
    not_embedded: str = ""
    adjudicated: tuple[Adjudicated, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing to do; that the last pass's own commits were compacted is nothing."""
        taken = self.compaction
        return not (
            taken.new
            or taken.repeated
            or taken.revised
            or taken.decisions
            or self.extracted.episodes
            or self.embedded
            or any(one.commits for one in self.committed)
            or any(one.asked > one.unanswered for one in self.adjudicated)
        )


def compact(installation: Installation) -> Compaction:
    """Moves the spool into the log, and declares the configured ontology where it is new."""
    turns = installation.extractor.context_turns
    compaction = installation.record.compact(context_turns=turns)
    declared = [group for group in installation.record.groups() if declare_ontology(installation, group)]
    if declared:
        installation.record.compact(context_turns=turns)
    return compaction


def compact_lightly(installation: Installation, group_id: str) -> None:
    """As `compact`, for a write to one group that somebody waits for."""
    turns = installation.extractor.context_turns
    installation.record.compact(context_turns=turns, lightly=True)
    if declare_ontology(installation, group_id):
        installation.record.compact(context_turns=turns, lightly=True)


def commit_groups(
    installation: Installation,
    *,
    day: date | None = None,
    resting: Collection[str] = (),
    on_progress: Callable[[int], None] = lambda _: None,
) -> tuple[tuple[Committed, ...], tuple[tuple[str, str], ...]]:
    """Commits every group that has work, but the `resting`; one that fails keeps no other from its commit.

    A graph that a crash has left behind its log catches up, whether there is new work or not.
    """
    committed: list[Committed] = []
    failed: list[tuple[str, str]] = []
    with_work = {*installation.record.groups_with_work(day=day), *behind(installation)}
    for group in sorted(with_work.difference(resting)):
        try:
            with few_collections():
                done = commit_pending(installation, group, day=day, on_progress=on_progress)
            committed.append(done)
        except Exception as error:  # noqa: BLE001 (whatever stops one group must not stop the others)
            failed.append((group, str(error) or type(error).__name__))
    return tuple(committed), tuple(failed)


def work(
    installation: Installation,
    *,
    resting: Collection[str] = (),
    unextracted: Collection[Key] | None = (),
    in_full: bool = True,
    most: int | None = None,
    on_progress: Callable[[str, int], None] = lambda _stage, _done: None,
) -> Worked:
    """One pass over everything that was accepted before it began (`most`: so many episodes of it).

    Groups that are `resting` are left alone (see `memstrata.workflow.patience`), unless something new has
    come for them; the `unextracted` episodes (group, id) wait, or all for None, and unless it is `in_full`
    what comes after commits: questions to a model, and vectors.
    """
    compaction = compact(installation)
    extracted = Extracted()
    if unextracted is not None:
        extracted = extract(
            installation,
            most=most,
            resting=unextracted,
            on_progress=lambda done: on_progress("extract", done),
        )
    # A decision may be the one that mends it, and no compaction says whose they were.
    left_alone = () if compaction.decisions else frozenset(resting).difference(extracted.groups)
    committed, failed = commit_groups(
        installation, resting=left_alone, on_progress=lambda done: on_progress("commit", done)
    )
    adjudicated = adjudicate_groups(installation) if in_full else ()
    embedded, not_embedded = _embed(installation, on_progress) if in_full else (0, "")
    return Worked(
        compaction=compaction,
        extracted=extracted,
        committed=committed,
        failed=failed,
        embedded=embedded,
        not_embedded=not_embedded,
        adjudicated=adjudicated,
    )


def adjudicate_groups(installation: Installation, *, but: Collection[str] = ()) -> tuple[Adjudicated, ...]:
    """Puts what is to be asked to the model, where the settings allow that, group after group, sorted.

    What is decided is pending like any other decision. Once the model is away, or the budget of all spent,
    the rest waits, as do the groups `but`.
    """
    queue = installation.questions
    if not installation.adjudicates or queue is None:
        return ()
    done: list[Adjudicated] = []
    for group in to_ask(installation, queue):
        if group not in but:
            done.append(adjudicate(installation, group))
            if not done[-1].others_go_on:
                break
    return tuple(done)


def _embed(installation: Installation, on_progress: Callable[[str, int], None]) -> tuple[int, str]:
    """How many were embedded, and why no more: what is committed stays so without its vectors."""
    done = 0

    def advance(embedded: int) -> None:
        nonlocal done
        done += embedded
        on_progress("embed", embedded)

    try:
        embed(installation, on_progress=advance)
    except MemstrataError as error:
        return done, str(error)
    return done, ""
