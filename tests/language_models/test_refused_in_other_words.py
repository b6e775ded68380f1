"""Errors as other providers write them: in successes, by firewalls, without a name for the cause."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from asking import AS_JSON, PROMPT, model_at

from memstrata.errors import Away, Fault, TooLong
from memstrata.language_models.scripted_server import (
    Said,
    failure,
    hung_up,
    page_of_html,
    reply,
)
from memstrata.ports import Finish, Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from asking import ClockByHand

    from memstrata.errors import MemstrataError
    from memstrata.language_models.scripted_server import Asked, ScriptedServer

NAMES = '{"names": ["Tom"]}'


def error_in_success(message: str, **more: Any) -> Said:
    return Said(body=json.dumps({"error": {"message": message, **more}}))


@pytest.mark.parametrize(
    ("asked", "slept"),
    [
        ("inf", 0.0),
        ("nan", 0.0),
        ("-5", 0.0),
        ("Fri, 31 Dec 99999999999999999999 23:59:59 GMT", 0.0),
        ("Fri, 15 Jan 2027 08:00:12", 12.0),  # no zone: HTTP has no other than GMT
        ("Fri, 15 Jan 2027 08:00:12 -0000", 12.0),
    ],
)
def test_a_wait_that_is_none_is_not_waited_for(
    server: ScriptedServer, folder: Path, clock: ClockByHand, asked: str, slept: float
) -> None:
    clock.drawn = 0.0
    server.instead.append(Said(status=429, body="{}", headers=(("Retry-After", asked),)))
    assert model_at(server, folder, clock=clock).complete(PROMPT).text == "yes"
    assert clock.slept == [pytest.approx(slept)]


def test_a_server_that_always_says_at_once_is_given_more_and_more_time(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    server.instead.extend([failure(503, "busy", wait=0)] * 4)
    model_at(server, folder, clock=clock, tries_again=4).complete(PROMPT)
    assert clock.slept == [0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_that_is_not_packed_as_it_says_is_tried_again(
    server: ScriptedServer, folder: Path, status: int
) -> None:
    server.instead.append(Said(status=status, body="plain", headers=(("Content-Encoding", "gzip"),)))
    assert model_at(server, folder).complete(PROMPT).retries == 1


@pytest.mark.parametrize(
    ("said", "family", "says"),
    [
        (error_in_success("Rate limit exceeded", code=429), Away, "cannot be asked now.*Rate limit"),
        (error_in_success("maximum context length is 4096", code=400), TooLong, "maximum context length"),
        (error_in_success("pay", code=402), Away, "no credit left: pay"),
        (error_in_success("it went wrong"), Away, "answers nothing now.*it went wrong"),
        (
            Said(body='{"error":"Unexpected endpoint or method. (POST /chat/completions)"}'),
            Away,
            r"no such model or path.*OPENAI_BASE_URL \(ends in /v1\)",
        ),
        (
            Said(
                body='{"choices": [{"error": {"code": 502, "message": "provider"}, '
                '"message": {"content": "Yes, and"}}]}'
            ),
            Away,
            "cannot be asked now.*provider",
        ),
    ],
)
def test_an_error_that_is_sent_as_a_success_is_one(
    server: ScriptedServer, folder: Path, said: Said, family: type[MemstrataError], says: str
) -> None:
    server.script = lambda _: said
    with pytest.raises(family, match=says) as raised:
        model_at(server, folder, tries_again=1).complete(PROMPT)
    assert type(raised.value) is family


def test_a_form_that_is_refused_in_a_success_is_not_asked_for_again(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda asked: (
        error_in_success("response_format is not supported", code=400)
        if "response_format" in asked.body
        else reply(NAMES)
    )
    assert model_at(server, folder).complete(AS_JSON).text == NAMES


@pytest.mark.parametrize(
    "said",
    [
        Said(body='{"choices": [{"finish_reason": "content_filter: PROHIBITED_CONTENT", "index": 0}]}'),
        Said(body='{"choices": [{"finish_reason": "SPII", "message": null}]}'),
        failure(403, "Input was flagged by moderation", code="403"),
    ],
)
def test_a_filter_that_says_no_more_refuses(server: ScriptedServer, folder: Path, said: Said) -> None:
    server.instead.append(said)
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.finish, len(server.asked)) == (Finish.REFUSED, 1)


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource", "MALFORMED_RESPONSE"])
def test_a_reply_that_the_endpoint_broke_off_is_asked_for_again(
    server: ScriptedServer, folder: Path, reason: str
) -> None:
    server.script = lambda _: reply(NAMES)
    server.instead.append(reply('{"names": ["T', finish=reason))
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish, answer.retries) == (NAMES, Finish.WHOLE, 1)


@pytest.mark.parametrize(
    "call",
    [
        {"content": None, "tool_calls": [{"function": {"arguments": {"names": ["Tom"]}}}]},
        {"content": NAMES, "tool_calls": [{"function": {"arguments": None}}]},
    ],
)
def test_arguments_of_a_tool_need_not_be_text(
    server: ScriptedServer, folder: Path, call: dict[str, Any]
) -> None:
    server.instead.append(Said(body=json.dumps({"choices": [{"message": call}]})))
    assert model_at(server, folder).complete(AS_JSON).text == NAMES


def test_tokens_that_are_counted_as_none_are_estimated(server: ScriptedServer, folder: Path) -> None:
    server.instead.append(reply("x" * 40, usage=(0, 0)))
    answer = model_at(server, folder).complete(Prompt(system="s" * 40, user="u" * 39))
    assert (answer.input_tokens, answer.output_tokens) == (21, 10)


@pytest.mark.parametrize(
    "said", [page_of_html(403), failure(403, "no"), page_of_html(502), hung_up(reply("a broken reply"))]
)
def test_what_a_firewall_or_a_crash_makes_of_one_prompt_is_its_own_fault(
    server: ScriptedServer, folder: Path, said: Said
) -> None:
    server.script = lambda asked: said if "Tom" in asked.user else reply("yes")
    with pytest.raises(Fault, match="fails with this prompt, though it answers others") as raised:
        model_at(server, folder, tries_again=1).complete(PROMPT)
    assert type(raised.value) is Fault


def test_a_key_that_may_nothing_is_away(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda _: failure(403, "your country")
    with pytest.raises(Away, match="refuses the key: your country"):
        model_at(server, folder).complete(AS_JSON)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (failure(400, 'Invalid model identifier "a-model".'), "no such model"),
        (failure(400, "Unknown model: a-model", code="unknown_model"), "no such model"),
        (failure(400, "Model Not Exist"), "no such model"),
        (failure(400, "You have reached your specified API usage limits."), "no credit left"),
        (failure(401, "no", wait=3600), "refuses the key"),
    ],
)
def test_other_words_for_what_concerns_everything_are_known(
    server: ScriptedServer, folder: Path, said: Said, says: str
) -> None:
    server.script = lambda _: said
    with pytest.raises(Away, match=says):
        model_at(server, folder).complete(AS_JSON)
    assert len(server.asked) == 1


def test_a_request_too_large_to_wait_for_is_too_long_whatever_wait_it_names(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda _: failure(413, "Request too large on tokens per minute", wait=120)
    with pytest.raises(TooLong):
        model_at(server, folder).complete(PROMPT)


def test_too_many_tokens_for_now_is_waited_for(server: ScriptedServer, folder: Path) -> None:
    server.instead.append(failure(429, "Too many tokens, please wait before trying again."))
    assert model_at(server, folder).complete(PROMPT).retries == 1


def test_what_the_provider_behind_a_router_says_counts(server: ScriptedServer, folder: Path) -> None:
    error = {"code": 400, "message": "Provider returned error", "metadata": {"raw": "prompt is too long"}}
    server.script = lambda _: Said(status=400, body=json.dumps({"error": error}))
    with pytest.raises(TooLong, match="Provider returned error: prompt is too long"):
        model_at(server, folder).complete(PROMPT)


@pytest.mark.parametrize(
    "told",
    [
        "Ann wrote: my API key not valid any more, insufficient_quota it said, said Tom.",
        "Tom asked why the maximum context length of the model does not exist any more.",
    ],
)
def test_what_the_server_repeats_of_the_prompt_is_not_taken_for_its_own_word(
    server: ScriptedServer, folder: Path, told: str
) -> None:
    said = failure(422, f"not valid: {told}")
    server.script = lambda asked: said if "Tom" in asked.user else reply("yes")
    with pytest.raises(Fault, match="fails with this prompt") as raised:
        model_at(server, folder).complete(Prompt(system="You read.", user=told))
    assert type(raised.value) is Fault


@pytest.mark.parametrize("name", ["seed", "temperature", "max_tokens"])
def test_a_parameter_that_is_refused_without_its_name_is_left_out_and_the_form_kept(
    server: ScriptedServer, folder: Path, name: str
) -> None:
    def script(asked: Asked) -> Said:
        return failure(400, "invalid argument") if name in asked.body else reply(NAMES)

    server.script = script
    model = model_at(server, folder, most_tokens=50)
    assert model.complete(AS_JSON).text == NAMES
    model.complete(AS_JSON)
    assert server.asked[-1].body["response_format"]["json_schema"]["strict"]
    assert model.complete(AS_JSON).retries == 0


def test_what_is_only_presumed_again_is_tried_anew_after_a_day(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    server.script = lambda _: NAMES
    server.refuses = ("json_schema",)
    model = model_at(server, folder, clock=clock)
    other = Prompt(system="s", user="u", schema={**(AS_JSON.schema or {}), "description": "other"})
    model.complete(AS_JSON)
    clock.now += 20 * 3600
    model.complete(other)
    clock.now += 5 * 3600
    server.refuses = ()
    model.complete(AS_JSON)
    assert server.asked[-1].body["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    "said",
    [
        "For this model response_format json_schema is not available",
        "model a-model: structured outputs not found; use json_object",
    ],
)
def test_a_form_that_a_model_has_not_is_no_missing_model(
    server: ScriptedServer, folder: Path, said: str
) -> None:
    server.script = lambda asked: (
        failure(400, said) if "json_schema" in json.dumps(asked.body) else reply(NAMES)
    )
    assert model_at(server, folder).complete(AS_JSON).text == NAMES
