"""Users whose connections were ended, as long as a connection from before could still use an older signature."""

from __future__ import annotations


class EndedUsers:
    """A signature names a socket, not a time: one that was made just before its user was ended would still fit."""

    def __init__(self) -> None:
        self._ended_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._ended_at)

    def add(self, user: str, now: float) -> None:
        self._ended_at[user] = now

    def since(self, opened_at: float, user: str) -> bool:
        """Whether the user was ended after a connection opened."""
        return self._ended_at.get(user, -1.0) >= opened_at

    def forget(self, oldest_opened_at: float) -> None:
        """Drop users that no connection is older than."""
        self._ended_at = {user: at for user, at in self._ended_at.items() if at >= oldest_opened_at}
