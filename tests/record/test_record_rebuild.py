from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from record_samples import commit_of, episode, everything, extraction, promotion, retraction, rollback

from memstrata.model import ExtractionStatus
from memstrata.ports import Days, Promotion
from memstrata.stores.lake import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SAGAS = (None, "s", "t")


class Life:
    """Does things to a record at random, from a seed."""

    def __init__(self, record: Record, seed: int) -> None:
        self.record = record
        self.chance = random.Random(seed)  # noqa: S311 (a seed, no secret)
        self.second = 0.0
        self.doings: tuple[Callable[[], None], ...] = (
            self.accept,
            self.accept,
            self.retract,
            self.compact,
            self.compact_lightly,
            self.extract,
            self.extract_lightly,
            self.extract_what_has_changed_meanwhile,
            self.commit,
            self.fail,
            self.keep_candidates,
            self.keep_candidates,
            self.promote,
            self.promote,
            self.roll_back,
            self.keep_again,
        )
        self.promotions: list[tuple[str, str]] = []
        self.contexts: list[str] = []

    def accept(self) -> None:
        self.second += self.chance.choice([1, 30_000])
        name = self.chance.choice("abcdefgh")
        content = self.chance.choice(["one", "two"])
        where = {"saga": self.chance.choice(SAGAS), "position": self.chance.choice([None, 1, 2, 3])}
        group = self.chance.choice("gh")
        self.record.accept([episode(name, f"{content} {where}", second=self.second, group=group, **where)])

    def retract(self) -> None:
        self.second += 1
        name, group = self.chance.choice("abcdefgh"), self.chance.choice("gh")
        self.record.decide([retraction(name, second=self.second, group=group)])

    def compact(self) -> None:
        self.record.compact(context_turns=2)

    def extract(self) -> None:
        found = self.record.awaiting(limit=self.chance.choice([1, 5]))
        self.contexts.append(str(self.second))
        self.record.keep(
            [
                extraction(one, context=str(self.second), version=self.chance.choice(["v1", "v2"]))
                for one in found
            ]
        )

    def compact_lightly(self) -> None:
        self.record.compact(context_turns=2, lightly=True)

    def extract_lightly(self) -> None:
        for one in self.record.awaiting(limit=2):
            self.record.keep([extraction(one, context=f"light {self.second}")], lightly=True)

    def extract_what_has_changed_meanwhile(self) -> None:
        found = self.record.awaiting(limit=3)
        self.accept()
        self.compact()
        self.record.keep([extraction(one, context=f"before {self.second}") for one in found])

    def commit(self) -> None:
        for group in self.record.groups_with_work():
            self.record.append(commit_of(self.record, group, limit=2))

    def fail(self) -> None:
        for one in self.record.awaiting(limit=1):
            self.record.failed(one, stage="extract", reason="no", at=one.ingested_at)

    def keep_candidates(self) -> None:
        version, group = self.chance.choice(["v2", "v3"]), self.chance.choice("gh")
        found = self.record.lacking(group, Promotion(version=version, days=Days()), limit=9)
        if self.chance.random() < 0.2:
            self.accept()
            self.compact()
        made = [extraction(one, context=str(self.second), version=version) for _, one in found]
        self.record.keep(
            [
                replace(one, status=ExtractionStatus.FAILED) if self.chance.random() < 0.2 else one
                for one in made
            ],
            as_candidates=True,
        )

    def promote(self) -> None:
        self.second += 1
        days = self.chance.choice([(None, None), ("2026-03-01", "2026-03-02"), ("2026-03-02", None)])
        decision = promotion(
            self.chance.choice(["v1", "v2", "v3"]),
            second=self.second,
            days=days,
            group=self.chance.choice("gh"),
        )
        self.record.decide([decision])
        self.promotions.append((decision.decision_id, decision.group_id))

    def roll_back(self) -> None:
        if self.promotions:
            self.second += 1
            which, group = self.chance.choice(self.promotions)
            self.record.decide([rollback(which, second=self.second, group=group)])

    def keep_again(self) -> None:
        """What is kept already of awaiting episodes is in force again."""
        for one in self.record.awaiting(limit=3):
            keys = [(one.episode_id, one.revision, context, "v1") for context in self.contexts]
            known = self.record.extractions(one.group_id, keys)
            self.record.keep(known[:1])


@pytest.mark.parametrize("seed", range(8))
def test_an_index_built_again_says_what_the_old_one_said(tmp_path: Path, seed: int) -> None:
    with Record(tmp_path) as record:
        life = Life(record, seed)
        for _ in range(90):
            life.chance.choice(life.doings)()
        before = everything(record)
        assert len(before["episodes"]) > 5
        assert before["commits"]
        record.rebuild_index()
        after = everything(record)
        # Spool files that held nothing but repeats left no part; they are gone, and so may be their names.
        assert set(after.pop("sources")) <= set(before.pop("sources"))
        assert after == before
        life.compact()
        life.commit()
        with Record(tmp_path) as other:
            assert everything(other) == everything(record)
