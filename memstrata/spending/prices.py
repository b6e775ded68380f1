"""What language models cost, by name: a YAML file that users edit, over the list that comes with Memstrata.

currency: USD                     # of every price; another than the packaged list's stands alone
models:
  gpt-5-mini:
    input: 0.25                   # per million tokens
    cached: 0.025                 # input that the endpoint had read before; left out: as input
    output: 2.00
    date: 2026-11-30              # when it was read, and where; both may be left out
    source: https://developers.openai.com/api/docs/pricing
  my-own-model: {input: 0, output: 0}
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import date
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NoReturn

import yaml

from memstrata.errors import Misplaced, nearest
from memstrata.yaml_nodes import root_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TOP: Final = ("currency", "models")
_KEYS: Final = ("input", "cached", "output", "date", "source")
_MILLION: Final = 1_000_000
#: Providers add the day of a snapshot to its name; it costs what the model does unless it is listed.
_SNAPSHOT: Final = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8})$")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_MERGED: Final = "tag:yaml.org,2002:merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Per million tokens; `cached` is for input that was read before. `day` and `source` say whence."""

    input: float
    output: float
    cached: float
    day: date | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The prices of models by name; the port is `ports.PriceList`."""

    currency: str = "USD"
    models: Mapping[str, Price] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, model: str) -> Price | None:
        """The model's price, or that of the model that it is a dated snapshot of."""
        return self.models.get(model) or self.models.get(_SNAPSHOT.sub("", model))

    def cost(
        self, model: str, input_tokens: float, output_tokens: float, cached_tokens: float = 0.0
    ) -> float | None:
        """See `ports.PriceList`."""
        price = self.of(model)
        if price is None:
            return None
        fresh = input_tokens - cached_tokens
        return (
            fresh * price.input + cached_tokens * price.cached + output_tokens * price.output
        ) / _MILLION

    def over(self, others: Prices) -> Prices:
        """These, and the others' where these have none; these alone if the currencies differ."""
        if self.currency != others.currency:
            return self
        return Prices(currency=self.currency, models={**others.models, **self.models})


def default_prices() -> Prices:
    """The list that comes with Memstrata."""
    return load_prices(files(__package__).joinpath("prices.yaml").read_text(encoding="utf-8"))


def load_prices(text: str, file: str | None = None) -> Prices:
    """Reads a list of prices; an empty text is an empty list.

    Raises `Misplaced` with `file`, line and key for what cannot be read, is unknown, said twice or missing.
    """
    root = root_of(text, file)
    return Prices() if root is None else _Document(file).prices(root)


class _Document:
    def __init__(self, file: str | None) -> None:
        self._file = file

    def prices(self, root: yaml.Node) -> Prices:
        entries = self._mapping(root, "the list of prices", _TOP)
        currency = "USD"
        if "currency" in entries:
            currency = self._text(entries["currency"], "currency")
            if not _CURRENCY.fullmatch(currency):
                self._refuse(
                    entries["currency"], "currency", f"{currency!r} is no code of a currency, such as USD"
                )
        listed = self._mapping(entries["models"], "models") if "models" in entries else {}
        return Prices(
            currency=currency, models={name: self._price(name, node) for name, node in listed.items()}
        )

    def _price(self, name: str, node: yaml.Node) -> Price:
        entries = self._mapping(node, name, _KEYS)
        for key in ("input", "output"):
            if key not in entries:
                self._refuse(
                    node, name, f"{key} is missing: what a million tokens cost; 0 if they cost nothing"
                )
        given = self._amount(entries["input"], f"{name}.input")
        return Price(
            input=given,
            output=self._amount(entries["output"], f"{name}.output"),
            cached=self._amount(entries["cached"], f"{name}.cached") if "cached" in entries else given,
            day=self._day(entries["date"], f"{name}.date") if "date" in entries else None,
            source=self._text(entries["source"], f"{name}.source") if "source" in entries else "",
        )

    def _amount(self, node: yaml.Node, key: str) -> float:
        text = self._text(node, key)
        try:
            amount = float(text)
        except ValueError:
            amount = math.nan
        if not (math.isfinite(amount) and amount >= 0):
            self._refuse(node, key, f"{text!r} is no price; expected a number from 0 on, such as 0.25")
        return amount

    def _day(self, node: yaml.Node, key: str) -> date:
        text = self._text(node, key)
        try:
            return date.fromisoformat(text)
        except ValueError:
            self._refuse(node, key, f"{text!r} is no day; expected one such as 2026-11-30")

    def _text(self, node: yaml.Node, key: str) -> str:
        if not isinstance(node, yaml.ScalarNode):
            self._refuse(node, key, "expected one value, not a list or a mapping")
        return str(node.value)

    def _mapping(
        self, node: yaml.Node, what: str, known: Sequence[str] | None = None
    ) -> dict[str, yaml.Node]:
        if isinstance(node, yaml.ScalarNode) and node.value in ("", "~", "null") and known is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            self._refuse(
                node, what, "expected keys with values" + (f": {', '.join(known)}" if known else "")
            )
        entries: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self._text(key_node, what)
            if key_node.tag == _MERGED:
                self._refuse(key_node, what, "merged keys (<<) are not read; write them out")
            if known is not None and key not in known:
                near = nearest(key, known)
                hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}"
                self._refuse(key_node, key, f"no key of {what}; {hint}")
            if key in entries:
                self._refuse(key_node, key, "said twice; keep one")
            entries[key] = value
        return entries

    def _refuse(self, node: yaml.Node, key: str, problem: str) -> NoReturn:
        raise Misplaced(problem, file=self._file, line=node.start_mark.line + 1, field=key)
