"""How the runtime loads a streaming transducer of any recipe: three files, decoded greedily."""

from __future__ import annotations

from typing import Any

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.tasks.transcription.sherpa.folder import SherpaFolder


def transducer(model: SherpaFolder, threads: int) -> Any:
    import sherpa_onnx

    return sherpa_onnx.OnlineRecognizer.from_transducer(
        encoder=model["encoder"],
        decoder=model["decoder"],
        joiner=model["joiner"],
        tokens=model["tokens"],
        num_threads=threads,
        sample_rate=SAMPLE_RATE,
        feature_dim=model.bands,
        decoding_method="greedy_search",
    )
