from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from extraction_samples import ANA, Scripted, episode, reply_to, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata.extraction.model import Manner, ModelExtractor
from memstrata.extraction.model.items import (
    AssertionItem,
    EntityItem,
    as_reply,
    mended,
    spread,
)
from memstrata.extraction.model.placing import Scene
from memstrata.extraction.model.reply import read_reply, read_verdicts
from memstrata.extraction.model.salvage import salvaged
from memstrata.extraction.model.schema import reply_schema, verdicts_schema, vocabulary
from memstrata.extraction.model.splitting import halves, split, tokens_in
from memstrata.extraction.recalled import recalled_spans
from memstrata.extraction.verification import Source
from memstrata.language_models.scripted import ScriptedModel
from memstrata.model import Extraction
from memstrata.ontology import Ontology, load_ontology
from memstrata.ports import Finish

if TYPE_CHECKING:
    from memstrata.ports import Unextracted

KEYS = ("entities", "assertions")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = [*AssertionItem.model_fields, *EntityItem.model_fields, "item", "episode", "value"]
ITEMS = st.lists(st.one_of(JSON, st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=12)), max_size=4)
REPLIES = st.fixed_dictionaries(
    {}, optional={"entities": ITEMS | JSON, "assertions": ITEMS | JSON, "more": JSON}
)
TEXTS = st.text(st.sampled_from("ab .!?\n:é中\u00a0AB"), max_size=400) | st.text(max_size=200)


class TestSalvage:
    @settings(max_examples=50)
    @given(REPLIES, st.booleans())
    def test_a_whole_reply_is_read_as_it_is(self, reply: dict[str, Any], indent: bool) -> None:  # noqa: FBT001
        told = salvaged(json.dumps(reply, indent=2 if indent else None), KEYS)
        lists = {key: tuple(value) for key, value in reply.items() if isinstance(value, list)}
        if any(key in lists for key in KEYS):
            assert (told.is_whole, dict(told.lists)) == (True, lists)

    @pytest.mark.parametrize("cut", ["1", "1.5", "1.5e", "1.5e+", "1.5e+1"])
    def test_a_number_that_may_go_on_is_not_taken(self, cut: str) -> None:
        assert salvaged(f'{{"assertions": [0, {cut}', KEYS).lists["assertions"] == (0,)

    @given(REPLIES, st.data())
    def test_a_cut_gives_the_first_items_of_each_list_and_invents_none(
        self, reply: dict[str, Any], data: st.DataObject
    ) -> None:
        text = json.dumps(reply)
        told = salvaged(text[: data.draw(st.integers(0, len(text) - 1))], KEYS)
        assert not told.is_whole
        for key, items in told.lists.items():
            if key in reply:
                assert list(items) == reply[key][: len(items)]

    @given(st.text() | st.text(st.sampled_from('{}[]":,\\ua1e.-ntfN')))
    def test_any_text_is_taken(self, text: str) -> None:
        salvaged(text, KEYS)

    def test_blanks_without_end_are_read_in_time(self) -> None:
        began = time.process_time()
        salvaged('{"assertions": [' + "\n" * 60_000, KEYS)
        assert time.process_time() - began < 1

    @pytest.mark.parametrize(
        "text", ['{"assertions": ' + "[" * 100_000, '{"assertions": [NaN]}', '{"a": 1' + "0" * 5_000 + "}"]
    )
    def test_what_breaks_decoders_is_taken(self, text: str) -> None:
        assert salvaged(text, KEYS).lists.get("assertions", ()) == ()

    def test_items_before_a_break_are_kept(self) -> None:
        told = salvaged('{"assertions": [{"a": 1}, {"a": "un"quoted"}, {"a": 3}]}', KEYS)
        assert (told.lists["assertions"], told.is_whole) == (({"a": 1},), False)


