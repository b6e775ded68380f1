from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from memstrata.errors import Misplaced
from memstrata.resolution.wire import read, resolve_lines

BOB: dict[str, Any] = {
    "record": "mention", "group_id": "g1", "ref": "m1", "name": "Bob Fletcher", "type": "person",
    "text": "Bob Fletcher is off sick.", "episode": "e1", "saga": None, "speaker": None, "addressee": None,
    "attributes": {"employer": "Quarry Lane"}, "reference_time": "2026-01-05T09:00:00Z",
}  # fmt: skip
APART = {
    "record": "decision", "group_id": "g1", "kind": "keep_apart", "refs": ["m1", "m2"], "by": "person",
    "at": "2026-02-01T10:00:00Z",
}  # fmt: skip


def lines(*rows: dict[str, Any]) -> list[bytes]:
    return [json.dumps(row).encode() + b"\n" for row in rows]


def test_clusters_refusals_and_reviews_are_written_sorted() -> None:
    rows = lines(BOB, BOB | {"ref": "m2"}, BOB | {"ref": "m3"}, BOB | {"ref": "m4", "name": "she"}, APART)
    written = [json.loads(line) for line in resolve_lines(rows)]
    assert [(row["record"], row.get("refs", row.get("ref"))) for row in written] == [
        ("cluster", ["m1"]),
        ("cluster", ["m2"]),
        ("cluster", ["m3"]),
        ("rejected", "m4"),
        ("review", ["m1", "m3"]),
        ("review", ["m2", "m3"]),
    ]


def test_repeated_and_blank_lines_change_nothing() -> None:
    rows = lines(BOB, BOB | {"ref": "m2"}, APART)
    assert list(resolve_lines([*rows, b"\n", *reversed(rows)])) == list(resolve_lines(rows))


def test_unknown_fields_are_ignored() -> None:
    assert list(resolve_lines(lines(BOB | {"colour": "red"}))) == list(resolve_lines(lines(BOB)))


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"{", "line 2"),
        (b"[]", "line 2"),
        (lines(BOB | {"record": "cluster"})[0], "line 2"),
        (lines({key: BOB[key] for key in BOB if key != "group_id"})[0], "group_id"),
        (lines(BOB | {"reference_time": "2026-01-05T09:00:00"})[0], "reference_time"),
        (lines(BOB | {"ref": "m1", "name": "Ann Lee"})[0], "two different mentions"),
        (lines(APART)[0], "'m2'"),
        (lines(APART | {"by": "policy"})[0], "by"),
    ],
)
def test_a_malformed_line_is_refused_with_its_place(bad: bytes, said: str) -> None:
    with pytest.raises(Misplaced, match=said) as refused:
        read([*lines(BOB), bad])
    assert refused.value.line == 2


def test_the_command_reads_standard_input_and_exits_with_2_on_a_malformed_line() -> None:
    command = [sys.executable, "-c", "from memstrata.cli import main; main()", "resolve"]
    done = subprocess.run(command, input=b"".join(lines(BOB)), capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["refs"]) == (0, ["m1"])
    refused = subprocess.run(command, input=b"\n{", capture_output=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"line 2" in refused.stderr
