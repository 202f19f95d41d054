"""`/v1/realtime` by OpenAI's own client: sound becomes a live recording, whose words come as events."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from openai import AsyncOpenAI
from openai.resources.realtime.realtime import AsyncRealtimeConnection
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter
from sqlalchemy import select
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from api.content.files.models import File
from api.content.live.models import LiveSession, LiveState
from api.edges.speech.realtime import sessions
from api.testing.files.live import LiveFlow, passage_chunk, words_chunk
from api.testing.realtime.clients import Web, web
from api.testing.speech import make_key
from cluster.testing.patience import PATIENCE_S
from pipelines.media.sound.journal import Journal, journal_of
from pipelines.messages.attempt import Chunk
from pipelines.messages.live import passage_key
from pipelines.messages.results import TranscribedWindow

__all__ = ["web"]

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


def silence_chunk(index: int, start_ms: int, end_ms: int) -> Chunk:
    window = TranscribedWindow(
        index=index, start_ms=start_ms, end_ms=end_ms, language=None, language_probability=1.0, segments=()
    )
    return Chunk(passage_key(index), window)


async def test_words_come_while_somebody_speaks_and_each_utterance_is_an_item(web: Web, key: str) -> None:
    async with program(web, key, name="Board meeting") as opened:
        session = await opened.configure()
        assert session.audio.input.transcription.language == "en"
        assert session.audio.input.turn_detection.silence_duration_ms == 500
        flow = await begun(web, opened)
        await flow.hand_over(words_chunk(0, "good morning"))
        started = await opened.until("input_audio_buffer.speech_started")
        delta = await opened.until("conversation.item.input_audio_transcription.delta")
        assert (delta.item_id, delta.delta) == (started.item_id, "good morning")
        await flow.hand_over(words_chunk(1, "everybody"))
        assert (await opened.until("conversation.item.input_audio_transcription.delta")).delta == " everybody"
        await flow.hand_over(passage_chunk(0, "Good morning, everybody."))
        stopped = await opened.until("input_audio_buffer.speech_stopped")
        assert stopped.audio_end_ms == passage_chunk(0, "Good morning, everybody.").payload.end_ms  # type: ignore[attr-defined]
        completed = await opened.until("conversation.item.input_audio_transcription.completed")
        assert (completed.item_id, completed.transcript) == (started.item_id, "Good morning, everybody.")
        assert completed.usage.seconds == 2
        await opened.until("conversation.item.done")
        await flow.hand_over(passage_chunk(1, "Let us begin.", 20_000))
        second = await opened.until("input_audio_buffer.committed")
        assert second.previous_item_id == started.item_id
        await opened.until("conversation.item.done")
    assert (await ended(web)).pieces == 3
    file, _ = await recording(web)
    assert (file.name, file.language) == ("Board meeting", "en-US")


async def test_sound_is_kept_at_our_rate_however_it_is_cut(web: Web, key: str) -> None:
    ramp = b"".join(int(8_000 * ((at % 240) / 120 - 1)).to_bytes(2, "little", signed=True) for at in range(36_000))
    async with program(web, key) as opened:
        await opened.configure()
        for at in range(0, len(ramp), 4_801):
            await opened.say(ramp[at : at + 4_801])
        await kept(web, 2)
    live = await ended(web)
    sound = await kept(web, live.pieces)
    assert live.pieces == 3, "one and a half seconds"
    assert len(sound) == 3 * 16_000
    middle = [int.from_bytes(sound[at : at + 2], "little", signed=True) for at in range(8_000, 8_320, 2)]
    expected = [8_000 * ((at * 1.5 % 240) / 120 - 1) for at in range(4_000, 4_160)]
    wrong = [abs(one - other) for one, other in zip(middle, expected, strict=True)]
    assert sorted(wrong)[len(wrong) * 8 // 10] < 100, "the same wave, but for its edges"


async def test_a_program_commits_its_items_itself(web: Web, key: str) -> None:
    async with program(web, key) as opened:
        assert (await opened.configure(BY_HAND)).audio.input.turn_detection is None
        flow = await begun(web, opened)
        await opened.connection.input_audio_buffer.commit()
        first = await opened.until("input_audio_buffer.committed")
        await kept(web, 5)
        await flow.hand_over(words_chunk(0, "yes"))
        await flow.hand_over(passage_chunk(0, "Yes."))
        delta = await opened.until("conversation.item.input_audio_transcription.delta")
        assert delta.item_id == first.item_id
        await flow.hand_over(silence_chunk(1, 300, 2_000))
        completed = await opened.until("conversation.item.input_audio_transcription.completed")
        assert (completed.item_id, completed.transcript) == (first.item_id, "Yes.")
        await opened.say(SECOND)
        await opened.connection.input_audio_buffer.commit()
        second = await opened.until("input_audio_buffer.committed")
        assert second.previous_item_id == first.item_id
        await flow.hand_over(silence_chunk(2, 2_000, 4_500))
        nothing = await opened.until("conversation.item.input_audio_transcription.completed")
        assert (nothing.item_id, nothing.transcript) == (second.item_id, ""), "silence has no words, and says so"
        assert "speech_started" not in opened.kinds()


async def test_a_program_that_was_cut_off_goes_on_where_its_sound_is_kept(
    web: Web, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    endings: asyncio.Queue[Any] = asyncio.Queue()
    monkeypatch.setattr(sessions.RealtimeSessions, "end_later", lambda _self, ending: endings.put_nowait(ending))
    headers = {"Authorization": f"Bearer {key}"}
    url = f"ws://127.0.0.1:{web.settings.port}/v1/realtime"
    async with connect(url, additional_headers=headers) as cut:
        await cut.send(json.dumps({"type": "session.update", "session": ENGLISH}))
        await cut.send(
            json.dumps({"type": "input_audio_buffer.append", "audio": base64.b64encode(SECOND[:-4_000]).decode()})
        )
        await kept(web, 1)
        session_id = json.loads(await cut.recv())["session"]["id"]
        cut.transport.abort()
    slug = (await recording(web))[0].slug
    flow = await LiveFlow.begin(web.state, slug)
    await flow.hand_over(passage_chunk(0, "Before the cut."))
    async with program(web, key, session=session_id, after_ms=0) as opened:
        resumed = opened.events[0].session
        assert (resumed.id, resumed.kept_ms, resumed.recording) == (session_id, 500, slug)
        await opened.configure()
        completed = await opened.until("conversation.item.input_audio_transcription.completed")
        assert completed.transcript == "Before the cut.", "it comes again, for who may have missed it"
        await opened.say(SECOND[24_000:])
        await kept(web, 2)
        # The minute is over in which it could come back, and it has.
        await (await asyncio.wait_for(endings.get(), PATIENCE_S))
        assert (await recording(web))[1].state == LiveState.OPEN
    assert (await ended(web)).pieces == 3


async def test_a_recording_ends_when_its_program_does_not_come_back(
    web: Web, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "RESUME_WITHIN_S", 0.0)
    headers = {"Authorization": f"Bearer {key}"}
    async with connect(f"ws://127.0.0.1:{web.settings.port}/v1/realtime", additional_headers=headers) as cut:
        await cut.send(json.dumps({"type": "session.update", "session": ENGLISH}))
        await cut.send(
            json.dumps({"type": "input_audio_buffer.append", "audio": base64.b64encode(SECOND[:-4_000]).decode()})
        )
        await kept(web, 1)
        cut.transport.abort()
    assert (await ended(web)).pieces == 2, "with what was no whole piece yet"


async def test_the_last_words_come_before_the_end_that_an_administrator_makes(web: Web, key: str) -> None:
    async with program(web, key) as opened:
        await opened.configure()
        flow = await begun(web, opened)
        await flow.hand_over(words_chunk(0, "good bye"))
        async with web.state.database.write() as session:
            live = (await session.scalars(select(LiveSession))).one()
            live.state, live.ends_why = LiveState.ENDED, "An administrator has ended this."
        await flow.hand_over(passage_chunk(0, "Good bye."))
        assert (await opened.until("conversation.item.input_audio_transcription.completed")).transcript == "Good bye."
        await flow.finish()
        async with asyncio.timeout(PATIENCE_S):
            while (event := await opened.connection.recv()).type != "error":
                pass
        assert event.error.message == "An administrator has ended this."


@pytest.mark.parametrize(
    ("sent", "param", "sentence"),
    [
        ("nonsense", None, "text message with JSON"),
        (b"\0\1", None, "text message with JSON"),
        ({"type": "response.create"}, "type", "no event `response.create`"),
        ({"type": "session.update", "session": {"type": "realtime"}}, "session.type", "type: transcription"),
        (
            {"type": "session.update", "session": {"audio": {"input": {"format": {"type": "audio/pcmu"}}}}},
            "session.audio.input.format.type",
            "24000",
        ),
        (
            {"type": "session.update", "session": {"audio": {"input": {"noise_reduction": {"type": "near_field"}}}}},
            "session.audio.input.noise_reduction",
            "Noise is not reduced",
        ),
        (
            {"type": "session.update", "session": {"audio": {"input": {"turn_detection": {"type": "semantic_vad"}}}}},
            "session.audio.input.turn_detection.type",
            "server_vad",
        ),
        (
            {"type": "session.update", "session": {"audio": {"input": {"transcription": {"model": "gpt-9"}}}}},
            "model",
            "no model `gpt-9`",
        ),
        (
            {"type": "session.update", "session": {"audio": {"input": {"transcription": {"delay": "low"}}}}},
            "session.audio.input.transcription.delay",
            "cannot be set here",
        ),
        (
            {"type": "session.update", "session": {"audio": {"input": {"transcription": {"language": "xx"}}}}},
            "language",
            "no language `xx`",
        ),
        ({"type": "input_audio_buffer.append", "audio": "?"}, "audio", "base64"),
        ({"type": "input_audio_buffer.commit", "event_id": "mine"}, None, "no sound"),
    ],
)
async def test_what_makes_no_sense_gets_a_sentence_and_the_session_goes_on(
    web: Web, key: str, sent: Any, param: str | None, sentence: str
) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with connect(f"ws://127.0.0.1:{web.settings.port}/v1/realtime", additional_headers=headers) as opened:
        assert json.loads(await opened.recv())["type"] == "session.created"
        await opened.send(json.dumps(sent) if isinstance(sent, dict) else sent)
        problem = json.loads(await asyncio.wait_for(opened.recv(), PATIENCE_S))
        assert problem["type"] == "error"
        assert sentence in problem["error"]["message"]
        assert problem["error"]["param"] == param
        assert problem["error"]["event_id"] == (sent.get("event_id") if isinstance(sent, dict) else None)
        await opened.send(json.dumps({"type": "session.update", "session": ENGLISH}))
        assert json.loads(await asyncio.wait_for(opened.recv(), PATIENCE_S))["type"] == "session.updated"


async def test_who_sends_only_garbage_is_shown_out(web: Web, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with connect(f"ws://127.0.0.1:{web.settings.port}/v1/realtime", additional_headers=headers) as opened:
        for _ in range(30):
            await opened.send("{")
        messages = []
        with suppress(ConnectionClosedError):
            async for message in opened:
                messages.append(message)
        assert (opened.close_code, len(messages)) == (1008, 21)


async def test_a_session_needs_a_key_that_may_transcribe_and_a_language(web: Web, key: str) -> None:
    async with web.browser() as ada:
        await ada.post("/login", json={"email": "ada@example.com", "password": "wrong"})
    for headers, status in (({}, 401), ({"Authorization": "Bearer sgk_wrong"}, 401)):
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{web.settings.port}/v1/realtime", additional_headers=headers)
        assert refused.value.response.status_code == status
        assert json.loads(refused.value.response.body or b"")["error"]["code"] == "invalid_api_key"
    async with program(web, key) as opened:
        await opened.say(SECOND)
        problem = await opened.connection.recv()
        assert problem.type == "error"
        assert "Choose the language" in problem.error.message


async def test_a_page_puts_the_key_among_the_protocols(web: Web, key: str) -> None:
    protocols = ["realtime", f"openai-insecure-api-key.{key}"]
    url = f"ws://127.0.0.1:{web.settings.port}/v1/realtime?intent=transcription"
    async with connect(url, subprotocols=protocols) as opened:  # type: ignore[arg-type]
        assert opened.subprotocol == "realtime"
        assert json.loads(await opened.recv())["type"] == "session.created"


async def test_one_person_has_so_many_sessions_and_others_notice_nothing(web: Web, key: str) -> None:
    most = web.settings.live_recordings_per_person
    headers = {"Authorization": f"Bearer {key}"}
    url = f"ws://127.0.0.1:{web.settings.port}/v1/realtime"
    opened = [await connect(url, additional_headers=headers) for _ in range(most)]
    with pytest.raises(InvalidStatus) as refused:
        await connect(url, additional_headers=headers)
    assert refused.value.response.status_code == 429
    async with web.browser() as bob:
        await bob.register("bob")
        async with program(web, await make_key(bob)):
            pass
    for each in opened:
        await each.close()
    async with asyncio.timeout(PATIENCE_S), program(web, key):
        pass


async def test_a_session_that_is_no_longer_there_or_somebody_elses_cannot_be_continued(web: Web, key: str) -> None:
    async with program(web, key) as opened:
        await opened.configure()
        await begun(web, opened)
        session_id = opened.events[0].session.id
        async with web.browser() as bob:
            await bob.register("bob")
            stranger = await make_key(bob)
        for secret, wanted in ((stranger, session_id), (key, "sess_nonsense"), (key, f"sess_{'0' * 32}")):
            headers = {"Authorization": f"Bearer {secret}"}
            url = f"ws://127.0.0.1:{web.settings.port}/v1/realtime?session={wanted}"
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, additional_headers=headers)
            assert refused.value.response.status_code == 404
