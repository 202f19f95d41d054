"""SenseVoice by FunASR: CTC for Chinese, Cantonese, English, Japanese and Korean, which it tells apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import WordTimes
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder, check_count, has_parts, model_type, part, parts_of
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import NO_FACTS, UnusableModel

TYPE = "sense_voice_ctc"
LANGUAGES = frozenset({"zh", "yue", "en", "ja", "ko"})
_FACTS = (
    *("vocab_size", "lfr_window_size", "lfr_window_shift", "normalize_samples", "with_itn", "without_itn"),
    *("neg_mean", "inv_stddev"),
)


class SenseVoice(Family):
    name = "sense_voice"
    label = EngineLabel("SenseVoice", prefixes=("sherpa-onnx-sense-voice-",))
    note = Message("transcription.sense_voice_note", "SenseVoice is a model by FunASR, used under its own licence.")
    pull = "sense-voice"
    word_times = WordTimes.NATIVE
    is_batched = True
    detects_language = True
    needs_language = False

    def holds(self, folder: Path) -> bool:
        return has_parts(folder, ("model",)) and model_type(part(folder, "model")) == TYPE

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, ("model",))
        facts = facts_of(files["model"])
        if missing := [fact for fact in _FACTS if not facts.get(fact)]:
            raise UnusableModel(NO_FACTS(name=files["model"].name, facts=", ".join(missing)))
        if not facts["vocab_size"].isdecimal():
            raise UnusableModel(NO_FACTS(name=files["model"].name, facts="vocab_size"))
        check_count(files["tokens"], facts)
        return SherpaFolder(folder, files, LANGUAGES, licence="FunASR Model License")

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        # Its language is one for all streams, so it detects it, also where it is known.
        return sherpa_onnx.OfflineRecognizer.from_sense_voice(
            model=model["model"], tokens=model["tokens"], num_threads=threads, sample_rate=SAMPLE_RATE, use_itn=True
        )
