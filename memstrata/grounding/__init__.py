"""Grounded queries: Cypher that only reads, checked against the live schema, confined to one group.

`clauses` parses what may be read, `checking` finds the names that are not there, `confining` puts the group
into every pattern, `answering` does all of it. Running the query is the store's.
"""

from memstrata.grounding.answering import MOST_BYTES, described, ground, read_cypher
from memstrata.grounding.clauses import parse
from memstrata.grounding.problems import Problem, UngroundedQuery

__all__ = ["MOST_BYTES", "Problem", "UngroundedQuery", "described", "ground", "parse", "read_cypher"]
