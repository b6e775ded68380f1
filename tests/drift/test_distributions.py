import random
import re
from collections.abc import Mapping
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from memstrata.drift.distributions import (
    benjamini_hochberg,
    jensen_shannon,
    label_shift,
    population_stability,
)
from memstrata.drift.labels import WINDOWS, new_label_findings, shift_findings

FIRST = date(2024, 1, 1)
Counts = dict[str, int]
counts = st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(0, 500), max_size=8)
filled = counts.filter(lambda given: sum(given.values()) > 0)


def memory(
    seed: int, days: int, *, shifted: Mapping[int, float] | None = None, groups: tuple[float, ...] = (1.0,)
) -> dict[str, dict[date, Counts]]:
    """The healthy memory of the drift scenario ("mild"); `shifted` moves total variation on some days."""
    rng = np.random.default_rng(seed)
    base = np.arange(1.0, 13) ** -0.9
    base /= base.sum()
    season = [1.15, 1.2, 1.15, 1.1, 1, 0.7, 0.7]
    memory: dict[str, dict[date, Counts]] = {f"g{place}": {} for place in range(len(groups))}
    for day in (FIRST + timedelta(days=back) for back in range(days)):
        moved = (shifted or {}).get((day - FIRST).days, 0.0)
        topic = rng.dirichlet(500 * moved_by(base, moved, rng))
        mean = 60 * season[day.weekday()] * np.exp(rng.normal(0, 0.08))
        for name, share in zip(memory, groups, strict=True):
            total = np.zeros(12, int)
            for _ in range(rng.poisson(mean * share)):
                total += rng.multinomial(1 + rng.poisson(3.2), rng.dirichlet(9 * topic + 1e-9))
            memory[name][day] = {f"L{label}": int(count) for label, count in enumerate(total) if count}
    return memory


def moved_by(base: np.ndarray, total_variation: float, rng: np.random.Generator) -> np.ndarray:
    """`base` with that much taken from some labels, drawn, and given to another one."""
    if not total_variation:
        return base
    moved, rest = base.copy(), total_variation
    *givers, taker = rng.permutation(len(base))
    for label in givers:
        taken = min(moved[label], rest)
        moved[label] -= taken
        rest -= taken
    moved[taker] += total_variation - rest
    return moved


def test_a_window_of_an_independent_sample_gets_the_p_value_of_a_plain_two_sample_chi_square() -> None:
    rng = np.random.default_rng(5)
    shares = [0.4, 0.3, 0.2, 0.1]
    days = {
        FIRST + timedelta(days=back): dict(zip("ABCD", map(int, rng.multinomial(200, shares)), strict=True))
        for back in range(29)
    }
    shift = label_shift(days, FIRST + timedelta(days=28))
    assert shift is not None
    before = [sum(days[FIRST + timedelta(days=back)][label] for back in range(28)) for label in "ABCD"]
    now = [days[FIRST + timedelta(days=28)][label] for label in "ABCD"]
    plain = stats.chi2_contingency([before, now], correction=False)
    assert shift.statistic * shift.dispersion == pytest.approx(plain.statistic)
    assert shift.degrees == plain.dof
    assert shift.p_value == pytest.approx(
        stats.f.sf(plain.statistic / plain.dof / shift.dispersion, 3, 3 * 28), rel=1e-9
    )


def test_facts_that_come_in_clusters_raise_the_dispersion_and_not_the_alarm() -> None:
    days = {}
    for back in range(29):
        burst = random.Random(back).choice(["A", "B", "C"])  # noqa: S311 (a seeded example)
        days[FIRST + timedelta(days=back)] = {"A": 40, "B": 40, "C": 40, burst: 80}
    shift = label_shift(days, FIRST + timedelta(days=28))
    assert shift is not None
    assert shift.dispersion > 5
    assert shift.p_value > 0.05


@pytest.mark.parametrize(
    ("facts", "baseline_days"), [(29, 28), (200, 6), (200, 0)], ids=["few facts", "young", "first day"]
)
def test_too_little_is_not_judged(facts: int, baseline_days: int) -> None:
    days = {FIRST + timedelta(days=28 - back): {"A": 60, "B": 60} for back in range(1, baseline_days + 1)}
    days[FIRST + timedelta(days=28)] = {"A": facts}
    assert label_shift(days, FIRST + timedelta(days=28)) is None


def test_a_memory_of_one_label_is_not_judged() -> None:
    days = {FIRST + timedelta(days=back): {"A": 60} for back in range(29)}
    assert label_shift(days, FIRST + timedelta(days=28)) is None


@settings(max_examples=20)
@given(seed=st.integers(0, 2), order=st.randoms())
def test_the_order_of_days_and_labels_does_not_matter(seed: int, order: random.Random) -> None:
    days = memory(seed, 32)["g0"]
    shuffled = [(day, list(labels.items())) for day, labels in days.items()]
    order.shuffle(shuffled)
    for _, labels in shuffled:
        order.shuffle(labels)
    again = {day: dict(labels) for day, labels in shuffled}
    last = FIRST + timedelta(days=31)
    assert repr(label_shift(days, last, window=3)) == repr(label_shift(again, last, window=3))
    assert repr(shift_findings({"g": days}, last)) == repr(shift_findings({"g": again}, last))


