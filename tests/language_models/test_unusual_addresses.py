"""Addresses with a query, a user or blanks: asked as they should be, and in no log."""

from __future__ import annotations

import base64
import importlib.util
import logging
from typing import TYPE_CHECKING

import pytest
from asking import KEY, PROMPT, ClockByHand

from memstrata.endpoint import Endpoint
from memstrata.errors import Away
from memstrata.language_models.openai_compatible import OpenAIModel
from memstrata.language_models.scripted_server import failure
from memstrata.ports import Prompt
from memstrata.settings import load_settings, open_model

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.language_models.scripted_server import ScriptedServer

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="openai is not installed (memstrata[openai])"
)


def model_behind(address: str, folder: Path) -> OpenAIModel:
    return OpenAIModel("m", Endpoint(url=address, key=KEY), folder, timing=ClockByHand().timing)


@pytest.mark.parametrize("end", ["?api-version=2024-10-21", "/?api-version=2024-10-21"])
def test_a_query_stays_behind_the_path(server: ScriptedServer, folder: Path, end: str) -> None:
    model_behind(server.url + end, folder).complete(PROMPT)
    assert server.asked[0].path == "/v1/chat/completions?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("user", "sent"), [("some%40one:pass-word", b"some@one:pass-word"), ("a-token", b"a-token:")]
)
def test_a_user_and_a_password_are_sent_in_the_header(
    server: ScriptedServer, folder: Path, user: str, sent: bytes
) -> None:
    address = server.url.replace("://", f"://{user}@")
    model_behind(address, folder).complete(PROMPT)
    assert server.asked[0].key == f"Basic {base64.b64encode(sent).decode()}"


def test_neither_user_nor_query_is_logged_by_what_asks(
    server: ScriptedServer, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    address = server.url.replace("://", "://someone:pass-word@") + "?code=hidden-query"
    model_behind(address, folder).complete(PROMPT)
    told = "\n".join(record.getMessage() for record in caplog.records)
    assert "/v1/chat/completions?..." in told
    assert not [word for word in ("someone", "pass-word", "hidden-query", KEY) if word in told]


def test_a_header_that_the_server_repeats_is_in_no_error(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda asked: failure(401, f"you sent {asked.key}")
    with pytest.raises(Away, match=r"you sent Basic \.\.\.") as raised:
        model_behind(server.url.replace("://", "://someone:pass-word@"), folder).complete(PROMPT)
    assert base64.b64encode(b"someone:pass-word").decode() not in str(raised.value)


def test_blanks_around_an_address_are_left_out(server: ScriptedServer, tmp_path: Path) -> None:
    settings = load_settings(
        MEMSTRATA_HOME=tmp_path, MEMSTRATA_LLM_MODEL="m", OPENAI_BASE_URL=f" {server.url} \n"
    )
    model = open_model(settings)
    assert model is not None
    assert model.complete(Prompt(system="s", user="u")).text == "yes"
