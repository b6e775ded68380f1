"""The closed word lists that the rules share: verbs by what they do to time and truth, nouns of relation.

General English only; each list is a class of words that behave alike, so that new members are added here
and nowhere else.
"""

from __future__ import annotations

from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of `text` as a set: how the lists here and elsewhere are written."""
    return frozenset(text.split())


#: Verbs that tell of a state or habit: in the past tense without a date they are over.
STATES: Final = word_set(
    "be have own live reside work teach study know speak like love hate enjoy prefer use run lead"
    " manage head chair serve play drive keep belong stay rent wear smoke drink eat attend practise"
    " practice coach train sing cook supply support sponsor host operate maintain store contain hold"
    " cost pay weigh measure need want depend rely share cover include fear suffer lack handle supervise"
    " oversee report represent commute cycle bike volunteer collect breed raise grow trade "
    " date board lodge mentor tutor edit employ possess consist remain base locate situate house"
)
#: Verbs whose object (or place of work) is over with them.
LEAVING: Final = word_set(
    "leave quit resign retire withdraw depart step_down stand_down drop_out pull_out move_out give_up"
    " back_out give"
) - word_set("give")
#: Of these the ones that end an office even where none is named: "he resigned".
RETIRING: Final = word_set("quit resign retire step_down stand_down")
#: What ends that somebody runs, has or does something, where it is told of him.
ENDING: Final = LEAVING | word_set(
    "hand_over hand_on pass_on sell sell_off close close_down shut shut_down die stop end dismiss sack fire"
    " replace oust remove vote_out"
)
FAVOURITE: Final = frozenset({"favourite", "favorite"})
#: Objects that are one with what they are at or in: "got the job at Salvia", "a PhD in botany".
POSTS: Final = word_set(
    "job position role post place offer internship degree phd diploma apprenticeship seat interest"
    " stake share account membership subscription scholarship doctorate master bachelor licence license"
    " contract appointment placement traineeship fellowship ticket"
)
#: Verbs whose "from" tells where the object comes from, and whose "for" what is done for it or whom.
OBTAINING: Final = word_set(
    "buy get receive order take rent borrow import source hire purchase learn obtain acquire lease inherit"
    " download collect adopt steal win accept procure draw earn have remove recruit bring"
)
PAYING: Final = word_set(
    "pay charge spend buy order make bake cook write build play work have use get rent book need reserve"
)
#: Verbs that end an activity: "stopped using", "gave up smoking".
STOPPING: Final = word_set("stop quit cease discontinue drop abandon")
#: Verbs that begin or carry on what their complement says.
BEGINNING: Final = word_set("start begin")
CARRYING_ON: Final = word_set("keep continue")
#: Verbs that state a will, not a deed; the predicate keeps them: plans_to_sell.
WILLING: Final = word_set(
    "want plan intend hope aim decide expect promise agree wish prefer need like love hate try propose"
    " refuse"
)
#: Verbs with which things change over "from A to B".
SWITCHING: Final = word_set("switch migrate upgrade downgrade convert change transition")
MOVING: Final = word_set("move relocate emigrate")
SETTING: Final = word_set(
    "raise increase lower reduce decrease cut change set bump drop extend shorten rename grow rise fall"
)
RESCHEDULING: Final = word_set("move reschedule postpone push shift delay bring change")
EXCHANGING: Final = word_set("swap exchange trade")
REPLACING: Final = EXCHANGING | {"replace"}
#: All of them: "from" and "to" are theirs, not their object's.
CHANGING: Final = SWITCHING | MOVING | SETTING | RESCHEDULING | REPLACING

#: Verbs of telling whose content counts, if the teller is not doubted.
REPORTING: Final = word_set(
    "say tell report announce confirm explain write mention note state add reply answer inform show"
    " reveal remember know learn see find notice point remind stress realise realize discover"
    " mean"
)
#: What is said by saying it: "I want to tell you", "I have to thank you".
TELLING: Final = word_set("tell say ask thank congratulate apologise apologize know mention")
#: Verbs of guessing and wishing whose content does not count.
DOUBTING: Final = word_set(
    "think believe guess assume suspect expect hear suppose doubt hope imagine wonder claim allege"
    " pretend dream wish fear predict bet reckon estimate consider question ask check suggest recommend"
    " propose speculate rumour rumor feel seem appear want insist maintain swear dispute worry argue"
    " forecast read"
)
DENYING: Final = word_set("deny refute")

HEDGES: Final = word_set(
    "maybe perhaps possibly probably allegedly apparently supposedly presumably likely hypothetically"
    " conceivably potentially theoretically almost nearly"
    " rarely seldom hardly barely scarcely basically literally practically virtually"
)
#: Modal verbs that leave it open whether anything is the case.
OPEN_MODALS: Final = word_set("would could might may should must ought shall 'd")

#: Relations between people, and of people to what they keep: "my sister Noor".
_FEMALE = word_set(
    "sister mother mum mom wife daughter aunt niece grandmother grandma girlfriend widow fiancée"
    " stepmother stepsister mother-in-law sister-in-law daughter-in-law ex-wife landlady granddaughter"
    " goddaughter stepdaughter hostess"
)
_MALE = word_set(
    "brother father dad husband son uncle nephew grandfather grandpa boyfriend widower fiancé"
    " stepfather stepbrother father-in-law brother-in-law son-in-law ex-husband grandson godson stepson"
)
_EITHER = word_set(
    "cousin parent sibling child spouse partner friend colleague coworker co-worker boss manager"
    " supervisor assistant neighbour neighbor roommate flatmate housemate landlord tenant teacher tutor"
    " mentor coach trainer doctor dentist therapist lawyer solicitor accountant agent nanny babysitter"
    " deputy predecessor successor twin fiance grandchild stepchild relative classmate teammate co-"
    " founder cofounder in-law client customer supplier employee employer student pupil"
    " apprentice intern secretary director chef gardener baby kid godfather godmother ex carer caregiver"
    " physio physiotherapist midwife nurse hairdresser plumber electrician"
)
ANIMALS = word_set(
    "dog cat horse pony parrot rabbit hamster puppy kitten goat cow pig hen tortoise turtle pet"
)
GENDERS: Final = dict.fromkeys(_FEMALE, "f") | dict.fromkeys(_MALE, "m")
PEOPLE: Final = _FEMALE | _MALE | _EITHER
RELATIONS: Final = PEOPLE | ANIMALS
TITLES: Final = {"mr": "m", "mrs": "f", "ms": "f", "miss": "f", "sir": "m", "madam": "f"}

ATTRIBUTES: Final = word_set(
    "colour color size height weight age status name nickname nationality religion birthplace address"
    " phone number email e-mail surname title price cost budget salary mood language currency capacity"
    " location gender id iban bic pin isbn"
)
#: Nouns that name what somebody is, or does for somebody: "head of procurement at Stellmark".
ROLE_ENDINGS: Final = (
    "er",
    "or",
    "ist",
    "ian",
    "ant",
    "ent",
    "eer",
    "man",
    "woman",
    "person",
    "chief",
    "ess",
    "ee",
)
ROLES: Final = PEOPLE | word_set(
    "head chief president mayor minister ceo cfo cto coo chair chairman chairwoman lead captain"
    " professor judge chef architect pilot nurse clerk member founder owner expert specialist coach king"
    " queen pope bishop mp governor ambassador analyst scientist student apprentice intern trainee"
    " volunteer contact spokesperson guard cook executive secretary attorney counsel partner fellow"
    " alumnus graduate contractor consultant midwife vet priest host monk soldier spy star fan guide"
    " athlete poet author"
)

FIRST_PERSON: Final = word_set("i me my mine myself we us our ours ourselves")
SECOND_PERSON: Final = word_set("you your yours yourself yourselves")
EMPTY_SUBJECTS: Final = word_set(
    "nobody none nothing anybody anyone anything everybody everyone everything somebody someone"
    " something who what which that this these those there one whoever whatever another other others"
    " each either both all some many few most rest thing things lot lots"
    " thanks congrats congratulations hey hi hello wow bye"
)
TIME_UNITS: Final = word_set(
    "second minute hour day week month quarter year decade century time moment while"
)
#: What two are with each other.
MUTUAL: Final = word_set("married engaged divorced separated")
#: Verbs that carry no fact of their own.
LIGHT: Final = word_set(
    "do let seem appear happen tend thank welcome apologise apologize forward attach please matter"
)

#: Prepositions whose nouns are told with the verb: "works at", "moved into".
PLACING: Final = word_set(
    "at in on for to from with as into of under near against through via by off over about after"
    " without onto upon towards toward inside outside along between across around behind out_of off_of"
)
#: Verbs that say nothing alone.
INCOMPLETE: Final = word_set(
    "go come get take make put have be give bring let keep become turn look sound mean do try"
    " change live reside stay remain belong consist depend rely own hold contain keep use need want like"
)


def is_role(noun: str) -> bool:
    """Whether a noun (lower case) names a person by what he or she does."""
    return noun in ROLES or (len(noun) > 4 and noun.endswith(ROLE_ENDINGS))  # noqa: PLR2004 (her, for, ant)
