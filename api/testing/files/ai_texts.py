"""AI texts as a finished or running job leaves them, made by the product's own handler."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select

from api.content.ai_texts.jobs import MinutesHandler
from api.content.ai_texts.models import AiText
from api.content.files.models import File
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobState
from api.testing.browser import Browser
from pipelines.messages.attempt import Chunk, Progress
from pipelines.messages.minutes import (
    BlockKind,
    MinutesRequest,
    MinutesResult,
    Sentence,
    TextBlock,
    TextType,
    WrittenBlock,
)
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.text.messages import TEXT

WRITER = EngineInfo(TEXT, "ct2_llm", "qwen", "cpu", "Found.", text_types=frozenset(TextType))
SELECTOR = EngineInfo(
    TEXT, "extractive", "extractive", "cpu", "Built in.", text_types=frozenset(TextType), only_selects=True
)


async def install(state: AppState, *loaded: EngineInfo) -> None:
    """Let the installation have these engines."""
    async with state.database.write() as session:
        for engine in loaded:
            await store(session, Capability(engine.task, engine))


async def request_texts(browser: Browser, file: File, *types: str, language: str | None = None) -> list[dict[str, Any]]:
    """Ask for texts and return all texts of the file."""
    body = {"types": types or ["minutes"], **({"language": language} if language else {})}
    answer = await browser.post(f"/api/files/aitext/{file.slug}", json=body)
    assert answer.status_code == 202, answer.text
    texts: list[dict[str, Any]] = answer.json()["data"]
    return texts


async def job_of(state: AppState, text_id: str) -> Job:
    async with state.database.read() as session:
        text = await session.get_one(AiText, uuid.UUID(text_id))
        return (await session.scalars(select(Job).where(Job.id == text.job_id))).one()


async def start(state: AppState, job: Job) -> Job:
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.state = JobState.RUNNING
        await MinutesHandler().on_started(session, row)
        return row


async def progress(state: AppState, job: Job, percent: int) -> None:
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.progress = percent
        await MinutesHandler().on_progress(session, row, Progress("writing", percent, 100, "lines"))


async def keep_block(state: AppState, job: Job, index: int, block: TextBlock) -> None:
    chunk = Chunk(f"block-{index:06}", WrittenBlock(index=index, block=block))
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        session.add(JobChunk(job_id=job.id, key=chunk.key, fence=row.fence, payload=chunk.payload.to_json()))
        await MinutesHandler().on_chunk(session, row, chunk)


async def finish(state: AppState, job: Job, result: MinutesResult) -> None:
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        if row.state == JobState.READY:
            await MinutesHandler().on_started(session, row)
        row.state = JobState.DONE
        await MinutesHandler().on_done(session, row, result)


def result_of(job: Job, *, engine: EngineInfo = WRITER, title: str = "Harbour meeting") -> MinutesResult:
    """A heading, a supported and an unsupported sentence, a decision and an action, citing the first lines."""
    request = MinutesRequest.from_json(job.request)
    first, second, third = (line.id for line in request.lines[:3])
    blocks = (
        TextBlock(kind=BlockKind.HEADING, sentences=(Sentence(text="The harbour"),)),
        TextBlock(
            kind=BlockKind.PARAGRAPH,
            sentences=(
                Sentence(text="The harbour is closed.", line_ids=(first,)),
                Sentence(text="It opens in May.", line_ids=(second,), unsupported=True),
            ),
        ),
        TextBlock(kind=BlockKind.DECISION, sentences=(Sentence(text="The harbour stays closed.", line_ids=(first,)),)),
        TextBlock(
            kind=BlockKind.ACTION,
            sentences=(Sentence(text="Ask again tomorrow.", line_ids=(third,)),),
            owner="Anna",
            due="tomorrow",
        ),
    )
    return MinutesResult(
        type=request.type,
        language=request.language,
        engine=engine,
        title=title,
        blocks=blocks,
        covered_ms=0,
        total_ms=0,
        notes=("One sentence was left out.",),
    )


async def written_text(
    state: AppState, browser: Browser, file: File, type_: str = "minutes", *, engine: EngineInfo = WRITER
) -> dict[str, Any]:
    """A text that an engine has written, as the page gets it."""
    texts = await request_texts(browser, file, type_)
    text = next(each for each in texts if each["type"] == type_)
    job = await job_of(state, text["id"])
    await finish(state, job, result_of(job, engine=engine))
    return await text_now(browser, text["id"])


async def text_now(browser: Browser, text_id: str) -> dict[str, Any]:
    answer = await browser.get(f"/api/files/minutes/{text_id}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
