"""What extraction would take before it runs: calls, tokens and cost, from the prompts it would send."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, Final

from memstrata.extraction.extractor import context_hash, shown_context
from memstrata.ports import Foretelling, ListedBy, Promotion, Spending, Spent, Stage
from memstrata.spending import tokens_of
from memstrata.workflow.costs import priced, told_amount

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date

    from memstrata.model import Episode
    from memstrata.ports import Days, Extractor, Installation, RecordStore

    Item = tuple[Episode, Sequence[Episode]]

#: Where no past call tells: tokens of a reply, its seconds, and calls beside each first one.
REPLY_TOKENS: Final = 300
REPLY_SECONDS: Final = 5.0
MORE_CALLS: Final = 0.10
_ENOUGH: Final = 20  # calls from which on the past is a measure
_PAGE: Final = 1_000
_MINUTE: Final = 60
_HOUR: Final = 3_600
_OTHERS: Final = (Stage.REST, Stage.REPAIR, Stage.SECOND_PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What extracting `episodes` would take of `model` (empty: no model is asked).

    `known` of them are extracted already. `calls` are the first ones, `more_calls` the repairs and the like
    that are to be expected, the tokens and seconds those of both; several calls in flight take less time.
    `cost` is None if the model's price is not known. `is_from_past`: replies were measured, not assumed.
    """

    model: str = ""
    episodes: int = 0
    known: int = 0
    calls: int = 0
    more_calls: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0
    currency: str = ""
    is_from_past: bool = False

    @property
    def to_do(self) -> int:
        """How many of the episodes would be extracted."""
        return self.episodes - self.known

    @property
    def basis(self) -> str:
        """What the replies are reckoned by."""
        return "as past replies were" if self.is_from_past else "replies assumed: too few were had so far"

    def __str__(self) -> str:
        """As one says it."""
        to_do = f"{self.to_do:,} {'episode' if self.to_do == 1 else 'episodes'}"
        if not self.model:
            return f"{to_do}, without a language model"
        cost = f"unknown (no price of {self.model})"
        if self.cost is not None:
            cost = f"{told_amount(self.cost)} {self.currency}"
        return (
            f"{to_do} by {self.model}: {self.calls:,} {'call' if self.calls == 1 else 'calls'} and about "
            f"{self.more_calls:,.1f} more for repairs, {self.input_tokens:,} tokens read, "
            f"{self.output_tokens:,} written, {_time(self.seconds)} of model time, cost {cost}"
        )

    def __add__(self, other: Estimate) -> Estimate:
        """Of both together, by the same model."""
        known = [one.cost for one in (self, other) if one.cost is not None]
        return replace(
            self,
            episodes=self.episodes + other.episodes,
            known=self.known + other.known,
            calls=self.calls + other.calls,
            more_calls=self.more_calls + other.more_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            seconds=self.seconds + other.seconds,
            cost=sum(known) if len(known) == len((self, other)) else None,
            is_from_past=self.is_from_past and other.is_from_past,
        )


def estimate_waiting(installation: Installation, *, day: date | None = None) -> Estimate:
    """Of everything that awaits extraction (accepted on `day`), taken in or not yet; nothing is changed."""
    spooled = installation.record.uncompacted()
    accepted = [one for one in spooled if day is None or one.ingested_at.astimezone(UTC).date() == day]
    return estimate(installation, [*_waiting(installation, day), *_in_order(accepted)])


def estimate_run(
    installation: Installation,
    *,
    days: Days,
    groups: Collection[str] | None = None,
    extractor: Extractor | None = None,
) -> Estimate:
    """Of what `run_candidate` would extract on those days, with the same arguments; nothing is changed."""
    extractor = extractor or installation.extractor
    lacking = _lacking(installation.record, groups, Promotion(version=extractor.version, days=days))
    return estimate(installation, lacking, extractor=extractor)


def estimate(
    installation: Installation, episodes: Iterable[Episode], *, extractor: Extractor | None = None
) -> Estimate:
    """Of those episodes, with the configured extractor or another; what it has done already costs nothing.

    Input is reckoned from the very prompts that would be sent, at four bytes a token. What replies take is
    the mean of past ones, of the same version if there are enough, else of the same model; else assumed.
    """
    extractor = extractor or installation.extractor
    counted = _Counted(installation, extractor)
    if not isinstance(extractor, Foretelling):
        for _ in counted.unknown(episodes):
            pass
        return Estimate(episodes=counted.episodes, known=counted.known, currency=_currency(installation))
    calls = input_tokens = 0
    for _, prompt in extractor.first_prompts(counted.unknown(episodes)):
        calls += 1
        input_tokens += tokens_of(prompt)
    past = _past(installation, extractor.version, extractor.model)
    taken = _expected(calls, input_tokens, past)
    of_model = Spent(key={ListedBy.MODEL: extractor.model}) + taken
    cost = priced(installation.prices, [of_model]).cost
    return Estimate(
        model=extractor.model,
        episodes=counted.episodes,
        known=counted.known,
        calls=calls,
        more_calls=taken.calls - calls,
        input_tokens=round(taken.input_tokens),
        output_tokens=round(taken.output_tokens),
        seconds=taken.seconds,
        cost=cost,
        currency=_currency(installation),
        is_from_past=past is not None,
    )


