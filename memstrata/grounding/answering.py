"""A query from somebody, or some model, answered: described, grounded, run, its errors led back to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.grounding.checking import check
from memstrata.grounding.clauses import parse
from memstrata.grounding.confining import GROUP_PARAMETER, confine
from memstrata.grounding.problems import UngroundedQuery, problem
from memstrata.ports import QueryProblem, RelationMeaning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.grounding.confining import Confined
    from memstrata.model import Json
    from memstrata.ontology import Ontology
    from memstrata.ports import CypherReader, GraphSchema, Rows

MOST_ROWS: Final = 1_000
MOST_SECONDS: Final = 60.0
#: Bytes of an answer's rows as JSON; whoever asks may be a model, which reads all of it.
MOST_BYTES: Final = 1_000_000


def described(reader: CypherReader, group_id: str, ontology: Ontology) -> GraphSchema:
    """The group's live schema, with what the ontology declares of its relations.

    Relations that are declared and have no fact yet are listed too, with a count of 0.
    """
    schema = reader.schema(group_id)
    counted = {relation.name: relation for relation in schema.relations}
    for declared in ontology.relations:
        counted.setdefault(declared.name, RelationMeaning(name=declared.name, count=0))
    meant = [_with_meaning(relation, ontology) for relation in counted.values()]
    meant.sort(key=lambda relation: (-relation.count, relation.name))
    return replace(schema, relations=tuple(meant))


def ground(text: str, schema: GraphSchema) -> Confined:
    """The query as it may run in the schema's group.

    Raises `UngroundedQuery`, with every problem that was found, for a query that does anything but read, or
    names what the schema does not have.
    """
    reading = parse(text)
    problems = check(text, reading, schema)
    if problems:
        raise UngroundedQuery(problems)
    return confine(text, reading)


def read_cypher(
    reader: CypherReader,
    text: str,
    parameters: Mapping[str, Json] | None = None,
    *,
    group_id: str,
    limit: int = 100,
    seconds: float = 10.0,
) -> Rows:
    """The rows of a reading query over one group: at most `limit`, and `MOST_BYTES` of them.

    Raises `UngroundedQuery` for a query that is not run, `Incorrect` for limits out of range, `Unsupported`
    on a store without Cypher, `Fault` for a query that took longer than `seconds`.
    """
    if not 1 <= limit <= MOST_ROWS:
        raise Incorrect(f"the limit is {limit} rows; expected 1 to {MOST_ROWS}")
    if not 0 < seconds <= MOST_SECONDS:
        raise Incorrect(
            f"the time limit is {seconds:g} s; expected more than 0 and at most {MOST_SECONDS:g}"
        )
    schema = reader.schema(group_id)
    if not schema.labels:
        raise Incorrect(f"group {group_id!r} holds nothing that could be asked for; name another group")
    confined = ground(text, schema)
    values = {**(parameters or {}), GROUP_PARAMETER: group_id}
    try:
        return reader.run_cypher(confined.text, values, limit=limit, seconds=seconds, size=MOST_BYTES)
    except QueryProblem as error:
        at = 0 if error.offset is None else min(confined.offset_in_query(error.offset), len(text))
        token = (text[at:].split() or [""])[0]
        raise UngroundedQuery([problem(text, "syntax", at, token, error.message)]) from error


def _with_meaning(relation: RelationMeaning, ontology: Ontology) -> RelationMeaning:
    declared = ontology.relation(relation.name)
    return replace(
        relation,
        description="" if declared is None else declared.description,
        cardinality=str(ontology.cardinality(relation.name)),
    )
