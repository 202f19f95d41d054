"""Which status of a file may follow which. Everything that changes a status asks here."""

from __future__ import annotations

from api.files.models import File, FileStatus

_S = FileStatus

ALLOWED: dict[FileStatus, frozenset[FileStatus]] = {
    _S.UPLOADING: frozenset({_S.WAITING, _S.FAILED, _S.ABANDONED}),
    _S.WAITING: frozenset({_S.PROCESSING, _S.FAILED, _S.ABANDONED}),
    _S.PROCESSING: frozenset({_S.TRANSCRIBING, _S.COMPLETED, _S.FAILED, _S.ABANDONED, _S.WAITING}),
    _S.TRANSCRIBING: frozenset({_S.COMPLETED, _S.FAILED, _S.ABANDONED}),
    # A person may start a finished, failed or abandoned file again.
    _S.COMPLETED: frozenset({_S.WAITING, _S.TRANSCRIBING}),
    _S.FAILED: frozenset({_S.WAITING, _S.TRANSCRIBING}),
    # One that was only transcribed again goes back to the captions it has.
    _S.ABANDONED: frozenset({_S.WAITING, _S.TRANSCRIBING, _S.COMPLETED}),
}

UNFINISHED = (_S.UPLOADING, _S.WAITING, _S.PROCESSING, _S.TRANSCRIBING)


def move(file: File, status: FileStatus) -> bool:
    """Set the status when the table allows it; says whether it is now that status."""
    current = FileStatus(file.status)
    if current == status:
        return True
    if status not in ALLOWED[current]:
        return False
    file.status = status
    return True
