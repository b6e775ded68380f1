"""Relations that adjudication proposes to declare `one`, and people's verdicts on that.

Cardinality comes from the ontology alone, which is its owner's: a verdict changes no fact. An accepted
proposal is listed with what to declare until the ontology in force declares the relation; a rejected one
is listed no more, whatever is proposed again. The last verdict on a relation counts.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Final

import yaml

from memstrata.errors import NotThere
from memstrata.model import By, DecisionKind
from memstrata.ontology import Cardinality
from memstrata.workflow.intake import Ruling
from memstrata.workflow.rules import decided, rules_waiting

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Decision
    from memstrata.ports import Installation

#: Facts that are told of a proposal, at most.
MOST_FACTS: Final = 8


class State(StrEnum):
    """What people have made of a proposal."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


#: What is still to be done something about.
UNSETTLED: Final = (State.OPEN, State.ACCEPTED)
_STATES: Final = {DecisionKind.ACCEPT: State.ACCEPTED, DecisionKind.REJECT: State.REJECTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicting:
    """One of the facts that a proposal was made on, by the id that it had then."""

    fact_id: str
    fact: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """That a relation be declared `one`.

    `decision_id`, `at`, `who` and `reason` are those of the last answer that proposes it, of `times` in
    all; `facts` the latest few that the answers were about. `declaration` is what the ontology's
    `relations` would have to list; `verdict` the last of a person.
    """

    predicate: str
    state: State
    decision_id: str
    at: datetime
    who: str
    reason: str
    times: int
    declaration: str
    facts: tuple[Conflicting, ...] = ()
    verdict: Decision | None = None


def proposals(
    installation: Installation,
    group_id: str,
    states: Collection[State] = UNSETTLED,
    *,
    after: str | None = None,
    limit: int | None = None,
) -> tuple[Proposal, ...]:
    """The relations of those states that are proposed and not declared, by name, after that name."""
    made, verdicts = _decided(installation, group_id)
    declared = rules_waiting(installation, group_id).after
    wanted = (
        predicate
        for predicate in sorted(made)
        if (after is None or predicate > after)
        and _state(verdicts.get(predicate)) in states
        and declared.relation(predicate) is None
        and declared.cardinality(predicate) is not Cardinality.ONE
    )
    return tuple(
        _proposal(installation, made[predicate], predicate, verdicts.get(predicate))
        for predicate in islice(wanted, limit)
    )


def states_named(state: State | None) -> tuple[State, ...]:
    """The one that is asked for; None: those that are not settled."""
    return UNSETTLED if state is None else (state,)


def ruling_on_proposal(
    installation: Installation, group_id: str, kind: DecisionKind, predicate: str
) -> Ruling:
    """The ruling that accepts or rejects (`kind`) the proposal about a relation.

    Raises `NotThere` for a relation that is not proposed, or declared by now.
    """
    if not any(one.predicate == predicate for one in proposals(installation, group_id, tuple(State))):
        raise NotThere(
            f"it is not proposed in group {group_id!r} to declare {predicate!r}, or it is declared by now; "
            "`memstrata review proposals` lists what is"
        )
    return Ruling(
        group_id=group_id,
        kind=DecisionKind.ADJUDICATE,
        target={"proposal": predicate},
        payload={"verdict": kind.value},
        by=By.PERSON,
    )


def _decided(
    installation: Installation, group_id: str
) -> tuple[Mapping[str, Sequence[Decision]], Mapping[str, Decision]]:
    """What answers propose, and the last verdict of a person, by relation."""
    made = defaultdict[str, list["Decision"]](list)
    verdicts: dict[str, Decision] = {}
    for decision in decided(installation.record, group_id, (DecisionKind.ADJUDICATE,)):
        match decision.payload.get("declare_one"), decision.target.get("proposal"):
            case str(predicate), _:
                made[predicate].append(decision)
            case _, str(predicate):
                verdicts[predicate] = decision
    return made, verdicts


def _state(verdict: Decision | None) -> State:
    if verdict is None:
        return State.OPEN
    return _STATES[DecisionKind(str(verdict.payload["verdict"]))]


def _proposal(
    installation: Installation, made: Sequence[Decision], predicate: str, verdict: Decision | None
) -> Proposal:
    last = made[-1]
    return Proposal(
        predicate=predicate,
        state=_state(verdict),
        decision_id=last.decision_id,
        at=last.at,
        who=last.who,
        reason=last.reason,
        times=len(made),
        declaration=declaration_of(predicate),
        facts=tuple(islice(_facts(installation, made), MOST_FACTS)),
        verdict=verdict,
    )


def _facts(installation: Installation, made: Sequence[Decision]) -> Iterator[Conflicting]:
    """What the answers were about and is known, those of the last one first."""
    named = [
        str(fact_id)
        for decision in reversed(made)
        if isinstance(ids := decision.payload.get("facts"), list | tuple)
        for fact_id in ids
    ]
    for fact_id in dict.fromkeys(named):
        versions = installation.graph.history(made[-1].group_id, fact_id)
        if versions:
            yield Conflicting(fact_id=fact_id, fact=versions[-1].version.fact.fact)


def declaration_of(predicate: str) -> str:
    """What an ontology's `relations` list to declare it `one`: YAML on one line, whatever it is called."""
    entry = {"name": predicate, "cardinality": "one"}
    return yaml.safe_dump(
        entry, default_flow_style=True, sort_keys=False, allow_unicode=True, width=inf
    ).strip()
