"""The extractor that asks a language model. Declared records need none and never reach it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

from memstrata.errors import Away, OverBudget
from memstrata.extraction.assembly import assemble
from memstrata.extraction.declared import extract_declared
from memstrata.extraction.extractor import DECLARED, context_hash, shown_context
from memstrata.extraction.model.asking import Asking, Books
from memstrata.extraction.model.joining import candidates_in
from memstrata.extraction.model.parts import Manner, NoAnswer, Part
from memstrata.extraction.model.questions import Questions
from memstrata.extraction.model.sharing import units_of
from memstrata.extraction.model.splitting import split
from memstrata.extraction.model.taking import Means, take, together
from memstrata.extraction.verification import Source, named, outcome_of, seen_of
from memstrata.ids import digest
from memstrata.ontology import Ontology
from memstrata.ports import Unextracted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.model.parts import Taken
    from memstrata.extraction.model.sharing import Unit
    from memstrata.model import Episode, Extraction, Outcome
    from memstrata.ports import LanguageModel, Prompt

    Item = tuple[Episode, Sequence[Episode]]
    Answers = tuple[Taken | NoAnswer, ...]

#: Files and folders, beneath `extraction`, whose rules determine what is taken of a reply.
_RULES: Final = (
    "../marks.py",
    "../secrecy",
    "assembly.py",
    "calendar_words.py",
    "candidates.py",
    "dates.py",
    "declared.py",
    "model/items.py",
    "model/joining.py",
    "model/mending.py",
    "model/placing.py",
    "model/reply.py",
    "model/salvage.py",
    "model/taking.py",
    "offline/turns.py",
    "recalled.py",
    "settled.py",
    "verification*",
    "written_dates.py",
)

_TURN: Final = 0.5

#: What an extraction keeps of what it took.
_USAGE: Final = ("calls", "input_tokens", "output_tokens", "retries", "seconds")


class ModelExtractor:
    """Extracts with a language model behind its port; the port is `ports.Extractor`.

    `second` is the model of the second pass, the same one by default. Several threads may use it.
    """

    def __init__(
        self,
        model: LanguageModel,
        ontology: Ontology | None = None,
        *,
        manner: Manner | None = None,
        books: Books | None = None,
        second: LanguageModel | None = None,
    ) -> None:
        self._model = model
        self._second = second
        self._ontology = ontology or Ontology()
        self._manner = manner or Manner()
        self._books = books or Books()
        self._questions = Questions(self._ontology, reply_tokens=self._manner.reply_tokens)

    @property
    def model(self) -> str:
        """See `ports.Foretelling`."""
        return self._model.name

    @property
    def context_turns(self) -> int:
        """See `ports.Extractor`."""
        return self._manner.context_turns

    @property
    def at_once(self) -> int:
        """See `ports.Extractor`."""
        return self._manner.at_once

    @cached_property
    def version(self) -> str:
        """`model-` and 12 hex digits of the model's name, the prompts, what is declared, and the rules."""
        folder = Path(__file__).parents[1]
        paths = [path for name in _RULES for path in sorted(folder.glob(name))]
        files = [
            file for path in paths for file in (sorted(path.glob("*.py")) if path.is_dir() else [path])
        ]
        rules = [file.read_text(encoding="utf-8") for file in files]
        models = [self._model.name, *([] if self._second is None else [self._second.name])]
        return f"model-{digest([models, self._questions.shown, seen_of(self._ontology), rules])[:12]}"

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction | Unextracted:
        """What one episode asserts, seen with the preceding turns of its saga (oldest first)."""
        return next(iter(self.extract_all([(episode, context)])))

    def extract_all(self, items: Iterable[Item]) -> Iterator[Extraction | Unextracted]:
        """See `ports.Extractor`: several calls are in flight, answers come in order."""
        waiting = iter(items)
        while batch := list(islice(waiting, self.at_once)):
            yield from self._batch(batch)

    def first_prompts(self, items: Iterable[Item]) -> Iterator[tuple[tuple[Episode, ...], Prompt]]:
        """The calls that these items take if nothing fails, with their episodes; kept replies take none."""
        waiting = iter(items)
        while batch := list(islice(waiting, self.at_once)):
            for unit in self._units(part for item in batch for part in self._parts(item)):
                if not self._is_known(unit):
                    yield tuple(part.episode for part in unit), self._questions.extract(unit)

    def _batch(self, batch: Sequence[Item]) -> Iterator[Extraction | Unextracted]:
        course = _Course(self._threads, self._means)
        parts = [self._parts(item) for item in batch]
        asked: dict[
            int, tuple[Future[Answers], int]
        ] = {}  # by the part's identity: an episode may come twice
        for unit in self._units(part for pieces in parts for part in pieces):
            future = course.ask(unit)
            asked |= {id(part): (future, number) for number, part in enumerate(unit)}
        try:
            for (episode, _), pieces in zip(batch, parts, strict=True):
                if episode.source_type in DECLARED:
                    yield extract_declared(episode, self.version, self._ontology)
                else:
                    found = [asked[id(part)] for part in pieces]
                    yield self._awaited(pieces[0].source, found)
        finally:
            course.stop()
        if course.spent is not None:
            raise course.spent

    def _awaited(
        self, source: Source, found: Sequence[tuple[Future[Answers], int]]
    ) -> Extraction | Unextracted:
        """What came of it; put off if there was no budget: what was paid for after it still counts."""
        _await(future for future, _ in found)
        try:
            answers = [future.result()[number] for future, number in found]
        except OverBudget as error:
            return Unextracted(episode=source.episode, reason=str(error), is_put_off=True)
        return self._made(source, together(answers))

    def _made(self, source: Source, answer: Taken | NoAnswer) -> Extraction | Unextracted:
        if isinstance(answer, NoAnswer):
            return Unextracted(episode=source.episode, reason=answer.reason, is_final=answer.is_final)
        extraction = assemble(
            source.episode,
            candidates_in(source, answer),
            version=self.version,
            context_hash=context_hash(source.shown),
            outcomes=answer.outcomes,
            source=source,
        )
        return replace(extraction, usage={name: answer.spent.numbers[name] for name in _USAGE})

    def _parts(self, item: Item) -> Sequence[Part]:
        """What is to be asked of an episode: nothing of a declared record, else one part or the pieces."""
        episode, context = item
        if episode.source_type in DECLARED:
            return ()
        shown = shown_context(episode, context, self.context_turns)
        spans = split(episode.content, self._manner.piece_tokens, self._manner.overlap_tokens)
        source = Source(episode=episode, shown=shown, ontology=self._ontology)
        return [Part(source=source, start=start, end=end) for start, end in spans]

    def _units(self, parts: Iterable[Part]) -> Iterator[Unit]:
        """What shares a call; a part whose reply is kept stands alone, so that nobody asks for it again."""
        together: list[Part] = []
        for part in parts:
            if self._is_known((part,)):
                yield from units_of(together, self._manner)
                yield (part,)
                together = []
            else:
                together.append(part)
        yield from units_of(together, self._manner)

    def _is_known(self, unit: Unit) -> bool:
        if len(unit) > 1 or self._books.replies is None:
            return False
        return self._means.asking.known(self._questions.extract(unit)) is not None

    def judge(self, candidate: Candidate, part: Part) -> Outcome | None:
        """What verification objects to a candidate of the part."""
        return outcome_of(named(candidate, self._ontology), part.source)

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._manner.in_flight, thread_name_prefix="extract")

    @cached_property
    def _means(self) -> Means:
        asking = Asking(self._model, self.version, self._books)
        second = asking if self._second is None else Asking(self._second, self.version, self._books)
        return Means(
            questions=self._questions,
            asking=asking,
            second=second,
            judge=self.judge,
            ontology=self._ontology,
            manner=self._manner,
        )


