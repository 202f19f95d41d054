"""The members of presence channels: the users of this process and, as far as they reported, of all others.

A user with several connections is one member. Each process notifies its own listeners when its view changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api.platform.realtime.relay.protocol import Event

Users = dict[str, Any]
"""User id -> the application's data on the user."""


@dataclass(slots=True)
class _Member:
    info: Any
    connections: int


class Presence:
    def __init__(self, publish: Callable[[str, str, str], object], announce: Callable[[dict[str, Any]], None]) -> None:
        """`publish(channel, event, data)` reaches this process's listeners, `announce` the other processes."""
        self._publish = publish
        self._announce = announce
        self._here: dict[str, dict[str, _Member]] = {}
        self._there: dict[str, dict[str, Users]] = {}

    def members(self, channel: str) -> Users:
        users: Users = {}
        for channels in self._there.values():
            users.update(channels.get(channel, {}))
        users.update({user: member.info for user, member in self._here.get(channel, {}).items()})
        return users

    def join(self, channel: str, user: str, info: Any) -> None:
        """Add a connection of this process for the user."""
        here = self._here.setdefault(channel, {})
        if user in here:
            here[user].connections += 1
            return
        if not self._is_there(channel, user):
            self._tell_added(channel, user, info)
        here[user] = _Member(info, 1)
        self._announce({"kind": "join", "channel": channel, "user": user, "info": info})

    def leave(self, channel: str, user: str) -> None:
        here = self._here.get(channel, {})
        member = here.get(user)
        if member is None:
            return
        member.connections -= 1
        if member.connections:
            return
        del here[user]
        if not here:
            del self._here[channel]
        self._announce({"kind": "leave", "channel": channel, "user": user})
        if not self._is_there(channel, user):
            self._tell_removed(channel, user)

    def snapshot(self) -> dict[str, Users]:
        """The argument for `replace` in other processes: channel -> users of this process."""
        return {channel: {user: member.info for user, member in users.items()} for channel, users in self._here.items()}

    def joined_there(self, process: str, channel: str, user: str, info: Any) -> None:
        is_new = user not in self._here.get(channel, {}) and not self._is_there(channel, user)
        self._there.setdefault(process, {}).setdefault(channel, {})[user] = info
        if is_new:
            self._tell_added(channel, user, info)

    def left_there(self, process: str, channel: str, user: str) -> None:
        users = self._there.get(process, {}).get(channel, {})
        if user not in users:
            return
        del users[user]
        if user not in self._here.get(channel, {}) and not self._is_there(channel, user):
            self._tell_removed(channel, user)

    def replace(self, process: str, channels: dict[str, Users]) -> None:
        """Set the full state of another process. Members it does not name are gone."""
        for channel, users in list(self._there.get(process, {}).items()):
            for user in [user for user in users if user not in channels.get(channel, {})]:
                self.left_there(process, channel, user)
        for channel, users in channels.items():
            for user, info in users.items():
                self.joined_there(process, channel, user, info)

    def forget(self, process: str) -> None:
        """Remove a process that is gone, with its connections."""
        self.replace(process, {})
        self._there.pop(process, None)

    def _is_there(self, channel: str, user: str) -> bool:
        return any(user in channels.get(channel, ()) for channels in self._there.values())

    def _tell_added(self, channel: str, user: str, info: Any) -> None:
        self._publish(channel, Event.MEMBER_ADDED, _json({"user_id": user, "user_info": info}))

    def _tell_removed(self, channel: str, user: str) -> None:
        self._publish(channel, Event.MEMBER_REMOVED, _json({"user_id": user}))


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
