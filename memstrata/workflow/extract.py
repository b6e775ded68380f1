"""What the awaiting episodes say: run the extractor, keep the result, send failures to the dead letters."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from memstrata.errors import Away, Incorrect, Missing
from memstrata.extraction.extractor import DECLARED, context_hash, shown_context
from memstrata.extraction.settled import unsettled
from memstrata.model import Verdict
from memstrata.ports import Unextracted
from memstrata.secrecy import redacted
from memstrata.workflow.bulk import few_collections
from memstrata.workflow.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from datetime import date

    from memstrata.model import Episode, Extraction
    from memstrata.ports import Extractor, Installation, RecordStore

#: Of so many that wait those that declare what they say are taken in while the extractor can do no more.
_LOOKED_AT: Final = 2_000

Shown = tuple["Episode", "Sequence[Episode]"]
Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What a run of the extractor did, in which groups; `reason` is why the last of the `failed` did.

    `held` are the items that wait for a person; `by_outcome` counts what each rule of verification found.

    `tried_again` names, by (group, episode), those that failed and wait for a later pass, with the reason.
    `stopped` says why it ended before all was extracted, if it did, and `put_off` (group, why) which groups
    it went on without; what is left goes on waiting: `pending` episodes then, of all groups.
    """

    episodes: int = 0
    assertions: int = 0
    already_known: int = 0
    failed: int = 0
    by_status: tuple[tuple[str, int], ...] = ()
    held: int = 0
    by_outcome: tuple[tuple[str, Verdict, int], ...] = ()
    reason: str = ""
    groups: tuple[str, ...] = ()
    stopped: str = ""
    tried_again: tuple[tuple[Key, str], ...] = ()
    put_off: tuple[tuple[str, str], ...] = ()
    pending: int = 0

    @property
    def refused(self) -> tuple[tuple[str, int], ...]:
        """The rules that verification has dropped candidates by, and how many each."""
        return tuple((rule, count) for rule, verdict, count in self.by_outcome if verdict is Verdict.REJECT)

    @property
    def what_is_left(self) -> Mapping[str, str | int]:
        """Why it `stopped`, for all or some groups, and how many are `pending`; nothing if it did not."""
        why = "; ".join([self.stopped] * bool(self.stopped) + [told for _, told in self.put_off])
        return {"stopped": why, "pending": self.pending} if why else {}


def extract(
    installation: Installation,
    *,
    day: date | None = None,
    most: int | None = None,
    resting: Collection[Key] = (),
    on_progress: Callable[[int], None] = lambda _: None,
) -> Extracted:
    """Extracts every episode that awaits it (accepted on `day`; `most` of them), as they were accepted.

    What is known already for an episode, its context and the extractor's version is not computed
    again. An episode whose extraction fails, or has items that could not be read, awaits another attempt
    by a later call: until it becomes a dead letter, or is kept with what could not be read of it held for a
    person. Those that are `resting`, by (group, episode), are left alone. Where the extractor can do no
    more now (its model is away, its parser is not installed, its endpoint's address is none, a budget is
    spent), the run ends, but for records that declare what they say; where the budget of a group is spent,
    it goes on with the others.
    """
    totals = _Totals()
    batch = installation.extractor.at_once
    left = most
    leaving = set(resting)

    def next_ones(looked_at: int, but: Collection[str] = ()) -> list[Episode]:
        awaiting = installation.record.awaiting(day=day, limit=looked_at + len(leaving), but=but)
        found = [one for one in awaiting if (one.group_id, one.episode_id) not in leaving]
        return sorted(found, key=_asks_a_model)[:left]  # the others are done, whatever becomes of these

    def take(awaiting: Sequence[Episode]) -> None:
        with few_collections():
            known, shown = _with_context(installation, awaiting, totals)
            kept = [*known, *_extract(installation, shown, totals)]
        if kept:
            installation.record.keep(kept)
        leaving.update(totals.tried_again)
        on_progress(len(awaiting))

    while not totals.stopped and left != 0:
        awaiting = next_ones(batch if left is None else min(batch, left), totals.put_off)
        if not awaiting:
            break
        take(awaiting)
        left = None if left is None else left - len(awaiting)
    if totals.stopped or totals.put_off:
        if declared := [one for one in next_ones(_LOOKED_AT) if not _asks_a_model(one)]:
            take(declared)
        totals.pending = installation.record.backlog().extraction.count
    return totals.report()


def _asks_a_model(episode: Episode) -> bool:
    """Whether a model may be asked about it: what declares its facts does not wait for one that is away."""
    return episode.source_type not in DECLARED


def extract_among(installation: Installation, group_id: str, episode_ids: Collection[str]) -> Extracted:
    """Extracts those of the episodes that await it, for somebody who waits; errors as in `extract`."""
    totals = _Totals()
    awaiting = installation.record.awaiting_among(group_id, episode_ids)
    totals.takes_unsettled = True  # whoever waits gets what there is now
    known, shown = _with_context(installation, awaiting, totals)
    installation.record.keep([*known, *_extract(installation, shown, totals)], lightly=True)
    return totals.report()


