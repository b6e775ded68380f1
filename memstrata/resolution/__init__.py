"""Resolution: deciding which mentions are one entity. Pure: values in, values out.

`resolve` takes mentions; `signature_of`, `resolve_signatures` and `neighbourhood` are its incremental
form: a store keeps signatures under their keys, and only what a change can reach is resolved again.
"""

from __future__ import annotations

from memstrata.resolution.binding import Refusal
from memstrata.resolution.entities import Cluster, Rejected, Resolution, Review, SeenSignature
from memstrata.resolution.neighbourhood import Neighbourhood, SignatureIndex, keys_about, neighbourhood
from memstrata.resolution.resolver import resolve, resolve_signatures
from memstrata.resolution.signatures import Signature, signature_of
from memstrata.resolution.verdicts import PairVerdict
from memstrata.resolution.version import resolver_version

__all__ = [
    "Cluster",
    "Neighbourhood",
    "PairVerdict",
    "Refusal",
    "Rejected",
    "Resolution",
    "Review",
    "SeenSignature",
    "Signature",
    "SignatureIndex",
    "keys_about",
    "neighbourhood",
    "resolve",
    "resolve_signatures",
    "resolver_version",
    "signature_of",
]
