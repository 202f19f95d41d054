"""What can go wrong with a download, by what to do about it."""

from __future__ import annotations


class HubAway(Exception):
    """The hub or the network does not work now; trying again later may help. The text is a clause.

    `retry_after_s` is the wait that the server names.
    """

    def __init__(self, clause: str, retry_after_s: float | None = None) -> None:
        super().__init__(clause)
        self.retry_after_s = retry_after_s


class HubRefused(Exception):
    """The hub will not give this model, or we must not use it. The text is a sentence that says what to do."""


class Damaged(Exception):
    """A file arrived whole with a wrong checksum. The text is a clause that names it."""


class NoRoom(Exception):
    """The disk has no room for the model. The text is a sentence that says how much is needed and where."""


class Stopped(Exception):
    """The process is being stopped. What has arrived stays for the next start."""
