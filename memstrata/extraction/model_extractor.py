"""The extractor that asks a language model: one call an episode, the reply read item by item.

Declared records need no model and never reach it. Faults of the model are the caller's to retry.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memstrata.errors import Fault
from memstrata.extraction.assembly import assemble
from memstrata.extraction.declared import extract_declared
from memstrata.extraction.extractor import DECLARED, context_hash, shown_context
from memstrata.extraction.prompts import prompt_named
from memstrata.extraction.reply import SCHEMA, Unreadable, read_reply
from memstrata.ids import digest
from memstrata.instants import format_instant
from memstrata.ports import Finish, Prompt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Episode, Extraction, Speaker
    from memstrata.ports import LanguageModel

_RULES = (
    "assembly.py",
    "candidates.py",
    "declared.py",
    "model_extractor.py",
    "reply.py",
    "verification.py",
)


class ModelExtractor:
    """Extracts with a language model behind its port. `version` names model, prompt, schema and rules."""

    context_turns = 6
    at_once = 64

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._prompt = prompt_named("extract")

    @cached_property
    def version(self) -> str:
        """`model-` and 12 hex digits of the model's name, prompt, reply schema and rules."""
        folder = Path(__file__).parent
        rules = [(folder / name).read_text(encoding="utf-8") for name in _RULES]
        return f"model-{digest([self._model.name, self._prompt.hash, SCHEMA, rules])[:12]}"

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        """What one episode asserts, seen with the preceding turns of its saga (oldest first).

        Raises what the model raises, and `Fault` for a reply that was cut off or is not the JSON asked for.
        """
        if episode.source_type in DECLARED:
            return extract_declared(episode, self.version)
        shown = shown_context(episode, context, self.context_turns)
        reply = self._model.complete(self.prompt_for(episode, shown))
        if reply.finish is not Finish.WHOLE:
            raise Fault(f"{self._model.name} cut off its reply to episode {episode.episode_id}")
        try:
            candidates, outcomes = read_reply(reply.text, episode)
        except Unreadable as error:
            raise Fault(f"{self._model.name}, episode {episode.episode_id}: {error}") from error
        extraction = assemble(
            episode, candidates, version=self.version, context_hash=context_hash(shown), outcomes=outcomes
        )
        usage = {"calls": 1, "input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens}
        return replace(extraction, usage=usage)

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """The extractions of many episodes, in their order, one call each."""
        for episode, context in items:
            yield self.extract(episode, context)

    def prompt_for(self, episode: Episode, shown: Sequence[Episode]) -> Prompt:
        """The request for one episode with the turns shown before it."""
        turns = [f"{_called(turn.speaker)}: {turn.content}" for turn in shown]
        slots = {
            "reference_time": format_instant(episode.reference_time),
            "speaker": _called(episode.speaker),
            "addressee": _called(episode.addressee),
            "context": "\n".join(turns) or "(none)",
            "content": episode.content,
        }
        return Prompt(system=self._prompt.system, user=self._prompt.filled(slots), schema=SCHEMA)


def _called(speaker: Speaker | None) -> str:
    return "(unknown)" if speaker is None else speaker.name or speaker.role.value
