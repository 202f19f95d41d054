"""Sends files through transcription, speakers, translation and AI text, all at once, and says what came out wrong."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import ray

from cluster.resources import WAITING_TASK_CPUS
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.flows.tasks import run_attempt
from pipelines.messages.attempt import Chunk, Result
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import CaptionLine
from pipelines.messages.minutes import MINUTES, MinutesRequest, MinutesResult, TextLine, TextType
from pipelines.messages.requests import TRANSCRIBE, TranscribeRequest
from pipelines.messages.results import TranscribeResult
from pipelines.messages.speakers import SPEAKERS, SpeakersRequest, SpeakersResult
from pipelines.messages.translate import TRANSLATE, SourceLine, TranslateRequest, TranslateResult
from pipelines.speakers.assign import assign
from pipelines.testing.four_tasks.strikes import Strike
from pipelines.testing.four_tasks.talks import Talk
from pipelines.testing.voices import store_spoken
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.text.messages import TEXT
from serve.tasks.transcription.messages import TRANSCRIPTION
from serve.tasks.translation.messages import TRANSLATION

TASK_OF_FLOW = {TRANSCRIBE: TRANSCRIPTION, SPEAKERS: DIARIZATION, TRANSLATE: TRANSLATION, MINUTES: TEXT}

PayloadT = TypeVar("PayloadT", bound=JsonMessage)


class Wrong(Exception):
    """A file did not become what it says; the message tells how."""


def run_talks(talks: Sequence[Talk], storage: LocalStorage, folder: Path, strikes: Sequence[Strike] = ()) -> list[str]:
    """What is wrong with the results of these files, all sent at once: nothing, if the list is empty."""
    with ThreadPoolExecutor(len(talks)) as threads:
        futures = [threads.submit(_FileRun(talk, storage, folder, strikes).run) for talk in talks]
    problems = [problem for future in futures for problem in future.result()]
    problems += [problem for strike in strikes for problem in strike.end()]
    return problems + _left_over(storage)


def _left_over(storage: LocalStorage) -> list[str]:
    settings = get_cluster_settings()
    folders = (settings.storage_root / "jobs", settings.work_root)
    return [f"{path} is left." for folder in folders for path in folder.rglob("*") if path.is_file()]


class _FileRun:
    """One file on its way through the four flows, as its jobs would send it."""

    def __init__(self, talk: Talk, storage: LocalStorage, folder: Path, strikes: Sequence[Strike]) -> None:
        self._talk = talk
        self._storage = storage
        self._folder = folder
        self._strikes = strikes

    def run(self) -> list[str]:
        try:
            request = store_spoken(self._storage, self._folder, self._talk.name, self._talk.clips)
            transcribed = self._flow(TRANSCRIBE, request, TranscribeResult)
            self._expect("transcription", [_row(line.text) for line in transcribed.lines], self._talk.texts)
            lines = self._with_speakers(request, transcribed.lines)
            self._translate(transcribed.language, lines)
            self._write(transcribed.language, lines)
        except Wrong as wrong:
            return [str(wrong)]
        return []

    def _with_speakers(self, transcription: TranscribeRequest, lines: Sequence[CaptionLine]) -> list[CaptionLine]:
        assert transcription.audio_key is not None
        request = SpeakersRequest(
            file_id=self._talk.name, audio_key=transcription.audio_key, duration_ms=transcription.duration_ms
        )
        assigned = assign(lines, self._flow(SPEAKERS, request, SpeakersResult).turns)
        self._expect("lines with speakers", [_row(line.text) for line in assigned], self._talk.texts)
        self._expect("speakers", [line.speaker for line in assigned], self._talk.speakers)
        return assigned

    def _translate(self, language: str, lines: Sequence[CaptionLine]) -> None:
        request = TranslateRequest(
            file_id=self._talk.name,
            track_id=self._talk.name,
            source_language=language,
            target_language=self._talk.language,
            lines=tuple(
                SourceLine(id=each.id, start_ms=each.start_ms, end_ms=each.end_ms, text=each.text, speaker=each.speaker)
                for each in lines
            ),
        )
        result = self._flow(TRANSLATE, request, TranslateResult)
        self._expect("translation", [_row(line.text) for line in result.lines], self._talk.translations)
        self._expect("its links", [line.source_ids for line in result.lines], [(line.id,) for line in lines])

    def _write(self, language: str, lines: Sequence[CaptionLine]) -> None:
        request = MinutesRequest(
            file_id=self._talk.name,
            ai_text_id=self._talk.name,
            type=TextType.LONG,
            language=language,
            source_language=language,
            lines=tuple(
                TextLine(
                    id=each.id, start_ms=each.start_ms, end_ms=each.end_ms, text=_row(each.text), speaker=each.speaker
                )
                for each in lines
            ),
        )
        result = self._flow(MINUTES, request, MinutesResult)
        sentences = [sentence for block in result.blocks for sentence in block.sentences]
        self._expect("text", [sentence.text for sentence in sentences], self._talk.texts)
        self._expect("its citations", [sentence.line_ids for sentence in sentences], [(line.id,) for line in lines])

    def _flow(self, flow: str, request: JsonMessage, expected: type[PayloadT]) -> PayloadT:
        """The payload of the flow's result."""
        with ExitStack() as stack:
            for strike in self._strikes:
                stack.enter_context(strike.around(TASK_OF_FLOW[flow]))
            last = self._last_value(flow, request)
        if not isinstance(last, Result) or not isinstance(last.payload, expected):
            raise Wrong(f"{TASK_OF_FLOW[flow]} of {self._talk.name} ended with {last}.")
        return last.payload

    def _last_value(self, flow: str, request: JsonMessage) -> object:
        name = TASK_OF_FLOW[flow]
        task = run_attempt.options(num_cpus=WAITING_TASK_CPUS, name=f"{name} {self._talk.name}")
        last = None
        for reference in task.remote(flow, request, uuid.uuid4().hex, 1, None):
            last = ray.get(reference)
            for strike in self._strikes:
                strike.value_arrived(name, is_part=isinstance(last, Chunk))
        return last

    def _expect(self, what: str, found: object, expected: object) -> None:
        if found != expected:
            raise Wrong(f"{self._talk.name}: the {what} is {found}, not {expected}.")


def _row(text: str) -> str:
    return text.replace("\n", " ")
