"""Zipformer and its relatives: transducers of the k2 recipes, one language or two each."""

from __future__ import annotations

import re
from pathlib import Path

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import WordTimes
from serve.tasks.transcription.sherpa.families.transducer import PARTS, Transducer, can_spell, transducer_facts
from serve.tasks.transcription.sherpa.folder import (
    SherpaFolder,
    check_count,
    is_streaming,
    parts_of,
)
from serve.tasks.transcription.sherpa.hotwords import single_pieces
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import NO_FACTS, UnusableModel

TYPES = ("zipformer", "zipformer2", "conformer", "lstm")
"""What the encoders of these recipes say that they are."""
_NAMES = {"korean": "ko", "thai": "th", "cantonese": "yue", "gigaspeech": "en", "libriheavy": "en", "wenetspeech": "zh"}
_CODES = ("ar", "bn", "de", "en", "es", "fr", "id", "ja", "ko", "nl", "pl", "pt", "ru", "th", "uk", "vi", "yue", "zh")
_DECODER_FACTS = ("vocab_size", "context_size")


class Zipformer(Transducer):
    name = "zipformer"
    label = EngineLabel("Zipformer", prefixes=("sherpa-onnx-zipformer-", "sherpa-onnx-"))
    note = Message("transcription.zipformer_note", "A small model of the k2 project for the languages in its name.")
    pull = "zipformer-en"
    word_times = WordTimes.NATIVE

    def holds(self, folder: Path) -> bool:
        facts = transducer_facts(folder)
        return facts.get("model_type") in TYPES and not is_streaming(facts)

    def open(self, folder: Path) -> SherpaFolder:
        return open_k2(folder)


def open_k2(folder: Path) -> SherpaFolder:
    """A transducer of k2's recipes, streaming or not. Raises UnusableModel or OSError."""
    files = parts_of(folder, PARTS)
    facts = facts_of(files["decoder"])
    if missing := [fact for fact in _DECODER_FACTS if not facts.get(fact, "").isdecimal()]:
        raise UnusableModel(NO_FACTS(name=files["decoder"].name, facts=", ".join(missing)))
    facts_of(files["joiner"])
    check_count(files["tokens"], facts)
    return SherpaFolder(
        folder,
        files,
        _languages_of(folder.name),
        licence="Apache-2.0",
        takes_terms=can_spell(files["tokens"]),
        punctuates="." in single_pieces(files["tokens"]),
    )


def _languages_of(name: str) -> frozenset[str]:
    """The languages in a folder's name, such as `sherpa-onnx-zipformer-zh-en-2023-11-22`; English where none is."""
    words = re.split(r"[-_]", name.lower())
    return frozenset(_NAMES.get(word, word) for word in words if word in _NAMES or word in _CODES) or frozenset({"en"})
