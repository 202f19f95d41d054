"""A program with OpenAI's client at `/v1/realtime`, and what its recording holds."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from openai import AsyncOpenAI
from openai.resources.realtime.realtime import AsyncRealtimeConnection
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter
from sqlalchemy import select

from api.content.files.models import File
from api.content.live.models import LiveSession, LiveState
from api.testing.files.live import LiveFlow
from api.testing.realtime.clients import Web
from api.testing.speech import make_key
from cluster.testing.patience import PATIENCE_S
from pipelines.media.sound.journal import Journal, journal_of

KNOWN_EVENTS: TypeAdapter[Any] = TypeAdapter(RealtimeServerEvent)
SECOND = b"\7\0" * 24_240
"""And a little more: the resampler holds some back."""
ENGLISH = {"type": "transcription", "audio": {"input": {"transcription": {"language": "en"}}}}
BY_HAND = {
    "type": "transcription",
    "audio": {"input": {"transcription": {"language": "en"}, "turn_detection": None}},
}


class Program:
    """A program with OpenAI's client. It notes every event that it reads."""

    def __init__(self, connection: AsyncRealtimeConnection) -> None:
        self.connection = connection
        self.events: list[Any] = []

    async def until(self, kind: str) -> Any:
        """The next event of this kind. Every event on the way must be one of OpenAI's own types."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                event = await self.connection.recv()
                KNOWN_EVENTS.validate_python(event.model_dump(), strict=False)
                self.events.append(event)
                if event.type == kind:
                    return event
                assert event.type != "error", event

    async def configure(self, session: Any = ENGLISH) -> Any:
        await self.connection.session.update(session=session)
        return (await self.until("session.updated")).session

    async def say(self, pcm: bytes) -> None:
        await self.connection.input_audio_buffer.append(audio=base64.b64encode(pcm).decode())

    def kinds(self) -> list[str]:
        return [event.type.rpartition(".")[2] for event in self.events]


@pytest.fixture
async def key(web: Web) -> AsyncIterator[str]:
    async with web.browser() as ada:
        await ada.register("ada")
        yield await make_key(ada)


@asynccontextmanager
async def program(web: Web, key: str, **query: Any) -> AsyncIterator[Program]:
    async with (
        AsyncOpenAI(api_key=key, base_url=f"{web.url}/v1") as client,
        client.realtime.connect(model="whisper-1", extra_query=query) as connection,
    ):
        opened = Program(connection)
        await opened.until("session.created")
        yield opened


async def recording(web: Web, pieces: int = 0) -> tuple[File, LiveSession]:
    """Once it is there, with so many pieces."""
    statement = select(File, LiveSession).join(LiveSession, LiveSession.file_id == File.id)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with web.state.database.read() as session:
                found = (await session.execute(statement)).tuples().one_or_none()
            if found is not None and found[1].pieces >= pieces:
                return found
            await asyncio.sleep(0.02)


async def kept(web: Web, pieces: int) -> bytes:
    """The sound of the journal, once so many pieces are there."""
    file, live = await recording(web, pieces)
    journal = Journal(web.state.storage, journal_of(file.id), lambda: 0.0)
    return b"".join(piece for _ in range(live.pieces) if (piece := journal.next()))


async def ended(web: Web) -> LiveSession:
    async with asyncio.timeout(PATIENCE_S):
        while (await recording(web))[1].state != LiveState.ENDED:
            await asyncio.sleep(0.02)
    return (await recording(web))[1]


async def begun(web: Web, opened: Program, slug: str = "") -> LiveFlow:
    """Some sound, and the flow that follows it."""
    await opened.say(SECOND)
    await kept(web, 2)
    return await LiveFlow.begin(web.state, slug or (await recording(web))[0].slug)
