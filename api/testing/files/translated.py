"""Files with translations, made by the product's own routes and handler from results that a test gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import select, update

from api.content.captions.speech.runs import subject_of
from api.content.files.models import File
from api.content.translations.jobs import TranslateHandler
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode, JobKind, JobState
from api.testing.browser import Browser
from pipelines.messages.attempt import Chunk, StageFailed
from pipelines.messages.translate import (
    LineFlag,
    SourceLine,
    TargetLine,
    TranslatedGroup,
    TranslateRequest,
    TranslateResult,
)
from serve.core.capability import Capability
from serve.core.messages import EngineInfo, LanguagePair
from serve.tasks.translation.messages import TRANSLATION

ENGINE = EngineInfo(
    TRANSLATION,
    "ct2",
    "tiny",
    "cpu",
    "Found.",
    languages=frozenset({"en", "es", "is", "de", "fr"}),
    pairs=frozenset(LanguagePair("en", target) for target in ("es", "is", "de")),
)


def translated(line: SourceLine) -> str:
    """What the tests' model says for a line."""
    return f"({line.text})"


def target(line: SourceLine, text: str | None = None, *, flags: Sequence[LineFlag] = ()) -> TargetLine:
    return TargetLine(
        source_ids=(line.id,),
        source_texts=(line.text,),
        start_ms=line.start_ms,
        end_ms=line.end_ms,
        text=translated(line) if text is None else text,
        log_probability=-0.25,
        flags=tuple(flags),
    )


def result_of(request: TranslateRequest, say: Callable[[SourceLine], str] = translated) -> TranslateResult:
    wanted = set(request.wanted) or {line.id for line in request.lines}
    lines = tuple(target(line, say(line)) for line in request.lines if line.id in wanted)
    return TranslateResult(language=request.target_language, engine=ENGINE, lines=lines, notes=("Made by a test.",))


async def load_model(state: AppState, engine: EngineInfo | None = ENGINE) -> None:
    async with state.database.write() as session:
        await store(session, Capability(TRANSLATION, engine))


async def open_job(state: AppState, file: File, language: str) -> Job:
    async with state.database.read() as session:
        statement = select(Job).where(
            Job.subject_id == subject_of(file.id, language), Job.state.in_((JobState.READY, JobState.RUNNING))
        )
        return (await session.scalars(statement)).one()


async def begin(state: AppState, file: File, language: str) -> tuple[Lease, TranslateRequest]:
    """Claim the job of a translation, as a dispatcher does, before all others."""
    waiting = await open_job(state, file, language)
    async with state.database.write() as session:
        await session.execute(update(Job).where(Job.id == waiting.id).values(priority=1_000))
        job = await queue.claim(session, "a test", [JobKind.TRANSLATE])
        assert job is not None
        assert job.id == waiting.id
        await TranslateHandler().on_started(session, job)
        return Lease(job.id, job.fence), TranslateRequest.from_json(job.request)


async def end(state: AppState, lease: Lease, result: TranslateResult) -> None:
    async with state.database.write() as session:
        await endings.finish(session, TranslateHandler(), lease, result)


async def fail(state: AppState, lease: Lease, reason: str) -> None:
    async with state.database.write() as session:
        failure = StageFailed("translate", reason, retryable=False)
        await endings.fail(session, TranslateHandler(), lease, failure, ErrorCode.STAGE)


async def keep_group(state: AppState, lease: Lease, index: int, lines: Sequence[TargetLine]) -> None:
    """A finished group of a running job."""
    group = TranslatedGroup(index=index, lines=tuple(lines))
    async with state.database.write() as session:
        job, _ = await queue.hold(session, lease)
        key = f"group-{index:06}"
        session.add(JobChunk(job_id=job.id, key=key, fence=lease.fence, payload=group.to_json()))
        await TranslateHandler().on_chunk(session, job, Chunk(key, group))


async def translate(
    state: AppState,
    browser: Browser,
    file: File,
    language: str = "es",
    say: Callable[[SourceLine], str] = translated,
) -> None:
    """Translate a file, from the request to its finished track."""
    await load_model(state)
    answer = await browser.post(f"/api/files/captions/{file.slug}/translate", json={"language": language})
    assert answer.status_code == 202, answer.text
    lease, request = await begin(state, file, language)
    await end(state, lease, result_of(request, say))
