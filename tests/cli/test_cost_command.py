"""`memstrata cost`, and what `work --dry-run` says extraction would take."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memstrata.cli.session import console
from memstrata.language_models.scripted_server import ScriptedServer, refusal
from memstrata.ports import Call, Stage
from memstrata.settings import opened

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Memstrata


def noted(
    group: str = "default",
    *,
    model: str = "gpt-5-mini",
    day: int = 1,
    calls: float = 1.0,
    failed: float = 0.0,
) -> None:
    """A call on that day of May."""
    with opened() as installation:
        assert installation.calls is not None
        installation.calls.note(
            [
                Call(
                    at=datetime(2026, 5, day, tzinfo=UTC),
                    group_id=group,
                    episode_id="e",
                    stage=Stage.EXTRACT,
                    version="model-1",
                    model=model,
                    calls=calls,
                    failed=failed,
                    retries=2 * failed,
                    input_tokens=1_000_000,
                    output_tokens=1_000_000,
                )
            ]
        )


def test_nothing_asked_is_said_so(memstrata: Memstrata) -> None:
    assert memstrata("cost").out.strip() == "no language model was asked"


def test_costs_are_listed_and_summed(memstrata: Memstrata) -> None:
    noted()
    noted("other", day=2)
    lines = memstrata("cost", "--by", "day,group").out.splitlines()
    assert lines[0].split()[:2] == ["day", "group"]
    assert [line.split()[-1] for line in lines[1:]] == ["2.25", "2.25", "4.50"]
    assert lines[1].split()[:2] == ["2026-05-01", "default"]
    narrowed = memstrata("cost", "--since", "2026-05-02", "--group", "other", "--json")
    assert json.loads(narrowed.out)["total"]["cost"] == pytest.approx(2.25)


def test_an_unknown_price_is_never_nothing(memstrata: Memstrata) -> None:
    noted(model="own")
    told = memstrata("cost")
    assert told.out.splitlines()[1].split()[-1] == "unknown"
    assert "no price is known of own: name it in the file of MEMSTRATA_PRICES" in told.out
    noted()
    assert "2.25 + unknown" in memstrata("cost").out
    assert json.loads(memstrata("cost", "--json").out)["total"]["cost"] is None


def test_what_failed_is_told_where_something_did(memstrata: Memstrata) -> None:
    noted(calls=3.0)
    assert memstrata("cost").out.splitlines()[0].split()[2:5] == ["calls", "input", "output"]
    noted(calls=2.0, failed=1.0)
    heading, row = (line.split() for line in memstrata("cost").out.splitlines())
    assert heading[2:6] == ["calls", "failed", "retries", "input"]
    assert row[2:6] == ["5", "1", "2", "2,000,000"]


def test_where_a_table_has_no_room_nothing_of_it_is_cut(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted(model="a-model-with-a-long-name")
    noted("other", day=2)
    monkeypatch.setattr(console, "_width", 60)
    told = memstrata("cost", "--by", "day,group,model,version").out
    assert told.splitlines() == [
        "2026-05-01  default  a-model-with-a-long-name  model-1",
        "  calls 1, input 1,000,000, output 1,000,000, seconds 0.00, cost USD unknown",
        "2026-05-02  other  gpt-5-mini  model-1",
        "  calls 1, input 1,000,000, output 1,000,000, seconds 0.00, cost USD 2.25",
        "total",
        "  calls 2, input 2,000,000, output 2,000,000, seconds 0.00, cost USD 2.25 + unknown",
        (
            "no price is known of a-model-with-a-long-name: name it in the file of MEMSTRATA_PRICES "
            "(0 if it costs nothing)"
        ),
    ]


@pytest.mark.parametrize("by", ["day", "group", "stage", "version", "model", "episode"])
def test_rows_add_up_to_the_total_whatever_they_are_listed_by(memstrata: Memstrata, by: str) -> None:
    for number in range(3):
        noted(f"g{number}", day=number + 1, calls=0.5, failed=0.25)
    found = json.loads(memstrata("cost", "--by", by, "--json").out)
    for name in ("calls", "failed", "retries", "input_tokens", "output_tokens", "cost"):
        assert sum(row[name] for row in found["rows"]) == pytest.approx(found["total"][name])


def test_a_group_or_days_that_cannot_be_are_refused(memstrata: Memstrata) -> None:
    memstrata("init")
    assert "there is no group 'nosuch'" in memstrata("cost", "-g", "nosuch").err
    assert "no day is from" in memstrata("cost", "--since", "2026-12", "--until", "2026-11").err


def test_what_nothing_is_listed_by_is_refused(memstrata: Memstrata) -> None:
    told = memstrata("cost", "--by", "modle")
    assert told.status == 2
    assert "did you mean model?" in told.err


def test_a_dry_run_tells_what_extraction_would_take(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    memstrata("add", "Ada Byron has worked at Acme since 2021.")
    assert "extract   1 episode, without a language model" in memstrata("work", "--dry-run").out
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "gpt-5-mini")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    told = memstrata("work", "--dry-run").out
    assert "extract   1 episode by gpt-5-mini: 1 call" in told
    assert "USD" in told
    estimated = json.loads(memstrata("work", "--dry-run", "--json").out)["extraction"]
    assert (estimated["calls"], estimated["is_from_past"]) == (1, False)
    assert estimated["cost"] > 0


def test_a_spent_budget_fails_the_pass_and_says_what_is_left(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    memstrata("add", "Ada Byron has worked at Acme since 2021.")
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "gpt-5-mini")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.setenv("MEMSTRATA_BUDGET_RUN", "0")
    told = memstrata("work", "--once")
    assert told.status == 1
    assert "the budget of the run (MEMSTRATA_BUDGET_RUN = '0') allows no call" in told.err
    assert "left for extraction: 1 episode" in told.err


def test_an_address_that_is_none_stops_the_pass_and_counts_against_no_episode(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    memstrata("add", "Ada Byron has worked at Acme since 2021.")
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "m")
    monkeypatch.setenv("OPENAI_BASE_URL", "nonsense")
    for _ in range(7):
        told = memstrata("work", "--once")
        assert (told.status, "OPENAI_BASE_URL = 'nonsense' is no address" in told.err) == (1, True)
    assert "no dead letters" in memstrata("dead-letters").out
    assert "run again to go on" in memstrata("extractor", "run").err


def test_a_pass_whose_episodes_fail_says_why(memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    memstrata("add", "Ada Byron has worked at Acme since 2021.")
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "m")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-0123456789")
    with ScriptedServer(script=lambda _: refusal("I will not")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for _ in range(2):
            told = memstrata("work", "--once")
            assert "1 failure" in told.out
            assert "the last that failed: m refused: I will not" in told.err


def test_prices_are_read_strictly(
    memstrata: Memstrata, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "prices.yaml").write_text("models:\n  m: {input: 1, output: much}\n")
    monkeypatch.setenv("MEMSTRATA_PRICES", "prices.yaml")
    told = memstrata("cost")
    assert told.status == 2
    assert "prices.yaml, line 2, m.output: 'much' is no price" in told.err
