"""What the adapter makes of errors: which are waited for, and what those that stay mean."""

from __future__ import annotations

import email.utils
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from asking import AS_JSON, KEY, PROMPT, ClockByHand, model_at

from memstrata.endpoint import Endpoint
from memstrata.errors import Away, Fault, Incorrect, Missing, TooLong
from memstrata.language_models.openai_compatible import OpenAIModel
from memstrata.language_models.scripted_server import (
    Said,
    ScriptedServer,
    failure,
    hung_up,
    page_of_html,
    reply,
    slow,
)
from memstrata.ports import Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.errors import MemstrataError


@pytest.mark.parametrize(
    "said",
    [
        *(failure(status, "soon") for status in (408, 409, 429, 500, 502, 503, 504, 529)),
        page_of_html(502),
        hung_up(reply("a long reply that is broken off")),
    ],
)
def test_a_fault_that_passes_is_tried_again(server: ScriptedServer, folder: Path, said: Said) -> None:
    server.instead.extend([said, said])
    answer = model_at(server, folder).complete(PROMPT)
    assert (answer.text, answer.retries, len(server.asked)) == ("yes", 2, 3)


def test_waits_double_and_are_drawn(server: ScriptedServer, folder: Path, clock: ClockByHand) -> None:
    clock.drawn = 0.5
    server.instead.extend([failure(503, "busy")] * 3)
    model_at(server, folder, clock=clock).complete(PROMPT)
    assert clock.slept == [0.25, 0.5, 1.0]


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ((("Retry-After", "7"),), 7.0),
        ((("Retry-After", email.utils.formatdate(1_800_000_012, usegmt=True)),), 12.0),
        ((("Retry-After", "9"), ("retry-after-ms", "1500")), 1.5),
        ((("Retry-After", "soon"),), 0.0),
    ],
)
def test_the_server_is_waited_for_as_long_as_it_says(
    server: ScriptedServer,
    folder: Path,
    clock: ClockByHand,
    headers: tuple[tuple[str, str], ...],
    waits: float,
) -> None:
    clock.drawn = 0.0
    server.instead.append(Said(status=429, body="{}", headers=headers))
    model_at(server, folder, clock=clock).complete(PROMPT)
    assert clock.slept == [pytest.approx(waits)]


