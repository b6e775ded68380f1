"""What every graph store promises of vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from contract_world import EVER, MODEL, NOW, SAID, embed, everything, sentences, unit
from graph_samples import (
    GROUP,
    at,
    commit,
    fact,
    procedure,
    summary,
)

from memstrata.bitemporal import Moment
from memstrata.errors import Conflict
from memstrata.ports import Changes, Scope, Sought, Subject, VectorModel

if TYPE_CHECKING:
    from memstrata.ports import GraphStore


class VectorContract:
    """See `ports.VectorIndex`."""

    def test_there_is_no_model_before_the_first_vector(self, store: GraphStore) -> None:
        assert store.model() is None
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert store.model() == MODEL

    def test_the_nearest_come_first_within_the_scope(self, store: GraphStore) -> None:
        facts = (fact("f1", "one"), fact("f2", "two"), fact("f3", "three", invalid_at=at(5)))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        embed(store, {"one": unit(1, 0, 0, 0), "two": unit(1, 1, 0, 0), "three": unit(1, 0.1, 0, 0)})
        hits = store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
        assert sentences(store, hits) == ["one", "two"]
        assert hits[0].score == pytest.approx(1.0)
        assert hits[1].score == pytest.approx(0.7071, abs=1e-4)
        early = Scope(groups=(GROUP,), moment=Moment(valid=at(4)))
        found = store.nearest(Subject.FACT, unit(1, 0, 0, 0), early, limit=2)
        assert sentences(store, found) == ["one", "three"]

    def test_vectors_keep_to_system_time(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        asked_for = unit(1, 0, 0, 0)
        assert len(store.nearest(Subject.FACT, asked_for, NOW, limit=9)) == 1
        store.apply(Changes(commit=commit(2), facts_expired=("f1",)))
        assert store.nearest(Subject.FACT, asked_for, NOW, limit=9) == ()
        past = Scope(groups=(GROUP,), moment=Moment(valid=at(100), system=at(1)))
        assert len(store.nearest(Subject.FACT, asked_for, past, limit=9)) == 1
        assert len(store.nearest(Subject.FACT, asked_for, EVER, limit=9)) == 1
        before = replace(past, moment=Moment(valid=at(100), system=at(0)))
        assert store.nearest(Subject.FACT, asked_for, before, limit=9) == ()

    def test_a_version_that_reads_alike_needs_no_new_vector(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        ended = fact("f1", invalid_at=at(500))
        store.apply(Changes(commit=commit(2), facts_expired=("f1",), facts_created=(ended,)))
        assert store.without_vector(Subject.FACT, limit=9) == ()
        (hit,) = store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
        assert store.versions([hit.handle])[hit.handle].version.created_at == at(2)
        other = fact("f1", "Tom left Acme.")
        store.apply(Changes(commit=commit(3), facts_expired=("f1",), facts_created=(other,)))
        assert [text for _, text in store.without_vector(Subject.FACT, limit=9)] == ["Tom left Acme."]
        assert store.counts()[0].facts_without_vector == 1

    def test_what_waits_for_a_vector_comes_oldest_first(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=(fact("f2", "two"), fact("f3", "three"))))
        waiting = store.without_vector(Subject.FACT, limit=2)
        assert waiting[0][1] == SAID
        assert waiting[1][1] in {"two", "three"}
        assert {text for _, text in store.without_vector(Subject.ENTITY, limit=9)} == {"Tom", "Acme"}
        store.put(Subject.FACT, MODEL, [waiting[0][0]], unit(1, 0, 0, 0)[np.newaxis])
        assert {text for _, text in store.without_vector(Subject.FACT, limit=9)} == {"two", "three"}

    def test_a_vector_put_again_replaces_the_first(self, store: GraphStore) -> None:
        store.apply(everything())
        (handle, _) = store.without_vector(Subject.FACT, limit=1)[0]
        for vector in (unit(1, 0, 0, 0), unit(0, 1, 0, 0)):
            store.put(Subject.FACT, MODEL, [handle], vector[np.newaxis])
            (hit,) = store.nearest(Subject.FACT, vector, NOW, limit=5)
            assert hit.score == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("model", "vector"),
        [
            (replace(MODEL, name="other"), [1, 0, 0, 0]),
            (VectorModel(name="tiny", dimension=3, engine="hand"), [1, 0, 0]),
            (MODEL, [0, 0, 0, 0]),
            (MODEL, [float("nan"), 0, 0, 1]),
            (MODEL, [1, 0, 0]),
        ],
        ids=["other model", "other dimension", "zero", "not a number", "wrong length"],
    )
    def test_vectors_that_do_not_fit_are_refused(
        self, store: GraphStore, model: VectorModel, vector: Any
    ) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        store.apply(Changes(commit=commit(2), facts_created=(fact("f2", "two"),)))
        ((handle, _),) = store.without_vector(Subject.FACT, limit=9)
        with pytest.raises(Conflict):
            store.put(Subject.FACT, model, [handle], np.array([vector], np.float32))
        assert len(store.without_vector(Subject.FACT, limit=9)) == 1
        assert store.model() == MODEL

    def test_another_engine_of_the_same_model_is_welcome(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        ((handle, _), *_) = store.without_vector(Subject.ENTITY, limit=9)
        store.put(Subject.ENTITY, replace(MODEL, engine="fast"), [handle], unit(0, 1, 0, 0)[np.newaxis])
        assert len(store.nearest(Subject.ENTITY, unit(0, 1, 0, 0), NOW, limit=9)) == 1

    def test_a_question_of_another_dimension_is_refused(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        with pytest.raises(Conflict, match="dimension"):
            store.nearest(Subject.FACT, unit(1, 0, 0), NOW, limit=3)

    def test_after_forgetting_another_model_may_come(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3)
        store.forget()
        assert store.model() is None
        ((handle, _),) = store.without_vector(Subject.FACT, limit=9)
        other = VectorModel(name="other", dimension=2, engine="hand")
        store.put(Subject.FACT, other, [handle], unit(0, 1)[np.newaxis])
        assert store.model() == other
        assert len(store.nearest(Subject.FACT, unit(0, 1), NOW, limit=3)) == 1

    def test_vectors_for_handles_that_are_gone_are_passed_over(self, store: GraphStore) -> None:
        store.apply(everything())
        ((handle, _),) = store.without_vector(Subject.FACT, limit=9)
        store.clear(GROUP)
        store.put(Subject.FACT, MODEL, [handle], unit(1, 0, 0, 0)[np.newaxis])
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()

    def test_scores_are_cosines_from_one_to_minus_one(self, store: GraphStore) -> None:
        facts = (fact("f1", "one"), fact("f2", "two"), fact("f3", "three"))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        embed(store, {"one": unit(-1, 0, 0, 0), "two": unit(0, 1, 0, 0), "three": unit(1, 1, 1, 1)})
        hits = store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
        assert sentences(store, hits) == ["three", "two", "one"]
        assert [hit.score for hit in hits] == pytest.approx([0.5, 0, -1], abs=1e-5)

    def test_several_groups_are_ranked_together(self, store: GraphStore) -> None:
        for number, group in enumerate(("a", "b", "c")):
            facts = tuple(fact(f"f{n}", f"{group}{n}", group=group) for n in range(3))
            store.apply(Changes(commit=commit(1, group=group), facts_created=facts))
            for n in range(3):
                embed(store, {f"{group}{n}": unit(1, number + 3 * n, 0, 0)})
        scope = replace(NOW, groups=("a", "c", "a", "none"))
        hits = store.nearest(Subject.FACT, unit(1, 0, 0, 0), scope, limit=4)
        assert sentences(store, hits) == ["a0", "c0", "a1", "c1"]

    def test_vectors_are_read_back_for_what_was_found(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=(fact("f2", "two"),)))
        embed(store, {SAID: unit(1, 2, 3, 4)})
        embed(store, {"Tom": unit(0, 1, 0, 0)}, Subject.ENTITY)
        ended = fact("f1", invalid_at=at(500))
        store.apply(Changes(commit=commit(3), facts_expired=("f1",), facts_created=(ended,)))
        hits = store.match(Subject.FACT, ["tom"], EVER, limit=9)
        found = store.vectors_of(Subject.FACT, [hit.handle for hit in hits])
        assert sorted(sentences(store, found)) == [SAID, SAID]
        for vector in found.values():
            assert vector.shape == (4,)
            np.testing.assert_allclose(vector, unit(1, 2, 3, 4), atol=1e-6)
        people = store.match(Subject.ENTITY, ["tom", "acme"], NOW, limit=9)
        assert len(store.vectors_of(Subject.ENTITY, [hit.handle for hit in people])) == 1
        assert store.vectors_of(Subject.FACT, []) == {}
        store.forget()
        assert store.vectors_of(Subject.FACT, list(found)) == {}

    def test_forgetting_makes_every_subject_wait_for_the_other_model(self, store: GraphStore) -> None:
        small = VectorModel(name="other", dimension=2, engine="hand")

        def embed_everything(model: VectorModel) -> None:
            for subject in Subject:
                waiting = store.without_vector(subject, limit=99)
                ones = np.full((len(waiting), model.dimension), model.dimension**-0.5, np.float32)
                store.put(subject, model, [handle for handle, _ in waiting], ones)
                assert store.without_vector(subject, limit=99) == ()

        store.apply(everything())
        store.put_summaries([summary("id-tom", "one", at(1))])
        store.put_procedures(GROUP, [procedure("two")], at(1))
        embed_everything(MODEL)
        store.forget()
        for subject, waiting in zip(Subject, (1, 2, 1, 1, 1), strict=True):
            assert store.nearest(subject, unit(1, 0, 0, 0), NOW, limit=9) == ()
            assert len(store.without_vector(subject, limit=99)) == waiting
        embed_everything(small)
        for subject in Subject:
            (hit, *_) = store.nearest(subject, unit(1, 1), NOW, limit=9)
            assert hit.score == pytest.approx(1.0)
        with pytest.raises(Conflict):
            store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)

    def test_asking_all_arms_refuses_another_dimension_and_bears_no_model(self, store: GraphStore) -> None:
        store.apply(everything())
        sought = Sought(words=("tom",), vector=unit(1, 0, 0))
        assert len(store.find(Subject.FACT, sought, NOW, limit=9).words) == 1
        embed(store, {SAID: unit(1, 0, 0, 0)})
        with pytest.raises(Conflict, match="dimension"):
            store.find(Subject.FACT, sought, NOW, limit=9)

    def test_putting_nothing_changes_nothing(self, store: GraphStore) -> None:
        store.apply(everything())
        store.put(Subject.FACT, MODEL, [], np.empty((0, 4), np.float32))
        assert store.model() is None
