"""The door: drafts become accepted episodes, verdicts become logged decisions."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from memstrata import intake
from memstrata.errors import Incorrect, MemstrataError
from memstrata.ids import identify
from memstrata.instants import format_instant
from memstrata.model import VERDICTS, By, Decision, DecisionKind, Episode
from memstrata.ontology import load_ontology
from memstrata.ports.promoting import promotion_of, rollback_of
from memstrata.projection import passages_of
from memstrata.search.core_edits import check_label, edit_of
from memstrata.workflow.edits import read_edit
from memstrata.workflow.items import ON_ITEMS, named_items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from memstrata.model import Draft, Json
    from memstrata.ports import Installation

#: How many episodes share one fsync when many are accepted at once.
BATCH = 500
_SIDES = 2


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the door has taken: one batch, in order; not numbered yet."""

    episodes: tuple[Episode, ...]

    @property
    def episode_ids(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(episode.episode_id for episode in self.episodes)


def accept(
    installation: Installation, drafts: Iterable[Draft], *, batch: int = BATCH, shown: bool = True
) -> Iterator[Accepted]:
    """Accepts drafts in batches; each batch yielded is durable.

    Every draft is checked before its batch is written: a bad one raises `Incorrect`, and nothing of
    its batch is accepted. Episodes are shown to readers at once (unless whoever calls sees to that), their
    facts follow with a commit.
    """
    waiting = iter(drafts)
    while some := list(islice(waiting, batch)):
        now = installation.clock.now()
        episodes = tuple(_episode(draft, now) for draft in some)
        installation.record.accept(episodes)
        if shown:
            show(installation, episodes)
        yield Accepted(episodes)


def show(installation: Installation, episodes: Sequence[Episode]) -> None:
    """Lets readers find raw episodes; where the graph cannot be had, they are found with their commit.

    They are accepted: what is wrong with the graph, its next reader is told.
    """
    with suppress(MemstrataError):
        installation.graph.show_pending([(one, passages_of(one)) for one in episodes])


def _episode(draft: Draft, now: datetime) -> Episode:
    intake.validate(draft)
    return Episode(
        episode_id=intake.episode_id(draft),
        revision=0,
        group_id=draft.group_id,
        source=draft.source,
        source_type=draft.source_type,
        content=draft.content,
        reference_time=draft.reference_time,
        time_source=draft.time_source,
        ingested_at=now,
        content_hash=intake.content_hash(draft),
        saga=draft.saga,
        position=draft.position,
        native_id=draft.native_id,
        speaker=draft.speaker,
        addressee=draft.addressee,
        metadata=draft.metadata,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A decision as somebody asks for it: without id and time, which the door adds.

    `evidence` are the ids of episodes whose texts it was decided by, where somebody was shown them.
    """

    group_id: str
    kind: DecisionKind
    target: Mapping[str, Json]
    payload: Mapping[str, Json]
    by: By = By.PERSON
    who: str = ""
    reason: str = ""
    evidence: tuple[str, ...] = ()


def decide(installation: Installation, ruling: Ruling) -> Decision:
    """Logs a decision durably; it takes effect with the group's next commit.

    Raises `Incorrect` for a ruling that no commit could take in: the log cannot take it back.
    """
    return decide_all(installation, [ruling])[0]


def decide_all(installation: Installation, rulings: Sequence[Ruling]) -> tuple[Decision, ...]:
    """Logs decisions durably, all or none; errors as in `decide`."""
    for ruling in rulings:
        _check(ruling)
    at = installation.clock.now()
    decisions = tuple(_decision(ruling, at) for ruling in rulings)
    installation.record.decide(decisions)
    return decisions


def _decision(ruling: Ruling, at: datetime) -> Decision:
    return Decision(
        decision_id=identify(
            "decision", ruling.group_id, ruling.kind, format_instant(at), ruling.who, str(ruling.target)
        ),
        group_id=ruling.group_id,
        kind=ruling.kind,
        at=at,
        by=ruling.by,
        who=ruling.who,
        target=ruling.target,
        payload=ruling.payload,
        reason=ruling.reason,
        evidence=ruling.evidence,
    )


def _check(ruling: Ruling) -> None:
    """Refuses what would stop every later commit of the group."""
    if ruling.kind in VERDICTS:
        _check_verdict(ruling)
    elif ruling.kind is DecisionKind.RETRACT and not isinstance(ruling.target.get("episode_id"), str):
        raise Incorrect(
            f"a retraction names no episode: {ruling.target}; expected episode_id in its target"
        )
    elif ruling.kind is DecisionKind.PROMOTE_EXTRACTOR:
        promotion_of(ruling.target)
    elif ruling.kind is DecisionKind.ROLLBACK_EXTRACTOR:
        rollback_of(ruling.target)
    elif ruling.kind in ON_ITEMS:
        items = named_items(ruling.target)
        if ruling.kind is DecisionKind.EDIT and len(items) > 1:
            raise Incorrect(f"an edit names {len(items)} items; expected one")
        if ruling.kind is DecisionKind.EDIT:
            read_edit(ruling.payload)
    elif ruling.kind is DecisionKind.ONTOLOGY:
        load_ontology(str(ruling.payload.get("yaml", "")))
    elif ruling.kind is DecisionKind.CORE:
        check_label(ruling.target.get("label"))
        edit_of(ruling.payload)


def _check_verdict(ruling: Ruling) -> None:
    named = ruling.target.get("mentions")
    sides = named if isinstance(named, list | tuple) else ()
    ids = {
        str(one["mention_id"])
        for one in sides
        if isinstance(one, Mapping) and isinstance(one.get("episode_id"), str) and "mention_id" in one
    }
    if len(sides) != _SIDES or len(ids) != _SIDES:
        raise Incorrect(
            f"a verdict names {len(ids)} different mentions; expected two in the target's `mentions`, each "
            "with mention_id and episode_id"
        )
    if ruling.by not in (By.PERSON, By.MODEL):
        raise Incorrect(f"a verdict by {ruling.by}; expected one by a person or a model")
