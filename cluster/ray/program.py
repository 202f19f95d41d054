"""The Ray head as a program of the supervisor."""

from __future__ import annotations

import shutil
from pathlib import Path

from cluster.ray.head import READY_LINE, RayHead
from cluster.supervisor.program import Program, answers_tcp

NAME = "ray"

START_CPU_S = 30.0
"""A start takes 4 s of processor time. Ray's idle processes use 3 %, so a stuck start is detected after 15 minutes."""


def ray_program(head: RayHead, logs: Path) -> Program:
    """The head, announced in the data folder while it runs. Ray's own logs end up in `logs/ray`.

    A head that was ready restarts at its address, so that connected processes find it again. After a failed start we
    choose other ports, in case one of them was taken.
    """
    never_ready = False

    def prepare() -> None:
        nonlocal never_ready
        if never_ready:
            head.choose_ports()
        never_ready = True
        # A killed supervisor leaves these behind.
        head.withdraw()
        shutil.rmtree(head.temp_dir, ignore_errors=True)

    def ready() -> None:
        nonlocal never_ready
        never_ready = False
        head.announce()

    async def answers() -> bool:
        host, _, port = head.address.rpartition(":")
        return await answers_tcp(host, int(port))()

    def stopped() -> None:
        head.withdraw()
        head.keep_logs(logs / NAME)

    return Program(
        NAME,
        lambda: head.argv,
        head.env,
        ready_line=READY_LINE,
        check=answers,
        start_cpu_s=START_CPU_S,
        stop_timeout_s=4.0,
        prepare=prepare,
        on_ready=ready,
        on_stopped=stopped,
    )
