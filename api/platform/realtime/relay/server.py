"""One relay process: its connections from opening to end, and the events they receive."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence

import structlog

from api.platform.realtime.relay import protocol
from api.platform.realtime.relay.channels import Channels
from api.platform.realtime.relay.connection import CLOSE_S, Connection
from api.platform.realtime.relay.events import Publication
from api.platform.realtime.relay.limits import CLIENT_EVENTS_PER_S, MESSAGES_BURST, MESSAGES_PER_S, Bucket, Limits
from api.platform.realtime.relay.opening import Opening
from api.platform.realtime.relay.peers import Peers
from api.platform.realtime.relay.presence import Presence
from api.platform.realtime.relay.protocol import Event, Incoming, Refusal
from api.platform.realtime.relay.subscriptions import Application, Subscriptions
from cluster.background import end

log = structlog.get_logger(__name__)

SWEEP_S = 1.0


class Relay:
    def __init__(
        self,
        application: Application,
        *,
        origins: frozenset[str] = frozenset(),
        limits: Limits | None = None,
        redis_url: str | None = None,
    ) -> None:
        self.application = application
        self.limits = limits or Limits()
        self.origins = origins
        self.channels = Channels()
        self.peers = Peers(self, redis_url)
        self.presence = Presence(self.channels.publish, self.peers.announce)
        self.subscriptions = Subscriptions(application, self.channels, self.presence)
        self.activity_timeout_s: float = protocol.ACTIVITY_TIMEOUT_S
        self.pong_timeout_s: float = protocol.PONG_TIMEOUT_S
        self.connections: dict[str, Connection] = {}
        self._from_address: Counter[str] = Counter()
        self._is_draining = False
        self._is_empty = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def __len__(self) -> int:
        return len(self.connections)

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._sweep_for_ever()), *self.peers.start()]

    async def stop(self) -> None:
        await self.peers.say_goodbye()
        await end(*self._tasks)

    async def drain(self) -> None:
        """Close every client with the code that lets it reconnect at once, and new ones too from now on."""
        self._is_draining = True
        self._is_empty.clear()
        self.send_away(protocol.GOING_AWAY)
        if self.connections:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self._is_empty.wait()

    def send_away(self, refusal: Refusal) -> None:
        self.channels.send_waiting()
        for connection in tuple(self.connections.values()):
            connection.close(refusal)

    def terminate(self, user_id: str) -> None:
        """End all connections of a user, identified by sign-in or by the signed data of a channel."""
        self.subscriptions.ended.add(user_id, asyncio.get_running_loop().time())
        for connection in tuple(self.connections.values()):
            if connection.user_id == user_id or user_id in connection.members.values():
                connection.close(protocol.TERMINATED)

    def deliver(self, events: Sequence[Publication]) -> None:
        for event in events:
            for channel in event.channels:
                self.channels.publish(channel, event.name, event.data, but=event.but)

    # Called by the transports.

    def open(self, connection: Connection, opening: Opening) -> None:
        """Greet a new connection, or send it the reason for refusal and close it."""
        connection.address = opening.address(connection.address)
        refusal = self._refusal(connection, opening)
        if refusal is not None:
            log.info("relay.refused", address=connection.address, code=int(refusal.code))
            connection.close(refusal)
            return
        connection.socket_id = protocol.new_socket_id(self.connections)
        self.connections[connection.socket_id] = connection
        self._from_address[connection.address] += 1
        connection.tell(protocol.established(connection.socket_id))

    def gone(self, connection: Connection) -> None:
        """The connection has ended, for whatever reason."""
        if self.connections.pop(connection.socket_id, None) is None:
            return
        self.subscriptions.leave_all(connection)
        self._from_address[connection.address] -= 1
        if not self._from_address[connection.address]:
            del self._from_address[connection.address]
        if not self.connections:
            self._is_empty.set()

    def cut(self, connection: Connection) -> None:
        """The connection is being closed because its client does not read."""
        log.info("relay.too_slow", socket_id=connection.socket_id)

    def alive(self, connection: Connection) -> None:
        connection.heard_at = asyncio.get_running_loop().time()
        connection.is_pinged = False

    def admit(self, connection: Connection) -> bool:
        """Count one message or frame of a client. Returns False when it sent too many and closes the connection."""
        self.alive(connection)
        if connection.messages is None:
            connection.messages = Bucket(MESSAGES_PER_S, MESSAGES_BURST, connection.heard_at)
        if connection.messages.take(connection.heard_at):
            return True
        connection.close(protocol.TOO_FAST)
        return False

    def hear(self, connection: Connection, text: str | None) -> None:
        """Handle an admitted message of a client. None stands for one that is not text."""
        message = protocol.parse(text) if text is not None else protocol.BAD_MESSAGE
        refusal = message if isinstance(message, Refusal) else self._do(connection, message)
        if refusal is None:
            return
        if refusal.closes:
            log.info("relay.closed", socket_id=connection.socket_id, code=int(refusal.code))
            connection.close(refusal)
        else:
            connection.tell(protocol.error(refusal))

    def _do(self, connection: Connection, message: Incoming) -> Refusal | None:
        match message.event:
            case Event.PING:
                connection.tell(protocol.frame(Event.PONG))
            case Event.PONG:
                pass
            case Event.SUBSCRIBE:
                return self.subscriptions.subscribe(connection, message)
            case Event.UNSUBSCRIBE:
                self.subscriptions.leave(connection, str(message.data.get("channel", "")))
            case Event.SIGNIN:
                return self.subscriptions.sign_in(connection, message)
            case _ if message.is_client_event:
                return self._client_event(connection, message)
            case _:
                return protocol.BAD_MESSAGE
        return None

    def _client_event(self, connection: Connection, message: Incoming) -> Refusal | None:
        if not self.limits.client_events:
            return protocol.CLIENT_EVENTS_OFF
        if connection.client_events is None:
            connection.client_events = Bucket(CLIENT_EVENTS_PER_S, CLIENT_EVENTS_PER_S, connection.heard_at)
        if not connection.client_events.take(connection.heard_at):
            return protocol.CLIENT_EVENTS_TOO_FAST
        event = self.subscriptions.client_event(connection, message)
        if isinstance(event, Refusal):
            return event
        self.peers.pass_on(event)
        return None

    def _refusal(self, connection: Connection, opening: Opening) -> Refusal | None:
        if opening.key != self.application.key:
            return protocol.UNKNOWN_KEY
        if opening.protocol is None:
            return protocol.NO_PROTOCOL
        if opening.protocol not in protocol.PROTOCOLS:
            return protocol.BAD_PROTOCOL
        if not opening.fits(self.origins):
            return protocol.BAD_ORIGIN
        if self._is_draining:
            return protocol.GOING_AWAY
        limits = self.limits
        if limits.quota and len(self) + self.peers.connections_there() >= limits.quota:
            return protocol.OVER_QUOTA
        if len(self) >= limits.capacity:
            return protocol.OVER_CAPACITY
        if limits.per_address and self._from_address[connection.address] >= limits.per_address:
            return protocol.TOO_MANY_FROM_ADDRESS
        return None

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP_S, self.activity_timeout_s / 4, self.pong_timeout_s / 4))
            self._sweep(asyncio.get_running_loop().time())

    def _sweep(self, now: float) -> None:
        """Check every connection in one pass: 5,000 take a millisecond, less than a timer for each."""
        if self.subscriptions.ended:
            self.subscriptions.ended.forget(min((each.opened_at for each in self.connections.values()), default=now))
        ping = protocol.frame(Event.PING)
        within_s = self.limits.authorize_within_s
        for connection in tuple(self.connections.values()):
            silent_s = now - connection.heard_at
            if connection.is_left(now):
                self.gone(connection)
            elif within_s and not connection.is_authorized and now - connection.opened_at > within_s:
                connection.close(protocol.NOT_AUTHORIZED_IN_TIME)
            elif connection.is_pinged and silent_s > self.activity_timeout_s + self.pong_timeout_s:
                connection.close(protocol.NO_PONG)
            elif not connection.is_pinged and silent_s > self.activity_timeout_s:
                connection.is_pinged = True
                connection.tell(ping)
