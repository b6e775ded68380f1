"""A question and its short answer as one sentence: "In Bergen" may mean "I live in Bergen".

Works on the words alone, before anything is parsed. The evidence is the answer as it stands in the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_QUESTION = re.compile(r"[^.!?\n]*\?")
_FIRST_SENTENCE = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof)\.|(?<=\w)\.(?=\w)|[^.!?\n])+(?:[.!](?=\s|$))?")
_YOURS = {
    "you": "I", "your": "my", "yours": "mine", "yourself": "myself", "are": "am", "were": "was",
    "me": "you", "us": "you", "my": "your", "our": "your",
}  # fmt: skip
_FINITE = re.compile(
    r"\b(?:i|we|he|she|it|they|you|there|that|this)\b(?:['\u2019]\w+|\s+\w+)|\b(?:is|are|was|were|am|has|have|had|do|does|did|will|can)\b",
    re.IGNORECASE,
)
_WH_DO = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|then)\W+)*(?P<wh>where|when|what|which|who|whom|how\s+(?:long|often|much)|since\s+when)\b(?P<kind>(?:\s+\w+){0,3}?)"
    r"\s+(?P<aux>do|does|did)\s+(?P<rest>you\b.*|\w.*)\?$",
    re.IGNORECASE,
)
_WH_IS = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|then)\W+)*(?:who|what|where|when|which)(?:\s+(?:is|are|was|were)|['\u2019]s)\s+(?P<rest>(?:your|the|his|her|their|my)\b.*)\?$",
    re.IGNORECASE,
)
_WH_ARE_YOU = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)*(?P<wh>where|what|which|who)\b(?:\s+\w+){0,2}?\s+(?P<aux>are|were)\s+you\s+(?P<rest>\w.*)\?$",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"^\W*(?:(?:and|so|do\s+you\s+have|have\s+you\s+got|got)\W+)*any\s+(?P<rest>[\w\s-]+)\?$", re.IGNORECASE
)
_ASKED_FOR = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|great|thanks|thank\s+you|sure|now|then|(?:may|can|could)\s+(?:i|we)\s+(?:please\s+)?(?:have|get|take|ask)"
    r"|would\s+you\s+(?:tell|give)\s+me|can\s+you\s+(?:tell|give)\s+me)\W+)*your\s+(?P<rest>\w[\w\s'\u2019-]*?)(?:,?\s+please)?\?$",
    re.IGNORECASE,
)
#: A form read aloud: "Date of birth?", "And your nationality?".
_BARE = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|now|then)\W+)*(?:your\s+)?(?P<rest>(?:(?:full|first|last|home|current|postal|billing|delivery|e-?mail|phone"
    r"|mobile|contact|job|order|customer|account|booking|policy)\s+)?(?:name|surname|address|nationality|date\s+of\s+birth|place\s+of\s+birth|birthday"
    r"|occupation|profession|employer|age|title|number|id|reference|postcode|email|blood\s+type|weight|height|religion|language))\?$",
    re.IGNORECASE,
)
_STILL: Final = re.compile(r"still\s+", re.IGNORECASE)
_TURNS: Final = re.compile(r",\s+(?:but|and|though|although|so)\b", re.IGNORECASE)
_POLAR = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)*(?P<aux>do|are|have|can)\s+you\s+(?P<rest>\w.*)\?$", re.IGNORECASE
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|of\s+course|absolutely|definitely|i\s+do|i\s+am|i\s+have|indeed)\b(?!\s+not\b)",
    re.IGNORECASE,
)
#: "Yes, metformin" to "do you take any medication?".
_NAMED_ONE = re.compile(
    r"\s*[,:-]\s*(?P<what>(?!(?:i|we|it|he|she|they|but|and|of|please|thank)\b)[\w-]+(?:\s[\w-]+){0,3}?)(?:,\s.*)?",
    re.IGNORECASE,
)
#: "Lithanol" to it: no adverb, nothing that puts it off.
_NAMED_AT_ONCE = re.compile(
    r"(?P<what>(?!(?:often|sometimes|occasionally|usually|rarely|hardly|barely|always|daily|once|twice|later|soon"
    r"|today|tomorrow|still|both|either|neither|plenty|several|many|few|lots|loads|tons|not|depends|good|great|ok|okay|fine"
    r"|well|hm+|ha|oh|ah|um|uh|er|guilty|exactly|right|correct|true|same|ditto|only|just|very|too|kind|sort|most|more|less"
    r"|enough|certainly|surely|naturally|obviously|perhaps|thanks|please|and|but|or|if|when|while|as|for|in|on|at|to|of|from"
    r"|because|since|every|any|all|let|hard|never|unfortunately|sadly|luckily|hopefully|almost|nearly|quite|yet|now|this|that"
    r"|next|last|ask|see|wait|look|guess|hello|hi|hey|we|i|you|he|she|it|they)\b)(?:(?:the|an?|my|some)\s)?[\w-]+(?:\s(?!of\b)[\w-]+){0,2}?)"
    r"(?:,?(?P<since>\s(?:since|for|until)\b.*)|,\s.*)?",
    re.IGNORECASE,
)
_ON_MEDICINE = re.compile(
    r"(?:on|taking)\s+(?P<what>any\s+(?:regular\s+|other\s+)?(?:medication|medications|medicine|medicines|meds|drugs|pills|tablets))",
    re.IGNORECASE,
)
_ANY_ONE = re.compile(r"\bany\s+[\w-]+(?:\s[\w-]+)?(?=$)|\ban?\s+[\w-]+(?=$)", re.IGNORECASE)
_NO = re.compile(
    r"^\W*(?:no|nope|never|not\s+at\s+all|i\s+don['\u2019]t|i['\u2019]m\s+not|i\s+haven['\u2019]t)\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^\W*(?:(?:no|not)\W+)?(?:not\s+any\s*more|no\s+longer|not\s+anymore|i\s+used\s+to)\b", re.IGNORECASE
)
_EMPTY = re.compile(
    r"^\W*(?:none|nothing|no|not?\s+(?:sure|idea)|i\s+don['\u2019]t\s+know|dunno|maybe|perhaps|sorry|thanks|thank\s+you|good\s+question|why|what|who)\b",
    re.IGNORECASE,
)
#: A value read back to be confirmed, and the one that is right.
_READ_BACK: Final = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|then)\W+)*(?P<what>(?:your|the|his|her|their)\s[\w\s'\u2019-]+?)\s+is\s+[^?,]+"
    r"(?:,\s*(?:right|correct|yes|isn['\u2019]t\s+it))?\?$",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"^\W*(?:no|nope|sorry)\b\W+(?:sorry\W+)?(?:it\s+is\s+|it['\u2019]s\s+)?(?P<new>\w.*)$", re.IGNORECASE
)
_LOWER: Final = re.compile(r"(?:On|In|At|The|From|By)\b")
_SHORT: Final = 5
#: Asked of the time before: "and which one did you have before?".
_BEFORE: Final = re.compile(r"\s+(?:before(?:\s+that)?|previously|earlier)$", re.IGNORECASE)
_LONG = 12
_DETERMINERS = frozenset({"my", "your", "the", "his", "her", "their", "our", "its", "this", "that"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The full sentence, and where the words of the answer stand in its turn."""

    sentence: str
    start: int
    end: int


