"""Canary by NVIDIA: an encoder and a decoder for English, Spanish, German and French, with punctuation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder, has_parts, model_type, part, parts_of, tokens_of
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import LACKS_TOKENS, NO_FACTS, OTHER_LIST, UnusableModel

TYPE = "EncDecMultiTaskModel"
LANGUAGES = frozenset({"en", "es", "de", "fr"})
"""Those that the runtime can ask it for."""
_PARTS = ("encoder", "decoder")
_FACTS = ("vocab_size", "subsampling_factor", "feat_dim")
_PROMPT = (
    *("<|startofcontext|>", "<|startoftranscript|>", "<|emo:undefined|>", "<|pnc|>", "<|noitn|>"),
    *("<|notimestamp|>", "<|nodiarize|>", "<|endoftext|>", *(f"<|{language}|>" for language in sorted(LANGUAGES))),
)
"""Tokens that the runtime looks up by name."""


class Canary(Family):
    name = "canary"
    label = EngineLabel("Canary", prefixes=("sherpa-onnx-nemo-canary-",))
    note = Message("transcription.canary_note", "Canary is a model by NVIDIA, used under the licence CC-BY-4.0.")
    pull = "canary-180m-flash"
    one_at_a_time = True

    def holds(self, folder: Path) -> bool:
        return has_parts(folder, _PARTS) and model_type(part(folder, "encoder")) == TYPE

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, _PARTS)
        encoder = files["encoder"]
        facts = facts_of(encoder)
        if missing := [fact for fact in _FACTS if not facts.get(fact, "").isdecimal()]:
            raise UnusableModel(NO_FACTS(name=encoder.name, facts=", ".join(missing)))
        tokens = tokens_of(files["tokens"])
        if len(tokens) != int(facts["vocab_size"]):
            name = files["tokens"].name
            raise UnusableModel(OTHER_LIST(name=name, listed=len(tokens), pieces=int(facts["vocab_size"])))
        if missing := [token for token in _PROMPT if token not in tokens]:
            raise UnusableModel(LACKS_TOKENS(name=files["tokens"].name, tokens=", ".join(missing)))
        facts_of(files["decoder"])
        return SherpaFolder(folder, files, LANGUAGES, bands=int(facts["feat_dim"]), licence="CC-BY-4.0")

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OfflineRecognizer.from_nemo_canary(
            encoder=model["encoder"],
            decoder=model["decoder"],
            tokens=model["tokens"],
            num_threads=threads,
            sample_rate=SAMPLE_RATE,
            feature_dim=model.bands,
        )

    def stream(self, recognizer: Any, model: SherpaFolder, window: AudioWindow) -> Any:
        # The language is the recogniser's: the engine decodes one call at a time, of windows of one language.
        canary = recognizer.config.model_config.canary
        canary.src_lang = canary.tgt_lang = window.options.language
        recognizer.recognizer.set_config(recognizer.config)
        return recognizer.create_stream()
