"""The link between relay processes: one Redis stream that all of them write and read.

A stream rather than pub/sub: a process that was cut off resumes where it stopped, and all see the same order. Each
process numbers its messages, so one that is written twice after a broken connection counts once.

While Redis is unreachable, a process serves its own listeners at once and keeps the messages for the others.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from api.platform.realtime.relay.events import Overfull

log = structlog.get_logger(__name__)

KEPT_BYTES = 8 * 1024 * 1024
"""The most that waits for Redis. Beyond it publishers must retry and keep their events themselves."""

STREAM_LENGTH = 10_000
"""How far back a process that was cut off can resume: 20 s at 500 events a second."""

RECENT_MAX = 200
"""Messages that Redis has accepted are kept in case it dies before everyone has read them."""

ANSWER_S = 2.0
"""Redis answers in under a millisecond. One that hangs for longer than this counts as unreachable."""

BLOCK_MS = 1_000
RETRY_S = 0.5
WRITE_AT_ONCE = 200

Received = Callable[[str, dict[str, Any]], None]


class _Entry:
    __slots__ = ("accepted", "body", "is_delivered", "message", "number")

    def __init__(self, number: int, message: dict[str, Any], *, is_delivered: bool) -> None:
        self.number = number
        self.message = message
        self.body = json.dumps(message, separators=(",", ":"))
        self.is_delivered = is_delivered
        self.accepted: asyncio.Future[None] | None = None


class Link:
    def __init__(
        self,
        url: str,
        *,
        stream: str,
        process: str,
        receive: Received,
        connected: Callable[[], None],
        missed: Callable[[], None],
    ) -> None:
        """`receive(process, message)` gets the messages of all processes, this one included, in one order.

        We call `connected()` whenever the link is up again, and `missed()` when we lost messages of others.
        """
        self.process = process
        self.is_up = False
        self._client: Redis = Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=ANSWER_S,
            socket_connect_timeout=ANSWER_S,
            retry=Retry(NoBackoff(), 0),
            single_connection_client=False,
        )
        self._stream = stream
        self._receive = receive
        self._connected = connected
        self._missed = missed
        self._last_id: str | None = None
        self._numbers: dict[str, int] = {}
        self._written = 0
        self._queue: deque[_Entry] = deque()
        self._recent: deque[_Entry] = deque(maxlen=RECENT_MAX)
        self._unsent = 0
        """How many messages at the queue's end were not sent to Redis over the current connection."""
        self._queued_bytes = 0
        self._something_waits = asyncio.Event()

    def post(self, message: dict[str, Any]) -> None:
        """Send to the others soon. Keeps nothing while Redis is unreachable: `connected` then sends the full state."""
        if self.is_up:
            self._append(message, is_delivered=True)

    async def send(self, message: dict[str, Any]) -> None:
        """Return once Redis has the message or it is queued for Redis. Raises `Overfull` when the queue is full."""
        if self._queued_bytes > KEPT_BYTES:
            raise Overfull
        entry = self._append(message, is_delivered=not self.is_up)
        if not self.is_up:
            self._receive(self.process, message)
            return
        entry.accepted = asyncio.get_running_loop().create_future()
        await entry.accepted

    async def run(self) -> None:
        """Run forever: connect, and reconnect when the connection breaks."""
        while True:
            try:
                await self._find_place()
                await self._talk()
            except* (RedisError, OSError) as errors:
                if self.is_up:
                    log.warning("relay.redis_away", error=str(errors.exceptions[0]))
            finally:
                self._note_loss()
            await asyncio.sleep(RETRY_S)

    async def close(self) -> None:
        await self._client.aclose()

    def _append(self, message: dict[str, Any], *, is_delivered: bool) -> _Entry:
        self._written += 1
        entry = _Entry(self._written, message, is_delivered=is_delivered)
        self._queue.append(entry)
        self._unsent += 1
        self._queued_bytes += len(entry.body)
        self._something_waits.set()
        return entry

    async def _find_place(self) -> None:
        """Where to resume: after the last message read, or at the start when Redis came back with fewer messages."""
        try:
            newest = str((await self._client.xinfo_stream(self._stream))["last-generated-id"])
        except ResponseError:
            newest = "0-0"
        if self._last_id is None:
            self._last_id = newest
        elif _position(newest) < _position(self._last_id):
            self._last_id = "0-0"
            self._queue.extendleft(reversed(self._recent))
            self._queued_bytes += sum(len(entry.body) for entry in self._recent)
            self._recent.clear()

    async def _talk(self) -> None:
        self._unsent = len(self._queue)
        self._something_waits.set()
        async with asyncio.TaskGroup() as both:
            both.create_task(self._read())
            both.create_task(self._write())
            self.is_up = True
            log.info("relay.redis_there", waiting=len(self._queue))
            self._connected()

    async def _write(self) -> None:
        while True:
            await self._something_waits.wait()
            self._something_waits.clear()
            while self._unsent:
                start = len(self._queue) - self._unsent
                batch = [self._queue[index] for index in range(start, min(start + WRITE_AT_ONCE, len(self._queue)))]
                # Set before the answer: while we wait, the reader may see the first of them and shorten the queue.
                self._unsent -= len(batch)
                async with self._client.pipeline(transaction=False) as pipeline:
                    for entry in batch:
                        fields: dict[Any, Any] = {"process": self.process, "number": entry.number, "body": entry.body}
                        pipeline.xadd(self._stream, fields, maxlen=STREAM_LENGTH, approximate=True)
                    await pipeline.execute()
                for entry in batch:
                    _accept(entry)

    async def _read(self) -> None:
        while True:
            answer: Any = await self._client.xread({self._stream: self._last_id or "0-0"}, count=500, block=BLOCK_MS)
            for _, entries in answer.items() if isinstance(answer, dict) else answer or ():
                for entry_id, fields in entries:
                    self._last_id = entry_id
                    self._take_from(fields["process"], int(fields["number"]), fields["body"])

    def _take_from(self, process: str, number: int, body: str) -> None:
        if process == self.process:
            self._take_own(number)
            return
        last = self._numbers.get(process)
        if last is not None and number <= last:
            return
        self._numbers[process] = number
        if last is not None and number > last + 1:
            log.warning("relay.events_missed", process=process, count=number - last - 1)
            self._missed()
        self._receive(process, json.loads(body))

    def _take_own(self, number: int) -> None:
        while self._queue and self._queue[0].number <= number:
            entry = self._queue.popleft()
            self._unsent = min(self._unsent, len(self._queue))
            self._queued_bytes -= len(entry.body)
            self._deliver(entry)
            self._recent.append(entry)

    def _note_loss(self) -> None:
        """Redis is unreachable. It may or may not have the last messages. Sent again, they count once."""
        self.is_up = False
        self._unsent = len(self._queue)
        for entry in self._queue:
            self._deliver(entry)

    def _deliver(self, entry: _Entry) -> None:
        _accept(entry)
        if not entry.is_delivered:
            entry.is_delivered = True
            self._receive(self.process, entry.message)


def _accept(entry: _Entry) -> None:
    if entry.accepted is not None and not entry.accepted.done():
        entry.accepted.set_result(None)


def _position(entry_id: str) -> tuple[int, int]:
    milliseconds, _, count = entry_id.partition("-")
    return int(milliseconds), int(count or 0)
