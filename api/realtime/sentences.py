"""What people read about each event: the sentences of the specification (sections 4 and 8), each once."""

from __future__ import annotations

from api.realtime.messages import Action, Queue
from pipelines.flows.messages import LANGUAGE_UNSUPPORTED

_CANCELLED = "You cancelled '{name}'."

SENTENCES: dict[tuple[Queue, Action], str] = {
    (Queue.TUS, Action.COMPLETED): "'{name}' is uploaded and waiting for processing.",
    (Queue.TUS, Action.FAILED): "An error occurred when trying to preprocess the '{name}' video.",
    (Queue.UPLOAD, Action.DISPATCHED): "'{name}' is queued for preprocessing.",
    (Queue.UPLOAD, Action.STARTED): "Preprocessing '{name}'.",
    (Queue.UPLOAD, Action.COMPLETED): "'{name}' is ready.",
    (Queue.UPLOAD, Action.FAILED): "Something broke while preprocessing your upload '{name}'. :S",
    (Queue.UPLOAD, Action.ABANDONED): _CANCELLED,
    (Queue.TRANSCRIBE, Action.DISPATCHED): "Preparing to transcribe your video.",
    (Queue.TRANSCRIBE, Action.STARTED): "Started transcribing your video.",
    (Queue.TRANSCRIBE, Action.COMPLETED): "Your video transcription is ready.",
    (Queue.TRANSCRIBE, Action.FAILED): "An error occurred while attempting to transcribe your video.",
    (Queue.TRANSCRIBE, Action.ABANDONED): _CANCELLED,
    (Queue.ENCODING, Action.DISPATCHED): "A copy of '{name}' that plays in browsers is queued.",
    (Queue.ENCODING, Action.STARTED): "Making a copy of '{name}' that plays in browsers.",
    (Queue.ENCODING, Action.COMPLETED): "'{name}' can be played.",
    (Queue.ENCODING, Action.FAILED): "Something broke while processing your video '{name}'. :S",
    (Queue.EXPORT, Action.DISPATCHED): "The export of '{name}' with {language} subtitles is queued.",
    (Queue.EXPORT, Action.STARTED): "Exporting '{name}' with {language} subtitles.",
    (Queue.EXPORT, Action.COMPLETED): "The export of '{name}' with {language} subtitles is ready.",
    (Queue.EXPORT, Action.FAILED): "Something broke while trying to export '{name}' with {language} subtitles. :S",
    (Queue.EXPORT, Action.ABANDONED): "You cancelled the export of '{name}' with {language} subtitles.",
}
"""By queue and action. Events without an entry move what a page shows and need no words."""

QUESTIONS = {LANGUAGE_UNSUPPORTED: "Which language is spoken in '{name}'?"}
"""By the code of a failure that ends with the person's answer."""


def sentence_of(
    queue: Queue,
    action: Action,
    *,
    name: str,
    language: str | None = None,
    reason: str | None = None,
    code: str | None = None,
) -> str | None:
    """The sentence of an event, followed by `reason`, which says why it happened and what to do; None without one.

    `language` is a label such as "Icelandic", not a code. With a `code` of `QUESTIONS` it is the question alone.
    """
    if code in QUESTIONS:
        return QUESTIONS[code].format(name=name)
    template = SENTENCES.get((queue, action))
    if template is None:
        return reason
    sentence = template.format(name=name, language=language or "")
    return sentence if reason is None else f"{sentence} {reason}"
