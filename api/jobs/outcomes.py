"""How an attempt can end without a result, and whose fault that was."""

from __future__ import annotations

from api.jobs.states import ErrorCode
from pipelines.flows.messages import LANGUAGE_UNSUPPORTED, StageFailed
from pipelines.flows.tasks import INTERNAL_ERROR, STORAGE_DOES_NOT_ANSWER, Failed

LOST = Failed(ErrorCode.INFRASTRUCTURE, INTERNAL_ERROR, retryable=True)
"""The outcome of an attempt whose worker, node or cluster died."""

STALLED_FOR_GOOD = "Working on this file came to a halt, so we stopped and try again."

CRASHED = Failed(ErrorCode.CRASHED, INTERNAL_ERROR, retryable=True)
"""The outcome of an attempt that met an error nobody foresaw."""

STALLED = Failed(ErrorCode.STALLED, STALLED_FOR_GOOD, retryable=True)
"""The outcome of an attempt that got no further and was ended for it."""

NO_STORAGE = Failed(ErrorCode.STORAGE_AWAY, STORAGE_DOES_NOT_ANSWER, retryable=True)


def judge(failed: Failed) -> tuple[ErrorCode, StageFailed]:
    """Whose fault it was, which decides how often it is tried."""
    if failed.stage in (ErrorCode.INFRASTRUCTURE, ErrorCode.STALLED, ErrorCode.STORAGE_AWAY):
        code = ErrorCode(failed.stage)
    elif failed.code == LANGUAGE_UNSUPPORTED:
        code = ErrorCode.LANGUAGE_UNSUPPORTED
    elif failed.reason == INTERNAL_ERROR:
        code = ErrorCode.CRASHED
    else:
        code = ErrorCode.STAGE
    return code, StageFailed(failed.stage, failed.reason, retryable=failed.retryable, code=failed.code)
