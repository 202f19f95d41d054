"""A watcher that outlives the supervisor: when the supervisor is gone, however it went, it ends everything it started.

`python -m cluster.supervisor.guard MARK` reads lines `+ID` (a session began) and `-ID` (it is over; the system may give
the number to a stranger) from standard input; the end of the input means that the supervisor is gone.
"""

from __future__ import annotations

import signal
import sys

from cluster.processes import end_leftovers


def main() -> None:
    # A Ctrl-C or a closing terminal is the supervisor's business.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sessions: set[int] = set()
    for line in sys.stdin:
        (sessions.add if line.startswith("+") else sessions.discard)(int(line[1:]))
    end_leftovers(sys.argv[1], sessions)


if __name__ == "__main__":
    main()
