"""Videos with burned-in captions, and their frames."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from cluster.storage.folder import LocalStorage
from pipelines.testing.media.attempts import Attempted, result_of

BLACK = ("-f", "lavfi", "-i", "color=black:s=640x360:r=10:d=2", "-c:v", "libx264", "-pix_fmt", "yuv420p")


def frame_at(path: Path, seconds: float) -> npt.NDArray[np.uint8]:
    """The luminance of the frame at that time."""
    with av.open(str(path)) as video:
        for frame in video.decode(video=0):
            if frame.time is not None and frame.time >= seconds:
                return frame.to_ndarray(format="gray").astype(np.uint8)
    raise AssertionError("the video is shorter than that")


def burned(attempt: Attempted, installation: LocalStorage, path: Path, text: str) -> Path:
    srt = f"1\n00:00:00,500 --> 00:00:01,500\n{text}\n"
    result = result_of(attempt("export", path, mode="burned", srt=srt))
    copy = path.with_name("burned.mp4")
    copy.write_bytes(installation.open_path(result["export_key"]).read_bytes())
    assert copy.stat().st_size == result["size_bytes"]
    return copy
