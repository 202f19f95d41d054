"""The processes of model replicas below this one, for tests that kill or suspend them."""

from __future__ import annotations

import os

from cluster.processes import children, command_line


def replica_of(task: str) -> int | None:
    """A running replica of a task, by its name. Other installations may run on this machine, so look below this one."""
    todo = children(os.getpid())
    while todo:
        pid = todo.pop()
        if "".join(command_line(pid)[:1]).startswith(f"ray::ServeReplica:{task}:"):
            return pid
        todo += children(pid)
    return None
