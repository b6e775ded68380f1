"""Episodes of another memory, whose facts come with them: nothing is taken from their words again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from memstrata.extraction.assembly import Mentions
from memstrata.extraction.candidates import Name
from memstrata.extraction.declared import extract_declared
from memstrata.model import Extraction, ExtractionStatus, SourceType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Episode, Json

#: The extractor version of everything imported: a re-extraction can take its place like that of any other.
VERSION: Final = "imported-1"


class ImportedExtractor:
    """What an import declares: facts of its triples, mentions of its episodes."""

    version = VERSION
    context_turns = 0
    at_once = 1_000

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """One extraction for each (episode, preceding turns), in order."""
        for episode, _ in items:
            if episode.source_type is SourceType.FACT_TRIPLE:
                yield extract_declared(episode, VERSION)
            else:
                yield _mentions_only(episode)


def _mentions_only(episode: Episode) -> Extraction:
    listed = episode.metadata.get("mentions")
    ends = listed if isinstance(listed, list | tuple) else ()
    mentions = Mentions(episode, [name for end in ends if (name := _name(end)) is not None]).made
    return Extraction(
        episode_id=episode.episode_id,
        revision=episode.revision,
        context_hash="",
        version=VERSION,
        status=ExtractionStatus.EXTRACTED if mentions else ExtractionStatus.NOTHING,
        mentions=tuple(mentions),
        group_id=episode.group_id,
    )


def _name(end: Json) -> Name | None:
    if not isinstance(end, Mapping) or not isinstance(end.get("name"), str):
        return None
    kind, given = end.get("type"), end.get("attributes")
    attributes = given if isinstance(given, Mapping) else {}
    return Name(
        text=str(end["name"]),
        type=kind if isinstance(kind, str) else None,
        attributes={
            str(key): tuple(str(one) for one in held)
            for key, held in attributes.items()
            if isinstance(held, list | tuple)
        },
    )
