"""Refusals of calls about AI texts."""

from __future__ import annotations

from api.platform.http.errors import Conflict
from cluster.wording.message import Message

STILL_LIVE = Message("ai_texts.still_live", "The transcription is still running. Write a text when it has finished.")
NO_CAPTIONS = Message("ai_texts.no_captions", "There are no captions to write a text from yet. Add some lines first.")
BEING_WRITTEN = Message(
    "ai_texts.being_written", "This text is being written. Wait until it is ready, or cancel that first."
)
NOT_BEING_WRITTEN = Message(
    "ai_texts.not_being_written", "This text is not being written, so there is nothing to cancel."
)
NOTHING_WRITTEN = Message("ai_texts.nothing_written", "This text has not been written yet.")
EMPTY = Message("ai_texts.empty", "The text is empty. Type something, or delete the text instead.")


class TextChanged(Conflict):
    """Somebody saved a newer version than the one that was edited."""

    code = "text_changed"
    message = Message(
        "ai_texts.text_changed",
        "This text was changed after you opened it. Copy what you typed, then load the newer version.",
    )
