"""What rules cannot settle is put to a language model, a few questions a call; each answer is a decision.

That two names are one, or are not, becomes `merge` or `keep_apart` by a model, which any person's verdict
outranks. That two facts exclude each other never changes the fold: it becomes an episode that says when
the one ended, where a stated date of the other tells that, else a proposal to declare the relation `one`.
Only an answer is a decision: what the model refuses, garbles or leaves out is asked again, a few times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from memstrata.errors import Away, Fault, Incorrect, OverBudget, TooLong
from memstrata.model import By, DecisionKind
from memstrata.workflow.answering import answers_to
from memstrata.workflow.closing import closings, drafts_of, ended_by
from memstrata.workflow.intake import Ruling, accept, decide_all
from memstrata.workflow.looking import TRIES, is_settled, look, questions_for
from memstrata.workflow.questions import Names, episodes_behind
from memstrata.workflow.rules import rules_waiting
from memstrata.workflow.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memstrata.model import Json
    from memstrata.ports import Installation, LanguageModel, QuestionQueue
    from memstrata.workflow.answering import Answer
    from memstrata.workflow.questions import Exclusion, Question
    from memstrata.workflow.rules import Rules

BATCH: Final = 8
#: Questions that one pass puts for a group, at most.
MOST: Final = 200
_KINDS: Final = {"one": DecisionKind.MERGE, "two": DecisionKind.KEEP_APART}


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicated:
    """What was decided in a group. `stopped` says why it ended before all was asked, if it did.

    `others_go_on` where it was for this group alone, whose budget is spent. `unanswered` are asked again;
    `fault` is why, where the model said so.
    """

    group_id: str
    asked: int = 0
    calls: int = 0
    merged: int = 0
    kept_apart: int = 0
    closed: int = 0
    proposed: int = 0
    unsure: int = 0
    unanswered: int = 0
    fault: str = ""
    stopped: str = ""
    others_go_on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A question and what came of it: `became` names a count of `Adjudicated`; None: no answer."""

    question: Question
    answer: Answer | None
    became: str


def adjudicate(
    installation: Installation,
    group_id: str,
    *,
    most: int = MOST,
    whole: bool = False,
    on_settled: Callable[[Settled], None] = lambda _: None,
) -> Adjudicated:
    """Puts the group's open questions to the model, and logs what it decides for the next commit.

    What commits have changed since the last time is looked through, with `whole` all of the group. What
    decisions wait in the spool is not seen: compact first. Raises `Incorrect` where no model is chosen. The
    rest waits where the model is away, the budget spent or `most` asked.
    """
    model, queue = installation.model, installation.questions
    if model is None or queue is None:
        raise Incorrect("no language model is chosen to decide; set MEMSTRATA_LLM_MODEL")
    look(installation, queue, group_id, whole=whole)
    pass_ = _Pass(installation, model, queue, group_id)
    done = Adjudicated(group_id=group_id)
    for some in pass_.batches(most):
        try:
            answers = answers_to(installation, model, group_id, some)
        except Away as error:
            others_go_on = isinstance(error, OverBudget) and error.group_id is not None
            return replace(done, stopped=str(error), others_go_on=others_go_on)
        except (Fault, TooLong) as error:
            answers = [None] * len(some)
            done = replace(done, fault=str(error))
        done = replace(done, asked=done.asked + len(some), calls=done.calls + 1)
        for one in pass_.settled(some, answers):
            done = replace(done, **{one.became: getattr(done, one.became) + 1})
            on_settled(one)
    return done


