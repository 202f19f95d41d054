"""The original implementation, openai-whisper, with its defaults and word times."""

from __future__ import annotations

from benchmarks.measure.models.asr.answer import SpeechAnswer, SpokenWord, milliseconds
from benchmarks.measure.models.child import Json, Loaded


def load(configuration: Json) -> Loaded:
    """`model` is a `.pt` file or a size that openai-whisper has downloaded; the rest as for faster-whisper."""
    import whisper

    device = configuration["device"]
    model = whisper.load_model(configuration["model"], device=device)
    # A beam of 1 is greedy decoding, which its option names by None.
    beam = configuration["beam"] if configuration["beam"] > 1 else None

    def answer(request: Json) -> Json:
        result = model.transcribe(
            request["wav"],
            language=request["language"] or None,
            beam_size=beam,
            word_timestamps=True,
            fp16=device == "cuda",
        )
        spoken = tuple(
            SpokenWord(
                word["word"].strip(), milliseconds(word["start"]), milliseconds(word["end"]), word["probability"]
            )
            for segment in result["segments"]
            for word in segment["words"]
        )
        return SpeechAnswer(spoken, result["language"]).as_json()

    return Loaded(answer, {"engine": "openai-whisper", "model": configuration["model"]})
