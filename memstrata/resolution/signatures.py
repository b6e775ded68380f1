"""Signatures: all that resolution looks at in a mention, except when it was and which it is.

Mentions with one signature always stand for one entity, so an entity that is mentioned a hundred
thousand times by its plain name costs as much as one mention. A mention that a verdict names is pinned:
it has a signature of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from memstrata.ids import canonical_json
from memstrata.resolution import folding
from memstrata.resolution.binding import Refusal, bind, context_free
from memstrata.resolution.contexts import described_role, echoed, is_contrasted
from memstrata.resolution.identifiers import IDENTIFYING, normalised
from memstrata.resolution.lattice import PERSON, family, top_type
from memstrata.resolution.names import Shape, form_of, read_as
from memstrata.resolution.vocabulary import OFFICES, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.model import Mention
    from memstrata.resolution.binding import Binding
    from memstrata.resolution.names import Form

#: Attributes that two mentions of one entity cannot have in two values at once.
DISTINGUISHING: Final = ("birth_date", "tax_id", "founded", "orcid", "country", "region", "kind")
#: Attributes that speak for or against, but may change or differ.
SUPPORTING: Final = ("employer", "role", "city", "address", "maker", "capital")
#: Attributes that resolution looks at; all others leave the signature alone.
CONSIDERED: Final = frozenset({*DISTINGUISHING, *SUPPORTING, *IDENTIFYING, "aliases"})

#: Attributes that may join names that are only alike: a household's phone and address may not.
SUPPORT: Final = ("employer", "email", "github", "orcid", "tax_id", "url")

Attributes = tuple[tuple[str, tuple[str, ...]], ...]


_Value = TypeVar("_Value")


class _Once(Generic[_Value]):
    """A property that is computed once: `functools.cached_property` without its lock, most of its cost.

    Two threads may both compute a value; it is the same one.
    """

    def __init__(self, compute: Callable[[Signature], _Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, signature: Signature, _: type) -> _Value:
        value = signature.__dict__[self._name] = self._compute(signature)
        return value


@dataclass(frozen=True)
class Signature:
    """What resolution knows of a mention.

    `account`, `role`, `scope` and `day` are what it is bound to (see `binding`); `unnamed` that its name
    is no name. `contrasted` says that its sentence sets it off from a namesake, `echoes` which account
    speaks and is called so itself, `pin` which mention a verdict names.
    """

    group_id: str
    name: str
    type: str | None = None
    account: str | None = None
    role: tuple[str, str] | None = None
    unnamed: bool = False
    scope: str | None = None
    day: str | None = None
    attributes: Attributes = ()
    contrasted: bool = False
    echoes: str | None = None
    pin: str | None = None

    @_Once
    def signature_id(self) -> str:
        """A stable id: the same signature has the same id in every process and store."""
        said = (
            self.group_id, self.name, self.type, self.account, self.role, self.unnamed, self.scope,
            self.day, self.attributes, self.contrasted, self.echoes, self.pin,
        )  # fmt: skip
        return blake2b(canonical_json(said).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @_Once
    def form(self) -> Form:
        """The name taken apart."""
        return form_of(self.name or self.account or "", self.type, self.value_of("maker"))

    @_Once
    def values(self) -> Mapping[str, frozenset[str]]:
        """The values of every considered attribute but aliases, in normal form; empty ones are absent."""
        found = {key: _normal_values(key, values) for key, values in self.attributes if key != "aliases"}
        return {key: values for key, values in found.items() if values}

    @_Once
    def identity_keys(self) -> frozenset[str]:
        """Keys that name one thing whatever it is called: accounts, roles, identifiers."""
        keys = {
            f"d:{IDENTIFYING[key]}:{value}"
            for key, values in self.values.items()
            if key in IDENTIFYING
            for value in values
        }
        if self.account is not None:
            keys.add(f"a:{self.account}")
        if self.role is not None:
            keys.add(f"r:{self.role[0]}:{self.role[1]}")
        return frozenset(keys)

    @_Once
    def exact(self) -> frozenset[str]:
        """The keys of its own name; none if it is known by account or role alone."""
        if self.unnamed:
            return frozenset()
        if self.day is not None:
            return frozenset({f"n:{self.day}"})
        suffix = "" if self.scope is None else f" @{self.scope}"
        return frozenset(f"n:{key}{suffix}" for key in self.form.exact)

    @_Once
    def claims(self) -> frozenset[str]:
        """Exact keys of other names that are stated to be its own."""
        own = {f"n:{key}" for key in self.form.claims}
        for alias in self.stated_names:
            form = form_of(alias, self.type)
            if form.shape not in _SHORT_ALIASES:
                own |= {f"n:{key}" for key in form.exact if key == form.anchor or not form.middle}
        return frozenset(own - self.exact)

    @_Once
    def offers(self) -> frozenset[str]:
        """The short forms that it may be called by; aliases of one short word are among them."""
        own = set(self.form.offers) if not self.unnamed else set()
        for alias in self.stated_names:
            form = form_of(alias, self.type)
            if form.shape is Shape.GIVEN:
                own.add(f"f:{form.tokens[0]}")
            elif form.shape is Shape.ACRONYM:
                own.add(f"a:{form.tokens[0]}")
        return frozenset(own)

    @_Once
    def asks(self) -> frozenset[str]:
        """The short forms by which it looks for its bearer; none if it is bound already."""
        return frozenset() if self._is_bound else self.form.asks

    @_Once
    def kin(self) -> frozenset[str]:
        """Keys that it shares with names that are alike but not equal."""
        if self.unnamed or self.scope is not None:
            return frozenset()
        if self.form.kin and not self.values.keys().isdisjoint(SUPPORT):
            return self.form.kin | {f"y:{''.join(sorted(self.form.anchor))}"}
        return self.form.kin

    @_Once
    def doubts(self) -> frozenset[str]:
        """The short forms that would leave its bearer in doubt."""
        return frozenset() if self._is_bound else self.form.doubts

    @property
    def shape(self) -> Shape:
        """The shape of the name; bound accounts, roles and scoped labels are plain."""
        return Shape.PLAIN if self.unnamed or self.scope is not None else self.form.shape

    @property
    def anchor(self) -> str:
        """What names the entity's id, if this is its earliest mention."""
        if self.account is not None:
            return f"account:{self.account}"
        if self.role is not None and self.unnamed:
            return f"role:{self.role[0]}:{self.role[1]}"
        if self.day is not None:
            return self.day
        return self.form.anchor if self.scope is None else f"{self.form.anchor} @{self.scope}"

    @_Once
    def direct_keys(self) -> frozenset[str]:
        """Keys that it may share with what is the same entity; equal anchors share one."""
        return self.exact | self.claims | self.identity_keys | self.kin

    @_Once
    def neighbour_keys(self) -> frozenset[str]:
        """All keys under which a store indexes it.

        `n: d: a: r: k: w: y:` meet one another; `o:` (offers) meets `q:` (asks) of the same rest.
        """
        by_turns = {f"o:{key}" for key in self.offers} | {f"q:{key}" for key in self.asks | self.doubts}
        return self.direct_keys | by_turns

    @_Once
    def reading(self) -> str | None:
        """The type that excludes others: its own, or what a title or a legal form makes plain."""
        if top_type(self.type) is not None:
            return self.type
        return read_as(self.name, self.type) or self.type

    def value_of(self, key: str) -> str | None:
        """The first value of an attribute, as stated."""
        return next((values[0] for name, values in self.attributes if name == key and values), None)

    @property
    def _is_bound(self) -> bool:
        return self.account is not None or self.scope is not None or self.unnamed or self.day is not None

    @_Once
    def stated_names(self) -> tuple[str, ...]:
        """Its aliases as stated, without offices and roles."""
        stated = next((values for key, values in self.attributes if key == "aliases"), ())
        return tuple(alias for alias in stated if _names_somebody(alias))


