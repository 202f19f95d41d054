"""What `/v1/realtime` refuses, and whom."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from api.testing.realtime.clients import Web
from api.testing.realtime.program import ENGLISH, SECOND, begun, program
from api.testing.speech import make_key
from cluster.testing.patience import PATIENCE_S


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


@pytest.mark.long
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


@pytest.mark.long
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
