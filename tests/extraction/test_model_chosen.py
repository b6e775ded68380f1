from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Misplaced
from memstrata.extraction.model import ModelExtractor
from memstrata.extraction.model.asking import Books
from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.settings import install, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.ports import Installation

pytest.importorskip("openai")


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "a-model")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    return monkeypatch


def installed() -> Installation:
    return install(load_settings())


def test_a_model_that_is_set_extracts_and_another_is_another_version(chosen: pytest.MonkeyPatch) -> None:
    first = installed()
    assert isinstance(first.extractor, ModelExtractor)
    assert first.replies is not None
    assert first.calls is first.budget is not None
    chosen.setenv("MEMSTRATA_LLM_MODEL", "b-model")
    assert installed().extractor.version != first.extractor.version
    chosen.setenv("MEMSTRATA_LLM_SECOND_MODEL", "a-model")
    assert installed().extractor.version != first.extractor.version


def test_no_address_with_its_password_is_in_what_calls_are_noted_by() -> None:
    assert "pass-word" not in repr(Books(parameters="http://someone:pass-word@127.0.0.1/v1 0.0"))


def test_without_a_model_extraction_is_offline(chosen: pytest.MonkeyPatch) -> None:
    chosen.delenv("MEMSTRATA_LLM_MODEL")
    assert isinstance(installed().extractor, OfflineExtractor)


def test_an_ontology_that_cannot_be_read_is_told_with_its_line(
    chosen: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "ontology.yaml").write_text("relations:\n  - {nam: knows}\n")
    chosen.setenv("MEMSTRATA_ONTOLOGY", "ontology.yaml")
    with pytest.raises(Misplaced, match=r"ontology.yaml, line 2"):
        installed()
