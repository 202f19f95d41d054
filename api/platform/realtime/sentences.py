"""What people read about each event. Every sentence stands here once."""

from __future__ import annotations

from api.platform.realtime.messages import QUOTA_EXCEEDED, Action, Topic
from cluster.sentences import paragraph
from cluster.wording.message import Wording
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED

_CANCELLED = Wording("events.cancelled", "You cancelled '{name}'.")

SENTENCES: dict[tuple[Topic, Action], Wording] = {
    (Topic.TUS, Action.COMPLETED): Wording("events.tus.completed", "'{name}' is uploaded and waiting for processing."),
    (Topic.TUS, Action.FAILED): Wording(
        "events.tus.failed", "An error occurred when trying to preprocess the '{name}' video."
    ),
    (Topic.UPLOAD, Action.DISPATCHED): Wording("events.upload.dispatched", "'{name}' is queued for preprocessing."),
    (Topic.UPLOAD, Action.STARTED): Wording("events.upload.started", "Preprocessing '{name}'."),
    (Topic.UPLOAD, Action.COMPLETED): Wording("events.upload.completed", "'{name}' is ready."),
    (Topic.UPLOAD, Action.FAILED): Wording(
        "events.upload.failed", "Something broke while preprocessing your upload '{name}'. :S"
    ),
    (Topic.UPLOAD, Action.ABANDONED): _CANCELLED,
    (Topic.TRANSCRIBE, Action.DISPATCHED): Wording(
        "events.transcribe.dispatched", "Preparing to transcribe your video."
    ),
    (Topic.TRANSCRIBE, Action.STARTED): Wording("events.transcribe.started", "Started transcribing your video."),
    (Topic.TRANSCRIBE, Action.COMPLETED): Wording("events.transcribe.completed", "Your video transcription is ready."),
    (Topic.TRANSCRIBE, Action.FAILED): Wording(
        "events.transcribe.failed", "An error occurred while attempting to transcribe your video."
    ),
    (Topic.TRANSCRIBE, Action.ABANDONED): _CANCELLED,
    (Topic.ENCODING, Action.DISPATCHED): Wording(
        "events.encoding.dispatched", "'{name}' is queued to be prepared for playback."
    ),
    (Topic.ENCODING, Action.STARTED): Wording("events.encoding.started", "Preparing '{name}' for playback."),
    (Topic.ENCODING, Action.COMPLETED): Wording("events.encoding.completed", "'{name}' is ready to play."),
    (Topic.ENCODING, Action.FAILED): Wording(
        "events.encoding.failed", "Something broke while processing your video '{name}'. :S"
    ),
    (Topic.EXPORT, Action.DISPATCHED): Wording(
        "events.export.dispatched", "The export of '{name}' with {language} subtitles is queued."
    ),
    (Topic.EXPORT, Action.STARTED): Wording("events.export.started", "Exporting '{name}' with {language} subtitles."),
    (Topic.EXPORT, Action.COMPLETED): Wording(
        "events.export.completed", "The export of '{name}' with {language} subtitles is ready."
    ),
    (Topic.EXPORT, Action.FAILED): Wording(
        "events.export.failed", "Something broke while trying to export '{name}' with {language} subtitles. :S"
    ),
    (Topic.SPEAKERS, Action.DISPATCHED): Wording(
        "events.speakers.dispatched", "Detecting speakers in '{name}' is queued."
    ),
    (Topic.SPEAKERS, Action.STARTED): Wording("events.speakers.started", "Detecting who speaks in '{name}'."),
    (Topic.SPEAKERS, Action.COMPLETED): Wording("events.speakers.completed", "The speakers of '{name}' are ready."),
    (Topic.SPEAKERS, Action.FAILED): Wording(
        "events.speakers.failed", "A problem occurred while detecting the speakers of '{name}'."
    ),
    (Topic.SPEAKERS, Action.OMITTED): Wording(
        "events.speakers.omitted",
        "The speakers of '{name}' were not detected, because no model that could do it runs here. "
        "You can add them by hand.",
    ),
    (Topic.SPEAKERS, Action.ABANDONED): Wording(
        "events.speakers.abandoned", "You cancelled detecting the speakers of '{name}'."
    ),
    (Topic.EXPORT, Action.ABANDONED): Wording(
        "events.export.abandoned", "You cancelled the export of '{name}' with {language} subtitles."
    ),
    (Topic.MINUTES, Action.DISPATCHED): Wording("events.minutes.dispatched", "AI text for '{name}' is queued: {what}."),
    (Topic.MINUTES, Action.STARTED): Wording("events.minutes.started", "Writing AI text for '{name}': {what}."),
    (Topic.MINUTES, Action.COMPLETED): Wording("events.minutes.completed", "AI text for '{name}' is ready: {what}."),
    (Topic.MINUTES, Action.FAILED): Wording(
        "events.minutes.failed", "A problem occurred when trying to generate AI text for '{name}'."
    ),
    (Topic.MINUTES, Action.ABANDONED): Wording(
        "events.minutes.abandoned", "You cancelled AI text for '{name}': {what}."
    ),
    (Topic.TRANSLATE, Action.DISPATCHED): Wording(
        "events.translate.dispatched", "The translation of '{name}' to {language} is queued."
    ),
    (Topic.TRANSLATE, Action.STARTED): Wording("events.translate.started", "Translating '{name}' to {language}."),
    (Topic.TRANSLATE, Action.COMPLETED): Wording(
        "events.translate.completed", "The translation of '{name}' to {language} is ready."
    ),
    (Topic.TRANSLATE, Action.FAILED): Wording(
        "events.translate.failed", "Something broke while translating '{name}' to {language}. :S"
    ),
    (Topic.TRANSLATE, Action.ABANDONED): Wording(
        "events.translate.abandoned", "You cancelled the translation of '{name}' to {language}."
    ),
    (Topic.RERUN, Action.DISPATCHED): Wording(
        "events.rerun.dispatched", "Transcribing lines of '{name}' again is queued."
    ),
    (Topic.RERUN, Action.STARTED): Wording("events.rerun.started", "Transcribing lines of '{name}' again."),
    (Topic.RERUN, Action.COMPLETED): Wording(
        "events.rerun.completed", "Lines of '{name}' were transcribed again. Choose what to keep."
    ),
    (Topic.RERUN, Action.FAILED): Wording(
        "events.rerun.failed", "A problem occurred while transcribing lines of '{name}' again."
    ),
    (Topic.RERUN, Action.ABANDONED): Wording(
        "events.rerun.abandoned", "You stopped transcribing lines of '{name}' again."
    ),
    (Topic.LIVE, Action.COMPLETED): Wording("events.live.completed", "The live recording '{name}' is kept as a file."),
    (Topic.LIVE, Action.FAILED): Wording("events.live.failed", "A problem occurred in the live recording '{name}'."),
    (Topic.NOTE, Action.ADDED): Wording("events.note.added", "{what} wrote a note on '{name}'."),
}
"""By topic and action. Events without an entry only move progress, and need no words."""

