"""Every number that search works with unless it is told otherwise, each with what it was measured by.

docs/search.md lists them; a test keeps the two alike. Nothing is computed here.
"""

from __future__ import annotations

from typing import Final

DEPTH: Final = 100
"""Hits that each arm gives, and over which its scores are normalised."""

RRF_CONSTANT: Final = 60
"""The constant of reciprocal rank fusion."""

WORDS_WEIGHT: Final = 0.5
"""What BM25 counts in the fusion."""

VECTORS_WEIGHT: Final = 0.5
"""What cosine counts in the fusion."""

NAMES_WEIGHT: Final = 1.0
"""What an exact name counts when entities are sought."""

TRAVERSAL_WEIGHT: Final = 0.2
"""What being near a seed counts in the fusion."""

FACTS_WEIGHT: Final = 0.3
"""What it counts for a turn that a fact which the query found rests on it."""

VOTING_FACTS: Final = 30
"""How many of the facts that were found vote for the turns they rest on."""

LEAST_LEAD: Final = 0.03
"""By how much cosine the nearest must lead the median of its crowd to count where no word was found."""

MOST_SEEDS: Final = 10
"""Entities called by name from which traversal starts."""

LIKELY_SEEDS: Final = 3
"""Entities likely by words from which it starts where the query calls none by name."""

HOPS: Final = 2
"""How far traversal goes from its seeds; 1 to 3."""

HOP_DECAY: Final = 0.5
"""What a fact one hop further counts of one nearer."""

EDGES_AN_ENTITY: Final = 100
"""Facts of one seed that traversal looks at, its latest."""

EDGES_BEYOND: Final = 20
"""Facts of one entity further on that traversal looks at, its latest."""

REACHED_ENOUGH: Final = 30
"""Facts reached after which traversal goes no further; more where more results are wanted."""

MOST_FRONTIER: Final = 10
"""Entities from which traversal goes on, a hop."""

SPREAD: Final = 0.3
"""What a turn gives of its score to the turn before and to the turn after."""

NAMED_SPEAKER: Final = 0.3
"""What a turn gains whose speaker the query names."""

USER_OVER_ASSISTANT: Final = 0.5
"""What a user's turn gains where the query names no speaker."""

STATED: Final = 0.4
"""What a turn gains that states enough; one that states less gains its part, one that only asks nothing.

Where an assistant takes part all state enough.
"""

STATED_ENOUGH: Final = 20
"""Words outside of questions with which a turn states enough."""

DAY_NAMED: Final = 0.4
"""What a turn gains of the day, month or year that the query names; of another day of that month half."""

MMR_LAMBDA: Final = 0.5
"""How much relevance counts in MMR; the rest is unlikeness to what stands above."""

RERANKED: Final = 50
"""How many of the first are reranked."""

RECENCY_WEIGHT: Final = 0.5
"""How much rank in time counts in the reranker `recency`; the rest is the fusion's score."""

POOL: Final = 100
"""Turns of a fusion that are read to be judged by who spoke and when."""

MOST_EVIDENCE: Final = 20
"""Assertions of one fact that vote for the turns they stand in."""

LATER_POOL: Final = 30
"""Turns among which a later one may be ranked above an earlier one that says the same of another time."""

MOST_REPLACED: Final = 5
"""Turns, the first, of which it is asked what puts them out of date."""

MOST_LATER: Final = 2
"""Later turns, the best found, that are ranked above one that they put out of date."""

LATER_SHARE: Final = 0.25
"""How much of what the query's words tell two turns must share to speak of the same thing."""

LATER_RATIO: Final = 0.3
"""What part of the earlier's score the later must have by itself."""
