"""What every graph store promises of summaries and procedures."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest
from contract_world import EVER, NOW, embed, everything, unit
from graph_samples import GROUP, at, procedure, summary

from memstrata.bitemporal import Moment
from memstrata.ports import Scope, Subject

if TYPE_CHECKING:
    from memstrata.model import Procedure, Summary
    from memstrata.ports import GraphStore

TOM = "id-tom"
NORTH, EAST = unit(1, 0, 0, 0), unit(0, 1, 0, 0)


def as_of(day: float, *, history: bool = False) -> Scope:
    moment = Moment(system=at(0) + timedelta(days=day))
    return Scope(groups=(GROUP,), moment=moment, history=history)


def summaries(store: GraphStore, word: str, scope: Scope = NOW) -> list[Summary]:
    hits = store.match(Subject.SUMMARY, [word], scope, limit=9)
    found = store.summaries_at([hit.handle for hit in hits])
    return [found[hit.handle] for hit in hits]


def procedures(store: GraphStore, word: str, scope: Scope = NOW) -> list[Procedure]:
    hits = store.match(Subject.PROCEDURE, [word], scope, limit=9)
    found = store.procedures_at([hit.handle for hit in hits])
    return [found[hit.handle] for hit in hits]


class SemanticContract:
    """See `ports.SemanticMemory`."""

    def test_an_earlier_summary_stays_readable_as_of_its_time(self, store: GraphStore) -> None:
        instant = at(1) + timedelta(microseconds=5)
        early, late = summary(TOM, "At Acme.", instant), summary(TOM, "At Globex.", at(2))
        store.put_summaries([early])
        store.put_summaries([late])
        assert store.summary(GROUP, TOM) == late
        assert store.summary(GROUP, TOM, at=at(2)) == late
        assert store.summary(GROUP, TOM, at=at(2) - timedelta(microseconds=1)) == early
        assert store.summary(GROUP, TOM, at=instant) == early
        assert store.summary(GROUP, TOM, at=at(1)) is None
        assert store.summary(GROUP, "id-ann") is None
        assert store.summary("other", TOM) is None

    def test_a_summary_of_the_same_instant_replaces_the_one_before(self, store: GraphStore) -> None:
        store.put_summaries([summary(TOM, "Wrong.", at(1))])
        store.put_summaries([summary(TOM, "Right.", at(1))])
        assert store.summary(GROUP, TOM, at=at(1)) == summary(TOM, "Right.", at(1))
        assert summaries(store, "wrong", EVER) == []
        assert len(store.without_vector(Subject.SUMMARY, limit=9)) == 1

    def test_hashes_are_those_of_the_latest_summaries_of_the_group(self, store: GraphStore) -> None:
        store.put_summaries([summary(TOM, "At Acme.", at(1)), summary("id-ann", "In Oslo.", at(1))])
        store.put_summaries([summary(TOM, "At Globex.", at(2))])
        assert store.summary_hashes(GROUP) == {TOM: "hash of At Globex.", "id-ann": "hash of In Oslo."}
        assert store.summary_hashes("other") == {}

    def test_summaries_are_found_by_their_text_as_of_its_time(self, store: GraphStore) -> None:
        early, late = summary(TOM, "Zebra at Acme.", at(1)), summary(TOM, "Zebra at Globex.", at(3))
        store.put_summaries([early, summary("id-ann", "In Oslo.", at(1))])
        store.put_summaries([late])
        assert summaries(store, "zebra") == [late]
        assert summaries(store, "acme") == []
        assert summaries(store, "works") == []
        assert summaries(store, "zebra", as_of(0.5)) == []
        assert summaries(store, "zebra", as_of(1)) == summaries(store, "zebra", as_of(2.9)) == [early]
        assert summaries(store, "zebra", as_of(3)) == [late]
        assert sorted(one.text for one in summaries(store, "zebra", EVER)) == [early.text, late.text]
        assert summaries(store, "zebra", as_of(2, history=True)) == [early]

    def test_valid_time_does_not_concern_summaries_and_procedures(self, store: GraphStore) -> None:
        store.put_summaries([summary(TOM, "Zebra.", at(1))])
        store.put_procedures(GROUP, [procedure("zebra")], at(1))
        for scope in (
            replace(NOW, moment=Moment(valid=at(-5000))),
            replace(NOW, moment=Moment()),
            replace(NOW, during=(at(-20), at(-10))),
        ):
            assert len(summaries(store, "zebra", scope)) == len(procedures(store, "zebra", scope)) == 1

    def test_a_summary_without_blocks_is_found_by_nothing(self, store: GraphStore) -> None:
        store.put_summaries([summary(TOM, "Zebra.", at(1))])
        store.put_summaries([summary(TOM, "", at(2))])
        assert summaries(store, "zebra") == []
        assert summaries(store, "zebra", as_of(1))[0].text == "Zebra."
        assert store.summary(GROUP, TOM) == summary(TOM, "", at(2))
        assert [text for _, text in store.without_vector(Subject.SUMMARY, limit=9)] == ["Zebra."]

    def test_procedures_hold_until_a_later_run_leaves_them_out(self, store: GraphStore) -> None:
        book = procedure("book", evidence=("e1", "e2"))
        store.put_procedures(GROUP, [book, procedure("cancel", support=5)], at(1))
        more = procedure("book", support=3)
        store.put_procedures(GROUP, [more], at(2))
        assert [one.name for one in store.procedures(GROUP, at=at(1))] == ["cancel", "book"]
        assert store.procedures(GROUP, at=at(1))[1] == book
        assert store.procedures(GROUP) == (more,)
        assert store.procedures(GROUP, at=at(0)) == ()
        assert store.procedures("other") == ()

    def test_putting_the_same_procedures_again_changes_nothing(self, store: GraphStore) -> None:
        for day in range(3):
            store.put_procedures(GROUP, [procedure("book")], at(day))
        assert store.procedures(GROUP, at=at(0)) == store.procedures(GROUP) == (procedure("book"),)
        assert len(procedures(store, "book", EVER)) == 1
        assert len(store.without_vector(Subject.PROCEDURE, limit=9)) == 1

    def test_procedures_are_found_by_name_and_steps_as_of_their_time(self, store: GraphStore) -> None:
        early, late = (
            procedure("book a flight", tool="search_fares"),
            procedure("cancel", tool="search_seat"),
        )
        store.put_procedures(GROUP, [early], at(1))
        store.put_procedures(GROUP, [late], at(2))
        assert procedures(store, "search") == [late]
        assert procedures(store, "cancel") == [late]
        assert procedures(store, "user_id") == [late]
        assert procedures(store, "flight") == []
        assert procedures(store, "fares", as_of(1)) == [early]
        assert procedures(store, "search", as_of(0)) == []
        assert sorted(one.name for one in procedures(store, "search", EVER)) == [early.name, late.name]

    @pytest.mark.parametrize("subject", [Subject.SUMMARY, Subject.PROCEDURE])
    def test_what_was_made_of_the_facts_has_vectors_too(self, store: GraphStore, subject: Subject) -> None:
        store.put_summaries([summary(TOM, "one", at(1)), summary("id-ann", "two", at(1))])
        first, second = procedure("one"), procedure("two")
        store.put_procedures(GROUP, [first, second], at(1))
        texts = sorted(text for _, text in store.without_vector(subject, limit=9))
        assert [text.split()[0] for text in texts] == ["one", "two"]
        embed(store, {texts[0]: NORTH, texts[1]: EAST}, subject)
        assert store.without_vector(subject, limit=9) == ()
        hits = store.nearest(subject, NORTH, NOW, limit=9)
        assert [hit.score for hit in hits] == pytest.approx([1, 0], abs=1e-6)
        found = store.vectors_of(subject, [hit.handle for hit in hits])
        np.testing.assert_allclose(found[hits[0].handle], NORTH)
        np.testing.assert_allclose(found[hits[1].handle], EAST)
        assert store.nearest(subject, NORTH, as_of(0), limit=9) == ()
        store.put_summaries([summary(TOM, "three", at(2))])
        store.put_procedures(GROUP, [second], at(2))
        near = store.nearest(subject, NORTH, NOW, limit=9)
        assert [hit.score for hit in near] == pytest.approx([0], abs=1e-6)
        assert len(store.nearest(subject, NORTH, as_of(1), limit=9)) == 2
        assert len(store.nearest(subject, NORTH, EVER, limit=9)) == 2

    def test_clearing_keeps_what_was_made_of_the_facts_without_its_vectors(self, store: GraphStore) -> None:
        store.apply(everything())
        store.put_summaries([summary(TOM, "Zebra.", at(1)), summary(TOM, "Zebra.", at(1), group="other")])
        store.put_procedures(GROUP, [procedure("book")], at(1))
        embed(store, {"Zebra.": NORTH}, Subject.SUMMARY)
        store.clear(GROUP)
        assert store.summary(GROUP, TOM) == summary(TOM, "Zebra.", at(1))
        assert store.procedures(GROUP) == (procedure("book"),)
        assert len(summaries(store, "zebra")) == 1
        assert store.nearest(Subject.SUMMARY, NORTH, NOW, limit=9) == ()
        assert len(store.nearest(Subject.SUMMARY, NORTH, replace(NOW, groups=("other",)), limit=9)) == 1
        assert len(store.without_vector(Subject.SUMMARY, limit=9)) == 1
        store.clear()
        assert store.model() is None
        assert len(store.without_vector(Subject.SUMMARY, limit=9)) == 2
