"""A small live schema, as a memory in Neo4j has it."""

from __future__ import annotations

from memstrata.ports import GraphSchema, Kind, Property, RelationMeaning


def kind(name: str, *properties: str) -> Kind:
    return Kind(
        name=name,
        count=3,
        properties=tuple(Property(name=one, types=("STRING",), count=3) for one in properties),
    )


SCHEMA = GraphSchema(
    group_id="acme",
    labels=(
        kind("Entity", "uuid", "name", "summary", "created_at"),
        kind("Person", "uuid", "name", "summary", "created_at", "birthday"),
        kind("Episodic", "uuid", "content", "valid_at"),
    ),
    types=(
        kind("RELATES_TO", "uuid", "name", "fact", "valid_at", "invalid_at"),
        kind("MENTIONS", "uuid", "created_at"),
    ),
    relations=(RelationMeaning(name="WORKS_FOR", count=2),),
)
