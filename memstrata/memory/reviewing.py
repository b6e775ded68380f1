"""The review queue: what waits for a person, page by page, and the verdicts on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, NotThere
from memstrata.memory.access import OWNER, Right
from memstrata.memory.audit import audited
from memstrata.memory.browsing import MOST_LISTED, Page
from memstrata.model import DecisionKind
from memstrata.workflow import review
from memstrata.workflow.intake import decide, decide_all
from memstrata.workflow.proposals import proposals, ruling_on_proposal, states_named
from memstrata.workflow.review import Which, WholeEntry
from memstrata.workflow.work import compact_lightly

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.model import Decision, Json
    from memstrata.ports import Installation
    from memstrata.workflow.proposals import Proposal, State
    from memstrata.workflow.review import Entry

EVERYTHING: Final = Which()


@audited
@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewing:
    """What is reviewed, as far as `grant` reaches: whoever may read sees it, whoever may decide rules."""

    installation: Installation
    grant: Grant = OWNER
    audit: Audit | None = None

    def waiting(
        self, group_id: str, which: Which = EVERYTHING, *, after: str | None = None, limit: int = 50
    ) -> Page[Entry]:
        """What waits in the group: what is in quarantine, then decisions that attach to nothing any more.

        Raises `Incorrect` for a limit outside 1 to 1,000, and for an `after` that no page gave.
        """
        _check_limit(limit)
        group = self._caught_up(Right.READ, group_id)
        items, following = review.entries(self.installation, group, which, after=after, limit=limit)
        return Page(items=items, following=following)

    def counts(self, group_id: str) -> Mapping[str, int]:
        """How many wait by the rule that keeps them waiting, the most first."""
        return review.counts(self.installation, self._caught_up(Right.READ, group_id))

    def entry(self, group_id: str, entry_id: str) -> Entry:
        """One that waits, or the item that a current fact rests on. Raises `NotThere` for other ids."""
        group = self._caught_up(Right.READ, group_id)
        found = review.entry(self.installation, group, entry_id)
        if found is None:
            raise NotThere(f"nothing that waits for review in group {group!r} has the id {entry_id!r}")
        return found

    def whole_entry(self, group_id: str, entry_id: str) -> WholeEntry:
        """The entry, as `entry` gives it and with its errors, and the text of its episode."""
        found = self.entry(group_id, entry_id)
        episode = self.installation.record.latest(found.group_id, found.item.episode_id)
        return WholeEntry(entry=found, content=None if episode is None else episode.content)

    def sentence(self, group_id: str, entry_id: str) -> str:
        """What the entry, or the fact of that id, says; empty for others, and for whoever may not read."""
        if Right.READ not in self.grant.rights:
            return ""
        group = self._caught_up(Right.READ, group_id)
        versions = self.installation.graph.history(group, entry_id)
        if versions:
            return versions[-1].version.fact.fact
        found = review.entry(self.installation, group, entry_id)
        return "" if found is None else found.sentence

    def accept(self, group_id: str, entry_id: str, *, reason: str = "") -> Decision:
        """Lets it count with the group's next commit; errors as in `entry`."""
        return self._rule(DecisionKind.ACCEPT, group_id, entry_id, reason=reason)

    def reject(self, group_id: str, entry_id: str, *, reason: str = "") -> Decision:
        """Settles that it does not count; of a current fact's id, withdraws that. Errors as in `entry`."""
        return self._rule(DecisionKind.REJECT, group_id, entry_id, reason=reason)

    def edit(
        self, group_id: str, entry_id: str, changes: Mapping[str, Json], *, reason: str = ""
    ) -> Decision:
        """Lets it count with those fields changed (`workflow.edits.FIELDS`).

        Raises `NotThere` as `entry`, and `Incorrect` for an edit that breaks the ontology.
        """
        return self._rule(DecisionKind.EDIT, group_id, entry_id, changes, reason=reason)

    def rule_all(
        self, kind: DecisionKind, group_id: str, which: Which, *, reason: str = "", dry_run: bool = False
    ) -> int:
        """Accepts or rejects all that is in quarantine and meant; how many they are (or would be).

        Raises `Incorrect` where neither a rule nor a relation says what is meant.
        """
        if which.rule is None and which.predicate is None:
            raise Incorrect("name what is meant: a rule, a relation or both; the counts tell how many wait")
        group = self._caught_up(Right.DECIDE, group_id)
        made = review.rulings(self.installation, group, kind, which)
        if made and not dry_run:
            told = [replace(one, reason=reason, who=self.grant.who) for one in made]
            decide_all(self.installation, told)
        return review.items_in(made)

    def proposals(
        self, group_id: str, state: State | None = None, *, after: str | None = None, limit: int = 50
    ) -> Page[Proposal]:
        """The relations that are proposed to be declared `one`, by name; None: those not rejected.

        Raises `Incorrect` for a limit outside 1 to 1,000.
        """
        _check_limit(limit)
        group = self._caught_up(Right.READ, group_id)
        found = proposals(self.installation, group, states_named(state), after=after, limit=limit + 1)
        following = found[limit - 1].predicate if len(found) > limit else None
        return Page(items=found[:limit], following=following)

    def accept_proposal(self, group_id: str, predicate: str, *, reason: str = "") -> Decision:
        """Settles that the relation is to be declared, which its ontology's owner does.

        Raises `NotThere` for one that is not proposed, or declared by now.
        """
        return self._rule_on_proposal(DecisionKind.ACCEPT, group_id, predicate, reason)

    def reject_proposal(self, group_id: str, predicate: str, *, reason: str = "") -> Decision:
        """Settles that the relation is not to be declared so. Errors as in `accept_proposal`."""
        return self._rule_on_proposal(DecisionKind.REJECT, group_id, predicate, reason)

    def _rule_on_proposal(self, kind: DecisionKind, group_id: str, predicate: str, reason: str) -> Decision:
        group = self._caught_up(Right.DECIDE, group_id)
        made = ruling_on_proposal(self.installation, group, kind, predicate)
        return decide(self.installation, replace(made, reason=reason, who=self.grant.who))

    def _rule(
        self,
        kind: DecisionKind,
        group_id: str,
        entry_id: str,
        changes: Mapping[str, Json] | None = None,
        *,
        reason: str,
    ) -> Decision:
        group = self._caught_up(Right.DECIDE, group_id)
        made = review.ruling(self.installation, group, kind, entry_id, changes)
        return decide(self.installation, replace(made, reason=reason, who=self.grant.who))

    def _caught_up(self, right: Right, group_id: str) -> str:
        group = self.grant.require(right, group_id)
        if self.installation.record.spooled():
            compact_lightly(self.installation, group)
        return group


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MOST_LISTED:
        raise Incorrect(f"the limit is {limit}; expected 1 to {MOST_LISTED}")
