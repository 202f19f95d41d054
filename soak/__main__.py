"""`python -m soak NAME`: campaigns that look for faults in the product."""

from __future__ import annotations

import sys

from cluster.testing.commands import run
from soak.commands import COMMANDS

if __name__ == "__main__":
    run("soak", COMMANDS, sys.argv[1:])
