"""Refusals of calls about AI texts."""

from __future__ import annotations

from api.platform.http.errors import Conflict

STILL_LIVE = "The transcription is still running. Write a text when it has finished."
NO_CAPTIONS = "There are no captions to write a text from yet. Add some lines first."
BEING_WRITTEN = "This text is being written. Wait until it is ready, or cancel that first."
NOT_BEING_WRITTEN = "This text is not being written, so there is nothing to cancel."
NOTHING_WRITTEN = "This text has not been written yet."
EMPTY = "The text is empty. Type something, or delete the text instead."


class TextChanged(Conflict):
    """Somebody saved a newer version than the one that was edited."""

    code = "text_changed"
    message = "This text was changed after you opened it. Copy what you typed, then load the newer version."
