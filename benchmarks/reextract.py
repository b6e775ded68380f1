"""Another extractor version over 30 days of conversations: compared, promoted, taken back; as-of between.

The turns of LoCoMo's conversations are accepted over 30 days and extracted offline. The other version is
the offline extractor that is shown no turns before and keeps only what it is surer of. What is believed is
exported after every commit; in the end the store must say for each of those instants what was exported
then.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.retrieval_sets import locomo
from benchmarks.workplace import workplace
from memstrata.bitemporal.wire import write_fact
from memstrata.errors import Fault
from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.ports import Days, Promotion
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.difference import Change, difference
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.intake import accept
from memstrata.workflow.promotions import promote, rollback
from memstrata.workflow.reextract import run_candidate
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.workplace import SetClock
    from memstrata.model import Draft, Episode, Extraction, Fact, Version
    from memstrata.ports import GraphStore, Installation

DAYS: Final = 30
GROUP: Final = "default"
_FIRST_DAY: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
_SURE: Final = 0.8


class SparingExtractor(OfflineExtractor):
    """The offline extractor without turns before, and without what it is less sure of."""

    context_turns = 0

    @property
    def version(self) -> str:
        """Another one."""
        return f"sparing-{super().version}"

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """See `ports.Extractor`."""
        for made in super().extract_all(items):
            sure = tuple(one for one in made.assertions if one.confidence >= _SURE)
            named = {end for one in sure for end in (one.subject, one.object)}
            mentions = tuple(one for one in made.mentions if one.mention_id in named)
            yield replace(made, assertions=sure, mentions=mentions)


@dataclass(slots=True)
class Watch:
    """What was exported when, and how long each step took."""

    exported: dict[datetime, tuple[str, ...]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def look(self, installation: Installation) -> None:
        """Keeps what is believed since the last commit."""
        last = installation.graph.last_seq(GROUP)
        (commit,) = installation.record.commits(GROUP, after=last - 1)
        self.exported[commit.instant] = _facts_of(canonical_lines(installation.graph, GROUP))


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `data`: a folder of LoCoMo. Raises `Missing` without one."""
    conversations = locomo(data or Path("../shared/data/locomo"))
    turns = [
        replace(turn, native_id=f"{one.name}/{turn.native_id}")
        for one in conversations
        for turn in one.turns
    ]
    with tempfile.TemporaryDirectory() as folder, workplace(Path(folder)) as (installation, clock):
        return _run(installation, clock, turns)


def _run(installation: Installation, clock: SetClock, turns: Sequence[Draft]) -> dict[str, object]:
    watch = Watch()
    _tell(installation, clock, turns)
    watch.look(installation)
    before = tuple(canonical_lines(installation.graph, GROUP))
    wanted = Promotion(version=SparingExtractor().version, days=Days())
    tried = _timed(
        watch, "run", lambda: run_candidate(installation, days=Days(), extractor=SparingExtractor())
    )
    unseen = tuple(canonical_lines(installation.graph, GROUP)) == before
    compared = _timed(watch, "diff", lambda: difference(installation, GROUP, wanted))
    clock.set(_FIRST_DAY + timedelta(days=DAYS, hours=1))
    _timed(watch, "promote", lambda: promote(installation, GROUP, wanted, who="benchmark"))
    promoted = _commit(installation, watch, "commit_promoted")
    between = tuple(canonical_lines(installation.graph, GROUP))
    needless, changed = _refolded(installation.graph, set(watch.exported) - {min(watch.exported)})
    clock.set(_FIRST_DAY + timedelta(days=DAYS, hours=2))
    _timed(watch, "rollback", lambda: rollback(installation, GROUP, who="benchmark"))
    _commit(installation, watch, "commit_rolled_back")
    after = tuple(canonical_lines(installation.graph, GROUP))
    right, wrong = _as_of(installation.graph, watch)
    return {
        "identical": after == before,
        "asof_between_right": wrong == 0,
        "instants_compared": right + wrong,
        "unseen_before_promotion": unseen,
        "episodes": tried.episodes,
        "facts_before": sum('"record":"fact"' in line for line in before),
        "facts_between": sum('"record":"fact"' in line for line in between),
        "diff": {change.value: compared.count(change) for change in Change},
        "diff_is_what_was_done": _net(compared.facts) == _net_done(before, between),
        "facts_refolded": changed,
        "refolded_needlessly": needless,
        "commits_of_promotion": promoted,
        "seconds": {name: round(took, 2) for name, took in watch.seconds.items()},
    }


