"""Traps for programs that reach too far: a file that nobody may open, a server that nobody may call."""

from __future__ import annotations

import ctypes
import os
import select
import socket
from pathlib import Path
from types import TracebackType

_IN_OPEN = 0x20
_libc = ctypes.CDLL(None, use_errno=True)


class WatchedFile:
    """Detects with inotify whether anybody opens a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._events = _libc.inotify_init1(os.O_NONBLOCK)
        if _libc.inotify_add_watch(self._events, os.fsencode(path), _IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify_add_watch")

    def __enter__(self) -> WatchedFile:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        os.close(self._events)

    def was_opened(self) -> bool:
        """Since the previous call."""
        opened = bool(select.select([self._events], [], [], 0)[0])
        if opened:
            os.read(self._events, 65536)
        return opened


class ListeningServer:
    """A local port that detects connections."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> ListeningServer:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._socket.close()

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def was_called(self) -> bool:
        """Since the previous call."""
        called = False
        while select.select([self._socket], [], [], 0)[0]:
            self._socket.accept()[0].close()
            called = True
        return called
