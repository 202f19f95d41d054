"""The relay processes as one: an event sent to one reaches all, and a query to one is answered for all."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import structlog

from api.platform.realtime.relay import protocol
from api.platform.realtime.relay.channels import Channels
from api.platform.realtime.relay.events import Overfull, Publication, from_message, to_message
from api.platform.realtime.relay.presence import Presence
from api.platform.realtime.relay.subscriptions import Application
from api.platform.realtime.signing import hmac_hex

if TYPE_CHECKING:
    from api.platform.realtime.relay.link import Link

log = structlog.get_logger(__name__)

BEAT_S = 2.0
DEAD_AFTER_S = 7.0
"""A little over three beats. Then the members of a killed process are removed."""

ANSWER_S = 1.0
GOODBYE_S = 1.0


class OwnRelay(Protocol):
    """What the relay of this process offers the others."""

    application: Application
    channels: Channels
    presence: Presence

    def __len__(self) -> int:
        """Its connections."""
        ...

    def deliver(self, events: Sequence[Publication]) -> None: ...

    def terminate(self, user_id: str) -> None: ...

    def send_away(self, refusal: protocol.Refusal) -> None: ...


class _Peer:
    __slots__ = ("connections", "heard_at")

    def __init__(self) -> None:
        self.connections = 0
        self.heard_at = 0.0


class _Question:
    """Answers of the processes that were alive when the query was sent."""

    def __init__(self, of: set[str]) -> None:
        self.missing = of
        self.answers: list[dict[str, int]] = []
        self.is_answered = asyncio.Event()

    def answer(self, process: str, counts: dict[str, int]) -> None:
        self.answers.append(counts)
        self.missing.discard(process)
        if not self.missing:
            self.is_answered.set()


class Peers:
    """Without Redis there is only this process, and everything below concerns it alone."""

    def __init__(self, relay: OwnRelay, redis_url: str | None) -> None:
        self._relay = relay
        self._peers: dict[str, _Peer] = {}
        self._questions: dict[str, _Question] = {}
        self._link: Link | None = None
        if redis_url is not None:
            # Loading its client takes 0.25 s of the 2.3 s that a web process needs before it answers.
            from api.platform.realtime.relay.link import Link

            self._link = Link(
                redis_url,
                # Keeps two installations on one Redis apart when both have the default application id.
                stream=f"sagascript:relay:{hmac_hex(relay.application.secret, relay.application.app_id)[:16]}",
                process=secrets.token_hex(8),
                receive=self._receive,
                connected=self._introduce,
                missed=self._missed,
            )

    def __len__(self) -> int:
        """The number of other processes."""
        return len(self._peers)

    @property
    def is_up(self) -> bool:
        return self._link is None or self._link.is_up

    def start(self) -> list[asyncio.Task[None]]:
        if self._link is None:
            return []
        return [asyncio.create_task(self._link.run()), asyncio.create_task(self._beat_for_ever())]

    async def say_goodbye(self) -> None:
        if self._link is not None:
            # Accepted after everything before it.
            with contextlib.suppress(TimeoutError, Overfull):
                async with asyncio.timeout(GOODBYE_S):
                    await self._link.send({"kind": "bye"})
            await self._link.close()

    def connections_there(self) -> int:
        return sum(peer.connections for peer in self._peers.values())

    def announce(self, message: dict[str, Any]) -> None:
        if self._link is not None:
            self._link.post(message)

    async def publish(self, events: Sequence[Publication]) -> None:
        """Deliver in the order of the stream, to this process's listeners too."""
        if self._link is None:
            self._relay.deliver(events)
        else:
            await self._link.send({"kind": "events", "events": to_message(events)})

    def pass_on(self, event: Publication) -> None:
        """Publish a client's event to other clients. Nobody waits for it, and none is kept."""
        self._relay.deliver([event])
        self.announce({"kind": "events", "events": to_message([event])})

    async def terminate(self, user_id: str) -> None:
        """End the user's connections everywhere. Raises `Overfull` as `publish` does."""
        if self._link is None:
            self._relay.terminate(user_id)
        else:
            await self._link.send({"kind": "terminate", "user": user_id})

    async def counts(self, *, prefix: str = "", name: str | None = None) -> dict[str, int]:
        """The subscriptions of each channel over all processes, without those that do not answer in time."""
        total = self._counts(prefix, name)
        if self._link is None or not self._link.is_up or not self._peers:
            return total
        question = _Question(set(self._peers))
        number = secrets.token_hex(8)
        self._questions[number] = question
        self.announce({"kind": "ask", "question": number, "prefix": prefix, "name": name})
        try:
            async with asyncio.timeout(ANSWER_S):
                await question.is_answered.wait()
        except TimeoutError:
            log.warning("relay.no_answer", processes=sorted(question.missing))
        finally:
            del self._questions[number]
        for counts in question.answers:
            for channel, count in counts.items():
                total[channel] = total.get(channel, 0) + count
        return total

    def _counts(self, prefix: str, name: str | None) -> dict[str, int]:
        counts = self._relay.channels.counts(prefix if name is None else name)
        return counts if name is None else {name: counts[name]} if name in counts else {}

    def _receive(self, process: str, message: dict[str, Any]) -> None:
        if message["kind"] == "events":
            self._relay.deliver(from_message(message["events"]))
        elif message["kind"] == "terminate":
            self._relay.terminate(message["user"])
        elif self._link is not None and process != self._link.process:
            self._hear(process, message)

    def _hear(self, process: str, message: dict[str, Any]) -> None:
        """Any message from a process shows that it is alive."""
        peer = self._peers.get(process)
        if peer is None:
            peer = self._peers[process] = _Peer()
            log.info("relay.peer_came", process=process)
            self._introduce()
        peer.heard_at = asyncio.get_running_loop().time()
        presence = self._relay.presence
        match message["kind"]:
            case "beat":
                peer.connections = message["connections"]
            case "here":
                peer.connections = message["connections"]
                presence.replace(process, message["presence"])
            case "join":
                presence.joined_there(process, message["channel"], message["user"], message["info"])
            case "leave":
                presence.left_there(process, message["channel"], message["user"])
            case "ask":
                counts = self._counts(message["prefix"], message["name"])
                self.announce({"kind": "answer", "question": message["question"], "counts": counts})
            case "answer" if message["question"] in self._questions:
                self._questions[message["question"]].answer(process, message["counts"])
            case "bye":
                self._forget(process)

    def _introduce(self) -> None:
        """A process that is new to us introduces itself too. Others get what changed while Redis was unreachable."""
        now = asyncio.get_running_loop().time()
        for peer in self._peers.values():
            peer.heard_at = now
        self.announce(
            {
                "kind": "here",
                "connections": len(self._relay),
                "presence": self._relay.presence.snapshot(),
            }
        )

    def _missed(self) -> None:
        """Clients fetch the current state when they connect, which recovers lost events."""
        self._relay.send_away(protocol.EVENTS_MISSED)

    def _forget(self, process: str) -> None:
        self._peers.pop(process, None)
        self._relay.presence.forget(process)

    async def _beat_for_ever(self) -> None:
        while True:
            self.announce({"kind": "beat", "connections": len(self._relay)})
            await asyncio.sleep(BEAT_S)
            # While Redis is unreachable we hear from no process, which does not mean that they are dead.
            if self._link is None or not self._link.is_up:
                continue
            now = asyncio.get_running_loop().time()
            for process in [name for name, peer in self._peers.items() if now - peer.heard_at > DEAD_AFTER_S]:
                log.warning("relay.peer_died", process=process)
                self._forget(process)
