"""Run as a script by `short_sound.py`: decodes one short sound after the other, each in a fork of this process.

    python short_sound_child.py CPU_S ADDRESS_SPACE_BYTES NICENESS, with a socket as standard input

An order is a line of JSON: the path of the file, the WAV to write, the longest sound in milliseconds. The answer is one
too: the milliseconds decoded, or null where the usual way must look at the file.

Every file gets a process of its own, because a demuxer or a decoder that meets a hostile file may crash, loop, eat
memory or be taken over. This process loads the libraries for all of them and never opens a file: a fork costs 3 ms of
processor time, a start of Python with libav 110 ms, a start of ffmpeg 70 ms.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_IDLE_MS = 120_000
"""We end when nobody sends an order for so long. The next one starts us again."""
_ORDER_BYTES = 64 * 1024


def main(cpu_s: int, address_space_bytes: int, niceness: int) -> None:
    # Our package, from where this file lies: the interpreter is isolated from the environment.
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from pipelines.media.sound.short_sound_decoding import decode

    control = socket.socket(fileno=0)
    for order in _orders(control):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                control.close()
                os.close(reader)
                _limit(cpu_s, address_space_bytes, niceness)
                _answer(decode, order, writer)
            finally:
                os._exit(1)
        os.close(writer)
        control.sendall((_wait(control, reader, child).decode() or "null").encode() + b"\n")


def _orders(control: socket.socket) -> Iterator[dict[str, Any]]:
    ready = select.poll()
    ready.register(control, select.POLLIN)
    pending = b""
    while ready.poll(_IDLE_MS):
        block = control.recv(_ORDER_BYTES)
        if not block:
            return
        pending += block
        if pending.endswith(b"\n"):
            yield json.loads(pending)
            pending = b""


def _limit(cpu_s: int, address_space_bytes: int, niceness: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for kind, most in (
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_AS, address_space_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        _, highest = resource.getrlimit(kind)
        limit = most if highest == resource.RLIM_INFINITY else min(most, highest)
        resource.setrlimit(kind, (limit, limit))
    with contextlib.suppress(OSError):
        os.nice(niceness)


def _answer(decode: Callable[[Path, Path, int], int | None], order: dict[str, Any], writer: int) -> None:
    decoded_ms = decode(Path(order["path"]), Path(order["wav"]), order["longest_ms"])
    os.write(writer, json.dumps(decoded_ms).encode())


def _wait(control: socket.socket, reader: int, child: int) -> bytes:
    """What the fork answers; empty when it dies. Ends it, and us, when nobody waits for it any more."""
    ready = select.poll()
    ready.register(control, select.POLLIN)
    ready.register(reader, select.POLLIN)
    if any(descriptor == control.fileno() for descriptor, _ in ready.poll()):
        os.kill(child, signal.SIGKILL)
        sys.exit(0)
    answer = os.read(reader, _ORDER_BYTES)
    os.close(reader)
    os.waitpid(child, 0)
    return answer


if __name__ == "__main__":
    main(*(int(value) for value in sys.argv[1:4]))
