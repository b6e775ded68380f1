from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.verification import Source, named, outcome_of
from memstrata.ids import digest
from memstrata.model import Episode, Kind, Role, SourceType, Speaker, TimeSource
from memstrata.ontology import load_ontology
from memstrata.ports import Finish, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Verdict
    from memstrata.ontology import Ontology
    from memstrata.ports import Prompt

NOON = datetime(2025, 7, 24, 12, tzinfo=UTC)
ANA = Speaker(id="u-ana", name="Ana Ribeiro")
BOT = Speaker(id="a-1", name=None, role=Role.ASSISTANT)


def episode(content: str, **changes: object) -> Episode:
    said: dict[str, object] = {
        "episode_id": "e1",
        "revision": 1,
        "group_id": "g",
        "source": "test",
        "source_type": SourceType.TEXT,
        "content": content,
        "reference_time": NOON,
        "time_source": TimeSource.OWN,
        "ingested_at": NOON,
        "content_hash": digest(content),
    }
    return Episode(**(said | changes))  # type: ignore[arg-type]


def turns(count: int) -> list[tuple[Episode, Sequence[Episode]]]:
    """The first turns of a saga, each with the turns before it."""
    said = [
        episode(
            f"Noor{number} lives in Leeds.",
            episode_id=f"e{number}",
            saga="s",
            position=number,
            speaker=ANA,
            reference_time=NOON + timedelta(minutes=number),
        )
        for number in range(count)
    ]
    return [(one, said[:number]) for number, one in enumerate(said)]


def reply_to(*assertions: object, entities: Sequence[object] = ()) -> str:
    return json.dumps({"entities": list(entities), "assertions": list(assertions)})


class Scripted:
    """A model that gives the scripted answers in turn: texts, (text, finish), errors to raise.

    One function of the prompt gives each answer instead; where it `repeats`, the script begins again.
    """

    def __init__(self, *script: object, name: str = "scripted", repeats: bool = False) -> None:
        self._repeats = repeats
        self.name = name
        self.prompts: list[Prompt] = []
        self._script = script

    def complete(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        number = len(self.prompts) - 1
        first = self._script[0] if self._script else None
        if callable(first):
            said = first(prompt)
        else:
            said = self._script[number % len(self._script) if self._repeats else number]
        if isinstance(said, Exception):
            raise said
        text, finish = said if isinstance(said, tuple) else (said, Finish.WHOLE)
        return Reply(text=text, input_tokens=10, output_tokens=4, finish=finish, seconds=0.5)


I = Name(text="I", speaker=ANA)  # noqa: E741 (the word that people use)
YOU = Name(text="you", addressee=ANA)


def says(
    quote: str,
    predicate: str = "has",
    target: Name | str = "thing",
    *,
    subject: Name = I,
    fact: str = "",
    kind: Kind = Kind.HOLDS,
    confidence: float = 0.8,
) -> Candidate:
    said = target if isinstance(target, str) else target.said
    return Candidate(
        subject=subject,
        predicate=predicate,
        object=target,
        kind=kind,
        fact=fact or f"{subject.said} {predicate} {said}",
        confidence=confidence,
        quote=quote,
    )


def judged(
    candidate: Candidate,
    content: str | None = None,
    *,
    by: Speaker = ANA,
    ontology: str | Ontology = "",
    metadata: Mapping[str, list[list[int]]] | None = None,
    before: Sequence[Episode] = (),
) -> tuple[str, Verdict] | None:
    declared = load_ontology(ontology) if isinstance(ontology, str) else ontology
    told = episode(content or candidate.quote, speaker=by, metadata=metadata or {})
    source = Source(episode=told, ontology=declared, shown=before)
    outcome = outcome_of(named(candidate, declared), source)
    return None if outcome is None else (outcome.rule, outcome.verdict)
