"""An agent that stores its own recalled context 100 times: no new fact, no raised confidence.

Each round asks for a context, stores it in one of many shapes (whole, quoted, in a fence, wrapped again, a
part of its lines, as JSON, woven into the answer of an assistant) and works. The same with the offline
extractor and with a scripted language model that takes every sentence of its prompt for a fact.
"""

from __future__ import annotations

import json
import re
import tempfile
import textwrap
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from benchmarks.workplace import workplace
from memstrata import intake
from memstrata.extraction.model import Books, ModelExtractor
from memstrata.language_models.scripted import ScriptedModel
from memstrata.memory.asking import Asking
from memstrata.model import Role, Speaker
from memstrata.search.view import View
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.workplace import SetClock
    from memstrata.model import Draft
    from memstrata.ports import Installation, Prompt
    from memstrata.search.context import Context

SEED: Final = 29
ROUNDS: Final = 100
GROUP: Final = "echo"
_START: Final = datetime(2025, 3, 1, 9, tzinfo=UTC)
_AGENT: Final = Speaker(id="agent", name="Memo", role=Role.ASSISTANT)
_USER: Final = Speaker(id="u1", name="Noor Haddad")

#: What was really said, before the agent began to repeat it.
_TOLD: Final = (
    (_USER, "I work at Brill & Co as an editor. My sister Salma lives in Leeds."),
    (_USER, "I moved to Porto in May 2024. I used to live in Ghent."),
    (_USER, "My manager is Tomas Weller. He has worked at Brill & Co since 2019."),
    (_USER, "I own a red bicycle, and I speak Dutch. I don't eat meat."),
    (None, "Brill & Co is a publisher in Leiden. Tomas Weller was born in Vienna in 1970."),
    (_USER, "Salma works as a nurse at St. James Hospital. She has two children."),
)
_QUERIES: Final = (
    "Where does Noor work?",
    "Noor Haddad",
    "Where does Salma live?",
    "Tomas Weller",
    "What is known of Brill & Co?",
    "what does Noor own or speak",
)


def run(data: Path | None, *, rounds: int = ROUNDS) -> dict[str, object]:
    """Keys as in BENCHMARKS.md, summed over both extractors, and each by itself."""
    del data
    found = {"offline": _echoed(rounds, with_model=False), "model": _echoed(rounds, with_model=True)}
    return {
        "new_facts": sum(one["new_facts"] for one in found.values()),
        "raised_confidence": sum(one["raised_confidence"] for one in found.values()),
        "new_evidence": sum(one["new_evidence"] for one in found.values()),
        "rounds": rounds,
        "seed": SEED,
        "by_extractor": found,
    }


def _echoed(rounds: int, *, with_model: bool) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as home, workplace(Path(home)) as (opened, clock):
        installation = _reading(opened) if with_model else opened
        clock.set(_START)
        for number, (speaker, text) in enumerate(_TOLD):
            _store(installation, _draft(text, number, speaker))
        before = _belief(installation)
        for number in range(rounds):
            _round(installation, clock, number)
        after = _belief(installation)
        return {
            "facts": len(before),
            "new_facts": len(after.keys() - before.keys()),
            "lost_facts": len(before.keys() - after.keys()),
            "raised_confidence": sum(
                after[one][0] > before[one][0] for one in after.keys() & before.keys()
            ),
            "new_evidence": sum(after[one][1] > before[one][1] for one in after.keys() & before.keys()),
        }


def _round(installation: Installation, clock: SetClock, number: int) -> None:
    random = Random(SEED * 1_000 + number)
    clock.set(_START + timedelta(days=1, hours=number))
    asking = Asking(installation=installation)
    given = asking.context(
        random.choice(_QUERIES), View(groups=(GROUP,)), budget=random.choice((150, 400, 1_500))
    )
    shape = SHAPES[number % len(SHAPES)]
    speaker = random.choice((None, _AGENT)) if shape is not _woven else _AGENT
    _store(installation, _draft(shape(given, random), 100 + number, speaker))


def _draft(text: str, number: int, speaker: Speaker | None) -> Draft:
    at = _START + timedelta(hours=number)
    options = intake.Options(group_id=GROUP, reference_time=at, saga="talk", source="echo")
    return replace(intake.read_text(text, options, speaker=speaker), position=number)


