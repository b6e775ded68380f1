"""Resolution scenarios: pairs merged rightly, wrongly, and those that must never be merged."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from memstrata.errors import Missing
from memstrata.ids import canonical_json
from memstrata.resolution.resolver import resolve
from memstrata.resolution.wire import read, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memstrata.resolution import Resolution

_SHARED = Path(__file__).parents[2] / "shared" / "scenarios" / "resolution"
_SEED = 7
_SHUFFLES = 3


def run(data: Path | None) -> dict[str, object]:
    """Precision and recall over the pairs that are not ambiguous, and the merges that must never be.

    `data`: a folder of YAML files. `order_identical`: shuffled input gave the same output bytes.
    """
    folder = data or _SHARED
    cases = load(folder)
    lines = [line for case in cases for line in wire_lines(case)]
    started = time.perf_counter()
    result = resolve(*read(lines))
    seconds = time.perf_counter() - started
    total = sum((score(case, result) for case in cases), Counter())
    written = list(write(result))
    return {
        "precision": _share(total["right"], total["right"] + total["wrong"]),
        "recall": _share(total["right"], total["right"] + total["missed"]),
        "forbidden": total["forbidden"],
        "ambiguous_merged": total["ambiguous_merged"],
        "order_identical": all(
            _shuffled(lines, seed) == written for seed in range(_SEED, _SEED + _SHUFFLES)
        ),
        "ambiguous_listed": _share(
            total["ambiguous_listed"], total["ambiguous"] - total["ambiguous_merged"]
        ),
        "junk_let_in": total["junk_let_in"],
        "refused_wrongly": total["refused_wrongly"],
        "cases": len(cases),
        "mentions": total["mentions"],
        "seconds": round(seconds, 3),
        "seed": _SEED,
    }


def load(folder: Path) -> list[dict[str, Any]]:
    """The cases of every YAML file in the folder."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise Missing(f"no resolution scenarios (*.yaml) in {folder}; give their folder with --data")
    return [case for file in files for case in yaml.safe_load(file.read_text(encoding="utf-8"))]


def wire_lines(case: dict[str, Any]) -> Iterator[bytes]:
    """The case in the wire format: its name is the group, or comes before the group's."""
    name = case["name"]
    groups = {
        item["ref"]: f"{name}/{item['group']}" if item.get("group") else name for item in case["mentions"]
    }
    for item in case["mentions"]:
        ref = f"{name}:{item['ref']}"
        row = {**item, "record": "mention", "group_id": groups[item["ref"]], "ref": ref}
        row["episode"] = f"{name}:{item['episode']}" if item.get("episode") else ref
        row["saga"] = f"{name}:{item['saga']}" if item.get("saga") else None
        yield canonical_json(row).encode()
    for decision in case.get("decisions", []):
        refs = [f"{name}:{ref}" for ref in decision["refs"]]
        row = {**decision, "record": "decision", "group_id": groups[decision["refs"][0]], "refs": refs}
        yield canonical_json(row).encode()


def score(case: dict[str, Any], result: Resolution) -> Counter[str]:
    """What the case's pairs came to."""
    name, expected = case["name"], case["expected"]
    home = {
        member: cluster.entity_id
        for cluster in result.clusters
        if cluster.group_id.partition("/")[0] == name
        for member in cluster.members
    }
    refs = [item["ref"] for item in case["mentions"]]
    junk = set(expected.get("rejected", []))
    where = {ref: home.get(f"{name}:{ref}") for ref in refs}
    merged = {
        pair
        for pair in map(frozenset, combinations(refs, 2))
        if len({where[ref] for ref in pair} - {None}) == 1 and None not in {where[ref] for ref in pair}
    }
    gold = {frozenset(pair) for cluster in expected["clusters"] for pair in combinations(cluster, 2)}
    ambiguous = {frozenset(pair) for pair in expected.get("ambiguous", [])}
    listed = {frozenset((home[one.left], home[one.right])) for one in result.reviews if one.left in home}
    return Counter(
        mentions=len(refs),
        right=len((merged - ambiguous) & gold),
        wrong=len(merged - ambiguous - gold),
        missed=len(gold - merged),
        forbidden=len(merged & _forbidden(case, gold, ambiguous, junk)),
        ambiguous=len(ambiguous),
        ambiguous_merged=len(merged & ambiguous),
        ambiguous_listed=sum(
            frozenset(where[ref] for ref in pair) in listed for pair in ambiguous - merged
        ),
        junk_let_in=sum(where[ref] is not None for ref in junk),
        refused_wrongly=sum(where[ref] is None for ref in refs if ref not in junk),
    )


def _forbidden(
    case: dict[str, Any], gold: set[frozenset[str]], ambiguous: set[frozenset[str]], junk: set[str]
) -> set[frozenset[str]]:
    stated = case["expected"].get("forbidden", [])
    if stated is not True:
        return {frozenset(pair) for pair in stated}
    refs = [item["ref"] for item in case["mentions"] if item["ref"] not in junk]
    return {frozenset(pair) for pair in combinations(refs, 2)} - gold - ambiguous


def _shuffled(lines: Iterable[bytes], seed: int) -> list[str]:
    mixed = list(lines)
    random.Random(seed).shuffle(mixed)
    return list(write(resolve(*read(mixed))))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
