"""`python -m benchmarks diarization FOLDER`: how well and how fast a speaker model says who speaks when."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from api.platform.settings import get_settings
from benchmarks.measure.datasets.folder import EXPECTED_SPEAKERS, BadDataset, speaker_dataset
from benchmarks.measure.datasets.sound import Sound, Sounds, decode_all
from benchmarks.measure.models.answers import answers_of
from benchmarks.measure.models.child import Json
from benchmarks.measure.models.diarization.made import made_folder
from benchmarks.measure.models.diarization.scores import METRICS, judge
from benchmarks.measure.models.environment import finished
from benchmarks.measure.models.options import Device, ProfileName, ResultFile, Through, Turns, Way
from benchmarks.measure.models.run import (
    Question,
    Questions,
    System,
    blank_item,
    clear_sentences,
    limited,
    measured,
    unanswered,
)
from benchmarks.measure.models.sections import section_with
from benchmarks.measure.outcomes.outcome import Data, Item, distinct
from benchmarks.measure.outcomes.publish import publish
from benchmarks.quiet import silence_logs
from pipelines.messages.speakers import Turn
from serve.testing.tiny_speakers.archive import speakers_folder

PRODUCT = "benchmarks.measure.models.diarization.product"
PYANNOTE = "benchmarks.measure.models.diarization.pyannote_side"
MADE_NOTE = (
    "Made conversations of flite's voices rms, slt and awb, and the tiny models that know only these. Figures check "
    "grouping, turns and assignment, and say nothing about the accuracy of real models."
)
GIVEN = "number given"


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help=f"Folder of audio with speakers. {EXPECTED_SPEAKERS} A .uem file limits the times that count; an "
            ".stm file adds what each speaker says.",
            show_default=False,
        ),
    ] = None,
    made: Annotated[bool, typer.Option("--made", help="Try it: made talks and the tiny models of the tests.")] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Model folder; several are measured one after the other. Without it, the one that the product would "
            "choose on this machine.",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[str, typer.Option(help="Engine of the product: auto, pyannote or sherpa.")] = "",
    profile: ProfileName = "auto",
    device: Device = "",
    workers: Annotated[int, typer.Option(min=0, help="Model calls side by side; 0 is the engine's own.")] = 0,
    given: Annotated[bool, typer.Option(help="Also measure with the number of speakers given.")] = True,
    through: Way = Through.PROCESS,
    turns: Turns = 0,
    peer: Annotated[
        str, typer.Option(help="Also measure bare pyannote.audio with this pipeline.", show_default=False)
    ] = "",
    limit: Annotated[int, typer.Option(min=0, help="Measure only this many files, spread over the data.")] = 0,
    sentences: Annotated[int, typer.Option(min=4, help="With --made: sentences of each conversation.")] = 30,
    each: Annotated[int, typer.Option(min=1, help="With --made: conversations of each kind.")] = 3,
    out: ResultFile = None,
) -> None:
    silence_logs()
    with clear_sentences(), tempfile.TemporaryDirectory(prefix="bench-speakers-") as work:
        root = Path(work)
        models = list(model or ())
        if made:
            folder = made_folder(root / "made", sentences=sentences, each=each)
            models = models or [str(speakers_folder(root / "models"))]
        if folder is None:
            raise BadDataset("Name a folder of audio with .rttm files, or try it with --made.")
        overlay = {key: value for key, value in (("engine", engine), ("device", device), ("workers", workers)) if value}
        systems = _systems(models, section_with(profile, "diarization", overlay), through)
        if peer:
            name = f"pyannote.audio {Path(peer).name}"
            systems.append(System(name, PYANNOTE, {"model": peer, "device": device or "cpu"}))
        sounds = decode_all(limited(speaker_dataset(folder), limit), root)
        data = _data("made conversations" if made else str(folder), sounds)
        notes = [MADE_NOTE] if made else []
        with answers_of("diarization") as answers:
            asked = [*_questions(systems, sounds.sounds, given=given)]
            runs = measured(asked, METRICS, answers, turns=turns)
            publish(finished("diarization", "Speakers", data=data, metrics=METRICS, systems=runs, notes=notes), out)


def _systems(models: Sequence[str], section: Json, through: Through) -> list[System]:
    base: Json = {"through": through.value, "profile": section, "models_root": str(get_settings().models_root)}
    if through is Through.CLUSTER:
        return [System("cluster", PRODUCT, {"through": through.value})]
    chosen = models or [""]
    return [
        System(Path(each).name or "product", PRODUCT, {**base, "model": each and str(Path(each).resolve())})
        for each in chosen
    ]


def _questions(systems: Sequence[System], sounds: Sequence[Sound], *, given: bool) -> Iterator[Questions]:
    for system in systems:
        for is_given in (False, True) if given else (False,):
            named = System(f"{system.name}, {GIVEN}", system.module, system.configuration) if is_given else system
            asked = [Question(each.item.id, _request(each, given=is_given), partial(_items, each)) for each in sounds]
            yield Questions(named, asked)


def _request(sound: Sound, *, given: bool) -> Json:
    speakers = len({turn.speaker for turn in sound.item.turns})
    return {
        "wav": str(sound.wav),
        "duration_ms": sound.duration_ms,
        "speakers": speakers if given and speakers else None,
        "channels": str(sound.channels) if sound.channels else None,
    }


def _items(sound: Sound, record: Json) -> list[Item]:
    problem = unanswered(blank_item(sound), record)
    return [_score(sound, record["answer"], record["seconds"]) if problem is None else problem]


def _score(sound: Sound, record: Json, seconds: float) -> Item:
    turns = [Turn(start_ms=start, end_ms=end, speaker=speaker) for start, end, speaker in record["turns"]]
    values = {**judge(sound.item, turns), "speed": (sound.duration_ms / 1000, seconds)}
    return blank_item(sound).model_copy(update={"values": values})


def _data(name: str, sounds: Sounds) -> Data:
    items = [sound.item for sound in sounds.sounds]
    return Data(
        name=name,
        items=len(items),
        seconds=sounds.seconds,
        languages=distinct(item.language for item in items),
        conditions=distinct(item.condition for item in items),
        notes=sounds.notes,
    )