def _store(installation: Installation, draft: Draft) -> None:
    for _ in accept(installation, [draft]):
        pass
    work(installation)


def _belief(installation: Installation) -> dict[str, tuple[float, int]]:
    """What is believed now, by id: confidence, and on how much evidence."""
    facts = [
        version.fact for version in installation.graph.all_versions(GROUP) if version.expired_at is None
    ]
    return {one.id: (one.confidence, len(one.evidence)) for one in facts}


# --- how an agent stores what it was given ---


def _whole(given: Context, _: Random) -> str:
    return given.text


def _quoted(given: Context, _: Random) -> str:
    return "So far:\n" + "\n".join(f"> {line}" for line in given.text.splitlines())


def _fenced(given: Context, _: Random) -> str:
    return f"Noted.\n\n```text\n{given.text}\n```\n\nThat is all."


def _wrapped(given: Context, random: Random) -> str:
    width = random.choice((48, 72, 100))
    return "\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in given.text.splitlines())


def _some_lines(given: Context, random: Random) -> str:
    lines = [line for line in given.text.splitlines() if line.startswith("- ")]
    kept = sorted(random.sample(range(len(lines)), k=-(-len(lines) // 2)))
    return "\n".join(lines[at].removeprefix(random.choice(("- ", ""))) for at in kept) or given.text


def _paragraph(given: Context, _: Random) -> str:
    return " ".join(given.text.split())


def _as_json(given: Context, _: Random) -> str:
    return json.dumps({"context": given.text}, ensure_ascii=False)


def _cut_off(given: Context, random: Random) -> str:
    return given.text[: random.randrange(len(given.text) // 2, len(given.text))]


def _woven(given: Context, _: Random) -> str:
    """An answer that tells the facts in sentences, citing them."""
    told = [
        f"{one.fact.version.fact.fact.rstrip('.')} [fact {one.fact.version.fact.id}]" for one in given.facts
    ]
    return (
        f"Gladly! From what I know, {'; also, '.join(told[:4])}. Shall I look further?"
        if told
        else "Noted."
    )


def _repeated(given: Context, _: Random) -> str:
    """The context and, below it, its facts told again without their marks."""
    return given.text + "\n\nIn short: " + " ".join(one.fact.version.fact.fact for one in given.facts[:3])


SHAPES: Final[tuple[Callable[[Context, Random], str], ...]] = (
    _whole,
    _quoted,
    _fenced,
    _wrapped,
    _some_lines,
    _paragraph,
    _as_json,
    _cut_off,
    _woven,
    _repeated,
)


# --- a language model that believes everything ---

_TEXT = re.compile(
    r"^(?:Episode (\d+)|The episode), said on .*?^<(text-[0-9a-f]+)>\n(.*?)\n</\2>",
    re.MULTILINE | re.DOTALL,
)
_CLAUSE = re.compile(r"[^.!?\n;]+")
_WORD = re.compile(r"[^\W\d_]{4,}")


def _believing(prompt: Prompt) -> str:
    assertions: list[Mapping[str, object]] = []
    for number, _, text in _TEXT.findall(prompt.user):
        where = {"episode": int(number)} if number else {}
        for clause in (found.strip() for found in _CLAUSE.findall(text.replace("[recalled]", "\n"))):
            words = _WORD.findall(clause)
            if len(words) > 1:
                assertions.append({**where, **_assertion(clause, words)})
    return json.dumps({"entities": [], "assertions": assertions}, ensure_ascii=False)


def _assertion(clause: str, words: list[str]) -> Mapping[str, object]:
    return {
        "subject": words[0],
        "predicate": "speaks_of",
        "object": words[-1],
        "object_is_literal": False,
        "fact": clause,
        "kind": "holds",
        "valid_at": None,
        "valid_at_precision": None,
        "invalid_at": None,
        "invalid_at_precision": None,
        "evidence": clause,
        "confidence": 0.9,
    }


def _reading(opened: Installation) -> Installation:
    model = ScriptedModel(_believing)
    books = Books(calls=opened.calls, replies=opened.replies, clock=opened.clock)
    return replace(opened, extractor=ModelExtractor(model, books=books), model=model)
