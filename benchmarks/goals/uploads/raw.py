"""The least a server can do with a body: read it from its socket into memory, write that to a file.

    python -m benchmarks.goals.uploads.raw PORT FOLDER

Each connection sends its length in 8 bytes, then that many bytes, and gets one byte back once they are written.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path

BUFFER_BYTES = 2 * 1024 * 1024
"""The best size: the loop receives 1.7 GB/s with 256 KiB and 2.4 with 2 MiB. More gains nothing."""
LENGTH = struct.Struct(">Q")


def serve(port: int, folder: Path) -> None:
    buffer = memoryview(bytearray(BUFFER_BYTES))
    with socket.create_server(("127.0.0.1", port)) as server:
        while True:
            connection, _ = server.accept()
            with connection:
                _receive(connection, folder / "raw", buffer)


def _receive(connection: socket.socket, path: Path, buffer: memoryview) -> None:
    head = connection.recv(LENGTH.size, socket.MSG_WAITALL)
    if len(head) < LENGTH.size:
        return
    (left,) = LENGTH.unpack(head)
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        while left:
            count = connection.recv_into(buffer, min(left, BUFFER_BYTES))
            if not count:
                return
            os.write(target, buffer[:count])
            left -= count
    finally:
        os.close(target)
    connection.sendall(b"\n")


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
