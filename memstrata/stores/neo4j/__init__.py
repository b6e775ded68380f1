"""The graph on a Neo4j server. The model is in docs/decisions/0008-the-graph-in-neo4j.md."""

from memstrata.stores.neo4j.graph import Neo4jGraph

__all__ = ["Neo4jGraph"]
