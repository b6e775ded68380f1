"""What language models were asked, what that took, and what they said: for budgets and against repeats."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from memstrata.errors import MemstrataError
    from memstrata.ports.models import Prompt, Reply


class Stage(StrEnum):
    """What a model was asked for."""

    EXTRACT = "extract"
    REST = "rest"
    REPAIR = "repair"
    SECOND_PASS = "second_pass"  # noqa: S105 (no password)
    ADJUDICATE = "adjudicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What calls took: one, a share of one, or many. What is reckoned from it keeps its other fields.

    `failed` of the `calls` gave no reply; `cached_tokens` are part of `input_tokens`.
    """

    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    cached_tokens: float = 0.0
    retries: float = 0.0
    seconds: float = 0.0
    failed: float = 0.0

    @classmethod
    def on(cls, reply: Reply) -> Self:
        """Of the call that the reply came to."""
        return cls(
            calls=1.0,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cached_tokens=reply.cached_tokens,
            retries=reply.retries,
            seconds=reply.seconds,
        )

    @classmethod
    def in_vain(cls, error: MemstrataError) -> Self:
        """Of the call that ended in the error; nothing if no endpoint was asked."""
        effort = error.effort
        if effort is None:
            return cls()
        return cls(
            calls=1.0,
            failed=1.0,
            input_tokens=effort.input_tokens,
            output_tokens=effort.output_tokens,
            cached_tokens=effort.cached_tokens,
            retries=max(0, effort.requests - 1),
            seconds=effort.seconds,
        )

    def __add__(self, other: Spending) -> Self:
        return self._with(lambda name: getattr(self, name) + getattr(other, name))

    def __sub__(self, other: Spending) -> Self:
        return self._with(lambda name: getattr(self, name) - getattr(other, name))

    def shared(self, among: int) -> Self:
        """An equal share of it."""
        return self._with(lambda name: getattr(self, name) / among)

    @property
    def numbers(self) -> dict[str, float]:
        """The figures by name."""
        return {name: getattr(self, name) for name in _NUMBERS}

    def noted(self, of: Purpose, group_id: str, episode_id: str) -> Call:
        """As the log of calls keeps it."""
        return Call(
            at=of.at,
            group_id=group_id,
            episode_id=episode_id,
            stage=of.stage,
            version=of.version,
            model=of.model,
            **self.numbers,
        )

    def _with(self, figure: Callable[[str], float]) -> Self:
        return replace(self, **{name: figure(name) for name in _NUMBERS})


_NUMBERS: Final = tuple(one.name for one in fields(Spending))


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What a call was made for: when, in which stage, by which version, of which model."""

    at: datetime
    stage: Stage
    version: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Spending):
    """One episode's share of one call: a call that several episodes shared is as many of these.

    `calls` is the share (they add up to one a call), tokens and seconds likewise; `failed` is as much as
    `calls` where an error came for a reply, with what is known of its tokens. `version` is the extractor's,
    or the adjudicator's.
    """

    at: datetime
    group_id: str
    episode_id: str
    stage: Stage
    version: str
    model: str
    calls: float
    input_tokens: float
    output_tokens: float


class ListedBy(StrEnum):
    """What spending can be listed by; `day` is the UTC day of the call."""

    DAY = "day"
    GROUP = "group_id"
    STAGE = "stage"
    VERSION = "version"
    MODEL = "model"
    EPISODE = "episode_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Spending):
    """Sums over calls that agree in what they are listed by; `key` holds that, as text."""

    key: Mapping[ListedBy, str] = field(default_factory=lambda: MappingProxyType({}))


class CallLog(Protocol):
    """The log of calls: ids and numbers, never content."""

    def note(self, calls: Sequence[Call]) -> None:
        """Keeps them durably."""

    def spent(
        self,
        by: Collection[ListedBy] = (),
        *,
        since: date | None = None,
        until: date | None = None,
        group_id: str | None = None,
    ) -> tuple[Spent, ...]:
        """What was spent from day `since` to before day `until`, listed by those; sorted by key.

        Listed by nothing it is one sum, of zeros if nothing was spent. Prices differ by model: list by it
        to put a cost on it.
        """

    def close(self) -> None:
        """Lets go of files and connections."""


class PriceList(Protocol):
    """What models cost."""

    @property
    def currency(self) -> str:
        """The currency of every price, such as `USD`."""

    def cost(
        self, model: str, input_tokens: float, output_tokens: float, cached_tokens: float = 0.0
    ) -> float | None:
        """What so many tokens cost, `cached_tokens` of the input at their own price; None: not known."""


class Budget(Protocol):
    """What may be spent: whoever asks a model stays within it."""

    def spending(self, group_id: str, model: str, prompt: Prompt) -> AbstractContextManager[None]:
        """Encloses one call for a group and the noting of it.

        Entering it raises `OverBudget` if the call does not fit into what is left; calls that are under
        way are waited for where it depends on them.
        """

    def taken(self) -> tuple[Spent, ...]:
        """What was noted here since the beginning, by group, stage, version and model; sorted by key."""


class ReplyCache(Protocol):
    """Replies that were verified, by the digest of everything that determines them."""

    def get(self, key: str) -> Reply | None:
        """The reply kept under that key."""

    def put(self, key: str, reply: Reply, episodes: Sequence[tuple[str, str]]) -> None:
        """Keeps a verified reply durably; `episodes` (group id, episode id) are those that it tells of."""

    def evict(self, group_id: str, episode_ids: Collection[str]) -> int:
        """Removes the replies that tell of those episodes, beyond recovery; gives how many."""
