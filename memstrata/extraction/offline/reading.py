"""One episode read whole: its turns cut into blocks, the parsed blocks turned into candidates in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.extraction.dates import find_dates
from memstrata.extraction.offline.answers import answer_to, last_question
from memstrata.extraction.offline.copulas import COPULAS, copula_facts
from memstrata.extraction.offline.discourse import Discourse
from memstrata.extraction.offline.fields import field_facts
from memstrata.extraction.offline.frames import Told, verb_facts
from memstrata.extraction.offline.grammar import Clause, clauses
from memstrata.extraction.offline.nominals import listed_relations, nominal_facts
from memstrata.extraction.offline.scene import Scene
from memstrata.extraction.offline.stance import (
    Stance,
    addresses_the_memory,
    is_ironic,
    is_question,
    is_supposed,
    is_undecided,
    quoted_spans,
    stance_of,
)
from memstrata.extraction.offline.turns import Block, Shape, Turn, blocks_of, turns_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc, Span

    from memstrata.extraction.candidates import Candidate
    from memstrata.model import Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A block to be parsed, with the turn it stands in; `context` ones only tell who is meant."""

    turn: Turn
    block: Block
    context: bool = False


def pieces_of(episode: Episode, context: Sequence[Episode]) -> list[Piece]:
    """What of the episode, and of the turns before it, is to be parsed, in the order of the text."""
    before = [(turn, True) for earlier in context for turn in turns_of(earlier)]
    turns = [*before, *((turn, False) for turn in turns_of(episode))]
    pieces: list[Piece] = []
    question: str | None = None
    for turn, is_context in turns:
        if question is not None and not is_context and (answer := _answer_block(question, turn)):
            pieces.append(Piece(turn=turn, block=answer))
        pieces.extend(Piece(turn=turn, block=block, context=is_context) for block in blocks_of(turn))
        question = last_question(turn.text)
    return pieces


def _answer_block(question: str, turn: Turn) -> Block | None:
    answer = answer_to(question, turn.text)
    if answer is None or turn.by_assistant:
        return None
    quote = turn.text[answer.start : answer.end]
    return Block(text=answer.sentence, start=turn.start + answer.start, quote=quote)


def candidates_of(episode: Episode, parsed: Sequence[tuple[Piece, Doc]]) -> Iterator[Candidate]:
    """The candidates of an episode whose pieces have been parsed."""
    discourse = Discourse()
    sentences = 1
    told_off = False
    current: Turn | None = None
    for piece, doc in parsed:
        if piece.turn is not current:
            current, told_off = piece.turn, is_ironic(piece.turn.text)
        scene = Scene(
            doc=doc,
            block=piece.block,
            turn=piece.turn,
            dates=find_dates(piece.block.text, episode.reference_time),
            discourse=discourse,
            reference=episode.reference_time,
            sentence_base=sentences,
        )
        sentences += scene.sentence_count
        told_off = told_off or addresses_the_memory(piece.block.text)
        if not piece.context and not told_off and not is_undecided(piece.block.heading):
            yield from _block_facts(scene)
    own = [(piece.turn, piece.block) for piece, _ in parsed if not piece.context]
    for turn in dict.fromkeys(turn for turn, _ in own):
        yield from field_facts([block for held, block in own if held is turn], turn)


def _block_facts(scene: Scene) -> Iterator[Candidate]:
    if scene.block.shape is Shape.FIELD:
        return
    quoted = quoted_spans(scene.block.text)
    for sentence in scene.doc.sents:
        if is_supposed(sentence):
            continue
        found = list(clauses(sentence))
        yield from _nouns(scene, sentence, found, quoted)
        if not is_question(sentence):
            yield from _verbs(scene, sentence, found, quoted)


def _nouns(
    scene: Scene, sentence: Span, found: list[Clause], quoted: Sequence[tuple[int, int]]
) -> Iterator[Candidate]:
    if scene.turn.by_assistant or not found:
        return
    told = Told(scene=scene, sentence=sentence, clause=found[0], stance=Stance.ASSERTED, dates=())
    if not any(start <= sentence.start_char < end for start, end in quoted):
        yield from nominal_facts(told)


def _verbs(
    scene: Scene, sentence: Span, found: list[Clause], quoted: Sequence[tuple[int, int]]
) -> Iterator[Candidate]:
    heads = frozenset(clause.head.i for clause in found)
    for clause in found:
        stance = stance_of(clause.head, scene.turn)
        inside = any(start <= clause.head.idx < end for start, end in quoted)
        if stance is Stance.OPEN or inside:
            continue
        told = Told(
            scene=scene,
            sentence=sentence,
            clause=clause,
            stance=stance,
            dates=scene.dates_of(clause, heads),
        )
        if (
            clause.head.lemma_.lower() in COPULAS
            and not clause.passive
            and clause.objects
            or clause.head.lemma_ == "be"
        ):
            yield from copula_facts(told)
        else:
            yield from listed_relations(told)
            yield from verb_facts(told)
