"""Errors of a download, by what to do about them."""

from __future__ import annotations


class HubAway(Exception):
    """The hub or the network does not work now; a later retry may help. The text is a clause.

    `retry_after_s` is the wait that the server demands.
    """

    def __init__(self, clause: str, retry_after_s: float | None = None) -> None:
        super().__init__(clause)
        self.retry_after_s = retry_after_s


class HubRefused(Exception):
    """The hub will not give this model, or we must not use it. The text is a sentence that says what to do."""


class Damaged(Exception):
    """A complete file has a wrong checksum. The text is a clause that names it."""


class NoRoom(Exception):
    """The disk has no room for the model. The text is a sentence that says how much is needed and where."""


class Stopped(Exception):
    """The process is being stopped. Arrived data stays for the next start."""
