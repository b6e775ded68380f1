"""A candidate run whose replies cannot be read at first: no bad hour of an endpoint stays in a version."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from scripted import ScriptedExtractor, draft, works

from memstrata.errors import Away
from memstrata.extraction.settled import FITS_THE_SCHEMA, unsettled
from memstrata.model import Outcome, Verdict
from memstrata.ports import Days, Promotion
from memstrata.workflow.reextract import run_candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belief_world import World

    from memstrata.model import Episode, Extraction

NEW = Promotion(version="faulty-2", days=Days())


@dataclass(slots=True)
class Faulty(ScriptedExtractor):
    """Something of Bob's episode cannot be read so many times."""

    version: str = NEW.version
    times: int = 0
    away_after: int = 99
    asked: Counter[str] = field(default_factory=Counter)

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        if self.asked.total() >= self.away_after:
            raise Away("the endpoint does not answer")
        self.asked[episode.episode_id] += 1
        made = ScriptedExtractor.extract(self, episode, context)
        if "Bob" not in episode.content or self.asked[episode.episode_id] > self.times:
            return made
        found = Outcome(item="1", rule=FITS_THE_SCHEMA, verdict=Verdict.QUARANTINE, reason="no subject")
        return replace(made, assertions=(), outcomes=(found,))


def told(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Bob Moor", "Mill"), day=2))
    world.work()


@pytest.mark.parametrize(("times", "unread", "assertions"), [(1, 0, 2), (2, 0, 2), (3, 1, 1)])
def test_what_cannot_be_read_is_asked_for_three_times(
    world: World, times: int, unread: int, assertions: int
) -> None:
    told(world)
    extractor = Faulty(times=times)
    tried = run_candidate(world.installation, days=Days(), extractor=extractor)
    assert (tried.episodes, tried.unread, tried.assertions) == (2, unread, assertions)
    assert extractor.asked == {"a": 1, "b": min(times + 1, 3)}


def test_what_was_not_read_before_the_model_went_away_is_asked_for_by_the_next_run(world: World) -> None:
    told(world)
    extractor = Faulty(times=1, away_after=2)
    tried = run_candidate(world.installation, days=Days(), extractor=extractor)
    assert (tried.episodes, tried.unread, bool(tried.stopped)) == (1, 0, True)
    assert world.installation.record.coverage("g", NEW).lacking == 1
    extractor.away_after = 99
    assert run_candidate(world.installation, days=Days(), extractor=extractor).episodes == 1
    kept = world.installation.record.promotable("g", NEW, after=0, limit=9)
    assert [unsettled(extraction) for _, _, extraction in kept] == [None, None]
