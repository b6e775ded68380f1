"""What is in force for a group: its ontology before and after a commit, its verdicts, items and answers."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from memstrata.ids import digest
from memstrata.model import VERDICTS, By, DecisionKind
from memstrata.ontology import Ontology, load_ontology
from memstrata.workflow.intake import Ruling, decide
from memstrata.workflow.items import NOTHING, ON_ITEMS, standing_after

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memstrata.model import Decision
    from memstrata.ports import CommitLog, Installation, RecordStore
    from memstrata.workflow.items import Standing

_NO_ANSWERS: Final[Mapping[str, Decision]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a commit goes by. `verdicts` are in the order in which they were committed.

    `standing` is what decisions make of extracted items, `answers` has the last decision on each question
    that a model was asked, by the question's key.
    """

    before: Ontology
    after: Ontology
    verdicts: tuple[Decision, ...]
    standing: Standing = field(default_factory=lambda: NOTHING)
    answers: Mapping[str, Decision] = field(default_factory=lambda: _NO_ANSWERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    """What the commits up to `seq` have taken in."""

    seq: int = 0
    ontology: str = ""
    verdicts: tuple[Decision, ...] = ()
    standing: Standing = field(default_factory=lambda: NOTHING)
    answers: Mapping[str, Decision] = field(default_factory=lambda: _NO_ANSWERS)

    def then(self, decisions: Sequence[Decision], seq: int) -> _Past:
        """With those, taken in by the commits up to `seq`."""
        texts = [str(one.payload["yaml"]) for one in decisions if one.kind is DecisionKind.ONTOLOGY]
        verdicts = [one for one in decisions if one.kind in VERDICTS]
        answers = {
            str(one.target["question"]): one
            for one in decisions
            if one.kind is DecisionKind.ADJUDICATE and "question" in one.target
        }
        return _Past(
            seq=seq,
            ontology=texts[-1] if texts else self.ontology,
            verdicts=(*self.verdicts, *verdicts) if verdicts else self.verdicts,
            standing=standing_after(decisions, self.standing),
            answers={**self.answers, **answers} if answers else self.answers,
        )


#: What was read last of each group, by record: a log that only grows need not be read again from the start
#: (10,000 withdrawals were a quarter of a second with each commit).
_pasts: WeakKeyDictionary[RecordStore, OrderedDict[str, _Past]] = WeakKeyDictionary()
_MOST_GROUPS: Final = 64
_KINDS: Final = (*VERDICTS, *ON_ITEMS, DecisionKind.ONTOLOGY, DecisionKind.ADJUDICATE)
_remembering: Final = Lock()


def rules_at(record: RecordStore, group_id: str, seq: int, taken_in: Iterable[Decision]) -> Rules:
    """The rules for the commit that follows `seq` and takes in those decisions."""
    past = _past(record, group_id, seq)
    now = past.then(tuple(taken_in), seq)
    return Rules(
        before=_ontology(past.ontology),
        after=_ontology(now.ontology),
        verdicts=now.verdicts,
        standing=now.standing,
        answers=now.answers,
    )


def _past(record: RecordStore, group_id: str, seq: int) -> _Past:
    with _remembering:
        past = _pasts.setdefault(record, OrderedDict()).get(group_id, _Past())
    if past.seq > seq:  # a replay from the start
        past = _Past()
    if past.seq < seq:
        found = record.committed_decisions(group_id, _KINDS, after=past.seq, until=seq)
        past = past.then([decision for _, decision in found], seq)
    with _remembering:
        known = _pasts[record]
        known[group_id] = past
        known.move_to_end(group_id)
        while len(known) > _MOST_GROUPS:
            known.popitem(last=False)
    return past


def rules_in_force(installation: Installation, group_id: str) -> Rules:
    """The rules that stand after the group's last commit, where nothing more is taken in."""
    return rules_at(installation.record, group_id, installation.graph.last_seq(group_id), ())


def rules_waiting(installation: Installation, group_id: str) -> Rules:
    """The rules that will stand after the group's next commit: what waits for it is taken in."""
    record = installation.record
    waiting = record.pending(group_id, limit=1).decisions
    return rules_at(record, group_id, installation.graph.last_seq(group_id), waiting)


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


@lru_cache(maxsize=64)
def _ontology(text: str) -> Ontology:
    return load_ontology(text) if text else Ontology()
