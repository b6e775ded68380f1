"""`python -m memstrata`: the command line."""

from memstrata.cli import main

main()
