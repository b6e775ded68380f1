"""What errors of an endpoint may tell: what went wrong and what it took; no key, no secret, no prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from asking import AS_JSON, KEY, PROMPT, ClockByHand, model_at

from memstrata.endpoint import Endpoint
from memstrata.errors import Away, Effort, Fault, Incorrect, Missing, TooLong
from memstrata.language_models.echoes import ECHO, without_echo
from memstrata.language_models.openai_compatible import OpenAIModel
from memstrata.language_models.scripted_server import (
    Said,
    failure,
    hung_up,
    reply,
    slow,
)
from memstrata.ports import Finish, Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.errors import MemstrataError
    from memstrata.language_models.scripted_server import (
        ScriptedServer,
    )

OTHER_KEY = "Zq83hFw0Lm5vTt19Xc7RbNe2"
CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    "shown",
    [
        OTHER_KEY,
        f"{OTHER_KEY[:4]}****************{OTHER_KEY[-4:]}",
        f"{OTHER_KEY[:6]}...",
        f"...{OTHER_KEY[-4:]}",
        f"{OTHER_KEY[:3]}\u2026{OTHER_KEY[-3:]}",
        f"key={OTHER_KEY[2:14]}",
        f'"{OTHER_KEY[:8]}"',
    ],
)
def test_no_piece_of_a_key_is_told(shown: str) -> None:
    told = Endpoint(key=OTHER_KEY).told(f"Incorrect API key provided: {shown}. See the account page.")
    assert told.startswith("Incorrect API key provided: ")
    assert told.endswith("See the account page.")
    pieces = [OTHER_KEY[at : at + 3] for at in range(len(OTHER_KEY) - 2)]
    assert not [piece for piece in pieces if piece in told]


def test_what_is_no_key_is_told_as_it_is() -> None:
    said = "The model `gpt-4o-mini-2024-07-18` does not exist or you do not have access to it."
    assert Endpoint(key=OTHER_KEY).told(said) == said


@pytest.mark.parametrize(
    "said",
    [
        failure(401, f"Incorrect API key provided: {KEY[:9]}*****{KEY[-4:]}"),
        failure(400, f"bad request for {KEY}"),
        Said(status=400, body=f"cannot read {KEY[:20]}"),
        Said(status=200, body=f"{KEY} is what you sent"),
    ],
)
def test_a_key_that_the_server_repeats_is_in_no_error(
    server: ScriptedServer, folder: Path, said: Said
) -> None:
    server.script = lambda _: said
    with pytest.raises(Away) as raised:
        model_at(server, folder, tries_again=0).complete(PROMPT)
    assert "secret" not in str(raised.value)
    assert KEY[-4:] not in str(raised.value)


def test_a_prompt_that_the_server_repeats_is_in_no_error(server: ScriptedServer, folder: Path) -> None:
    text = 'Ann told Tom: "the password of the safe\nis tulip-77", and that they would meet at noon.'
    prompt = Prompt(system="You read.", user=text)
    for repeated in (text, json.dumps(text), repr(text), text[:60]):
        said = failure(422, f"value is not valid: {repeated} (type=str)")
        server.script = lambda asked, said=said: said if "Ann" in asked.user else reply("yes")
        with pytest.raises(Fault) as raised:
            model_at(server, folder, tries_again=0).complete(prompt)
        assert "value is not valid: " in str(raised.value)
        assert ECHO in str(raised.value)
        assert not [word for word in ("Ann", "tulip", "safe", "noon") if word in str(raised.value)]


def test_what_is_only_like_the_prompt_is_told() -> None:
    assert without_echo("the model is  loading", "the model is here") == "the model is loading"


@pytest.mark.parametrize("secret", [CARD, "AKIAQX7ZJ2LMN4PR8STU", "ghp_" + "q7W8e9R0" * 5])
def test_a_secret_in_an_error_is_withheld(server: ScriptedServer, folder: Path, secret: str) -> None:
    server.script = lambda _: failure(403, f"we do not serve the owner of {secret} here")
    with pytest.raises(Away, match="we do not serve the owner of") as raised:
        model_at(server, folder).complete(PROMPT)
    assert secret not in str(raised.value)


def test_a_refusal_by_a_filter_repeats_no_prompt(server: ScriptedServer, folder: Path) -> None:
    prompt = Prompt(system="You read.", user="Ann hid the whole of the treasure under the old oak.")
    server.script = lambda _: failure(400, f"blocked: {prompt.user}", code="content_filter")
    answer = model_at(server, folder).complete(prompt)
    assert (answer.finish, answer.text) == (Finish.REFUSED, f"blocked: {ECHO}")


@pytest.mark.parametrize(
    ("said", "family", "requests", "tokens"),
    [
        (failure(401, "no"), Away, 1, (0, 0)),
        (failure(429, "slow down", wait=90), Away, 1, (0, 0)),
        (failure(503, "busy"), Away, 3, (0, 0)),
        (hung_up(reply("a long reply that is broken off")), Away, 4, (0, 0)),  # and the probe
        (failure(413, "too much"), TooLong, 1, (0, 0)),
    ],
)
def test_an_error_tells_what_it_took(
    server: ScriptedServer,
    folder: Path,
    said: Said,
    family: type[MemstrataError],
    requests: int,
    tokens: tuple[int, int],
) -> None:
    server.script = lambda _: said
    with pytest.raises(family) as raised:
        model_at(server, folder, tries_again=2).complete(PROMPT)
    effort = raised.value.effort
    assert effort is not None
    assert (effort.requests, (effort.input_tokens, effort.output_tokens)) == (requests, tokens)
    assert len(server.asked) == requests
    assert effort.seconds > 0


def test_the_probe_and_what_it_took_count_too(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda asked: failure(500, "boom") if "Tom" in asked.user else reply("y", usage=(7, 1))
    with pytest.raises(Fault) as raised:
        model_at(server, folder, tries_again=0).complete(PROMPT)
    effort = raised.value.effort
    assert effort is not None
    assert (effort.requests, effort.input_tokens, effort.output_tokens) == (2, 7, 1)


def test_time_that_was_waited_for_in_vain_is_told(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda _: slow(reply("late"), 5.0)
    with pytest.raises(Away) as raised:
        model_at(server, folder, tries_again=0, seconds=0.2).complete(PROMPT)
    effort = raised.value.effort
    assert effort is not None
    assert effort.seconds >= 0.4  # the prompt's and the probe's


@pytest.mark.parametrize("key", ["sk-\u201cquoted\u201d-123456", "sk-abcdef\n123456", "sk-\0abcdef123456"])
def test_a_key_that_no_header_can_hold_is_set_up_wrong_and_not_told(
    server: ScriptedServer, folder: Path, key: str
) -> None:
    with pytest.raises(Incorrect, match="OPENAI_API_KEY holds a character that no key has") as raised:
        OpenAIModel("m", Endpoint(url=server.url, key=key), folder).complete(PROMPT)
    assert "123456" not in repr(raised.value)
    assert raised.value.__context__ is None


def test_where_nothing_was_asked_nothing_was_taken(folder: Path) -> None:
    with pytest.raises(Missing) as raised:
        OpenAIModel("m", Endpoint(), folder, timing=ClockByHand().timing).complete(AS_JSON)
    assert raised.value.effort is None
    assert Effort().requests == 0
