"""Core blocks as of any system time: what stands always in a context, by hand or by a rule.

What an edit does lives in `core_edits`; edits are decisions (docs/record.md), logged by the workflow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.model import DecisionKind
from memstrata.ports import Filters
from memstrata.search.core_edits import MOST_CHARACTERS, Written, edit_of, written_after
from memstrata.search.view import View, matching
from memstrata.search.wording import plain_fact_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memstrata.model import By, Decision
    from memstrata.ports import CommitLog
    from memstrata.search.core_edits import CoreEdit, CoreRule
    from memstrata.search.reads import Reads

#: Labels that come first, in this order; the others follow by name.
_FIRST: Final = ("persona", "human")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreBlock:
    """A block as it reads at one moment; `text` is what its rule gives, if it has one.

    `facts_left_out` are those that its rule found and had no room for.
    """

    group_id: str
    label: str
    text: str
    rule: CoreRule | None = None
    facts_left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreChange:
    """One edit in a block's history: what was asked, by whom, and what stood there afterwards.

    `at` is the instant of the commit that took it in. `ignored` says why it changed nothing, if so.
    """

    group_id: str
    label: str
    seq: int
    at: datetime
    decision_id: str
    by: By
    who: str
    reason: str
    edit: CoreEdit
    after: Written
    ignored: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreMemory:
    """The core blocks of groups, over the log of commits and the facts."""

    log: CommitLog
    reads: Reads

    def blocks(self, view: View | None = None) -> tuple[CoreBlock, ...]:
        """The blocks that are not empty, group by group: `persona`, `human`, then the others by label.

        A block by hand is as of the view's system time; one by a rule shows the facts that the view
        shows, its filters aside. Its text is empty if nothing of that entity is in view.
        """
        looked = view or View()
        reads = self.reads
        groups = matching(looked.groups, reads.reader) if looked.has_patterns else looked.groups
        system = looked.moment(reads.clock.now()).system
        return tuple(
            self._block(group, label, written, looked)
            for group in groups
            for label, written in self._written(group, system)
        )

    def standing(self, group_id: str, label: str) -> Written:
        """What stands in one block after the group's last commit."""
        return dict(self._written(group_id, None)).get(label, Written())

    def history(self, group_id: str, label: str) -> tuple[CoreChange, ...]:
        """Every edit of a block that commits took in, oldest first; () for a label that never was."""
        instants: dict[int, datetime] = {}
        changes: list[CoreChange] = []
        before = Written()
        for seq, decision in self._decisions(group_id, None):
            if decision.target.get("label") != label:
                continue
            if seq not in instants:
                instants[seq] = next(iter(self.log.commits(group_id, after=seq - 1))).instant
            before, ignored = _after(before, decision)
            changes.append(_change(seq, decision, instants[seq], after=before, ignored=ignored))
        return tuple(changes)

    def labels(self, group_id: str) -> tuple[str, ...]:
        """Every label that the group ever used, sorted."""
        return tuple(sorted({str(one.target.get("label")) for _, one in self._decisions(group_id, None)}))

    def _decisions(self, group_id: str, system: datetime | None) -> tuple[tuple[int, Decision], ...]:
        until = None if system is None else self.log.seq_at(group_id, system)
        return self.log.committed_decisions(group_id, (DecisionKind.CORE,), until=until)

    def _written(self, group_id: str, system: datetime | None) -> Iterator[tuple[str, Written]]:
        blocks: dict[str, Written] = {}
        for _, decision in self._decisions(group_id, system):
            label = str(decision.target.get("label"))
            blocks[label], _ = _after(blocks.get(label, Written()), decision)
        yield from sorted(((label, one) for label, one in blocks.items() if one), key=_order)

    def _block(self, group_id: str, label: str, written: Written, view: View) -> CoreBlock:
        if written.rule is None:
            return CoreBlock(group_id=group_id, label=label, text=written.text)
        lines = self._lines(group_id, written.rule, view)
        kept: list[str] = []
        for line in lines:
            if sum(map(len, kept)) + len(kept) + len(line) > MOST_CHARACTERS:
                break
            kept.append(line)
        return CoreBlock(
            group_id=group_id,
            label=label,
            text="\n".join(kept),
            rule=written.rule,
            facts_left_out=len(lines) - len(kept),
        )

    def _lines(self, group_id: str, rule: CoreRule, view: View) -> list[str]:
        """The facts that a rule shows; none if nobody goes by that name at that moment."""
        now = self.reads.clock.now()
        scope = replace(view, groups=(group_id,), filters=Filters()).scope(now, self.reads.reader)
        lookup = self.reads.lookup
        entities = lookup.entities(rule.about, scope)
        narrowed = replace(scope, filters=Filters(relations=rule.relations))
        return [plain_fact_line(fact) for fact in lookup.facts(entities, narrowed, limit=rule.most)]


def _order(labelled: tuple[str, Written]) -> tuple[int, str]:
    label = labelled[0]
    return (_FIRST.index(label) if label in _FIRST else len(_FIRST), label)


def _after(before: Written, decision: Decision) -> tuple[Written, str]:
    """What stands after a decision, and why it changed nothing, if so."""
    try:
        return written_after(before, edit_of(decision.payload)), ""
    except Incorrect as error:
        return before, str(error)


def _change(seq: int, decision: Decision, at: datetime, *, after: Written, ignored: str) -> CoreChange:
    return CoreChange(
        group_id=decision.group_id,
        label=str(decision.target.get("label")),
        seq=seq,
        at=at,
        decision_id=decision.decision_id,
        by=decision.by,
        who=decision.who,
        reason=decision.reason,
        edit=edit_of(decision.payload),
        after=after,
        ignored=ignored,
    )
