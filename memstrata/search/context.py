"""Context for a model: facts with times and citations, and the raw turns that matter, within a budget.

Deterministic: the same graph, query, view, budget and clock give the same text. Finding lives in
`searcher`; a token is taken to be four characters, which errs on the safe side for English.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.ports import Subject
from memstrata.search.wording import date_of, fact_line, one_line, turn_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.bitemporal import Moment
    from memstrata.model import Placement
    from memstrata.ports import GraphReader, NamedVersion
    from memstrata.search.results import EpisodeResult, Results
    from memstrata.search.searcher import Searcher
    from memstrata.search.view import View

CHARACTERS_A_TOKEN: Final = 4

#: The share of the budget that facts may fill; raw turns get what facts leave.
FACTS_SHARE: Final = 0.65

MOST_FACTS: Final = 40
MOST_TURNS: Final = 8
MOST_TURN_CHARACTERS: Final = 600
MOST_CITATIONS: Final = 3

LEAST_BUDGET: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedFact:
    """A fact as it stands in a context, with what it rests on.

    `assertion_ids` and `episode_ids` are the first three, by id; `evidence` counts all assertions.
    """

    fact: NamedVersion
    line: str
    assertion_ids: tuple[str, ...]
    episode_ids: tuple[str, ...]
    evidence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedTurn:
    """A raw episode as it stands in a context; `cut` if its text is not whole."""

    episode_id: str
    line: str
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a model is given: `text`, about `tokens` of it, and what the text cites.

    `facts_left_out` and `turns_left_out` were found but did not fit.
    """

    query: str
    text: str
    tokens: int
    budget: int
    moment: Moment
    facts: tuple[CitedFact, ...] = ()
    turns: tuple[CitedTurn, ...] = ()
    facts_left_out: int = 0
    turns_left_out: int = 0
    notes: tuple[str, ...] = ()


def context(searcher: Searcher, query: str, view: View | None = None, *, budget: int = 1_500) -> Context:
    """The context for a query, at most `budget` tokens long.

    Raises `Incorrect` for an empty query and for a budget below 50 tokens.
    """
    if budget < LEAST_BUDGET:
        raise Incorrect(
            f"the budget is {budget} tokens; expected at least {LEAST_BUDGET}, less holds no fact"
        )
    wanted = (Subject.FACT, Subject.EPISODE)
    results = searcher.search(query, view, subjects=wanted, limit=MOST_FACTS)
    page = _Page(room=budget * CHARACTERS_A_TOKEN)
    page.put(_heading(results))
    facts = cited(searcher.reader, results)
    kept = page.section("Facts:", [fact.line for fact in facts], share=FACTS_SHARE)
    turns = [_turn(result) for result in results.episodes[:MOST_TURNS]]
    shown = page.section("What was said:", [turn.line for turn in turns], share=1.0)
    if not kept and not shown:
        page.put("Nothing is known on this.")
    text = "\n".join(page.lines)
    return Context(
        query=query,
        text=text,
        tokens=tokens_of(text),
        budget=budget,
        moment=results.moment,
        facts=tuple(facts[at] for at in kept),
        turns=tuple(turns[at] for at in shown),
        facts_left_out=len(facts) - len(kept),
        turns_left_out=len(turns) - len(shown),
        notes=results.notes,
    )


def tokens_of(text: str) -> int:
    """About how many tokens a text has: its characters by four, rounded up."""
    return ceil(len(text) / CHARACTERS_A_TOKEN)


def cited(reader: GraphReader, results: Results) -> list[CitedFact]:
    """The facts that were found, with the episodes that they rest on: one look-up a group."""
    wanted: dict[str, set[str]] = {}
    for result in results.facts:
        fact = result.fact.version.fact
        wanted.setdefault(fact.group_id, set()).update(fact.evidence[:MOST_CITATIONS])
    placements = {
        (group_id, placement.id): placement
        for group_id, ids in wanted.items()
        for placement in reader.evidence(group_id, ids)
    }
    return [_cited(one.fact, placements, with_belief=results.history) for one in results.facts]


def _cited(
    named: NamedVersion, placements: Mapping[tuple[str, str], Placement], *, with_belief: bool
) -> CitedFact:
    fact = named.version.fact
    assertion_ids = fact.evidence[:MOST_CITATIONS]
    episode_ids = tuple(
        dict.fromkeys(
            placements[fact.group_id, assertion_id].episode_id
            for assertion_id in assertion_ids
            if (fact.group_id, assertion_id) in placements
        )
    )
    return CitedFact(
        fact=named,
        line=f"- {fact_line(named, episode_ids, with_belief=with_belief)}",
        assertion_ids=assertion_ids,
        episode_ids=episode_ids,
        evidence=len(fact.evidence),
    )


def _turn(result: EpisodeResult) -> CitedTurn:
    episode = result.episode
    said = one_line(episode.content)
    cut = len(said) > MOST_TURN_CHARACTERS
    return CitedTurn(
        episode_id=episode.episode_id,
        line=f"- {turn_line(episode, most_characters=MOST_TURN_CHARACTERS)}",
        cut=cut,
    )


def _heading(results: Results) -> str:
    if results.history:
        return "From memory, all that was ever held true:"
    valid, system = results.moment.valid, results.moment.system
    at = "" if valid is None else f" as of {date_of(valid)}"
    believed = "" if system is None else f", as believed on {date_of(system)}"
    return f"From memory{at}{believed}:"


@dataclass(slots=True, kw_only=True)
class _Page:
    """Lines that together stay within a room of characters."""

    room: int
    lines: list[str] = field(default_factory=list)

    def put(self, line: str) -> bool:
        """Adds the line if there is room for it and its line break."""
        if len(line) + 1 > self.room:
            return False
        self.room -= len(line) + 1
        self.lines.append(line)
        return True

    def section(self, title: str, lines: Sequence[str], *, share: float) -> list[int]:
        """Adds the title and the lines that fit into that share of the room; returns which did."""
        room = int(self.room * share) - len(title) - 1
        kept = []
        for at, line in enumerate(lines):
            if len(line) + 1 <= room:
                room -= len(line) + 1
                kept.append(at)
        if kept:
            for line in (title, *(lines[at] for at in kept)):
                self.put(line)
        return kept
