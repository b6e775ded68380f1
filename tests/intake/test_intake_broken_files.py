from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstrata import intake
from memstrata.errors import MemstrataError

SAMPLES = Path(__file__).parent.parent / "samples"
FILES = sorted(path for path in SAMPLES.glob("*/valid_*") if path.is_file())
EXPECTED = yaml.safe_load((SAMPLES / "EXPECTED.yaml").read_text("utf-8"))
AT = datetime(2025, 2, 3, 10, tzinfo=UTC)


PIECES = [
    b"null",
    b"{}",
    b"[]",
    b'"',
    b"7",
    b"true",
    b"\n",
    b"---\n",
    b"\\ud800",
    b"\\u0000",
    b"1e999",
    b"[",
]
KEYS = [
    "role",
    "content",
    "messages",
    "tool_calls",
    "tool_call_id",
    "function",
    "function_call",
    "name",
    "arguments",
    "id",
    "type",
    "custom",
    "input",
    "custom_id",
    "response",
    "body",
    "choices",
    "message",
    "created",
    "created_at",
    "metadata",
    "task",
    "reward",
    "preferred_output",
    "text",
    "conversation_id",
    "subject",
    "predicate",
    "object",
    "fact",
    "kind",
    "valid_at",
    "invalid_at",
    "confidence",
    "literal",
    "attributes",
]
WORDS = ["user", "assistant", "tool", "function", "text", "2025-01-01", "holds", "a", "b"]
finite = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | st.text(max_size=5) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)


def options_for(path: Path) -> intake.Options:
    given_options = EXPECTED[path.relative_to(SAMPLES).as_posix()].get("options", {})
    mapping = given_options.get("mapping")
    return intake.Options(mapping=mapping, reference_time=AT, timezone="Europe/Berlin")


def read_or_refuse(path: Path, options: intake.Options) -> None:
    """Reading ends in drafts that pass the door, or in an error that we raise on purpose."""
    try:
        reading = intake.read(path, options)
    except MemstrataError:
        return
    for draft in reading.drafts:
        intake.validate(draft)
        intake.episode_id(draft)
        intake.content_hash(draft)


@pytest.mark.parametrize("sample", FILES, ids=lambda path: path.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_broken_file_is_read_or_refused_on_purpose(
    sample: Path, tmp_path: Path, data: st.DataObject
) -> None:
    content = bytearray(sample.read_bytes())
    for _ in range(data.draw(st.integers(1, 4), label="changes")):
        start = data.draw(st.integers(0, len(content)), label="start")
        stop = data.draw(st.integers(start, min(len(content), start + 12)), label="stop")
        content[start:stop] = data.draw(st.binary(max_size=4) | st.sampled_from(PIECES), label="piece")
    path = tmp_path / sample.name
    path.write_bytes(bytes(content))
    read_or_refuse(path, options_for(sample))


@pytest.mark.parametrize("format_name", ["openai_chat", "fact_triples"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(values, min_size=1, max_size=4))
def test_any_json_is_read_or_refused_on_purpose(
    format_name: str, tmp_path: Path, lines: list[object]
) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    read_or_refuse(path, intake.Options(reference_time=AT, format=format_name))
