"""The checks of a day's labels: has their distribution shifted, and are there labels never seen before.

"Label" is whatever is counted: entity types, relations, sources. Counting is the caller's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from memstrata.drift.distributions import (
    BASELINE_DAYS,
    LEAST_FACTS,
    LEAST_WINDOWS,
    benjamini_hochberg,
    counted,
    label_shift,
)
from memstrata.drift.finding import EVERY_GROUP, Finding
from memstrata.drift.tails import poisson_tail

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from memstrata.drift.distributions import Days, Shift

#: Each window in days, with the rate of false findings among its tests: windows of 3 days overlap and
#: would alarm three times for one chance event, hence the stricter rate (docs of the drift scenario).
WINDOWS: Final[Mapping[int, float]] = {1: 0.05, 3: 0.01}
LEAST_NEW: Final = 3
NEW_LABEL_RATE: Final = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    shift: Shift
    adjusted: float
    rate: float

    @property
    def found(self) -> bool:
        return self.adjusted <= self.rate


def shift_findings(groups: Mapping[str, Days], day: date, *, what: str = "label") -> tuple[Finding, ...]:
    """One finding a group, and one over all if there are several: has the distribution shifted by `day`?

    `groups` gives each group's counts by day and label. Windows of 1 and 3 days are tested; over the
    groups of one window Benjamini-Hochberg holds the rate of false findings. `value` is the adjusted
    p-value of the window that says more and `threshold` its rate: it passes above. `details` holds for
    each window `p`, `jensen_shannon`, `psi`, `dispersion`, and the `facts` of it and of the 28 days before
    it (`baseline_facts`), with its days as a suffix (`_1d`).
    Too little to judge (see `label_shift`) passes, with the reason as its sentence and `judged` 0.
    """
    everybody = _with_all(groups)
    judged: dict[str, list[_Judged]] = {group_id: [] for group_id in everybody}
    for window, rate in WINDOWS.items():
        shifts = {
            group_id: shift
            for group_id, days in everybody.items()
            if (shift := label_shift(days, day, window=window)) is not None
        }
        adjusted = benjamini_hochberg([shift.p_value for shift in shifts.values()])
        for (group_id, shift), p_value in zip(shifts.items(), adjusted, strict=True):
            judged[group_id].append(_Judged(shift=shift, adjusted=p_value, rate=rate))
    return tuple(_shift_finding(group_id, day, what, results) for group_id, results in judged.items())


def new_label_findings(
    groups: Mapping[str, Days], day: date, *, what: str = "label"
) -> tuple[Finding, ...]:
    """One finding a group, and one over all: did `day` bring labels that the 28 days before did not have?

    A label that any group had counts as seen. `value` is the share of facts under new labels. It fails
    when there are at least 3 and so many would be a 1 in 1,000 chance at the rate of new labels that
    Good and Turing estimate, (labels seen once + 1) / (facts + 1) (Good, Biometrika 40 (1953) 237-264).
    Before 30 facts were seen it passes, with `judged` 0 among its details.
    """
    everybody = _with_all(groups)
    seen: dict[str, int] = {}
    for days in groups.values():
        for label, count in counted(days, day - timedelta(days=1), BASELINE_DAYS).items():
            seen[label] = seen.get(label, 0) + count
    return tuple(_new_finding(group_id, days, day, what, seen) for group_id, days in everybody.items())


def _with_all(groups: Mapping[str, Days]) -> dict[str, Days]:
    """The groups in the order of their names, after the sum of all of them if there are several."""
    own = {group_id: groups[group_id] for group_id in sorted(groups)}
    if len(own) < 2:  # noqa: PLR2004 (one group is all groups: testing it twice says nothing more)
        return own
    total: dict[date, dict[str, int]] = {}
    for days in own.values():
        for day, counts in days.items():
            sums = total.setdefault(day, {})
            for label, count in counts.items():
                sums[label] = sums.get(label, 0) + count
    return {EVERY_GROUP: total, **own}


def _shift_finding(group_id: str, day: date, what: str, judged: list[_Judged]) -> Finding:
    check = f"{what}_shift"
    if not judged:
        sentence = (
            f"The {what}s of {_named(group_id)} on {day} cannot be judged: that takes {LEAST_FACTS} facts "
            f"in the window and {LEAST_WINDOWS} such windows in the {BASELINE_DAYS} days before."
        )
        return Finding(
            check=check,
            group_id=group_id,
            value=1.0,
            threshold=None,
            passed=True,
            sentence=sentence,
            details={"judged": 0.0},
        )
    telling = min(judged, key=lambda result: (result.adjusted / result.rate, result.shift.window))
    return Finding(
        check=check,
        group_id=group_id,
        value=telling.adjusted,
        threshold=telling.rate,
        passed=not telling.found,
        sentence=_shift_sentence(group_id, what, telling),
        details=_details(judged),
    )


def _details(judged: list[_Judged]) -> dict[str, float]:
    details = {"judged": 1.0}
    for result in judged:
        shift, suffix = result.shift, f"_{result.shift.window}d"
        details[f"p{suffix}"] = shift.p_value
        details[f"jensen_shannon{suffix}"] = shift.jensen_shannon
        details[f"psi{suffix}"] = shift.psi
        details[f"dispersion{suffix}"] = shift.dispersion
        details[f"facts{suffix}"] = float(shift.facts)
        details[f"baseline_facts{suffix}"] = float(shift.baseline_facts)
    return details


def _shift_sentence(group_id: str, what: str, judged: _Judged) -> str:
    shift = judged.shift
    span = f"on {shift.day}" if shift.window == 1 else f"in the {shift.window} days up to {shift.day}"
    figures = f"p {judged.adjusted:.2g} adjusted, Jensen-Shannon {shift.jensen_shannon:.2f} bits"
    if not judged.found:
        return f"The {what}s of {_named(group_id)} {span} are spread as before ({figures})."
    movers = ", ".join(f"{label} {before:.0%} -> {now:.0%}" for label, before, now in shift.movers)
    return (
        f"The {what}s of {_named(group_id)} {span} are spread unlike the {BASELINE_DAYS} days before "
        f"({figures}): {movers}. Look at what came in by source, and whether the extractor version or the "
        f"ontology changed; if the change is meant, leave it: in {BASELINE_DAYS} days it is the baseline."
    )


def _new_finding(group_id: str, days: Days, day: date, what: str, seen: Mapping[str, int]) -> Finding:
    now, facts_before = counted(days, day, 1), sum(seen.values())
    new = {label: count for label, count in sorted(now.items()) if label not in seen}
    facts, count = sum(now.values()), sum(new.values())
    share = count / facts if facts else 0.0
    is_judged = facts_before >= LEAST_FACTS
    passed = not is_judged or count < LEAST_NEW
    if not passed:
        rate = (sum(1 for times in seen.values() if times == 1) + 1) / (facts_before + 1)
        passed = poisson_tail(count, facts * rate) > NEW_LABEL_RATE
    return Finding(
        check=f"new_{what}s",
        group_id=group_id,
        value=share,
        threshold=None,
        passed=passed,
        sentence=_new_sentence(group_id, day, what, new) if is_judged else _unjudged(what),
        details={"judged": float(is_judged), "labels": float(len(new)), "facts": float(count)},
    )


def _new_sentence(group_id: str, day: date, what: str, new: Mapping[str, int]) -> str:
    if not new:
        return f"On {day} {_named(group_id)} had no {what} that was not seen before."
    most = sorted(new, key=lambda label: (-new[label], label))[:5]
    listed = ", ".join(f"{label} ({new[label]})" for label in most)
    return (
        f"On {day} {_named(group_id)} had {len(new)} {what}(s) not seen in the {BASELINE_DAYS} days "
        f"before: {listed}. If they are meant, declare them in the ontology; else add them as aliases of "
        f"the declared ones, or look at the source that brought them."
    )


def _unjudged(what: str) -> str:
    return f"New {what}s cannot be judged before {LEAST_FACTS} facts were seen; nothing to do."


def _named(group_id: str) -> str:
    return "all groups" if group_id == EVERY_GROUP else f"group {group_id}"
