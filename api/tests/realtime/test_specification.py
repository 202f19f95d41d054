"""The server's part of the error catalogue (section 8) and of the realtime actions (section 4) of the specification."""

from __future__ import annotations

import pytest

from api.content.files.queries import FILE_NOT_FOUND
from api.platform.http.errors import Forbidden
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.sentences import sentence_of


@pytest.mark.parametrize(
    ("topic", "action", "sentence"),
    [
        (Topic.TUS, Action.FAILED, "An error occurred when trying to preprocess the 'Talk' video."),
        (Topic.MINUTES, Action.FAILED, "A problem occurred when trying to generate AI text for 'Talk'."),
        (Topic.UPLOAD, Action.FAILED, "Something broke while preprocessing your upload 'Talk'. :S"),
        (Topic.ENCODING, Action.FAILED, "Something broke while processing your video 'Talk'. :S"),
        (Topic.EXPORT, Action.FAILED, "Something broke while trying to export 'Talk' with Icelandic subtitles. :S"),
        (Topic.TRANSCRIBE, Action.DISPATCHED, "Preparing to transcribe your video."),
        (Topic.TRANSCRIBE, Action.STARTED, "Started transcribing your video."),
        (Topic.TRANSCRIBE, Action.COMPLETED, "Your video transcription is ready."),
        (Topic.TRANSCRIBE, Action.FAILED, "An error occurred while attempting to transcribe your video."),
    ],
)
def test_an_event_says(topic: Topic, action: Action, sentence: str) -> None:
    assert sentence_of(topic, action, name="Talk", language="Icelandic") == sentence


def test_a_refusal_says() -> None:
    assert Forbidden().message == "You dont have enough permission to access this route."
    assert str(FILE_NOT_FOUND) == "File not found"
