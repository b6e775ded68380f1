"""The language model as the Dagster resource passes it on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from dagster import EnvVar

from memstrata.language_models.scripted_server import ScriptedServer
from memstrata.ports import Prompt
from resources.memory import MemstrataResource

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("openai")


def test_what_the_resource_is_given_goes_before_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "of-the-environment")
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    monkeypatch.setenv("THE_KEY", "sk-of-the-resource")
    with ScriptedServer() as server:
        resource = MemstrataResource(
            home=str(tmp_path / "home"),
            llm_model="of-the-resource",
            openai_base_url=server.url,
            openai_api_key=EnvVar("THE_KEY"),
            llm_requests_per_minute=60_000,
        )
        resolved = resource.process_config_and_initialize()
        with resolved.opened() as installation:
            assert installation.model is not None
            installation.model.complete(Prompt(system="s", user="u"))
    assert (server.asked[0].body["model"], server.asked[0].key) == (
        "of-the-resource",
        "Bearer sk-of-the-resource",
    )
    shown = f"{resource!r} {resource} {resolved!r} {resolved}"
    assert not [secret for secret in ("sk-of-the-resource", server.url) if secret in shown]
    assert list((tmp_path / "home" / "language_models").glob("limits-*.json"))


def test_what_it_is_not_given_is_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    monkeypatch.delenv("MEMSTRATA_LLM_MODEL", raising=False)
    with MemstrataResource(home=str(tmp_path / "home")).opened() as installation:
        assert installation.model is None
