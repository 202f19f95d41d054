"""Errors of the tus protocol: a status, a sentence and the headers that go with it."""

from __future__ import annotations

from collections.abc import Mapping

from cluster.sizes import size_in_words
from cluster.wording.message import Message

BYTES_LOST = Message("uploads.bytes_lost", "The server lost the bytes of this upload. Please upload the file again.")


class TusError(Exception):
    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


def not_found() -> TusError:
    return TusError(404, Message("uploads.not_found", "There is no such upload. It may belong to somebody else."))


def gone() -> TusError:
    return TusError(
        410,
        Message("uploads.gone", "This upload was cancelled or has expired. Start it again."),
    )


def bytes_lost() -> TusError:
    return TusError(410, BYTES_LOST)


def interrupted() -> TusError:
    # Clients retry 409 and 423. Two clients that retry would take the upload from each other forever.
    return TusError(
        400,
        Message(
            "uploads.taken_over",
            "Another connection has taken over this upload. What arrived before is kept.",
        ),
    )


def locked() -> TusError:
    return TusError(
        423,
        Message(
            "uploads.sent_elsewhere",
            "Another connection is sending this upload. Wait a moment and try again.",
        ),
    )


def too_large(limit: int) -> TusError:
    return TusError(
        413,
        Message(
            "uploads.larger_than_fit_here", "This is larger than the {limit} that fit here.", limit=size_in_words(limit)
        ),
    )


def wrong_offset(offset: int) -> TusError:
    return TusError(
        409,
        Message(
            "uploads.wrong_offset",
            "The upload continues at byte {offset}. Ask where it stands and send on from there.",
            offset=offset,
        ),
    )


def disk_full() -> TusError:
    return TusError(
        507,
        Message(
            "uploads.disk_full",
            "There is no room left on the server for this upload. What arrived is kept; try again later.",
        ),
    )


def no_room() -> TusError:
    """Before the first byte."""
    return TusError(
        507,
        Message(
            "uploads.no_room_to_begin",
            "There is no room on the server for this upload, so nothing was sent. Try again later.",
        ),
    )


class DiskFull(Exception):
    """The disk accepts no more bytes. Everything written before is intact."""
