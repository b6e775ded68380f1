"""Procedures: what agents did again and again with their tools and succeeded, as templates with slots.

Found in traces (`memstrata.consolidation.traces`); promoting one is a decision and the caller's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.consolidation.sequences import closed_sequences
from memstrata.ids import canonical_json, identify
from memstrata.model import Procedure, ProcedureStep, Rate, Slot, SupportOf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.consolidation.traces import Step, Trace
    from memstrata.model import Json

#: The most steps of one procedure.
MOST_STEPS: Final = 12
_NAMED_WHOLE: Final = 4


def mine(
    traces: Iterable[Trace], *, min_support: int = 2, most_steps: int = MOST_STEPS
) -> tuple[Procedure, ...]:
    """The procedures of each group: sequences of at least 2 steps in `min_support` tasks and more.

    A step is a tool and the shape of its arguments (names and types). A call repeated after a failure,
    or word for word, is one step; so are calls of one shape in a row, marked as repeating. Only runs
    with `success` True support a procedure; runs that nobody judged count nowhere. Sequences are
    contiguous and closed (`closed_sequences`). Within a group the order is by support, then length, both
    descending, then id; the order of `traces` does not matter.
    """
    groups: dict[str, list[_Run]] = {}
    for trace in traces:
        if trace.success is not None:
            groups.setdefault(trace.group_id, []).append(_run(trace))
    return tuple(
        procedure
        for group_id in sorted(groups)
        for procedure in _mine_group(_Group(group_id, groups[group_id]), min_support, most_steps)
    )


@dataclass(frozen=True, slots=True)
class _Folded:
    """Calls of one shape in a row: the last of them, and whether there were several that went well."""

    item: str
    step: Step
    repeats: bool


@dataclass(frozen=True, slots=True)
class _Run:
    trace: Trace
    folded: tuple[_Folded, ...]
    items: tuple[str, ...]

    @property
    def source(self) -> tuple[SupportOf, str]:
        if self.trace.task is not None:
            return SupportOf.TASKS, self.trace.task
        return SupportOf.SAGAS, self.trace.saga


class _Group:
    """The judged runs of one group, and where each pair of steps stands in them."""

    def __init__(self, group_id: str, runs: Sequence[_Run]) -> None:
        self.group_id = group_id
        self.runs = runs
        self.successes = sum(bool(run.trace.success) for run in runs)
        self._pairs: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for number, run in enumerate(runs):
            for start in range(len(run.items) - 1):
                self._pairs.setdefault(run.items[start : start + 2], []).append((number, start))

    def places(self, sequence: tuple[str, ...]) -> dict[int, list[tuple[_Folded, ...]]]:
        """Where a sequence of at least two steps stands, by the number of the run."""
        found: dict[int, list[tuple[_Folded, ...]]] = {}
        for number, start in self._pairs.get(sequence[:2], ()):
            run, stop = self.runs[number], start + len(sequence)
            if run.items[start:stop] == sequence:
                found.setdefault(number, []).append(run.folded[start:stop])
        return found


def _run(trace: Trace) -> _Run:
    folded: list[_Folded] = []
    for step in trace.steps:
        item, before = canonical_json([step.tool, *_shape(step)]), folded[-1] if folded else None
        if before is not None and before.step.failed and before.step.tool == step.tool:
            folded[-1] = _Folded(item, step, before.repeats and before.item == item)
        elif before is not None and before.item == item:
            again = canonical_json(before.step.arguments) == canonical_json(step.arguments)
            folded[-1] = _Folded(item, step, before.repeats or not again)
        else:
            folded.append(_Folded(item, step, False))
    return _Run(trace, tuple(folded), tuple(one.item for one in folded))


def _shape(step: Step) -> list[list[str]]:
    return [[name, _type(value)] for name, value in sorted(step.arguments.items())]


def _type(value: Json) -> str:
    for kind, name in _TYPES:
        if isinstance(value, kind):
            return name
    return "null"


#: In this order: a bool is an int.
_TYPES: Final = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    ((list, tuple), "array"),
    (dict, "object"),
)


def _mine_group(group: _Group, min_support: int, most_steps: int) -> list[Procedure]:
    successes = [(run.source, run.items) for run in group.runs if run.trace.success]
    found = closed_sequences(successes, min_support=min_support, most=most_steps)
    procedures = [_procedure(group, sequence) for sequence in found]
    return sorted(procedures, key=lambda one: (-one.support, -len(one.steps), one.procedure_id))


def _procedure(group: _Group, sequence: tuple[str, ...]) -> Procedure:
    having = group.places(sequence)
    supporting = {number: own for number, own in having.items() if group.runs[number].trace.success}
    places = [place for own in supporting.values() for place in own]
    sources = {group.runs[number].source for number in supporting}
    kinds = {kind for kind, _ in sources}
    steps = _templates(places)
    return Procedure(
        procedure_id=identify("procedure", group.group_id, *sequence),
        group_id=group.group_id,
        name=_name([step.tool for step in steps]),
        steps=steps,
        support=len(sources),
        support_of=kinds.pop() if len(kinds) == 1 else SupportOf.BOTH,
        success_with=Rate(successes=len(supporting), runs=len(having)),
        success_without=Rate(
            successes=group.successes - len(supporting), runs=len(group.runs) - len(having)
        ),
        evidence=tuple(sorted({one.step.episode_id for place in places for one in place})),
    )


def _name(tools: Sequence[str]) -> str:
    words = [tool.replace("_", " ").replace("-", " ") for tool in tools]
    if len(words) > _NAMED_WHOLE:
        return f"{words[0]}, then {words[1]}, ..., finally {words[-1]} ({len(words)} steps)"
    return ", then ".join(words)


def _templates(places: Sequence[tuple[_Folded, ...]]) -> tuple[ProcedureStep, ...]:
    """The steps with their slots: what all `places` of a sequence have in common.

    This is their least general generalisation (Plotkin, 1970): two arguments share a slot exactly if
    they had equal values at every place.
    """
    names = _slot_names(places)
    return tuple(
        ProcedureStep(
            tool=first.step.tool,
            slots=tuple(
                Slot(argument=argument, name=names[place, argument], type=_type(value))
                for argument, value in sorted(first.step.arguments.items())
            ),
            repeats=any(other[place].repeats for other in places),
        )
        for place, first in enumerate(places[0])
    )


def _slot_names(places: Sequence[tuple[_Folded, ...]]) -> Mapping[tuple[int, str], str]:
    """A name for each argument of each step, equal for those of one slot."""
    by_values: dict[str, str] = {}
    names: dict[tuple[int, str], str] = {}
    for place, first in enumerate(places[0]):
        for argument, value in sorted(first.step.arguments.items()):
            values = canonical_json([one[place].step.arguments[argument] for one in places])
            if isinstance(value, bool) or value is None:  # so few values are equal by chance
                values = f"{place} {argument} {values}"
            names[place, argument] = by_values.setdefault(values, _free(argument, by_values))
    return names


def _free(argument: str, taken: Mapping[str, str]) -> str:
    used, count, name = set(taken.values()), 1, argument
    while name in used:
        count += 1
        name = f"{argument}_{count}"
    return name
