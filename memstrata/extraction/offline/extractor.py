"""The offline extractor as the workflow sees it: declared records and English texts, no network."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memstrata.extraction.assembly import assemble
from memstrata.extraction.declared import extract_declared
from memstrata.extraction.extractor import DECLARED, context_hash, shown_context
from memstrata.extraction.offline.language import is_english
from memstrata.extraction.offline.masking import reworded
from memstrata.extraction.offline.pipeline import dictionary, parser_version, pipeline
from memstrata.extraction.offline.reading import candidates_of, pieces_of
from memstrata.extraction.offline.rereading import is_mended, misreadings
from memstrata.extraction.verification import Source, seen_of
from memstrata.ids import digest
from memstrata.model import Extraction, ExtractionStatus
from memstrata.ontology import Ontology

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spacy.tokens import Doc

    from memstrata.extraction.offline.masking import Masked
    from memstrata.extraction.offline.reading import Piece
    from memstrata.model import Episode

    #: A text as masked, and as written.
    Key = tuple[str, str]
    Item = tuple[Episode, Sequence[Episode]]

_BATCH = 256
#: The rules shared with other extractors that decide what the offline one takes.
_RULES = (
    "../marks.py",
    "assembly.py",
    "calendar_words.py",
    "candidates.py",
    "dates.py",
    "declared.py",
    "recalled.py",
    "written_dates.py",
)


class OfflineExtractor:
    """Extracts by rules over a parse; declared records need none. The port is `ports.Extractor`.

    Loading the parser waits for the first text, which raises `Missing` where it is not installed.
    """

    context_turns = 4
    at_once = 1_000

    def __init__(self, ontology: Ontology | None = None) -> None:
        self._ontology = ontology or Ontology()

    @cached_property
    def version(self) -> str:
        """`offline-` and 12 hex digits: of the rules, what they see of the ontology, and the parser."""
        here = Path(__file__).parent
        verification = (here.parent / "verification").glob("*.py")
        rules = [*sorted(here.glob("*.py")), *sorted(verification), *(here.parent / one for one in _RULES)]
        sources = [[path.name, path.read_text(encoding="utf-8")] for path in rules]
        return f"offline-{digest([sources, seen_of(self._ontology), parser_version()])[:12]}"

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        """What one episode asserts, seen with the preceding turns of its saga (oldest first)."""
        return next(iter(self.extract_all([(episode, context)])))

    def extract_all(self, items: Iterable[Item]) -> Iterator[Extraction]:
        """The extractions of many episodes, in their order, parsed in batches."""
        waiting = iter(items)
        while batch := list(islice(waiting, _BATCH)):
            yield from self._batch(batch)

    def _batch(self, batch: Sequence[Item]) -> Iterator[Extraction]:
        shown = [
            (episode, shown_context(episode, context, self.context_turns)) for episode, context in batch
        ]
        cut = [self._pieces(episode, context) for episode, context in shown]
        docs = iter(self._parsed([piece for pieces in cut for piece in pieces or ()]))
        for (episode, context), pieces in zip(shown, cut, strict=True):
            parsed = [(piece, next(docs)) for piece in pieces or ()]
            if episode.source_type in DECLARED:
                yield extract_declared(episode, self.version, self._ontology)
            elif pieces is None:
                yield self._unread(episode, context)
            else:
                yield assemble(
                    episode,
                    candidates_of(episode, parsed),
                    version=self.version,
                    context_hash=context_hash(context),
                    source=Source(episode=episode, shown=context, ontology=self._ontology),
                )

    def _pieces(self, episode: Episode, context: Sequence[Episode]) -> list[Piece] | None:
        """What is to be parsed; None for a text in a language that the parser does not know."""
        if episode.source_type in DECLARED:
            return []
        return pieces_of(episode, context) if is_english(episode.content) else None

    def _parsed(self, pieces: Sequence[Piece]) -> Iterator[Doc]:
        """The documents of the pieces; a turn that stands in the context of others is parsed once."""
        if not pieces:
            return
        wanted = list(dict.fromkeys((piece.masked.text, piece.masked.original) for piece in pieces))
        docs = pipeline().pipe((text for text, _ in wanted), batch_size=_BATCH)
        known = dict(zip(wanted, docs, strict=True))
        masks = {(piece.masked.text, piece.masked.original): piece.masked for piece in pieces}
        _read_again(known, masks)
        for piece in pieces:
            key = piece.masked.text, piece.masked.original
            doc = known[key]
            doc.user_data["masked"] = masks[key]
            _with_own_lemmas(doc, masks[key])
            yield doc

    def _unread(self, episode: Episode, context: Sequence[Episode]) -> Extraction:
        return Extraction(
            episode_id=episode.episode_id,
            revision=episode.revision,
            context_hash=context_hash(context),
            version=self.version,
            status=ExtractionStatus.UNSUPPORTED_LANGUAGE,
        )


def _read_again(docs: dict[Key, Doc], masks: dict[Key, Masked]) -> None:
    """Puts a second parse in the place of each that took a word for what it cannot be."""
    found = {key: misreadings(doc, masks[key], dictionary()) for key, doc in docs.items()}
    odd = {key: misread for key, misread in found.items() if misread}
    if not odd:
        return
    other = {key: reworded(masks[key], [one.rewording for one in misread]) for key, misread in odd.items()}
    parsed = pipeline().pipe((masked.text for masked in other.values()), batch_size=_BATCH)
    for (key, misread), doc in zip(odd.items(), parsed, strict=True):
        if is_mended(doc, misread):
            docs[key], masks[key] = doc, other[key]


def _with_own_lemmas(doc: Doc, masked: Masked) -> None:
    """Gives back to verbs that the parser read as another one their own base forms."""
    lemmas = {cut.start: lemma for cut in masked.cuts if (lemma := cut.lemma_in(masked.original))}
    for token in doc if lemmas else ():
        if token.idx in lemmas:
            token.lemma_ = lemmas[token.idx]
