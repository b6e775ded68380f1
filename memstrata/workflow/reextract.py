"""A candidate run: what another extractor version makes of old episodes, kept beside what is in force.

Nothing changes that anybody sees, until the version is promoted (`memstrata.workflow.promotions`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Away, Incorrect, Missing
from memstrata.extraction.extractor import context_hash
from memstrata.extraction.settled import unsettled
from memstrata.model import Extraction, ExtractionStatus, Outcome, Verdict
from memstrata.ports import Promotion, Unextracted
from memstrata.workflow.bulk import few_collections
from memstrata.workflow.extract import answers, with_context
from memstrata.workflow.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from memstrata.model import Episode
    from memstrata.ports import Days, Extractor, Installation
    from memstrata.workflow.extract import Shown

_MOST_FAILURES: Final = 20
#: How often an episode is asked for until all items of the reply can be read.
_ATTEMPTS: Final = 3
#: The rule that an outcome names where a version could say nothing of an episode.
_UNREAD: Final = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An episode that a version could not extract, and why."""

    group_id: str
    episode_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a candidate run did, in which groups. `failures` are the first of the `failed`.

    `held` are the items that would wait for a person; `by_outcome` counts what each rule of verification
    found.
    `unread` of the episodes are kept with items that could not be read however often they were asked for:
    these are held for a person.
    `stopped` says why it ended before all was extracted, if it did: run again, it goes on from there.
    """

    version: str
    episodes: int
    assertions: int
    already_known: int
    failed: int
    failures: tuple[Failure, ...]
    by_status: tuple[tuple[str, int], ...]
    groups: tuple[str, ...]
    held: int = 0
    by_outcome: tuple[tuple[str, Verdict, int], ...] = ()
    unread: int = 0
    stopped: str = ""


def run_candidate(
    installation: Installation,
    *,
    days: Days,
    groups: Collection[str] | None = None,
    extractor: Extractor | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Tried:
    """Extracts what was accepted on the days and has nothing current of the extractor's version.

    It is the configured extractor unless another is given. What it makes is kept as candidates, batch by
    batch: interrupted anywhere, the same call goes on. What cannot be read of a reply is asked for again at
    once, three times in all. An episode that fails is reported and tried again by the next run, and stays
    what it is. Where the extractor can do no more now, the run ends.
    """
    trial = _Trial(installation, extractor or installation.extractor)
    for group_id in groups or installation.record.groups():
        if not trial.stopped:
            trial.run(group_id, days, on_progress)
    return trial.report()


class _Trial:
    def __init__(self, installation: Installation, extractor: Extractor) -> None:
        self._record = installation.record
        self._extractor = extractor
        self._tally = Tally()
        self._known = self._failed = self._unread = 0
        self._failures: list[Failure] = []
        self._groups: list[str] = []
        self._put_off: dict[str, str] = {}
        self.stopped = ""

    def run(self, group_id: str, days: Days, on_progress: Callable[[int], None]) -> None:
        """One group."""
        wanted = Promotion(version=self._extractor.version, days=days)
        after, size = 0, self._extractor.at_once
        while not (self.stopped or group_id in self._put_off) and (
            found := self._record.lacking(group_id, wanted, after=after, limit=size)
        ):
            after = found[-1][0]
            with few_collections():
                kept = self._extract([episode for _, episode in found])
            self._record.keep(kept, as_candidates=True)
            on_progress(len(found))
            self._groups += [] if group_id in self._groups else [group_id]

    def _extract(self, episodes: Sequence[Episode]) -> list[Extraction]:
        known, shown = with_context(self._record, self._extractor, episodes)
        self._known += len(known)
        made = known
        for attempt in range(1, _ATTEMPTS + 1):
            shown = self._ask(shown, made, is_last=attempt == _ATTEMPTS)
            if self.stopped or not shown:
                break
        return made

    def _ask(self, shown: Sequence[Shown], made: list[Extraction], *, is_last: bool) -> list[Shown]:
        """Takes what the extractor makes of them; gives those that it should be asked for again."""
        again: list[Shown] = []
        try:
            for one, answer in answers(self._extractor, shown):
                if isinstance(answer, Unextracted) and answer.is_put_off:
                    self._put_off[one[0].group_id] = answer.reason
                elif not is_last and isinstance(answer, Extraction) and unsettled(answer):
                    again.append(one)
                else:
                    made.append(self._taken(one, answer))
        except (Away, Missing, Incorrect) as error:
            self.stopped = str(error)
        return again

    def _taken(self, one: Shown, answer: Extraction | Unextracted) -> Extraction:
        """The answer as it is kept: one that failed as well, so that it is known to have been tried."""
        if isinstance(answer, Extraction):
            self._tally.add(answer)
            self._unread += unsettled(answer) is not None
            return answer
        episode, turns = one
        self._failed += 1
        if len(self._failures) < _MOST_FAILURES:
            failure = Failure(
                group_id=episode.group_id, episode_id=episode.episode_id, reason=answer.reason
            )
            self._failures.append(failure)
        return Extraction(
            episode_id=episode.episode_id,
            revision=episode.revision,
            context_hash=context_hash(turns),
            version=self._extractor.version,
            status=ExtractionStatus.FAILED,
            outcomes=(
                Outcome(
                    item=episode.episode_id, rule=_UNREAD, verdict=Verdict.REJECT, reason=answer.reason
                ),
            ),
            group_id=episode.group_id,
        )

    def report(self) -> Tried:
        return Tried(
            version=self._extractor.version,
            episodes=self._tally.episodes,
            assertions=self._tally.assertions,
            already_known=self._known,
            failed=self._failed,
            failures=tuple(self._failures),
            by_status=self._tally.by_status,
            groups=tuple(self._groups),
            held=self._tally.held,
            by_outcome=self._tally.by_outcome,
            unread=self._unread,
            stopped=self.stopped or "; ".join(self._put_off.values()),
        )


def untried(installation: Installation, *, days: Days, groups: Collection[str] | None = None) -> int:
    """How many episodes a candidate run of the configured extractor would extract now."""
    wanted = Promotion(version=installation.extractor.version, days=days)
    found = (
        installation.record.coverage(group, wanted) for group in groups or installation.record.groups()
    )
    return sum(one.lacking + one.failed + one.waiting for one in found)
