"""A text made easy for the parser: times become "then", codes and firms' names one plain name.

The parser was trained on news; "INV-20931" it takes for a verb, and "300 two weeks ago" for one number.
What was masked is found again by offsets: names and quotes are always those of the original text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.inflection import third_person
from memstrata.extraction.offline.words import word_set

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from memstrata.extraction.dates import DatePhrase

#: Relations that the parser would take apart: "ex-wife" and "mother-in-law".
_KIN: Final = re.compile(
    r"(?<![\w-])(?:(?:ex|step|half|co|great|foster)-(?P<base>[a-z]{3,})|(?P<law>mother|father|sister|brother|son|daughter)-in-law)"
    r"(?![\w-])",
    re.IGNORECASE,
)
_APOSTROPHE: Final = re.compile("(?<=\\w)\u2019(?=\\w)")
#: Verbs that chats write together with what negates them, or with who does it.
_RUN_TOGETHER: Final = re.compile(
    r"(?<![\w'\u2019])(?:(?P<verb>do|does|did|is|are|was|were|have|has|had|wo|ca|could|would|should)(?P<not>nt)"
    r"|(?P<who>[Ii])(?P<am>m|ve)"
    r"|(?P<it>(?:my|his|her|its|our|their)\s(?:name|nickname|number|birthday|address|e?mail|favou?rite\s\w+))"
    r"(?P<is>['\u2019]s))(?=\s)(?!\s(?:and|or)\s)",
    re.IGNORECASE,
)
#: "My flight's at six", "Sanna's not here": no genitive stands before these words.
_IS: Final = re.compile(
    r"(?<![\w'\u2019])(?!(?:it|he|she|that|what|who|there|here|where|how|let|when|why|this)['\u2019])[^\W\d_]+(?P<is>['\u2019]s)"
    r"(?=\s(?:at|on|in|from|not|an?|the|going|getting|already|never|always|due)\b)",
    re.IGNORECASE,
)
_RATHER: Final = re.compile(
    r"(?<=\w)(?P<rather>(?:['\u2019]d|\swould)\s(?:much\s)?rather)(?=\s[a-z])(?!\s(?:not|you|he|she|they|it|have|than)\b)",
    re.IGNORECASE,
)
#: Qualities written with a hyphen, of which the parser would take the first half alone.
_HYPHENED: Final = re.compile(
    r"(?<![\w-])[a-z]+-(?:free|intolerant|averse|handed|sighted|hearted|minded|tempered|blind|proof|friendly)(?![\w-])",
    re.IGNORECASE,
)
#: An age before "and", which the parser would take for a count: "is 34 and works nights".
_AGED: Final = re.compile(r"(?<=\b(?:is|am|'m|'s)\s)\d{1,2}(?=\s(?:and|but)\s[a-z]|,\s[a-z])")
_YEARS_OLD: Final = re.compile(r"(?<!\w)\d{1,3}-year-old\s+(?=[A-Z])")
#: Who is spoken to, before the sentence itself: "Hey Caroline, the trip was long".
_CALLED: Final = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:hey|hi|hello|wow|thanks|thank\syou|yeah|yes|congrats|ok|okay|oh|sorry|sure|cool|great|nice)"
    r"\b[ ,]{0,2}(?-i:[A-Z][\w'\u2019-]*)(?P<comma>,)(?=\s)",
    re.IGNORECASE | re.MULTILINE,
)
_LAUGHTER: Final = re.compile(
    r"\s+(?:(?:ha){2,}|(?:he){2,}|lol|lmao|rofl|xd|btw|tbh|ngl)(?=\s*(?:[.!]|$|\n))", re.IGNORECASE
)
#: Words with a single letter before a hyphen, which the parser would cut: "e-mail", "T-shirt".
_LETTERED: Final = re.compile(r"(?<![\w-])(?:[A-Za-z]-[a-z]{3,}|[Cc]o-op|start-up)(?![\w-])")
#: A verb that the parser takes for a plural noun, read as one that it knows.
_TAKEN_FOR_NOUN: Final = re.compile(r"(?<![\w-])dislikes(?=\s+[\w'])")
#: Verbs that look like plural nouns, with their base forms, where a subject stands before them: the parser
#: reads "the lab sequences samples" as nouns alone.
_BASES: Final = {
    third_person(verb): verb
    for verb in word_set(
        "ship sequence sample stock house host store print brew farm train coach guide model program head"
        " chair lead plan test supply export import lease rent trade source market record process film"
        " paint repair service audit book race sail cook bake mill mine rear tour share design report"
        " display exhibit screen sponsor brand load dock bottle pack mail stage fish catch"
        " watch match press box tax cost"
    )
}
_BASES_ENDING: Final = "|".join(_BASES)
_LIKE_NOUNS: Final = re.compile(
    rf"(?:^|(?<=[.!?]\s))(?:[A-Z][\w&.'\u2019-]*\s|&\s){{0,3}}(?:(?<=\bThe\s)|(?<=\bOur\s)|(?<=[A-Z]\w\s)|(?<=\w\w\w\s))"
    rf"(?:[a-z]+(?<!s)(?<!ed)(?<!ing)\s){{0,2}}(?P<verb>{_BASES_ENDING})(?=\s(?:to|from|for|in|at|with|all|both|only|the|an?|its|his|her"
    r"|their|our|my|over|about|up|\d[\d,.]*|[a-z]+s|[a-z]+\s[a-z]+s)\b)"
    r"(?!(?:(?!\s(?:and|but)\s)[^.!?\n])*\s(?:is|are|was|were|has|have|had|will|can|do|does|did|be)\b)",
    re.MULTILINE,
)
#: "She doesn't: she sold it": a sentence of its own, whose verb was left out.
_BROKEN_OFF: Final = re.compile(r"(?<=n['\u2019]t)(?P<mark>\s?[:\u2013\u2014])(?=\s)")
#: "Site visit Kvarn: the roof leaks": a heading, then a sentence.
_HEADED: Final = re.compile(
    r"(?<=\w)(?P<mark>:)(?=\s(?:the|an?|my|our|his|her|their|she|he|they|we|it|I)\s)"
)
#: "Not only Pia but also her brother": both of them.
_NOT_ONLY: Final = re.compile(
    r"\b(?P<both>not\sonly)\s(?!(?:do|does|did|is|was|has|are|were|because|that)\b)[^,.;!?\n]{1,40}?(?P<and>,?\sbut(?:\salso)?)(?=\s)",
    re.IGNORECASE,
)
_SEMICOLON: Final = re.compile(r";(?=\s)")
TIME: Final = "then"
CODE: Final = "Zeta"
NAME: Final = "Peter"
_CAPITAL = r"[A-Z][^\W\d_]+"
_NOT_NAMES = (
    "In|At|On|The|By|Around|About|Over|Only|For|From|Until|Till|Since|Between|And|But|Or|Nearly|Almost|Some|All|Under"
    "|Up|Chapter|Page|Pages|EUR|USD|GBP|CHF|SEK|NOK|DKK|INR|JPY|Just|With|Within|After|Before|During|We|They|He|She|It"
    "|Of|To|Age|Aged|Is|Was|Are|Has|Have|Had|Our|My|Another|Both|Every|Total|These|Those|That|This|Than|Last|Next|Day|Rs"
)
_CODES: Final = re.compile(
    r"(?P<mail>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<url>https?://[^\s,;)]+[^\s,;).])"
    rf"|(?P<firm>(?<!\w){_CAPITAL}(?:\s{_CAPITAL}){{0,2}}\s&\s{_CAPITAL}(?:\s(?:Co|Sons|Partners|Ltd|Inc|GmbH)\b\.?)?)"
    rf"|(?P<model>(?<!\w)(?!(?:{_NOT_NAMES})\b){_CAPITAL}\s\d[\d.]*(?:-[A-Z]\b)?(?![\w%]|,\d|\s(?:euros?|dollars?|pounds?|percent"
    r"|per|people|seats|times|years?|months?|weeks?|days?|hours?|minutes?|units?|[ap]m)\b)(?<!\.))"
    r"|(?P<money>[$€£¥]\s?\d[\d.,]*\d?(?:\s?(?:k|m|bn|million|billion|thousand))?\b|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|JPY|INR|AUD|CAD)\s\d[\d.,]*\d)"
    r"|(?P<phone>(?<![\w.-])(?:\+\d{1,3}[ -]?)?(?:\(\d+\)[ -]?)?\d{2,5}(?:[ -]\d{2,5}){2,4}(?![\w-]|\.\d))"
    r"|(?P<version>(?<![\w.-])\d+(?:\.\d+){2,}(?![\w-]))"
    r"|(?P<path>(?<!\w)(?:[\w-]+/)+[\w.-]*\w)"
    r"|(?P<postcode>(?<!\w)[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}(?!\w))"
    r"|(?P<code>(?<![\w.-])(?=[\w./#:-]*\d)(?=[\w./#:-]*[^\W\d_])(?!\d+(?:st|nd|rd|th|s|km|m|kg|g|cm|mm|h|min|GB|TB|MB|k|x|am|pm|%)\b)"
    r"(?!\d+-[^\W\d_]{3,}\b)#?[^\W_][\w./#:-]*\w)"
    r"|(?P<numbered>(?<![\w.-])\d+(?:-\d+)+(?![\w-]|\.\d))"
)
#: A letter that numbers something, at the end of a sentence: the parser would take the stop for its own.
_LETTER: Final = re.compile(r"(?<=[a-z]{2}\s)[B-HJ-Z](?=\.(?:\s*$|\s+[A-Z]|\n))")
_CAPITALISED: Final = re.compile(
    r"(?<![\w.'\u2019&/-])[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ][^\W\d_]+(?![\w&/-]|\.\w|['\u2019]t\b)"
)


#: First names that are other words too, before a surname: "her successor is Till Ahrens".
_WORDS_AS_NAMES: Final = re.compile(
    r"(?<=[a-z,] )(?:Till|Will|Grant|Drew|Chase|Rich|Sue|Bill|Mark|Pat|Rob|Faith|Hope)(?=\s[A-Z][a-z])"
    r"|(?:^|(?<=[.:] ))Per(?=\s(?:and\s[A-Z]\w*|is|was|has|had|[a-z]+ed)\b)"
)


@dataclass(frozen=True, slots=True)
class Cut:
    """A replaced piece: `[start, end)` in the masked text stands for `[begin, stop)` of the original."""

    start: int
    end: int
    begin: int
    stop: int
    phrase: DatePhrase | None = None
    lemma: str = ""

    def lemma_in(self, original: str) -> str | None:
        """The base form of a word that the parser read as another one; None for everything else."""
        word = original[self.begin : self.stop]
        return self.lemma or (_BASES.get(word) if self.end > self.start else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewording:
    """`[start, end)` of a masked text, to be read as `word`; `lemma`: the base form of what is written."""

    start: int
    end: int
    word: str
    lemma: str


@dataclass(frozen=True, slots=True)
class Masked:
    """The text for the parser, the original, and what stands for what."""

    text: str
    original: str
    cuts: tuple[Cut, ...]

    def offsets(self, start: int, end: int) -> tuple[int, int]:
        """Where `[start, end)` of the masked text stands in the original."""
        return self._back(start, at_end=False), self._back(end, at_end=True)

    def words(self, start: int, end: int) -> str:
        """The original words of `[start, end)` of the masked text."""
        first, last = self.offsets(start, end)
        return self.original[first:last]

    def replaces(self, offset: int) -> bool:
        """Whether what stands at `offset` of the masked text stands for something else."""
        number = bisect_right(self.cuts, offset, key=lambda cut: cut.start) - 1
        return number >= 0 and offset < self.cuts[number].end

    def _back(self, offset: int, *, at_end: bool) -> int:
        number = bisect_right(self.cuts, offset - at_end, key=lambda cut: cut.start) - 1
        if number < 0:
            return offset
        cut = self.cuts[number]
        if offset - at_end < cut.end:
            return cut.stop if at_end else cut.begin
        return cut.stop + offset - cut.end


def mask(
    text: str,
    dates: Sequence[DatePhrase],
    known: Container[str] | None = None,
    *,
    completed: Iterable[tuple[int, int, str]] = (),
) -> Masked:
    """Replaces times, codes, and names that are not `known` words, keeping the way back.

    `completed`: pieces of the text with what the parser is to read in their place.
    """
    found: list[tuple[int, int, str, DatePhrase | None]] = [
        (phrase.start, phrase.end, TIME, phrase) for phrase in dates if _stands_alone(text, phrase)
    ]
    taken = [(phrase.start, phrase.end) for phrase in dates]
    found += [(*piece, None) for piece in completed if not _overlaps(piece[0], piece[1], taken)]
    taken += [(start, end) for start, end, _, phrase in found if phrase is None and end > start]
    codes = (match.span() for match in _CODES.finditer(text))
    found += [(start, end, CODE, None) for start, end in codes if not _overlaps(start, end, taken)]
    letters = (match.span() for match in _LETTER.finditer(text))
    found += [(start, end, CODE, None) for start, end in letters if not _overlaps(start, end, taken)]
    kin = ((m.span(), (m["base"] or m["law"]).lower()) for m in _KIN.finditer(text))
    found += [(*span, word, None) for span, word in kin if not _overlaps(*span, taken)]
    lettered = ((m.span(), m.group().lower().replace("-", "")) for m in _LETTERED.finditer(text))
    found += [(*span, word, None) for span, word in lettered if not _overlaps(*span, taken)]
    verbs = ((m.span(), "hates") for m in _TAKEN_FOR_NOUN.finditer(text))
    found += [(*span, word, None) for span, word in verbs if not _overlaps(*span, taken)]
    found += [(*piece, None) for piece in _respelled(text) if not _overlaps(piece[0], piece[1], taken)]
    short = (_spelled(m) for m in _RUN_TOGETHER.finditer(text))
    found += [(*span, word, None) for span, word in short if not _overlaps(*span, taken)]
    if known is not None:
        taken += [(start, end) for start, end, _, _ in found]
        found += [(start, end, NAME, None) for start, end in _unknown(text, known, taken)]
    return _replaced(text, sorted(found, key=lambda piece: piece[0]))


def reworded(masked: Masked, rewordings: Iterable[Rewording]) -> Masked:
    """The same text with some of its words, which nothing stands for yet, read as others."""
    known = [(c.begin, c.stop, masked.text[c.start : c.end], c.phrase) for c in masked.cuts]
    lemmas = {masked.offsets(one.start, one.end)[0]: one for one in rewordings}
    new = [(*masked.offsets(one.start, one.end), one.word, None) for one in lemmas.values()]
    again = _replaced(masked.original, sorted([*known, *new], key=lambda piece: piece[0]))
    cuts = (
        replace(cut, lemma=lemmas[cut.begin].lemma) if cut.stop > cut.begin and cut.begin in lemmas else cut
        for cut in again.cuts
    )
    return replace(again, cuts=tuple(cuts))


def _respelled(text: str) -> Iterator[tuple[int, int, str]]:
    """What the parser is to read in other words of the same kind."""
    yield from ((*m.span("verb"), "delivers") for m in _LIKE_NOUNS.finditer(text))
    yield from ((*m.span("is"), " is") for m in _IS.finditer(text))
    yield from ((*m.span("rather"), " prefer to") for m in _RATHER.finditer(text))
    yield from ((*m.span(), "sick") for m in _HYPHENED.finditer(text))
    yield from ((*m.span(), "old," if text[m.end()] == " " else "old") for m in _AGED.finditer(text))
    yield from ((*m.span("comma"), ".") for m in _CALLED.finditer(text))
    yield from ((*m.span("mark"), ".") for m in _BROKEN_OFF.finditer(text))
    for both in _NOT_ONLY.finditer(text):
        yield (*both.span("both"), "both")
        yield (*both.span("and"), " and")
    yield from ((*m.span("mark"), ".") for m in _HEADED.finditer(text))
    yield from ((*m.span(), "") for m in _LAUGHTER.finditer(text))
    yield from ((*m.span(), "") for m in _YEARS_OLD.finditer(text))


def _spelled(match: re.Match[str]) -> tuple[tuple[int, int], str]:
    """What of a contraction the parser is to read otherwise: "dont" as "don't", "name's" as "name is"."""
    if match["not"]:
        return match.span("not"), "n't"
    return (match.span("am"), f"'{match['am']}") if match["am"] else (match.span("is"), " is")


def _overlaps(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(first < end and start < last for first, last in taken)


def _unknown(
    text: str, known: Container[str], taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The capitalised words that are not known, as they stand or in small letters."""
    for match in _WORDS_AS_NAMES.finditer(text):
        if not _overlaps(*match.span(), taken):
            yield match.span()
    for match in _CAPITALISED.finditer(text):
        word = match.group()
        if not _overlaps(*match.span(), taken) and word not in known and word.lower() not in known:
            yield match.span()


