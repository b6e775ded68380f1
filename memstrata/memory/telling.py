"""What can be written: episodes through the door, verdicts and edits as decisions; never the graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.memory.access import OWNER, Right
from memstrata.memory.audit import audited
from memstrata.memory.parts import core_of
from memstrata.model import By, DecisionKind
from memstrata.search.core_edits import check_label, edit_of, written_after
from memstrata.search.view import View
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.embed import embed
from memstrata.workflow.intake import Accepted, Ruling, accept, decide, decide_all
from memstrata.workflow.rejections import acceptance, clearing, retraction, withdrawal
from memstrata.workflow.verdicts import verdict
from memstrata.workflow.waiting import remember
from memstrata.workflow.work import compact, compact_lightly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.model import Decision, Draft
    from memstrata.ports import Installation
    from memstrata.search.core import CoreBlock
    from memstrata.search.core_edits import CoreEdit
    from memstrata.workflow.waiting import Remembered


@audited
@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Every write, as far as `grant` reaches; beyond it each raises `Forbidden` before anything is kept."""

    installation: Installation
    grant: Grant = OWNER
    audit: Audit | None = None

    def add(self, drafts: Sequence[Draft]) -> Accepted:
        """Accepts the drafts durably, all or none; their facts follow with a commit."""
        self._may_write(drafts)
        accepted = [one for batch in accept(self.installation, drafts) for one in batch.episodes]
        return Accepted(tuple(accepted))

    def remember(self, drafts: Sequence[Draft]) -> tuple[Remembered, ...]:
        """Accepts the drafts and commits them before it returns: one answer a batch and group.

        Whoever may not read is not told what came of it: older facts may be among that.
        """
        self._may_write(drafts)
        done = tuple(remember(self.installation, drafts))
        return done if self._may_read else tuple(replace(one, created=(), ended=(), held=0) for one in done)

    def retract(self, group_id: str, episode_id: str, *, reason: str = "") -> Decision:
        """Withdraws an episode with the group's next commit: what rested on it alone goes.

        Raises `Incorrect` for an unknown episode, and for one that has been retracted.
        """
        group = self.grant.require(Right.DECIDE, group_id)
        record = self.installation.record
        compact_lightly(self.installation, group)
        episode = record.latest(group, episode_id)
        if episode is None:
            raise Incorrect(f"there is no episode {episode_id!r} in group {group!r}; search finds ids")
        if record.is_retracted(group, episode_id):
            raise Incorrect(f"episode {episode_id!r} has been retracted already")
        return self._decide(replace(retraction(episode), reason=reason))

    def retract_fact(self, group_id: str, fact_id: str, *, reason: str = "") -> Decision:
        """Withdraws a fact with the group's next commit: what it rests on is rejected, for good.

        What it had closed re-opens; an episode to come may say the same anew. Raises `Incorrect` for an
        unknown fact, and for one that is gone or has been withdrawn.
        """
        group = self.grant.require(Right.DECIDE, group_id)
        compact_lightly(self.installation, group)
        return self._decide(replace(withdrawal(self.installation, group, fact_id), reason=reason))

    def restore_fact(self, group_id: str, decision_id: str, *, reason: str = "") -> Decision:
        """Takes the withdrawal of a fact back, by its decision's id, with the group's next commit.

        Raises `Incorrect` for an id that is no withdrawal's, and for one that was taken back.
        """
        group = self.grant.require(Right.DECIDE, group_id)
        compact_lightly(self.installation, group)
        return self._decide(replace(acceptance(self.installation, group, decision_id), reason=reason))

    def clear_group(
        self, group_id: str, *, reason: str = "", on_progress: Callable[[int], None] = lambda _done: None
    ) -> int:
        """Retracts all episodes of the group with its next commits; how many they are.

        Core blocks stay: they rest on no episode. Interrupted (what `on_progress` raises stops it), what is
        retracted is, and the rest stands.
        """
        group = self.grant.require(Right.DECIDE, group_id)
        compact_lightly(self.installation, group)
        retractions = clearing(self.installation, group, who=self.grant.who, reason=reason)
        count = 0
        for batch in retractions:
            done = len(decide_all(self.installation, batch))
            count += done
            on_progress(done)
        return count

    def judge(
        self, kind: DecisionKind, group_id: str, pair: tuple[str, str], *, reason: str = ""
    ) -> Decision:
        """Logs the verdict that two names or ids are one (`merge`) or are not (`keep_apart`)."""
        group = self.grant.require(Right.DECIDE, group_id)
        return self._decide(replace(verdict(self.installation, kind, group, pair), reason=reason))

    def edit_core(
        self, group_id: str, label: str, edit: CoreEdit, *, by: By = By.PERSON, reason: str = ""
    ) -> CoreBlock | None:
        """Edits a core block and commits it; the block as it reads then.

        None if it is empty, and for whoever may not read.
        Raises `Incorrect` for an edit that does not fit what stands there.
        """
        group = self.grant.require(Right.WRITE, group_id)
        check_label(label)
        edit_of(edit.payload())
        memory = core_of(self.installation)
        written_after(memory.standing(group, label), edit)
        self._decide(
            Ruling(
                group_id=group,
                kind=DecisionKind.CORE,
                target={"label": label},
                payload=edit.payload(),
                by=by,
                reason=reason,
            )
        )
        self.commit(group)
        if not self._may_read:
            return None
        blocks = memory.blocks(View(groups=(group,)))
        return next((one for one in blocks if one.label == label), None)

    def commit(self, group_id: str) -> None:
        """Takes in at once what the group has ready."""
        group = self.grant.require_reach(group_id)
        compact(self.installation)
        commit_pending(self.installation, group, urgent=True)

    def embed(self, *, limit: int) -> int:
        """Gives vectors to at most `limit` texts that have none, in any group; how many it were."""
        self.grant.require_all(Right.WRITE)
        return embed(self.installation, limit=limit)

    @property
    def _may_read(self) -> bool:
        return Right.READ in self.grant.rights

    def _may_write(self, drafts: Iterable[Draft]) -> None:
        for group in dict.fromkeys(draft.group_id for draft in drafts):
            self.grant.require(Right.WRITE, group)

    def _decide(self, ruling: Ruling) -> Decision:
        return decide(self.installation, replace(ruling, who=ruling.who or self.grant.who))
