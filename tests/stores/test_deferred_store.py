from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Fault, MemstrataError
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.settings import load_settings, opened
from memstrata.stores.deferred import DeferredGraph
from memstrata.stores.memory import MemoryGraph
from memstrata.workflow.intake import accept

if TYPE_CHECKING:
    from pathlib import Path


class Places:
    """Opens a store on the second try."""

    def __init__(self) -> None:
        self.tried = 0

    def open(self) -> MemoryGraph:
        self.tried += 1
        if self.tried == 1:
            raise Fault("not yet")
        return MemoryGraph()


def test_a_store_is_opened_by_its_first_question_and_once() -> None:
    places = Places()
    graph = DeferredGraph(places.open)
    assert places.tried == 0
    with pytest.raises(Fault, match="not yet"):
        graph.counts()
    assert graph.counts() == ()
    assert graph.last_seq("g") == 0
    assert places.tried == 2


def test_closing_what_was_never_opened_opens_nothing() -> None:
    places = Places()
    DeferredGraph(places.open).close()
    assert places.tried == 0


@pytest.fixture
def text() -> Draft:
    return Draft(
        group_id="g",
        source="test",
        source_type=SourceType.TEXT,
        content="Tom works at Acme.",
        reference_time=datetime(2024, 1, 1, tzinfo=UTC),
        time_source=TimeSource.OWN,
    )


@pytest.mark.parametrize("store", ["bolt://127.0.0.1:9", "sqlite:////no/such/folder/graph.db"])
def test_the_door_accepts_while_the_graph_cannot_be_had(store: str, tmp_path: Path, text: Draft) -> None:
    settings = load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none", MEMSTRATA_STORE=store)
    with opened(settings) as installation:
        (accepted,) = accept(installation, [text])
        assert len(accepted.episode_ids) == 1
        assert sum(installation.record.spooled().values()) > 0
        with pytest.raises(MemstrataError, match=r"answers at|cannot open"):
            installation.graph.counts()
