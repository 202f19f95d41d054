"""What goes wrong while somebody speaks: on their side, and on the installation's."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter, deque
from contextlib import suppress
from enum import StrEnum
from threading import Lock

from api.testing.processes.product import Product
from api.testing.processes.victims import victims

SUSPENDED_S = 5.0
BACK_WITHIN_S = 240.0


class Fault(StrEnum):
    SOCKET_CUT = "connection cut"
    TAB_CLOSED = "tab closed, and recorded from another"
    SILENT_3 = "network silent for 3 s"
    SILENT_40 = "network silent for 40 s"
    STOP_AT_ONCE = "stopped right after the last word"
    WEB_KILLED = "web process killed"
    WEB_SUSPENDED = "web process suspended for 5 s"
    REPLICA_KILLED = "live replica killed"
    REPLICA_SUSPENDED = "live replica suspended for 5 s"
    READER_KILLED = "replica that reads again killed"
    FLOW_KILLED = "flow killed"
    DISPATCHER_KILLED = "dispatcher killed"
    NODE_KILLED = "node killed"


OF_SENDERS = (Fault.SOCKET_CUT, Fault.TAB_CLOSED, Fault.SILENT_3, Fault.SILENT_40, Fault.STOP_AT_ONCE)
_RARE = {Fault.SILENT_40: 3, Fault.NODE_KILLED: 3}
"""They take most of a minute: so many times rarer than the others."""
_VICTIMS = {
    Fault.WEB_KILLED: " api",
    Fault.WEB_SUSPENDED: " api",
    Fault.REPLICA_KILLED: "ray::ServeReplica:live",
    Fault.REPLICA_SUSPENDED: "ray::ServeReplica:live",
    Fault.READER_KILLED: "ray::ServeReplica:transcription",
    Fault.FLOW_KILLED: "ray::live",
    Fault.DISPATCHER_KILLED: " dispatcher",
    Fault.NODE_KILLED: "raylet/raylet",
}
_SUSPENDING = (Fault.WEB_SUSPENDED, Fault.REPLICA_SUSPENDED)


class Plan:
    """The faults that are still to come, for several senders and for the installation."""

    def __init__(self, count: int, seed: int) -> None:
        luck = random.Random(seed)
        weighted = [fault for fault in Fault for _ in range(1 if fault in _RARE else max(_RARE.values()))]
        planned: list[Fault] = []
        while len(planned) < count:
            planned += luck.sample(weighted, len(weighted))
        del planned[count:]
        self._of_senders = deque(fault for fault in planned if fault in OF_SENDERS)
        self.of_installation = [fault for fault in planned if fault not in OF_SENDERS]
        self.done: Counter[Fault] = Counter()
        self._lock = Lock()

    def next_of_sender(self) -> Fault | None:
        with self._lock:
            return self._of_senders.popleft() if self._of_senders else None

    def note(self, fault: Fault) -> None:
        with self._lock:
            self.done[fault] += 1

    @property
    def has_more(self) -> bool:
        return bool(self._of_senders)


def strike(product: Product, fault: Fault) -> bool:
    """Kill or suspend a process. Returns whether there was one; afterwards another has taken its place."""
    victim = next(victims(product.process.pid, _VICTIMS[fault]), None)
    if victim is None:
        return False
    with suppress(ProcessLookupError):
        if fault in _SUSPENDING:
            os.kill(victim, signal.SIGSTOP)
            time.sleep(SUSPENDED_S)
            os.kill(victim, signal.SIGCONT)
        else:
            os.kill(victim, signal.SIGKILL)
            _replaced(product, fault, victim)
    return True


def _replaced(product: Product, fault: Fault, victim: int) -> None:
    deadline = time.monotonic() + BACK_WITHIN_S
    while time.monotonic() < deadline:
        if any(pid != victim for pid in victims(product.process.pid, _VICTIMS[fault])):
            return
        time.sleep(0.2)
