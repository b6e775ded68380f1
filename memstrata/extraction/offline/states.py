"""State relations: what begins and what ends a state speak of one relation, so that the fold can close it.

"works at", "joined" and "left" are one relation, `works_at`, that holds, has begun and has ended. A rule
names the predicates that the clause rules give (`joined`, `laid_off_from`) and whom and what they fit; the
event's own wording stays in the fact's sentence. What fits no relation keeps its predicate.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Name
from memstrata.extraction.offline.inflection import past, third_person
from memstrata.extraction.offline.things import Sort, is_person, is_several, is_someone, thing_of
from memstrata.extraction.offline.words import is_role, word_set
from memstrata.model import Kind

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.things import Thing


class Phase(StrEnum):
    """What a predicate says of a state."""

    HOLDS = "holds"
    BEGINS = "begins"
    ENDS = "ends"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Some predicates that speak of one relation, with what they fit.

    `takes`: the sorts of object. `one`: the object is one particular thing ("the boat", not "boats").
    `by`: who does it: someone, a person, several ("we"), whoever, or the other side ("Bramble hired Lena").
    """

    relation: str
    phase: Phase
    predicates: frozenset[str]
    takes: frozenset[Sort]
    one: bool
    by: str

    def fits(self, subject: Name, thing: Thing) -> bool:
        """Whether the rule speaks of such a subject and object."""
        if not thing.sorts & self.takes or (self.one and not thing.particular):
            return False
        check = _WHO.get(self.by)
        return check is None or check(subject)


_WHO: Final = {"someone": is_someone, "a person": is_person, "several": is_several}
_ANY = " ".join(Sort)
_WORK = "name either employer school"
_HOMES = "name either place home"
_GOODS = "home possession thing name either employer"


def _holds(
    relation: str, predicates: str, takes: str = _ANY, *, one: bool = False, by: str = "someone"
) -> Rule:
    return Rule(
        relation=relation,
        phase=Phase.HOLDS,
        predicates=word_set(predicates),
        takes=_sorts(takes),
        one=one,
        by=by,
    )


def _begins(
    relation: str, events: str, takes: str = _ANY, *, one: bool = False, by: str = "someone"
) -> Rule:
    return Rule(
        relation=relation, phase=Phase.BEGINS, predicates=_told(events), takes=_sorts(takes), one=one, by=by
    )


def _ends(relation: str, events: str, takes: str = _ANY, *, one: bool = False, by: str = "someone") -> Rule:
    return Rule(
        relation=relation, phase=Phase.ENDS, predicates=_told(events), takes=_sorts(takes), one=one, by=by
    )


def _sorts(names: str) -> frozenset[Sort]:
    return frozenset(map(Sort, names.split()))


def _told(events: str) -> frozenset[str]:
    """Events in the forms that clauses give them: `joined`, and `joins` where it is told ahead.

    A participle of a passive ("fired from") is written with a plus before it and stays as it is.
    """
    forms: set[str] = set()
    for event in events.split():
        verb, *rest = event.split("_")
        forms |= (
            {event[1:]} if event[0] == "+" else {"_".join([f(verb), *rest]) for f in (past, third_person)}
        )
    return frozenset(forms)


def _posts(verbs: str) -> str:
    """What is done to a post somewhere: `take_job_at`."""
    posts = word_set("job position role post internship apprenticeship placement traineeship")
    return " ".join(
        f"{verb}_{post}_{at}" for verb, post, at in product(verbs.split(), posts, ("at", "with"))
    )


#: How a clause tells that somebody resigned from what it does not name.
RETIREMENT: Final = ("holds", "position")
#: In the order in which they are tried.
RULES: Final = (
    _holds("member_of", "belongs_to serves_on sits_on plays_in sings_in", "group"),
    _begins("member_of", "join rejoin +elected_to +appointed_to +admitted_to", "group", by="whoever"),
    _ends("member_of", "leave quit resign_from retire_from withdraw_from", "group", by="whoever"),
    _ends("member_of", "step_down_from drop_out_of +expelled_from", "group", by="whoever"),
    _holds("studies_at", "studies_in attends goes_to enrolled_at enrolled_in", "school"),
    _begins(
        "studies_at", "enroll_at enroll_in +enrolled_at +enrolled_in matriculate_at", "school name either"
    ),
    _begins("studies_at", "start_at start enter", "school"),
    _ends("studies_at", "graduate_from drop_out_of +expelled_from", "school name either"),
    _ends("studies_at", "leave quit finish", "school"),
    _holds("works_at", "works_for employed_at employed_with", _WORK),
    _holds("works_at", "employs", by="the other side"),
    _begins("works_at", "join rejoin start_at start_with begin_at +hired_at", _WORK),
    _begins("works_at", _posts("take get accept start land find begin")),
    _begins("works_at", "hire employ recruit", by="the other side"),
    _ends("works_at", "leave quit depart", _WORK),
    _ends("works_at", "resign_from retire_from +fired_from +sacked_from", f"{_WORK} thing"),
    _ends("works_at", "+dismissed_from +laid_off_from", f"{_WORK} thing"),
    _ends("works_at", _posts("leave quit lose")),
    _ends("works_at", "fire sack dismiss lay_off", by="the other side"),
    _holds("lives_in", "resides_in dwells_in"),
    _holds("lives_in", "based_in", _HOMES, by="a person"),
    _begins("lives_in", "settle_in settle_down_in move_into relocate_to emigrate_to", _HOMES),
    _ends("uses", "move_from move_away_from move_off", "name either person", by="several"),
    _ends("lives_in", "move_away_from move_out_of emigrate_from", _HOMES),
    _ends("lives_in", "leave flee", "place"),
    _holds("owns", "has", "home possession", one=True),
    _begins("owns", "buy purchase acquire inherit", _GOODS, one=True, by="whoever"),
    _begins("owns", "get adopt", "home possession", one=True),
    _ends("owns", "sell sell_off give_away donate", _GOODS, one=True, by="whoever"),
    _begins("uses", "adopt", "name", by="several"),
    _begins("uses", "move_to", "name either person", by="several"),
    _ends("uses", "drop ditch abandon phase_out retire decommission", "name", by="several"),
    _ends("uses", "migrate_off migrate_from migrate_away_from", "name either thing", by="whoever"),
    _ends("uses", "switch_away_from switch_from", "name either thing", by="whoever"),
    _begins("married_to", "marry wed", "person either name"),
    _ends("married_to", "divorce +divorced_from +separated_from", "person either name"),
    _ends("dates", "break_up_with split_up_with split_with split_from", "person either name"),
    _holds("leads", "heads heads_up", "team group employer name either"),
    _begins("leads", "take_over", "team group"),
    _ends("leads", "hand_over hand_off", "team group"),
    _begins("runs", "take_over", "employer thing name either"),
    _ends("runs", "hand_over", "employer thing name either"),
    _begins("plays", "take_up", "played"),
    _ends("plays", "give_up quit", "played"),
    _begins("subscribes_to", "subscribe_to", by="whoever"),
    _ends("subscribes_to", "unsubscribe_from", by="whoever"),
    _begins("assigned_to", "+reassigned_to", by="whoever"),
    _ends("assigned_to", "+reassigned_from +unassigned_from", by="whoever"),
)
_BY_PREDICATE: Final = {
    predicate: tuple(rule for rule in RULES if predicate in rule.predicates)
    for predicate in frozenset().union(*(rule.predicates for rule in RULES))
}


