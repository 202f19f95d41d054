"""`python -m benchmarks asr FOLDER`: how well and how fast a speech model transcribes a folder of audio."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from api.platform.settings import get_settings
from benchmarks.measure.datasets.folder import EXPECTED, BadDataset, speech_dataset
from benchmarks.measure.datasets.sound import Sounds, decode_all
from benchmarks.measure.models.answers import answers_of
from benchmarks.measure.models.asr.made import made_folder
from benchmarks.measure.models.asr.run import SpeechTask
from benchmarks.measure.models.asr.scores import METRICS
from benchmarks.measure.models.asr.systems import PEERS, THIS_PYTHON, engines, peer_systems, product_systems
from benchmarks.measure.models.asr.without_speech import windows_without_speech
from benchmarks.measure.models.environment import finished
from benchmarks.measure.models.options import ComputeType, Device, ProfileName, ResultFile, Through, Turns, Way
from benchmarks.measure.models.run import clear_sentences, limited, measured
from benchmarks.measure.outcomes.outcome import Data, Outcome, SystemRun, distinct
from benchmarks.measure.outcomes.publish import publish
from benchmarks.quiet import silence_logs
from serve.testing.tiny_models.archives import WHISPER, unpack

MADE = "made phrase book"
MADE_NOTE = (
    "Made data: sentences that the tiny model of the tests knows by heart, spoken by flite and espeak-ng. The figures "
    "show that the measurement works, and say nothing about real models."
)
HOW = (
    "Words count after normalisation: English by Whisper's rules (whisper-normalizer), other languages by those of "
    "benchmarks/measure/models/asr/normalise.py. Speed is one file after the other with the model loaded, without "
    "decoding the file; memory is the peak of the process that holds the model."
)


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help=f"Folder of audio with references. {EXPECTED} "
            "Subfolders name language and condition: is/noisy/talk.wav.",
            show_default=False,
        ),
    ] = None,
    made: Annotated[bool, typer.Option("--made", help="Try it: made audio and the tiny model of the tests.")] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Model folder, size or hub name; several are measured one "
            "after the other. Without it, the model that the product would choose on this machine.",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[str, typer.Option(help=f"Engine of the product: {engines()}.")] = "",
    profile: ProfileName = "auto",
    device: Device = "",
    compute_type: ComputeType = "",
    beam: Annotated[int, typer.Option(min=1, max=10, help="Beam size; 1 is greedy, as the product does.")] = 1,
    workers: Annotated[int, typer.Option(min=0, help="Model calls side by side; 0 is one for each core.")] = 0,
    through: Way = Through.PROCESS,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Also measure another program: {', '.join(PEERS)}; "
            "NAME=MODEL where it needs a model of its own form.",
            show_default=False,
        ),
    ] = None,
    peer_python: Annotated[
        str, typer.Option(help="Python whose packages the peers use.", show_default=False)
    ] = THIS_PYTHON,
    language: Annotated[str, typer.Option(help="Language where no folder, name or column tells it.")] = "",
    detect_language: Annotated[
        bool, typer.Option("--detect-language", help="Do not tell the model the language; count how often it finds it.")
    ] = False,
    silence: Annotated[bool, typer.Option(help="Also measure text invented in silence, noise and music.")] = True,
    warm_up: Annotated[bool, typer.Option(help="Transcribe the first file once before it counts.")] = True,
    limit: Annotated[int, typer.Option(min=0, help="Measure only this many items, spread over the data; 0: all.")] = 0,
    turns: Turns = 0,
    out: ResultFile = None,
) -> None:
    silence_logs()
    models = list(model or ())
    overlay = {
        key: value
        for key, value in (("engine", engine), ("device", device), ("compute_type", compute_type), ("workers", workers))
        if value
    }
    with clear_sentences(), tempfile.TemporaryDirectory(prefix="bench-asr-") as work:
        if made:
            folder = made_folder(Path(work) / "made")
            models = models or ([] if engine else [str(unpack(WHISPER, Path(work) / "models"))])
        if folder is None:
            raise BadDataset("Name a folder of audio with references, or try it with --made.")
        systems = product_systems(
            models,
            profile=profile,
            overlay=overlay,
            through=through.value,
            models_root=get_settings().models_root,
            beam=beam,
        )
        systems += peer_systems(
            peer or (),
            models,
            python=peer_python,
            device=device or "cpu",
            compute_type=compute_type or "int8",
            beam=beam,
        )
        sounds = decode_all(limited(speech_dataset(folder, language=language), limit), Path(work))
        with answers_of("asr") as answers:
            everything = [*sounds.sounds, *(windows_without_speech(sounds.sounds, Path(work)) if silence else ())]
            asked = [
                SpeechTask(detect=detect_language).questions(system, everything, warm_up=warm_up) for system in systems
            ]
            runs = measured(asked, METRICS, answers, turns=turns)
            publish(_outcome(MADE if made else str(folder), sounds, runs, made=made), out)


def _outcome(name: str, sounds: Sounds, runs: list[SystemRun], *, made: bool) -> Outcome:
    items = [sound.item for sound in sounds.sounds]
    data = Data(
        name=name,
        items=len(items),
        seconds=sounds.seconds,
        languages=distinct(item.language for item in items),
        conditions=distinct(item.condition for item in items),
        notes=sounds.notes,
    )
    notes = [HOW, *([MADE_NOTE] if made else [])]
    return finished("asr", "Speech recognition", data=data, metrics=METRICS, systems=runs, notes=notes)
