"""Core blocks: what edits make, as of any commit, and blocks that a rule writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import BETWEEN, FIRST_COMMIT, SECOND_COMMIT, when

from memstrata.errors import Incorrect
from memstrata.model import By, Commit, Decision, DecisionKind
from memstrata.search.core import CoreMemory
from memstrata.search.core_edits import (
    MOST_CHARACTERS,
    CoreEdit,
    CoreOperation,
    CoreRule,
    Written,
    check_label,
    edit_of,
    written_after,
)
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from memstrata.search.reads import Reads

SET, APPEND, REPLACE, CLEAR = (
    CoreOperation.SET,
    CoreOperation.APPEND,
    CoreOperation.REPLACE,
    CoreOperation.CLEAR,
)


@dataclass(slots=True)
class CommittedEdits:
    """A log of commits in which every commit takes in one edit of a block."""

    edits: list[tuple[datetime, str, str, CoreEdit]] = field(default_factory=list)

    def take_in(self, at: datetime, label: str, edit: CoreEdit, group: str = "default") -> None:
        self.edits.append((at, group, label, edit))

    def committed_decisions(
        self, group_id: str, kinds: Collection[DecisionKind], *, until: int | None = None
    ) -> tuple[tuple[int, Decision], ...]:
        assert set(kinds) == {DecisionKind.CORE}
        return tuple(
            (seq, decision)
            for seq, (_, decision) in enumerate(self._of(group_id), start=1)
            if until is None or seq <= until
        )

    def seq_at(self, group_id: str, instant: datetime) -> int:
        return sum(at <= instant for at, _ in self._of(group_id))

    def commits(self, group_id: str, *, after: int = 0) -> Iterator[Commit]:
        for seq, (at, decision) in enumerate(self._of(group_id), start=1):
            if seq > after:
                yield Commit(
                    seq=seq,
                    group_id=group_id,
                    instant=at,
                    episodes=(),
                    decisions=(decision.decision_id,),
                    extractor_version="v",
                    ontology_hash="o",
                    resolver_version="r",
                )

    def _of(self, group_id: str) -> list[tuple[datetime, Decision]]:
        return [
            (at, _decision(number, at, group, label, edit))
            for number, (at, group, label, edit) in enumerate(self.edits)
            if group == group_id
        ]


def _decision(number: int, at: datetime, group: str, label: str, edit: CoreEdit) -> Decision:
    return Decision(
        decision_id=f"d{number}",
        group_id=group,
        kind=DecisionKind.CORE,
        at=at,
        by=By.PERSON,
        who="ada",
        target={"label": label},
        payload=edit.payload(),
    )


def text(operation: CoreOperation, said: str = "", old: str = "") -> CoreEdit:
    return CoreEdit(operation=operation, text=said, old=old)


@pytest.fixture
def log() -> CommittedEdits:
    return CommittedEdits()


@pytest.fixture
def core(log: CommittedEdits, reads: Reads) -> CoreMemory:
    return CoreMemory(log=log, reads=reads)  # type: ignore[arg-type]  # the part of the log that is read


def shown(core: CoreMemory, view: View | None = None) -> dict[str, str]:
    return {block.label: block.text for block in core.blocks(view)}


def test_a_block_is_its_edits_one_after_the_other(log: CommittedEdits, core: CoreMemory) -> None:
    log.take_in(FIRST_COMMIT, "human", text(SET, "Ada likes tea."))
    log.take_in(FIRST_COMMIT, "human", text(APPEND, "She lives in Oslo."))
    log.take_in(FIRST_COMMIT, "human", text(REPLACE, "coffee", old="tea"))
    assert shown(core) == {"human": "Ada likes coffee.\nShe lives in Oslo."}
    log.take_in(SECOND_COMMIT, "human", text(CLEAR))
    assert shown(core) == {}


def test_a_block_reads_as_it_stood_at_any_system_time(log: CommittedEdits, core: CoreMemory) -> None:
    log.take_in(FIRST_COMMIT, "persona", text(SET, "one"))
    log.take_in(SECOND_COMMIT, "persona", text(SET, "two"))
    assert shown(core, View(system_as_of=BETWEEN)) == {"persona": "one"}
    assert shown(core, View(system_as_of=SECOND_COMMIT)) == {"persona": "two"}
    assert shown(core, View(system_as_of=when(2023))) == {}


def test_persona_and_human_come_first_and_groups_keep_their_own(
    log: CommittedEdits, core: CoreMemory
) -> None:
    for label in ("aims", "human", "zeal", "persona"):
        log.take_in(FIRST_COMMIT, label, text(SET, label))
    log.take_in(FIRST_COMMIT, "human", text(SET, "elsewhere"), group="other")
    assert list(shown(core)) == ["persona", "human", "aims", "zeal"]
    assert shown(core, View(groups=("other",))) == {"human": "elsewhere"}


def test_a_rule_shows_the_facts_of_the_moment(log: CommittedEdits, core: CoreMemory) -> None:
    log.take_in(
        FIRST_COMMIT,
        "human",
        CoreEdit(operation=CoreOperation.RULE, rule=CoreRule(about="Alice", relations=("WORKS_FOR",))),
    )
    now = "Alice Liddell -WORKS_FOR-> Globex (valid from 2021-06 to present)"
    assert shown(core) == {"human": now}
    then = "Alice Liddell -WORKS_FOR-> Acme Inc. (valid from 2019-03 to present)"
    assert shown(core, View(system_as_of=BETWEEN)) == {"human": then}
    assert "Acme" in shown(core, View(as_of=when(2020)))["human"]


def test_a_rule_shows_no_more_facts_than_it_says_and_none_of_nobody(
    log: CommittedEdits, core: CoreMemory
) -> None:
    for label, about in (("a", "Zoë Ångström"), ("b", "Nobody")):
        rule = CoreRule(about=about, most=1)
        log.take_in(FIRST_COMMIT, label, CoreEdit(operation=CoreOperation.RULE, rule=rule))
    found = shown(core)
    assert len(found["a"].splitlines()) == 1
    assert found["b"] == ""


def test_an_edit_that_no_longer_applies_changes_nothing_and_history_says_why(
    log: CommittedEdits, core: CoreMemory
) -> None:
    log.take_in(FIRST_COMMIT, "human", text(SET, "tea"))
    log.take_in(SECOND_COMMIT, "human", text(REPLACE, "coffee", old="juice"))
    first, second = core.history("default", "human")
    assert (first.at, first.after.text, first.ignored, first.who) == (FIRST_COMMIT, "tea", "", "ada")
    assert second.after.text == "tea"
    assert "'juice' does not stand in the block" in second.ignored
    assert core.labels("default") == ("human",)
    assert core.history("default", "persona") == ()


@pytest.mark.parametrize("label", ["", "two words", "x" * 51, "a/b", "-x", None])
def test_a_label_is_one_word(label: object) -> None:
    with pytest.raises(Incorrect, match="is no label"):
        check_label(label)


@pytest.mark.parametrize("label", ["persona", "human", "Büro-2.a", "山"])
def test_a_label_may_be_any_word(label: str) -> None:
    assert check_label(label) == label


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({}, "'None' is no edit"),
        ({"operation": "sett"}, "did you mean set"),
        ({"operation": "set", "text": " "}, "the text is blank"),
        ({"operation": "set", "text": 3}, "is no text"),
        ({"operation": "set", "text": "x" * (MOST_CHARACTERS + 1)}, "1 too many"),
        ({"operation": "replace", "text": "a"}, "names no words"),
        ({"operation": "rule"}, "names nobody"),
        ({"operation": "rule", "about": "Ada", "relations": "knows"}, "expected a list"),
        ({"operation": "rule", "about": "Ada", "most": 0}, "from 1 to 50"),
        ({"operation": "rule", "about": "Ada", "most": True}, "from 1 to 50"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused(payload: dict[str, object], said: str) -> None:
    with pytest.raises(Incorrect, match=said):
        edit_of(payload)  # type: ignore[arg-type]  # what a caller may send


@pytest.mark.parametrize(
    ("before", "edit", "said"),
    [
        (Written(text="a a"), text(REPLACE, "b", old="a"), "stands 2 times"),
        (Written(text="x" * MOST_CHARACTERS), text(APPEND, "y"), "2 too many"),
        (Written(rule=CoreRule(about="Ada")), text(APPEND, "y"), "written by a rule"),
    ],
)
def test_an_edit_that_does_not_apply_is_refused_with_a_way_out(
    before: Written, edit: CoreEdit, said: str
) -> None:
    with pytest.raises(Incorrect, match=said):
        written_after(before, edit)


_edits = st.one_of(
    st.builds(text, st.sampled_from([SET, APPEND]), st.text(min_size=1).filter(str.strip)),
    st.builds(text, st.just(REPLACE), st.text(), st.text(min_size=1)),
    st.just(text(CLEAR)),
    st.builds(
        CoreEdit,
        operation=st.just(CoreOperation.RULE),
        rule=st.builds(
            CoreRule,
            about=st.text(min_size=1).map(str.strip).filter(bool),
            relations=st.lists(st.text()).map(tuple),
            most=st.integers(1, 50),
        ),
    ),
)


@given(_edits)
def test_an_edit_survives_its_payload(edit: CoreEdit) -> None:
    assert edit_of(edit.payload()) == edit


@given(st.lists(_edits, max_size=6))
def test_no_block_grows_past_its_limit(edits: list[CoreEdit]) -> None:
    written = Written()
    for edit in edits:
        try:
            written = written_after(written, edit)
        except Incorrect:
            continue
        assert len(written.text) <= MOST_CHARACTERS
