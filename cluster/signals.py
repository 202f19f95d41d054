"""Keep this process's signal handlers through code that replaces them."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import threading
from collections.abc import Iterator

_NUMBERS = (signal.SIGTERM, signal.SIGINT)
_SIGACTION_BYTES = 512
"""More than any system's `struct sigaction`, which we only save and restore."""


@contextlib.contextmanager
def keep_signal_handlers() -> Iterator[None]:
    """Restore the handlers of SIGTERM and SIGINT at the end, from any thread.

    Ray's core installs a SIGTERM handler below Python's that prints a stack and dies, so a process that joined Ray
    would lose its orderly stop. Python can repair that only in the main thread, the C library in any.
    """
    python = {number: signal.getsignal(number) for number in _NUMBERS}
    native = {number: _swap(number) for number in _NUMBERS}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in python.items():
                if handler is not None and signal.getsignal(number) is not handler:
                    signal.signal(number, handler)
        for number, action in native.items():
            _swap(number, action)


def _swap(number: int, action: ctypes.Array[ctypes.c_char] | None = None) -> ctypes.Array[ctypes.c_char]:
    """Set the native action of a signal if one is given; return the previous one."""
    before = ctypes.create_string_buffer(_SIGACTION_BYTES)
    if sys.platform != "win32":
        ctypes.CDLL(None).sigaction(int(number), action, before)
    return before
