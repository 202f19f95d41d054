"""transformers' pipeline for speech recognition with any model it loads; word times where the model has them."""

from __future__ import annotations

import wave

from benchmarks.measure.models.asr.answer import SpeechAnswer, SpokenWord, milliseconds
from benchmarks.measure.models.child import Json, Loaded

CHUNK_S = 30
_SAMPLE_RATE = 16_000


def load(configuration: Json) -> Loaded:
    """`model` is a folder or a hub name; the rest as for faster-whisper."""
    import numpy as np
    import torch
    from transformers import pipeline

    on_gpu = configuration["device"] == "cuda"
    recognizer = pipeline(
        "automatic-speech-recognition",
        model=configuration["model"],
        device="cuda:0" if on_gpu else "cpu",
        dtype=torch.float16 if on_gpu else torch.float32,
        chunk_length_s=CHUNK_S,
        batch_size=max(1, configuration["batch"]),
    )
    if recognizer.tokenizer.pad_token is None:
        # Batches need one; the end of text is the usual choice.
        recognizer.tokenizer.pad_token = recognizer.tokenizer.eos_token
    # Models without Whisper's settings for generating, such as most CTC models, have neither languages nor word times.
    generation = recognizer.model.generation_config
    has_times = getattr(generation, "alignment_heads", None) is not None
    has_languages = getattr(generation, "lang_to_id", None) is not None

    def answer(request: Json) -> Json:
        with wave.open(request["wav"]) as reader:
            pcm = reader.readframes(reader.getnframes())
        samples = np.frombuffer(pcm, "<i2").astype(np.float32) / 32_768
        options: Json = {"return_timestamps": "word"} if has_times else {}
        if has_languages:
            chosen = {"language": request["language"]} if request["language"] else {}
            options["generate_kwargs"] = {**chosen, "task": "transcribe", "num_beams": configuration["beam"]}
        result = recognizer({"raw": samples, "sampling_rate": _SAMPLE_RATE}, **options)
        chunks = result.get("chunks") or [{"text": word, "timestamp": (None, None)} for word in result["text"].split()]
        spoken = tuple(
            SpokenWord(each["text"].strip(), milliseconds(each["timestamp"][0]), milliseconds(each["timestamp"][1]))
            for each in chunks
        )
        return SpeechAnswer(spoken, request["language"]).as_json()

    return Loaded(answer, {"engine": "transformers", "model": configuration["model"]})