class _Totals:
    def __init__(self) -> None:
        self.reason = ""
        self.stopped = ""
        self.tally = Tally()
        self.already_known = 0
        self.failed = 0
        self.groups: set[str] = set()
        self.tried_again: dict[Key, str] = {}
        self.takes_unsettled = False
        self.put_off: dict[str, str] = {}
        self.pending = 0

    def report(self) -> Extracted:
        return Extracted(
            episodes=self.tally.episodes,
            assertions=self.tally.assertions,
            already_known=self.already_known,
            failed=self.failed,
            by_status=self.tally.by_status,
            held=self.tally.held,
            by_outcome=self.tally.by_outcome,
            reason=self.reason,
            groups=tuple(sorted(self.groups)),
            stopped=self.stopped,
            tried_again=tuple(sorted(self.tried_again.items())),
            put_off=tuple(sorted(self.put_off.items())),
            pending=self.pending,
        )


def _with_context(
    installation: Installation, awaiting: Sequence[Episode], totals: _Totals
) -> tuple[list[Extraction], list[Shown]]:
    totals.groups.update(episode.group_id for episode in awaiting)
    known, shown = with_context(installation.record, installation.extractor, awaiting)
    totals.already_known += len(known)
    return known, shown


def with_context(
    record: RecordStore, extractor: Extractor, episodes: Sequence[Episode]
) -> tuple[list[Extraction], list[Shown]]:
    """What is known already of them, to be kept again; and the others, each with the turns it is shown."""
    known: list[Extraction] = []
    shown: list[Shown] = []
    for episode in episodes:
        before = record.preceding(episode, extractor.context_turns) if episode.saga else ()
        turns = shown_context(episode, before, extractor.context_turns)
        hashed = context_hash(turns)
        if record.known(episode, hashed, extractor.version):
            key = (episode.episode_id, episode.revision, hashed, extractor.version)
            known += record.extractions(episode.group_id, [key])
        else:
            shown.append((episode, turns))
    return known, shown


def answers(
    extractor: Extractor, shown: Sequence[Shown]
) -> Iterator[tuple[Shown, Extraction | Unextracted]]:
    """What the extractor gives for each; one that breaks it is found by handing over one at a time.

    Raises `Away`, `Missing` or `Incorrect` when nothing more can be had now, or as it is set up: what was
    given before that stands.
    """
    left = deque(shown)
    at_once = len(left)
    while left:
        try:
            for answer in extractor.extract_all(list(islice(left, at_once))):
                one = left.popleft()
                yield one, _of_its_group(answer, one[0])
        except (Away, Missing):
            raise
        except Exception as error:
            if type(error) is Incorrect:  # of what is set up; a kind of it may be about one episode
                raise
            if at_once == 1:
                one = left.popleft()
                reason = redacted(
                    f"{type(error).__name__}: {error}"
                )  # which may tell what it stumbled over
                yield one, Unextracted(episode=one[0], reason=reason)
            at_once = 1


def _of_its_group(answer: Extraction | Unextracted, episode: Episode) -> Extraction | Unextracted:
    """One that says nothing cannot tell by itself of which group it is."""
    if isinstance(answer, Unextracted) or answer.group_id == episode.group_id:
        return answer
    return replace(answer, group_id=episode.group_id)


def _extract(installation: Installation, shown: Sequence[Shown], totals: _Totals) -> list[Extraction]:
    """What the extractor gives, failures counted and noted."""
    done: list[Extraction] = []
    put_off = dict(totals.put_off)
    try:
        for (episode, _), answer in answers(installation.extractor, shown):
            if not isinstance(answer, Unextracted):
                _take(installation, answer, episode, done, totals)
            elif answer.is_put_off:
                totals.put_off[episode.group_id] = answer.reason
            else:
                _failed(installation, episode, answer.reason, totals, is_final=answer.is_final)
    except (Away, Missing, Incorrect) as error:
        totals.stopped = str(error)
        totals.put_off = put_off  # for the same reason
    return done


def _take(
    installation: Installation,
    answer: Extraction,
    episode: Episode,
    done: list[Extraction],
    totals: _Totals,
) -> None:
    """Counts the extraction among what is `done`, unless another attempt may make it whole."""
    shortfall = None if totals.takes_unsettled else unsettled(answer)
    if shortfall is not None and not _failed(
        installation, episode, f"{shortfall.rule}: {shortfall.reason}", totals, stays=True
    ):
        return
    totals.tally.add(answer)
    done.append(answer)


def _failed(
    installation: Installation,
    episode: Episode,
    reason: str,
    totals: _Totals,
    *,
    is_final: bool = False,
    stays: bool = False,
) -> bool:
    """Counts the failure; whether it was the last that is allowed."""
    is_last = installation.record.failed(
        episode,
        stage="extract",
        reason=reason,
        at=installation.clock.now(),
        is_final=is_final,
        stays=stays,
    )
    if not (is_last and stays):
        totals.failed += 1
        totals.reason = reason
    if not is_last:
        totals.tried_again[episode.group_id, episode.episode_id] = reason
    return is_last
