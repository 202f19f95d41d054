"""Ports of this machine: find free ones, and report a taken one in a sentence."""

from __future__ import annotations

import socket
from contextlib import ExitStack


class PortTaken(RuntimeError):
    """Another program listens there. The text is a sentence."""


def free_ports(count: int) -> list[int]:
    """Return `count` different ports that nothing listens on now."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("", 0))
        return [one.getsockname()[1] for one in sockets]


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now; an empty `host` means every address."""
    return _refusal(host, port) is None


def require_free(host: str, port: int) -> None:
    """Raise `PortTaken` unless a server could listen on `host` and `port` now."""
    if error := _refusal(host, port):
        raise PortTaken(
            f"Port {port} on {host} cannot be used ({error.strerror}). "
            f"Stop the program that uses it, or choose another with SAGASCRIPT_PORT or --port."
        )


def is_listening(host: str, port: int, timeout_s: float = 1.0) -> bool:
    try:
        with socket.create_connection((host, port), timeout_s):
            return True
    except OSError:
        return False


def _refusal(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        # As servers do: a port whose last connections are still closing counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None
