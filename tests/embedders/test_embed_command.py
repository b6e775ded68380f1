"""`memstrata embed`, from the command line, with two models behind a real server."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from embeddings_server import Answer, error_body, serving

from memstrata.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from embeddings_server import EmbeddingsServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("openai") is None, reason="openai is not installed (memstrata[openai])"
    ),
]

TRIPLE = '{"subject": "Ada", "predicate": "plays", "object": "chess"}'


@dataclass(slots=True, kw_only=True)
class CommandLine:
    """Calls the command line in a folder of its own, with one model or the other."""

    server: EmbeddingsServer
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *words: str, model: str = "one") -> tuple[int, str]:
        self.monkeypatch.setenv("MEMSTRATA_EMBEDDER", f"openai:{model}")
        self.monkeypatch.setattr(sys, "argv", ["memstrata", *words])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = self.capsys.readouterr()
        return int(ended.value.code or 0), said.out + said.err

    def json(self, *words: str, model: str = "one") -> Any:
        status, said = self(*words, "--json", model=model)
        assert status == 0, said
        return json.loads(said)


@pytest.fixture
def memstrata(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[CommandLine]:
    for name in [name for name in os.environ if name.startswith(("MEMSTRATA_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        call = CommandLine(server=server, capsys=capsys, monkeypatch=monkeypatch)
        call("add", TRIPLE, "--type", "fact_triple", "--time", "2024-05-01")
        status, said = call("work", "--once")
        assert status == 0, said
        yield call


def test_after_a_pass_nothing_is_missing(memstrata: CommandLine) -> None:
    assert memstrata.json("embed", "--dry-run")["without_vector"]["fact"] == 0
    assert memstrata("embed") == (0, "embedded 0 texts with one (8 dimensions)\n")


def test_another_model_is_refused_until_it_is_asked_to_replace_the_first(memstrata: CommandLine) -> None:
    status, said = memstrata("embed", model="two")
    assert status == 2
    assert "memstrata embed --switch" in said
    planned = memstrata.json("embed", "--switch", "--dry-run", model="two")
    assert planned["dropped"]["name"] == "one"
    assert planned["without_vector"]["fact"] == 1
    assert memstrata.json("status")["vectors"]["name"] == "one"
    done = memstrata.json("embed", "--switch", model="two")
    assert done["dropped"]["name"] == "one"
    assert done["embedded"] >= 3
    assert memstrata.json("status")["vectors"]["name"] == "two"
    assert memstrata.json("embed", "--switch", model="two")["dropped"] is None


def test_search_answers_by_words_and_says_so_while_the_model_differs(memstrata: CommandLine) -> None:
    found = memstrata.json("search", "chess", model="two")
    assert found["facts"]
    assert any("words alone" in note and "--switch" in note for note in found["notes"])


def test_a_model_that_is_not_there_costs_no_vectors(memstrata: CommandLine) -> None:
    memstrata.server.instead.extend([Answer(status=404, body=error_body("no such model"))] * 2)
    status, said = memstrata("embed", "--switch", model="two")
    assert (status, "check MEMSTRATA_EMBEDDER" in said) == (4, True)
    assert memstrata.json("status")["vectors"]["name"] == "one"


def test_a_pass_with_another_model_commits_and_says_that_nothing_was_embedded(
    memstrata: CommandLine,
) -> None:
    memstrata(
        "add", TRIPLE.replace("Ada", "Grace"), "--type", "fact_triple", "--time", "2024-05-02", model="two"
    )
    status, said = memstrata("work", "--once", model="two")
    assert status == 1
    assert "nothing more was embedded" in said
    assert "1 fact believed" in said


def test_without_an_embedder_there_is_nothing_to_embed_with(
    memstrata: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["memstrata", "embed"])
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 4
