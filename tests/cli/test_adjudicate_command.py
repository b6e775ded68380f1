"""`memstrata adjudicate` over HTTP: what it asks, tells, and lists."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from memstrata.language_models.scripted_server import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Memstrata

    from memstrata.language_models.scripted_server import Asked


def exclusive(asked: Asked) -> str:
    """Whatever is asked, only one can be true."""
    numbers = re.findall(r"^(\d+)\. ", asked.user, re.MULTILINE)
    told = [{"item": int(one), "reason": "one home", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(script=exclusive) as server:
        yield server


def lives(memstrata: Memstrata, place: str, *words: str) -> None:
    given = json.dumps({"subject": "Noor Haddad", "predicate": "settled_in", "object": place})
    done = memstrata("add", given, "--type", "fact_triple", "--time", "2024-05-02", *words)
    assert done.status == 0, done.err


@pytest.fixture
def conflict(memstrata: Memstrata) -> Memstrata:
    lives(memstrata, "Leeds")
    lives(memstrata, "Porto")
    assert memstrata("work", "--once").status == 0
    return memstrata


def test_without_a_model_it_says_which_variable_to_set(conflict: Memstrata) -> None:
    done = conflict("adjudicate")
    assert (done.status, "MEMSTRATA_LLM_MODEL" in done.err) == (2, True)


def test_what_was_asked_and_proposed_is_told_and_asked_once(
    conflict: Memstrata, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(server, monkeypatch)
    told = conflict("adjudicate")
    assert told.status == 0, told.err
    assert told.out.splitlines()[1].split() == [
        *("default", "Noor", "Haddad", "settled_in:", "2", "facts"),
        *("exclusive", "proposed", "one", "home"),
    ]
    assert "proposed in default: declare settled_in with cardinality one (one home)" in told.out
    again = json.loads(conflict("adjudicate", "--json").out)
    assert again["questions"] == []
    assert again["proposals"][0]["proposal"]["predicate"] == "settled_in"


def test_a_group_that_is_not_there_is_refused(
    conflict: Memstrata, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(server, monkeypatch)
    done = conflict("adjudicate", "--group", "nobody")
    assert (done.status, "there is no group 'nobody'" in done.err) == (2, True)


def test_a_reply_that_is_no_answer_leaves_the_question_and_is_told(
    conflict: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(script=lambda _: "I would rather talk of the weather.") as server:
        chosen(server, monkeypatch)
        done = conflict("adjudicate")
    assert done.status == 1
    assert "1 question without an answer; later passes ask again" in done.err
    with ScriptedServer(script=exclusive) as server:
        chosen(server, monkeypatch)
        assert "exclusive" in conflict("adjudicate").out


def chosen(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
