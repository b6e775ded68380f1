"""What a search answers: records with their names, scores and the arms that found them. Values only.

Rendering lives with the command line and the service.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.bitemporal import Moment
    from memstrata.model import Entity, Episode, Procedure, Summary
    from memstrata.ports import NamedVersion
    from memstrata.search.fusion import Found, Fusion


@dataclass(frozen=True, slots=True, kw_only=True)
class FactResult:
    """A fact that was found."""

    fact: NamedVersion
    score: float
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityResult:
    """An entity that was found."""

    entity: Entity
    score: float
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeResult:
    """An episode that was found; with `neighbours` the turns directly before and after it too."""

    episode: Episode
    score: float
    found: tuple[Found, ...]
    before: Episode | None = None
    after: Episode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryResult:
    """A summary that was found."""

    summary: Summary
    score: float
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureResult:
    """A procedure that was found."""

    procedure: Procedure
    score: float
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The answer to one search: each list best first, scores between 0 and 1 within a list.

    Scores of two lists cannot be compared; a reranker changes the order and leaves the scores. `words`
    are those that were looked for; `moment` where the view stood. `notes` says in sentences what the
    answer had to do without (vectors, words).
    """

    query: str
    words: tuple[str, ...]
    moment: Moment
    history: bool
    preset: str
    fusion: Fusion
    facts: tuple[FactResult, ...] = ()
    entities: tuple[EntityResult, ...] = ()
    episodes: tuple[EpisodeResult, ...] = ()
    summaries: tuple[SummaryResult, ...] = ()
    procedures: tuple[ProcedureResult, ...] = ()
    notes: tuple[str, ...] = ()