_SHORT_ALIASES: Final = frozenset({Shape.GIVEN, Shape.ACRONYM})


@lru_cache(maxsize=8192)
def _names_somebody(alias: str) -> bool:
    """Whether an alias is a name: an office or a role ("the CEO", "my boss") joins nobody."""
    words = [
        folding.folded(word.strip(".,'\"")) for word in folding.compatible(folding.cleaned(alias)).split()
    ]
    words = [
        word for word in words if word not in ("the", "a", "an", "my", "our", "your", "his", "her", "their")
    ]
    if not any(char.isalnum() for word in words for char in word):
        return False
    head = words[: words.index("of")] if "of" in words else words
    return not (head and (head[-1] in OFFICES or (len(words) == 1 and words[0] in TITLES)))


@lru_cache(maxsize=65536)
def _normal_values(key: str, values: tuple[str, ...]) -> frozenset[str]:
    if key in IDENTIFYING:
        return frozenset(filter(None, (normalised(IDENTIFYING[key], value) for value in values)))
    if key in ("employer", "maker"):
        return frozenset(form_of(value, "organization").anchor for value in values if value.strip())
    return frozenset(
        " ".join(folding.folded(folding.compatible(value)).split()) for value in values if value.strip()
    )


def signature_of(mention: Mention, *, pinned: bool = False) -> Signature | Refusal:
    """What resolution knows of the mention, or why it names no entity. Pure; text is read, not kept."""
    if not (pinned or mention.text or mention.attributes or mention.speaker is not None):
        bare = _bare(mention.group_id, mention.name, mention.type)
        if bare is not None:
            return bare
    found = bind(mention)
    if isinstance(found, Refusal):
        return found
    return _shared(
        mention.group_id,
        found,
        mention.type,
        _stated(mention),
        contrasted=bool(mention.text) and is_contrasted(mention.text, mention.name),
        echoes=None if found.account is not None else echoed(mention),
        pin=mention.mention_id if pinned else None,
    )


@lru_cache(maxsize=131072)
def _bare(group_id: str, name: str, label: str | None) -> Signature | None:
    """The signature of a name without sentence, attributes and speaker; None if it is bound by more."""
    found = context_free(name, label)
    if found is None:
        return None
    return _shared(group_id, found, label, (), contrasted=False, echoes=None, pin=None)


@lru_cache(maxsize=65536)
def _shared(  # noqa: PLR0913 (the fields of a signature)
    group_id: str,
    found: Binding,
    label: str | None,
    attributes: Attributes,
    *,
    contrasted: bool,
    echoes: str | None,
    pin: str | None,
) -> Signature:
    """One object for equal signatures, so that a name that comes again is not taken apart again."""
    return Signature(
        group_id=group_id,
        name=folding.cleaned(found.name),
        type=label,
        account=found.account,
        role=found.role,
        unnamed=found.unnamed,
        scope=found.scope,
        day=found.day,
        attributes=attributes,
        contrasted=contrasted,
        echoes=echoes,
        pin=pin,
    )


def _stated(mention: Mention) -> Attributes:
    """The considered attributes; a bare first name's role may stand in the sentence instead."""
    given = mention.attributes
    found = {key: tuple(sorted(given[key])) for key in given if key in CONSIDERED} if given else {}
    if mention.text and "role" not in found and " " not in mention.name and family(mention.type) == PERSON:
        role = described_role(mention.text, mention.name)
        if role is not None:
            found["role"] = (role,)
    return tuple(sorted(found.items()))
