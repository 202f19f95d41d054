"""How the runtime loads a streaming transducer of any recipe: three files, decoded greedily."""

from __future__ import annotations

from typing import Any

from serve.tasks.transcription.sherpa.families.transducer import transducer_options
from serve.tasks.transcription.sherpa.folder import SherpaFolder


def transducer(model: SherpaFolder, threads: int) -> Any:
    import sherpa_onnx

    return sherpa_onnx.OnlineRecognizer.from_transducer(
        **transducer_options(model, threads), decoding_method="greedy_search"
    )
