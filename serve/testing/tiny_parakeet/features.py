"""The spectrum that sherpa-onnx gives a NeMo model: log mels of 10 ms, each band normalised over the window."""

from __future__ import annotations

import kaldi_native_fbank
import numpy as np
from numpy.typing import NDArray

from serve.testing.tiny_models.clips import SAMPLE_RATE

BANDS = 128
"""As the published model; `feat_dim` in its file."""


def log_mels(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shape (frames of 10 ms, bands)."""
    options = kaldi_native_fbank.FbankOptions()
    options.frame_opts.samp_freq = SAMPLE_RATE
    options.frame_opts.dither = 0
    options.frame_opts.snip_edges = False
    options.frame_opts.remove_dc_offset = False
    options.mel_opts.num_bins = BANDS
    options.mel_opts.low_freq = 0
    options.mel_opts.high_freq = -400
    options.mel_opts.is_librosa = True
    fbank = kaldi_native_fbank.OnlineFbank(options)
    fbank.accept_waveform(SAMPLE_RATE, samples.tolist())
    fbank.input_finished()
    found = np.stack([fbank.get_frame(index) for index in range(fbank.num_frames_ready)])
    deviation = np.sqrt(np.maximum(0, (found**2).mean(axis=0) - found.mean(axis=0) ** 2))
    return np.asarray((found - found.mean(axis=0)) / (deviation + 1e-5), np.float32)
