"""How a schema is asked for: the best form that an endpoint has, found once and remembered."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from asking import AS_JSON, PROMPT, SCHEMA, ClockByHand, model_at

from memstrata.errors import Fault
from memstrata.language_models.scripted_server import ScriptedServer, failure, reply
from memstrata.ports import Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.language_models.scripted_server import Asked

NAMES = '{"names": ["Tom"]}'
OPEN = {
    "type": "object",
    "properties": {"of": {"type": "object", "additionalProperties": {"type": "string"}}},
}


def form(asked: Asked) -> str:
    wanted: dict[str, Any] = asked.body.get("response_format") or {}
    strict = wanted.get("json_schema", {}).get("strict", False)
    return "strict" if strict else str(wanted.get("type", "text"))


def forms(server: ScriptedServer) -> list[str]:
    return [form(asked) for asked in server.asked]


@pytest.fixture
def server() -> Any:
    with ScriptedServer(script=lambda _: NAMES) as running:
        yield running


def test_a_schema_that_can_be_kept_strictly_is_sent_so(server: ScriptedServer, folder: Path) -> None:
    model_at(server, folder).complete(AS_JSON)
    assert server.asked[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "names", "strict": True, "schema": SCHEMA},
    }


def test_a_schema_that_cannot_be_kept_strictly_is_sent_loosely(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda _: "{}"
    model_at(server, folder).complete(Prompt(system="s", user="u", schema=OPEN))
    assert forms(server) == ["json_schema"]


@pytest.mark.parametrize(
    ("refuses", "tried"),
    [
        (("strict",), ["strict", "json_schema"]),
        (("json_schema",), ["strict", "json_schema", "json_object"]),
        (("json_schema", "json_object"), ["strict", "json_schema", "json_object", "text"]),
    ],
)
def test_lesser_forms_are_tried_in_their_order_once(
    server: ScriptedServer, folder: Path, refuses: tuple[str, ...], tried: list[str]
) -> None:
    server.refuses = refuses
    for _ in range(2):
        assert model_at(server, folder).complete(AS_JSON).text == NAMES
    assert forms(server) == [*tried, tried[-1]]


def test_an_endpoint_that_wants_strict_schemas_gets_words_for_others(
    server: ScriptedServer, folder: Path
) -> None:
    server.refuses = ("loose",)  # Anthropic's, since 2026
    server.script = lambda _: '{"of": {}}'
    model = model_at(server, folder)
    model.complete(Prompt(system="s", user="u", schema=OPEN))
    assert forms(server) == ["json_schema", "json_object"]
    assert '"additionalProperties"' in server.asked[1].text
    assert "JSON" in server.asked[1].text


def test_an_endpoint_that_ignores_schemas_is_told_in_words_and_that_is_remembered(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda asked: NAMES if '"names"' in asked.text else "Tom and Ann met."
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.retries) == (NAMES, 1)
    assert model_at(server, folder).complete(AS_JSON).retries == 0


def test_an_endpoint_that_guesses_the_outer_names_alone_is_found_out(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda asked: NAMES if '"names"' in asked.text else '{"names": "Tom"}'
    assert model_at(server, folder).complete(AS_JSON).text == NAMES
    assert forms(server) == ["strict", "json_object"]


def test_a_bad_reply_of_an_endpoint_that_has_kept_to_schemas_changes_nothing(
    server: ScriptedServer, folder: Path
) -> None:
    model = model_at(server, folder)
    model.complete(AS_JSON)
    server.instead.append(reply("Tom and Ann met."))
    assert model.complete(AS_JSON).text == "Tom and Ann met."
    assert model.complete(AS_JSON).text == NAMES
    assert forms(server) == ["strict"] * 3


def test_an_answer_in_prose_that_words_do_not_mend_teaches_nothing(
    server: ScriptedServer, folder: Path
) -> None:
    server.instead.extend([reply("I would rather not."), reply("I would rather not.")])
    model = model_at(server, folder)
    assert model.complete(AS_JSON).text == "I would rather not."
    assert model.complete(AS_JSON).text == NAMES
    assert forms(server) == ["strict", "json_object", "strict"]


def test_a_schema_that_is_refused_without_its_name_after_another_was_taken_gets_the_next_form(
    server: ScriptedServer, folder: Path
) -> None:
    odd = {**SCHEMA, "description": "odd"}
    server.script = lambda asked: (
        failure(400, "Request contains an invalid argument.")  # Gemini's, of a schema that is too complex
        if "odd" in str(asked.body.get("response_format"))
        else reply(NAMES)
    )
    model = model_at(server, folder)
    model.complete(AS_JSON)
    assert model.complete(Prompt(system="s", user="u", schema=odd)).text == NAMES


def test_an_endpoint_that_takes_no_schema_any_more_and_does_not_say_so_is_found_out(
    server: ScriptedServer, folder: Path
) -> None:
    model = model_at(server, folder)
    model.complete(AS_JSON)
    server.script = lambda asked: (
        failure(400, "Request contains an invalid argument.")
        if "response_format" in asked.body
        else reply(NAMES)
    )
    with pytest.raises(Fault, match="invalid argument"):
        model.complete(AS_JSON)
    assert model.complete(AS_JSON).text == NAMES


def test_what_one_schema_taught_is_presumed_of_the_next(server: ScriptedServer, folder: Path) -> None:
    server.refuses = ("json_schema",)
    model = model_at(server, folder)
    model.complete(AS_JSON)
    other = {**SCHEMA, "description": "another"}
    model.complete(Prompt(system="s", user="u", schema=other))
    assert forms(server) == ["strict", "json_schema", "json_object", "json_object"]


def test_a_schema_that_alone_is_refused_spoils_no_other(server: ScriptedServer, folder: Path) -> None:
    odd = {**SCHEMA, "description": "odd"}
    server.script = lambda asked: (
        failure(400, "Invalid schema for response_format 'reply'")
        if "odd" in str(asked.body.get("response_format"))
        else reply(NAMES)
    )
    model = model_at(server, folder)
    for schema in (SCHEMA, odd, odd, {**SCHEMA, "description": "third"}):
        model.complete(Prompt(system="s", user="u", schema=schema))
    assert forms(server) == ["strict", "strict", "json_schema", "json_object", "json_object", "strict"]


@pytest.mark.parametrize(
    ("refuses", "kept"),
    [
        (("temperature",), {"seed", "max_tokens"}),
        (("seed",), {"temperature", "max_tokens"}),
        (("max_tokens",), {"temperature", "seed", "max_completion_tokens"}),
        (("max_tokens", "max_completion_tokens", "temperature", "seed"), set()),
    ],
)
def test_what_a_model_does_not_take_is_left_out_from_then_on(
    server: ScriptedServer, folder: Path, refuses: tuple[str, ...], kept: set[str]
) -> None:
    server.refuses = refuses
    model_at(server, folder, most_tokens=100).complete(PROMPT)
    asked_before = len(server.asked)
    model_at(server, folder, most_tokens=100).complete(PROMPT)
    model_at(server, folder, most_tokens=100).complete(AS_JSON)
    assert len(server.asked) == asked_before + 2
    for asked in server.asked[-2:]:
        assert asked.body.keys() & {"temperature", "seed", "max_tokens", "max_completion_tokens"} == kept


def test_a_limit_above_the_models_own_is_left_out(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda asked: (
        failure(400, "max_tokens is too large: 99999. This model supports at most 4096 completion tokens")
        if "max_tokens" in asked.body
        else reply("yes")
    )
    assert model_at(server, folder, most_tokens=99999).complete(PROMPT).text == "yes"


def test_a_model_without_a_system_role_gets_one_message(server: ScriptedServer, folder: Path) -> None:
    server.refuses = ("system",)
    model_at(server, folder).complete(PROMPT)
    assert server.asked[-1].body["messages"] == [{"role": "user", "content": "You read.\n\nTom met Ann."}]


def test_what_was_remembered_is_tried_anew_after_a_day(server: ScriptedServer, folder: Path) -> None:
    clock = ClockByHand()
    server.refuses = ("json_schema",)
    model = model_at(server, folder, clock=clock)
    model.complete(AS_JSON)
    server.refuses = ()
    clock.now += 23 * 3600
    model.complete(AS_JSON)
    clock.now += 2 * 3600
    model.complete(AS_JSON)
    assert forms(server)[-2:] == ["json_object", "strict"]


def test_what_was_remembered_and_is_wrong_is_left(server: ScriptedServer, folder: Path) -> None:
    model = model_at(server, folder)
    model.complete(AS_JSON)
    server.refuses = ("json_schema",)
    assert model.complete(AS_JSON).text == NAMES
    assert forms(server) == ["strict", "strict", "json_schema", "json_object"]


@pytest.mark.parametrize("content", ["{", "[]", '{"x": 5}', '{"x": {"at": 1, "form": "y"}}', ""])
def test_a_spoilt_memory_is_begun_anew(server: ScriptedServer, folder: Path, content: str) -> None:
    folder.mkdir()
    (folder / "abilities.json").write_text(content)
    model_at(server, folder).complete(AS_JSON)
    assert forms(server) == ["strict"]
    assert json.loads((folder / "abilities.json").read_text())


def test_nulls_for_what_was_left_out_do_not_come_back(server: ScriptedServer, folder: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a"],
    }
    server.script = lambda _: '{"a": "x", "b": null}'
    answer = model_at(server, folder).complete(Prompt(system="s", user="u", schema=schema))
    assert json.loads(answer.text) == {"a": "x"}


def test_many_threads_may_ask_but_no_more_at_a_time_than_allowed(
    server: ScriptedServer, folder: Path
) -> None:
    asking, most, lock = [0], [0], threading.Lock()

    def script(_: Asked) -> str:
        with lock:
            asking[0] += 1
            most[0] = max(most[0], asking[0])
        threading.Event().wait(0.02)
        with lock:
            asking[0] -= 1
        return NAMES

    server.script = script
    model = model_at(server, folder, concurrency=2)
    threads = [threading.Thread(target=model.complete, args=(AS_JSON,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 8
    assert most[0] == 2
