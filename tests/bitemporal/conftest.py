"""How long Hypothesis looks: quick by default, `HYPOTHESIS_PROFILE=thorough` before a change to a rule."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW_TO_DRAW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("quick", max_examples=40, deadline=None, suppress_health_check=_SLOW_TO_DRAW)
settings.register_profile("thorough", max_examples=5000, deadline=None, suppress_health_check=_SLOW_TO_DRAW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