@given(before=filled, now=filled)
def test_jensen_shannon_is_symmetric_within_one_bit_and_that_of_scipy(before: Counts, now: Counts) -> None:
    value = jensen_shannon(before, now)
    assert 0 <= value <= 1
    assert value == pytest.approx(jensen_shannon(now, before), abs=1e-12)
    labels = sorted(before | now)
    p, q = ([given.get(label, 0) for label in labels] for given in (before, now))
    assert value == pytest.approx(stats_js(p, q), abs=1e-7)


def stats_js(p: list[int], q: list[int]) -> float:
    mean = (np.array(p) / sum(p) + np.array(q) / sum(q)) / 2
    return float(stats.entropy(p, mean, base=2) + stats.entropy(q, mean, base=2)) / 2


def test_jensen_shannon_of_nothing_in_common_is_one_bit() -> None:
    assert jensen_shannon({"A": 3}, {"B": 5}) == 1.0


@given(before=counts, now=counts)
def test_the_population_stability_index_is_symmetric_and_never_negative(
    before: Counts, now: Counts
) -> None:
    value = population_stability(before, now)
    assert value >= 0
    assert value == pytest.approx(population_stability(now, before), abs=1e-9)


@given(same=filled, times=st.integers(1, 5))
def test_counts_that_are_alike_have_next_to_no_distance(same: Counts, times: int) -> None:
    assert jensen_shannon(same, {label: count * times for label, count in same.items()}) < 1e-9
    assert population_stability(same, same) == 0


@given(p_values=st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_p_values_are_those_of_scipy(p_values: list[float]) -> None:
    expected = stats.false_discovery_control(p_values) if p_values else []
    assert benjamini_hochberg(p_values) == pytest.approx(tuple(expected))


def test_a_shift_of_a_third_on_one_day_is_found_and_named() -> None:
    groups = memory(3, 60, shifted={59: 0.3}, groups=(0.6, 0.4))
    overall, *_ = shift_findings(groups, FIRST + timedelta(days=59), what="relation")
    assert (overall.check, overall.group_id, overall.passed) == ("relation_shift", "*", False)
    assert overall.threshold is not None
    assert overall.value < overall.threshold
    assert re.search(r": L\d+ \d+% -> \d+%, L", overall.sentence)
    assert "extractor version" in overall.sentence
    assert overall.details["jensen_shannon_1d"] > 0.02


def test_a_single_group_is_judged_once_and_a_young_one_says_so() -> None:
    findings = shift_findings({"new": {FIRST: {"A": 50}}}, FIRST)
    assert [(finding.group_id, finding.passed, finding.value) for finding in findings] == [
        ("new", True, 1.0)
    ]
    assert "cannot be judged" in findings[0].sentence


def test_alarms_are_rare_on_healthy_days_and_a_shift_of_three_tenths_is_found() -> None:
    shares = (0.5, 0.25, 0.15, 0.07, 0.03)
    alarms = judged = found = 0
    for seed in range(8):
        healthy = memory(1000 + seed, 60, groups=shares)
        for back in range(32, 60):
            judged += 1
            findings = shift_findings(healthy, FIRST + timedelta(days=back))
            alarms += not all(finding.passed for finding in findings)
        faulty = memory(2000 + seed, 52, shifted={51: 0.3}, groups=shares)
        found += not all(one.passed for one in shift_findings(faulty, FIRST + timedelta(days=51)))
    assert alarms / judged <= 0.1
    assert found == 8


def test_windows_are_tested_at_the_rates_of_the_scenario() -> None:
    assert dict(WINDOWS) == {1: 0.05, 3: 0.01}


@pytest.mark.parametrize(("new_facts", "passes"), [(0, True), (2, True), (3, False), (9, False)])
def test_a_label_never_seen_before_is_reported_from_three_facts_on(new_facts: int, *, passes: bool) -> None:
    days: dict[date, Counts] = {
        FIRST + timedelta(days=back): {"Person": 120, "Place": 60} for back in range(29)
    }
    days[FIRST + timedelta(days=28)]["Sausage"] = new_facts
    (finding,) = new_label_findings({"acme/Eng": days}, FIRST + timedelta(days=28))
    assert finding.passed is passes
    assert finding.value == pytest.approx(new_facts / (180 + new_facts))
    assert ("Sausage" in finding.sentence) == (new_facts > 0)
    assert "group acme/Eng" in finding.sentence


def test_new_labels_are_no_news_where_new_labels_are_the_rule() -> None:
    days = {FIRST + timedelta(days=back): {f"tag{back}-{n}": 1 for n in range(40)} for back in range(29)}
    (finding,) = new_label_findings({"g": days}, FIRST + timedelta(days=28))
    assert finding.passed
    assert finding.value == 1.0


def test_a_label_that_another_group_had_is_not_new() -> None:
    known: dict[date, Counts] = {FIRST + timedelta(days=back): {"A": 50, "B": 5} for back in range(29)}
    other: dict[date, Counts] = {FIRST + timedelta(days=28): {"B": 9}}
    findings = new_label_findings({"g": known, "h": other}, FIRST + timedelta(days=28))
    assert [(finding.group_id, finding.value) for finding in findings] == [("*", 0), ("g", 0), ("h", 0)]
