"""The declared entity types and relations, and which declaration was in force when.

Values live in `declared` and `duration`; reading a user's file (strict) in `document`, the fold's stream
of documents (lenient) in `stream`, Graphiti-style pydantic declarations in `models`. Nothing here reads
data: cardinality comes from the declaration alone.
"""

from memstrata.ontology.declared import (
    Cardinality,
    EntityType,
    Field,
    FieldType,
    Ontology,
    Relation,
    Undeclared,
)
from memstrata.ontology.document import load_ontology
from memstrata.ontology.duration import Duration
from memstrata.ontology.stream import OntologyStream, load_stream

__all__ = [
    "Cardinality",
    "Duration",
    "EntityType",
    "Field",
    "FieldType",
    "Ontology",
    "OntologyStream",
    "Relation",
    "Undeclared",
    "load_ontology",
    "load_stream",
]