OF_SOUND: dict[tuple[Topic, Action], Wording] = {
    (Topic.TRANSCRIBE, Action.DISPATCHED): Wording(
        "events.transcribe.dispatched.sound", "Preparing to transcribe your audio."
    ),
    (Topic.TRANSCRIBE, Action.STARTED): Wording("events.transcribe.started.sound", "Started transcribing your audio."),
    (Topic.TRANSCRIBE, Action.COMPLETED): Wording(
        "events.transcribe.completed.sound", "Your audio transcription is ready."
    ),
    (Topic.TRANSCRIBE, Action.FAILED): Wording(
        "events.transcribe.failed.sound", "An error occurred while attempting to transcribe your audio."
    ),
    (Topic.ENCODING, Action.FAILED): Wording(
        "events.encoding.failed.sound", "Something broke while processing your audio '{name}'. :S"
    ),
}
"""In place of the sentences above that say "video", for files without a picture."""

QUESTIONS = {
    LANGUAGE_UNSUPPORTED: Wording("events.which_language", "Which language is spoken in '{name}'?"),
    QUOTA_EXCEEDED: Wording(
        "events.too_few_minutes", "There are not enough minutes to transcribe '{name}'. Open it to see what to do."
    ),
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
        return QUESTIONS[code](name=name)
    wording = (OF_SOUND.get((topic, action)) if is_sound else None) or SENTENCES.get((topic, action))
    if wording is None:
        return reason
    sentence = wording(name=name, language=language or "", what=what or "")
    return sentence if reason is None else paragraph(sentence, reason)
