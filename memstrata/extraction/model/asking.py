"""Calls to the model, each noted; and the cache of replies, looked into before asking.

A reply is kept under the digest of the model and the whole prompt, as its part would be asked for alone: so
it is found again in whatever company the part is asked for next. Only what was read whole and stood is
kept.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.extraction.model.parts import Spending
from memstrata.ids import digest
from memstrata.ports import Call, Reply

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from memstrata.extraction.model.sharing import Unit
    from memstrata.ports import Budget, CallLog, Clock, LanguageModel, Prompt, ReplyCache, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Where calls are noted and replies kept; none of it changes what is taken.

    `parameters` are those of the model that its replies depend on, such as its temperature and address.
    Each call is made within `budget`, which raises `OverBudget` where it is spent.
    """

    calls: CallLog | None = None
    clock: Clock | None = None
    replies: ReplyCache | None = None
    budget: Budget | None = None
    parameters: str = ""


class Asking:
    """Calls of one model for an extractor of one version."""

    def __init__(self, model: LanguageModel, version: str, books: Books) -> None:
        self._model = model
        self._version = version
        self._books = books

    @property
    def model(self) -> str:
        """The model's name."""
        return self._model.name

    def ask(self, prompt: Prompt, stage: Stage, unit: Unit) -> tuple[Reply, Spending]:
        """The answer and what it took; noted in equal shares of the episodes. Raises as the model."""
        books = self._books
        group_id = unit[0].episode.group_id  # parts that share a call are of one saga
        with self._within_budget(group_id, prompt):
            reply = self._model.complete(prompt)
            spent = Spending(
                calls=1.0,
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
                cached_tokens=reply.cached_tokens,
                retries=reply.retries,
                seconds=reply.seconds,
            )
            if books.calls is not None and books.clock is not None:
                books.calls.note(self._shares(spent.shared(len(unit)), stage, unit, books.clock.now()))
        return reply, spent

    def _within_budget(self, group_id: str, prompt: Prompt) -> AbstractContextManager[None]:
        budget = self._books.budget
        return nullcontext() if budget is None else budget.spending(group_id, self.model, prompt)

    def key(self, prompt: Prompt) -> str:
        """The digest of everything that determines the reply."""
        schema = None if prompt.schema is None else dict(prompt.schema)
        asked = [prompt.system, prompt.user, schema, prompt.most_tokens]
        return digest([self._model.name, self._books.parameters, asked])

    def known(self, prompt: Prompt) -> str | None:
        """The kept reply to such a prompt."""
        if self._books.replies is None:
            return None
        kept = self._books.replies.get(self.key(prompt))
        return None if kept is None else kept.text

    def keep(self, prompt: Prompt, text: str, spent: Spending, unit: Unit) -> None:
        """Keeps a reply that stood, for the episodes of the unit and the turns that they were shown."""
        if self._books.replies is None:
            return
        reply = Reply(
            text=text, input_tokens=round(spent.input_tokens), output_tokens=round(spent.output_tokens)
        )
        told_of = [turn for part in unit for turn in (part.episode, *part.shown)]
        episodes = dict.fromkeys((turn.group_id, turn.episode_id) for turn in told_of)
        self._books.replies.put(self.key(prompt), reply, tuple(episodes))

    def _shares(self, share: Spending, stage: Stage, unit: Unit, now: datetime) -> Sequence[Call]:
        return [
            Call(
                at=now,
                group_id=part.episode.group_id,
                episode_id=part.episode.episode_id,
                stage=stage,
                version=self._version,
                model=self._model.name,
                calls=share.calls,
                input_tokens=share.input_tokens,
                output_tokens=share.output_tokens,
                cached_tokens=share.cached_tokens,
                retries=share.retries,
                seconds=share.seconds,
            )
            for part in unit
        ]
