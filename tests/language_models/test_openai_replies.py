"""What the adapter makes of replies, with the real package against a real server on loopback."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from asking import AS_JSON, KEY, PROMPT, model_at

from memstrata.errors import Away, Fault
from memstrata.language_models.scripted_server import (
    Said,
    completion,
    failure,
    page_of_html,
    refusal,
    reply,
    tool_calls,
)
from memstrata.ports import Finish, Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from asking import ClockByHand

    from memstrata.language_models.scripted_server import ScriptedServer

NAMES = '{"names": ["Tom", "Ann"]}'


def test_a_reply_has_its_text_and_what_it_took(server: ScriptedServer, folder: Path) -> None:
    server.instead.append(reply("Yes.", usage=(31, 2)))
    answer = model_at(server, folder).complete(PROMPT)
    assert (answer.text, answer.finish) == ("Yes.", Finish.WHOLE)
    assert (answer.input_tokens, answer.output_tokens, answer.retries) == (31, 2, 0)
    assert answer.seconds > 0


def test_the_key_the_model_and_both_parts_of_the_prompt_are_sent(
    server: ScriptedServer, folder: Path
) -> None:
    model_at(server, folder).complete(PROMPT)
    (asked,) = server.asked
    assert (asked.path, asked.key, asked.body["model"]) == (
        "/v1/chat/completions",
        f"Bearer {KEY}",
        "a-model",
    )
    assert asked.body["messages"] == [
        {"role": "system", "content": "You read."},
        {"role": "user", "content": "Tom met Ann."},
    ]
    assert (asked.body["temperature"], asked.body["seed"]) == (0.0, 0)


def test_the_smaller_limit_of_tokens_is_sent(server: ScriptedServer, folder: Path) -> None:
    model = model_at(server, folder, most_tokens=100)
    model.complete(Prompt(system="s", user="u", most_tokens=50))
    model.complete(Prompt(system="s", user="u", most_tokens=500))
    model.complete(PROMPT)
    assert [asked.body["max_tokens"] for asked in server.asked] == [50, 100, 100]


def test_a_lone_surrogate_is_sent_as_what_servers_take(server: ScriptedServer, folder: Path) -> None:
    model_at(server, folder).complete(Prompt(system="s", user="a\ud800b"))
    assert server.asked[0].user == "a?b"


def test_a_reply_at_the_limit_of_tokens_is_cut_off(server: ScriptedServer, folder: Path) -> None:
    server.instead.append(reply('{"names": ["Tom", "A', finish="length"))
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish) == ('{"names": ["Tom", "A', Finish.CUT_OFF)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (refusal("I cannot help with that."), "I cannot help with that."),
        (reply("", finish="content_filter"), "finish_reason content_filter"),
        (reply("half a", finish="content_filter: SAFETY"), "half a"),
        (
            failure(400, "The prompt triggered the content management policy", code="content_filter"),
            "The prompt triggered the content management policy",
        ),
    ],
)
def test_a_refusal_is_told_as_one(server: ScriptedServer, folder: Path, said: Said, text: str) -> None:
    server.instead.append(said)
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish) == (text, Finish.REFUSED)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "said",
    [
        tool_calls(NAMES),
        tool_calls(NAMES, NAMES, NAMES),
        completion([{"content": NAMES}, {"content": '{"names": []}'}]),
        completion(
            [{"content": [{"type": "text", "text": NAMES[:9]}, {"type": "text", "text": NAMES[9:]}]}]
        ),
        reply(f"<think>Tom? {{}}\nAnn?</think>\n\n{NAMES}"),
        reply(f"Tom? {{}} Ann?</think>{NAMES}"),
        reply(f"[THINK]Tom? {{}}\nAnn?[/THINK]\n{NAMES}"),
        reply(f"```json\n{NAMES}\n```"),
        reply(f"Here it is:\n{NAMES}\nAnything else?"),
    ],
)
def test_the_json_is_found_in_whatever_is_around_it(
    server: ScriptedServer, folder: Path, said: Said
) -> None:
    server.instead.append(said)
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish, len(server.asked)) == (NAMES, Finish.WHOLE, 1)


def test_a_quote_of_a_thought_in_the_json_stays(server: ScriptedServer, folder: Path) -> None:
    said = '{"names": ["<think>", "a</think>b"]}'
    server.instead.append(reply(said))
    assert model_at(server, folder).complete(AS_JSON).text == said


def test_a_thought_that_never_ended_leaves_nothing(server: ScriptedServer, folder: Path) -> None:
    server.instead.append(reply('<think>Well, {"names"', finish="length"))
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish) == ("", Finish.CUT_OFF)


@pytest.mark.parametrize("said", ['{"a":' * 5_000, f'{{"names": {"[" * 5_000}', "x " * 50_000])
def test_a_model_that_is_stuck_has_replied(server: ScriptedServer, folder: Path, said: str) -> None:
    """Whoever asked makes of it what can be made; it is no error of the program, nor long to read."""
    server.instead.append(reply(said, finish="length"))
    began = time.process_time()
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish) == (said.strip(), Finish.CUT_OFF)
    assert time.process_time() - began < 1


def test_an_empty_reply_is_an_empty_reply(server: ScriptedServer, folder: Path) -> None:
    server.instead.append(reply(""))
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.finish, len(server.asked)) == ("", Finish.WHOLE, 1)


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": "many", "completion_tokens": -1}, 7])
def test_what_is_not_counted_is_estimated(server: ScriptedServer, folder: Path, usage: Any) -> None:
    body = json.loads(reply("x" * 40, usage=None).body)
    server.instead.append(Said(body=json.dumps({**body, "usage": usage})))
    answer = model_at(server, folder).complete(Prompt(system="s" * 40, user="u" * 39))
    assert 19 <= answer.input_tokens <= 22
    assert answer.output_tokens == 10


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (Said(body="{'not': json}"), "what is no JSON"),
        (Said(body='{"choices": ['), "what is no JSON"),
        (Said(body="[" * 5_000), "what is no JSON"),
        (page_of_html(200), "what is no JSON"),
        (Said(body="[1, 2]"), "what is no chat completion"),
        (Said(body='{"choices": {}}'), "what is no chat completion"),
        (Said(body='{"choices": [{"message": "hello"}]}'), "what is no chat completion"),
        (Said(body='{"choices": [{"message": {"content": 5}}]}'), "what is no chat completion"),
        (Said(body='{"choices": []}'), "without a choice"),
        (tool_calls('{"names": []}', '{"names": ["Tom"]}'), "2 different tool calls"),
    ],
)
def test_what_cannot_be_a_reply_is_asked_for_again_and_then_this_prompts_fault(
    server: ScriptedServer, folder: Path, said: Said, says: str
) -> None:
    server.script = lambda asked: said if "Tom" in asked.user else reply("yes")
    with pytest.raises(Fault, match=says) as raised:
        model_at(server, folder, tries_again=2).complete(AS_JSON)
    assert not isinstance(raised.value, Away)
    assert len(server.asked) == 4  # the last asks whether it is the prompt


def test_what_cannot_be_a_reply_to_anything_is_away(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    server.script = lambda _: page_of_html(200)
    with pytest.raises(Away, match=r"what is no JSON: '<html>.*OPENAI_BASE_URL"):
        model_at(server, folder, clock=clock).complete(AS_JSON)


def test_a_reply_is_right_after_wrong_ones(server: ScriptedServer, folder: Path) -> None:
    server.instead.extend([Said(body="{"), Said(body='{"choices": 3}'), reply(NAMES)])
    answer = model_at(server, folder).complete(AS_JSON)
    assert (answer.text, answer.retries) == (NAMES, 2)
