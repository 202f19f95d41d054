"""What the built-in engine knows and says. Importing this loads nothing."""

from __future__ import annotations

from cluster.wording.message import Message, Wording

LANGUAGES = frozenset({"en"})
NOTE = Message("transcription.pocketsphinx_note", "The built-in engine knows English only and errs often.")
ENGLISH_ONLY = Wording(
    "transcription.english_only",
    "The offline speech engine PocketSphinx supports only English, not the language “{language}”. "
    "Install a Whisper model to transcribe it.",
)
CRASHED = Message("transcription.crashed", "The speech engine PocketSphinx stopped while it was decoding.")
