"""What people read about each event. Every sentence stands here once."""

from __future__ import annotations

from api.platform.realtime.messages import QUOTA_EXCEEDED, Action, Topic
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED

_CANCELLED = "You cancelled '{name}'."

SENTENCES: dict[tuple[Topic, Action], str] = {
    (Topic.TUS, Action.COMPLETED): "'{name}' is uploaded and waiting for processing.",
    (Topic.TUS, Action.FAILED): "An error occurred when trying to preprocess the '{name}' video.",
    (Topic.UPLOAD, Action.DISPATCHED): "'{name}' is queued for preprocessing.",
    (Topic.UPLOAD, Action.STARTED): "Preprocessing '{name}'.",
    (Topic.UPLOAD, Action.COMPLETED): "'{name}' is ready.",
    (Topic.UPLOAD, Action.FAILED): "Something broke while preprocessing your upload '{name}'. :S",
    (Topic.UPLOAD, Action.ABANDONED): _CANCELLED,
    (Topic.TRANSCRIBE, Action.DISPATCHED): "Preparing to transcribe your video.",
    (Topic.TRANSCRIBE, Action.STARTED): "Started transcribing your video.",
    (Topic.TRANSCRIBE, Action.COMPLETED): "Your video transcription is ready.",
    (Topic.TRANSCRIBE, Action.FAILED): "An error occurred while attempting to transcribe your video.",
    (Topic.TRANSCRIBE, Action.ABANDONED): _CANCELLED,
    (Topic.ENCODING, Action.DISPATCHED): "'{name}' is queued to be prepared for playback.",
    (Topic.ENCODING, Action.STARTED): "Preparing '{name}' for playback.",
    (Topic.ENCODING, Action.COMPLETED): "'{name}' is ready to play.",
    (Topic.ENCODING, Action.FAILED): "Something broke while processing your video '{name}'. :S",
    (Topic.EXPORT, Action.DISPATCHED): "The export of '{name}' with {language} subtitles is queued.",
    (Topic.EXPORT, Action.STARTED): "Exporting '{name}' with {language} subtitles.",
    (Topic.EXPORT, Action.COMPLETED): "The export of '{name}' with {language} subtitles is ready.",
    (Topic.EXPORT, Action.FAILED): "Something broke while trying to export '{name}' with {language} subtitles. :S",
    (Topic.SPEAKERS, Action.DISPATCHED): "Detecting speakers in '{name}' is queued.",
    (Topic.SPEAKERS, Action.STARTED): "Detecting who speaks in '{name}'.",
    (Topic.SPEAKERS, Action.COMPLETED): "The speakers of '{name}' are ready.",
    (Topic.SPEAKERS, Action.FAILED): "A problem occurred while detecting the speakers of '{name}'.",
    (Topic.SPEAKERS, Action.OMITTED): "The speakers of '{name}' were not detected, because no model that could do it "
    "runs here. You can add them by hand.",
    (Topic.SPEAKERS, Action.ABANDONED): "You cancelled detecting the speakers of '{name}'.",
    (Topic.EXPORT, Action.ABANDONED): "You cancelled the export of '{name}' with {language} subtitles.",
    (Topic.MINUTES, Action.DISPATCHED): "AI text for '{name}' is queued: {what}.",
    (Topic.MINUTES, Action.STARTED): "Writing AI text for '{name}': {what}.",
    (Topic.MINUTES, Action.COMPLETED): "AI text for '{name}' is ready: {what}.",
    (Topic.MINUTES, Action.FAILED): "A problem occurred when trying to generate AI text for '{name}'.",
    (Topic.MINUTES, Action.ABANDONED): "You cancelled AI text for '{name}': {what}.",
    (Topic.TRANSLATE, Action.DISPATCHED): "The translation of '{name}' to {language} is queued.",
    (Topic.TRANSLATE, Action.STARTED): "Translating '{name}' to {language}.",
    (Topic.TRANSLATE, Action.COMPLETED): "The translation of '{name}' to {language} is ready.",
    (Topic.TRANSLATE, Action.FAILED): "Something broke while translating '{name}' to {language}. :S",
    (Topic.TRANSLATE, Action.ABANDONED): "You cancelled the translation of '{name}' to {language}.",
    (Topic.RERUN, Action.DISPATCHED): "Transcribing lines of '{name}' again is queued.",
    (Topic.RERUN, Action.STARTED): "Transcribing lines of '{name}' again.",
    (Topic.RERUN, Action.COMPLETED): "Lines of '{name}' were transcribed again. Choose what to keep.",
    (Topic.RERUN, Action.FAILED): "A problem occurred while transcribing lines of '{name}' again.",
    (Topic.RERUN, Action.ABANDONED): "You stopped transcribing lines of '{name}' again.",
    (Topic.NOTE, Action.ADDED): "{what} wrote a note on '{name}'.",
}
"""By topic and action. Events without an entry only move progress, and need no words."""

OF_SOUND: dict[tuple[Topic, Action], str] = {
    (Topic.TRANSCRIBE, Action.DISPATCHED): "Preparing to transcribe your audio.",
    (Topic.TRANSCRIBE, Action.STARTED): "Started transcribing your audio.",
    (Topic.TRANSCRIBE, Action.COMPLETED): "Your audio transcription is ready.",
    (Topic.TRANSCRIBE, Action.FAILED): "An error occurred while attempting to transcribe your audio.",
    (Topic.ENCODING, Action.FAILED): "Something broke while processing your audio '{name}'. :S",
}
"""In place of the sentences above that say "video", for files without a picture."""

QUESTIONS = {
    LANGUAGE_UNSUPPORTED: "Which language is spoken in '{name}'?",
    QUOTA_EXCEEDED: "There are not enough minutes to transcribe '{name}'. Open it to see what to do.",
}
"""By the code of a failure that waits for the person's answer."""


def sentence_of(
    topic: Topic,
    action: Action,
    *,
    name: str,
    language: str | None = None,
    what: str | None = None,
    reason: str | None = None,
    code: str | None = None,
    is_sound: bool = False,
) -> str | None:
    """The sentence of an event, followed by `reason`, which says why it happened and what to do; None without one.

    `language` is a label such as "Icelandic", not a code. `what` names a piece of work beside others of its kind. With
    a `code` of `QUESTIONS` it is the question alone.
    """
    if code in QUESTIONS:
        return QUESTIONS[code].format(name=name)
    template = (OF_SOUND.get((topic, action)) if is_sound else None) or SENTENCES.get((topic, action))
    if template is None:
        return reason
    sentence = template.format(name=name, language=language or "", what=what or "")
    return sentence if reason is None else f"{sentence} {reason}"
