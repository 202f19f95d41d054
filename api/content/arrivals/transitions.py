"""The transitions between upload statuses, and the statuses that a browser may set."""

from __future__ import annotations

from api.content.arrivals.models import Upload, UploadStatus
from api.platform.db.transitions import Transitions

_S = UploadStatus

UPLOAD_STATUS = Transitions(
    Upload,
    Upload.status,
    {
        _S.IDLE: frozenset({_S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.INCOMPLETE, _S.CANCELLED, _S.FAILED}),
        # A browser may repeat what it reported, and an upload it reported as failed may expire later.
        _S.UPLOADING: frozenset({_S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.INCOMPLETE, _S.CANCELLED, _S.FAILED}),
        _S.INCOMPLETE: frozenset({_S.INCOMPLETE, _S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.CANCELLED, _S.FAILED}),
        _S.UPLOADED: frozenset({_S.WAITING, _S.CANCELLED, _S.FAILED}),
        _S.WAITING: frozenset({_S.PROCESSING, _S.COMPLETED, _S.CANCELLED, _S.FAILED}),
        _S.PROCESSING: frozenset({_S.COMPLETED, _S.CANCELLED, _S.FAILED}),
        # A failed upload may be resumed. A file whose preparation failed or was cancelled may be started again.
        _S.FAILED: frozenset({_S.FAILED, _S.UPLOADING, _S.INCOMPLETE, _S.WAITING, _S.CANCELLED}),
        _S.CANCELLED: frozenset({_S.WAITING}),
        _S.COMPLETED: frozenset(),
    },
)

ARRIVING = (_S.IDLE, _S.UPLOADING, _S.INCOMPLETE)
"""Bytes are still expected."""

SET_BY_BROWSER = frozenset({_S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.INCOMPLETE, _S.CANCELLED, _S.FAILED})


def move_with_work(upload: Upload, status: UploadStatus) -> bool:
    """Follow the preparation of the upload's file; returns whether the upload followed.

    The status moves only while the upload waits, or is processing and the new status differs. A complete, failed or
    cancelled upload keeps its status until a person starts the file again.
    """
    follows = upload.status == _S.WAITING or (upload.status == _S.PROCESSING and status != _S.PROCESSING)
    if follows:
        UPLOAD_STATUS.move(upload, status)
    return follows
