"""A watcher that outlives the supervisor and then ends everything the supervisor started, however it died.

`python -m cluster.supervisor.guard MARK` reads lines from standard input: `+ID` when a session begins, `-ID` when it
ends (the system may then reuse its number). The end of the input means that the supervisor is gone.
"""

from __future__ import annotations

import signal
import sys

from cluster.processes import end_leftovers


def main() -> None:
    # The supervisor handles Ctrl-C and a closing terminal.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sessions: set[int] = set()
    for line in sys.stdin:
        (sessions.add if line.startswith("+") else sessions.discard)(int(line[1:]))
    end_leftovers(sys.argv[1], sessions)


if __name__ == "__main__":
    main()