class TestReading:
    @given(REPLIES, st.integers(1, 3))
    def test_any_reply_is_read_and_every_item_is_accounted_for(
        self, reply: dict[str, Any], parts: int
    ) -> None:
        told = salvaged(json.dumps(reply), KEYS)
        read = read_reply(json.dumps(reply), parts, Ontology())
        items = sum(len(told.lists.get(key, ())) for key in KEYS)
        assert len(read.entities) + len(read.assertions) + len(read.unread) == items
        assert all(one.reason for one in read.unread)
        for one in read.unread:
            mended(one.item)

    @given(st.text(), st.integers(1, 9))
    def test_any_text_is_read_as_verdicts(self, text: str, count: int) -> None:
        assert read_verdicts(text, count) == {}

    @given(ITEMS)
    def test_what_is_kept_reads_back_the_same(self, items: list[Any]) -> None:
        read = read_reply(json.dumps({"entities": items, "assertions": items}), 1, Ontology())
        entities = [one for _, one in read.entities]
        assertions = spread(entities, [one for _, one in read.assertions])
        again = read_reply(json.dumps(as_reply(entities, assertions)), 1, Ontology())
        assert not again.unread
        assert tuple(one for _, one in again.assertions) == assertions
        assert (
            spread([one for _, one in again.entities], [one for _, one in again.assertions]) == assertions
        )


class TestSplitting:
    @given(TEXTS, st.integers(1, 60), st.integers(0, 20))
    def test_pieces_cover_the_text_in_order_and_each_goes_on(
        self, text: str, most: int, overlap: int
    ) -> None:
        spans = split(text, most, overlap)
        assert (spans[0][0], spans[-1][1]) == (0, len(text))
        for (start, end), (after, stop) in pairwise(spans):
            assert start < after <= end < stop
        assert all(tokens_in(text[start:end]) <= most + 1 for start, end in spans)

    @given(TEXTS.filter(lambda text: len(text) > 1), st.integers(0, 20))
    def test_halves_cover_the_text_and_are_smaller(self, text: str, overlap: int) -> None:
        (start, end), (after, stop) = halves(text, overlap)
        assert (start, stop) == (0, len(text))
        assert 0 < after <= end < stop

    def test_turns_and_paragraphs_are_cut_before_sentences(self) -> None:
        text = "\n".join(f"Ana: one {number}. Two. Three." for number in range(40))
        assert all(text[start:].startswith("Ana:") for start, _ in split(text, 60, 0))

    def test_a_sentence_is_not_cut_where_it_can_be_left_whole(self) -> None:
        text = " ".join(f"This is sentence number {number}." for number in range(100))
        assert all(text[start:].startswith("This") for start, _ in split(text, 60, 10))

    @given(TEXTS, st.integers(8, 30), st.integers(0, 8))
    def test_what_is_quoted_from_any_piece_stands_in_the_whole(
        self, text: str, most: int, overlap: int
    ) -> None:
        scene = Scene(Source(episode=episode(text)), ())
        for start, end in split(text, most, overlap):
            quote = text[start:end].strip()
            if quote:
                span = scene.place(quote, (start, end))
                assert span is not None
                assert start <= span[0]
                assert text[slice(*span)] == quote


class TestPlacing:
    def test_a_quote_is_found_up_to_white_space_and_case(self) -> None:
        scene = Scene(Source(episode=episode("Noor  lives\nin Leeds.")), ())
        assert scene.place("noor lives in Leeds", (0, 21)) == (0, 20)

    def test_a_quote_is_sought_outside_of_what_is_recalled(self) -> None:
        said = episode("I like tea. Yes: I like tea.", metadata={"recalled": [[0, 11]]})
        scene = Scene(Source(episode=said), ())
        assert scene.place("I like tea", (0, 28)) == (17, 27)

    @given(st.lists(JSON, max_size=4) | JSON)
    def test_any_recalled_spans_are_read(self, given_: Any) -> None:
        spans = recalled_spans(episode("some text", metadata={"recalled": given_}))
        assert all(0 <= start < end <= 9 for start, end in spans)


