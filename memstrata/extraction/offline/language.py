"""Whether a text is English, by its function words and letters: enough to stay silent on the rest.

The parser knows English only. No identification of the other language is attempted.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from memstrata.extraction.offline.words import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_ENGLISH: Final = word_set(
    "the a an and or but of to in on at by for with from is are was were be been has have had does do"
    " did not no it its he she they we you i his her their our your my this that these those will would"
    " can could should may might must what when where who which how there here if than then so as about"
    " after before since until because while during into over under up out off am i'm don't doesn't"
    " isn't it's he's she's that's can't won't didn't hasn't haven't please thanks hello hi yes never"
    " any some all more just now per via im ive dont doesnt didnt cant"
)
#: Function words of other languages with Latin letters that are no English words.
_FOREIGN: Final = (
    # German
    word_set(
        "der das und ist nicht ein eine einen einem einer zu zum zur mit von vom für auf bei seit"
        " sich ich sie wir ihr dem den des auch aber oder wie wird wurde hat haben sind noch nach aus"
        " im am als ja nein laut"
    )
    # Spanish
    | word_set(
        "el los las una unos y del que con para por está es fue como pero más no se lo le su sus al"
        " desde hasta muy ya tiene esta este yo él ella en de la"
    )
    # French
    | word_set(
        "les des du et est une dans pour avec sur pas ne qui que au aux elle il nous vous je mon ma"
        " mes son ses si n'est c'est d'une n'aime qu'il était chez peut"
    )
    # Italian
    | word_set("il lo gli della delle dei di che non è sono per una con nel nella ha anche più questo mi")
    # Portuguese
    | word_set("o os um uma não do da dos das em com seu sua são foi também mais ele ela você")
    # Dutch
    | word_set(
        "het een en van niet dat ik je hij zij wij op voor met aan zijn naar maar ook heeft wordt bij uit"
    )
    # Nordic
    | word_set(
        "och att det som är jag inte på för med av den han hon har till från og ikke af til jeg er på"
        " med vi"
    )
    # Finnish
    | word_set("ja ei se että hän oli mutta myös kun ovat")
    # Polish
    | word_set("nie się jest na że do jak ale czy są był była dla w z i o")
    # Czech
    | word_set("je se na že by ale jako pro ve jsem jsou není s v")
    # Turkish
    | word_set("ve bir bu için ile çok değil olarak daha ne var")
)
_FOREIGN_ONLY: Final = (
    _FOREIGN
    - _ENGLISH
    - frozenset({"i", "do", "on", "by", "an", "a", "no", "in", "as", "so", "o", "s", "w", "z", "v", "y"})
)
_OTHER_SCRIPT_SHARE: Final = 0.2


def is_english(text: str) -> bool:
    """Whether the rules may read `text`; names and numbers alone pass, for nothing speaks against them."""
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return True
    foreign_letters = sum(not _is_latin(char) for char in letters)
    if foreign_letters > _OTHER_SCRIPT_SHARE * len(letters):
        return False
    found = _WORD.findall(text)
    words = [word.casefold().replace("\u2019", "'") for word in found]
    english: int = sum(word in _ENGLISH for word in words)
    foreign: int = sum(  # in capitals a word may be part of a name: "La Plata"
        word in _FOREIGN_ONLY and (at == 0 or found[at].islower()) for at, word in enumerate(words)
    )
    return bool(english > foreign or foreign == 0)


def _is_latin(char: str) -> bool:
    return char.isascii() or "LATIN" in unicodedata.name(char, "")
