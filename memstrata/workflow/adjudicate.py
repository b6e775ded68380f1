"""What rules cannot settle is put to a language model, a few questions a call; each answer is a decision.

That two names are one, or are not, becomes `merge` or `keep_apart` by a model, which any person's verdict
outranks. That two facts exclude each other never changes the fold: it becomes an episode that says when
the one ended, where a stated date of the other tells that, else a proposal to declare the relation `one`.
Undated conflicts close nothing. No question is asked again unless what is shown of it has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from memstrata import intake
from memstrata.errors import Away, Fault, Incorrect, MemstrataError, OverBudget, TooLong
from memstrata.extraction.model.parts import Purpose, Spending
from memstrata.extraction.model.salvage import salvaged
from memstrata.extraction.prompts import prompt_named
from memstrata.ids import canonical_json, digest
from memstrata.instants import format_instant
from memstrata.model import By, DecisionKind, ObjectKind, SourceType
from memstrata.ports import Finish, Prompt, Stage
from memstrata.secrecy import redacted
from memstrata.workflow.intake import Ruling, accept, decide
from memstrata.workflow.questions import Names, questions_of
from memstrata.workflow.rules import decided
from memstrata.workflow.verdicts import stands_alone, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memstrata.model import Draft, Entity, Fact, Json
    from memstrata.ports import Installation, LanguageModel
    from memstrata.workflow.questions import Exclusion, Question

BATCH: Final = 8
#: Questions that one pass puts for a group, at most.
MOST: Final = 200
SOURCE: Final = "adjudication"
_VERDICTS: Final = ("one", "two", "together", "exclusive", "unsure")
_TOKENS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicated:
    """What was decided in a group. `stopped` says why it ended before all was asked, if it did.

    `others_go_on` where it was for this group alone, whose budget is spent.
    """

    group_id: str
    asked: int = 0
    calls: int = 0
    merged: int = 0
    kept_apart: int = 0
    closed: int = 0
    proposed: int = 0
    unsure: int = 0
    stopped: str = ""
    others_go_on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """That a relation be declared `one`: by whom, why, and the facts that it was seen on."""

    decision_id: str
    predicate: str
    reason: str
    facts: tuple[str, ...]


def version() -> str:
    """The adjudicator's version: of its prompt."""
    return f"adjudicate-{prompt_named('adjudicate').hash[:12]}"


def adjudicate(
    installation: Installation,
    group_id: str,
    *,
    most: int = MOST,
) -> Adjudicated:
    """Puts the group's open questions to the model, and logs what it decides for the next commit.

    Raises `Incorrect` where no model is chosen. The rest waits where the model is away or the budget spent.
    """
    model = installation.model
    if model is None:
        raise Incorrect("no language model is chosen to decide; set MEMSTRATA_LLM_MODEL")
    settled = _settled(installation, group_id)
    waiting = iter([one for one in questions_of(installation, group_id) if one.key not in settled][:most])
    done = Adjudicated(group_id=group_id)
    while some := list(islice(waiting, BATCH)):
        try:
            answers = _answers(installation, model, group_id, some)
        except Away as error:
            others_go_on = isinstance(error, OverBudget) and error.group_id is not None
            return replace(done, stopped=str(error), others_go_on=others_go_on)
        except (Fault, TooLong) as error:
            answers = [("unsure", f"the model could not be asked: {error}")] * len(some)
        done = replace(done, asked=done.asked + len(some), calls=done.calls + 1)
        for question, (said, reason) in zip(some, answers, strict=True):
            became = _decide(installation, group_id, question, said, reason, model.name)
            done = replace(done, **{became: getattr(done, became) + 1})
    return done


def proposals(installation: Installation, group_id: str) -> tuple[Proposal, ...]:
    """The relations that were proposed to be declared `one`, the latest last; each once."""
    found: dict[str, Proposal] = {}
    for decision in decided(installation.record, group_id, (DecisionKind.ADJUDICATE,)):
        predicate = decision.payload.get("declare_one")
        if isinstance(predicate, str):
            facts = decision.payload.get("facts")
            found[predicate] = Proposal(
                decision_id=decision.decision_id,
                predicate=predicate,
                reason=decision.reason,
                facts=tuple(map(str, facts)) if isinstance(facts, list | tuple) else (),
            )
    return tuple(found.values())


def _settled(installation: Installation, group_id: str) -> frozenset[str]:
    """The keys of the questions that were answered."""
    decisions = decided(installation.record, group_id, (DecisionKind.ADJUDICATE,))
    return frozenset(str(one.target.get("question")) for one in decisions)


# --- asking ---


