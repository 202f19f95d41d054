"""Which frames are sent together, and in what order."""

from __future__ import annotations

import asyncio
import json

from api.platform.realtime.relay.channels import WAITING_CHARACTERS, Channels
from api.platform.realtime.relay.connection import Connection
from api.platform.realtime.relay.events import Frames, websocket_frame
from api.platform.realtime.relay.protocol import Refusal
from cluster.testing.patience import PATIENCE_S


class Recorder(Connection):
    """Records each write as the data of its events."""

    def __init__(self, socket_id: str) -> None:
        super().__init__("")
        self.socket_id = socket_id
        self.writes: list[list[str]] = []

    def send(self, frames: Frames) -> None:
        assert frames.wire == b"".join(map(websocket_frame, frames.texts)), "each frame is whole"
        self.writes.append([json.loads(text)["data"] for text in frames.texts])

    def close(self, refusal: Refusal) -> None:
        raise AssertionError(refusal)

    @property
    def is_closing(self) -> bool:
        return False


async def turn() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def written(listener: Recorder, count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(listener.writes) < count:
            await asyncio.sleep(0.001)


async def test_a_burst_is_one_immediate_write_and_the_rest_of_the_tick_another() -> None:
    channels, listener = Channels(tick_s=1.0), Recorder("1.1")
    channels.join("news", listener)
    for number in range(10):
        channels.publish("news", "e", str(number))
    assert listener.writes == []
    await turn()
    assert listener.writes == [[str(number) for number in range(10)]], "after a pause nothing waits for a tick"
    for number in range(10, 15):
        channels.publish("news", "e", str(number))
        await turn()
    assert len(listener.writes) == 1
    await written(listener, 2)
    assert listener.writes[1:] == [[str(number) for number in range(10, 15)]]


async def test_a_listener_gets_only_events_between_joining_and_leaving() -> None:
    channels, early, late = Channels(), Recorder("1.1"), Recorder("1.2")
    channels.join("news", early)
    channels.publish("news", "e", "0")
    channels.join("news", late)
    channels.publish("news", "e", "1")
    channels.leave("news", early)
    channels.publish("news", "e", "2")
    await written(late, 2)
    assert early.writes == [["0"], ["1"]]
    assert late.writes == [["1"], ["2"]]


async def test_an_event_not_for_its_sender_keeps_its_place() -> None:
    channels, sender, other = Channels(), Recorder("1.1"), Recorder("1.2")
    for each in (sender, other):
        channels.join("news", each)
    channels.publish("news", "e", "0")
    channels.publish("news", "e", "1", but="1.1")
    channels.publish("news", "e", "2")
    await written(sender, 2)
    assert [data for write in sender.writes for data in write] == ["0", "2"]
    assert [data for write in other.writes for data in write] == ["0", "1", "2"]


async def test_large_amounts_do_not_wait_for_the_tick() -> None:
    channels, listener = Channels(), Recorder("1.1")
    channels.join("news", listener)
    for _ in range(3):
        channels.publish("news", "e", "x" * (WAITING_CHARACTERS // 2))
    assert len(listener.writes) == 1
