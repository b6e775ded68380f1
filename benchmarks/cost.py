"""Model calls and tokens an episode on the LoCoMo conversations, with a model that answers from the turns.

Its replies are made when it is asked, out of the sentences of the very texts in the prompt; one item in
twenty is faulty and mended when it is asked for again. Every call of every stage is counted, from the log.
"""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from benchmarks.projection import GROUP, triples
from benchmarks.retrieval_sets import locomo
from benchmarks.workplace import workplace
from memstrata.errors import Missing
from memstrata.extraction.model import Books, Manner, ModelExtractor
from memstrata.ids import digest
from memstrata.language_models.scripted import ScriptedModel
from memstrata.ports import ListedBy
from memstrata.spending import tokens_of
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.retrieval_sets import Conversation
    from memstrata.model import Draft
    from memstrata.ports import Installation, Prompt

SEED: Final = 6
FAULTY: Final = 20  # one item in so many
SIZES: Final = {"1k": 1_000, "100k": 100_000}
_SHARED: Final = Path("../shared/data/locomo")
_BLOCK = re.compile(
    r"^(?:Episode (\d+)|The episode), said on .*?^<(text-[0-9a-f]+)>\n(.*?)\n</\2>",
    re.MULTILINE | re.DOTALL,
)
_FAILING = re.compile(r"^(\d+)\. in (entities|assertions): (\{.*\})$", re.MULTILINE)
_DOUBTED = re.compile(r"^   doubted: ", re.MULTILINE)
_SAID: Final = {"reason": "it stands there", "verdict": "said"}
_SENTENCE = re.compile(r"[^.!?\n]+[.!]")
_WORD = re.compile(r"[^\W\d_]{4,}")
_NO_QUOTE: Final = " (as they said)"


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; beside them the calls where no turns share one, and what was counted."""
    folder = data or _SHARED
    if not folder.is_dir():
        raise Missing(f"{folder}: no such folder; give the one that holds LoCoMo with --data")
    conversations = locomo(folder)
    shared, alone = _all(conversations, Manner()), _all(conversations, Manner(most_shared=1))
    return {
        "calls_per_episode": shared["calls_per_episode"],
        "calls_per_episode_unshared": alone["calls_per_episode"],
        "input_tokens_per_episode": shared["input_tokens_per_episode"],
        "input_tokens_per_episode_unshared": alone["input_tokens_per_episode"],
        "calls_by_stage": shared["by_stage"],
        "calls_by_stage_unshared": alone["by_stage"],
        "episodes": shared["episodes"],
        "failed": int(str(shared["failed"])) + int(str(alone["failed"])),
        "items": shared["items"],
        "faulty": shared["faulty"],
        "input_tokens_at": _at_sizes(conversations[0]),
    }


class Reader:
    """Says what the texts of a prompt say: one assertion a sentence, every twentieth of them faulty."""

    def __init__(self) -> None:
        self.items = 0
        self.faulty = 0

    def __call__(self, prompt: Prompt) -> str:
        """The reply to an extraction, a repair or a second pass, which finds that everything was said."""
        if prompt.name == "verdicts":
            doubted = len(_DOUBTED.findall(prompt.user))
            return json.dumps({"verdicts": [_SAID | {"item": at} for at in range(1, doubted + 1)]})
        failing = _FAILING.findall(prompt.user)
        if failing:
            return _reply([], [_mended(json.loads(item)) | {"item": int(at)} for at, _, item in failing])
        entities: list[dict[str, Any]] = []
        assertions: list[dict[str, Any]] = []
        for number, _, text in _BLOCK.findall(prompt.user):
            where = {"episode": int(number)} if number else {}
            found = [one for sentence in _SENTENCE.findall(text) if (one := _assertion(sentence.strip()))]
            names = dict.fromkeys(["I", *(one["object"] for one in found)])
            entities += [{"name": name, "type": None, "aliases": [], **where} for name in names if found]
            assertions += [self._sometimes_spoilt(one, text) | where for one in found]
        return _reply(entities, assertions)

    def _sometimes_spoilt(self, one: dict[str, Any], text: str) -> dict[str, Any]:
        self.items += 1
        chance = Random(digest([SEED, text, one["evidence"]]))
        if chance.randrange(FAULTY):
            return one
        self.faulty += 1
        spoilt: list[dict[str, Any]] = [
            {"kind": "perhaps"},
            {"valid_at": "a while ago"},
            {"subject": None},
            {"evidence": one["evidence"] + _NO_QUOTE},
            {"confidence": "high"},
        ]
        return one | chance.choice(spoilt)


def _assertion(sentence: str) -> dict[str, Any] | None:
    words = _WORD.findall(sentence)
    if not words:
        return None
    return {
        "subject": "I",
        "predicate": "speaks_of",
        "object": max(words, key=len),
        "object_is_literal": False,
        "fact": sentence,
        "kind": "holds",
        "valid_at": None,
        "valid_at_precision": None,
        "invalid_at": None,
        "invalid_at_precision": None,
        "evidence": sentence,
        "confidence": 0.9,
    }


def _mended(item: Mapping[str, Any]) -> dict[str, Any]:
    right = _assertion(str(item["evidence"]).removesuffix(_NO_QUOTE))
    return right or {}


def _reply(entities: list[dict[str, Any]], assertions: list[dict[str, Any]]) -> str:
    return json.dumps({"entities": entities, "assertions": assertions}, ensure_ascii=False)


def _all(conversations: tuple[Conversation, ...], manner: Manner) -> Mapping[str, object]:
    """Every conversation as a memory of its own, from the door to the graph."""
    reader, stages = Reader(), dict[str, float]()
    episodes = failed = 0
    tokens = 0.0
    for one in conversations:
        with tempfile.TemporaryDirectory() as home, workplace(Path(home)) as (opened, _):
            installation = _asking(opened, reader, manner)
            for _ in accept(installation, one.turns):
                pass
            worked = work(installation)
            episodes += worked.extracted.episodes
            failed += worked.extracted.failed + len(worked.failed)
            assert installation.calls is not None  # noqa: S101 (a workplace has one)
            for spent in installation.calls.spent([ListedBy.STAGE]):
                stage = spent.key[ListedBy.STAGE]
                stages[stage] = stages.get(stage, 0.0) + spent.calls
                tokens += spent.input_tokens
    return {
        "calls_per_episode": round(sum(stages.values()) / episodes, 4),
        "input_tokens_per_episode": round(tokens / episodes, 1),
        "by_stage": {stage: round(calls, 3) for stage, calls in stages.items()},
        "episodes": episodes,
        "failed": failed,
        "items": reader.items,
        "faulty": reader.faulty,
    }


def _asking(opened: Installation, reader: Reader, manner: Manner) -> Installation:
    books = Books(calls=opened.calls, clock=opened.clock, replies=opened.replies, budget=opened.budget)
    return replace(opened, extractor=ModelExtractor(ScriptedModel(reader), manner=manner, books=books))


def _at_sizes(conversation: Conversation) -> Mapping[str, float]:
    """Input tokens an episode, schema included, of the same turns beside a graph of each size."""
    found = {}
    for label, size in SIZES.items():
        with tempfile.TemporaryDirectory() as home, workplace(Path(home)) as (opened, _):
            for _ in accept(opened, triples(size, Random(SEED))):
                pass
            work(opened)
            model = ScriptedModel(Reader())
            books = Books(calls=opened.calls, clock=opened.clock, replies=opened.replies)
            installation = replace(opened, extractor=ModelExtractor(model, books=books))
            turns = [_in_group(turn) for turn in conversation.turns]
            for _ in accept(installation, turns):
                pass
            work(installation)
            found[label] = round(sum(map(tokens_of, model.prompts)) / len(turns), 1)
    return found


def _in_group(turn: Draft) -> Draft:
    return replace(turn, group_id=GROUP)
