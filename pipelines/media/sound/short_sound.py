"""Decodes short sounds in a process that has its libraries loaded, instead of in programs started for each of them.

Whatever it does not take is left to `probe.py` and `audio.py`, which say what is wrong with a file.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import structlog

from cluster.limited_process.process import program_environment
from pipelines.media.limits import SHORT_SOUND_BYTES, SHORT_SOUND_MS, short_sound_limits

log = structlog.get_logger(__name__)

_CHILD = Path(__file__).with_name("short_sound_child.py")
_ANSWER_BYTES = 4096


class ShortSounds:
    """One child process, started at the first file and again after it ended. One file at a time, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def decode(self, path: Path, wav: Path) -> int | None:
        """Write `wav` (16 kHz mono 16-bit, without its voices) and return its length in milliseconds.

        None for a file that is larger, longer, damaged or no media: then the usual way must look at it. Takes
        milliseconds, and at most `wall_s` of `short_sound_limits`.
        """
        if path.stat().st_size > SHORT_SOUND_BYTES:
            return None
        with self._lock:
            try:
                decoded_ms = self._sent(path, wav)
            except (OSError, ValueError) as error:
                log.warning("short_sound.lost", error=type(error).__name__)
                self._end()
                decoded_ms = None
            except BaseException:
                # A worker of Ray that is stopped: the answer would belong to the next file.
                self._end()
                raise
        if decoded_ms is None:
            wav.unlink(missing_ok=True)
        return decoded_ms

    @property
    def pid(self) -> int | None:
        """The id of the child, once there is one."""
        return None if self._child is None else self._child.pid

    def close(self) -> None:
        with self._lock:
            self._end()

    def _sent(self, path: Path, wav: Path) -> int | None:
        order = {"path": str(path.absolute()), "wav": str(wav.absolute()), "longest_ms": SHORT_SOUND_MS}
        line = f"{json.dumps(order)}\n".encode()
        control = self._running()
        try:
            control.sendall(line)
            answer = control.recv(_ANSWER_BYTES)
        except ConnectionError:
            answer = b""
        if not answer:
            # It ends after a while without work.
            self._end()
            control = self._running()
            control.sendall(line)
            answer = control.recv(_ANSWER_BYTES)
        decoded_ms: int | None = json.loads(answer)
        return decoded_ms

    def _running(self) -> socket.socket:
        if self._control is None:
            limits = short_sound_limits()
            control, far = socket.socketpair()
            with far:
                figures = [str(limits.cpu_s), str(limits.address_space_bytes), str(limits.niceness)]
                self._child = subprocess.Popen(
                    [sys.executable, "-I", str(_CHILD), *figures],
                    stdin=far.fileno(),
                    stdout=subprocess.DEVNULL,
                    env=program_environment(),
                    start_new_session=True,
                )
            control.settimeout(limits.wall_s)
            self._control = control
        return self._control

    def _end(self) -> None:
        """The fork that decodes ends with the child."""
        if self._control is not None:
            self._control.close()
        if self._child is not None:
            with suppress(ProcessLookupError):
                self._child.kill()
            self._child.wait()
        self._control = self._child = None
