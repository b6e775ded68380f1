"""What fails by the form of a reply is asked again by later passes: few times, ever further apart."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memstrata import intake
from memstrata.extraction.model import Manner, ModelExtractor
from memstrata.language_models.scripted import ScriptedModel
from memstrata.settings import load_settings, opened
from memstrata.workflow.extract import extract, extract_among
from memstrata.workflow.intake import accept
from memstrata.workflow.steady import Steady
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import Installation, Prompt

AT = datetime(2025, 3, 1, tzinfo=UTC)


class Clumsy:
    """Gives an item of a wrong shape so many times, beside one that stands; then both as they should be."""

    def __init__(self, wrong: int) -> None:
        self.wrong = wrong
        self.asked = 0

    def __call__(self, prompt: Prompt) -> str:
        self.asked += 1
        second = item("Tomas", "Porto", "Tomas lives in Porto")
        if self.wrong:
            self.wrong -= 1
            second |= {"kind": 7}
        if "items of your reply" in prompt.user:
            return json.dumps({"entities": [], "assertions": [second | {"item": 1}]})
        return json.dumps(
            {"entities": [], "assertions": [item("Noor", "Leeds", "Noor lives in Leeds"), second]}
        )


def item(who: str, where: str, said: str) -> dict[str, object]:
    return {
        "subject": who,
        "predicate": "lives_in",
        "object": where,
        "fact": said,
        "kind": "holds",
        "evidence": said,
        "confidence": 0.9,
    }


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Installation]:
    with opened(load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")) as installation:
        yield installation


def told(home: Installation, model: Clumsy) -> Installation:
    installation = replace(
        home, extractor=ModelExtractor(ScriptedModel(model), manner=Manner(most_shared=1))
    )
    options = intake.Options(group_id="g", reference_time=AT)
    text = "Noor lives in Leeds. Tomas lives in Porto."
    for _ in accept(installation, [intake.read_text(text, options, episode_id="e")]):
        pass
    return installation


def facts(installation: Installation) -> list[str]:
    return sorted(fact.fact for fact in installation.graph.all_facts("g"))


def test_an_item_that_could_not_be_read_twice_is_asked_for_again_by_the_next_pass(
    home: Installation,
) -> None:
    model = Clumsy(wrong=2)
    installation = told(home, model)
    first = work(installation).extracted
    assert (first.episodes, first.failed, model.asked) == (0, 1, 2)
    assert "fits_the_schema" in first.reason
    assert work(installation).extracted.episodes == 1
    assert facts(installation) == ["Noor lives in Leeds", "Tomas lives in Porto"]
    assert installation.record.letters("g") == ()


def test_after_the_last_attempt_the_good_items_are_kept_and_the_bad_one_waits_for_a_person(
    home: Installation,
) -> None:
    model = Clumsy(wrong=10**6)
    installation = told(home, model)
    passes = [work(installation).extracted for _ in range(7)]
    assert [one.failed for one in passes] == [1, 1, 1, 1, 1, 0, 0]
    assert [one.episodes for one in passes] == [0, 0, 0, 0, 0, 1, 0]
    assert model.asked == 2 * 6
    assert facts(installation) == ["Noor lives in Leeds"]
    assert installation.record.letters("g") == ()


def test_whoever_waits_gets_what_there_is_at_once(home: Installation) -> None:
    installation = told(home, Clumsy(wrong=2))
    compact(installation)
    assert extract_among(installation, "g", ["e"]).assertions == 1


def test_a_worker_pauses_longer_after_each_failure(home: Installation) -> None:
    model = Clumsy(wrong=8)
    now = [0.0]
    steady = Steady(installation=told(home, model), now=lambda: now[0])
    asked = []
    for seconds in range(20):
        now[0] = float(seconds)
        steady.turn()
        asked.append(model.asked)
    when = [at for at, (one, before) in enumerate(zip(asked, [0, *asked], strict=False)) if one > before]
    assert when == [0, 1, 3, 7, 15]
    assert facts(steady.installation) == ["Noor lives in Leeds", "Tomas lives in Porto"]


def test_a_run_that_leaves_an_episode_alone_takes_the_others(home: Installation) -> None:
    installation = told(home, Clumsy(wrong=0))
    compact(installation)
    assert extract(installation, resting=[("g", "e")]).episodes == 0
    assert extract(installation, resting=[("other", "e")]).episodes == 1