def _await(futures: Iterable[Future[Answers]]) -> None:
    """Waits for all, in short turns: polars has SIGINT handled so that it ends no system call under way."""
    waited_for = tuple(futures)
    while wait(waited_for, timeout=_TURN).not_done:
        pass


class _Course:
    """The calls of one batch; once the model is away, or nobody waits any more, no other is begun."""

    def __init__(self, threads: ThreadPoolExecutor, means: Means) -> None:
        self._threads = threads
        self._given_up = Event()
        self._means = replace(
            means,
            asking=means.asking.until(self._given_up),
            second=means.second.until(self._given_up),
        )
        self.spent: OverBudget | None = None  # why nothing more may be asked, for any group
        self._away: Away | None = None
        self._begun: list[Future[Answers]] = []

    def ask(self, unit: Unit) -> Future[Answers]:
        future = self._threads.submit(self._taken, unit)
        self._begun.append(future)
        return future

    def stop(self) -> None:
        """Waits for the replies that are on their way, which are kept; nothing else is waited for."""
        self._given_up.set()
        self._away = self._away or Away("nobody waits for the answer any more")
        for future in self._begun:
            future.cancel()
        _await(self._begun)

    def _taken(self, unit: Unit) -> Answers:
        if self._away is not None:
            raise self._away
        try:
            return take(unit, self._means)
        except OverBudget as error:
            if error.group_id is None:
                self._away = self.spent = error
            raise
        except Away as error:
            self._away = error
            raise
