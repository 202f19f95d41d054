"""Which status of an upload may follow which, and which of them a browser may set."""

from __future__ import annotations

from api.uploads.models import Upload, UploadStatus

_S = UploadStatus

ALLOWED: dict[UploadStatus, frozenset[UploadStatus]] = {
    _S.IDLE: frozenset({_S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.INCOMPLETE, _S.CANCELLED, _S.FAILED}),
    _S.UPLOADING: frozenset({_S.UPLOADED, _S.WAITING, _S.INCOMPLETE, _S.CANCELLED, _S.FAILED}),
    _S.INCOMPLETE: frozenset({_S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.CANCELLED, _S.FAILED}),
    _S.UPLOADED: frozenset({_S.WAITING, _S.CANCELLED, _S.FAILED}),
    _S.WAITING: frozenset({_S.PROCESSING, _S.COMPLETED, _S.CANCELLED, _S.FAILED}),
    _S.PROCESSING: frozenset({_S.COMPLETED, _S.CANCELLED, _S.FAILED}),
    # A failed upload may be sent on. A file whose preparation failed or was cancelled may be started again.
    _S.FAILED: frozenset({_S.UPLOADING, _S.INCOMPLETE, _S.WAITING, _S.CANCELLED}),
    _S.CANCELLED: frozenset({_S.WAITING}),
    _S.COMPLETED: frozenset(),
}

ARRIVING = (_S.IDLE, _S.UPLOADING, _S.INCOMPLETE)
"""Bytes are still expected."""

SET_BY_BROWSER = frozenset({_S.UPLOADING, _S.UPLOADED, _S.WAITING, _S.INCOMPLETE, _S.CANCELLED, _S.FAILED})


def move(upload: Upload, status: UploadStatus) -> bool:
    """Set the status when the table allows it; says whether it is now that status."""
    current = UploadStatus(upload.status)
    if current == status:
        return True
    if status not in ALLOWED[current]:
        return False
    upload.status = status
    return True


def move_with_work(upload: Upload, status: UploadStatus) -> bool:
    """Follow the preparation of the upload's file; says whether the upload is now in that status.

    The specification's rule (section 4): the stored status moves only when it is waiting, or processing and the new
    one differs. So what is complete, failed or cancelled stays so until a person starts the file again.
    """
    current = UploadStatus(upload.status)
    follows = current == _S.WAITING or (current == _S.PROCESSING and status != _S.PROCESSING)
    return follows and move(upload, status)
