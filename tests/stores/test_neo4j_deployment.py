"""How a server is started elsewhere: the compose file says what the local one does."""

from __future__ import annotations

from pathlib import Path

import yaml

_DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_compose_file_publishes_on_loopback_alone_and_demands_a_password() -> None:
    service = yaml.safe_load((_DEPLOY / "docker-compose.yml").read_text("utf-8"))["services"]["neo4j"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert "${NEO4J_PASSWORD:?" in service["environment"]["NEO4J_AUTH"]
    assert service["image"] == "neo4j:5.26-community"


def test_plans_are_kept_alike_in_the_compose_file_and_by_the_local_server() -> None:
    service = yaml.safe_load((_DEPLOY / "docker-compose.yml").read_text("utf-8"))["services"]["neo4j"]
    kept = service["environment"]["NEO4J_dbms_cypher_min__replan__interval"]
    local = (_DEPLOY / "neo4j-local" / "serve.py").read_text("utf-8")
    assert f'"dbms.cypher.min_replan_interval": "{kept}"' in local


def test_vector_indexes_have_few_parts_in_the_compose_file_and_on_the_local_server() -> None:
    service = yaml.safe_load((_DEPLOY / "docker-compose.yml").read_text("utf-8"))["services"]["neo4j"]
    joined = service["environment"]["NEO4J_internal_dbms_index_vector_standard__merge__factor"]
    local = (_DEPLOY / "neo4j-local" / "serve.py").read_text("utf-8")
    assert f'"internal.dbms.index.vector.standard_merge_factor": "{joined}"' in local
