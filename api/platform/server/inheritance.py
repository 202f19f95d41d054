"""What a supervisor hands a process that listens, and what it answers. Light, because the supervisor imports it."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence

LISTENERS = "SAGASCRIPT_LISTENERS"
"""Names the descriptors of the sockets that a process inherits, separated by commas."""

READY_LINE = "web.ready"
"""Printed by each server on inherited sockets once it answers."""


def listeners_variable(sockets: Sequence[socket.socket]) -> dict[str, str]:
    return {LISTENERS: ",".join(str(each.fileno()) for each in sockets)} if sockets else {}


def inherited_listeners() -> list[socket.socket] | None:
    """The sockets that this process inherits; None where it listens by itself. Programs that it starts inherit none."""
    descriptors = os.environ.pop(LISTENERS, None)
    return None if descriptors is None else [socket.socket(fileno=int(each)) for each in descriptors.split(",")]


def tell_supervisor() -> None:
    """Say that this process serves, whatever the level of its log."""
    sys.stdout.write(f"{READY_LINE}\n")
    sys.stdout.flush()
