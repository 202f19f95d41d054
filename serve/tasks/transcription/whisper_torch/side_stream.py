"""Work on the model's device beside its decode steps: encoding and alignment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import torch

from serve.tasks.transcription.whisper_torch.loop import LoopClosed

Result = TypeVar("Result")


class SideStream:
    """A second stream of the device, for one call after another: together they take the memory of one batch.

    Decode steps wait for memory and encoding for arithmetic, so a GPU does both in less time than one after the other.
    On a processor the calls run in the threads of their callers.
    """

    def __init__(self, device: torch.device) -> None:
        self._stream = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._lock = threading.Lock()
        self._closed = False

    def run(self, work: Callable[[], Result]) -> Result:
        """Return what `work` returns when the device has finished it, so that any stream may read it.

        The caller keeps it until the steps that read it have ended: the device's memory of what is freed may be
        written at once. Raises what `work` raises, and LoopClosed after `close`.
        """
        with self._lock:
            if self._closed:
                raise LoopClosed
            if self._stream is None:
                return work()
            with torch.cuda.stream(self._stream):
                result = work()
            self._stream.synchronize()
            return result

    def close(self) -> None:
        """Refuse further calls and wait for the one under way."""
        with self._lock:
            self._closed = True
