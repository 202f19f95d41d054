"""What models have answered so far, kept on disk: a run that was stopped goes on after them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from benchmarks.measure.models.child import Json
from benchmarks.measure.outcomes.publish import RESULTS


class Answers:
    """Records of one command by system and item. Those of another command line are dropped."""

    def __init__(self, path: Path, command: str) -> None:
        self.is_stopped = False
        """Somebody pressed Ctrl-C: what there is becomes the result."""
        self.path = path
        self._records = _read(path, command)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written anew: the last line may be cut off.
        self._file = path.open("w", encoding="utf-8")
        self._write(command)
        for (system, item), record in self._records.items():
            self._write([system, item, record])

    def known(self, system: str, item: str) -> Json | None:
        return self._records.get((system, item))

    def add(self, system: str, item: str, record: Json) -> None:
        self._records[system, item] = record
        self._write([system, item, record])

    def close(self) -> None:
        self._file.close()
        if not self.is_stopped:
            self.path.unlink()

    def leave(self) -> None:
        """Close and keep the file."""
        self._file.close()

    def __len__(self) -> int:
        return len(self._records)

    def _write(self, line: object) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


@contextmanager
def answers_of(kind: str, *, folder: Path = RESULTS) -> Iterator[Answers]:
    """The answers of this process's command line. The file goes when the command ends well and unstopped."""
    answers = Answers(folder / f"{kind}.unfinished.jsonl", " ".join(sys.argv[1:]))
    if len(answers):
        typer.echo(
            f"Going on after {len(answers)} answers of a stopped run. Delete {answers.path} to begin again.", err=True
        )
    try:
        yield answers
    except BaseException:
        answers.leave()
        raise
    answers.close()
    if answers.is_stopped:
        typer.echo(f"Stopped. The same command goes on after these {len(answers)} answers.", err=True)


def _read(path: Path, command: str) -> dict[tuple[str, str], Json]:
    records: dict[tuple[str, str], Json] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        if lines and json.loads(lines[0]) == command:
            for line in lines[1:]:
                system, item, record = json.loads(line)
                records[system, item] = record
    except (OSError, ValueError):
        return records
    return records
