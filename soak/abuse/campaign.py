"""One attack beside one bystander: what each of them saw, and what became of the web process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from dataclasses import dataclass

from cluster.processes import end_with_parent
from cluster.testing.processes import cpu_seconds, rss_bytes
from soak.abuse.attacker import Attacked
from soak.abuse.bystander import Bystander, Experience
from soak.abuse.installation import Place

SAMPLE_EVERY_S = 0.2
QUIET_CPU = 0.2
"""Share of one core that a web process uses at most when an attack has left nothing behind."""

QUIET_WITHIN_S = 20.0
OVER_S = 30.0
"""An attacker that has not ended so long after its time is killed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`restarts` counts how often the supervisor started the web process again. `is_quiet_after`: whether it had
    nothing left to do within `QUIET_WITHIN_S` of the attack's end. Bytes are of resident memory."""

    experience: Experience
    attacked: Attacked
    seconds: float
    restarts: int
    rss_before: int
    rss_most: int
    is_quiet_after: bool

    @property
    def server_errors(self) -> int:
        """Answers to the attacker with status 500: a defect, where a 4xx or 503 is a decision."""
        return sum(count for outcome, count in self.attacked.outcomes.items() if outcome.split()[-1] == "500")


class Memory:
    """The most resident memory of the web process, in bytes, since this was made."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.most = 0
        self._look()

    async def watch(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(SAMPLE_EVERY_S)

    def _look(self) -> None:
        # There is none while it is being started again.
        with contextlib.suppress(OSError):
            self.most = max(self.most, rss_bytes(self._place.pid or 0))


async def endure(place: Place, attack: str | None, seconds: float) -> Outcome:
    """Let the attack run for `seconds` while the bystander works; None for no attack."""
    await place.until_answers()
    place.events.clear()
    bystander = Bystander(place)
    memory = Memory(place)
    watching = asyncio.create_task(memory.watch())
    before, began = memory.most, time.monotonic()
    try:
        attacking = asyncio.create_task(_attack(place, attack, seconds))
        experience = await bystander.work(seconds)
        attacked = await attacking
        took = time.monotonic() - began
        is_quiet = await _falls_quiet(place)
    finally:
        watching.cancel()
        await bystander.close()
    return Outcome(
        experience,
        attacked,
        took,
        sum("starting it again" in sentence for sentence in place.events),
        before,
        memory.most,
        is_quiet,
    )


async def _attack(place: Place, attack: str | None, seconds: float) -> Attacked:
    if attack is None:
        return Attacked({}, 0.0)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "soak.abuse.attacker", attack, str(seconds)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=end_with_parent,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(place.target.to_json().encode()), seconds + OVER_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        return Attacked({"attacker killed": 1}, 0.0)
    return Attacked(**json.loads(output))


async def _falls_quiet(place: Place) -> bool:
    """Whether there is a web process, and it stops working, within `QUIET_WITHIN_S`."""
    deadline = time.monotonic() + QUIET_WITHIN_S
    while time.monotonic() < deadline:
        pid, before = place.pid, _cpu_s(place)
        await asyncio.sleep(1)
        if pid is not None and pid == place.pid and _cpu_s(place) - before <= QUIET_CPU:
            return True
    return False


def _cpu_s(place: Place) -> float:
    return 0.0 if place.pid is None else cpu_seconds(place.pid)
