"""Cohere Transcribe: an encoder and a decoder for 14 languages, with punctuation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder, has_parts, model_type, part, parts_of, tokens_of
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import LACKS_TOKENS, UnusableModel

TYPE = "cohere-transcribe"
LANGUAGES = frozenset({"ar", "de", "el", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "vi", "zh"})
_PARTS = ("encoder", "decoder")
_PROMPT = (
    *("<|startofcontext|>", "<|startoftranscript|>", "<|emo:undefined|>", "<|pnc|>", "<|itn|>", "<|noitn|>"),
    *("<|notimestamp|>", "<|nodiarize|>", "<|endoftext|>"),
)
"""Tokens that the runtime looks up by name."""


class Cohere(Family):
    name = "cohere"
    label = EngineLabel("Cohere Transcribe", prefixes=("sherpa-onnx-cohere-transcribe-",))
    note = Message("transcription.cohere_note", "Cohere Transcribe gives no times for single words.")
    pull = "cohere-transcribe"

    def holds(self, folder: Path) -> bool:
        return has_parts(folder, _PARTS) and TYPE in model_type(part(folder, "encoder"))

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, _PARTS)
        tokens = set(tokens_of(files["tokens"]))
        if missing := [token for token in _PROMPT if token not in tokens]:
            raise UnusableModel(LACKS_TOKENS(name=files["tokens"].name, tokens=", ".join(missing)))
        facts_of(files["decoder"])
        # A smaller model may know some of the languages alone.
        languages = frozenset(language for language in LANGUAGES if f"<|{language}|>" in tokens)
        return SherpaFolder(folder, files, languages, licence="Apache-2.0")

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OfflineRecognizer.from_cohere_transcribe(
            encoder=model["encoder"], decoder=model["decoder"], tokens=model["tokens"], num_threads=threads
        )

    def stream(self, recognizer: Any, model: SherpaFolder, window: AudioWindow) -> Any:
        stream = recognizer.create_stream()
        stream.set_option("language", window.options.language or "")
        return stream
