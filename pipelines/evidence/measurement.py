"""Measures installed speech engines on a sample, each in a process of its own: a model that breaks harms no other."""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from cluster.storage.folder import LocalStorage
from cluster.wording.message import Message, Wording
from pipelines.evidence.errors import WordErrors, word_errors
from pipelines.evidence.record import EngineEvidence
from pipelines.evidence.sample import Sample
from pipelines.flows.transcribe.flow import transcribe
from pipelines.language_choice import refusal, unavailable_reason
from pipelines.media.probe import probe
from pipelines.media.sound.audio import DecodedAudio, decode
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.requests import TranscribeRequest
from pipelines.messages.results import TranscribeResult
from serve.core.messages import EngineRefused
from serve.core.settings import ModelSettings
from serve.tasks.transcription.others.in_process import InProcessEngine
from serve.tasks.transcription.others.installed import InstalledEngine, installed_engines
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.remote.settings import SpeechSettings

NOT_THERE = Wording("evidence.not_there", "There is no speech model “{name}” on this machine.")
ENDED = Message("evidence.ended", "Its process ended: the model is broken, or the memory did not suffice.")
NO_SOUND = Wording("evidence.no_sound", "{name} has no sound.")
FAILED = Wording("evidence.failed", "It failed: {failure}.")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A recording as every engine gets it: its sound is in the storage under `key`."""

    key: str
    duration_ms: int
    said: str
    language: str


def prepared(sample: Sample, storage: Path) -> list[Prepared]:
    """Decode the recordings into the folder `storage`. Raises StageFailed."""
    found = []
    for number, recording in enumerate(sample.recordings):
        key = f"sample/{number}.wav"
        wav = storage / key
        wav.parent.mkdir(parents=True, exist_ok=True)
        facts = probe(recording.source)
        if facts.audio is None:
            raise StageFailed("evidence", NO_SOUND(name=recording.name), retryable=False)
        sound = DecodedAudio()
        for _ in decode(recording.source, facts, wav=wav, into=sound):
            pass
        found.append(Prepared(key, sound.duration_ms, recording.said, recording.language))
    return found


def measured(
    profile: TranscriptionProfile,
    models_root: Path,
    engines: Sequence[InstalledEngine],
    sample: Sample,
    storage: Path,
    *,
    begin: Callable[[], None] | None = None,
) -> Iterator[EngineEvidence]:
    """The evidence of each engine as soon as it is there. Raises StageFailed where a recording cannot be decoded.

    `begin` is called first in each process.
    """
    recordings = prepared(sample, storage)
    blank = [
        EngineEvidence(
            replace(each.info, others=(), by_language=()),
            sample.name,
            recordings[0].language,
            sum(one.duration_ms for one in recordings) / 1000,
            datetime.now(UTC),
        )
        for each in engines
    ]
    for each in blank:
        unable = next((one for one in recordings if unavailable_reason(each.info, one.language) is not None), None)
        if unable is not None:
            yield replace(each, problem=refusal(each.info, unable.language))
            continue
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=begin) as child:
            working = child.submit(_measure, each, profile, models_root, recordings, storage)
            try:
                yield working.result()
            except Exception as failure:
                yield replace(each, problem=_sentence_of(failure))


def _measure(
    blank: EngineEvidence,
    profile: TranscriptionProfile,
    models_root: Path,
    recordings: Sequence[Prepared],
    storage: Path,
) -> EngineEvidence:
    settings = ModelSettings()
    installed = installed_engines(profile, settings, models_root, SpeechSettings().endpoint)
    chosen = next((each for each in installed if each.name == blank.name), None)
    if chosen is None:
        raise LookupError(NOT_THERE(name=blank.name))
    begun = time.monotonic()
    errors = []
    with closing(InProcessEngine(profile, settings, chosen)) as client:
        info = replace(client.describe(), name=blank.name, model=blank.info.model)
        loaded = time.monotonic()
        for each in recordings:
            errors.append(word_errors(each.said, _heard(client, each, storage), each.language))
        done = time.monotonic()
    return replace(
        blank,
        info=replace(info, others=(), by_language=()),
        errors=WordErrors.sum(errors),
        speed=blank.sample_seconds / (done - loaded),
        memory=_peak_bytes(),
        loading_seconds=loaded - begun,
    )


def _heard(client: InProcessEngine, recording: Prepared, storage: Path) -> str:
    """The text by the product's own way: speech is found, cut into windows, and made into lines."""
    request = TranscribeRequest(
        file_id="evidence", audio_key=recording.key, duration_ms=recording.duration_ms, language=recording.language
    )
    attempt = Attempt("evidence", 1, storage / "work", "jobs/evidence/1")
    *_, last = transcribe(request, attempt, client=client, storage=LocalStorage(storage))
    assert isinstance(last, Result)
    assert isinstance(last.payload, TranscribeResult)
    return " ".join(line.text for line in last.payload.lines)


def _peak_bytes() -> int:
    """Of this process and the largest of its children, some engines being programs of their own."""
    unit = 1 if sys.platform == "darwin" else 1024
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return unit * (own + children)


def _sentence_of(failure: Exception) -> str:
    if isinstance(failure, EngineRefused):
        return failure.sentence
    if isinstance(failure, StageFailed):
        return failure.reason
    if isinstance(failure, LookupError) and failure.args:
        return str(failure.args[0])
    if isinstance(failure, BrokenProcessPool):
        return ENDED
    return FAILED(failure=f"{type(failure).__name__}: {failure}")
