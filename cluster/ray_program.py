"""The Ray head as a program of the supervisor."""

from __future__ import annotations

import shutil
from pathlib import Path

from cluster.ray_head import READY_LINE, RayHead
from cluster.supervisor.program import Program, answers_tcp

NAME = "ray"


def ray_program(head: RayHead, logs: Path) -> Program:
    """Announced in the data folder while it is up; Ray's own logs end up in `logs/ray`."""
    host, _, port = head.address.rpartition(":")

    def stopped() -> None:
        head.withdraw()
        head.keep_logs(logs / NAME)

    return Program(
        NAME,
        head.argv,
        head.env,
        ready_line=READY_LINE,
        check=answers_tcp(host, int(port)),
        stop_timeout_s=4.0,
        prepare=lambda: shutil.rmtree(head.temp_dir, ignore_errors=True),
        on_ready=head.announce,
        on_stopped=stopped,
    )
