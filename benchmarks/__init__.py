"""How Memstrata is measured: `python -m benchmarks NAME [--data PATH] [--json]`.

One module a benchmark, each with `run(data) -> Figures`. A benchmark reports, it never asserts a time.
"""
