"""What is said in passing and tells a memory nothing: judgements, generalities, talk of "things".

Each rule looks at one candidate and its clause, and objects only to what names no lasting, particular fact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.naming import is_code
from memstrata.extraction.offline.nouns import holds_a_name, is_proper
from memstrata.extraction.offline.turns import Shape
from memstrata.extraction.offline.words import (
    FIRST_PERSON,
    PEOPLE,
    RELATIONS,
    ROLES,
    STATES,
    is_role,
    word_set,
)
from memstrata.model import Kind

if TYPE_CHECKING:
    from spacy.tokens import Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.told import Told

#: Nouns that only point, as subjects and as objects.
_VAGUE: Final = word_set(
    "thing stuff way sense lot bit kind sort bunch couple ton love luck vibe feeling everything"
    " something nothing anything someone everyone one much more"
)
#: Nouns that stand in a phrase with their verb: "on the other hand", "made a difference".
_PHRASAL: Final = word_set(
    "things lots bits kinds sorts hand terms tip difference world sake mind heart life moment idea"
    " reason reasons impression touch fingers weather try dream eye chance effort fun ones ways sure nuts"
    " time times day days question"
)
#: Parts that say nothing without their whole: "stay on top of my health".
_PARTS: Final = word_set("top part parts side edge end point rest matter type types tons middle face")
#: Words of judgement: whoever hears them learns how something is liked.
_JUDGING: Final = word_set(
    "good great nice fine bad awful terrible horrible amazing awesome fantastic wonderful lovely"
    " beautiful gorgeous cute pretty stunning brilliant excellent perfect ideal incredible"
    " unbelievable fabulous superb delicious tasty fun funny hilarious wild crazy insane weird strange"
    " odd surreal exciting thrilling interesting fascinating intriguing boring dull tedious tempting"
    " tough hard easy simple challenging tricky difficult rewarding satisfying refreshing relaxing"
    " stressful exhausting overwhelming frustrating annoying scary terrifying impressive inspiring"
    " helpful useful valuable worthwhile worth important essential crucial vital key special unique"
    " cool neat sweet heartwarming memorable magical nuts unpredictable surprising similar different"
    " inevitable likely sure real obvious huge massive best worst better worse favorite favourite okay"
    " ok popular priceless timeless versatile charming elegant sleek vibrant cozy cosy sturdy adorable"
)
#: Nouns of judgement: "it is a big deal".
_JUDGED: Final = word_set(
    "deal blast thrill killer joy pleasure challenge struggle nightmare must plus bonus shame pity"
    " blessing gem treat dream mess surprise delight hit winner breeze pain hassle relief success"
    " failure disaster adventure journey experience feeling masterclass example gamechanger"
    " game-changer priority factor"
)
_INTENSE: Final = word_set(
    "so super really pretty absolutely incredibly totally quite unbelievably surprisingly very too"
    " extremely truly definitely such just insanely amazingly particularly especially as how"
)
_LINKING: Final = word_set("be become seem look feel sound stay remain")
_GRANTED: Final = word_set("right wrong welcome correct sure kidding mistaken kind sweet")
_POINTING: Final = word_set("it this that these those they which what there")


def is_chatter(candidate: Candidate, told: Told) -> bool:
    """Whether a candidate of a clause tells nothing that is worth remembering."""
    if not told.clause.subjects:
        return False
    subject = told.clause.subjects[0]
    return (
        _is_vague_subject(subject)
        or _is_courtesy(candidate, subject)
        or _praises_what(told)
        or _is_vague_object(candidate, told)
        or _judges(candidate, told, subject)
        or _generalises(candidate, told, subject)
        or _describes_any(candidate, told)
        or _likens(candidate, told)
        or _touches_the_speaker(candidate, subject)
        or _accompanies(candidate, told)
    )


def _is_vague_subject(subject: Token) -> bool:
    """A thing, a way, what love: nobody can ask for it again."""
    if subject.tag_ == "CD" and not is_code(subject):  # "400 more than quoted"
        return True
    if is_proper(subject) or subject.pos_ == "PRON":
        return False
    asked = any(
        c.lower_ in {"what", "how", "which", "whatever", "just", "even", "every"} for c in subject.lefts
    )
    word = subject.pos_ in {"ADJ", "ADV", "VERB"} and subject.text.islower()
    word = word and not any(c.dep_ in {"det", "poss"} for c in subject.lefts)  # "the flat costs 900"
    return asked or word or subject.lemma_.lower() in _VAGUE


def _is_courtesy(candidate: Candidate, subject: Token) -> bool:
    """You're right, you are welcome: said of the talk itself."""
    said = candidate.object_said
    first = subject.lower_ in FIRST_PERSON
    if first and (said.startswith("your ") or candidate.predicate.split("_")[0] in {"means", "meant"}):
        return True  # "I need your advice", "I meant Thursday"
    return subject.lower_ == "you" and candidate.predicate == "is" and said in _GRANTED


