"""One episode read whole: its turns cut into blocks, the parsed blocks turned into candidates in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from memstrata.extraction.dates import DateRole, find_dates
from memstrata.extraction.offline.answers import answer_to, last_question
from memstrata.extraction.offline.chatter import is_chatter
from memstrata.extraction.offline.copulas import COPULAS, NAMING, copula_facts
from memstrata.extraction.offline.corrections import corrected
from memstrata.extraction.offline.discourse import Discourse
from memstrata.extraction.offline.echoes import echoed
from memstrata.extraction.offline.elliptical import left_out
from memstrata.extraction.offline.fields import change_facts, field_facts, is_structured
from memstrata.extraction.offline.frames import verb_facts
from memstrata.extraction.offline.grammar import clauses, is_at_odds
from memstrata.extraction.offline.masking import mask
from memstrata.extraction.offline.naming import masked
from memstrata.extraction.offline.nominals import lasting_facts, listed_relations, nominal_facts
from memstrata.extraction.offline.offices import office_facts, tells_an_office
from memstrata.extraction.offline.pipeline import known_words
from memstrata.extraction.offline.scene import Scene
from memstrata.extraction.offline.signatures import signature_facts, signature_of
from memstrata.extraction.offline.stance import (
    Stance,
    addresses_the_memory,
    asks_for_fiction,
    is_hearsay,
    is_ironic,
    is_question,
    is_supposed,
    is_undecided,
    quoted_spans,
    stance_of,
)
from memstrata.extraction.offline.states import States
from memstrata.extraction.offline.tables import table_facts, tables_of
from memstrata.extraction.offline.told import Told
from memstrata.extraction.offline.turns import Block, Shape, blocks_of, turns_of
from memstrata.extraction.recalled import recalled_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from spacy.tokens import Doc, Span

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.masking import Masked
    from memstrata.extraction.offline.turns import Turn
    from memstrata.model import Episode


#: A time beside these is that of what is awaited: "she is expecting a child in March".
_AWAITING = frozenset({"expect", "await"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A block to be parsed as `masked`, with its turn; `context` ones only tell who is meant."""

    turn: Turn
    block: Block
    masked: Masked
    dates: tuple[DatePhrase, ...]
    context: bool = False


def pieces_of(episode: Episode, context: Sequence[Episode]) -> list[Piece]:
    """What of the episode, and of the turns before it, is to be parsed, in the order of the text."""
    turns = [(turn, True, earlier.reference_time) for earlier in context for turn in turns_of(earlier)]
    turns += [
        (turn, False, episode.reference_time) for turn in turns_of(without_recalled(episode, context))
    ]
    pieces: list[Piece] = []
    question: str | None = None
    for turn, is_context, time in turns:
        if question is not None and not is_context and (answer := _answer_block(question, turn)):
            pieces.append(_piece(turn, answer, time))
        own = turn.speaker is not None and not turn.by_assistant and _is_of_whom_is_asked(question)
        pieces.extend(_piece(turn, block, time, context=is_context, own=own) for block in _body(turn))
        question = last_question(turn.text)
    return pieces


def _is_of_whom_is_asked(question: str | None) -> bool:
    """Whether a reply without a subject is about the one who gives it: not after "what does she do?"."""
    return question is None or bool(re.search(r"\b(?:you|u\b|ya\b)", question, re.IGNORECASE))


def _body(turn: Turn) -> list[Block]:
    """The blocks of a turn that are to be parsed: not its tables, not its signature."""
    signed = signature_of(turn)
    shaped = [(table.start, table.end) for table in tables_of(turn)]
    if signed is not None:
        shaped.append((signed, len(turn.text)))
    blocks = blocks_of(turn)
    return [b for b in blocks if not any(start <= b.start - turn.start < end for start, end in shaped)]


def without_recalled(episode: Episode, context: Sequence[Episode] = ()) -> Episode:
    """The episode with what it only recalls from memory blanked out.

    Offsets stay. What is echoed back is no new evidence, so nothing is told there.
    """
    content = episode.content
    for start, end in recalled_spans(episode, context):
        blank = "".join("\n" if char == "\n" else " " for char in content[start:end])
        content = content[:start] + blank + content[end:]
    return episode if content is episode.content else replace(episode, content=content)


def _piece(
    turn: Turn, block: Block, reference: datetime, *, context: bool = False, own: bool = False
) -> Piece:
    prose = block.quote is None and block.shape is Shape.PROSE and (own or turn.speaker is None)
    masked_, dates = _prepared(block.text, reference, own=own, prose=prose)
    return Piece(turn=turn, block=block, masked=masked_, dates=dates, context=context)


@lru_cache(maxsize=4096)
def _prepared(
    text: str, reference: datetime, *, own: bool, prose: bool
) -> tuple[Masked, tuple[DatePhrase, ...]]:
    """The text for the parser with its times; each turn comes again as the context of the next ones.

    `own`: its speaker is who does what it tells without a subject.
    """
    dates = find_dates(text, reference)
    return mask(text, dates, known_words(), completed=left_out(text, spoken=own) if prose else ()), dates


def _answer_block(question: str, turn: Turn) -> Block | None:
    answer = answer_to(question, turn.text)
    if answer is None or turn.by_assistant:
        return None
    quote = turn.text[answer.start : answer.end]
    return Block(text=answer.sentence, start=turn.start + answer.start, quote=quote)


