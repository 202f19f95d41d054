"""`python -m benchmarks translation FOLDER --from en --to is`: how well and how fast a model translates."""

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
from benchmarks.measure.models.options import ComputeType, Device, ProfileName, ResultFile, Through, Turns, Way
from benchmarks.measure.models.run import System, clear_sentences, measured
from benchmarks.measure.models.sections import section_with
from benchmarks.measure.models.translation.corpus import EXPECTED, Corpus, read_corpus
from benchmarks.measure.models.translation.made import TERMS, made_folder, made_terms
from benchmarks.measure.models.translation.ngrams import tokenizer_of
from benchmarks.measure.models.translation.product import FLOW, LINES
from benchmarks.measure.models.translation.run import questions
from benchmarks.measure.models.translation.scores import METRICS, Direction
from benchmarks.measure.outcomes.outcome import Data, distinct
from benchmarks.measure.outcomes.publish import publish
from benchmarks.quiet import silence_logs
from pipelines.captions.reading.encodings import decode
from pipelines.messages.translate import GlossaryTerm
from pipelines.translation.terms.glossary_file import UnreadableGlossary, read_glossary
from serve.core.text.language_codes import canonical
from serve.testing.tiny_models.archives import TRANSLATION, unpack

PRODUCT = "benchmarks.measure.models.translation.product"
WAYS = {FLOW: "", LINES: ", line by line"}
MADE_NOTE = (
    "Made subtitles: sentences of the phrase book, which the tiny model knows whole and by heart. The scores show what "
    "cutting and choosing lose, not how good a real model is; half sentences are strange to it."
)


def command(
    folder: Annotated[
        Path | None, typer.Argument(help=f"Folder of texts with translations. {EXPECTED}", show_default=False)
    ] = None,
    source: Annotated[str, typer.Option("--from", help="Language to translate from: en, is, pt …")] = "",
    target: Annotated[str, typer.Option("--to", help="Language to translate into.")] = "",
    made: Annotated[
        bool, typer.Option("--made", help="Try it: made subtitles and the tiny model of the tests.")
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Model folder; several are measured one after the other. Without it, the models that the product "
            "would choose on this machine.",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[str, typer.Option(help="Engine of the product: auto, ct2, transformers, llm or apertium.")] = "",
    profile: ProfileName = "auto",
    device: Device = "",
    compute_type: ComputeType = "",
    terms: Annotated[
        Path | None, typer.Option(help="Glossary: a .csv with the columns source and target.", show_default=False)
    ] = None,
    lines: Annotated[bool, typer.Option(help="Also translate line by line, as most subtitle programs do.")] = True,
    through: Way = Through.PROCESS,
    turns: Turns = 0,
    documents: Annotated[int, typer.Option(min=1, help="With --made: how many subtitle files.")] = 8,
    out: ResultFile = None,
) -> None:
    silence_logs()
    with clear_sentences(), tempfile.TemporaryDirectory(prefix="bench-translation-") as work:
        root = Path(work)
        models = list(model or ())
        if made:
            source, target = "en", target or "is"
            if target not in TERMS:
                raise BadDataset(f"The made subtitles are from en to {' or '.join(TERMS)}.")
            folder = made_folder(root / "made", target, documents=documents)
            terms = terms or made_terms(root / "terms.csv", target)
            models = models or [str(unpack(TRANSLATION, root / "models"))]
        if folder is None:
            raise BadDataset("Name a folder of texts with translations, or try it with --made.")
        if not source or not target:
            raise BadDataset("Name both languages: --from en --to is.")
        direction = Direction(canonical(source), canonical(target), _glossary(terms))
        corpus = read_corpus(folder, direction.source, direction.target)
        overlay = {
            key: value
            for key, value in (("engine", engine), ("device", device), ("compute_type", compute_type))
            if value
        }
        section = section_with(profile, "translation", overlay)
        data = _data("made subtitles" if made else str(folder), corpus)
        notes = [f"BLEU with sacrebleu's tokenizer {tokenizer_of(direction.target)}.", *([MADE_NOTE] if made else [])]
        systems = _systems(models, section, through, direction, lines=lines)
        with answers_of("translation") as answers:
            asked = [questions(system, corpus.documents, direction) for system in systems]
            runs = measured(asked, METRICS, answers, turns=turns)
            publish(finished("translation", "Translation", data=data, metrics=METRICS, systems=runs, notes=notes), out)


def _systems(models: list[str], section: Json, through: Through, direction: Direction, *, lines: bool) -> list[System]:
    """A model in each way: by the product's flow and, with `lines`, line by line."""
    ways = [way for way in WAYS if way == FLOW or lines]
    if through is Through.CLUSTER:
        return [System(f"cluster{WAYS[way]}", PRODUCT, {"through": through.value, "way": way}) for way in ways]
    pair = f"{direction.source}-{direction.target}"
    systems = []
    for model in models or [""]:
        named = {**section, "models": {pair: str(Path(model).resolve())}} if model else section
        # Otherwise other models of the machine would help out.
        root = Path(model).resolve() if model else get_settings().models_root
        configuration = {"through": through.value, "profile": named, "models_root": str(root)}
        systems += [
            System(f"{Path(model).name or 'product'}{WAYS[way]}", PRODUCT, {**configuration, "way": way})
            for way in ways
        ]
    return systems


def _glossary(path: Path | None) -> tuple[GlossaryTerm, ...]:
    if path is None:
        return ()
    try:
        return read_glossary(decode(path.read_bytes()))
    except OSError as missing:
        raise BadDataset(f"The glossary {path} cannot be read: {missing.strerror}.") from missing
    except UnreadableGlossary as problem:
        raise BadDataset(str(problem)) from problem


def _data(name: str, corpus: Corpus) -> Data:
    return Data(
        name=name,
        items=sum(len(document.blocks) for document in corpus.documents),
        conditions=distinct(document.condition for document in corpus.documents),
        notes=corpus.notes,
    )