def test_geminis_own_word_for_a_wait_is_understood(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    clock.drawn = 0.0
    body = (
        '[{"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", '
        '"details": [{"retryDelay": "23s"}]}}]'
    )
    server.instead.append(Said(status=429, body=body))
    model_at(server, folder, clock=clock).complete(PROMPT)
    assert clock.slept == [23.0]


def test_a_longer_wait_than_allowed_ends_the_run_with_its_time(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    server.instead.append(failure(429, "daily limit", wait=3600))
    with pytest.raises(Away, match=r"left alone for 3600 s.*MEMSTRATA_LLM_MAX_WAIT = 60.*daily limit"):
        model_at(server, folder, clock=clock).complete(PROMPT)
    assert (clock.slept, len(server.asked)) == ([], 1)


def test_a_server_that_takes_too_long_is_tried_three_times_and_asked_for_less(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda _: slow(reply("late"), 0.4)
    with pytest.raises(Away, match="no answer in time"):
        model_at(server, folder, seconds=0.1, tries_again=9).complete(PROMPT)
    assert len(server.asked) == 4


def test_a_server_that_keeps_the_connection_with_blanks_is_not_waited_for_longer(
    server: ScriptedServer, folder: Path
) -> None:
    server.instead.append(replace(slow(reply("late"), 0.05), blanks=40))
    begun = time.monotonic()
    assert model_at(server, folder, seconds=0.2).complete(PROMPT).retries == 1
    assert time.monotonic() - begun < 1.5
    server.instead.append(replace(slow(reply("in time"), 0.02), blanks=3))
    assert model_at(server, folder).complete(PROMPT).text == "in time"


def test_a_server_that_is_not_there_is_away_with_its_address(folder: Path) -> None:
    with ScriptedServer() as gone:
        model = model_at(gone, folder, tries_again=1)
    with pytest.raises(
        Away, match=r"127\.0\.0\.1:\d+/v1 \(model a-model\) cannot be asked.*OPENAI_BASE_URL"
    ):
        model.complete(PROMPT)


def test_a_connection_that_fails_is_away(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda _: hung_up(reply("a long reply that is broken off"))
    with pytest.raises(Away, match="cannot be asked now, after 2 tries: the connection failed"):
        model_at(server, folder, tries_again=1).complete(PROMPT)


@pytest.mark.parametrize("status", [500, 504, 418])
def test_a_prompt_that_breaks_the_server_is_its_own_fault(
    server: ScriptedServer, folder: Path, status: int
) -> None:
    server.script = lambda asked: failure(status, "boom") if "Tom" in asked.user else reply("yes")
    with pytest.raises(Fault, match="fails with this prompt, though it answers others: boom") as raised:
        model_at(server, folder, tries_again=1).complete(PROMPT)
    assert type(raised.value) is Fault


def test_a_server_that_breaks_at_everything_is_away(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda _: failure(500, "boom")
    with pytest.raises(Away, match="answers nothing now, after 2 tries: boom"):
        model_at(server, folder, tries_again=1).complete(PROMPT)


@pytest.mark.parametrize(
    ("said", "family", "says"),
    [
        (failure(401, f"Incorrect API key provided: {KEY}"), Away, "refuses the key.*set OPENAI_API_KEY"),
        (failure(400, "API key not valid. Please pass a valid API key."), Away, "refuses the key"),
        (failure(404, "The model `a-model` does not exist"), Away, "check MEMSTRATA_LLM_MODEL"),
        (failure(400, 'model "a-model" not found, try pulling it first'), Away, "no such model"),
        (Said(status=404, body="<html>404</html>"), Away, r"a page of HTML.*OPENAI_BASE_URL"),
        (failure(405, "Method Not Allowed"), Away, "no such model or path"),
        (failure(429, "You exceeded your current quota", code="insufficient_quota"), Away, "no credit"),
        (failure(402, "pay"), Away, "no credit left: pay"),
        (failure(400, "Your credit balance is too low to go on."), Away, "no credit left"),
    ],
)  # fmt: skip
def test_what_concerns_everything_is_away_at_once(
    server: ScriptedServer, folder: Path, said: Said, family: type[MemstrataError], says: str
) -> None:
    server.script = lambda _: said
    with pytest.raises(family, match=says) as raised:
        model_at(server, folder).complete(AS_JSON)
    assert "secret" not in str(raised.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "said",
    [
        failure(400, "This model's maximum context length is 8192 tokens.", code="context_length_exceeded"),
        failure(400, "This model's maximum context length is 16384 tokens. However, you asked for 122946"),
        failure(400, "max_tokens must be at least 1, got -120."),
        Said(
            status=400,
            body='{"error":{"code":400,"message":"request (2031 tokens) exceeds the available context size '
            '(512 tokens), try increasing it","type":"exceed_context_size_error"}}',
        ),
        failure(500, "the request exceeds the available context size"),
        failure(500, "input exceeds context length"),
        failure(400, "prompt is too long: 210000 tokens > 200000 maximum"),
        failure(413, "Request exceeds the maximum size", code="request_too_large"),
        Said(
            status=400,
            body='[{"error": {"code": 400, "message": "The input token count (2845475) exceeds the maximum '
            'number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}]',
        ),
        Said(
            status=400,
            body='{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the '
            'model is loaded with context length of only 4096 tokens"}',
        ),
        failure(429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000"),
    ],
)  # fmt: skip
def test_a_prompt_that_does_not_fit_is_too_long(server: ScriptedServer, folder: Path, said: Said) -> None:
    server.script = lambda _: said
    with pytest.raises(TooLong, match=r"prompt of about [0-9]+ tokens.*send less at once"):
        model_at(server, folder).complete(AS_JSON)
    assert len(server.asked) == 1


def test_a_prompt_that_fits_without_room_for_a_long_reply_is_asked_without_the_limit(
    server: ScriptedServer, folder: Path
) -> None:
    full = failure(400, "maximum context length is 4096 tokens. However, you requested 9000 tokens")
    server.script = lambda asked: full if "max_tokens" in asked.body else reply("yes")
    model = model_at(server, folder, most_tokens=8000)
    assert model.complete(PROMPT).text == "yes"
    model.complete(PROMPT)
    assert ["max_tokens" in asked.body for asked in server.asked] == [True, False, True, False]


def test_neither_key_nor_user_nor_query_is_in_an_error(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda asked: failure(
        400, f"no: {asked.key} {KEY} Bearer abcdef123456 AIzaSyA1234567890"
    )
    place = server.url.removeprefix("http://")
    endpoint = Endpoint(url=f"http://user:pass-word@{place}", key=KEY)
    with pytest.raises(Away) as raised:
        OpenAIModel("m", endpoint, folder, timing=ClockByHand().timing).complete(PROMPT)
    told = f"{raised.value} {raised.value!r} {raised.value.__cause__} {endpoint!r}"
    assert not [word for word in ("secret", "user", "pass-word", "abcdef", "AIza") if word in told]
    assert "http://...@127.0.0.1" in told
    written = [path.read_text() for path in folder.rglob("*") if path.is_file()]
    assert not [text for text in written if "secret" in text or "pass-word" in text]


def test_a_key_of_one_letter_takes_nothing_out_of_what_is_told(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda _: failure(503, "extra busy")
    model = OpenAIModel("m", Endpoint(url=server.url, key="x", tries_again=0), folder)
    with pytest.raises(Away, match="cannot be asked now, after 1 try: extra busy"):
        model.complete(PROMPT)


def test_a_query_of_the_address_is_not_shown() -> None:
    endpoint = Endpoint(url="https://x.example/v1?key=hidden", key=KEY)
    assert endpoint.shown == "https://x.example/v1"
    assert "hidden" not in endpoint.told("https://x.example/v1?key=hidden")


def test_an_address_that_is_none_is_incorrect(folder: Path) -> None:
    model = OpenAIModel("m", Endpoint(url="http://[broken", key=KEY), folder)
    with pytest.raises(Incorrect, match="OPENAI_BASE_URL"):
        model.complete(PROMPT)


def test_openai_itself_needs_a_key_and_offline_extraction_none(folder: Path) -> None:
    with pytest.raises(
        Missing, match=r"MEMSTRATA_LLM_MODEL = 'gpt-5-mini' needs a key: set OPENAI_API_KEY.*offline"
    ):
        OpenAIModel("gpt-5-mini", Endpoint(), folder).complete(PROMPT)


def test_all_tries_and_their_tokens_are_counted(server: ScriptedServer, folder: Path) -> None:
    server.instead.extend(
        [failure(500, "x"), reply("no json", usage=(10, 3)), reply('{"names": []}', usage=(20, 4))]
    )
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.retries, answer.input_tokens, answer.output_tokens) == (2, 30, 7)


def test_prompts_without_schema_ask_for_no_form(server: ScriptedServer, folder: Path) -> None:
    model_at(server, folder).complete(Prompt(system="s", user="u"))
    assert "response_format" not in server.asked[0].body
