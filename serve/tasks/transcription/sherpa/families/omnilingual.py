"""Omnilingual ASR by Meta: CTC over letters in 1,600 languages, without punctuation and capitals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import WordTimes
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder, check_count, has_parts, model_type, part, parts_of
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import NO_FACTS, UnusableModel

TYPE = "omnilingual-asr"


class Omnilingual(Family):
    name = "omnilingual"
    label = EngineLabel("Omnilingual", prefixes=("sherpa-onnx-omnilingual-asr-1600-languages-",))
    note = Message(
        "transcription.omnilingual_note",
        "Omnilingual ASR is a model by Meta for 1,600 languages. It writes no punctuation and no capital letters.",
    )
    pull = "omnilingual-ctc-300m"
    word_times = WordTimes.NATIVE
    needs_language = False
    punctuates = False

    def holds(self, folder: Path) -> bool:
        return has_parts(folder, ("model",)) and model_type(part(folder, "model")) == TYPE

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, ("model",))
        facts = facts_of(files["model"])
        if not facts.get("vocab_size", "").isdecimal():
            raise UnusableModel(NO_FACTS(name=files["model"].name, facts="vocab_size"))
        check_count(files["tokens"], facts)
        return SherpaFolder(folder, files, frozenset(), licence="Apache-2.0")

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OfflineRecognizer.from_omnilingual_asr_ctc(
            model=model["model"], tokens=model["tokens"], num_threads=threads
        )
