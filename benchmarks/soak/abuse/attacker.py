"""The attacker's process: `python -m benchmarks.soak.abuse.attacker NAME SECONDS`, with its target on standard input.

Writes the outcomes to standard output, with the processor time that it took from the server on the same cores.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass

from benchmarks.soak.abuse.attacks.every import ATTACKS
from benchmarks.soak.abuse.target import Target


@dataclass(frozen=True, slots=True)
class AttackResult:
    """How often each outcome was seen, and the attacker's own processor time in seconds."""

    outcomes: dict[str, int]
    cpu_s: float


def main(name: str, seconds: float) -> None:
    target = Target.from_json(sys.stdin.read())
    # A real attacker does not share the cores with the server.
    os.nice(10)
    end = time.monotonic() + seconds
    outcomes = ATTACKS[name].attack(target, lambda: time.monotonic() < end)
    sys.stdout.write(json.dumps(asdict(AttackResult(dict(outcomes), time.process_time()))))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
