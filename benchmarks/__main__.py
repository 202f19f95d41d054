"""`python -m benchmarks NAME`: measurements of the product against its goals."""

from __future__ import annotations

import sys

from benchmarks.commands import COMMANDS
from cluster.testing.commands import run

if __name__ == "__main__":
    run("benchmarks", COMMANDS, sys.argv[1:])
