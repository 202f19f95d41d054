"""Which utterance is which item of `/v1/realtime`."""

from __future__ import annotations

from api.edges.speech.realtime.items import Items
from api.edges.speech.realtime.schemas import Completed, ServerEvent, SpeechStarted
from api.testing.files.live import passage_chunk, spoken
from pipelines.messages.live import LiveWords
from pipelines.messages.results import TranscribedWindow


def group(index: int, begins_ms: int, text: str, start_ms: int) -> LiveWords:
    return LiveWords(index=index, words=spoken(text, start_ms), begins_ms=begins_ms)


def passage(text: str, start_ms: int) -> TranscribedWindow:
    window = passage_chunk(0, text, start_ms).payload
    assert isinstance(window, TranscribedWindow)
    return window


def completed(events: list[ServerEvent]) -> list[str]:
    return [event.transcript for event in events if isinstance(event, Completed)]


def test_an_utterance_that_another_attempt_cuts_anew_stays_one_item() -> None:
    items = Items(by_pauses=True)
    events = [
        *items.words(group(0, 1_000, "good morning", 1_200)),
        # The flow was killed, and its successor has begun to read elsewhere.
        *items.words(group(1, 980, "everybody", 2_000)),
        *items.passage(passage("good morning everybody", 1_000)),
    ]
    assert sum(isinstance(event, SpeechStarted) for event in events) == 1
    assert completed(events) == ["good morning everybody"]


def test_the_next_utterance_is_another_item_while_the_first_is_read_once_more() -> None:
    items = Items(by_pauses=True)
    events = [
        *items.words(group(0, 1_000, "good morning", 1_200)),
        *items.words(group(1, 5_000, "everybody", 5_200)),
        *items.passage(passage("Good morning.", 1_000)),
        *items.passage(passage("Everybody.", 5_000)),
    ]
    assert completed(events) == ["Good morning.", "Everybody."]
