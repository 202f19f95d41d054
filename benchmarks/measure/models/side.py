"""The parent's end of a model in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

from benchmarks.measure.models.child import Json

_CHECKOUT = Path(__file__).parents[3]
_GPU_EVERY_S = 1.0
_LAST_LINES = 12


class SideFailed(RuntimeError):
    """The process could not load its model, or ended. The message is for the person."""


class Side:
    """A model that answers requests. Use it as a context manager."""

    def __init__(self, module: str, configuration: Json, *, python: str = sys.executable) -> None:
        """Waits until the model is loaded. Raises SideFailed."""
        self.about: Json = {}
        self.load_s = 0.0
        self.peak_bytes = 0
        self.gpu_peak_bytes = 0
        # Closed by `close`.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                [python, "-m", "benchmarks.measure.models.child", module],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, encoding="utf-8",
                cwd=_CHECKOUT,
            )  # fmt: skip
        except OSError as missing:
            self._errors.close()
            raise SideFailed(f"{python} cannot be run: {missing.strerror}.") from missing
        self._stop = threading.Event()
        self._watch = threading.Thread(target=self._watch_gpu, daemon=True)
        self._watch.start()
        try:
            record = self._exchange(configuration)
            if "problem" in record:
                raise SideFailed(record["problem"])
        except SideFailed:
            self.close()
            raise
        self.about, self.load_s = record["about"], record["seconds"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, request: Json) -> Json:
        """The record of a request: `answer` and `seconds`, or `problem`. Raises SideFailed when the process ended."""
        record = self._exchange(request)
        self.peak_bytes = max(self.peak_bytes, record.get("peak_bytes", 0))
        return record

    def close(self) -> None:
        self._stop.set()
        self._watch.join()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=60)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def _exchange(self, record: Json) -> Json:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(record, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        if not (line := self._process.stdout.readline()):
            raise SideFailed(self._last_words())
        answer: Json = json.loads(line)
        return answer

    def _last_words(self) -> str:
        status = self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().splitlines()[-_LAST_LINES:]
        return "\n".join([f"The model's process ended with status {status}. It printed:", *lines])

    def _watch_gpu(self) -> None:
        while not self._stop.wait(_GPU_EVERY_S):
            used = _gpu_bytes(self._process.pid)
            if used is None:
                return
            self.gpu_peak_bytes = max(self.gpu_peak_bytes, used)


def figures_of(side: Side) -> list[tuple[str, float, str]]:
    """Load time and memory, as name, value and unit."""
    figures: list[tuple[str, float, str]] = [("load time", side.load_s, "s")]
    if side.peak_bytes:
        figures.append(("memory peak", side.peak_bytes / 1e6, "MB"))
    if side.gpu_peak_bytes:
        figures.append(("GPU memory peak", side.gpu_peak_bytes / 1e6, "MB"))
    return figures


def _gpu_bytes(pid: int) -> int | None:
    """GPU memory of a process; None where there is no GPU to look at."""
    command = ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
    try:
        run: Any = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if run.returncode:
        return None
    rows = (row.split(",") for row in run.stdout.splitlines() if row.count(",") == 1)
    return sum(int(used) * 2**20 for owner, used in rows if owner.strip() == str(pid) and used.strip().isdigit())
