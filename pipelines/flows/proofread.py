"""The flow of kind `proofread`: a text model reads the lines and proposes corrections."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing

from cluster.wording.message import Message, Wording
from pipelines.ai_text.proposals import proposals
from pipelines.ai_text.refusal import base_code
from pipelines.flows.minutes.note_taking import TextClient, spoken_language
from pipelines.flows.transcribe.windows import refused
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.proofread import ProofLine, ProofreadPart, ProofreadRequest, ProofreadResult
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.text.messages import ProofreadItem, ProofreadLines, SpokenLine, TextOutcome

STAGE = "proofread"
READING = "reading"
LINES_AT_ONCE = 30
"""Lines of one call: with more, models skip some or number them wrongly."""
IN_FLIGHT = 8
YIELD_EVERY_S = 2.0
TERMS_MAX = 60
"""Terms of the glossary that a call names; those that its lines hold come first."""
NO_TEXT = Message(
    "pipelines.flows.proofread_no_text",
    "These captions hold no text yet, so there is nothing to proofread. Transcribe the file first.",
)
BY_RULES = Message(
    "pipelines.flows.by_rules",
    "No language model is loaded, so simple rules read the lines: doubled words, spaces, capitals and the names of "
    "your glossary. They find no wrong words.",
)
LEFT_OUT_ONE = Message(
    "pipelines.flows.proofread_left_out_one",
    "1 proposal was left out because it changed numbers or tags, or named no line.",
)
LEFT_OUT = Wording(
    "pipelines.flows.proofread_left_out",
    "{count} proposals were left out because they changed numbers or tags, or named no line.",
)


def run(request: ProofreadRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Proofread with the text model of the cluster."""
    # Imported here because it imports Ray, which callers of `proofread` with other clients do not need.
    from serve.core.client import ModelClient
    from serve.tasks.text.task import TEXT_WORK

    with closing(ModelClient(TEXT_WORK)) as client:
        yield from proofread(request, attempt, client=client)


def proofread(
    request: ProofreadRequest, attempt: Attempt, *, client: TextClient
) -> Generator[Progress | Chunk | Result]:
    """Yield a `Chunk` for every 30 lines and progress in lines, then the result.

    Parts that an earlier attempt finished are skipped. Closing the generator cancels what is in flight. Raises only
    `StageFailed`.
    """
    lines = [line for line in request.lines if line.text.strip()]
    if not lines:
        raise StageFailed(STAGE, NO_TEXT, retryable=False)
    yield Progress(READING, 0, len(lines), "lines")
    try:
        info = client.describe()
        parts = yield from _parts(request, attempt, lines, client, info)
    except EngineRefused as error:
        raise refused(STAGE, error) from error
    found = [proposal for start in sorted(parts) for proposal in parts[start].proposals]
    dropped = sum(part.dropped for part in parts.values())
    notes = [BY_RULES] if info.only_selects else []
    if dropped:
        notes.append(LEFT_OUT_ONE if dropped == 1 else LEFT_OUT(count=dropped))
    yield Result(ProofreadResult(engine=info, proposals=tuple(found), lines=len(lines), notes=tuple(notes)))


def _parts(
    request: ProofreadRequest, attempt: Attempt, lines: Sequence[ProofLine], client: TextClient, info: EngineInfo
) -> Generator[Progress | Chunk, None, dict[int, ProofreadPart]]:
    """The proposals by the number of their first line."""
    todo = [(start, min(start + LINES_AT_ONCE, len(lines))) for start in range(0, len(lines), LINES_AT_ONCE)][::-1]
    waiting: dict[Future[TextOutcome], tuple[int, int]] = {}
    parts: dict[int, ProofreadPart] = {}
    done_lines = 0
    try:
        while todo or waiting:
            while todo and len(waiting) < IN_FLIGHT:
                start, end = todo.pop()
                if (earlier := _finished_before(attempt, _key(info, start, end))) is not None:
                    parts[start] = earlier
                    done_lines += end - start
                else:
                    waiting[client.submit(_item(request, attempt, lines, start, end))] = (start, end)
            if waiting:
                done, _ = wait(waiting, timeout=YIELD_EVERY_S, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda future: future.exception() is not None):
                    start, end = waiting.pop(future)
                    outcome = _outcome(future)
                    if (outcome is None or not outcome.is_complete) and end - start > 1:
                        middle = (start + end) // 2
                        todo += [(middle, end), (start, middle)]
                        continue
                    if outcome is None:
                        future.result()
                        continue
                    parts[start] = proposals(outcome, lines[start:end])
                    done_lines += end - start
                    yield Chunk(_key(info, start, end), parts[start])
            # Also when nothing finished: the reader can stop this attempt only between two values.
            yield Progress(READING, done_lines, len(lines), "lines")
    finally:
        for future in waiting:
            future.cancel()
    return parts


def _outcome(future: Future[TextOutcome]) -> ProofreadLines | None:
    """The corrections; None when the lines were too long for one call. Raises any other refusal."""
    try:
        outcome = future.result()
    except EngineRefused as error:
        if error.problem is EngineProblem.TOO_LONG:
            return None
        raise
    assert isinstance(outcome, ProofreadLines)
    return outcome


def _item(
    request: ProofreadRequest, attempt: Attempt, lines: Sequence[ProofLine], start: int, end: int
) -> ProofreadItem:
    part = lines[start:end]
    return ProofreadItem(
        stream=attempt.job_id,
        index=start,
        language=spoken_language(base_code(request.language), request.language),
        lines=tuple(SpokenLine(line.text, line.speaker) for line in part),
        task=request.task,
        terms=_terms(request.terms, part),
        title=request.title,
    )


def _terms(terms: Sequence[str], lines: Sequence[ProofLine]) -> tuple[str, ...]:
    """The terms to name: those that the lines hold in any capitals, then others."""
    text = " ".join(line.text for line in lines).casefold()
    return tuple(sorted(terms, key=lambda term: term.casefold() not in text)[:TERMS_MAX])


def _key(info: EngineInfo, start: int, end: int) -> str:
    return f"lines-{info.engine}-{start:05}-{end:05}"


def _finished_before(attempt: Attempt, key: str) -> ProofreadPart | None:
    chunk = attempt.chunks.get(key)
    return ProofreadPart.read(chunk) if chunk is not None else None
