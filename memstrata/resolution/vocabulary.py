"""The word lists of resolution, all in folded form: titles, legal forms, numerals, pronouns, roles.

They are closed classes of words, not names: no list here knows a person, a company or a place.
"""

# ruff: noqa: RUF001 (letters of several scripts are what some of these words are written in)

from __future__ import annotations

from typing import Final


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MASCULINE_TITLES: Final = _words("mr mister sir lord herr monsieur senor sr don signor king prince")
FEMININE_TITLES: Final = _words(
    "mrs ms miss madam madame mme mlle lady dame frau senora sra signora dona queen princess"
)
OTHER_TITLES: Final = _words(
    "dr doctor prof professor rev reverend fr father sister brother rabbi imam hon judge justice "
    "capt captain "
    "col colonel gen general lt lieutenant sgt sergeant maj major cpl corporal adm admiral cmdr commander "
    "senator sen gov governor president pres ambassador mag ing dipl dott dottore mx officer "
    "detective inspector "
    "agent coach chef nurse principal provost deacon bishop archbishop cardinal"
)
TITLES: Final = MASCULINE_TITLES | FEMININE_TITLES | OTHER_TITLES
#: After these stands a first name as a rule ("Sir Edmund").
GIVEN_TITLES: Final = _words(
    "sir dame lord lady fr father sister brother king queen prince princess don dona"
)
#: Titles that are ordinary words or names too: dropped only where a dot marks them or two names follow.
LOOSE_TITLES: Final = _words(
    "king prince queen princess don dona judge justice major mag ing gen col sen hon rev general"
)

POST_NOMINALS: Final = _words(
    "phd md mba msc bsc ma ba meng dphil llm llb jd esq esquire dds dvm rn cpa cfa pmp obe mbe "
    "cbe kbe dbe frs "
    "qc kc mp psyd edd pe ret"
)
GENERATIONS: Final = {
    "jr": "junior", "jnr": "junior", "junior": "junior", "sr": "senior", "snr": "senior",
    "senior": "senior",
    "ii": "2", "iii": "3", "iv": "4", "v": "5", "2nd": "2", "3rd": "3", "4th": "4", "5th": "5",
    "second": "2", "third": "3", "fourth": "4", "i": "1", "1st": "1",
}  # fmt: skip
#: Generations that need no comma before them; the others are ordinary words or initials too.
PLAIN_GENERATIONS: Final = _words("jr jnr junior sr snr senior ii iii iv 2nd 3rd 4th 5th")

#: Legal forms, each with the form that it abbreviates or translates to nothing else.
LEGAL_FORMS: Final = {
    "inc": "inc", "incorporated": "inc", "corp": "corp", "corporation": "corp", "co": "co", "company": "co",
    "ltd": "ltd", "limited": "ltd", "llc": "llc", "llp": "llp", "lp": "lp", "plc": "plc", "pllc": "pllc",
    "gmbh": "gmbh", "mbh": "gmbh", "ag": "ag", "kg": "kg", "ug": "ug", "ohg": "ohg", "kgaa": "kgaa",
    "ev": "ev",
    "sas": "sas", "sarl": "sarl", "sa": "sa", "sca": "sca", "snc": "snc", "srl": "srl", "spa": "spa",
    "sl": "sl", "slu": "slu", "bv": "bv", "nv": "nv", "ab": "ab", "as": "as", "asa": "asa", "aps": "aps",
    "oy": "oy", "oyj": "oyj", "kft": "kft", "sro": "sro", "doo": "doo", "pty": "pty", "pte": "pte",
    "pvt": "pvt", "kk": "kk", "ооо": "ooo", "ooo": "ooo", "оао": "oao", "зао": "zao", "пао": "pao",
    "ао": "ao",
    "ltda": "ltda", "lda": "lda", "eirl": "eirl", "se": "se",
}  # fmt: skip
LEADING_LEGAL_FORMS: Final = _words("sas sarl sa ooo ооо оао зао пао ао gmbh pt")
CJK_LEGAL_FORMS: Final = (
    "株式会社", "有限会社", "合同会社", "股份有限公司", "有限责任公司", "有限公司", "주식회사",
)  # fmt: skip

ABBREVIATIONS: Final = {
    "st": "saint", "mt": "mount", "ft": "fort", "dept": "department", "univ": "university",
    "intl": "international", "natl": "national", "assn": "association", "assoc": "association",
    "bros": "brothers", "govt": "government", "&": "and", "ave": "avenue", "rd": "road",
    "blvd": "boulevard",
}  # fmt: skip
ARTICLES: Final = _words("the")
MINOR_WORDS: Final = _words("of and the for in on at de la des du der die das und et y to a an")
PARTICLES: Final = _words("de van von der den la le al el bin ibn di da dos das du ten ter abu del della")

