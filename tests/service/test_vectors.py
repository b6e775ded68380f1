"""Whatever is written over REST gets its vector soon, without a pass."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from fastapi.testclient import TestClient
from serving_world import ADA, LOCAL, LOCAL_URL

from memstrata.errors import Fault
from memstrata.ports import VectorModel
from memstrata.service.app import application
from memstrata.service.embedding import Bell, Embedding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from serving_world import Serving

    from memstrata.ports import Vectors


class LengthEmbedder:
    """A vector by the length of a text; away at first, as often as it is told."""

    model = VectorModel(name="length", dimension=4, engine="by hand")

    def __init__(self, away: int = 0) -> None:
        self.away = away

    def passages(self, texts: Sequence[str]) -> Vectors:
        if self.away:
            self.away -= 1
            raise Fault("the model is away")
        table = np.array([[1.0, len(text), 0.0, 0.0] for text in texts], np.float32)
        return np.asarray(table / np.linalg.norm(table, axis=1, keepdims=True), np.float32)

    queries = passages


def _until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


@pytest.fixture
def embedding(serving: Serving) -> Iterator[TestClient]:
    installation = replace(serving.installation, embedder=LengthEmbedder())
    app = application(installation, serving.home)
    with TestClient(app, base_url=LOCAL_URL, client=LOCAL) as client:
        yield client


def test_what_a_waiting_write_has_committed_gets_vectors_by_itself(
    serving: Serving, embedding: TestClient
) -> None:
    assert embedding.post("/v1/episodes", json={"episodes": [ADA], "wait": True}).status_code == 201
    graph = serving.installation.graph
    assert _until(lambda: all(one.facts_without_vector == 0 for one in graph.counts()))
    assert sum(one.facts for one in graph.counts()) == 1


def test_an_embedder_that_was_away_is_tried_again_with_the_next_write(
    serving: Serving, client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})  # nothing embeds here
    embedder = LengthEmbedder(away=1)
    with closing(Embedding(replace(serving.installation, embedder=embedder))) as vectors:
        vectors.want()
        assert _until(lambda: embedder.away == 0)
        graph = serving.installation.graph
        assert any(one.facts_without_vector for one in graph.counts())
        vectors.want()
        assert _until(lambda: all(one.facts_without_vector == 0 for one in graph.counts()))
    said = capsys.readouterr().err
    assert '"not embedded"' in said
    assert "Ada" not in said


def test_a_bell_tells_when_it_was_rung_and_costs_nobody_a_write(tmp_path: Path) -> None:
    bell = Bell(tmp_path / "bell")
    assert bell.rung_at() == 0
    bell.want()
    first = bell.rung_at()
    time.sleep(0.02)
    bell.want()
    assert bell.rung_at() > first > 0
    Bell(tmp_path / "no" / "folder").want()
