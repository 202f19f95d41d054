"""The environment of `make test-gpu`."""

from __future__ import annotations

import pytest


@pytest.mark.gpu_env
def test_the_libraries_of_the_gpu_extra_work_together() -> None:
    import torch
    import torchaudio
    from pyannote.audio import Pipeline
    from transformers import AutoModelForSeq2SeqLM

    # The parts of torchaudio that are not compiled, as pyannote uses them.
    features = torchaudio.compliance.kaldi.fbank(torch.zeros(1, 16_000))
    assert features.shape == (98, 23)
    assert Pipeline.__name__ == "Pipeline"
    assert AutoModelForSeq2SeqLM.__name__ == "AutoModelForSeq2SeqLM"
