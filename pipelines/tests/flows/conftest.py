from __future__ import annotations

from pipelines.testing.captioned import captioned, client
from pipelines.testing.media.attempts import attempt, installation
from pipelines.testing.text_endpoint import endpoint, remote
from pipelines.testing.translate_flow import start
from serve.testing.speech import clips, models_root, whisper
from serve.testing.text import chat_root, selector, tiny_writer

__all__ = [
    "attempt",
    "captioned",
    "chat_root",
    "client",
    "clips",
    "endpoint",
    "installation",
    "models_root",
    "remote",
    "selector",
    "start",
    "tiny_writer",
    "whisper",
]
