"""`python -m benchmarks text FOLDER`: how good and how well supported a model's AI texts are."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from api.platform.settings import get_settings
from benchmarks.measure.datasets.folder import BadDataset
from benchmarks.measure.models.answers import answers_of
from benchmarks.measure.models.child import Json
from benchmarks.measure.models.environment import finished
from benchmarks.measure.models.options import Device, ProfileName, ResultFile, Through, Turns, Way
from benchmarks.measure.models.run import System, clear_sentences, measured
from benchmarks.measure.models.sections import section_with
from benchmarks.measure.models.text.made import made_folder
from benchmarks.measure.models.text.run import questions
from benchmarks.measure.models.text.scores import METRICS
from benchmarks.measure.models.text.transcripts import EXPECTED, read_transcripts
from benchmarks.measure.outcomes.outcome import Data, distinct
from benchmarks.measure.outcomes.publish import publish
from benchmarks.quiet import silence_logs
from pipelines.messages.minutes import TextType
from serve.core.text.language_codes import canonical
from serve.testing.tiny_models.archives import CHAT, unpack

PRODUCT = "benchmarks.measure.models.text.product"
MADE_NOTE = "A made meeting, whose texts the tiny chat model knows by heart: the figures say nothing about real models."


def command(
    folder: Annotated[
        Path | None, typer.Argument(help=f"Folder of transcripts. {EXPECTED}", show_default=False)
    ] = None,
    made: Annotated[
        bool, typer.Option("--made", help="Try it: a made meeting and the tiny model of the tests.")
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Folder of a chat model; several are measured one after the other. Without it, the model or endpoint "
            "(SAGASCRIPT_CHAT_URL) that the product would choose.",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="Engine of the product: auto, ct2_llm, transformers, openai or extractive.")
    ] = "",
    profile: ProfileName = "auto",
    device: Device = "",
    threads: Annotated[int, typer.Option(min=0, help="Processor threads of a model call; 0 is one for each core.")] = 0,
    type: Annotated[
        list[TextType] | None, typer.Option(help="Types of text; all without it.", show_default=False)
    ] = None,
    language: Annotated[str, typer.Option(help="Language of transcripts whose folder names none.")] = "",
    through: Way = Through.PROCESS,
    turns: Turns = 0,
    out: ResultFile = None,
) -> None:
    silence_logs()
    with clear_sentences(), tempfile.TemporaryDirectory(prefix="bench-text-") as work:
        models = list(model or ())
        if made:
            folder = made_folder(Path(work) / "made")
            models = models or [str(unpack(CHAT, Path(work) / "models"))]
        if folder is None:
            raise BadDataset("Name a folder of transcripts, or try it with --made.")
        transcripts = read_transcripts(folder, language and canonical(language))
        types = type or list(TextType)
        overlay = {key: value for key, value in (("engine", engine), ("device", device), ("threads", threads)) if value}
        data = Data(
            name="made meeting" if made else str(folder),
            items=len(transcripts.items) * len(types),
            languages=distinct(item.language for item in transcripts.items),
            conditions=distinct(item.condition for item in transcripts.items),
            notes=transcripts.notes,
        )
        notes = [MADE_NOTE] if made else []
        systems = _systems(models, section_with(profile, "text", overlay), through)
        with answers_of("text") as answers:
            asked = [questions(system, transcripts.items, types) for system in systems]
            runs = measured(asked, METRICS, answers, turns=turns)
            publish(finished("text", "AI texts", data=data, metrics=METRICS, systems=runs, notes=notes), out)


def _systems(models: list[str], section: Json, through: Through) -> list[System]:
    base: Json = {"through": through.value}
    if through is Through.CLUSTER:
        return [System("cluster", PRODUCT, base)]
    if not models:
        root = str(get_settings().models_root)
        return [System("product", PRODUCT, {**base, "profile": section, "model": "", "models_root": root})]
    systems = []
    for model in models:
        path = Path(model).resolve()
        named = {**section, "models": [path.name]}
        configuration = {**base, "profile": named, "model": str(path), "models_root": str(path.parent)}
        systems.append(System(path.name, PRODUCT, configuration))
    return systems
