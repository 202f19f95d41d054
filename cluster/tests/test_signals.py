"""Signal handlers survive code that replaces them, in the main thread and in others."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Iterator

import pytest

from cluster.signals import keep_signal_handlers


@pytest.fixture
def received() -> Iterator[list[int]]:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _frame: seen.append(number))
    yield seen
    signal.signal(signal.SIGTERM, before)


def test_a_native_handler_set_in_a_thread_is_undone(received: list[int]) -> None:
    def as_ray_does() -> None:
        with keep_signal_handlers():
            # SIG_IGN, set below Python: without the repair the signal would be lost.
            ctypes.CDLL(None).signal(int(signal.SIGTERM), ctypes.c_void_p(1))

    thread = threading.Thread(target=as_ray_does)
    thread.start()
    thread.join()
    os.kill(os.getpid(), signal.SIGTERM)
    assert received == [signal.SIGTERM]


def test_a_python_handler_set_in_the_main_thread_is_undone(received: list[int]) -> None:
    with keep_signal_handlers():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(os.getpid(), signal.SIGTERM)
    assert received == [signal.SIGTERM]
