"""The extractor before a server that fails as endpoints do, over real HTTP."""

from __future__ import annotations

import json
import random
import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from extraction_samples import NOON, turns

from memstrata.endpoint import Endpoint
from memstrata.errors import Away
from memstrata.extraction.model import Books, Manner, ModelExtractor
from memstrata.language_models.scripted_server import (
    ScriptedServer,
    failure,
    hung_up,
    refusal,
    reply,
    tool_calls,
)
from memstrata.model import Extraction, Verdict
from memstrata.stores.sqlite.model_calls import ModelCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from memstrata.language_models.scripted_server import Asked, Said
    from memstrata.model import Assertion, Episode

pytest.importorskip("openai")

from memstrata.language_models.openai_compatible import OpenAIModel
from memstrata.language_models.timing import Timing


class Clock:
    def now(self) -> datetime:
        return NOON


def told(asked: Asked) -> str:
    """What a model would say to it: where everybody lives."""
    texts = re.findall(r"<(text-\w+)>\n(.*?)\n</\1>", asked.user, re.DOTALL)
    numbers = re.findall(r"^(\d+)\. in assertions: \{.*?(Noor\d+)", asked.user, re.MULTILINE)
    said = []
    for episode, (_, text) in enumerate(texts, 1):
        who = text.split()[0]
        item = {
            "subject": who,
            "predicate": "lives_in",
            "object": "Leeds",
            "fact": text,
            "kind": "holds",
            "evidence": text,
            "episode": episode,
        }
        if not numbers:
            said.append(item)
        said += [item | {"item": int(number)} for number, name in numbers if name == who]
    return json.dumps({"entities": [], "assertions": said})


class Failing:
    """Fails three of ten requests, each in another way, until it is `stopped`."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 (which requests fail)
        self.stopped = False
        self.failed = 0

    def __call__(self, asked: Asked) -> Said:
        text = told(asked)
        if self.stopped or self._chance.random() > 0.3:
            return reply(text)
        self.failed += 1
        return self._chance.choice(
            [
                failure(429, "slow down", wait=1),
                failure(500, "it broke"),
                hung_up(reply(text)),
                refusal("I cannot help with that."),
                reply(text[: self._chance.randrange(len(text))], finish="length"),
                reply(text.replace('"holds"', "7")),
                reply(text.replace('"evidence"', '"proof"')),
                reply(""),
                tool_calls("{}", "{}"),
            ]
        )


def all_taken(
    extractor: ModelExtractor, items: Sequence[tuple[Episode, Sequence[Episode]]]
) -> list[Extraction]:
    """As the workflow does; and what was refused, or waits in quarantine, is asked for again too."""
    had: dict[str, Extraction] = {}
    for _ in range(100):
        left = [item for item in items if item[0].episode_id not in had]
        if not left:
            break
        try:
            for answer in extractor.extract_all(left):
                if isinstance(answer, Extraction) and not any(
                    outcome.verdict is Verdict.QUARANTINE for outcome in answer.outcomes
                ):
                    had[answer.episode_id] = answer
        except Away:
            continue
    return [had[episode.episode_id] for episode, _ in items]


def said_by(found: Sequence[Extraction]) -> list[tuple[Assertion, ...]]:
    return [one.assertions for one in found]


@pytest.mark.parametrize("most_shared", [1, 4])
def test_what_is_taken_of_a_failing_server_is_what_is_taken_of_a_sound_one(
    tmp_path: Path, most_shared: int
) -> None:
    items = turns(80)
    manner = Manner(most_shared=most_shared, at_once=16)
    timing = Timing(wall=lambda: 0.0, sleep=lambda _: None, chance=lambda: 0.5)
    failing = Failing(most_shared)
    with ScriptedServer(script=failing) as server, closing(ModelCalls(tmp_path / "models.db")) as calls:
        endpoint = Endpoint(url=server.url, key="sk-of-a-test", tries_again=2, seconds=5.0)
        model = OpenAIModel("a-model", endpoint, tmp_path, timing=timing)
        books = Books(calls=calls, replies=calls, clock=Clock())
        found = all_taken(ModelExtractor(model, manner=manner, books=books), items)
        failing.stopped = True
        sound = list(ModelExtractor(model, manner=manner).extract_all(items))
    assert said_by(found) == said_by(sound)
    assert all(len(one.assertions) == 1 for one in found)
    assert failing.failed > 10