def _replaced(text: str, pieces: Sequence[tuple[int, int, str, DatePhrase | None]]) -> Masked:
    out: list[str] = []
    cuts: list[Cut] = []
    at = length = 0
    for begin, stop, word, phrase in pieces:
        between = text[at:begin]
        word_ = word.capitalize() if not between.strip() and not out and word == TIME else word
        out += [between, word_]
        length += len(between)
        cuts.append(Cut(length, length + len(word_), begin, stop, phrase))
        length += len(word_)
        at = stop
    plain = "".join([*out, text[at:]])
    return Masked(_APOSTROPHE.sub("'", _SEMICOLON.sub(".", plain)), text, tuple(cuts))


_VERB_AFTER: Final = re.compile(
    r"\s+(?:is|was|are|were|works|suits|will|has|had|would|saw|marks|brought)\b"
)


def _stands_alone(text: str, phrase: DatePhrase) -> bool:
    """Whether a time phrase is an adverbial, which "then" can stand for: no subject, no part of a name."""
    if phrase.word in {"of", "to", "for", "than", "about"}:
        return False
    if text[phrase.end : phrase.end + 2] in {"'s", "\u2019s"} or text[phrase.end : phrase.end + 1] == "-":
        return False
    begins = not text[: phrase.start].strip() or text[: phrase.start].rstrip()[-1:] in ".!?:;\n"
    bare = not phrase.word and phrase.role is DateRole.AT
    return not (begins and bare and _VERB_AFTER.match(text, phrase.end))
