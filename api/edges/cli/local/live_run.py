"""Runs the flow of a live recording in this process: ffmpeg writes its journal, and the text is printed as it comes."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import typer

from api.edges.cli.console import err
from api.edges.cli.local.models_here import LiveModels
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.captions.line_builder import lines_from_segments
from pipelines.captions.spacing import space_out
from pipelines.flows.live.flow import follow
from pipelines.media.ffmpeg import find_ffmpeg
from pipelines.media.sound.journal import PIECE_BYTES, journal_of, write_end, write_piece
from pipelines.messages.attempt import Attempt, Chunk, StageFailed
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.lines import CaptionLine
from pipelines.messages.live import LiveRequest, LiveWords
from pipelines.messages.results import TranscribedWindow
from serve.tasks.transcription.messages import SAMPLE_RATE

FILE_ID = "local"
STOPS_WITHIN_S = 1.0
ENDS_WITHIN_S = 5.0
LISTENS = {"rtmp": ("-listen", "1"), "srt": ("-mode", "listener")}
"""What makes ffmpeg wait for a sender, by the protocol."""
_ERROR_LINES = 2
_PART = re.compile(r"^\[[^\]]* @ 0x[0-9a-f]+\] ")
"""Which part of ffmpeg says something, and where that lies in memory."""


@dataclass(frozen=True, slots=True)
class LiveInput:
    """What ffmpeg opens. `is_paced`: it is a file, to be read as it plays.

    `is_awaited`: ffmpeg waits at the address for whoever sends there, as an encoder such as OBS does.
    """

    source: str
    format: str | None
    is_paced: bool
    is_awaited: bool = False

    @property
    def arguments(self) -> list[str]:
        """ffmpeg's, from the input to samples as the journal has them."""
        arguments = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        if self.is_paced:
            arguments.append("-re")
        if self.is_awaited:
            arguments += LISTENS[self.source.partition("://")[0]]
        if self.format is not None:
            arguments += ["-f", self.format]
        samples = ["-vn", "-sn", "-dn", "-ac", "1", "-ar", str(SAMPLE_RATE), "-f", "s16le", "-"]
        return [*arguments, "-i", self.source, *samples]


def caption_live(
    taken: LiveInput,
    language: str,
    models: LiveModels,
    *,
    write: Callable[[list[CaptionLine], str], bytes],
    to_errors: bool,
) -> bytes:
    """Print the final words as they come, and return the captions in the end. Raises `StageFailed`.

    With `to_errors` the words go to standard error, because the captions go to standard output.
    """
    settings = get_cluster_settings()
    storage, journal = LocalStorage(settings.storage_root), journal_of(FILE_ID)
    work = settings.work_root / "live"
    work.mkdir(parents=True, exist_ok=True)
    request = LiveRequest(file_id=FILE_ID, journal=journal, language=language)
    attempt = Attempt("live", 1, work, "jobs/live/1")
    lines: list[CaptionLine] = []
    rules = rules_for(language)
    with recording_of(taken, storage, journal, work) as recording:
        for value in follow(
            request, attempt, storage=storage, live=models.live, live_info=models.live_info, speech=models.speech
        ):
            if not isinstance(value, Chunk):
                continue
            if isinstance(value.payload, LiveWords):
                typer.echo(" ".join(word.text for word in value.payload.words) + " ", nl=False, err=to_errors)
            elif isinstance(value.payload, TranscribedWindow):
                lines += lines_from_segments(value.payload.segments, rules, language)
    typer.echo("", err=to_errors)
    if recording.problem:
        err.print(recording.problem, markup=False, soft_wrap=True)
    return write(space_out(lines, rules), language)


class _Recording(threading.Thread):
    """Writes what ffmpeg decodes into the journal, until the input ends or somebody stops it."""

    def __init__(self, taken: LiveInput, storage: LocalStorage, journal: str, work: Path) -> None:
        super().__init__(name="live-recording", daemon=True)
        self.problem = ""
        """What ffmpeg said where it ended with an error."""
        self._storage = storage
        self._journal = journal
        self._work = work
        self._is_stopped = False
        # In a session of its own: Ctrl-C would end it before its last sound is written.
        self._process = subprocess.Popen(
            [find_ffmpeg(), *taken.arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def run(self) -> None:
        sound, errors = self._process.stdout, self._process.stderr
        assert sound is not None
        assert errors is not None
        pieces = 0
        while piece := sound.read(PIECE_BYTES):
            # A piece that ends within a sample is the last one of a broken input.
            write_piece(self._storage, self._journal, pieces, piece[: len(piece) // 2 * 2], self._work / "piece")
            pieces += 1
        said = [_PART.sub("", line) for line in errors.read().decode("utf-8", "replace").strip().splitlines()]
        if self._process.wait() != 0 and not self._is_stopped:
            self.problem = " ".join(said[-_ERROR_LINES:]) or "ffmpeg ended with an error."
        write_end(self._storage, self._journal, pieces, self._work / "end")

    def stop(self) -> None:
        """No more sound; what was read is still written."""
        self._is_stopped = True
        self._process.terminate()
        # While it waits for an input that sends nothing, it does not look at its signals.
        threading.Timer(STOPS_WITHIN_S, self._process.kill).start()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self.join(ENDS_WITHIN_S)


@contextmanager
def recording_of(taken: LiveInput, storage: LocalStorage, journal: str, work: Path) -> Iterator[_Recording]:
    """Record while the block runs. The first Ctrl-C ends the sound, and the second everything."""
    try:
        recording = _Recording(taken, storage, journal, work)
    except OSError as error:
        raise StageFailed("live", f"ffmpeg cannot be started ({error.strerror}).", retryable=False) from error

    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        err.print("\nEnding…")
        recording.stop()

    before = signal.signal(signal.SIGINT, stop)
    recording.start()
    try:
        yield recording
    except StageFailed as failed:
        if recording.problem:
            # Without any sound, what ffmpeg says is the reason.
            raise StageFailed("live", recording.problem, retryable=False) from failed
        raise
    finally:
        signal.signal(signal.SIGINT, before)
        recording.close()
