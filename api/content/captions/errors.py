"""Refusals of caption calls, in the form that the editor reads."""

from __future__ import annotations

from typing import Any

from api.content.captions.wire import line_to_wire
from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message
from pipelines.languages import language_label
from pipelines.messages.lines import CaptionLine

STALE = Message(
    "captions.stale", "Somebody changed this line after you opened it. Compare both texts and save the one to keep."
)
GONE = Message("captions.gone", "This line is no longer there. Somebody may have deleted or merged it.")
CHANGED_SINCE = Message(
    "captions.changed_since",
    "Somebody changed the captions since you last looked. Look at their change, then try again.",
)
NOT_YET = Message("captions.not_yet", "The captions have no such revision. Reload the page and try again.")
TAKEN_ID = Message("captions.taken_id", "A line with this id exists already. Choose a new id for the new line.")
OTHER_LANGUAGE = Message("captions.other_language", "This file has no captions in that language.")
SOURCE_MOVED_ON = Message(
    "captions.source_moved_on",
    "The captions that this translation follows have changed here since, so this step cannot be taken back. "
    "Correct the lines by hand.",
)
STILL_LIVE = Message(
    "captions.still_live", "This file is still being transcribed. You can change its captions as soon as that is done."
)


class StaleEdit(Conflict):
    """The editor has not seen the newest state. The answer carries that state, and nothing is overwritten."""

    def __init__(
        self,
        message: str,
        *,
        revision: int,
        line: CaptionLine | None = None,
        line_revision: int = 0,
        source: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.revision = revision
        self.line = None if line is None else line_to_wire(line, line_revision, source)

    def body(self) -> dict[str, Any]:
        return {
            "status": "Conflict",
            "message": self.message,
            "data": {"revision": self.revision, "line": self.line},
        }


class EditFailed(Invalid):
    """A change that cannot be made."""

    def body(self) -> dict[str, Any]:
        return {"status": "Failed", **super().body()}


class NoSuchTrack(EditFailed):
    """The file has no captions in the language; perhaps somebody deleted them."""

    code = "no_captions_in_language"


class LanguageTaken(EditFailed):
    """A file has one track for each language, and another track has this one."""

    def __init__(self, language: str) -> None:
        super().__init__(
            Message(
                "captions.language_taken",
                "This file already has other captions in {language}. Delete those first.",
                language=language_label(language),
            )
        )
