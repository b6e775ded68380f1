"""Pass after pass, for as long as somebody lets it: what is refused again is tried less and less often.

A fault of a whole pass, such as a graph that is away, ends nothing: what was accepted waits for it. Passes
are small, so that what came last is not kept waiting by a backlog: so many episodes, then so many vectors.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Damaged, Fault, MemstrataError
from memstrata.workflow.embed import embed
from memstrata.workflow.patience import Patience
from memstrata.workflow.work import adjudicate_groups, work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memstrata.ports import Installation
    from memstrata.workflow.adjudicate import Adjudicated
    from memstrata.workflow.work import Worked

#: Episodes that are extracted, and texts that are embedded, before it looks again what has come.
EPISODES: Final = 1_000
TEXTS: Final = 256
#: What no id holds.
_NUL: Final = "\0"
#: What may be refused besides a group's commit.
_PASS, _EXTRACTION, _EMBEDDING, _QUESTIONS = "pass", "extraction", "embedding", "questions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One pass. `worked` tells no refusal that was told before for the same reason; None: none was made.

    `fault` is why a whole pass failed, where that is news. `is_idle`: there is nothing left to do now.
    """

    worked: Worked | None = None
    fault: str = ""
    is_idle: bool = True

    @property
    def is_news(self) -> bool:
        """Whether anything was done, or refused for a new reason."""
        one = self.worked
        return one is not None and bool(
            not one.is_idle
            or one.failed
            or one.not_embedded
            or one.extracted.stopped
            or one.extracted.put_off
        )


@dataclass(slots=True, kw_only=True)
class Steady:
    """Works an installation; the caller sleeps between turns that are idle, by what clock it likes."""

    installation: Installation
    episodes: int = EPISODES
    texts: int = TEXTS
    now: Callable[[], float] = time.monotonic
    _groups: Patience = field(default_factory=Patience)
    _rest: Patience = field(default_factory=Patience)
    _episodes: Patience = field(default_factory=Patience)
    _put_off: Patience = field(default_factory=Patience)
    _questions: Patience = field(default_factory=Patience)

    def turn(self, *, on_progress: Callable[[str, int], None] = lambda _stage, _done: None) -> Turn:
        """One small pass. Raises `Damaged` where only a person can help, and what `on_progress` raises."""
        now = self.now()
        resting = self._rest.resting(now)
        if _PASS in resting:
            return Turn()
        try:
            worked = work(
                self.installation,
                resting=self._groups.resting(now),
                unextracted=None if _EXTRACTION in resting else self._resting_episodes(now),
                in_full=False,
                most=self.episodes,
                on_progress=on_progress,
            )
            if _QUESTIONS not in resting:
                asked = adjudicate_groups(self.installation, but=self._questions.resting(now))
                worked = replace(worked, adjudicated=asked)
        except Damaged:
            raise
        except Fault as fault:
            is_news = self._rest.learn({_PASS: str(fault)}, now)
            return Turn(fault=str(fault) if is_news else "")
        if _EMBEDDING not in resting:
            worked = self._embedded(worked, on_progress)
        return Turn(worked=self._news(worked, now), is_idle=worked.is_idle)

    def _resting_episodes(self, now: float) -> list[tuple[str, str]]:
        """Those whose extraction failed a short while ago."""
        names = (name.partition(_NUL) for name in self._episodes.resting(now))
        return [(group, episode) for group, _, episode in names]

    def _embedded(self, worked: Worked, on_progress: Callable[[str, int], None]) -> Worked:
        """The pass with some vectors: what is committed stays so without them."""
        try:
            done = embed(
                self.installation, limit=self.texts, on_progress=lambda by: on_progress("embed", by)
            )
        except MemstrataError as error:
            return replace(worked, not_embedded=str(error))
        return replace(worked, embedded=done)

    def _news(self, worked: Worked, now: float) -> Worked:
        """What the pass did, without the refusals that were told before for the same reason."""
        done = [one.group_id for one in worked.committed]
        again = {_NUL.join(key): why for key, why in worked.extracted.tried_again}
        self._episodes.learn(again, now)
        fresh = self._groups.learn(dict(worked.failed), now, done=done)
        extracted = worked.extracted
        stopped = {_EXTRACTION: extracted.stopped, _EMBEDDING: worked.not_embedded}
        stopped[_QUESTIONS] = self._learned_of_questions(worked.adjudicated, now)
        news = self._rest.learn({part: why for part, why in stopped.items() if why}, now, done=[_PASS])
        put_off = self._put_off.learn(dict(extracted.put_off), now)
        return replace(
            worked,
            extracted=replace(
                extracted,
                stopped=extracted.stopped if _EXTRACTION in news else "",
                put_off=tuple(one for one in extracted.put_off if one[0] in put_off),
            ),
            failed=tuple(one for one in worked.failed if one[0] in fresh),
            not_embedded=worked.not_embedded if _EMBEDDING in news else "",
        )

    def _learned_of_questions(self, asked: Sequence[Adjudicated], now: float) -> str:
        """Lets the groups rest that got no answer; gives why nobody gets one, if that is so."""
        refused = {
            one.group_id: one.stopped or one.fault or "no answer"
            for one in asked
            if one.others_go_on and (one.unanswered or one.stopped)
        }
        self._questions.learn(refused, now)
        return next((one.stopped for one in asked if not one.others_go_on), "")
