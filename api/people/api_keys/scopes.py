"""What a key may be used for."""

from __future__ import annotations

from enum import StrEnum


class Scope(StrEnum):
    TRANSCRIBE = "transcribe"
    FILES_READ = "files:read"
    FILES_WRITE = "files:write"
    CAPTIONS_READ = "captions:read"
    CAPTIONS_WRITE = "captions:write"
    WEBHOOKS = "webhooks"
