"""A progress bar over flows that run in this process, one after the other."""

from __future__ import annotations

from contextlib import closing
from typing import Any, TypeVar

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from api.edges.cli.console import err
from pipelines.flows.tasks import Failed
from pipelines.messages import attempt as messages
from pipelines.messages.attempt import StageFailed
from pipelines.messages.results import FlowResult

ResultT = TypeVar("ResultT", bound=FlowResult)

_PHASES = {
    "probing": "Looking at the file",
    "transcribing": "Transcribing",
    "translating": "Translating",
    "exporting": "Writing the video",
}
_SHARES = {"upload": 10, "transcribe": 60, "translate": 60, "export": 30}
"""The share of the bar that each kind of work fills."""


class FlowBar:
    """Shown while it is entered; `kinds` are the flows to come."""

    def __init__(self, kinds: list[str]) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        self._progress = Progress(*columns, TimeRemainingColumn(), console=err, transient=True)
        self._task = self._progress.add_task("Starting", total=sum(_SHARES[kind] for kind in kinds))
        self._done = 0

    def __enter__(self) -> FlowBar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def follow(self, kind: str, values: Any, result: type[ResultT]) -> ResultT:
        """Show the flow's progress and return its result. Raises `StageFailed`."""
        with closing(values):
            for value in values:
                if isinstance(value, messages.Progress):
                    self._show(kind, value)
                elif isinstance(value, messages.Result) and isinstance(value.payload, result):
                    self._done += _SHARES[kind]
                    return value.payload
                elif isinstance(value, Failed):
                    raise StageFailed(value.stage, value.reason, retryable=value.retryable)
        raise StageFailed(kind, "The work ended without a result.", retryable=True)

    def _show(self, kind: str, value: messages.Progress) -> None:
        part = value.done / value.total if value.total > 0 else 0.0
        self._progress.update(
            self._task,
            completed=self._done + _SHARES[kind] * min(1.0, part),
            description=_PHASES.get(value.phase, value.phase.capitalize()),
        )
