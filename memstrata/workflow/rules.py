"""What is in force for a group: its ontology before and after a commit, its verdicts, its items."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from memstrata.ids import digest
from memstrata.model import VERDICTS, By, DecisionKind
from memstrata.ontology import Ontology, load_ontology
from memstrata.workflow.intake import Ruling, decide
from memstrata.workflow.items import ON_ITEMS, standing_after

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memstrata.model import Decision
    from memstrata.ports import CommitLog, Installation, RecordStore
    from memstrata.workflow.items import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a commit goes by. `verdicts` are in the order in which they were committed.

    `standing` is what decisions make of extracted items.
    """

    before: Ontology
    after: Ontology
    verdicts: tuple[Decision, ...]
    standing: Standing = field(default_factory=dict)


def rules_at(record: RecordStore, group_id: str, seq: int, taken_in: Iterable[Decision]) -> Rules:
    """The rules for the commit that follows `seq` and takes in those decisions."""
    past = [
        decision
        for _, decision in record.committed_decisions(
            group_id, (*VERDICTS, *ON_ITEMS, DecisionKind.ONTOLOGY), until=seq
        )
    ]
    now = [*past, *taken_in]
    return Rules(
        before=_last_ontology(past),
        after=_last_ontology(now),
        verdicts=tuple(decision for decision in now if decision.kind in VERDICTS),
        standing=standing_after(now),
    )


def rules_in_force(installation: Installation, group_id: str) -> Rules:
    """The rules that stand after the group's last commit, where nothing more is taken in."""
    return rules_at(installation.record, group_id, installation.graph.last_seq(group_id), ())


def decided(record: CommitLog, group_id: str, kinds: Collection[DecisionKind]) -> list[Decision]:
    """The group's decisions of those kinds: what commits have taken in, then what waits for one."""
    taken_in = [decision for _, decision in record.committed_decisions(group_id, kinds)]
    waiting = record.pending(group_id, limit=1).decisions
    return [*taken_in, *(decision for decision in waiting if decision.kind in kinds)]


def declare_ontology(installation: Installation, group_id: str) -> bool:
    """Logs the configured ontology as the group's, if it is another than the last one decided."""
    declared = decided(installation.record, group_id, (DecisionKind.ONTOLOGY,))
    standing = str(declared[-1].payload["yaml"]) if declared else ""
    if installation.ontology == standing:
        return False
    decide(
        installation,
        Ruling(
            group_id=group_id,
            kind=DecisionKind.ONTOLOGY,
            target={"ontology": digest(installation.ontology)},
            payload={"yaml": installation.ontology},
            by=By.POLICY,
            who="settings",
            reason="the configured ontology has changed",
        ),
    )
    return True


def _last_ontology(decisions: Iterable[Decision]) -> Ontology:
    texts = [
        str(decision.payload["yaml"]) for decision in decisions if decision.kind is DecisionKind.ONTOLOGY
    ]
    return _ontology(texts[-1] if texts else "")


@lru_cache(maxsize=64)
def _ontology(text: str) -> Ontology:
    return load_ontology(text) if text else Ontology()
