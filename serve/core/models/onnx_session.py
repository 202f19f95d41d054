"""Opens ONNX files in onnxruntime, with one thread for each call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from serve.core.sentences import UNREADABLE_ONNX


class UnreadableModel(ValueError):
    """A file that onnxruntime cannot read. The message is a clause that names it."""


def open_session(path: Path) -> Any:
    """An `InferenceSession` on the CPU. Raises UnreadableModel."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"], sess_options=options)
    except Exception as failure:
        # onnxruntime raises a dozen classes of its own for a damaged file.
        raise UnreadableModel(UNREADABLE_ONNX(name=path.name, failure=str(failure))) from failure