class _Pass:
    """One pass over what waits in a group."""

    def __init__(
        self, installation: Installation, model: LanguageModel, queue: QuestionQueue, group_id: str
    ) -> None:
        self._installation = installation
        self._model = model
        self._queue = queue
        self._group_id = group_id
        self._rules: Rules = rules_waiting(installation, group_id)

    def batches(self, most: int) -> Iterator[tuple[Question, ...]]:
        """What is to be asked, a call's worth at a time: what went by once is asked alone.

        What is no question any more, or was answered, is taken out; what follows from an answer that
        a kill cut short is done.
        """
        found = self._queue.waiting(self._group_id, tries=TRIES, limit=most)
        waiting = {one.about: one for one in found}
        questions = questions_for(self._installation, self._group_id, waiting, self._rules)
        over = [about for about in waiting if about not in questions]
        fresh: list[Question] = []
        again: list[Question] = []
        for about, question in questions.items():
            if self._is_answered(question):
                over.append(about)
            else:
                (again if waiting[about].tries else fresh).append(question)
        self._queue.settle(self._group_id, over)
        remaining = iter(fresh)
        while some := tuple(islice(remaining, BATCH)):
            yield some
        yield from ((one,) for one in again)

    def _is_answered(self, question: Question) -> bool:
        """Whether there is an answer already; then its episodes are there too."""
        answer = self._rules.answers.get(question.key)
        if answer is None or not is_settled(answer):
            return False
        if not isinstance(question, Names) and (named := ended_by(answer)):
            closing = closings(self._installation, self._group_id, question, self._rules)
            some = [one for one in closing if one.episode_id in named]
            drafts = drafts_of(self._installation, self._group_id, question, some, answer)
            list(accept(self._installation, drafts))
        return True

    def settled(self, some: Sequence[Question], answers: Sequence[Answer | None]) -> list[Settled]:
        """Logs what follows from the answers, all in one write; then makes the episodes that they call for.

        Killed in between, the next pass finds the answer and makes them.
        """
        pairs = list(zip(some, answers, strict=True))
        ruled = [(one, answer, *self._rulings(one, answer)) for one, answer in pairs if answer is not None]
        group = self._group_id
        if ruled:
            logged = decide_all(self._installation, [one for *_, rulings in ruled for one in rulings])
            by_key = {one.target.get("question"): one for one in logged}
            for question, _, became, _ in ruled:
                if became == "closed" and not isinstance(question, Names):
                    some_ = closings(self._installation, group, question, self._rules)
                    drafts = drafts_of(self._installation, group, question, some_, by_key[question.key])
                    list(accept(self._installation, drafts))
            self._queue.settle(group, [question.about for question, *_ in ruled])
        lacking = [one for one, answer in pairs if answer is None]
        self._queue.tried(group, [one.about for one in lacking])
        return [
            *(Settled(question=one, answer=said, became=became) for one, said, became, _ in ruled),
            *(Settled(question=one, answer=None, became="unanswered") for one in lacking),
        ]

    def _rulings(self, question: Question, answer: Answer) -> tuple[str, list[Ruling]]:
        """What the question became, and the decisions that say so, that it was answered among them."""
        behind = episodes_behind(self._installation, self._group_id, question)
        payload: dict[str, Json] = {
            "verdict": answer.verdict,
            "facts": [fact.id for fact in question.facts],
        }
        ruling = Ruling(
            group_id=self._group_id,
            kind=DecisionKind.ADJUDICATE,
            target={"question": question.key, "about": list(question.about)},
            payload=payload,
            by=By.MODEL,
            who=self._model.name,
            reason=answer.reason,
            evidence=behind,
        )
        if not isinstance(question, Names):
            became, more = self._of_facts(question, answer)
            return became, [replace(ruling, payload={**payload, **more})]
        named = self._of_names(question, answer)
        if named is None:
            return "unsure", [ruling]
        shown: dict[str, Json] = {"question": question.key, "facts": payload["facts"]}
        became = "merged" if named.kind is DecisionKind.MERGE else "kept_apart"
        as_ruled = replace(ruling, kind=named.kind, target=named.target, payload=shown)
        return became, [as_ruled, ruling]

    def _of_names(self, question: Names, answer: Answer) -> Ruling | None:
        if answer.verdict not in _KINDS:
            return None
        pair = (question.left.entity_id, question.right.entity_id)
        try:
            return verdict(self._installation, _KINDS[answer.verdict], self._group_id, pair)
        except Incorrect:  # a name that nothing but a person can tell apart
            return None

    def _of_facts(self, question: Exclusion, answer: Answer) -> tuple[str, dict[str, Json]]:
        if answer.verdict != "exclusive":
            return "unsure", {}
        some = closings(self._installation, self._group_id, question, self._rules)
        if some:
            return "closed", {"ended": [one.episode_id for one in some]}
        return "proposed", {"declare_one": question.predicate}
