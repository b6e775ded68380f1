"""What models cost: the packaged list, a user's over it, and mistakes named with their line."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.errors import Misplaced, Missing
from memstrata.spending import Prices, default_prices, load_prices
from memstrata.spending.opening import prices_in

if TYPE_CHECKING:
    from pathlib import Path

MILLION = 1_000_000


def test_every_packaged_price_says_when_and_where_it_was_read() -> None:
    listed = default_prices().models
    assert listed
    assert all(one.day and one.day >= date(2026, 1, 1) for one in listed.values())
    assert all(one.source.startswith("https://") for one in listed.values())
    assert all(0 < one.cached <= one.input < one.output for one in listed.values())


def test_input_read_before_has_its_own_price() -> None:
    prices = load_prices("models: {m: {input: 2, cached: 0.5, output: 8}}")
    assert prices.cost("m", MILLION, MILLION) == 10
    assert prices.cost("m", MILLION, 0, MILLION) == 0.5
    assert prices.cost("m", MILLION, 0, MILLION / 2) == 1.25


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_without_a_price_of_its_own_it_costs_what_other_input_does(fresh: float, cached: float) -> None:
    prices = load_prices("models: {m: {input: 2, output: 8}}")
    assert prices.cost("m", fresh + cached, 0, cached) == pytest.approx(prices.cost("m", fresh + cached, 0))


def test_what_is_not_listed_has_no_price_and_what_is_free_costs_nothing() -> None:
    prices = load_prices("models: {own: {input: 0, output: 0}}")
    assert prices.cost("other", 10, 10) is None
    assert prices.cost("own", 10, 10) == 0


def test_a_dated_snapshot_costs_what_its_model_does_unless_it_is_listed() -> None:
    prices = load_prices(
        "models: {m: {input: 2, output: 8}, m-2024-05-13: {input: 5, output: 15}, c: {input: 1, output: 1}}"
    )
    assert prices.cost("m-2025-08-07", MILLION, 0) == 2
    assert prices.cost("m-2024-05-13", MILLION, 0) == 5
    assert prices.cost("c-20250929", MILLION, 0) == 1
    assert prices.cost("m-large", MILLION, 0) is None


def test_a_users_file_stands_over_the_packaged_list(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("models:\n  gpt-5-mini: {input: 7, output: 7}\n  mine: {input: 1, output: 1}\n")
    prices = prices_in(file)
    assert prices.cost("gpt-5-mini", MILLION, 0) == 7
    assert prices.cost("mine", MILLION, 0) == 1
    assert prices.cost("gpt-5", MILLION, 0) == default_prices().cost("gpt-5", MILLION, 0)


def test_prices_in_another_currency_stand_alone(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("currency: EUR\nmodels:\n  mine: {input: 1, output: 1}\n")
    prices = prices_in(file)
    assert prices.currency == "EUR"
    assert prices.cost("gpt-5", MILLION, 0) is None


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="MEMSTRATA_PRICES"):
        prices_in(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("models:\n  m: {input: -1, output: 2}", 2, "'-1' is no price"),
        ("models:\n  m: {input: nan, output: 2}", 2, "'nan' is no price"),
        ("models:\n  m:\n    input: cheap\n    output: 2", 3, "'cheap' is no price"),
        ("models:\n  m:\n    input: 1", 3, "output is missing"),
        ("models:\n  m:\n    input: 1\n    ouput: 2", 4, "did you mean output?"),
        ("models:\n  m: {input: 1, output: 1}\n  m: {input: 2, output: 2}", 3, "said twice"),
        ("models:\n  m: {input: 1, output: 1, date: soon}", 2, "'soon' is no day"),
        ("currency: dollars", 1, "'dollars' is no code of a currency"),
        ("modles: {}", 1, "did you mean models?"),
        ("models:\n  m: [1, 2]", 2, "expected keys with values"),
        ("- a", 1, "expected keys with values"),
        ("models:\n  m: {input: 1]", 2, "not YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(Misplaced) as caught:
        load_prices(text, "prices.yaml")
    assert caught.value.file == "prices.yaml"
    assert caught.value.line == line
    assert said in str(caught.value)


def test_an_empty_list_is_no_mistake() -> None:
    assert load_prices("") == load_prices("models:\n") == Prices()
