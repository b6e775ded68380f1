"""Verb clauses to candidates: subject, predicate, object for actives, passives, changes and plans.

Copulas ("is the head of") are `copulas`'s; what nouns alone tell is `nominals`'s.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.alone import alone_facts
from memstrata.extraction.offline.changes import change_facts
from memstrata.extraction.offline.copulas import owned_by
from memstrata.extraction.offline.grammar import clause_of, is_over
from memstrata.extraction.offline.inflection import gerund, past, third_person
from memstrata.extraction.offline.naming import written
from memstrata.extraction.offline.nouns import holds_a_name, is_proper
from memstrata.extraction.offline.plans import inner_facts
from memstrata.extraction.offline.stance import Stance
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.told import bare, of_two, said
from memstrata.extraction.offline.turns import Shape
from memstrata.extraction.offline.words import (
    DENYING,
    LEAVING,
    LIGHT,
    MUTUAL,
    PEOPLE,
    PLACING,
    POSTS,
    REPORTING,
    RETIRING,
    STATES,
    STOPPING,
    word_set,
)
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.grammar import Clause, Complement
    from memstrata.extraction.offline.told import Told

#: Beside an object these mostly say where that is: "the cottage in Brecon".
_WHEREABOUTS = word_set("in near outside inside")
_SETTING_A_DAY = word_set("set schedule plan fix book arrange slate")
_HOURS = frozenset({"noon", "midday", "midnight"})
_PREFERRING = word_set("prefer choose favour favor pick like love hate enjoy")
#: What is had once.
_HAPPENING = word_set(
    "stroke accident operation surgery attack baby miscarriage fall crash party meeting scan interview"
    " concussion seizure breakdown row argument breakthrough outage incident transplant haircut"
)
#: What is raised once, and raised again.
_HEIGHTENED = word_set(
    "prices rents wages fees rates salaries concerns doubts questions funds objections points issues taxes"
    " limits costs standards expectations eyebrows hopes tariffs premiums charges targets"
)
#: What is had, begun or got may be at or with others; who has it need not be.
_HAVING = word_set("have get start begin finish")


def verb_facts(told: Told) -> Iterator[Candidate]:
    """The candidates of one verb clause."""
    clause = told.clause
    lemma = clause.head.lemma_.lower()
    doing = lemma == "do" and clause.progressive and bool(clause.objects)  # "I'm doing a course"
    if (lemma in LIGHT and not doing) or (lemma in REPORTING and _has_content(clause.head)):
        return
    inner = next(
        (c for c in clause.head.children if c.dep_ in {"xcomp", "ccomp"} and c.pos_ in {"VERB", "AUX"}),
        None,
    )
    if lemma == "use" and clause.past and inner is not None and not clause.objects:
        yield from _plain(told, inner, over=True)
    elif _is_task(clause):
        yield from _task(told)
    elif lemma in DENYING and (denied := list(_denied_deeds(told))):
        yield from denied
    elif inner is not None and inner.dep_ == "xcomp" and not {lemma, clause.lemma} & LEAVING - STOPPING:
        found = inner_facts(told, lemma, inner)
        yield from _plain(told, clause.head) if found is None else found
    elif change := change_facts(told, lemma):
        yield from change
    elif not clause.passive and {lemma, clause.lemma} & LEAVING and _leaves_once(told):
        yield from _leaving(told)
    elif clause.passive:
        yield from _passive(told)
    elif own := list(_told_as_one(told)):
        yield from own
    else:
        yield from _plain(told, clause.head)


def _leaves_once(told: Told) -> bool:
    """Whether leaving is told as done, or for a day ahead; "I leave the house at seven" is a habit."""
    clause = told.clause
    dated = any(p.role not in {DateRole.CLOCK, DateRole.RECURRING} for p in told.dates)
    return clause.past or clause.perfect or clause.progressive or dated or is_over(clause.head)


def _has_content(head: Token) -> bool:
    return any(c.dep_ == "ccomp" and c.i > head.i for c in head.children)


def _predicate(clause: Clause, head: Token, *, event: bool) -> str:
    lemma = head.lemma_.lower()
    form = past(lemma) if event else third_person(lemma)
    if event and head.tag_ == "VBD":
        form = head.lower_
    if lemma == "get" and clause.perfect and head.lower_ == "got":
        form = "has"
    modal = next((a.lower_ for a in clause.auxiliaries if a.tag_ == "MD"), "")
    if modal in {"ca", "can", "could"}:
        form = f"can_{lemma}"
    elif modal in {"will", "'ll", "\u2019ll", "wo"}:
        form = f"will_{lemma}"
    particle = clause_of(head).particle
    return f"{form}_{particle}" if particle else form


def _plain(told: Told, head: Token, *, over: bool = False) -> Iterator[Candidate]:
    """An active clause: its objects, and what its prepositions bring."""
    clause = clause_of(head) if head is not told.clause.head else told.clause
    lemma = head.lemma_.lower()
    if over and lemma == "be" and (was := _was(told, clause)) is not None:
        yield was
        return
    state = _is_state(clause) or over
    when_ = told.when(state=state, over=over)
    event = not state and not over and (told.clause.past or told.clause.perfect)
    event = event and when_.kind not in {Kind.HOLDS, Kind.ENDED}
    predicate = _predicate(
        told.clause if not over else clause,
        head,
        event=event and when_.kind not in {Kind.HOLDS, Kind.ENDED},
    )
    when_ = _as_possible(when_) if predicate.startswith("can_") else when_
    objects = list(told.targets(clause.objects))
    placed = [(c, t) for c, t in told.targets(clause.prepositions) if c.preposition in PLACING]
    if objects:
        placed = [(c, t) for c, t in placed if c.preposition not in _WHEREABOUTS]
    if objects and told.scene.block.shape is Shape.LOG:  # "role auditor granted by ops"
        placed = [(c, t) for c, t in placed if c.preposition != "by"]
    if lemma in _PREFERRING:  # "prefers trains over planes"
        placed = [(c, t) for c, t in placed if c.preposition not in {"over", "to"}]
    apart = bool(placed) and placed[0][0].negated  # "not in Ghent but in Bruges"
    placed = placed[:1] + [
        (c, t)
        for c, t in placed[1:]
        if (apart and c.preposition == placed[0][0].preposition) or _is_told_besides(c)
    ]
    for subject in told.subjects():
        for complement, target in objects:
            yield from _object(told, subject, predicate, target, when_=when_, complement=complement)
        of = f"_{objects[0][0].token.lemma_.lower()}" if lemma in _HAVING and objects else ""
        for complement, target in placed:
            alone = not objects or holds_a_name(complement.token)
            if alone and not _is_part_of_an_object(complement, objects):
                here = When(kind=Kind.DENIED) if complement.negated else when_
                yield told.candidate(subject, f"{predicate}{of}_{complement.preposition}", target, here)
        if not clause.objects and not placed:
            yield from alone_facts(told, clause, subject, when_, predicate=predicate)


def _as_possible(when_: When) -> When:
    """When something can be done: what is possible on a day is no event of that day."""
    return When(kind=Kind.DENIED if when_.kind is Kind.DENIED else Kind.HOLDS)


def _was(told: Told, clause: Clause) -> Candidate | None:
    """Her favourite composer used to be Satie."""
    owned = owned_by(told, told.clause.subjects[0]) if told.clause.subjects else None
    held = next(iter(told.targets(clause.objects)), None)
    if owned is None or held is None:
        return None
    noun, target = held[0].token, held[1]
    if told.clause.subjects[0].lower_ in PEOPLE and not is_proper(noun):  # "my uncle used to be a sailor"
        return None
    return told.candidate(*owned, target, told.when(state=True, over=True))


def _is_told_besides(complement: Complement) -> bool:
    """Whether a second complement is worth a fact: not where or what for it was, unless that has a name."""
    if complement.preposition == "for":
        return holds_a_name(complement.token)
    return complement.preposition not in _WHEREABOUTS


def _is_state(clause: Clause) -> bool:
    """Whether the verb tells a state: "runs a shop"; not "ran out of space", "reported a loss"."""
    if clause.lemma not in STATES or clause.under("out_of"):
        return False
    if clause.lemma == "raise" and not any(_is_raised(o.token) for o in clause.objects):
        return False
    if clause.lemma == "have" and clause.past and any(_happens(o.token) for o in clause.objects):
        return False  # "had a stroke"
    if clause.lemma == "keep" and clause.past and any(_is_the_one(o.token) for o in clause.objects):
        return False  # after they parted "she kept the house"
    if clause.lemma == "speak" and clause.under("to", "with"):  # one talk
        return False
    return clause.lemma != "report" or not clause.objects


def _happens(noun: Token) -> bool:
    return noun.lemma_.lower() in _HAPPENING and noun.tag_ == "NN"


def _is_the_one(noun: Token) -> bool:
    return any(c.lower_ == "the" for c in noun.lefts)


def _is_raised(noun: Token) -> bool:
    """Whether children or animals are raised: "raises goats", not "raised the rent"."""
    several = noun.tag_ == "NNS" and noun.pos_ == "NOUN" and not any(c.pos_ == "NUM" for c in noun.subtree)
    return several and noun.lower_ not in _HEIGHTENED


def _is_part_of_an_object(complement: Complement, objects: list[tuple[Complement, Name | str]]) -> bool:
    """Whether the complement was told with its object already: "the job at Salvia"."""
    posts = [(held.token, post[1]) for held, _ in objects if (post := _post_of(held.token))]
    return any(
        complement.token == place or complement.token.is_ancestor(t) or t.is_ancestor(complement.token)
        for t, place in posts
    )


def _post_of(token: Token) -> tuple[str, Token] | None:
    """Where a post is, with its preposition: "a job at Salvia", "a PhD in botany"."""
    if token.lemma_.lower() not in POSTS:
        return None
    beside = [c for c in token.head.children if c.lower_ in {"at", "with"}] if token.dep_ == "dobj" else []
    nested = [c for c in token.children if c.lower_ in {"at", "in", "with", "for"}]
    for child in [*nested, *beside]:
        for held in child.children if child.dep_ == "prep" else ():
            if held.dep_ == "pobj":
                return child.lower_, held
    return None


def _object(
    told: Told, subject: Name, predicate: str, target: Name | str, *, when_: When, complement: Complement
) -> Iterator[Candidate]:
    token = complement.token
    none = any(c.dep_ == "det" and c.lower_ == "no" for c in token.children)
    if (complement.negated or none) and when_.kind is not Kind.DENIED:
        when_ = When(kind=Kind.DENIED)
    post = _post_of(token)
    where = told.scene.target(post[1]) if post is not None and not told.scene.is_date(post[1]) else None
    if post is not None and where is not None:
        yield told.candidate(subject, f"{predicate}_{token.lemma_.lower()}_{post[0]}", where, when_)
    else:
        yield told.candidate(subject, predicate, target, when_)


def _passive(told: Told) -> Iterator[Candidate]:
    """A passive: by whom, to or with what, else that it was done."""
    clause = told.clause
    participle = f"{clause.head.lower_}_{clause.particle}".rstrip("_")
    lemma = clause.head.lemma_.lower()
    agents = [t for _, t in told.targets(clause.agents) if isinstance(t, Name)]
    if lemma in _SETTING_A_DAY and not agents and (day := _day(told)) is not None:
        time = When(kind=Kind.HOLDS, valid_at=day.time(ahead=True))
        text = bare(told.scene.words(day), day)
        yield from (told.candidate(subject, "scheduled_for", text, time) for subject in told.subjects())
        return
    done = clause.perfect and not agents and not told.dates  # "the surplus has been collected"
    when_ = told.when(state=(lemma in STATES and not done) or (participle in MUTUAL and clause.perfect))
    event = (clause.past and lemma not in STATES) or clause.perfect
    future = any(aux.lower_ in {"will", "'ll"} for aux in clause.auxiliaries)
    by_agent = f"will_{lemma}" if future else past(lemma) if event else third_person(lemma)
    by_agent = f"{by_agent}_{clause.particle}".rstrip("_")
    to_be = f"will_be_{participle}" if future else participle
    others = tuple(c for c in clause.prepositions if c.preposition != "by" and c.preposition in PLACING)
    placed = list(told.targets(others))
    called = list(told.targets(clause.objects))
    subjects = list(told.subjects())
    if participle in MUTUAL and len(subjects) > 1 and not placed:
        yield of_two(told, participle, (subjects[0], subjects[1]), when_)
        return
    for subject in subjects:
        yield from (told.candidate(agent, by_agent, subject, when_) for agent in agents)
        for complement, target in placed:
            if not agents or holds_a_name(complement.token):
                here = When(kind=Kind.DENIED) if complement.negated else when_
                yield told.candidate(subject, f"{to_be}_{complement.preposition}", target, here)
        yield from (told.candidate(subject, to_be, target, when_) for _, target in called)
        if not agents and not placed and not called:
            yield _done(told, subject, participle.replace("_", " "), when_, future=future)


def _day(told: Told) -> DatePhrase | None:
    """The day for which something is set; what is denied, or was set in the past, has none."""
    days = [p for p in told.dates if p.word == "for" and p.point is not None]
    return days[0] if days and told.stance is Stance.ASSERTED else None


def _told_as_one(told: Told) -> Iterator[Candidate]:
    """What two did with each other, and on which day something takes place."""
    if (joined := _joined(told)) is not None:
        yield joined
    elif (day := _day_of_taking_place(told)) is not None:
        text = bare(told.scene.words(day), day)
        time = When(kind=Kind.HOLDS, valid_at=day.time(ahead=True))
        yield from (told.candidate(subject, "scheduled_for", text, time) for subject in told.subjects())
        where = [(c, t) for c, t in told.targets(told.clause.prepositions) if c.preposition in {"at", "in"}]
        for complement, target in where:
            if said(target) not in _HOURS:
                place = f"takes_place_{complement.preposition}"
                yield from (told.candidate(name, place, target, time) for name in told.subjects())


def _day_of_taking_place(told: Told) -> DatePhrase | None:
    """The day on which something takes place, told ahead or of the plan."""
    clause = told.clause
    place = [c.token for c in clause.objects if c.token.lower_ == "place"]
    if clause.head.lemma_ != "take" or not place or list(place[0].lefts) or clause.past or clause.perfect:
        return None
    days = [p for p in told.dates if p.role is DateRole.AT and p is not told.scene.stamp]
    return days[0] if days and told.stance is Stance.ASSERTED else None


def _done(told: Told, subject: Name, participle: str, when_: When, *, future: bool) -> Candidate:
    """That something was done, or will be, where nothing more is told."""
    was = "was not" if when_.kind is Kind.DENIED else "was" if told.clause.past else "is"
    fact = f"{subject.said} {'will be' if future else was} {participle}"
    status = "will_be" if future else "status"
    return told.candidate(subject, status, participle, when_, fact=fact, confidence=0.7)


def _denied_deeds(told: Told) -> Iterator[Candidate]:
    """The patient denies smoking; Irina denies having leaked the memo."""
    subject = next(told.subjects(), None)
    if subject is None or told.stance is not Stance.ASSERTED:
        return
    for deed in told.clause.head.children:
        having = any(c.dep_ == "aux" and c.lower_ == "having" for c in deed.children)
        if deed.dep_ not in {"xcomp", "dobj"} or not (having or deed.lower_.endswith("ing")):
            continue
        done = clause_of(deed)
        form = past(deed.lemma_.lower()) if having else third_person(deed.lemma_.lower())
        targets = list(told.targets(done.objects)) if deed.pos_ == "VERB" else []
        for _, target in targets:
            yield told.candidate(subject, form, target, When(kind=Kind.DENIED))
        if not targets and not having:
            fact = f"{subject.said} denies {deed.lower_}"
            yield told.candidate(subject, "does", deed.lower_, When(kind=Kind.DENIED), fact=fact)
            return


def _joined(told: Told) -> Candidate | None:
    """Nadia and Piotr divorced; Sabine got married to Ruben: one fact of the two."""
    head = told.clause.head
    word = head.lower_
    if head.lemma_.lower() == "get":
        word = next((c.lower_ for c in head.children if c.lower_ in MUTUAL), "")
    names = list(told.subjects())
    names += [
        t
        for c, t in told.targets(told.clause.prepositions)
        if c.preposition in {"to", "from"} and isinstance(t, Name)
    ]
    if word not in MUTUAL or len(names) < 2 or (told.clause.objects and word == head.lower_):  # noqa: PLR2004
        return None
    return of_two(told, word, (names[0], names[1]), told.when(state=False))


def _is_task(clause: Clause) -> bool:
    """Whether it is told as a thing to be done: "Bruno to send the contract", "Ewa will check how ..."."""
    marks = {aux.lower_ for aux in clause.auxiliaries}
    to_do = clause.head.dep_ == "ROOT" and "to" in marks
    return to_do or (bool(marks & {"will", "'ll"}) and _has_content(clause.head) and not clause.objects)


def _task(told: Told) -> Iterator[Candidate]:
    """What somebody is to do: a fact about the task."""
    clause = told.clause
    when_ = When(kind=Kind.DENIED if told.stance is Stance.DENIED else Kind.HOLDS)
    predicate = f"will_{clause.head.lemma_.lower()}"
    content = next((c for c in clause.head.children if c.dep_ == "ccomp" and c.i > clause.head.i), None)
    for subject in told.subjects():
        for _, target in told.targets(clause.objects):
            yield told.candidate(subject, predicate, target, when_)
        if content is not None and not clause.objects:
            text = written(content.doc, content.left_edge.i, content.right_edge.i)
            yield told.candidate(subject, predicate, text, when_)


def _leaving(told: Told) -> Iterator[Candidate]:
    """Leaving a firm, an office, a place ends being there."""
    clause = told.clause
    when_ = told.when(state=True, over=told.stance is Stance.ASSERTED)
    form = "_".join(part for part in (past(clause.head.lemma_.lower()), clause.particle) if part)
    words = form.replace("_", " ")
    objects = list(told.targets(clause.objects))
    placed = [(c, t) for c, t in told.targets(clause.prepositions) if c.preposition in {"as", "from", "at"}]
    for subject in told.subjects():
        for complement, target in objects:
            for candidate in _object(told, subject, form, target, when_=when_, complement=complement):
                rest = candidate.predicate.removeprefix(form).replace("_", " ")
                fact = f"{subject.said} {words}{rest} {candidate.object_said}"
                yield replace(candidate, fact=fact) if told.stance is Stance.ASSERTED else candidate
        for complement, target in placed:
            if _is_part_of_an_object(complement, objects):
                continue
            fact = f"{subject.said} {words} {complement.preposition} {said(target)}"
            yield told.candidate(subject, f"{form}_{complement.preposition}", target, when_, fact=fact)
        if clause.objects or placed or clause.lemma == "give_up":
            continue
        if told.dates and not (clause.past or clause.perfect or clause.progressive):
            yield from alone_facts(
                told,
                clause,
                subject,
                told.when(state=False),
                predicate=_predicate(clause, clause.head, event=False),
            )
        elif clause.lemma in RETIRING:
            yield told.candidate(
                subject, "holds", "position", when_, fact=f"{subject.said} {words}", confidence=0.6
            )
        else:
            event = told.when(state=False)
            if clause.progressive and not clause.past:
                words = gerund(clause.head.lemma_.lower())
            yield told.candidate(
                subject, "status", words, event, fact=f"{subject.said} {words}", confidence=0.6
            )