@dataclass(slots=True)
class States:
    """What an episode has told of states so far, and the reading of its events by it."""

    known: dict[tuple[str, str], str] = field(default_factory=dict)
    offices: dict[str, Candidate] = field(default_factory=dict)

    def restated(self, candidate: Candidate, clause: Clause) -> Candidate:
        """The candidate as said of the state that it holds, begins or ends; else as it is."""
        holder = candidate.subject.said.casefold()
        if (candidate.predicate, candidate.object) == RETIREMENT and (office := self.offices.get(holder)):
            return replace(candidate, predicate=office.predicate, object=office.object)
        if _is_office(candidate):
            self.offices[holder] = candidate
        rule = self._rule(candidate, clause)
        found = _phased(candidate, rule) if rule is not None else None
        if found is not None and rule is not None and rule.by == "the other side":
            found = _exchanged(found)
        told = _unowned(found) if found is not None else candidate
        self.known[_pair(told)] = told.predicate
        return told

    def _rule(self, candidate: Candidate, clause: Clause) -> Rule | None:
        """The rule that fits; of several the one of the relation told before of the same two."""
        rules = _BY_PREDICATE.get(candidate.predicate, ())
        if not rules:
            return None
        before = self.known.get(_pair(candidate))
        thing = thing_of(clause, candidate.object)
        told = (rule for rule in rules if rule.relation == before and rule.phase is Phase.ENDS)
        return next(told, None) or next((r for r in rules if r.fits(candidate.subject, thing)), None)


def _is_office(candidate: Candidate) -> bool:
    """Whether somebody is told to be something of, at or for something: `ceo_of`."""
    title, _, joined = candidate.predicate.rpartition("_")
    lasts = candidate.kind in {Kind.HOLDS, Kind.STARTED}
    return lasts and joined in {"of", "at", "for"} and is_role(title.split("_")[0]) and title != "is"


def _pair(candidate: Candidate) -> tuple[str, str]:
    return candidate.subject.said.casefold(), candidate.object_said.casefold()


def _phased(candidate: Candidate, rule: Rule) -> Candidate | None:
    """The candidate of the rule's relation; None where the event tells nothing of the state.

    That a boat was not sold, or was not bought in 2019, leaves open whose it is.
    """
    kind, relation = candidate.kind, rule.relation
    if rule.phase is Phase.HOLDS:
        return replace(candidate, predicate=relation)
    if rule.phase is Phase.BEGINS:
        undated = candidate.valid_at is None and candidate.invalid_at is None
        fits = kind is Kind.STARTED or (kind is Kind.DENIED and undated) or _passes(candidate)
        return replace(candidate, predicate=relation) if fits else None
    if kind is Kind.ENDED:
        return replace(candidate, predicate=relation)
    if kind is not Kind.STARTED:
        return None
    at = candidate.valid_at
    return replace(candidate, predicate=relation, kind=Kind.ENDED, valid_at=None, invalid_at=at)


def _passes(candidate: Candidate) -> bool:
    """Whether a beginning is told with its end: "joined Bramble from 2015 to 2018"."""
    return candidate.kind is Kind.HOLDS and candidate.invalid_at is not None


def _unowned(candidate: Candidate) -> Candidate:
    """Of "I sold my car" the car: whose it is the relation says, and it was bought as "a car"."""
    target = candidate.object
    if candidate.predicate != "owns" or not isinstance(target, Name):
        return candidate
    owner, _, thing = target.text.partition(" ")
    if owner not in {"my", "our"} or not thing:
        return candidate
    span = (target.span[0] + len(owner) + 1, target.span[1]) if target.span is not None else None
    return replace(candidate, object=replace(target, text=thing, span=span))


def _exchanged(candidate: Candidate) -> Candidate | None:
    """Told from the other side: "Bramble hired Lena" of Lena. None where nobody is named."""
    if not isinstance(candidate.object, Name) or not is_someone(candidate.object):
        return None
    return replace(candidate, subject=candidate.object, object=candidate.subject)