def last_question(text: str) -> str | None:
    """The question a turn ends with."""
    if not text.rstrip().endswith("?"):
        return None
    found = _QUESTION.findall(text)
    return found[-1].strip() if found else None


def answer_to(question: str, reply: str) -> Answer | None:
    """The sentence that `reply` means as an answer to `question`; None where it speaks for itself."""
    match = _FIRST_SENTENCE.search(reply)
    if match is None or reply.strip().endswith("?"):
        return None
    said = match.group().strip()
    words = said.rstrip(".!").strip()
    start = reply.index(said)
    sentence = _polar(question, words) or _checked(question, words) or _filled(question, words)
    if sentence is None:
        return None
    return Answer(sentence=sentence, start=start, end=start + len(said))


def _polar(question: str, said: str) -> str | None:
    match = _POLAR.match(question)
    if match is None:
        return None
    rest, aux = _turned(match["rest"]), match["aux"].casefold()
    still = _STILL.match(rest) is not None
    rest = _STILL.sub("", rest)
    helper = {"are": "am", "were": "was"}.get(aux, aux)
    if _GONE.match(said):
        return f"I no longer {rest}." if aux == "do" else None
    if _NO.match(said) and still and aux in {"do", "are"}:
        return f"I am no longer {rest}." if aux == "are" else f"I no longer {rest}."
    if _NO.match(said):
        return f"I {helper} not {rest}." if aux != "do" else f"I do not {rest}."
    if _YES.match(said):
        return _affirmed(rest, helper, said)
    return _one_named(rest, helper, said)


def _checked(question: str, said: str) -> str | None:
    """What is right where a value was read back: "your number is 31, right?" "No, 13"."""
    match, instead = _READ_BACK.match(question), _INSTEAD.match(said)
    if match is None or instead is None or _FINITE.search(instead["new"]):
        return None
    what, new = _turned(match["what"]), instead["new"]
    if len(new.split()) > _SHORT:
        return None
    return f"{what[0].upper()}{what[1:]} is {new[0].lower() + new[1:] if _LOWER.match(new) else new}."


