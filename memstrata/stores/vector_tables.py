"""What every store asks of vectors before it keeps them, and what its statements call their kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from memstrata.errors import Conflict
from memstrata.ports import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.ports import Handle, VectorModel, Vectors

PLURAL: Final[Mapping[Subject, str]] = {
    Subject.FACT: "facts",
    Subject.ENTITY: "entities",
    Subject.EPISODE: "episodes",
    Subject.SUMMARY: "summaries",
    Subject.PROCEDURE: "procedures",
}


def expect_model(stored: VectorModel | None, given: VectorModel) -> None:
    """Raises `Conflict` for another model than the stored one.

    Engines may differ: the same model on another engine gives vectors of the same space.
    """
    if stored and (stored.name, stored.dimension) != (given.name, given.dimension):
        raise Conflict(
            f"vectors of {stored.name} ({stored.dimension} dimensions) are stored, vectors of {given.name} "
            f"({given.dimension}) were given; drop the stored ones (forget), then embed everything again"
        )


def table_of(model: VectorModel, handles: Sequence[Handle], vectors: Vectors) -> Vectors:
    """The vectors as float32, shape (handles, dimension), a row a handle.

    Raises `Conflict` for rows of another dimension than the model's, and for one without direction.
    """
    table = (
        np.ascontiguousarray(vectors, np.float32).reshape(len(handles), -1)
        if handles
        else np.empty((0, model.dimension), np.float32)
    )
    if table.shape[1] != model.dimension:
        raise Conflict(
            f"the vectors have {table.shape[1]} dimensions, {model.name} is said to have {model.dimension}"
        )
    lengths = np.linalg.norm(table, axis=1)
    wrong = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if wrong.size:
        raise Conflict(f"vector {wrong[0]} of {len(handles)} is zero or not finite: it has no direction")
    return table
