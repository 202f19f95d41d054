"""The flow of kind `translate`: send a track's lines, sentence by sentence, through the `Translator` deployment."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing

from cluster.wording.message import Message, Wording
from pipelines.flows.transcribe.windows import refused
from pipelines.flows.translate.group_stream import GroupStream
from pipelines.flows.translate.passages import TranslationClient
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.translate import LineFlag, TargetLine, TranslateRequest, TranslateResult
from pipelines.translation.checks import flag_unsure
from pipelines.translation.groups import sentence_groups
from pipelines.translation.pairs import refusal, unavailable_reason
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.translation.messages import CHAT_TRANSLATION

STAGE = "translate"
PHASE = "translating"
LINES = "lines"
"""Unit of the progress: lines of the source."""

UNTRANSLATED_ONE = Message(
    "pipelines.flows.untranslated_one", "1 line could not be translated and shows the original text."
)
UNTRANSLATED = Wording(
    "pipelines.flows.untranslated", "{count} lines could not be translated and show the original text."
)
SHARED_ONE = Message(
    "pipelines.flows.shared_one",
    "1 line of the translation covers several lines of the original, because the translation is too short to be "
    "divided.",
)
SHARED = Wording(
    "pipelines.flows.shared",
    "{count} lines of the translation cover several lines of the original, because the translation is too short to be "
    "divided.",
)
TOO_FAST_ONE = Message("pipelines.flows.too_fast_one", "1 line is too long to read in the time available.")
TOO_FAST = Wording("pipelines.flows.too_fast", "{count} lines are too long to read in the time available.")

_GPU_IN_FLIGHT = 64
_CPU_IN_FLIGHT = 16
_CHAT_IN_FLIGHT = 8
"""Few, because a group's context is what was translated before it was sent."""


def run(request: TranslateRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Translate the lines of a track."""
    # Imported here because it imports Ray, which callers of `translate` with another client do not need.
    from serve.core.client import ModelClient
    from serve.tasks.translation.task import TRANSLATION_TASK

    with closing(ModelClient(TRANSLATION_TASK, in_flight=_GPU_IN_FLIGHT)) as client:
        yield from translate(request, attempt, client=client)


def translate(
    request: TranslateRequest, attempt: Attempt, *, client: TranslationClient
) -> Generator[Progress | Chunk | Result]:
    """Yield a `Chunk` for each sentence group as it finishes, in any order, progress in lines, then the ordered result.

    Groups that an earlier attempt finished are skipped. Closing the generator cancels what is in flight.
    Raises only `StageFailed`.
    """
    groups = sentence_groups(request.lines, request.wanted)
    total = sum(len(group.lines) for group in groups)
    yield Progress(PHASE, 0, total, LINES)
    try:
        info = client.describe()
        _require_pair(request, info)
        stream = GroupStream(request, groups, attempt, client, reads_context=info.engine == CHAT_TRANSLATION)
        lines: dict[int, Sequence[TargetLine]] = {}
        count = 0
        with closing(stream.finished(_in_flight(info))) as finished:
            for done in finished:
                if done is not None:
                    lines[done.group.index] = done.group.lines
                    count += done.source_lines
                    if done.is_new:
                        yield Chunk(done.key, done.group)
                # Yield even when nothing finished: the reader can stop this attempt only between two values.
                yield Progress(PHASE, count, total, LINES)
    except EngineRefused as error:
        if error.problem is EngineProblem.UNKNOWN_LANGUAGE:
            # The model was replaced after the check.
            raise StageFailed(STAGE, error.sentence, retryable=False, code=LANGUAGE_UNSUPPORTED) from error
        raise refused(STAGE, error) from error
    yield _result(request, info, [line for index in sorted(lines) for line in lines[index]])


def _require_pair(request: TranslateRequest, info: EngineInfo) -> None:
    """Raise `StageFailed` before any work when the engine does not translate between the two languages."""
    source, target = request.source_language, request.target_language
    if unavailable_reason(info, source, target) is not None:
        raise StageFailed(STAGE, refusal(info, source, target), retryable=False, code=LANGUAGE_UNSUPPORTED)


def _in_flight(info: EngineInfo) -> int:
    """How many groups of one job wait at the model: enough for a batch, few enough to leave room for others."""
    if info.engine == CHAT_TRANSLATION:
        return _CHAT_IN_FLIGHT
    return _GPU_IN_FLIGHT if info.device.startswith("cuda") else _CPU_IN_FLIGHT


def _result(request: TranslateRequest, info: EngineInfo, lines: Sequence[TargetLine]) -> Result:
    wanted = frozenset(request.wanted)
    others = [line for line in request.existing if not wanted.intersection(line.source_ids)] if wanted else []
    flagged = flag_unsure(lines, others)
    return Result(
        TranslateResult(
            language=request.target_language, engine=info, lines=tuple(flagged), notes=tuple(_notes(flagged))
        )
    )


def _notes(lines: Sequence[TargetLine]) -> list[str]:
    """What a person should know about the translation as a whole."""
    counts = (
        (sum(LineFlag.UNTRANSLATED in line.flags for line in lines), UNTRANSLATED_ONE, UNTRANSLATED),
        (sum(len(line.source_ids) > 1 for line in lines), SHARED_ONE, SHARED),
        (sum(LineFlag.TOO_FAST in line.flags for line in lines), TOO_FAST_ONE, TOO_FAST),
    )
    return [one if count == 1 else many(count=f"{count:,}") for count, one, many in counts if count]
