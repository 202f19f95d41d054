"""Ports for the servers of tests."""

from __future__ import annotations

import itertools
import os

from cluster.ports import is_free

_FIRST = 20_000
_OF_EACH_PROCESS = 600
"""16 processes end below 32,768, where Linux begins to give ports to outgoing connections."""

_process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 16
# Another run on this machine begins elsewhere.
_begin = os.getpid() * 37 % _OF_EACH_PROCESS
_ports = itertools.cycle(
    _FIRST + _process * _OF_EACH_PROCESS + (_begin + step) % _OF_EACH_PROCESS for step in range(_OF_EACH_PROCESS)
)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody has taken, and that no other test and no connection gets in the meantime.

    A port that the system chooses may be another's before the server of the test has started.
    """
    return next(port for port in _ports if is_free("127.0.0.1", port))
