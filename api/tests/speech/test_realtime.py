"""`/v1/realtime` by OpenAI's own client: sound becomes a live recording, whose words come as events."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from openai.types.realtime import RealtimeErrorEvent
from sqlalchemy import select
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError

from api.content.live import sound
from api.content.live.models import LiveSession, LiveState
from api.edges.speech.realtime import recording as kept_sound
from api.edges.speech.realtime import sessions
from api.testing.files.live import LiveFlow, passage_chunk, silence_chunk, words_chunk
from api.testing.realtime.clients import Web
from api.testing.realtime.program import BY_HAND, ENGLISH, SECOND, begun, ended, kept, program, recording
from cluster.storage.objects import StorageUnavailable
from cluster.testing.patience import PATIENCE_S
from pipelines.media.sound.journal import write_piece


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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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
        end_recording = await asyncio.wait_for(endings.get(), PATIENCE_S)
        await end_recording()
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
            while not isinstance(event := await opened.connection.recv(), RealtimeErrorEvent):
                pass
        assert event.error.message == "An administrator has ended this."


@pytest.mark.long
async def test_while_the_store_is_away_a_program_keeps_its_sound_and_comes_back_with_it(
    web: Web, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_sound, "AWAY_AT_MOST_S", 0.0)

    def is_away(*_arguments: Any) -> None:
        raise StorageUnavailable("It is away.")

    async with program(web, key) as opened:
        await opened.configure()
        await opened.say(SECOND)
        await kept(web, 2)
        monkeypatch.setattr(sound, "write_piece", is_away)
        await opened.say(SECOND)
        while (await opened.connection.recv()).type != "error":
            pass
        with pytest.raises(ConnectionClosedError) as closed:
            await opened.connection.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        session_id = opened.events[0].session.id
    monkeypatch.setattr(sound, "write_piece", write_piece)
    assert (await recording(web))[1].state == LiveState.OPEN
    async with program(web, key, session=session_id) as opened:
        assert opened.events[0].session.kept_ms == 1_000
        await opened.configure()
        await opened.say(SECOND)
        await kept(web, 4)
    live = await ended(web)
    sound_of_it = await kept(web, live.pieces)
    assert set(sound_of_it[: 2 * 32_000]) == {7, 0}, "nothing is missing between the two connections"
