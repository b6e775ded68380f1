"""What every graph store promises of search by words and names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from contract_world import (
    EVER,
    NOW,
    SAID,
    asked,
    embed,
    everything,
    found_entities,
    found_episodes,
    sentences,
    unit,
)
from graph_samples import (
    GROUP,
    at,
    commit,
    entity,
    episode,
    fact,
)

from memstrata.bitemporal import Moment
from memstrata.model import ObjectKind, Speaker
from memstrata.ports import Candidates, Changes, Scope, Sought, Subject

if TYPE_CHECKING:
    from memstrata.ports import GraphStore


#: None of the words of these is in a text that holds none of their letters and digits.
TRICKY = (
    *("/", "//", "and/or", "path/to/file.py", "a-b-c", "--", "-", "e\u2011mail", "_", "%", "$tom", "`x`"),
    *('"', '"unclosed', '" OR "', "'", "it's", "'; DROP TABLE facts; --", "<b>", ";", "\\", "\\tom\\"),
    *("+", "-tom", "&&", "tom && ann", "||", "tom || ann", "!", "!tom", "(", ")", "(tom", "tom)", "{", "}"),
    *("{tom}", "[", "]", "[a TO b]", "^", "tom^2", "~", "tom~1", "*", "t*", "?", "t?m", ":", "name:tom"),
    *("fact:*", "AND", "OR", "NOT", "NOT tom", "NEAR(a b)", "a NEAR/2 b", "the and of to", "0", "1e9"),
    *("\x00", "\n\t", "\u202e", "\ufeff", "\u0301", "\U0001d4e3", "\ufb01"),
    *("\u6c34", "\u706b", "\u6c34\u66dc\u65e5", "\u3002", "\U0001f389"),
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    *("x" * 10_000, "many words " * 1000, "(" * 10_000, '" ' * 5000),
)


class WordContract:
    """See `ports.TextIndex`."""

    def test_no_words_find_nothing(self, store: GraphStore) -> None:
        store.apply(everything())
        assert store.match(Subject.FACT, [], NOW, limit=5) == ()
        assert store.match(Subject.FACT, ["", "!?", "--"], NOW, limit=5) == ()
        assert store.named([], NOW, limit=5) == ()
        assert store.named([" "], NOW, limit=5) == ()

    def test_facts_are_found_by_sentence_names_predicate_and_literal(self, store: GraphStore) -> None:
        literal = fact(
            "f2", "He is tall.", object="190 cm", object_kind=ObjectKind.LITERAL, predicate="has_height"
        )
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=(literal,)))
        assert asked(store, "tall") == ["He is tall."]
        assert asked(store, "height") == ["He is tall."]
        assert asked(store, "190") == ["He is tall."]
        assert set(asked(store, "TOM")) == {"He is tall.", "Tom works at Acme."}
        assert asked(store, "acme") == ["Tom works at Acme."]

    def test_case_and_accents_do_not_matter(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), facts_created=(fact("f1", "Zoë aß Crème brûlée in ŁÓDŹ"),)))
        for word in ("zoe", "ZOË", "creme", "BRULEE", "Zoe\u0308"):
            assert len(asked(store, word)) == 1, word

    def test_more_and_rarer_words_rank_higher(self, store: GraphStore) -> None:
        says = ("red fox jumps", "red dog jumps", "red cow sleeps", "red hen sleeps", "grey owl reads")
        facts = tuple(fact(f"f{n}", text, predicate="p", subject=f"s{n}") for n, text in enumerate(says))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        assert asked(store, "red", "fox", "jumps")[:2] == ["red fox jumps", "red dog jumps"]
        assert len(asked(store, "red")) == 4
        assert len(asked(store, "red", limit=3)) == 3

    @pytest.mark.parametrize(
        "word",
        [
            '"',
            "'",
            '" OR "',
            "AND",
            "OR",
            "NOT",
            "NEAR(",
            "tom*",
            "^tom",
            "words:tom",
            "{words}",
            "-",
            "a-b",
            "\\",
            ");",
        ],
    )
    def test_no_word_is_an_operator(self, store: GraphStore, word: str) -> None:
        store.apply(
            Changes(commit=commit(1), facts_created=(fact("f1", "plain text"), fact("f2", "more text")))
        )
        assert asked(store, word) == []
        assert asked(store, word, "plain") == ["plain text"]

    def test_operators_are_found_as_words(self, store: GraphStore) -> None:
        store.apply(
            Changes(commit=commit(1), facts_created=(fact("f1", "one AND two"), fact("f2", "one near two")))
        )
        assert asked(store, "AND") == ["one AND two"]
        assert asked(store, "NEAR") == ["one near two"]

    def test_a_word_that_holds_several_is_a_phrase(self, store: GraphStore) -> None:
        store.apply(
            Changes(
                commit=commit(1), facts_created=(fact("f1", "an e-mail came"), fact("f2", "mail e came"))
            )
        )
        assert asked(store, "e-mail") == ["an e-mail came"]

    @pytest.mark.parametrize("other", ["acme2", "acme/eng", "acme-2", "acm", "ACME", "acmé", '"acme"'])
    def test_groups_never_see_one_another(self, store: GraphStore, other: str) -> None:
        store.apply(everything())
        store.apply(
            replace(everything(group=other), facts_created=(fact("f1", "Tom hides.", group=other),))
        )
        assert asked(store, "tom") == ["Tom works at Acme."]
        assert asked(store, "tom", scope=replace(NOW, groups=(other,))) == ["Tom hides."]
        both = asked(store, "tom", scope=replace(NOW, groups=(GROUP, other, "none")))
        assert sorted(both) == ["Tom hides.", "Tom works at Acme."]
        assert len(store.named(["tom"], NOW, limit=9)) == 1
        assert len(store.edges_about(["id-tom"], NOW, limit=9)) == 1
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert len(store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)) == 1

    def test_no_group_finds_nothing(self, store: GraphStore) -> None:
        store.apply(everything())
        assert asked(store, "tom", scope=replace(NOW, groups=())) == []

    def test_search_keeps_to_valid_time(self, store: GraphStore) -> None:
        facts = (fact("f1", "Tom was here", valid_at=at(10), invalid_at=at(20)),)
        store.apply(Changes(commit=commit(1), facts_created=facts))
        for day, found in ((9, 0), (10, 1), (19, 1), (20, 0)):
            scope = Scope(groups=(GROUP,), moment=Moment(valid=at(day)))
            assert len(asked(store, "tom", scope=scope)) == found, day
        assert len(asked(store, "tom", scope=EVER)) == 1

    def test_search_keeps_to_system_time(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2)))
        store.apply(
            Changes(commit=commit(3), facts_expired=("f1",), facts_created=(fact("f1", "Tom runs Acme."),))
        )

        def believed(day: int | None, *, history: bool = False) -> list[str]:
            system = None if day is None else at(day)
            moment = Moment(valid=at(100), system=system)
            return sorted(asked(store, "tom", scope=Scope(groups=(GROUP,), moment=moment, history=history)))

        assert believed(0) == []
        assert believed(1) == believed(2) == ["Tom works at Acme."]
        assert believed(3) == believed(None) == ["Tom runs Acme."]
        assert believed(2, history=True) == ["Tom works at Acme."]
        assert (
            believed(3, history=True)
            == believed(None, history=True)
            == ["Tom runs Acme.", "Tom works at Acme."]
        )

    def test_contested_facts_are_found_in_history_only(self, store: GraphStore) -> None:
        empty = fact("f1", "Tom led", valid_at=at(5), invalid_at=at(5), contested=True)
        store.apply(Changes(commit=commit(1), facts_created=(empty,)))
        for day in (4, 5, 6):
            assert asked(store, "tom", scope=Scope(groups=(GROUP,), moment=Moment(valid=at(day)))) == []
        assert asked(store, "tom", scope=EVER) == ["Tom led"]

    def test_without_a_valid_time_what_is_still_true_is_found(self, store: GraphStore) -> None:
        facts = (fact("f1", "Tom was", invalid_at=at(9999)), fact("f2", "Tom is"))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        assert asked(store, "tom", scope=Scope(groups=(GROUP,))) == ["Tom is"]

    def test_entities_are_found_by_words_and_by_whole_names(self, store: GraphStore) -> None:
        people = (entity("José García", aliases=("Pepe", "J. G.")), entity("José Pepe Luna"), entity("Ann"))
        store.apply(Changes(commit=commit(1), entities=people))
        hits = store.match(Subject.ENTITY, ["pepe"], NOW, limit=9)
        assert sorted(found_entities(store, hits)) == ["José García", "José Pepe Luna"]
        assert found_entities(store, store.named(["PEPE"], NOW, limit=9)) == ["José García"]
        assert found_entities(store, store.named(["jose  garcia"], NOW, limit=9)) == ["José García"]
        assert found_entities(store, store.named(["j. g."], NOW, limit=9)) == ["José García"]
        assert store.named(["jose"], NOW, limit=9) == ()
        assert len(store.named(["ann", "pepe"], NOW, limit=1)) == 1

    def test_a_renamed_entity_is_found_by_its_name_of_the_time(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), entities=(entity("Ann", entity_id="x"),)))
        store.apply(Changes(commit=commit(2), entities=(entity("Anne", entity_id="x"),)))
        past = Scope(groups=(GROUP,), moment=Moment(system=at(1)))
        assert store.named(["ann"], NOW, limit=9) == ()
        assert found_entities(store, store.named(["ann"], past, limit=9)) == ["Ann"]
        assert store.names_of(GROUP, ["x", "none"]) == {"x": "Anne"}
        assert [one.name for one in store.all_entities(GROUP)] == ["Anne"]

    def test_episodes_are_found_by_content_and_speaker(self, store: GraphStore) -> None:
        told = episode("e1", "We sail.", speaker=Speaker(id="u", name="Ann"))
        store.apply(Changes(commit=commit(1), episodes=(told, episode("e2", "No."))))
        assert found_episodes(store, "sail") == found_episodes(store, "ann") == ["We sail."]

    def test_an_episode_is_found_from_its_reference_time_on(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1", "We sail.", reference_time=at(50)),)))
        before, after = (Scope(groups=(GROUP,), moment=Moment(valid=at(day))) for day in (49, 50))
        assert found_episodes(store, "sail", scope=before) == []
        assert found_episodes(store, "sail", scope=after) == ["We sail."]

    def test_a_replaced_revision_is_found_in_the_past_only(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1", "old zebra"),)))
        store.apply(Changes(commit=commit(2), episodes=(episode("e1", "new zebra", revision=2),)))
        past = Scope(groups=(GROUP,), moment=Moment(valid=at(100), system=at(1)))
        assert found_episodes(store, "zebra") == ["new zebra"]
        assert found_episodes(store, "zebra", scope=past) == ["old zebra"]
        assert found_episodes(store, "zebra", scope=EVER) == ["new zebra", "old zebra"]

    def test_search_during_a_period_finds_what_was_true_at_some_instant_of_it(
        self, store: GraphStore
    ) -> None:
        facts = (
            fact("f1", "Tom was here", valid_at=at(10), invalid_at=at(20)),
            fact("f2", "Tom is there", valid_at=at(30)),
            fact("f3", "Tom never was", valid_at=at(12), invalid_at=at(12), contested=True),
            fact("f4", "Tom has been", valid_at=None, invalid_at=at(5)),
        )
        store.apply(Changes(commit=commit(1), facts_created=facts))
        embed(store, {one.fact: unit(1, 0, 0, 0) for one in facts})

        def found(begin: int, end: int) -> list[str]:
            # a moment that would find nothing: the period stands instead of its valid time
            scope = Scope(groups=(GROUP,), moment=Moment(valid=at(7)), during=(at(begin), at(end)))
            near = store.nearest(Subject.FACT, unit(1, 0, 0, 0), scope, limit=9)
            said = sorted(asked(store, "tom", scope=scope))
            assert sorted(sentences(store, near)) == said
            return said

        assert found(5, 10) == []
        assert found(5, 11) == ["Tom was here"]
        assert found(11, 13) == found(19, 30) == ["Tom was here"]
        assert found(20, 30) == []
        assert found(0, 5) == found(4, 6) == ["Tom has been"]
        assert found(0, 31) == ["Tom has been", "Tom is there", "Tom was here"]
        past = Scope(groups=(GROUP,), moment=Moment(system=at(0)), during=(at(0), at(99)))
        assert asked(store, "tom", scope=past) == []
        ever = Scope(groups=(GROUP,), during=(at(5), at(10)), history=True)
        assert len(asked(store, "tom", scope=ever)) == 4

    def test_episodes_are_found_during_the_period_that_they_happened_in(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1", "We sail.", reference_time=at(50)),)))
        for begin, end, there in ((49, 50, 0), (50, 51, 1), (40, 60, 1), (51, 60, 0)):
            during = Scope(groups=(GROUP,), during=(at(begin), at(end)))
            assert len(found_episodes(store, "sail", scope=during)) == there, (begin, end)

    def test_a_tricky_query_finds_only_what_has_its_words(self, store: GraphStore) -> None:
        texts = {"f1": "plain zebra", "f2": "\u6c34 flows", "f3": "another thing"}
        store.apply(
            Changes(
                commit=commit(1),
                facts_created=tuple(
                    fact(name, text, subject="s", object="o") for name, text in texts.items()
                ),
                entities=(entity("Zoe"),),
                episodes=(episode("e1", "nothing here"),),
            )
        )
        for query in TRICKY:
            expected = [texts["f2"]] if query == "\u6c34" else []
            sought = Sought(words=(query, *query.split()), names=(query, *query.split()))
            found = store.find(Subject.FACT, sought, NOW, limit=9)
            assert sentences(store, found.words) == expected, query[:40]
            assert found.names == (), query[:40]
            both = store.match(Subject.FACT, [query, "zebra"], NOW, limit=9)
            assert sorted(sentences(store, both)) == ["plain zebra", *expected], query[:40]
            assert store.match(Subject.EPISODE, [query], NOW, limit=9) == (), query[:40]

    def test_tricky_names_are_found_as_they_are_written(self, store: GraphStore) -> None:
        names = [
            "AC/DC",
            "C++",
            "e-mail",
            'The "Boss"',
            "O'Neill",
            "a*b",
            "水",
            "🎉 party",
            "100%",
            "x" * 500,
        ]
        people = tuple(entity(name, entity_id=f"id-{n}") for n, name in enumerate(names))
        store.apply(Changes(commit=commit(1), entities=people))
        for name in names:
            assert found_entities(store, store.named([name], NOW, limit=9)) == [name]
        for query in ("AC", "C", "C--", "email", "*", "a", "party", "10", "x" * 499):
            assert store.named([query], NOW, limit=9) == (), query

    def test_one_character_of_chinese_is_found_in_a_text_of_words(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), facts_created=(fact("f1", "Water is 水 in Japanese."),)))
        assert len(asked(store, "水")) == 1
        assert asked(store, "火") == []

    def test_find_asks_every_arm_as_it_would_answer_alone(self, store: GraphStore) -> None:
        store.apply(everything())
        for subject, text in (
            (Subject.FACT, SAID),
            (Subject.ENTITY, "Tom"),
            (Subject.EPISODE, "Tom works."),
        ):
            embed(store, {text: unit(1, 0, 0, 0)}, subject)
            sought = Sought(words=("tom",), names=("tom",), vector=unit(1, 0, 0, 0))
            found = store.find(subject, sought, NOW, limit=1)
            assert found.words == store.match(subject, ["tom"], NOW, limit=1)
            assert found.vectors == store.nearest(subject, unit(1, 0, 0, 0), NOW, limit=1)
            named = () if subject is Subject.EPISODE else store.named(["tom"], NOW, limit=1)
            assert found.names == named
            assert len(found.words) == len(found.vectors) == 1
        nothing = store.find(Subject.FACT, Sought(), NOW, limit=9)
        assert nothing == Candidates()
