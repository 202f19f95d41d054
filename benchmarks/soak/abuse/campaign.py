"""One attack beside one bystander: what each saw, and how the web process fared."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from dataclasses import dataclass

from benchmarks.soak.abuse.attacker import AttackResult
from benchmarks.soak.abuse.bystander import Bystander, Experience
from benchmarks.soak.abuse.installation import Installation
from benchmarks.soak.abuse.write_lock import LockWatch
from cluster.processes import end_with_parent
from cluster.testing.processes import cpu_seconds, rss_bytes

SAMPLE_EVERY_S = 0.2
QUIET_CPU = 0.2
"""The most of one core that an idle web process uses: above this, the attack left work behind."""

QUIET_WITHIN_S = 20.0
OVER_S = 30.0
"""We kill an attacker that runs this much longer than its time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`restarts` counts how often the supervisor restarted the web process. `is_quiet_after` is True if that became
    idle within `QUIET_WITHIN_S` after the attack. Bytes are resident memory."""

    experience: Experience
    attacked: AttackResult
    seconds: float
    restarts: int
    rss_before: int
    rss_most: int
    is_quiet_after: bool
    lock_s: float
    """The longest time that a lock of the attacker's commands kept others out."""

    @property
    def server_errors(self) -> int:
        """Answers to the attacker with status 500. Those are defects; a 4xx or 503 is a decision."""
        return sum(count for outcome, count in self.attacked.outcomes.items() if outcome.split()[-1] == "500")


class Memory:
    """The peak resident memory of the web process, in bytes, since this object exists."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation
        self.most = 0
        self._look()

    async def watch(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(SAMPLE_EVERY_S)

    def _look(self) -> None:
        # There is no process during a restart.
        with contextlib.suppress(OSError):
            self.most = max(self.most, rss_bytes(self._installation.pid or 0))


async def endure(installation: Installation, attack: str | None, seconds: float) -> Outcome:
    """Run the attack, or none, for `seconds` while the bystander works."""
    await installation.until_answers()
    installation.events.clear()
    bystander = Bystander(installation)
    memory = Memory(installation)
    watching = asyncio.create_task(memory.watch())
    before, began = memory.most, time.monotonic()
    try:
        with LockWatch(installation.is_lock_free) as lock:
            attacking = asyncio.create_task(_attack(installation, attack, seconds))
            experience = await bystander.work(seconds)
            attacked = await attacking
        took = time.monotonic() - began
        is_quiet = await _falls_quiet(installation)
    finally:
        watching.cancel()
        await bystander.close()
    return Outcome(
        experience,
        attacked,
        took,
        sum("starting it again" in sentence for sentence in installation.events),
        before,
        memory.most,
        is_quiet,
        lock.longest_s,
    )


async def _attack(installation: Installation, attack: str | None, seconds: float) -> AttackResult:
    if attack is None:
        return AttackResult({}, 0.0)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.soak.abuse.attacker", attack, str(seconds)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=end_with_parent,
    )
    try:
        output, _ = await asyncio.wait_for(
            process.communicate(installation.target.to_json().encode()), seconds + OVER_S
        )
    except TimeoutError:
        process.kill()
        await process.wait()
        return AttackResult({"attacker killed": 1}, 0.0)
    return AttackResult(**json.loads(output))


async def _falls_quiet(installation: Installation) -> bool:
    """Whether a web process is up and becomes idle within `QUIET_WITHIN_S`."""
    deadline = time.monotonic() + QUIET_WITHIN_S
    while time.monotonic() < deadline:
        pid, before = installation.pid, _cpu_s(installation)
        await asyncio.sleep(1)
        if pid is not None and pid == installation.pid and _cpu_s(installation) - before <= QUIET_CPU:
            return True
    return False


def _cpu_s(installation: Installation) -> float:
    return 0.0 if installation.pid is None else cpu_seconds(installation.pid)
