"""Numbers as texts write them, in digits and in words, with all that they may mean.

What a text claims is read strictly, what another may show of it kindly: `twice`, `third`, `zwei`, `'90`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memstrata.extraction.verification.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_DIGITS: Final = re.compile(
    r"(?P<digits>\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    r"(?:\s?(?P<scale>k|m|bn|b|thousand|million|billion|hundred|dozen|lakh|crore)\b)?"
    r"(?P<share>\s?(?:%|per\s?cent\b))?",
    re.IGNORECASE,
)
_LONG: Final = re.compile(r"\+?\d(?:[\s()./-]{0,2}\d){6,}")
_FRACTION: Final = re.compile(r"(\d{0,15})([\u00bc-\u00be\u2150-\u215e])")
_SHORT_YEAR: Final = re.compile(r"(?<!\w)['\u2019](\d\d)\b")
_CLOCK: Final = {"half past": 30.0, "quarter past": 15.0, "quarter to": 45.0}
_SCALES: Final = {
    "k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "hundred": 100.0, "thousand": 1e3, "million": 1e6,
    "billion": 1e9, "dozen": 12.0, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
_WORDS_OF_SCALE: Final = frozenset(word for word in _SCALES if len(word) > 2)  # noqa: PLR2004 (no abbreviations)
_ARTICLES: Final = frozenset({"a", "an"})
_BELOW_THOUSAND: Final = frozenset({"hundred", "dozen"})
_UNITS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_CARDINALS: Final = {word: float(number) for number, word in enumerate(_UNITS.split())} | {
    word: 20.0 + 10 * number for number, word in enumerate(_TENS.split())
}
_FIRSTS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_ORDINALS: Final = {word: float(number) for number, word in enumerate(_FIRSTS.split(), 1)} | {
    f"{word[:-1]}ieth": 20.0 + 10 * number for number, word in enumerate(_TENS.split())
}
_LOOSE: Final = {
    "a": 1.0, "an": 1.0, "once": 1.0, "twice": 2.0, "couple": 2.0, "pair": 2.0, "both": 2.0, "double": 2.0,
    "triple": 3.0, "thrice": 3.0, "half": 0.5, "halves": 0.5, "quarter": 0.25, "twins": 2.0,
    "triplets": 3.0,
    "fortnight": 14.0, "decade": 10.0, "century": 100.0, "centuries": 100.0, "dozens": 12.0,
}  # fmt: skip
#: In other languages, as far as one word says it.
_ELSEWHERE: Final = """
2 zwei zwo deux dos due dois duas twee
3 drei trois tres tre tr\u00eas drie
4 vier quatre cuatro quattro quatro
5 f\u00fcnf cinq cinco cinque vijf
6 sechs six seis sei zes
7 sieben sept siete sette sete zeven
8 acht huit ocho otto oito
9 neun neuf nueve nove negen
10 zehn dix diez dieci dez tien
11 elf onze once undici
12 zw\u00f6lf douze doce dodici doze twaalf
13 dreizehn treize trece tredici treze dertien
14 vierzehn quatorze catorce quattordici catorze veertien
15 f\u00fcnfzehn quinze quince quindici vijftien
16 sechzehn seize diecis\u00e9is sedici dezesseis zestien
17 siebzehn diecisiete diciassette dezessete zeventien
18 achtzehn dieciocho diciotto dezoito achttien
19 neunzehn diecinueve diciannove dezenove negentien
20 zwanzig vingt veinte venti vinte twintig
30 drei\u00dfig dreissig trente treinta trenta trinta dertig
40 vierzig quarante cuarenta quaranta quarenta veertig
50 f\u00fcnfzig cinquante cincuenta cinquanta cinquenta vijftig
60 sechzig soixante sesenta sessanta sessenta zestig
70 siebzig setenta settanta zeventig
80 achtzig ochenta ottanta oitenta tachtig
90 neunzig noventa novanta negentig
100 hundert cent cien ciento cento cem honderd
1000 tausend mille mil duizend
"""
_FOREIGN: Final = {
    folded(word): float(number)
    for number, *words in map(str.split, _ELSEWHERE.strip().splitlines())
    for word in words
}
_WORD: Final = re.compile(r"[^\W\d_]+|\n")
_DECIMALS: Final = 3  # so many digits after a separator may be thousands as well
_LONG_DIGITS: Final = 7  # from so many on, digits are a number to call or a number of something
_CENTURIES: Final = range(10, 22)


class Figures:
    """The numbers that a text shows, in every reading."""

    def __init__(self, text: str) -> None:
        self._text = text

    def lack(self, told: str) -> list[str]:
        """The numbers that another text claims, as it writes them, of which no reading is shown."""
        wanted = list(_claimed(self._without_long(told)))
        return [text for text, readings in wanted if not self._show(text, readings)]

    def _show(self, text: str, readings: frozenset[float]) -> bool:
        if text.casefold() in self._words or not readings.isdisjoint(self._numbers):
            return True
        parts = text.split()  # `19 400` may be two numbers side by side, both of them there
        return len(parts) > 1 and all(part.isdecimal() and float(part) in self._numbers for part in parts)

    def _without_long(self, told: str) -> str:
        """What is left to look for but for long numbers that only are grouped otherwise."""
        for found in reversed(list(_LONG.finditer(told))):
            digits = re.sub(r"\D", "", found.group())
            if any(digits.endswith(one) or one.endswith(digits) for one in self._long):
                told = f"{told[: found.start()]} {told[found.end() :]}"
        return told

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(folded(self._text).split())

    @cached_property
    def _numbers(self) -> frozenset[float]:
        return frozenset(_shown(self._text))

    @cached_property
    def _long(self) -> Sequence[str]:
        long = [re.sub(r"\D", "", found.group()) for found in _LONG.finditer(self._text)]
        return [digits for digits in long if len(digits) >= _LONG_DIGITS]


def _claimed(text: str) -> Iterator[tuple[str, frozenset[float]]]:
    """Each number in digits, and each from two on in words, with all that it may mean."""
    for match in _DIGITS.finditer(_decimal(text)):
        readings = frozenset(_readings(match))
        if readings != {0.0}:  # as in 6:00
            yield match["digits"], readings
    for said, number in _in_words(text, _CARDINALS):
        if number > 1:
            yield said, frozenset({number})


def _shown(text: str) -> Iterator[float]:
    """All that could be a number."""
    for match in _DIGITS.finditer(_decimal(text)):
        yield from _readings(match)
        yield from (float(part) for part in match["digits"].split() if part.isdecimal())
    for _, number in _in_words(text, _CARDINALS | _ORDINALS):
        yield number
    words = _WORD.findall(text.casefold())
    yield from (
        known for word in words for table in (_LOOSE, _FOREIGN) if (known := table.get(word)) is not None
    )
    for year in _SHORT_YEAR.findall(text):
        yield from (1900.0 + int(year), 2000.0 + int(year))
    spaced = " ".join(words)
    yield from (number for said, number in _CLOCK.items() if said in spaced)
    if not text.isascii():
        yield from (number for char in text if (number := unicodedata.numeric(char, -1.0)) >= 0)


def _decimal(text: str) -> str:
    """`2.5` for two and a half written with a sign of its own."""
    if text.isascii():
        return text
    return _FRACTION.sub(lambda match: f"{int(match[1] or 0) + unicodedata.numeric(match[2]):g}", text)


def _readings(match: re.Match[str]) -> Iterator[float]:
    """1,250 is twelve hundred and fifty or, elsewhere, one and a quarter; 15 % is .15 as well."""
    digits = re.sub(r"['\u2019\u00a0\u202f ]", "", match["digits"])
    scale = _SCALES.get((match["scale"] or "").casefold(), 1.0)
    whole = re.sub(r"[.,]", "", digits)
    marks = re.findall(r"[.,]", digits)
    readings = {float(whole)} if not marks else set()
    if marks:
        head, tail = re.split(r"[.,](?=[^.,]*$)", digits)
        readings.add(float(f"{re.sub(r'[.,]', '', head)}.{tail}"))
        if len(tail) == _DECIMALS:
            readings.add(float(whole))
    for one in readings:
        yield one
        yield _sound(one * scale)
        if match["share"]:
            yield _sound(one / 100)


def _sound(reckoned: float) -> float:
    """The number without what reckoning in binary adds: 2.01 million are 2,010,000."""
    return float(f"{reckoned:.15g}")


def _in_words(text: str, known: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Numbers in words: `twenty-five`, `a hundred and six`, `half a million`, `two and a half`."""
    words = [*_WORD.findall(text.casefold()), ""]
    run: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if _is_counted(word, following, run, known):
            run.append(word)
        elif word != "and" or not run or not _goes_on(run, following):
            yield from _values(run, known)
            run = []


