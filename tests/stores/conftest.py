"""The contract's asserts say what they compared, as those of test modules do."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    *(
        f"contract_{role}"
        for role in (
            "commits",
            "filters",
            "groups",
            "neighbourhood",
            "passages",
            "reading",
            "semantic",
            "vectors",
            "words",
        )
    )
)
