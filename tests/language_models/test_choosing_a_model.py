"""Which language model the settings choose, and what they say when they cannot."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.errors import Incorrect, Missing
from memstrata.language_models.scripted_server import ScriptedServer
from memstrata.ports import Prompt
from memstrata.settings import load_settings, open_model, opened

if TYPE_CHECKING:
    from pathlib import Path

with_openai = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="openai is not installed (memstrata[openai])"
)


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MEMSTRATA_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_none_is_named_and_none_is_opened() -> None:
    assert open_model(load_settings()) is None


@pytest.mark.parametrize(
    ("given", "name"),
    [("gpt-5-mini", "gpt-5-mini"), ("openai:gpt-5-mini", "gpt-5-mini"), ("llama3.2:3b", "llama3.2:3b")],
)
def test_a_model_is_named_as_its_endpoint_names_it(given: str, name: str) -> None:
    model = open_model(load_settings(MEMSTRATA_LLM_MODEL=given, OPENAI_API_KEY="k"))
    assert model is not None
    assert model.name == name


@with_openai
def test_without_key_and_address_the_error_says_which_and_that_offline_needs_none() -> None:
    model = open_model(load_settings(MEMSTRATA_LLM_MODEL="gpt-5-mini"))
    assert model is not None
    with pytest.raises(Missing, match=r"OPENAI_API_KEY.*OPENAI_BASE_URL.*offline extraction needs neither"):
        model.complete(Prompt(system="s", user="u"))


def test_a_name_without_a_model_is_refused() -> None:
    with pytest.raises(Incorrect, match="'openai:' names no model; expected MODEL or openai:MODEL"):
        open_model(load_settings(MEMSTRATA_LLM_MODEL="openai:"))


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    model = open_model(load_settings(MEMSTRATA_LLM_MODEL="m", OPENAI_API_KEY="k"))
    assert model is not None
    with pytest.raises(Missing, match=r"pip install 'memstrata\[openai\]'"):
        model.complete(Prompt(system="s", user="u"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMSTRATA_LLM_TIMEOUT", 0),
        ("MEMSTRATA_LLM_RETRIES", -1),
        ("MEMSTRATA_LLM_TIMEOUT", "inf"),
        ("MEMSTRATA_LLM_MAX_WAIT", -1),
        ("MEMSTRATA_LLM_MAX_WAIT", "inf"),
        ("MEMSTRATA_LLM_CONCURRENCY", 0),
        ("MEMSTRATA_LLM_TEMPERATURE", 3),
        ("MEMSTRATA_LLM_MAX_OUTPUT_TOKENS", 0),
        ("MEMSTRATA_LLM_REQUESTS_PER_MINUTE", 0),
        ("MEMSTRATA_LLM_TOKENS_PER_MINUTE", "many"),
    ],
)
def test_a_setting_out_of_bounds_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(Incorrect, match=f"{name} = "):
        load_settings(**{name: value})


def test_an_empty_variable_sets_nothing_where_nothing_may_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("REQUESTS_PER_MINUTE", "TOKENS_PER_MINUTE", "MAX_OUTPUT_TOKENS", "TEMPERATURE")
    for name in (*(f"MEMSTRATA_LLM_{name}" for name in names), "MEMSTRATA_ONTOLOGY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "")
    read = load_settings()
    assert {getattr(read, f"llm_{name.lower()}") for name in names} == {None}
    assert (read.ontology, read.openai_api_key) == (None, None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a\n", "memstrata.yaml, line 1: expected settings"),
        ("MEMSTRATA_LLM_MODEL: [x\n", "memstrata.yaml, line 2: not YAML"),
        ("MEMSTRATA_LLM_MODEL: a\nMEMSTRATA_LLM_MODEL: b\n", "line 2, MEMSTRATA_LLM_MODEL: said twice"),
        ("\x00", "memstrata.yaml: not YAML"),
        ("? [a, b]\n: c\n", "line 1: expected the name of a setting"),
        ("# mine\n1: c\n", "line 2: expected the name of a setting"),
        ("llm_modle: a\n", "llm_modle is no setting"),
    ],
)
def test_a_file_of_settings_that_is_none_is_refused_with_its_line(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "memstrata.yaml").write_text(text)
    with pytest.raises(Incorrect, match=says):
        load_settings()


@with_openai
def test_the_yaml_file_chooses_and_the_environment_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer() as server:
        (tmp_path / "memstrata.yaml").write_text(
            f"MEMSTRATA_LLM_MODEL: of-the-file\nOPENAI_BASE_URL: {server.url}\n"
            "MEMSTRATA_LLM_MAX_OUTPUT_TOKENS: 77\nMEMSTRATA_LLM_TEMPERATURE: null\n"
            "MEMSTRATA_EMBEDDER: none\n"
        )
        monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "of-the-environment")
        with opened(load_settings()) as installation:
            assert installation.model is not None
            installation.model.complete(Prompt(system="s", user="u"))
    asked = server.asked[0].body
    assert (asked["model"], asked["max_tokens"], "temperature" in asked) == (
        "of-the-environment",
        77,
        False,
    )


@with_openai
def test_rates_are_shared_by_what_has_one_home(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        settings = load_settings(
            MEMSTRATA_HOME=tmp_path / "home",
            MEMSTRATA_LLM_MODEL="m",
            OPENAI_BASE_URL=server.url,
            MEMSTRATA_LLM_REQUESTS_PER_MINUTE=300,
        )
        for model in (open_model(settings), open_model(settings), open_model(settings)):
            assert model is not None
            model.complete(Prompt(system="s", user="u"))
    first, _, last = (asked.at for asked in server.asked)
    assert last - first >= 0.35