def _is_counted(word: str, following: str, run: Sequence[str], known: Mapping[str, float]) -> bool:
    """Whether the word is of a number, beginning one or after the words `run` of it."""
    if word in known:
        return True
    if word in _WORDS_OF_SCALE:
        return bool(run)
    if word in _ARTICLES:
        return following in _WORDS_OF_SCALE or (bool(run) and following == "half")
    return word == "half" and (bool(run) or following in _ARTICLES)


def _goes_on(run: Sequence[str], following: str) -> bool:
    """Whether the number goes on after `and`."""
    return following in {"a", "half"} or run[-1] in _WORDS_OF_SCALE


def _values(run: Sequence[str], known: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """What a stretch of number words is; of `nineteen ninety` the year as well."""
    if not any(word in known or word in _WORDS_OF_SCALE for word in run):
        return
    said = " ".join(run)
    yield said, _value(run, known)
    century, rest = known.get(run[0], 0.0), _value(run[1:], known)
    if century in _CENTURIES and 10 <= rest < 100:  # noqa: PLR2004 (two digits)
        yield said, century * 100 + rest


def _value(run: Sequence[str], known: Mapping[str, float]) -> float:
    total, part = 0.0, 0.0
    for word in run:
        if word == "half":
            part += 0.5
        elif word in known:
            part += known[word]
        elif word in _BELOW_THOUSAND:
            part = (part or 1.0) * _SCALES[word]
        elif word in _WORDS_OF_SCALE:
            total, part = total + (part or 1.0) * _SCALES[word], 0.0
    return total + part