def candidates_of(episode: Episode, parsed: Sequence[tuple[Piece, Doc]]) -> Iterator[Candidate]:
    """The candidates of an episode whose pieces have been parsed."""
    reader = Reader(reference=episode.reference_time)
    told = [candidate for piece, doc in parsed for candidate in reader.read(piece, doc)]
    yield from corrected(told, episode.content, episode.reference_time)
    own = [(piece.turn, piece.block) for piece, _ in parsed if not piece.context]
    for turn in turns_of(without_recalled(episode)):
        yield from field_facts([block for held, block in own if held == turn], turn)
        yield from signature_facts(turn)
        yield from table_facts(turn)


@dataclass(slots=True, kw_only=True)
class Reader:
    """Reads the pieces of one episode in order, remembering who was named and whom to believe."""

    reference: datetime
    discourse: Discourse = field(default_factory=Discourse)
    states: States = field(default_factory=States)
    sentences: int = 1
    turn: Turn | None = None
    silent: bool = False
    invented: bool = False
    day: DatePhrase | None = None
    latest: tuple[Clause | None, Sequence[Candidate]] = (None, ())

    def read(self, piece: Piece, doc: Doc) -> Iterator[Candidate]:
        """The candidates of one piece."""
        self.latest = (None, ())
        if piece.turn is not self.turn:
            replied = self.invented and piece.turn.by_assistant
            self.invented = asks_for_fiction(piece.turn.text)
            self.silent = is_ironic(piece.turn.text) or self.invented or replied
            self.turn, self.day = piece.turn, None
        scene = Scene(
            doc=doc,
            block=piece.block,
            turn=piece.turn,
            dates=piece.dates,
            discourse=self.discourse,
            stamp=self._stamp(piece),
            sentence_base=self.sentences,
        )
        self.sentences += scene.sentence_count
        if piece.context or piece.block.shape is Shape.FIELD or is_undecided(piece.block.heading):
            return
        if is_structured(piece.block.text):
            yield from change_facts(piece.block, scene.stamp.time() if scene.stamp is not None else None)
            return
        quoted = quoted_spans(doc.text)
        for sentence in doc.sents:
            text = masked(doc).words(sentence.start_char, sentence.end_char)
            self.silent = self.silent or addresses_the_memory(text)
            if self.silent:
                return
            if not is_supposed(sentence) and not is_hearsay(text):
                yield from self._sentence(scene, sentence, quoted)

    def _stamp(self, piece: Piece) -> DatePhrase | None:
        """The time at the head of a log line; a line that is but a date holds for the lines after it."""
        if len(piece.dates) == 1 and piece.dates[0].end - piece.dates[0].start >= len(
            piece.block.text.rstrip(" :")
        ):
            self.day = piece.dates[0]
        if piece.block.shape is not Shape.LOG:
            return None
        own = [p for p in find_dates(piece.block.stamp, self.reference) if p.role is DateRole.AT]
        return own[0] if own else self.day

    def _sentence(
        self, scene: Scene, sentence: Span, quoted: Sequence[tuple[int, int]]
    ) -> Iterator[Candidate]:
        found = list(clauses(sentence))
        yield from self._nouns(scene, sentence, quoted)
        if is_question(sentence):
            return
        heads = frozenset(clause.head.i for clause in found)
        for clause in found:
            stance = stance_of(clause.head, scene.turn)
            inside = any(start <= clause.head.idx < end for start, end in quoted)
            if stance is not Stance.OPEN and not inside and not is_at_odds(clause):
                told = self._told(scene, sentence, clause, stance=stance, heads=heads)
                again = list(echoed(told, *self.latest))
                facts = again or [c for c in _clause_facts(told) if not is_chatter(c, told)]
                self.latest = (clause, facts)
                yield from (self.states.restated(candidate, clause) for candidate in facts)
            else:
                self.latest = (None, ())

    def _nouns(
        self, scene: Scene, sentence: Span, quoted: Sequence[tuple[int, int]]
    ) -> Iterator[Candidate]:
        if scene.turn.by_assistant or any(start <= sentence.start_char < end for start, end in quoted):
            return
        yield from nominal_facts(scene, sentence)
        yield from lasting_facts(scene, sentence)

    def _told(
        self, scene: Scene, sentence: Span, clause: Clause, *, stance: Stance, heads: frozenset[int]
    ) -> Told:
        return Told(
            scene=scene,
            sentence=sentence,
            clause=clause,
            stance=stance,
            dates=() if clause.lemma in _AWAITING and clause.objects else scene.dates_of(clause, heads),
            reference=self.reference,
        )


def _clause_facts(told: Told) -> Iterator[Candidate]:
    clause = told.clause
    lemma = clause.head.lemma_.lower()
    if clause.head.dep_ == "acl" and lemma in NAMING:
        return
    names = clause.passive and lemma in NAMING and clause.objects
    links = lemma in COPULAS and not clause.passive and (clause.objects or lemma == "be")
    if names or links:
        yield from copula_facts(told)
        return
    listed = list(listed_relations(told))
    offices = office_facts(told)
    yield from offices
    yield from listed or (c for c in verb_facts(told) if not tells_an_office(c, told, offices))
