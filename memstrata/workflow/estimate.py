"""What extraction would take before it runs: calls, tokens and cost, from the prompts it would send."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, Final

from memstrata.extraction.extractor import context_hash, shown_context
from memstrata.ports import Foretelling, ListedBy, Spent, Stage
from memstrata.spending import tokens_of
from memstrata.workflow.costs import priced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from memstrata.model import Episode
    from memstrata.ports import Extractor, Installation

    Item = tuple[Episode, Sequence[Episode]]

#: Where no past call tells: tokens of a reply, its seconds, and calls beside each first one.
REPLY_TOKENS: Final = 300
REPLY_SECONDS: Final = 5.0
MORE_CALLS: Final = 0.10
_ENOUGH: Final = 20  # calls from which on the past is a measure
_PAGE: Final = 1_000
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


def estimate_waiting(installation: Installation, *, day: date | None = None) -> Estimate:
    """Of everything that awaits extraction (accepted on `day`), taken in or not yet; nothing is changed."""
    spooled = installation.record.uncompacted()
    accepted = [one for one in spooled if day is None or one.ingested_at.astimezone(UTC).date() == day]
    return estimate(installation, [*_waiting(installation, day), *_in_order(accepted)])


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
    cost = priced(installation.prices, [replace(taken, key={ListedBy.MODEL: extractor.model})]).cost
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


def _past(installation: Installation, version: str, model: str) -> tuple[Spent, Spent] | None:
    """What first calls took so far, and what the others did; None if too few were made."""
    if installation.calls is None:
        return None
    by = [ListedBy.STAGE, ListedBy.VERSION, ListedBy.MODEL]
    of_model = [one for one in installation.calls.spent(by) if one.key[ListedBy.MODEL] == model]
    of_version = [one for one in of_model if one.key[ListedBy.VERSION] == version]
    for spent in (of_version, of_model):
        first = _sum(one for one in spent if one.key[ListedBy.STAGE] == Stage.EXTRACT)
        if first.calls - first.failed >= _ENOUGH:
            return first, _sum(one for one in spent if one.key[ListedBy.STAGE] in _OTHERS)
    return None


def _expected(calls: int, input_tokens: int, past: tuple[Spent, Spent] | None) -> Spent:
    if past is None:
        share = 1 + MORE_CALLS
        return Spent(
            calls=calls * share,
            input_tokens=input_tokens * share,
            output_tokens=calls * share * REPLY_TOKENS,
            seconds=calls * share * REPLY_SECONDS,
        )
    first, others = past
    a_call = calls / (first.calls - first.failed)
    return Spent(
        calls=calls + (others.calls - others.failed) * a_call,  # no bad hour of the endpoint is expected
        input_tokens=input_tokens + others.input_tokens * a_call,
        output_tokens=(first.output_tokens + others.output_tokens) * a_call,
        seconds=(first.seconds + others.seconds) * a_call,
    )


def _sum(spent: Iterable[Spent]) -> Spent:
    every = list(spent)
    return Spent(
        calls=sum(one.calls for one in every),
        input_tokens=sum(one.input_tokens for one in every),
        output_tokens=sum(one.output_tokens for one in every),
        seconds=sum(one.seconds for one in every),
        failed=sum(one.failed for one in every),
    )


def _currency(installation: Installation) -> str:
    return "" if installation.prices is None else installation.prices.currency
