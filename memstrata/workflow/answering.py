"""Questions in, a model's verdicts out: a few a call, and nothing is taken for an answer that is none."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import MemstrataError
from memstrata.extraction.model.salvage import salvaged
from memstrata.extraction.prompts import prompt_named
from memstrata.ids import digest
from memstrata.ports import Finish, Prompt, Purpose, Spending, Stage
from memstrata.secrecy import redacted
from memstrata.workflow.questions import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Json
    from memstrata.ports import Installation, LanguageModel
    from memstrata.workflow.questions import Question

_OF_NAMES: Final = ("one", "two", "unsure")
_OF_FACTS: Final = ("together", "exclusive", "unsure")
_VERDICTS: Final = tuple(dict.fromkeys((*_OF_NAMES, *_OF_FACTS)))
_TOKENS: Final = 2_000
_REASON: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A verdict that fits its question, and the model's reason."""

    verdict: str
    reason: str


def version() -> str:
    """The adjudicator's version: of its prompt."""
    return f"adjudicate-{prompt_named('adjudicate').hash[:12]}"


def answers_to(
    installation: Installation, model: LanguageModel, group_id: str, questions: Sequence[Question]
) -> list[Answer | None]:
    """The model's answer to each; None where it refused, gave none, one that does not fit, or two.

    Raises what the model raises, and `OverBudget` before a call that does not fit into a budget.
    """
    prompt = prompt_for(questions)
    budget = installation.budget
    with nullcontext() if budget is None else budget.spending(group_id, model.name, prompt):
        try:
            reply = model.complete(prompt)
        except MemstrataError as error:
            _note(installation, model, group_id, Spending.in_vain(error))
            raise
        _note(installation, model, group_id, Spending.on(reply))
    if reply.finish is Finish.REFUSED:
        return [None] * len(questions)
    given: dict[int, Answer | None] = {}
    for raw in salvaged(reply.text, ("answers",)).lists.get("answers", ()):
        match raw:
            case {"item": int(number), "verdict": str(said), **rest} if 0 < number <= len(questions):
                answer = _answer(questions[number - 1], said, rest.get("reason"))
                before = given.setdefault(number, answer)
                if before is None or answer is None or before.verdict != said:
                    given[number] = None
    return [given.get(number) for number in range(1, len(questions) + 1)]


def _answer(question: Question, said: str, reason: object) -> Answer | None:
    fitting = _OF_NAMES if isinstance(question, Names) else _OF_FACTS
    if said not in fitting:
        return None
    return Answer(verdict=said, reason=redacted(reason)[:_REASON] if isinstance(reason, str) else "")


def prompt_for(questions: Sequence[Question]) -> Prompt:
    """One request for all of them, numbered from 1, in a block that no text in it can close."""
    text = "\n\n".join(f"{number}. {one.text}" for number, one in enumerate(questions, 1))
    file = prompt_named("adjudicate")
    tag = f"shown-{digest(text)[:12]}"
    answer: dict[str, Json] = {
        "item": {"type": "integer", "enum": list(range(1, len(questions) + 1))},
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": list(_VERDICTS)},
    }
    item: dict[str, Json] = {
        "type": "object",
        "properties": answer,
        "required": list(answer),
        "additionalProperties": False,
    }
    return Prompt(
        system=file.system,
        user=file.filled({"tag": tag, "questions": text}),
        schema={
            "type": "object",
            "properties": {"answers": {"type": "array", "items": item}},
            "required": ["answers"],
            "additionalProperties": False,
        },
        name="answers",
        most_tokens=_TOKENS,
    )


def _note(installation: Installation, model: LanguageModel, group_id: str, spent: Spending) -> None:
    if installation.calls is None or not spent.calls:
        return
    of = Purpose(at=installation.clock.now(), stage=Stage.ADJUDICATE, version=version(), model=model.name)
    installation.calls.note([spent.noted(of, group_id, "")])
