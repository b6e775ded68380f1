"""Another extractor over the same episodes: some words are others to it, and it fails as it is told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from scripted import ScriptedExtractor

from memstrata.errors import Away
from memstrata.ports import Unextracted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Episode, Extraction


@dataclass(slots=True)
class OtherExtractor(ScriptedExtractor):
    """Reads words as others, those that are `renamed`. Its model is `away_after` so many calls."""

    version: str = "other-2"
    renamed: dict[str, str] = field(default_factory=dict)
    away_after: int | None = None
    refusing: set[str] = field(default_factory=set)

    def extract_all(
        self, items: Iterable[tuple[Episode, Sequence[Episode]]]
    ) -> Iterator[Extraction | Unextracted]:
        """See `ports.Extractor`."""
        for episode, context in items:
            if self.away_after is not None and self.calls >= self.away_after:
                raise Away("the endpoint does not answer")
            self.calls += 1
            if any(word in episode.content for word in self.refusing):
                yield Unextracted(episode=episode, reason="refused", is_final=True)
            else:
                yield self.extract(episode, context)

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        """What one episode says."""
        content = episode.content
        for word, other in self.renamed.items():
            content = content.replace(f'"{word}"', f'"{other}"')
        return ScriptedExtractor.extract(self, replace(episode, content=content), context)