_UNITS: Final = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ORDINALS: Final = _listed(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
TENS: Final = {
    word: (number + 2) * 10
    for number, word in enumerate(_listed("twenty thirty forty fifty sixty seventy eighty ninety"))
}
SPELLED: Final = (
    {word: number for number, word in enumerate(_UNITS)}
    | {word: number for number, word in enumerate(_ORDINALS)}
    | TENS
    | {"twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100}
)

FIRST_PERSON: Final = _words("i me my mine myself ich mich mir moi я меня")
SECOND_PERSON: Final = _words("you your yours yourself u")
USER_WORDS: Final = frozenset({"the user", "user", "the human", "human user"})
ASSISTANT_WORDS: Final = frozenset({"the assistant", "assistant", "the ai", "ai assistant", "the bot"})
PRONOUNS: Final = _words(
    "he him his himself she her hers herself it its itself they them their theirs themselves "
    "themself we us our "
    "ours ourselves who whom whose which what someone somebody anyone anybody everyone everybody "
    "nobody noone one "
    "oneself something anything everything nothing yourselves both each all"
)
FUNCTION_WORDS: Final = _words(
    "the a an this that these those there here then and or but if so as of in on at by for to "
    "from with is are "
    "was were be been am do does did not no yes ok okay when where why how such same other another some any"
)
PLACEHOLDERS: Final = frozenset(
    {
        "n/a", "na", "n.a.", "unknown", "none", "null", "nil", "undefined", "tbd", "tba", "tbc", "todo",
        "unnamed", "anonymous", "not available", "not applicable", "not known", "not given",
        "not specified",
        "no name", "no one", "name", "unspecified", "nan", "xxx", "placeholder", "unknown person",
        "unknown user", "missing", "empty", "???", "?",
    }
)  # fmt: skip
#: Placeholders that are nobody's true name, whatever the type says.
HARD_PLACEHOLDERS: Final = frozenset(
    {"n/a", "n.a.", "null", "nil", "undefined", "nan", "tbd", "tba", "tbc"}
)

ROLE_SYNONYMS: Final = {
    "mom": "mother", "mum": "mother", "mama": "mother", "mommy": "mother", "mummy": "mother",
    "ma": "mother",
    "dad": "father", "papa": "father", "daddy": "father", "pa": "father", "grandma": "grandmother",
    "granny": "grandmother", "grandpa": "grandfather", "granddad": "grandfather", "kid": "child",
    "bro": "brother", "sis": "sister", "co-worker": "coworker", "colleague": "coworker", "hubby": "husband",
    "doc": "doctor",
}  # fmt: skip
ROLES: Final = _words(
    "mother father brother sister son daughter wife husband spouse partner child grandmother grandfather "
    "grandson granddaughter uncle aunt cousin nephew niece parent twin stepmother stepfather stepson "
    "stepdaughter fiance fiancee girlfriend boyfriend friend neighbour neighbor coworker manager boss "
    "supervisor assistant secretary doctor dentist lawyer teacher student tutor coach therapist landlord "
    "tenant client customer accountant mentor roommate flatmate ex mother-in-law father-in-law "
    "sister-in-law brother-in-law son-in-law daughter-in-law godfather godmother nurse vet barber "
    "hairdresser gardener plumber trainer babysitter nanny agent lead colleague buddy"
)
OFFICES: Final = ROLES | _words(
    "ceo cto cfo coo cio chairman chairwoman chairperson chair president vice-president director "
    "head captain "
    "mayor minister secretary king queen pope bishop governor senator chancellor founder owner "
    "principal dean "
    "treasurer editor chief officer commander professor foreman admin administrator user speaker host"
)

SHARED_MAILBOXES: Final = _words(
    "info office support sales contact admin hello mail team noreply no-reply billing hr jobs help service "
    "accounts accounting enquiries inquiries press marketing webmaster postmaster root reception "
    "kontakt post "
    "careers orders security abuse feedback bookings reservations"
)

WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        ("monday mon", "tuesday tue tues", "wednesday wed", "thursday thu thurs", "friday fri",
        "saturday sat",
         "sunday sun")
    )
    for name in names.split()
}  # fmt: skip
MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
        "august aug",
         "september sep sept", "october oct", "november nov", "december dec"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
