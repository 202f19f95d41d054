"""Calls of the speech API that get their text, and what is left of them: nothing but figures."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import httpx2
import pytest
from openai.types.audio import Transcription, TranscriptionTextDoneEvent, TranscriptionVerbose
from pydantic import BaseModel
from sqlalchemy import func, select

from api.edges.speech.models import SpeechRequest
from api.people.ledger.invariants import violations
from api.people.ledger.models import Movement, MovementKind
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES, chunk, result, segment
from api.testing.speech import TRANSCRIPTIONS, TRANSLATIONS, Worker, form
from pipelines.captions.reading.srt import parse_srt
from pipelines.messages.translate import TargetLine, TranslatedGroup, TranslateResult
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import OFFLINE_ENGINE, TRANSCRIPTION

only_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
TEXT = " ".join(SENTENCES)
TRANSLATOR = EngineInfo("translation", "ct2", "tiny", "cpu", "Found.")


async def test_a_text_is_answered_and_only_figures_stay(
    ada: Browser, program: Browser, worker: Worker, state: AppState
) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form()))
    await worker.sound(duration_ms=10_500)
    await worker.text(*SENTENCES)
    answer = await call
    assert (answer.status_code, answer.json()) == (200, {"text": TEXT, "usage": {"type": "duration", "seconds": 11}})

    assert (await ada.get("/api/files")).json()["data"] == []
    assert (await ada.get("/api/keys")).json()["data"][0]["seconds_used"] == 11
    async with state.database.read() as session:
        for table in (SpeechRequest, JobChunk):
            assert await session.scalar(select(func.count()).select_from(table)) == 0
        moved = (await session.execute(select(Movement.kind, Movement.seconds, Movement.work))).tuples().all()
        assert await violations(session) == []
        (request,) = await session.scalars(select(Job.request).where(Job.kind == JobKind.SPEECH_TEXT))
    assert moved == [(kind, 11, JobKind.SPEECH_TEXT) for kind in (MovementKind.RESERVE, MovementKind.SETTLE)]
    (sound,) = await worker.ids(JobKind.SPEECH_SOUND)
    assert {f"speech/{request['file_id']}", f"jobs/{sound}"} <= set(await worker.removed())


@pytest.mark.long
@only_sqlite
@pytest.mark.parametrize(
    ("sent", "form_of_openai"),
    [
        ({}, Transcription),
        ({"include[]": "logprobs"}, Transcription),
        ({"response_format": "verbose_json", "timestamp_granularities[]": ["word", "segment"]}, TranscriptionVerbose),
    ],
)
async def test_answers_are_those_of_the_stock_client(
    program: Browser, worker: Worker, sent: dict[str, Any], form_of_openai: type[BaseModel]
) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(**sent)))
    await worker.sound()
    await worker.text(*SENTENCES)
    answer = (await call).json()
    read = form_of_openai.model_validate(answer, strict=True)
    assert read.model_dump(exclude_unset=True, mode="json") == answer


@pytest.mark.long
@only_sqlite
async def test_each_form_of_a_text(program: Browser, worker: Worker) -> None:
    async def text_in(response_format: str, **fields: str) -> str:
        call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(response_format=response_format, **fields)))
        await worker.sound()
        await worker.text(*SENTENCES)
        answer = await call
        assert answer.status_code == 200, answer.text
        return answer.text

    assert await text_in("text") == f"{TEXT}\n"
    for captions in (await text_in("srt"), (await text_in("vtt")).partition("\n\n")[2]):
        lines = parse_srt(captions)
        assert [(line.start_ms, line.text) for line in lines] == [
            (1_000 + number * 5_000, said) for number, said in enumerate(SENTENCES)
        ]
    whole = json.loads(await text_in("verbose_json"))
    assert (whole["language"], whole["duration"], whole["text"], whole["task"]) == (
        "english",
        10.5,
        TEXT,
        "transcribe",
    )
    assert [segment["start"] for segment in whole["segments"]] == [1.0, 6.0, 11.0]
    assert "words" not in whole
    words = json.loads(await text_in("verbose_json", **{"timestamp_granularities[]": "word"}))
    assert words["words"][:2] == [
        {"word": "The", "start": 1.0, "end": 1.3},
        {"word": "harbour", "start": 1.4, "end": 1.7},
    ]
    assert "segments" not in words


@pytest.mark.long
@only_sqlite
async def test_a_prompt_and_keywords_come_before_the_glossary_and_do_not_stay(
    ada: Browser, program: Browser, worker: Worker, state: AppState
) -> None:
    made = await ada.post("/api/glossary", json={"source": "Sagascript", "target": "Sagascript"})
    assert made.status_code == 201, made.text
    fields = {"prompt": "With Bragi\u202e Jónsson,\nof Hafnarfjörður.", "keywords[]": ["CTranslate2", "Þórdís"]}
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(**fields)))
    await worker.sound()
    terms = [term["text"] for term in (await request_of(state, JobKind.SPEECH_TEXT))["terms"]]
    assert terms == ["CTranslate2", "Þórdís", "With Bragi Jónsson", "of Hafnarfjörður", "Sagascript"]
    await worker.text(*SENTENCES)
    assert (await call).status_code == 200
    for kind in (JobKind.SPEECH_SOUND, JobKind.SPEECH_TEXT):
        assert (await request_of(state, kind))["terms"] == []


async def request_of(state: AppState, kind: JobKind) -> dict[str, Any]:
    async with state.database.read() as session:
        request: dict[str, Any] = (await session.scalars(select(Job.request).where(Job.kind == kind))).one()
    return request


@pytest.mark.long
@only_sqlite
async def test_one_of_several_languages_is_the_language(program: Browser, worker: Worker, state: AppState) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(**{"languages[]": "is"})))
    await worker.sound()
    assert (await request_of(state, JobKind.SPEECH_TEXT))["language"] == "is-IS"
    await worker.text(SENTENCES[0], language="is-IS")
    assert (await call).status_code == 200


def events_of(answer: httpx2.Response) -> list[dict[str, Any]]:
    return [json.loads(row.removeprefix("data: ")) for row in answer.text.splitlines() if row.startswith("data: ")]


@pytest.mark.long
async def test_a_stream_gives_windows_in_the_order_of_the_sound(program: Browser, worker: Worker) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(stream="true")))
    await worker.sound()
    lease = await worker.claim(JobKind.SPEECH_TEXT)
    for number in (1, 0, 2):
        said = chunk(number, SENTENCES[number])
        await worker.keep(lease, said.key, said.payload)
    await worker.finish(JobKind.SPEECH_TEXT, lease, result(*SENTENCES))
    answer = await call
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = events_of(answer)
    assert [event["type"] for event in events[-1:]] == ["transcript.text.done"]
    assert "".join(event["delta"] for event in events[:-1]) == events[-1]["text"] == TEXT
    TranscriptionTextDoneEvent.model_validate(events[-1], strict=True)
    usage = events[-1]["usage"]
    assert (usage["type"], usage["total_tokens"], usage["seconds"]) == ("tokens", 0, 11)


@pytest.mark.long
@only_sqlite
@pytest.mark.parametrize(
    ("sent", "voice"),
    [
        ({}, None),
        ({"chunking_strategy": "auto"}, None),
        ({"chunking_strategy": '{"type": "server_vad", "threshold": 0.3}'}, (0.3, 200, 300)),
        (
            {"chunking_strategy[type]": "server_vad", "chunking_strategy[silence_duration_ms]": "900"}
            | {"chunking_strategy[prefix_padding_ms]": "50"},
            (0.5, 900, 50),
        ),
    ],
)
async def test_temperature_and_cut_reach_the_model(
    program: Browser, worker: Worker, state: AppState, sent: dict[str, str], voice: tuple[float, int, int] | None
) -> None:
    drawing = EngineInfo(TRANSCRIPTION, "whisper", "tiny", "cpu", "", detects_language=True, takes_temperature=True)
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, drawing))
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(temperature="0.4", **sent)))
    await worker.sound()
    await worker.text(*SENTENCES)
    assert (await call).status_code == 200
    request = await request_of(state, JobKind.SPEECH_TEXT)
    assert request["temperature"] == 0.4
    asked = request["voice"]
    assert (asked and (asked["threshold"], asked["silence_ms"], asked["padding_ms"])) == voice


@pytest.mark.long
@only_sqlite
@pytest.mark.parametrize("stream", ["false", "true"])
async def test_each_word_comes_with_its_probability(program: Browser, worker: Worker, stream: str) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(stream=stream, **{"include[]": "logprobs"})))
    await worker.sound()
    lease = await worker.claim(JobKind.SPEECH_TEXT)
    for number, text in enumerate(SENTENCES):
        said = chunk(number, text)
        await worker.keep(lease, said.key, said.payload)
    await worker.finish(JobKind.SPEECH_TEXT, lease, result(*SENTENCES))
    answer = await call
    if stream == "true":
        events = events_of(answer)
        assert [each for event in events[:-1] for each in event["logprobs"]] == events[-1]["logprobs"]
        for event in events[:-1]:
            assert "".join(each["token"] for each in event["logprobs"]) == event["delta"]
        whole = events[-1]
    else:
        whole = answer.json()
    assert "".join(each["token"] for each in whole["logprobs"]) == whole["text"] == TEXT
    words = [word for number, text in enumerate(SENTENCES) for word in segment(number, text).words]
    assert [each["logprob"] for each in whole["logprobs"]] == [math.log(word.confidence) for word in words]
    assert all(bytes(each["bytes"]).decode() == each["token"] for each in whole["logprobs"])


@pytest.mark.long
@only_sqlite
async def test_a_translation_is_transcribed_and_then_translated(program: Browser, worker: Worker) -> None:
    call = asyncio.create_task(program.post(TRANSLATIONS, **form(language="is", response_format="verbose_json")))
    await worker.sound()
    await worker.text("Höfnin er lokuð í dag.", language="is-IS")
    lease = await worker.claim(JobKind.SPEECH_ENGLISH)
    line = TargetLine(source_ids=("0",), source_texts=("",), start_ms=1_000, end_ms=3_000, text=SENTENCES[0])
    await worker.keep(lease, "group-0", TranslatedGroup(index=0, lines=(line,)))
    done = TranslateResult(language="en", engine=TRANSLATOR, lines=(line,))
    await worker.finish(JobKind.SPEECH_ENGLISH, lease, done)
    answer = (await call).json()
    assert (answer["task"], answer["language"], answer["text"]) == ("translate", "english", SENTENCES[0])
    assert [(segment["start"], segment["end"]) for segment in answer["segments"]] == [(1.0, 3.0)]
    # The request of that job held what was said.
    assert set(await worker.states()) == {JobKind.SPEECH_SOUND, JobKind.SPEECH_TEXT}


@pytest.mark.long
@only_sqlite
async def test_english_needs_no_translation(program: Browser, worker: Worker) -> None:
    call = asyncio.create_task(program.post(TRANSLATIONS, **form()))
    await worker.sound()
    await worker.text(*SENTENCES)
    assert (await call).json()["text"] == TEXT
    assert (await worker.states()).get(JobKind.SPEECH_ENGLISH) is None


@pytest.mark.long
@only_sqlite
async def test_sound_without_speech_has_an_empty_text(program: Browser, worker: Worker) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(response_format="srt")))
    await worker.sound()
    await worker.text()
    assert (await call).text == ""
    assert (await worker.states())[JobKind.SPEECH_TEXT] == JobState.DONE


@pytest.mark.long
@only_sqlite
async def test_a_call_without_a_language_takes_the_only_one_of_the_engine(
    program: Browser, worker: Worker, state: AppState
) -> None:
    built_in = EngineInfo(TRANSCRIPTION, OFFLINE_ENGINE, "en-us", "cpu", "", frozenset({"en"}))
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, built_in))
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(response_format="verbose_json")))
    await worker.sound()
    async with state.database.read() as session:
        (request,) = await session.scalars(select(SpeechRequest))
        assert request.language == "en-US"
    await worker.text(SENTENCES[0])
    assert (await call).status_code == 200
    refused = await program.post(TRANSCRIPTIONS, **form(language="is"))
    assert refused.status_code == 400