def _answers(
    installation: Installation,
    model: LanguageModel,
    group_id: str,
    questions: Sequence[Question],
) -> list[tuple[str, str]]:
    """A verdict and its reason for each; what the reply does not answer is unsure."""
    prompt = _prompt(questions)
    budget = installation.budget
    with nullcontext() if budget is None else budget.spending(group_id, model.name, prompt):
        try:
            reply = model.complete(prompt)
        except MemstrataError as error:
            _note(installation, model, group_id, Spending.in_vain(error))
            raise
        _note(installation, model, group_id, Spending.on(reply))
    if reply.finish is Finish.REFUSED:
        return [("unsure", "the model refused")] * len(questions)
    given: dict[int, tuple[str, str]] = {}
    for raw in salvaged(reply.text, ("answers",)).lists.get("answers", ()):
        match raw:
            case {"item": int(number), "verdict": str(said)} if said in _VERDICTS:
                reason = raw.get("reason") if isinstance(raw, Mapping) else ""
                given.setdefault(number, (said, redacted(str(reason or ""))))
    return [given.get(number, ("unsure", "it gave no answer")) for number in range(1, len(questions) + 1)]


def _prompt(questions: Sequence[Question]) -> Prompt:
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


# --- deciding ---


def _decide(
    installation: Installation, group_id: str, question: Question, said: str, reason: str, who: str
) -> str:
    """Logs what follows from the answer, then that the question is settled; which count it is for."""
    if isinstance(question, Names):
        became = _named(installation, group_id, question, said, reason, who)
        payload: dict[str, Json] = {}
    else:
        drafts = list(_ends(installation, group_id, question)) if said == "exclusive" else []
        for _ in accept(installation, drafts):  # the same question makes the same episodes
            pass
        became = "unsure" if said != "exclusive" else "closed" if drafts else "proposed"
        payload = {"declare_one": question.predicate} if became == "proposed" else {}
    decide(
        installation,
        Ruling(
            group_id=group_id,
            kind=DecisionKind.ADJUDICATE,
            target={"question": question.key, "about": list(question.about)},
            payload={"verdict": said, "facts": list(question.evidence), **payload},
            by=By.MODEL,
            who=who,
            reason=reason,
        ),
    )
    return became


def _named(
    installation: Installation, group_id: str, question: Names, said: str, reason: str, who: str
) -> str:
    kinds = {"one": DecisionKind.MERGE, "two": DecisionKind.KEEP_APART}
    if said not in kinds:
        return "unsure"
    try:
        ruling = verdict(
            installation, kinds[said], group_id, (question.left.entity_id, question.right.entity_id)
        )
    except Incorrect:  # a name that nothing but a person can tell apart
        return "unsure"
    shown: Mapping[str, Json] = {"question": question.key, "facts": list(question.evidence)}
    decide(installation, replace(ruling, by=By.MODEL, who=who, reason=reason, payload=shown))
    return "merged" if said == "one" else "kept_apart"


def _ends(installation: Installation, group_id: str, question: Exclusion) -> Iterator[Draft]:
    """For each fact that a later one of a stated date excludes, what says that it ended then."""
    dated = sorted(
        (
            fact
            for fact in question.facts
            if fact.valid_at is not None and fact.valid_at_precision is not None
        ),
        key=lambda fact: (str(fact.valid_at), fact.id),
    )
    objects = [fact.object for fact in question.facts if fact.object_kind is ObjectKind.ENTITY]
    named = {one.entity_id: one for one in installation.graph.entities(group_id, objects)}
    for fact in question.facts:
        # Who began at an unknown or unstated time is excluded by a date only if that was later told.
        later = next(
            (
                one
                for one in dated
                if one.object != fact.object
                and (fact.valid_at is None or str(one.valid_at) > str(fact.valid_at))
            ),
            None,
        )
        if later is not None:
            draft = _end(installation, group_id, question, fact, named.get(fact.object), later)
            if draft is not None:
                yield draft


def _end(
    installation: Installation,
    group_id: str,
    question: Exclusion,
    fact: Fact,
    target: Entity | None,
    later: Fact,
) -> Draft | None:
    """The episode that ends a fact; None where its names do not tell whom it is about."""
    ends = [question.subject, *([target] if target is not None else [])]
    if not all(stands_alone(installation, group_id, one) for one in ends) or later.valid_at is None:
        return None
    triple: dict[str, Json] = {
        "subject": _name(question.subject),
        "predicate": fact.predicate,
        "object": {"literal": fact.object} if target is None else _name(target),
        "fact": f"No longer so: {fact.fact}",
        "kind": "ended",
        "invalid_at": format_instant(later.valid_at),
        "invalid_at_precision": str(later.valid_at_precision),
        "confidence": min(fact.confidence, later.confidence),
    }
    options = intake.Options(group_id=group_id, reference_time=installation.clock.now(), source=SOURCE)
    draft = intake.read_text(
        canonical_json(triple),
        options,
        episode_id=f"{SOURCE}-{digest([question.key, fact.id])[:32]}",
    )
    metadata: dict[str, Json] = {
        **draft.metadata,
        "question": question.key,
        "excludes": [fact.id, later.id],
    }
    return replace(draft, source_type=SourceType.FACT_TRIPLE, metadata=metadata)


def _name(entity: Entity) -> Mapping[str, Json]:
    return {"name": entity.name, **({"type": entity.type} if entity.type else {})}