def _is_vague_object(candidate: Candidate, told: Told) -> bool:
    if any(candidate.object_said in told.scene.words(phrase) for phrase in told.dates):
        return False  # "the end of September"
    first, of, _ = candidate.object_said.partition(" of ")
    head = (first.split() or [""])[-1]
    task = candidate.predicate.startswith("will_")  # "Ewa will check how many there are"
    asked = first.split(" ")[0] in {"how", "what", "so", "too"} and not task
    counted = any(char.isdigit() for char in first)
    return asked or (head in _VAGUE | _PHRASAL and not counted) or (bool(of) and head in _PARTS)


def _judges(candidate: Candidate, told: Told, subject: Token) -> bool:
    """The path is super long; it was such a valuable experience. People may be described, not praised."""
    clause = told.clause
    if any(c.token.tag_ == "JJR" and c.token.dep_ == "acomp" for c in clause.objects):
        return _is_common(candidate)
    if clause.head.lemma_.lower() not in _LINKING or _praises(candidate):
        return _praises(candidate)
    brought = candidate.predicate.startswith("is_") and candidate.predicate != "is_a"
    if brought or not _is_common(candidate):
        return False
    if subject.lower_ in _POINTING and _is_involved(told):
        return candidate.predicate in {"is", "is_a"}
    words = candidate.object_said.casefold().split()
    degree = any(child.lower_ in _INTENSE for c in clause.objects for child in c.token.lefts)
    degree = degree or any(c.lower_ in _INTENSE for c in clause.head.children if c.dep_ == "advmod")
    if candidate.predicate == "is":
        return degree or (bool(words) and words[-1] in _JUDGING and not _is_person(subject))
    return bool(words) and (words[-1] in _JUDGED or (words[0] in _JUDGING and not _is_person(subject)))


def _praises(candidate: Candidate) -> bool:
    """Whether something is called the best or the worst of its kind."""
    words = candidate.object_said.casefold().split()
    return candidate.predicate == "is_a" and bool(words) and words[0] in {"best", "worst"}


def _praises_what(told: Told) -> bool:
    """The best headset I have ever had."""
    head = told.clause.head
    best = any(c.tag_ == "JJS" for c in head.head.lefts)
    return head.dep_ == "relcl" and best and any(c.lower_ == "ever" for c in head.children)


def _is_involved(told: Told) -> bool:
    """Whether more hangs on the clause: what "it" then stands for is seldom what was named before."""
    tokens = [told.clause.head, *(c.token for c in told.clause.objects)]
    more = {"advcl", "ccomp", "xcomp", "relcl", "csubj", "advmod", "acl", "parataxis"}
    return told.clause.head.dep_ != "ROOT" or any(c.dep_ in more for t in tokens for c in t.children)


