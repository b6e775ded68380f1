"""Context for a model: core blocks, facts with times and citations, summaries and raw turns, in a budget.

Deterministic: the same memory, query, view, budget and clock give the same text. Finding lives in
`searcher`, lines in `citing`, the room of a page in `page`, counting in `tokens`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.marks import FACTS, HEADING, LEFT_OUT, NOTHING, SUMMARIES, TURNS, mark
from memstrata.search.citing import around, cited_facts, cited_summaries, packed
from memstrata.search.page import Page, cost_of
from memstrata.search.presets import CONTEXT
from memstrata.search.tokens import tokens_of
from memstrata.search.view import View
from memstrata.search.wording import date_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from memstrata.bitemporal import Moment
    from memstrata.search.citing import CitedFact, CitedSummary, CitedTurn
    from memstrata.search.core import CoreBlock, CoreMemory
    from memstrata.search.results import Results
    from memstrata.search.searcher import Searcher

#: Of the room that core blocks leave, facts fill at most so much; of what is left then, summaries.
FACTS_SHARE: Final = 0.6
SUMMARIES_SHARE: Final = 0.3

MOST_FACTS: Final = 40
MOST_TURNS: Final = 8

#: The smallest budget where there are no core blocks; less holds no fact.
LEAST_BUDGET: Final = 50
DEFAULT_BUDGET: Final = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """How much was found and had no room; core blocks are always whole."""

    facts: int = 0
    summaries: int = 0
    turns: int = 0

    def __bool__(self) -> bool:
        """Whether anything was left out."""
        return bool(self.facts or self.summaries or self.turns)

    def __str__(self) -> str:
        counts = {"fact": self.facts, "summary line": self.summaries, "turn": self.turns}
        told = [f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items() if count]
        return f"{LEFT_OUT} {', '.join(told)}."


#: Room kept free for the last line, whatever it will count.
_LAST_LINE: Final = max(cost_of(str(LeftOut(facts=99, summaries=999, turns=99))), cost_of(NOTHING))


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a model is given: `text`, about `tokens` of it (see `tokens`), and what it cites."""

    query: str
    text: str
    tokens: int
    budget: int
    moment: Moment
    core: tuple[CoreBlock, ...] = ()
    facts: tuple[CitedFact, ...] = ()
    summaries: tuple[CitedSummary, ...] = ()
    turns: tuple[CitedTurn, ...] = ()
    left_out: LeftOut = field(default_factory=LeftOut)
    notes: tuple[str, ...] = ()


def context(
    searcher: Searcher,
    query: str,
    view: View | None = None,
    *,
    budget: int = DEFAULT_BUDGET,
    core: CoreMemory | None = None,
) -> Context:
    """The context for a query, at most `budget` tokens long, the core blocks of the view's groups first.

    Summaries tell what is true now, so they are shown where that is asked. Raises `Incorrect` for an
    empty query, and for a budget below 50 tokens, or too small for the core blocks, saying the least.
    """
    looked = view or View()
    blocks = () if core is None else core.blocks(looked)
    head = (_heading(looked, searcher.clock.now()), *_core_lines(blocks))
    _check_budget(budget, head, blocks)
    results = searcher.search(query, looked, preset=CONTEXT, limit=MOST_FACTS)
    page = Page(room=budget - _LAST_LINE)
    for line in head:
        page.put(line)
    return _filled(page, searcher, results, budget=budget, blocks=blocks, is_present=_is_present(looked))


def _filled(
    page: Page,
    searcher: Searcher,
    results: Results,
    *,
    budget: int,
    blocks: tuple[CoreBlock, ...],
    is_present: bool,
) -> Context:
    """The page with what was found."""
    facts = cited_facts(searcher.reader, results)
    summaries = cited_summaries(searcher.graph, results) if is_present else ()
    found = [around(result) for result in results.episodes[:MOST_TURNS]]
    facts_kept = page.section(FACTS, facts, share=FACTS_SHARE)
    summaries_kept = page.section(SUMMARIES, summaries, share=SUMMARIES_SHARE)
    turns_kept = page.section(TURNS, packed(found, page.room - cost_of(TURNS)))
    left_out = LeftOut(
        facts=len(facts) - len(facts_kept),
        summaries=len(summaries) - len(summaries_kept),
        turns=len(found) - sum(not turn.is_neighbour for turn in turns_kept),
    )
    page.room += _LAST_LINE
    if left_out:
        page.put(str(left_out))
    elif not (facts_kept or summaries_kept or turns_kept):
        page.put(NOTHING)
    return Context(
        query=results.query,
        text=page.text,
        tokens=tokens_of(page.text),
        budget=budget,
        moment=results.moment,
        core=blocks,
        facts=facts_kept,
        summaries=summaries_kept,
        turns=turns_kept,
        left_out=left_out,
        notes=results.notes,
    )


def _check_budget(budget: int, head: Sequence[str], blocks: Sequence[CoreBlock]) -> None:
    least = max(LEAST_BUDGET, sum(map(cost_of, head)) + _LAST_LINE)
    if budget >= least:
        return
    if blocks:
        labels = ", ".join(block.label for block in blocks)
        why = f"the core blocks ({labels}) always stand in it: shorten them, or give more"
    else:
        why = "less holds no fact"
    raise Incorrect(f"the budget is {budget} tokens; expected at least {least}, {why}")


def _core_lines(blocks: Sequence[CoreBlock]) -> Iterator[str]:
    """The blocks, each under its label; indented, so that no line of theirs passes for one of ours."""
    groups = {block.group_id for block in blocks}
    for block in blocks:
        if block.text:
            of = f" of {block.group_id}" if len(groups) > 1 else ""
            yield f"Core {block.label}{of}:"
            named = mark("core memory", block.label)
            yield from (f"  {line} {named}" for line in block.text.splitlines() if line.strip())


def _is_present(view: View) -> bool:
    return view.as_of is None and view.during is None and not view.history


def _heading(view: View, now: datetime) -> str:
    if view.history:
        return f"{HEADING}, all that was ever held true:"
    if view.during is not None:
        at = f" of {date_of(view.during[0])} to {date_of(view.during[1])}"
    else:
        at = f" as of {now:%Y-%m-%d}" if view.as_of is None else f" as of {date_of(view.as_of)}"
    believed = "" if view.system_as_of is None else f", as believed on {date_of(view.system_as_of)}"
    return f"{HEADING}{at}{believed}:"
