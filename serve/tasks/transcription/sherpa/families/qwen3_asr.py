"""Qwen3-ASR: a speech encoder before a language model, for 30 languages. It detects the language and takes terms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder, part
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import LACKS, LACKS_TOKENS, NO_TOKENIZER, UnusableModel

LANGUAGES = frozenset(
    (
        *("zh", "en", "yue", "ar", "de", "fr", "es", "pt", "id", "it", "ko", "ru", "th", "vi", "ja", "tr", "hi", "ms"),
        *("nl", "sv", "da", "fi", "pl", "cs", "tl", "fa", "el", "hu", "mk", "ro"),
    )
)
"""Those of its model card. Icelandic is not among them."""
TERMS_CHARS = 600
"""The prompt and the sound share 512 tokens; half a minute of sound takes about 390."""
_PARTS = ("conv_frontend", "encoder", "decoder")
_TOKENIZER = ("vocab.json", "merges.txt", "tokenizer_config.json")
_SPECIAL = ("<|im_start|>", "<|im_end|>", "<|audio_start|>", "<|audio_end|>", "<|audio_pad|>")
_NEW_TOKENS = 448
"""Whisper's limit for half a minute; the runtime's own of 128 cuts off quick speech."""
_TOTAL_TOKENS = 1024


class Qwen3Asr(Family):
    name = "qwen3_asr"
    label = EngineLabel("Qwen3-ASR", prefixes=("sherpa-onnx-qwen3-asr-",))
    note = Message("transcription.qwen3_note", "Qwen3-ASR gives no times for single words.")
    pull = "qwen3-asr-0.6b"
    needs_language = False

    def holds(self, folder: Path) -> bool:
        return (folder / "tokenizer").is_dir() and all(part(folder, stem) is not None for stem in _PARTS)

    def open(self, folder: Path) -> SherpaFolder:
        tokenizer = folder / "tokenizer"
        found = {stem: part(folder, stem) for stem in _PARTS}
        missing = [stem for stem, path in found.items() if path is None]
        missing += [f"tokenizer/{name}" for name in _TOKENIZER if not (tokenizer / name).is_file()]
        if missing:
            raise UnusableModel(LACKS(parts=", ".join(missing)))
        files = {stem: path for stem, path in found.items() if path is not None}
        for path in files.values():
            facts_of(path)
        _check(tokenizer)
        return SherpaFolder(
            folder, {**files, "tokenizer": tokenizer}, LANGUAGES, licence="Apache-2.0", takes_terms=True
        )

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OfflineRecognizer.from_qwen3_asr(
            conv_frontend=model["conv_frontend"],
            encoder=model["encoder"],
            decoder=model["decoder"],
            tokenizer=model["tokenizer"],
            num_threads=threads,
            sample_rate=SAMPLE_RATE,
            max_total_len=_TOTAL_TOKENS,
            max_new_tokens=_NEW_TOKENS,
        )

    def stream(self, recognizer: Any, model: SherpaFolder, window: AudioWindow) -> Any:
        stream = recognizer.create_stream()
        if terms := _listed(window.options.terms):
            stream.set_option("hotwords", terms)
        return stream


def _check(tokenizer: Path) -> None:
    """The runtime ends the process for a vocabulary that it cannot read."""
    try:
        vocabulary = json.loads((tokenizer / "vocab.json").read_text("utf-8"))
        added = json.loads((tokenizer / "tokenizer_config.json").read_text("utf-8"))["added_tokens_decoder"]
        known = set(vocabulary) | {entry["content"] for entry in added.values()}
    except (ValueError, KeyError, TypeError, AttributeError) as broken:
        raise UnusableModel(NO_TOKENIZER(folder=tokenizer.name)) from broken
    if missing := [token for token in _SPECIAL if token not in known]:
        raise UnusableModel(LACKS_TOKENS(name=tokenizer.name, tokens=", ".join(missing)))


def _listed(terms: tuple[str, ...]) -> str:
    chosen: list[str] = []
    free = TERMS_CHARS
    for term in terms:
        free -= len(term) + 1
        if free < 0:
            break
        chosen.append(term.replace(",", " "))
    return ",".join(chosen)
