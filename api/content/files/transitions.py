"""Which status of a file may follow which."""

from __future__ import annotations

from api.content.files.models import File, FileStatus
from api.platform.db.transitions import Transitions

_S = FileStatus

FILE_STATUS = Transitions(
    File,
    File.status,
    {
        _S.UPLOADING: frozenset({_S.WAITING, _S.FAILED, _S.ABANDONED}),
        _S.WAITING: frozenset({_S.PROCESSING, _S.FAILED, _S.ABANDONED}),
        # Another attempt starts in the status the last one left.
        _S.PROCESSING: frozenset(
            {_S.PROCESSING, _S.TRANSCRIBING, _S.COMPLETED, _S.FAILED, _S.ABANDONED, _S.WAITING},
        ),
        _S.TRANSCRIBING: frozenset({_S.TRANSCRIBING, _S.COMPLETED, _S.FAILED, _S.ABANDONED}),
        _S.LIVE: frozenset({_S.COMPLETED, _S.FAILED, _S.ABANDONED}),
        # A person may start a finished, failed or abandoned file again.
        _S.COMPLETED: frozenset({_S.WAITING, _S.TRANSCRIBING}),
        _S.FAILED: frozenset({_S.WAITING, _S.TRANSCRIBING, _S.LIVE}),
        # A waiting job is cancelled with its file, a running one after it. A file that was only transcribed again
        # returns to the captions it has.
        _S.ABANDONED: frozenset({_S.ABANDONED, _S.WAITING, _S.TRANSCRIBING, _S.LIVE, _S.COMPLETED}),
    },
)

UNFINISHED = (_S.UPLOADING, _S.WAITING, _S.PROCESSING, _S.TRANSCRIBING)
