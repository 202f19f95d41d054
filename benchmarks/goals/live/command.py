"""`python -m benchmarks live`: from the end of a word to the moment it can be read, and what changes afterwards."""

from __future__ import annotations

import resource
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.live.bare import bare_seconds
from benchmarks.goals.live.drift import measure_drift
from benchmarks.goals.live.figures import TINY, report_on
from benchmarks.goals.live.following import follow_all
from benchmarks.goals.live.talks import Talk, known_sentences, sample_sentences, talk
from benchmarks.goals.report import Report
from benchmarks.quiet import silence_logs
from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.profile import load_profile
from serve.tasks.live.load import load_live
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.tasks.transcription.in_process import InProcessTranscriber
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.tiny_speller.folders import omnilingual_speller
from serve.testing.tiny_speller.spoken import VOICES
from serve.testing.tiny_streamer.folders import streaming_models

BUILT_IN = "built-in engine"


@dataclass(frozen=True, slots=True)
class _Setting:
    """Which models stand in the models folder, and what is said."""

    name: str
    models: Path
    named: ModelSettings
    talks: tuple[Talk, ...]


def command(
    streams: Annotated[int, typer.Option(min=1, help="Recordings at once.")] = 4,
    seconds: Annotated[float, typer.Option(min=10, help="Length of each.")] = 100,
    hours: Annotated[float, typer.Option(min=0.5, help="Length of the one that is followed as fast as it goes.")] = 3,
) -> None:
    silence_logs()
    report = Report("live")
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        work = Path(folder)
        for setting in (_tiny(work, streams, seconds), _built_in(work, streams, seconds)):
            _measure(setting, work / setting.name, report)
        _drift(_tiny(work, 1, 60), hours, work / "long", report)
    report.note(
        f"{streams} recordings of {seconds:.0f} s at the pace of speech, by flite's voices: followed live, and each "
        "utterance read again after its pause. A word's end is what flite printed; delays are those of words heard "
        "right. The flow runs in this process, without database, relay and browser."
    )
    report.note(
        "The tiny model is a streaming LSTM that knows the words said; a letter model reads them again. The built-in "
        "engine reads twice, and hears the sample's text."
    )
    report.write()


def _drift(setting: _Setting, hours: float, work: Path, report: Report) -> None:
    section = load_profile("embedded").require(LiveProfile)
    with closing(InProcessModel(LIVE_TASK, section, lambda: load_live(section, setting.named, setting.models))) as live:
        drift = measure_drift(setting.talks[0], hours, live, work)
    report.goal("35-drift", drift.percent, hours=hours, early_s=drift.early_s, late_s=drift.late_s)
    grown = (drift.late_bytes - drift.early_bytes) / 1e6
    report.figure(f"memory after {hours:g} hours minus after ten minutes", grown, "MB", early=drift.early_bytes / 1e6)


def _tiny(work: Path, streams: int, seconds: float) -> _Setting:
    models = work / "models"
    lstm = streaming_models(models / "streaming")["zipformer_streaming"]
    speller = omnilingual_speller(models / "files")
    talks = tuple(
        talk(known_sentences(index), VOICES[index % len(VOICES)], work, most_s=seconds) for index in range(streams)
    )
    named = ModelSettings(live_models=(str(lstm),), sherpa_models=(str(speller),), allow_hub=False)
    return _Setting(TINY, models, named, talks)


def _built_in(work: Path, streams: int, seconds: float) -> _Setting:
    rounds = round(seconds / 20) + 1
    spoken = [talk(sample_sentences(rounds), voice, work, most_s=seconds) for voice in VOICES[:streams]]
    talks = tuple(spoken[index % len(spoken)] for index in range(streams))
    return _Setting(BUILT_IN, work / "no models", ModelSettings(allow_hub=False), talks)


def _measure(setting: _Setting, work: Path, report: Report) -> None:
    profile = load_profile("embedded")
    section, speech_section = profile.require(LiveProfile), profile.require(TranscriptionProfile)
    with (
        closing(InProcessModel(LIVE_TASK, section, lambda: load_live(section, setting.named, setting.models))) as live,
        closing(InProcessTranscriber(speech_section, setting.named, setting.models)) as speech,
    ):
        # Both are loaded before anybody speaks.
        live.describe()
        speech.describe()
        used_s = _processor_s()
        results = follow_all(setting.talks, work, live, speech)
    used_s = _processor_s() - used_s
    with closing(load_live(section.model_copy(update={"workers": 1}), setting.named, setting.models)) as engine:
        # The first call starts the program of the built-in engine.
        bare_seconds(engine, setting.talks[0].pcm[:32_000])
        alone_s = bare_seconds(engine, setting.talks[0].pcm)
    report_on(setting.talks, results, report, label="" if setting.name == TINY else f"{setting.name}: ")
    carried = sum(each.seconds for each in setting.talks) / used_s
    report.figure(f"{setting.name}: streams that a core carries, both readings", carried, "streams")
    bare = setting.talks[0].seconds / alone_s
    report.figure(f"{setting.name}: streams that a core carries, bare loop of the live engine", bare, "streams")


def _processor_s() -> float:
    """Seconds of processor of this process and of its programs that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime
