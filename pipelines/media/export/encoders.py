"""The H.264 encoder of this machine: NVIDIA's where a trial works, else x264."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed
from pipelines.media.ffmpeg import find_ffmpeg, threads
from pipelines.messages.export_form import Quality

_FULL_HD_KBIT = {Quality.SMALL: 3_500, Quality.STANDARD: 8_000, Quality.HIGH: 16_000}
_FULL_HD_PIXELS = 1920 * 1080
_LEAST_KBIT, _MOST_KBIT = 1_500, 48_000
_X264_CRF = {Quality.SMALL: 26, Quality.STANDARD: 20, Quality.HIGH: 17}
_NVENC_CQ = {Quality.SMALL: 30, Quality.STANDARD: 24, Quality.HIGH: 20}
_TRIAL_LIMITS = ProcessLimits(cpu_s=20, wall_s=30, address_space_bytes=0)
"""CUDA reserves more address space than any machine has."""
_GPU = Path("/dev/nvidiactl")


class Encoder(StrEnum):
    X264 = "libx264"
    NVENC = "h264_nvenc"


@lru_cache
def best_encoder() -> Encoder:
    """NVENC where it encodes a black picture, else x264. Many data centre GPUs have no encoder, so it is tried once."""
    return Encoder.NVENC if _GPU.exists() and nvenc_works() else Encoder.X264


def nvenc_works() -> bool:
    """Encode a fifth of a second of black. Raises `StageFailed` without ffmpeg."""
    trial = ["-f", "lavfi", "-i", "color=black:s=320x180:r=25:d=0.2", "-c:v", Encoder.NVENC, "-f", "null", "-"]
    command = [find_ffmpeg(), "-nostdin", "-hide_banner", "-loglevel", "error", *trial]
    try:
        with LimitedProcess(command, _TRIAL_LIMITS) as process:
            for _ in process.output():
                pass
    except ProcessFailed:
        return False
    return True


def video_encoding(encoder: Encoder, quality: Quality, width: int, height: int) -> list[str]:
    """Constant quality with a ceiling, 8-bit 4:2:0: what every player decodes."""
    kbit = _FULL_HD_KBIT[quality] * width * height // _FULL_HD_PIXELS
    ceiling = min(_MOST_KBIT, max(_LEAST_KBIT, kbit))
    if encoder is Encoder.NVENC:
        chosen = ["-c:v", Encoder.NVENC, "-preset", "p5", "-rc", "vbr", "-cq", str(_NVENC_CQ[quality]), "-b:v", "0"]
    else:
        chosen = ["-c:v", Encoder.X264, "-preset", "veryfast", "-crf", str(_X264_CRF[quality]), "-threads", threads()]
    return [*chosen, "-pix_fmt", "yuv420p", "-maxrate", f"{ceiling}k", "-bufsize", f"{2 * ceiling}k"]
