"""Run by a raylet in place of Ray's dashboard agent: `python -I -S idle_agent.py`. Does nothing and ends with it.

A raylet does not start without an agent and ends when it ends. Ray's own imports for 3 core-seconds and takes 100 MB,
to serve the dashboard and metrics, neither of which we use.
"""

from __future__ import annotations

import os
import time

_LOOK_EVERY_S = 1.0


def main(raylet: int) -> None:
    while os.getppid() == raylet:
        time.sleep(_LOOK_EVERY_S)


if __name__ == "__main__":
    main(int(os.environ["RAY_RAYLET_PID"]))