class TestSchema:
    ONTOLOGY = """
        types:
          - name: Person
            description: A human being.
            fields: {born: date, height: number, is_member: boolean}
          - {name: Firm, aliases: [Company], fields: {staff: {type: integer, description: Head count.}}}
        relations:
          - name: works_at
            domain: Person
            range: Firm
            description: Is employed there.
            fields: {title: text}
          - {name: age, domain: Person, range: [integer]}
    """

    CLOSED = "\n        undeclared: closed\n"

    def test_every_object_is_as_strict_output_wants_it(self) -> None:
        ontology = load_ontology(self.ONTOLOGY)
        closed = load_ontology(self.ONTOLOGY + self.CLOSED)
        for schema in (
            reply_schema(ontology),
            reply_schema(closed, episodes=3, repaired=2),
            reply_schema(Ontology()),
            reply_schema(replace(closed, types=(), relations=())),
            verdicts_schema(3),
        ):
            for node in _objects(schema):
                assert node["required"] == list(node["properties"])
                assert node["additionalProperties"] is False

    def test_what_is_declared_is_offered_and_in_the_open_anything_else(self) -> None:
        ontology = load_ontology(self.ONTOLOGY)
        entity = _items(reply_schema(ontology), "entities")
        assert entity["type"] == {
            "anyOf": [{"type": "string", "enum": ["Firm", "Person"]}, {"type": "string"}, {"type": "null"}]
        }
        closed = _items(reply_schema(load_ontology(self.ONTOLOGY + self.CLOSED)), "entities")
        assert closed["type"] == {
            "anyOf": [{"type": "string", "enum": ["Firm", "Person"]}, {"type": "null"}]
        }
        assert _items(reply_schema(load_ontology(self.ONTOLOGY + self.CLOSED)), "assertions")[
            "predicate"
        ] == {
            "type": "string",
            "enum": ["age", "works_at"],
        }

    def test_an_attribute_is_of_the_type_that_its_field_declares(self) -> None:
        entity = _items(reply_schema(load_ontology(self.ONTOLOGY)), "entities")
        kinds = {
            name: shape["properties"]["value"]["type"]
            for shape in entity["attributes"]["items"]["anyOf"]
            for name in shape["properties"]["name"].get("enum", ["other"])
        }
        assert kinds == {
            "born": "string",
            "height": "number",
            "is_member": "boolean",
            "staff": "integer",
            "other": "string",
        }

    def test_the_words_for_it_show_what_each_is_and_joins(self) -> None:
        shown = vocabulary(load_ontology(self.ONTOLOGY))
        assert "- Firm (also Company) [attributes: staff (integer: Head count.)]" in shown
        assert "- works_at (Person -> Firm): Is employed there. [attributes: title (text)]" in shown

    def test_pydantic_models_are_offered_with_their_fields(self) -> None:
        from pydantic import BaseModel

        class Person(BaseModel):
            """Somebody."""

            age: int | None = None

        ontology = Ontology.with_models(entity_types={"Person": Person})
        assert vocabulary(ontology).endswith("- Person: Somebody. [attributes: age (integer)]")


class TestAnyModel:
    @settings(max_examples=25, deadline=None)
    @given(
        st.lists(st.tuples(REPLIES.map(json.dumps) | st.text(), st.sampled_from(Finish)), min_size=1),
        st.data(),
    )
    def test_every_episode_gets_one_answer_in_order_and_one_repair_at_most(
        self, replies: list[tuple[str, Finish]], data: st.DataObject
    ) -> None:
        cut = [(text[: data.draw(st.integers(0, len(text)))], finish) for text, finish in replies]
        model = Scripted(*(cut * 60)[:60], repeats=True)
        extractor = ModelExtractor(model, manner=Manner(in_flight=1, at_once=4, most_rests=2))
        found = list(extractor.extract_all(turns(5)))
        assert [_id(one) for one in found] == [f"e{number}" for number in range(5)]
        # the first, one again, the rest twice, one repair; of two shared calls, and of each alone
        assert len(model.prompts) <= 5 * (2 + 5)

    def test_a_long_text_of_any_kind_is_answered(self) -> None:
        model = ScriptedModel(lambda _: reply_to())
        found = ModelExtractor(model).extract(episode("words " * 30_000, speaker=ANA))
        assert isinstance(found, Extraction)


def _id(answer: Extraction | Unextracted) -> str:
    return answer.episode_id if isinstance(answer, Extraction) else answer.episode.episode_id


def _items(schema: Any, place: str) -> Any:
    return schema["properties"][place]["items"]["properties"]


def _objects(node: Any) -> list[Any]:
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    found = [one for value in inner for one in _objects(value)]
    return [node, *found] if isinstance(node, dict) and node.get("type") == "object" else found
