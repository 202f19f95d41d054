"""The model tasks of an installation: each name is a folder here. Importing this loads nothing."""

NAMES = ("transcription", "translation", "text", "diarization", "alignment", "live")
