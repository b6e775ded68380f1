"""What endpoints repeat and models invent of secrets is in nothing that the home keeps, nor in any report.

The episodes themselves hold none here: what a user says is kept as it is said.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.language_models.scripted_server import ScriptedServer, failure, refusal, reply
from memstrata.model import Draft, Extraction, SourceType, TimeSource
from memstrata.ports import Days, ListedBy
from memstrata.settings import load_settings, opened
from memstrata.workflow.costs import costs
from memstrata.workflow.estimate import estimate_waiting
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import accept
from memstrata.workflow.reextract import run_candidate
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memstrata.language_models.scripted_server import Asked, Said
    from memstrata.ports import Installation

pytest.importorskip("openai")

KEY = "Zq83hFw0Lm5vTt19Xc7RbNe2"
PASSWORD = "periwinkle-Tango"  # noqa: S105 (made up)
CARD = "4111111111111111"
TOLD = (KEY, KEY[:5], KEY[-5:], PASSWORD, CARD)
TEXT = "Noor lives in Leeds."
LIVES: dict[str, Any] = {
    "subject": "Noor",
    "predicate": "lives_in",
    "object": "Leeds",
    "fact": "Noor lives in Leeds",
    "kind": "holds",
    "evidence": "Noor lives in Leeds",
    "confidence": 0.9,
}
SECRET = LIVES | {"predicate": "password", "object": PASSWORD, "fact": f"Noor has the password {PASSWORD}"}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def memory(tmp_path: Path, server: ScriptedServer) -> Iterator[Installation]:
    settings = load_settings(
        MEMSTRATA_HOME=tmp_path / "home",
        MEMSTRATA_EMBEDDER="none",
        MEMSTRATA_LLM_MODEL="m",
        MEMSTRATA_LLM_RETRIES=0,
        OPENAI_BASE_URL=server.url,
        OPENAI_API_KEY=KEY,
    )
    with opened(settings) as installation:
        draft = Draft(
            group_id="g",
            source="test",
            source_type=SourceType.TEXT,
            content=TEXT,
            reference_time=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=1),
            time_source=TimeSource.OWN,
            native_id="1",
        )
        list(accept(installation, [draft]))
        yield installation


def said(*assertions: object, entities: object = ({"name": "Noor"}, {"name": "Leeds"})) -> Said:
    return reply(json.dumps({"entities": entities, "assertions": assertions}))


def in_the_home(home: Path, *secrets: str) -> list[tuple[str, str]]:
    """Which of them stand in which file, whatever its form."""
    found = []
    for path in sorted(one for one in home.rglob("*") if one.is_file()):
        held = path.read_bytes()
        if path.suffix == ".parquet":
            held += pl.read_parquet(path, hive_partitioning=False).write_json().encode()
        found += [(path.name, secret) for secret in secrets if secret.encode() in held]
    return found


def repeating_the_key(asked: Asked) -> Said:
    return failure(401, f"Incorrect API key provided: {KEY[:5]}*****{KEY[-5:]} ({asked.key})")


def repeating_all(asked: Asked) -> Said:
    if TEXT not in asked.user:
        return reply("yes")  # so it is the prompt that cannot be answered
    return failure(422, f"{asked.key} said: {asked.user}; the card {CARD}, the password is {PASSWORD}")


def no_json(_: Asked) -> Said:
    return reply(f'Sure! [{{"subject": "Noor", "predicate": "password", "object": "{PASSWORD}"}}] {CARD}')


def refusing(_: Asked) -> Said:
    return refusal(f"I will not repeat that Noor's password is {PASSWORD} and her card {CARD}.")


def a_wrong_item(asked: Asked) -> Said:
    """An item that nothing can be made of, whose repair is no better."""
    wrong = {"predicate": "password", "object": PASSWORD, "card": CARD}
    return said(LIVES, wrong | ({"item": 1} if "cannot stand" in asked.user else {}))


def a_withdrawn_item(asked: Asked) -> Said:
    """An item whose evidence is nowhere, and that is left out when it is asked for again."""
    made_up = SECRET | {"evidence": f"her password was {PASSWORD}"}
    return said() if "cannot stand" in asked.user else said(LIVES, made_up)


def an_attribute(_: Asked) -> Said:
    attributes = [{"name": "password", "value": PASSWORD}, {"name": "card", "value": CARD}]
    return said(LIVES, entities=[{"name": "Noor", "attributes": attributes}, {"name": "Leeds"}])


def an_assertion(_: Asked) -> Said:
    return said(LIVES, SECRET)


def of_all_together(_: Asked) -> Said:
    """No word of it is a secret alone: the relation makes it one."""
    return said(LIVES, SECRET | {"predicate": "has password", "fact": f"Noor uses {PASSWORD}"})


EVERY = [
    repeating_the_key,
    repeating_all,
    no_json,
    refusing,
    a_wrong_item,
    a_withdrawn_item,
    an_attribute,
    an_assertion,
    of_all_together,
]


@pytest.mark.parametrize("script", EVERY, ids=lambda one: str(one.__name__))
def test_no_secret_is_kept_or_reported(
    memory: Installation, server: ScriptedServer, tmp_path: Path, script: Callable[[Asked], Said]
) -> None:
    server.script = script
    reports: list[object] = [work(memory) for _ in range(7)]
    reports += [memory.record.letters(), costs(memory, [ListedBy.MODEL])]
    days = Days()
    reports += [estimate_waiting(memory), run_candidate(memory, days=days)]
    memory.close()
    assert server.asked
    assert in_the_home(tmp_path / "home", *TOLD) == []
    assert not [one for one in TOLD if one in repr(reports)]


def test_a_reply_without_a_secret_is_kept_and_one_with_a_secret_is_asked_for_again(
    memory: Installation, server: ScriptedServer
) -> None:
    compact(memory)
    waiting = [(one, ()) for one in memory.record.awaiting(limit=9)]
    for script, asked in ((an_assertion, 2), (lambda _: said(LIVES), 3)):
        server.script = script
        for _ in range(2):
            (found,) = memory.extractor.extract_all(waiting)
            assert isinstance(found, Extraction)
            assert [one.predicate for one in found.assertions] == ["lives_in"]
        assert costs(memory).total.calls == asked


def test_what_breaks_an_extractor_is_told_without_the_secret_in_it(memory: Installation) -> None:
    class Breaking(OfflineExtractor):
        def extract_all(self, items: object) -> Iterator[Extraction]:
            raise ValueError(f"cannot split 'the password is {PASSWORD}'")

    compact(memory)
    found = extract(replace(memory, extractor=Breaking()))
    assert found.failed == 1
    assert found.reason == "ValueError: cannot split 'the password is (withheld)'"