def _tell(installation: Installation, clock: SetClock, turns: Sequence[Draft]) -> None:
    """A thirtieth of the turns a day, each worked in on its day."""
    size = -(-len(turns) // DAYS)
    for day in range(DAYS):
        clock.set(_FIRST_DAY + timedelta(days=day))
        for _ in accept(installation, turns[day * size : (day + 1) * size]):
            pass
        if failed := work(installation).failed:
            raise Fault(f"the pass of day {day} failed: {failed[0][1]}")


def _timed(watch: Watch, name: str, do: Any) -> Any:
    begun = time.perf_counter()
    done = do()
    watch.seconds[name] = time.perf_counter() - begun
    return done


def _commit(installation: Installation, watch: Watch, name: str) -> int:
    """Commits all that is pending, looking after each commit; the time of looking does not count."""
    looked = 0.0

    def look(_: int) -> None:
        nonlocal looked
        begun = time.perf_counter()
        watch.look(installation)
        looked += time.perf_counter() - begun

    begun = time.perf_counter()
    done = commit_pending(installation, GROUP, on_progress=look)
    watch.seconds[name] = time.perf_counter() - begun - looked
    return done.commits


def _facts_of(lines: Iterable[str]) -> tuple[str, ...]:
    """The facts of an export, without what they rest on: that is a table of its own."""
    return tuple(sorted(_bare(json.loads(line)) for line in lines if '"record":"fact"' in line))


def _bare(fact: dict[str, Any]) -> str:
    return json.dumps({**fact, "evidence": [], "record": ""}, sort_keys=True)


def _as_of(graph: GraphStore, watch: Watch) -> tuple[int, int]:
    """For how many of the instants the store says what was exported then, and for how many not."""
    versions = tuple(graph.all_versions(GROUP))
    told = [(one, _bare(json.loads(write_fact(one.fact)))) for one in versions]
    right = 0
    for instant, exported in watch.exported.items():
        held = tuple(sorted(line for one, line in told if _stands(one, instant)))
        right += held == exported
    return right, len(watch.exported) - right


def _stands(version: Version, at: datetime) -> bool:
    return version.created_at <= at and (version.expired_at is None or version.expired_at > at)


def _refolded(graph: GraphStore, instants: set[datetime]) -> tuple[int, int]:
    """Versions that began at those instants though the same had ended then, and all that began."""
    versions = tuple(graph.all_versions(GROUP))
    ended = {(one.expired_at, _said(one.fact)) for one in versions}
    begun = [one for one in versions if one.created_at in instants]
    return sum((one.created_at, _said(one.fact)) in ended for one in begun), len(begun)


def _said(fact: Fact) -> Fact:
    return replace(fact, evidence=())


def _net(facts: Iterable[Any]) -> tuple[set[str], set[str]]:
    """The facts that go and that come, without those that are the same but for what they rest on."""
    old = {_bare(json.loads(write_fact(one.before.fact))) for one in facts if one.before is not None}
    new = {_bare(json.loads(write_fact(one.after.fact))) for one in facts if one.after is not None}
    return old - new, new - old


def _net_done(before: Iterable[str], after: Iterable[str]) -> tuple[set[str], set[str]]:
    old, new = set(_facts_of(before)), set(_facts_of(after))
    return old - new, new - old
