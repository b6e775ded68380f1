"""Every route and tool crossed with a foreign group's ids, names, cursors and tokens: does anything leak?

The routes are read from the server's own document, the tools from its own list; whatever place of theirs
takes a text is given each thing of the foreign group, and its twin that never was. Beside what
`isolation_crossing` calls a leak, it is one if anything has changed in the foreign group, or in the own
group by whoever may not write.
"""

from __future__ import annotations

import importlib
import tempfile
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.isolation_crossing import Tally, cross
from benchmarks.isolation_faces import plain_answer, raw_tools, rest, routes_of, tools
from benchmarks.isolation_world import FOREIGN, OWN, world
from memstrata.errors import Missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.isolation_faces import Route
    from benchmarks.isolation_world import World

_SHOWN: Final = 20
_EXAMPLES: Final = 15
_IDS: Final = frozenset({"episode", "fact", "gone fact", "entity", "decision", "operation"})


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `found` shows some of what leaked, `answers` counts by status."""
    del data
    with tempfile.TemporaryDirectory() as folder, world(Path(folder) / "home") as made:
        tally = Tally(ids=tuple(one.there for one in made.things if one.kind in _IDS))
        routes = routes_of(made)
        before = made.whole()
        listed = _read(made, routes, tally)
        fuzzed = _fuzz(made, tally)
        _write(made, routes, tally)
        if made.whole() != before:
            tally.leaks.append(f"{FOREIGN} is not as it was")
    return {
        "tried": sum(tally.tried.values()),
        "leaks": len(tally.leaks),
        "server_errors": len(tally.server_errors),
        "found": [*tally.leaks[:_SHOWN], *tally.server_errors[:_SHOWN]],
        "routes": len(routes),
        "tools": listed,
        "by_schemathesis": fuzzed,
        "by_caller": dict(tally.tried),
        "answers": dict(sorted(tally.answers.items())),
    }


def _read(made: World, routes: Sequence[Route], tally: Tally) -> int:
    """All that reads, as each caller, before anything is written; how many tools there are."""
    listed = 0
    for caller in made.callers:
        with rest(made, caller, routes) as targets:
            cross([one for one in targets if one.is_reading], caller, made.things, tally)
        if not caller.is_let_in:
            for sent, answer in raw_tools(made, caller):
                tally.look(caller, sent, answer)
            continue
        with tools(made, caller) as targets:
            listed = len(targets)
            cross([one for one in targets if one.is_reading], caller, made.things, tally)
    return listed


def _write(made: World, routes: Sequence[Route], tally: Tally) -> None:
    """All that writes; whoever may write comes last, for what it has written may be told to others."""
    for caller in sorted(made.callers, key=lambda one: one.may_write and one.is_let_in):
        own = made.whole(OWN)
        with rest(made, caller, routes) as targets:
            cross([one for one in targets if not one.is_reading], caller, made.things, tally)
        if caller.is_let_in:
            with tools(made, caller) as targets:
                cross([one for one in targets if not one.is_reading], caller, made.things, tally)
        if not (caller.is_let_in and caller.may_write) and made.whole(OWN) != own:
            tally.leaks.append(f"{caller.name} has changed {OWN}")


def _fuzz(made: World, tally: Tally) -> int:
    """Whatever the document allows, made by schemathesis and aimed at the foreign group; how many."""
    try:
        hypothesis, schemathesis = map(importlib.import_module, ("hypothesis", "schemathesis"))
    except ModuleNotFoundError as error:
        raise Missing(f"the package {error.name} is not installed; make install has it") from error
    caller = made.callers[0]
    headers = {"Authorization": f"Bearer {caller.token}"}
    schema = schemathesis.openapi.from_url(f"{made.rest}/openapi.json")
    settings = hypothesis.settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    before = tally.tried.total()
    things, wanted = cycle(made.things), cycle((FOREIGN, OWN))
    for found in schema.get_all_operations():
        operation = found.ok()

        def ask(case: Any) -> None:
            _aim(case, next(things).there, next(wanted))
            answer = case.call(headers=headers)
            sent = f"{case.method} {case.path} {case.path_parameters} {case.query} {case.body}"
            tally.look(caller, sent, plain_answer(answer.status_code, answer.text, answer.headers))
            tally.note(sent)

        settings(hypothesis.given(case=operation.as_strategy())(ask))()
    return tally.tried.total() - before


def _aim(case: Any, id_: str, group: str) -> None:
    """Turns a made request on the foreign group, where it has a place for that."""
    for name in case.path_parameters or ():
        case.path_parameters[name] = id_
    for part in (case.query, case.body):
        if isinstance(part, dict):
            for name in ("group_id", "groups"):
                if name in part:
                    part[name] = [group] if name == "groups" else group