class _Counted:
    def __init__(self, installation: Installation, extractor: Extractor) -> None:
        self._record = installation.record
        self._extractor = extractor
        self._earlier: dict[tuple[str, str], deque[Episode]] = {}
        self.episodes = 0
        self.known = 0

    def unknown(self, episodes: Iterable[Episode]) -> Iterator[Item]:
        """Those that were not extracted yet, with the turns that they are shown."""
        turns, version = self._extractor.context_turns, self._extractor.version
        for episode in episodes:
            self.episodes += 1
            before = self._before(episode, turns)
            if self._record.known(episode, context_hash(shown_context(episode, before, turns)), version):
                self.known += 1
            else:
                yield episode, before

    def _before(self, episode: Episode, turns: int) -> Sequence[Episode]:
        """The turns before it; of one that was not compacted yet, those of its kind came through here."""
        if not episode.saga or not turns:
            return ()
        before = self._record.preceding(episode, turns)
        if self._record.latest(episode.group_id, episode.episode_id) is not None:
            return before
        earlier = self._earlier.setdefault((episode.group_id, episode.saga), deque(maxlen=turns))
        shown = (*before, *earlier)[-turns:]
        earlier.append(episode)
        return shown


def _lacking(record: RecordStore, groups: Collection[str] | None, wanted: Promotion) -> Iterator[Episode]:
    for group_id in groups or record.groups():
        after = 0
        while found := record.lacking(group_id, wanted, after=after, limit=_PAGE):
            after = found[-1][0]
            yield from (episode for _, episode in found)


def _waiting(installation: Installation, day: date | None) -> Sequence[Episode]:
    limit = _PAGE
    while len(found := installation.record.awaiting(day=day, limit=limit)) == limit:
        limit *= 4
    return found


def _in_order(episodes: Iterable[Episode]) -> Sequence[Episode]:
    """The latest of each id, as they would be extracted: the turns of a saga in their order."""
    latest = {(one.group_id, one.episode_id): one for one in episodes}
    return sorted(
        latest.values(),
        key=lambda one: (
            one.saga is not None,
            one.saga or "",
            math.inf if one.position is None else one.position,
            one.reference_time,
            one.episode_id,
        ),
    )


def _past(installation: Installation, version: str, model: str) -> tuple[Spending, Spending] | None:
    """What first calls took so far, and what the others did; None if too few were made."""
    if installation.calls is None:
        return None
    by = [ListedBy.STAGE, ListedBy.VERSION, ListedBy.MODEL]
    of_model = [one for one in installation.calls.spent(by) if one.key[ListedBy.MODEL] == model]
    of_version = [one for one in of_model if one.key[ListedBy.VERSION] == version]
    for spent in (of_version, of_model):
        first = sum((one for one in spent if one.key[ListedBy.STAGE] == Stage.EXTRACT), Spending())
        if first.calls - first.failed >= _ENOUGH:
            others = (one for one in spent if one.key[ListedBy.STAGE] in _OTHERS)
            return first, sum(others, Spending())
    return None


def _expected(calls: int, input_tokens: int, past: tuple[Spending, Spending] | None) -> Spending:
    if past is None:
        share = 1 + MORE_CALLS
        return Spending(
            calls=calls * share,
            input_tokens=input_tokens * share,
            output_tokens=calls * share * REPLY_TOKENS,
            seconds=calls * share * REPLY_SECONDS,
        )
    first, others = past
    a_call = calls / (first.calls - first.failed)
    return Spending(
        calls=calls + (others.calls - others.failed) * a_call,  # no bad hour of the endpoint is expected
        input_tokens=input_tokens + others.input_tokens * a_call,
        output_tokens=(first.output_tokens + others.output_tokens) * a_call,
        seconds=(first.seconds + others.seconds) * a_call,
    )


def _time(seconds: float) -> str:
    if seconds >= _HOUR:
        return f"{seconds / _HOUR:.1f} h"
    return f"{seconds / _MINUTE:.1f} min" if seconds >= _MINUTE else f"{seconds:.0f} s"


def _currency(installation: Installation) -> str:
    return "" if installation.prices is None else installation.prices.currency