def _is_common(candidate: Candidate) -> bool:
    target = candidate.object_said
    return not any(word[:1].isupper() or any(char.isdigit() for char in word) for word in target.split())


def _is_person(subject: Token) -> bool:
    pronoun = subject.pos_ == "PRON" and subject.lower_ not in _POINTING
    noun = subject.lemma_.lower()
    return pronoun or is_proper(subject) or noun in PEOPLE or _does_work(noun)


def _does_work(noun: str) -> bool:
    """Whether a noun is a role's; of those in -ment hardly any is."""
    return noun in ROLES or (is_role(noun) and not noun.endswith("ment"))


def _generalises(candidate: Candidate, told: Told, subject: Token) -> bool:
    """Advanced degrees open doors: a bare plural, at no time, of nothing named."""
    if is_proper(subject) or holds_a_name(subject) or subject.pos_ == "PRON":
        return False
    if candidate.predicate == "scheduled_for":
        return False
    bare = subject.tag_ == "NNS" or (subject.tag_ in {"NN", "VBG"} and told.scene.turn.speaker is not None)
    bare = bare and not any(c.dep_ in {"det", "poss", "nummod"} or c.tag_ == "CD" for c in subject.children)
    best = any(c.tag_ == "JJS" for c in subject.lefts) and not any(c.dep_ == "poss" for c in subject.lefts)
    bare = (bare and not is_role(subject.lower_)) or best
    lasting = candidate.kind in {Kind.HOLDS, Kind.DENIED} and candidate.valid_at is None
    dated = any(p.role is not DateRole.RECURRING for p in told.dates)
    present = not told.clause.past and not told.clause.perfect and not dated
    return bare and lasting and present and _is_common(candidate) and not told.clause.passive


def _describes_any(candidate: Candidate, told: Told) -> bool:
    """A company that encourages learning: any such one, told of for the first time."""
    head = told.clause.head
    noun = head.head
    if told.scene.block.shape is Shape.LOG:  # a log leaves out the auxiliary: "gateway restarted by ops"
        return False
    if head.dep_ not in {"relcl", "acl"} or told.clause.subjects[0] != noun or _is_person(noun):
        return False
    if (
        head.left_edge.i > 0 and head.left_edge.nbor(-1).text == ","
    ):  # said besides: "..., which runs in my family"
        return False
    known = {"the", "this", "that", "these", "those", "both"}
    definite = any(c.dep_ == "poss" or c.lower_ in known for c in noun.lefts)
    return not definite and not holds_a_name(noun) and _is_common(candidate)


def _likens(candidate: Candidate, told: Told) -> bool:
    """Exercise is a bit of a journey for me: a noun that is no office, and what it is for."""
    objects = told.clause.objects
    if told.clause.head.lemma_.lower() not in {"be", "become"} or not objects:
        return False
    noun = objects[0].token
    loose = candidate.predicate.rpartition("_")[2] in {"of", "in", "for", "on", "with", "to"}
    office = is_role(noun.lower_) or noun.lower_ in RELATIONS
    return loose and noun.pos_ == "NOUN" and not office and not holds_a_name(noun) and _is_common(candidate)


def _touches_the_speaker(candidate: Candidate, subject: Token) -> bool:
    """Those moments help me: what things do to whoever speaks."""
    target = candidate.object
    first = isinstance(target, Name) and target.text.casefold() in FIRST_PERSON
    return first and not _is_person(subject)


def _accompanies(candidate: Candidate, told: Told) -> bool:
    """What is done meanwhile: "we spent a day there, looking at boats". Not: "living in Kansas"."""
    head = told.clause.head
    if head.tag_ != "VBG" or head.dep_ not in {"advcl", "acl"} or told.clause.auxiliaries:
        return False
    if any(c.lower_ in {"while", "when"} for c in head.children):  # "hurt my knee while skiing last winter"
        return True
    return not told.dates and (head.lemma_.lower() not in STATES or _is_common(candidate))
