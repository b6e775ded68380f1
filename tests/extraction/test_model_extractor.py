from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from extraction_samples import ANA, BOT, episode

from memstrata.errors import Fault, Incorrect
from memstrata.extraction.model_extractor import ModelExtractor
from memstrata.extraction.prompts import prompt_named
from memstrata.instants import Precision
from memstrata.language_models.scripted import ScriptedModel
from memstrata.model import SourceType
from memstrata.ports import Finish, Reply

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from memstrata.model import Extraction
    from memstrata.ports import Prompt


TEXT = "My sister Noor lives in Leeds since last month."
NOOR = {"name": "Noor", "type": "person", "aliases": ["Nora"], "attributes": {"city": "Leeds"}}
LIVES = {
    "subject": "Noor",
    "predicate": "lives_in",
    "object": "Leeds",
    "fact": "Noor lives in Leeds",
    "kind": "holds",
    "valid_at": "2025-06",
    "evidence": "Noor lives in Leeds since last month",
    "confidence": 0.9,
}


def answering(*assertions: object, entities: object = (NOOR, {"name": "Leeds"})) -> ScriptedModel:
    return ScriptedModel(lambda _prompt: json.dumps({"entities": entities, "assertions": assertions}))


def extracted(*assertions: object, **more: object) -> Extraction:
    return ModelExtractor(answering(*assertions, **more)).extract(episode(TEXT, speaker=ANA))


def test_a_reply_becomes_mentions_and_assertions() -> None:
    found = extracted(LIVES)
    (assertion,) = found.assertions
    noor = next(m for m in found.mentions if m.mention_id == assertion.subject)
    assert (noor.name, noor.type, noor.span) == ("Noor", "person", (10, 14))
    assert noor.attributes == {"city": ("Leeds",), "aliases": ("Nora",)}
    assert assertion.valid_at.precision is Precision.MONTH
    assert TEXT[slice(*assertion.span)] == assertion.quote


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"kind": "perhaps"}, "fits_the_schema"),
        ({"confidence": 7}, "fits_the_schema"),
        ({"subject": ""}, "fits_the_schema"),
        ({"valid_at": "last month"}, "times_are_read"),
        ({"evidence": "Noor lives in York"}, "quote_is_in_the_episode"),
        ({"object": "noor"}, "ends_differ"),
    ],
)
def test_a_bad_item_costs_itself_alone(changes: dict[str, Any], rule: str) -> None:
    found = extracted(LIVES | changes, LIVES)
    assert len(found.assertions) == 1
    assert [outcome.rule for outcome in found.outcomes] == [rule]


def test_items_that_are_no_objects_leave_outcomes() -> None:
    found = extracted("nonsense", None, LIVES, entities=[7, NOOR])
    assert (len(found.assertions), len(found.outcomes)) == (1, 3)


def test_a_fenced_reply_is_read() -> None:
    fenced = ScriptedModel(lambda _prompt: '```json\n{"entities": [], "assertions": []}\n```')
    assert ModelExtractor(fenced).extract(episode(TEXT)).assertions == ()


@pytest.mark.parametrize("text", ["", "I cannot help", "[]", '{"entities": []}', '{"assertions": 3}'])
def test_a_reply_that_is_not_what_was_asked_for_is_a_fault(text: str) -> None:
    with pytest.raises(Fault, match="reply"):
        ModelExtractor(ScriptedModel(lambda _prompt: text)).extract(episode(TEXT))


def test_a_reply_that_was_cut_off_is_a_fault() -> None:
    class Cut(ScriptedModel):
        def complete(self, prompt: Prompt) -> Reply:
            return Reply(text="{", input_tokens=1, output_tokens=1, finish=Finish.CUT_OFF)

    with pytest.raises(Fault, match="cut off"):
        ModelExtractor(Cut({})).extract(episode(TEXT))


def test_one_call_an_episode_and_its_tokens_are_recorded() -> None:
    model = answering(LIVES)
    found = ModelExtractor(model).extract(episode(TEXT))
    assert len(model.prompts) == found.usage["calls"] == 1
    assert found.usage["input_tokens"] > 0 < found.usage["output_tokens"]


def test_the_prompt_shows_the_turns_before_and_the_speakers() -> None:
    model = answering()
    before = episode("How is the family?", episode_id="e0", speaker=BOT)
    ModelExtractor(model).extract(episode(TEXT, speaker=ANA, addressee=BOT), [before])
    (prompt,) = model.prompts
    assert "assistant: How is the family?" in prompt.user
    assert "Speaker: Ana Ribeiro\nSpoken to: assistant" in prompt.user
    assert prompt.user.endswith(TEXT)
    assert prompt.schema["required"] == ["entities", "assertions"]


def test_the_prompt_is_worded_as_reviewed(snapshot: SnapshotAssertion) -> None:
    before = episode("How is the family?", episode_id="e0", speaker=BOT)
    prompt = ModelExtractor(answering()).prompt_for(episode(TEXT, speaker=ANA, addressee=BOT), [before])
    assert f"{prompt.system}\n\n{prompt.user}" == snapshot


def test_declared_records_call_no_model() -> None:
    model = answering()
    triple = episode(
        '{"subject": "a", "predicate": "knows", "object": "b"}', source_type=SourceType.FACT_TRIPLE
    )
    assert len(ModelExtractor(model).extract(triple).assertions) == 1
    assert model.prompts == []


def test_the_version_follows_the_model_and_names_prompt_and_rules() -> None:
    one, same, other = (ModelExtractor(ScriptedModel({}, name=name)).version for name in ("m", "m", "n"))
    assert one == same != other


def test_the_prompt_file_has_a_name_and_a_version() -> None:
    prompt = prompt_named("extract")
    assert (prompt.name, prompt.version) == ("extract", "1")
    assert "{{" not in prompt.filled(
        dict.fromkeys(("reference_time", "speaker", "addressee", "context", "content"), "x")
    )


def test_a_table_answers_by_what_the_prompt_holds_and_refuses_the_rest() -> None:
    model = ScriptedModel({"Leeds": '{"entities": [], "assertions": []}'})
    assert ModelExtractor(model).extract(episode(TEXT)).assertions == ()
    with pytest.raises(Incorrect, match="no answer"):
        ModelExtractor(model).extract(episode("I like tea."))
