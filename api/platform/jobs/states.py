"""The states of jobs and attempts."""

from __future__ import annotations

from enum import StrEnum


class JobKind(StrEnum):
    UPLOAD = "upload"
    TRANSCRIBE = "transcribe"
    RETRANSCRIBE = "retranscribe"
    """Parts of a file that has captions, to compare with them."""
    MEASURE = "measure"
    """Gives words that people wrote the times at which they are spoken."""
    ENCODING = "encoding"
    SHOTS = "shots"
    """Finds where the picture cuts."""
    EXPORT = "export"
    TRANSLATE = "translate"
    MINUTES = "minutes"
    """Every kind of AI text."""
    PROOFREAD = "proofread"
    LIVE = "live"
    """Follows a recording while it is made."""
    SPEAKERS = "speakers"
    SPEECH_SOUND = "speech_sound"
    """Decodes the sound of a call of the speech API; the next one makes its text."""
    SPEECH_TEXT = "speech_text"
    SPEECH_SHORT = "speech_short"
    """The text of a short sound, which was decoded before. It takes the place of the two above."""
    SPEECH_SPEAKERS = "speech_speakers"
    """Who speaks in it."""
    SPEECH_ENGLISH = "speech_english"


class JobState(StrEnum):
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ErrorCode(StrEnum):
    """Why a job failed, for logs and tests. People read the sentence next to it."""

    STAGE = "stage"
    CRASHED = "crashed"
    INFRASTRUCTURE = "infrastructure"
    STALLED = "stalled"
    STORAGE_AWAY = "storage_away"
    OVERLOADED = "overloaded"
    LANGUAGE_UNSUPPORTED = "language_unsupported"


class AttemptEnd(StrEnum):
    """How one attempt ended."""

    DONE = "done"
    RETRIED = "retried"
    FAILED = "failed"
    CANCELLED = "cancelled"
    HANDED_BACK = "handed_back"
    LEASE_ENDED = "lease_ended"


class Stop(StrEnum):
    """Why a dispatcher ends an attempt."""

    CANCELLED = "cancelled"
    LEASE_LOST = "lease_lost"
    SHUTDOWN = "shutdown"
    STALLED = "stalled"
    NODE_LEAVES = "node_leaves"
