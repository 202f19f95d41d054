"""Ports of this machine: find free ones, and report a taken one in a sentence."""

from __future__ import annotations

import errno
import socket
from contextlib import ExitStack
from typing import Any

_BACKLOG = 2048
"""uvicorn's. This many connections wait while no process accepts them."""

_NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


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
        raise _taken(host, port, error)


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of `host`, as asyncio's servers do. Raises `PortTaken`.

    Connections wait until a process that inherits the sockets accepts them.
    """
    with ExitStack() as opened:
        try:
            places = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            sockets: list[socket.socket] = []
            absent: OSError | None = None
            for family, _, _, _, address in dict.fromkeys(places):
                try:
                    sockets.append(opened.enter_context(_listener(family, address)))
                except OSError as error:
                    # `localhost` may name an address of IPv6 on a machine that has none.
                    if error.errno not in _NOT_HERE:
                        raise
                    absent = error
            if absent is not None and not sockets:
                raise absent
        except OSError as error:
            raise _taken(host, port, error) from None
        opened.pop_all()
        return sockets


def listen_once(host: str, port: int) -> socket.socket:
    """Listen on one address: for a name on that of IPv4, with port 0 on any that is free. Raises OSError."""
    return _listener(socket.AF_INET6 if ":" in host else socket.AF_INET, (host, port))


def _listener(family: int, address: Any) -> socket.socket:
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # IPv4 has a socket of its own.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _taken(host: str, port: int, error: OSError) -> PortTaken:
    return PortTaken(
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
