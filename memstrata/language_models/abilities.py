"""What an endpoint's model can do, as far as was seen: kept in the home, so that nobody tries it again.

Nothing is asked for the sake of finding out: the first real call tries what is best, an error or an answer
tells, and what did work is remembered for a day.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter, ValidationError

from memstrata.ids import digest
from memstrata.language_models.shared_file import SharedFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memstrata.language_models.timing import Timing
    from memstrata.model import Json

_DAY: Final = 24 * 3600.0
_MOST_KEPT: Final = 200


class Form(IntEnum):
    """How a schema is asked for, best first; each endpoint has some of these."""

    STRICT = 0
    SCHEMA = 1
    OBJECT = 2
    TEXT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What a model takes. `limit` is the name under which it takes a limit of tokens, empty for none.

    `is_proved` if a reply in this form has kept to the schema.
    """

    form: Form = Form.STRICT
    limit: str = "max_tokens"
    temperature: bool = True
    seed: bool = True
    system: bool = True
    is_proved: bool = False

    @property
    def is_last(self) -> bool:
        """Whether there is no lesser form."""
        return self.form is Form.TEXT

    def lowered(self) -> Abilities:
        """With the next form."""
        return replace(self, form=Form(min(self.form + 1, Form.TEXT)), is_proved=False)


_READ: Final = TypeAdapter(Abilities)


class RememberedAbilities:
    """The file of abilities of an installation, by endpoint, model and schema."""

    def __init__(self, path: Path, timing: Timing) -> None:
        self._file = SharedFile(path)
        self._timing = timing

    def recall(self, key: str) -> Abilities | None:
        """What was seen within a day; None if nothing was."""
        with self._file.held() as kept:
            entry = kept.get(key)
            if not isinstance(entry, dict) or not self._is_fresh(entry):
                return None
            try:
                return _READ.validate_python({name: entry[name] for name in entry if name != "at"})
            except ValidationError:  # of another release, or edited
                return None

    def remember(self, key: str, seen: Abilities) -> None:
        """Keeps what was seen, and forgets what is older than a day: also what was only presumed since."""
        told: dict[str, Json] = {**asdict(seen), "form": int(seen.form)}
        with self._file.held() as kept:
            for name in [name for name, entry in kept.items() if not self._is_fresh(entry)]:
                kept.pop(name)
            for name in sorted(kept, key=lambda name: _at(kept[name]))[:-_MOST_KEPT]:
                kept.pop(name)
            known = kept.get(key)
            if not isinstance(known, dict) or known != {**told, "at": known.get("at")}:
                kept[key] = {**told, "at": self._timing.wall()}

    def _is_fresh(self, entry: Json) -> bool:
        return 0 <= self._timing.wall() - _at(entry) < _DAY


def ability_key(address: str, model: str, schema: Mapping[str, Json] | None = None) -> str:
    """Under what is kept what a model takes, of one schema or of any; the address is only digested."""
    return digest([address, model, dict(schema) if schema is not None else None])[:32]


def _at(entry: Json) -> float:
    at = entry.get("at") if isinstance(entry, dict) else None
    return float(at) if isinstance(at, int | float) else 0.0
