"""Who speaks in a call of the speech API, by `diarized_json`: letters, names by references, and nothing that stays."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from fastapi import FastAPI
from openai.types.audio import (
    TranscriptionDiarized,
    TranscriptionTextDeltaEvent,
    TranscriptionTextDoneEvent,
    TranscriptionTextSegmentEvent,
)
from sqlalchemy import select

from api.edges.speech.limits import REFERENCE_CHARS_MAX
from api.edges.speech.models import SpeechRequest
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES
from api.testing.speech import TRANSCRIPTIONS, TRANSLATIONS, Worker, error_of, form, leaving_call, make_key
from pipelines.messages.attempt import StageFailed
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.speakers import BAD_REFERENCE, SpeakersRequest, SpeakersResult, Turn
from serve.core.capability import Capability, TaskState, TaskStatus
from serve.core.messages import EngineInfo
from serve.tasks.diarization.messages import DIARIZATION

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
DIARIZER = EngineInfo(DIARIZATION, "sherpa", "tiny", "cpu", "Found.")
TURNS = (
    Turn(start_ms=900, end_ms=2_150, speaker="S1"),
    Turn(start_ms=2_150, end_ms=10_500, speaker="S2"),
    Turn(start_ms=10_500, end_ms=20_000, speaker="S1"),
)
SOUND = base64.b64encode(b"a voice").decode()
DATA_URL = f"data:audio/wav;base64,{SOUND}"


class Part(JsonMessage):
    voice: str = "AAAA"


@pytest.fixture(autouse=True)
async def diarizer(state: AppState) -> None:
    async with state.database.write() as session:
        await store(session, Capability(DIARIZATION, DIARIZER))


def diarized(**fields: Any) -> dict[str, Any]:
    return form(response_format="diarized_json", **fields)


def references(**sounds: str) -> dict[str, list[str]]:
    return {"known_speaker_names[]": list(sounds), "known_speaker_references[]": list(sounds.values())}


async def speakers(worker: Worker, **names: str) -> SpeakersRequest:
    """End the detection with the turns; returns what it was to do."""
    lease = await worker.claim(JobKind.SPEECH_SPEAKERS)
    await worker.keep(lease, "piece-000000", Part())
    async with worker.state.database.read() as session:
        request = SpeakersRequest.from_json((await session.get_one(Job, lease.job_id)).request)
    await worker.finish(JobKind.SPEECH_SPEAKERS, lease, SpeakersResult(engine=DIARIZER, turns=TURNS, names=names))
    return request


async def test_each_run_of_words_has_its_speaker(program: Browser, worker: Worker, state: AppState) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **diarized(num_speakers="2")))
    await worker.sound()
    await worker.text(*SENTENCES)
    request = await speakers(worker)
    assert (request.speakers, request.references, request.audio_key.endswith("audio.wav")) == (2, (), True)
    answer = await call
    assert answer.status_code == 200, answer.text
    told = TranscriptionDiarized.model_validate(answer.json(), strict=True)
    assert told.text == " ".join(SENTENCES)
    assert [(each.speaker, each.text) for each in told.segments] == [
        ("A", "The harbour is"),
        ("B", "closed today."),
        ("B", SENTENCES[1]),
        ("A", SENTENCES[2]),
    ]
    assert [each.id for each in told.segments] == ["seg_0", "seg_1", "seg_2", "seg_3"]
    assert (told.segments[0].start, told.segments[0].end) == (1.0, 2.1)
    async with state.database.read() as session:
        assert (await session.scalars(select(JobChunk.id))).all() == []
        assert (await session.scalars(select(Job.id).where(Job.kind == JobKind.SPEECH_SPEAKERS))).all() == []
        assert (await session.scalars(select(SpeechRequest.id))).all() == []
    (sound,) = await worker.ids(JobKind.SPEECH_SOUND)
    assert f"jobs/{sound}" in await worker.removed()


@pytest.mark.long
async def test_the_sound_stays_until_the_speakers_are_known_and_their_parts_go_at_once(
    program: Browser, worker: Worker, state: AppState
) -> None:
    call = asyncio.create_task(
        program.post(TRANSCRIPTIONS, **diarized(**references(Ada=f"data:audio/wav;base64,{SOUND}")))
    )
    await worker.sound()
    await worker.text(*SENTENCES)
    (sound,) = await worker.ids(JobKind.SPEECH_SOUND)
    assert f"jobs/{sound}" not in await worker.removed()
    async with state.database.read() as session:
        (request_id,) = await session.scalars(select(SpeechRequest.id))
    stored = f"speech/{request_id}-voices/0"
    assert state.storage.local_path(stored).read_bytes() == b"a voice"  # type: ignore[union-attr]
    request = await speakers(worker, S2="Ada")
    assert [(each.name, each.key) for each in request.references] == [("Ada", stored)]
    told = (await call).json()
    assert [each["speaker"] for each in told["segments"]] == ["A", "Ada", "Ada", "A"]
    assert {f"jobs/{sound}", f"speech/{request_id}-voices"} <= set(await worker.removed())


@pytest.mark.long
async def test_a_stream_ends_with_who_said_what(program: Browser, worker: Worker) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **diarized(stream="true")))
    await worker.sound()
    await worker.text(*SENTENCES)
    await speakers(worker)
    rows = [row.removeprefix("data: ") for row in (await call).text.splitlines() if row.startswith("data: ")]
    events = [json.loads(row) for row in rows]
    parts = [TranscriptionTextDeltaEvent.model_validate(each) for each in events[:3]]
    said = [TranscriptionTextSegmentEvent.model_validate(each, strict=True) for each in events[3:-1]]
    done = TranscriptionTextDoneEvent.model_validate(events[-1], strict=True)
    assert "".join(part.delta for part in parts) == done.text == " ".join(SENTENCES)
    assert [each.speaker for each in said] == ["A", "B", "B", "A"]


@pytest.mark.long
async def test_sound_without_speech_has_no_speakers(program: Browser, worker: Worker) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **diarized()))
    await worker.sound()
    await worker.text()
    told = (await call).json()
    assert (told["text"], told["segments"]) == ("", [])


@pytest.mark.long
async def test_a_reference_that_is_of_no_use_is_named(program: Browser, worker: Worker, ada: Browser) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **diarized(**references(Ada=f"data:;base64,{SOUND}"))))
    await worker.sound()
    await worker.text(*SENTENCES)
    lease = await worker.claim(JobKind.SPEECH_SPEAKERS)
    await worker.keep(lease, "piece-000000", Part())
    sentence = "Nobody speaks in the reference of Ada."
    failure = StageFailed("speakers", sentence, retryable=False, code=BAD_REFERENCE)
    await worker.fail(JobKind.SPEECH_SPEAKERS, lease, failure)
    answer = await call
    assert (answer.status_code, error_of(answer)["param"]) == (400, "known_speaker_references")
    assert error_of(answer)["message"] == sentence
    async with worker.state.database.read() as session:
        assert (await session.scalars(select(JobChunk.id))).all() == []
    assert sum("-voices" in each for each in await worker.removed()) == 1


@pytest.mark.long
@pytest.mark.parametrize("ends", ["unreadable", "silent", "failed"])
async def test_references_go_however_the_call_ends(program: Browser, worker: Worker, ends: str) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **diarized(**references(Ada=DATA_URL))))
    failure = StageFailed("decode", "It cannot be read.", retryable=False)
    if ends == "unreadable":
        await worker.fail(JobKind.SPEECH_SOUND, await worker.claim(JobKind.SPEECH_SOUND), failure)
    else:
        await worker.sound()
        if ends == "silent":
            await worker.text()
        else:
            await worker.fail(JobKind.SPEECH_TEXT, await worker.claim(JobKind.SPEECH_TEXT), failure)
    await call
    assert [each.endswith("-voices") for each in await worker.removed()].count(True) == 1


@pytest.mark.long
async def test_a_program_that_leaves_ends_the_detection(app: FastAPI, ada: Browser, worker: Worker) -> None:
    task, leaves = leaving_call(app, await make_key(ada), response_format="diarized_json")
    await worker.sound()
    await worker.text(*SENTENCES)
    lease = await worker.claim(JobKind.SPEECH_SPEAKERS)
    await worker.keep(lease, "piece-000000", Part())
    leaves.set()
    await task
    await worker.until_cancelled()


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "names alone": (diarized(**{"known_speaker_names[]": "Ada"}), "known_speaker_references", "one reference for each"),
    "references alone": (diarized(**{"known_speaker_references[]": DATA_URL}), "known_speaker_references", "for each"),
    "one name twice": (diarized(**references(Ada=DATA_URL, ADA=DATA_URL)), "known_speaker_names", "another person"),
    "no data URL": (diarized(**references(Ada="https://example.com/ada.wav")), "known_speaker_references", "data URL"),
    "broken base64": (diarized(**references(Ada="data:audio/wav;base64,?")), "known_speaker_references", "data URL"),
    "five people": (diarized(**references(**{f"P{n}": DATA_URL for n in range(5)})), "known_speaker_names", "4"),
    "too many people": (diarized(num_speakers="99"), "num_speakers", "20"),
    "another form": (form(**references(Ada=DATA_URL)), "known_speaker_names", "`diarized_json` alone"),
    "a number in another form": (form(num_speakers="2"), "num_speakers", "`diarized_json` alone"),
    "probabilities": (diarized(**{"include[]": "logprobs"}), "include", "`json` alone"),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("case", REFUSED)
async def test_what_makes_no_sense_is_refused_by_name(program: Browser, worker: Worker, case: str) -> None:
    sent, field, says = REFUSED[case]
    answer = await program.post(TRANSCRIPTIONS, **sent)
    error = error_of(answer)
    assert (answer.status_code, error["param"].removesuffix("[]")) == (400, field), error
    assert says in error["message"]
    assert await worker.states() == {}


async def test_a_translation_and_an_installation_without_a_model_tell_nobody_apart(
    program: Browser, worker: Worker, state: AppState
) -> None:
    answer = await program.post(TRANSLATIONS, **diarized())
    assert (answer.status_code, "transcriptions alone" in error_of(answer)["message"]) == (400, True)
    async with state.database.write() as session:
        await store(session, Capability(DIARIZATION, status=TaskStatus(TaskState.MISSING, "Install one.")))
    answer = await program.post(TRANSCRIPTIONS, **diarized())
    assert (answer.status_code, error_of(answer)["param"]) == (400, "response_format")
    assert "No speaker model runs here" in error_of(answer)["message"]
    assert await worker.states() == {}


@pytest.mark.long
async def test_a_reference_may_be_long_and_other_fields_may_not(program: Browser, worker: Worker) -> None:
    long = f"data:audio/wav;base64,{base64.b64encode(bytes(1_500_000)).decode()}"
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **diarized(**references(Ada=long))))
    await worker.sound()
    await worker.text()
    assert (await call).status_code == 200
    for field, value in (("known_speaker_references[]", "a" * (REFERENCE_CHARS_MAX + 1)), ("prompt", long)):
        answer = await program.post(TRANSCRIPTIONS, **form(**{field: value}))
        assert (answer.status_code, "too long" in error_of(answer)["message"]) == (400, True)
