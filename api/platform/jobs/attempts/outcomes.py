"""How an attempt can end without a result, and what caused it."""

from __future__ import annotations

from api.platform.jobs.states import ErrorCode
from cluster.wording.message import Message
from pipelines.flows.tasks import INTERNAL_ERROR, MACHINE_STOPPED, STORAGE_DOES_NOT_ANSWER, Failed
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, OVERLOADED, StageFailed

LOST = Failed(ErrorCode.INFRASTRUCTURE, MACHINE_STOPPED, retryable=True)
"""The worker, node or cluster died."""

STALLED_FOR_GOOD = Message("jobs.stalled_for_good", "Work on this file stalled, so we stopped it and will try again.")

CRASHED = Failed(ErrorCode.CRASHED, INTERNAL_ERROR, retryable=True)
"""The flow raised an unexpected error."""

STALLED = Failed(ErrorCode.STALLED, STALLED_FOR_GOOD, retryable=True)
"""The attempt made no progress, so we ended it."""

NO_STORAGE = Failed(ErrorCode.STORAGE_AWAY, STORAGE_DOES_NOT_ANSWER, retryable=True)


def judge(failed: Failed) -> tuple[ErrorCode, StageFailed]:
    """Classify the failure, which decides how often the job is retried."""
    if failed.stage in (ErrorCode.INFRASTRUCTURE, ErrorCode.STALLED, ErrorCode.STORAGE_AWAY):
        code = ErrorCode(failed.stage)
    elif failed.code == OVERLOADED:
        code = ErrorCode.OVERLOADED
    elif failed.code == LANGUAGE_UNSUPPORTED:
        code = ErrorCode.LANGUAGE_UNSUPPORTED
    elif failed.reason == INTERNAL_ERROR:
        code = ErrorCode.CRASHED
    else:
        code = ErrorCode.STAGE
    return code, StageFailed(failed.stage, failed.reason, retryable=failed.retryable, code=failed.code)
