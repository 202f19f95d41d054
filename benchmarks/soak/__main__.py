"""`python -m benchmarks.soak NAME`: campaigns that look for faults in the product."""

from __future__ import annotations

import signal
import sys

# Ctrl-C while modules load ends the process without a traceback; the command puts its own handler there.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from benchmarks.soak.commands import COMMANDS  # noqa: E402
from cluster.testing.commands import run  # noqa: E402

if __name__ == "__main__":
    run("benchmarks.soak", COMMANDS, sys.argv[1:])