def _affirmed(rest: str, helper: str, said: str) -> str:
    """The question's words as told by who says yes, with what is named in place of "any"."""
    yes = _YES.match(said)
    named = _NAMED_ONE.fullmatch(said, yes.end()) if yes is not None else None
    if named is not None:
        if any_ := re.fullmatch(r"have\s+any\s+(?P<noun>[\w-]+)", rest, re.IGNORECASE):
            return f"My {_singular(any_['noun'])} is {named['what']}."
        rest = _ANY_ONE.sub(named["what"], rest)
    return f"I {rest}." if helper == "do" else f"I {helper} {rest}."


def _one_named(rest: str, helper: str, said: str) -> str | None:
    """The thing named at once, without a yes: "Are you on any medication?" "Lithanol."."""
    named = _NAMED_AT_ONCE.fullmatch(said)
    if named is None or helper == "can" or named["what"].endswith("ly"):
        return None
    if _EMPTY.match(said) or _FINITE.search(said) or not _ANY_ONE.search(rest):
        return None
    what = _lowered_article(named["what"]) + (named["since"] or "")
    if taken := _ON_MEDICINE.fullmatch(rest):
        return f"I take {_ANY_ONE.sub(what, taken['what'])}."
    if any_ := re.fullmatch(r"have\s+any\s+(?P<noun>[\w-]+)", rest, re.IGNORECASE):
        return f"My {_singular(any_['noun'])} is {named['what']}."
    filled = _ANY_ONE.sub(what, rest)
    return f"I {filled}." if helper == "do" else f"I {helper} {filled}."


def _lowered_article(words: str) -> str:
    return re.sub(r"^(?:The|A|An|My|Some|Two|Three|Four)\b", lambda m: m.group().lower(), words)


def _filled(question: str, said: str) -> str | None:
    """The question's words with the answer in place of the question word."""
    said = _TURNS.split(said, maxsplit=1)[0]
    if len(said.split()) > _LONG or _EMPTY.match(said) or _FINITE.search(said):
        return None
    low = (
        said[0].lower() + said[1:]
        if re.match(
            r"(?:In|At|On|Since|From|To|With|For|By|The|A|An|My|Near|Until|About|Last|Next)\b", said
        )
        else said
    )
    if match := _WH_DO.match(question):
        asked = _sentence_start(_turned(match["rest"]))
        if match["aux"].casefold() == "did" and asked != (had := _BEFORE.sub("", asked)):
            return f"{_with_auxiliary(had, 'used to')} {low}."
        aux = match["aux"].casefold()
        return f"{asked if aux == 'do' else _with_auxiliary(asked, aux)} {low}."
    if match := _WH_ARE_YOU.match(question):
        rest = _turned(match["rest"])
        rest = f" {rest}".removesuffix(f" {low.split()[0]}").strip()  # "from ... from"
        be = "was" if match["aux"].casefold() == "were" else "am"
        return f"I {be} {rest} {low}.".replace("  ", " ")
    if match := _WH_IS.match(question):
        rest = _turned(match["rest"])
        return f"{rest[0].upper()}{rest[1:]} is {low}."
    asked_for = _asked_for(question)
    return f"My {asked_for} is {low}." if asked_for is not None else None


def _asked_for(question: str) -> str | None:
    """What a question without a verb wants to know: "Your postcode?", "Any allergies?", "Nationality?"."""
    if any_ := _ANY.match(question):
        return _singular(any_["rest"].strip())
    match = _ASKED_FOR.match(question) or _BARE.match(question)
    return _lowered(match["rest"].strip()) if match is not None else None


def _lowered(words: str) -> str:
    return words if words.isupper() else words[0].lower() + words[1:]


def _turned(text: str) -> str:
    """Second person as first: what the one asked would say."""
    return re.sub(
        r"\b(?:yourself|yours|your|you|me|us|my|our)\b",
        lambda m: _YOURS[m.group().casefold()],
        text.strip(),
        flags=re.IGNORECASE,
    )


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun.removesuffix("s")


def _sentence_start(text: str) -> str:
    return text if text.startswith("I ") else text[0].upper() + text[1:]


def _with_auxiliary(text: str, auxiliary: str) -> str:
    """`I work there` to `I did work there`: no other form is needed, emphasis keeps tense and person."""
    words = text.split(" ")
    at = 2 if words[0].casefold() in _DETERMINERS else 1
    return " ".join([*words[:at], auxiliary, *words[at:]])
