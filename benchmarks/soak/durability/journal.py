"""What the product promised to clients: one JSON line each, on disk before the client continues."""

from __future__ import annotations

import json
import os
import time
from enum import StrEnum
from pathlib import Path
from typing import Any

Entry = dict[str, Any]


class Event(StrEnum):
    """`..._ASKED` is noted before a call whose answer may get lost, the others after the answer."""

    SIGNED_UP = "signed_up"
    UPLOAD_CREATED = "upload.created"
    OFFSET_PROMISED = "upload.offset"
    UPLOAD_WHOLE = "upload.whole"
    UPLOAD_END_ASKED = "upload.end_asked"
    UPLOAD_ENDED = "upload.ended"
    OFFSET_FELL = "upload.offset_fell"
    EDIT_ASKED = "caption.asked"
    EDIT_SAVED = "caption.saved"
    TEXT_ACCEPTED = "text.accepted"
    EXPORT_ACCEPTED = "export.accepted"
    EXPORT_REMOVE_ASKED = "export.remove_asked"
    EXPORT_REMOVED = "export.removed"
    CANCEL_ASKED = "file.cancel_asked"
    RETRY_ASKED = "file.retry_asked"
    DELETE_ASKED = "file.delete_asked"
    DELETED = "file.deleted"
    RESTORE_ASKED = "file.restore_asked"
    RESTORED = "file.restored"
    PURGE_ASKED = "file.purge_asked"
    PURGED = "file.purged"
    PLAN_ASKED = "plan.asked"
    PLAN_ANSWERED = "plan.answered"
    ADMIN_ASKED = "admin.asked"
    ADMIN_DONE = "admin.done"
    BIN_SHOWS = "bin.shows"
    OPENED = "file.opened"
    SEARCHED = "search.answered"
    PAGE_SHOWS = "page.shows"
    INITIATED = "page.initiated"
    REFUSED = "refused"
    FAULT = "fault"


class Journal:
    """Written by clients and by the fault injector."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file = path.open("a", encoding="utf-8")

    def note(self, event: Event, **fields: Any) -> None:
        self._file.write(json.dumps({"event": event, "at": time.time(), **fields}, ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def read(path: Path) -> list[Entry]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
