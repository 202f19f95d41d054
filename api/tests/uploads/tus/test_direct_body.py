"""What a body that is read from its connection leaves for the next request."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from api.uploads.tus.direct_body import DirectBody

LENGTH = 10


class Connection:
    """One of which four bytes were read by the web server already."""

    def __init__(self, ours: socket.socket) -> None:
        self._ours = ours
        self.unread: int | None = None

    def take_over(self) -> tuple[bytes, socket.socket]:
        return b"0123", self._ours.dup()

    def give_back(self, unread: int, *, is_cut: bool) -> None:
        self.unread = unread


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.mark.parametrize(
    ("sent", "is_drained", "taken", "unread"),
    [
        (b"", False, b"", 6),
        (b"", True, b"0123", 6),
        (b"45", True, b"012345", 4),
        (b"456789GET /", True, b"0123456789", 0),
    ],
)
async def test_exactly_what_is_still_to_come_is_nobodys(
    ends: tuple[socket.socket, socket.socket], sent: bytes, is_drained: bool, taken: bytes, unread: int
) -> None:
    ours, theirs = ends
    theirs.sendall(sent)
    connection, found = Connection(ours), bytearray()
    body = DirectBody(connection, LENGTH)
    body.begin()
    if is_drained:
        body.drain(lambda parts: found.extend(b"".join(parts)))
    body.end()
    assert (bytes(found), connection.unread) == (taken, unread)
