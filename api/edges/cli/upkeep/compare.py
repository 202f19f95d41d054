"""`sagascript models compare`: the speech engines of this machine on recordings whose words are known."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from api.edges.cli.console import err, fail, out
from api.edges.cli.local.work import work
from api.edges.cli.settings import settings_with
from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    from pipelines.evidence.record import EngineEvidence
    from pipelines.evidence.sample import Sample
    from serve.tasks.transcription.others.installed import InstalledEngine
    from serve.tasks.transcription.profile import TranscriptionProfile

FEW_LANGUAGES = 4
KEPT = "Admin → Models shows this too, and `sagascript doctor` what it advises."
NOT_TRANSCRIBED = "There is no transcribed file “{slug}” here. Its slug is the last part of its address."
NOT_KEPT = "Nothing was stored: {reason}."


def compare_models(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Recordings, each with a .txt, .srt or .vtt of its words. Default: the built-in sample."),
    ] = None,
    file: Annotated[
        list[str] | None,
        typer.Option(help="A file of this installation whose captions were corrected: its slug. Repeat it."),
    ] = None,
    language: Annotated[str, typer.Option(help="Language that is spoken in the folder, such as is-IS.")] = "en-US",
    model: Annotated[
        list[str] | None, typer.Option(help="Only this engine, by a name from the table. Repeat it.")
    ] = None,
) -> None:
    """Measure errors, speed and memory of each installed speech engine, and say which one to use."""
    from pipelines.languages import is_known

    settings = settings_with()
    if folder is not None and file:
        raise fail("Give a folder or files of the installation, not both.")
    if not is_known(language):
        raise fail(f"“{language}” is no language of the list. Use a code such as en-US.")
    from pipelines.evidence.measurement import measured
    from pipelines.evidence.record import ranked
    from pipelines.evidence.sample import NoSample
    from serve.profile import BadProfile, load_profile
    from serve.tasks.transcription.profile import TranscriptionProfile

    with work("compare", settings, NoSample, BadProfile), tempfile.TemporaryDirectory(prefix="compare-") as storage:
        profile = load_profile(settings.profile).require(TranscriptionProfile)
        sample = _sample(settings, folder, file or [], language, Path(storage))
        engines = _engines(settings, profile, model or [])
        found: list[EngineEvidence] = []
        for each in measured(profile, settings.models_root, engines, sample, Path(storage), begin=_quiet):
            found.append(each)
            err.print(f"{escape(each.label)}: {escape(_figures(each))}", soft_wrap=True)
    found = ranked(found)
    out.print(_table(found))
    # One of single engines says nothing about the others.
    kept = "" if model else _keep(settings, found)
    for sentence in (_advice(settings, found), kept):
        if sentence:
            out.print(escape(sentence), soft_wrap=True)
    if all(each.problem for each in found):
        raise typer.Exit(1)


def _sample(settings: ApiSettings, folder: Path | None, slugs: list[str], language: str, work: Path) -> Sample:
    from pipelines.evidence.sample import folder_sample, shipped_sample

    if slugs:
        return _own_sample(settings, slugs, work)
    return shipped_sample() if folder is None else folder_sample(folder, language)


def _own_sample(settings: ApiSettings, slugs: list[str], work: Path) -> Sample:
    """Files of the installation; what their captions say now is taken for what is spoken."""
    from sqlalchemy import select

    from api.content.captions.reading import all_lines
    from api.content.captions.tracks import tracks_of
    from api.content.files.models import File
    from api.edges.cli.upkeep.evidence import NotStored, with_database
    from api.platform.db.engine import Database
    from cluster.storage.opening import open_storage
    from pipelines.evidence.sample import NoSample, Recording, Sample

    async def read(database: Database) -> list[Recording]:
        storage, recordings = open_storage(settings), []
        async with database.read() as session:
            for slug in slugs:
                chosen = select(File).where(File.slug == slug, File.deleted_at.is_(None))
                file = (await session.scalars(chosen)).one_or_none()
                track = None if file is None else (await tracks_of(session, file)).transcription
                if file is None or track is None or file.audio_key is None:
                    raise NoSample(NOT_TRANSCRIBED.format(slug=slug))
                said = " ".join(line.text for line in await all_lines(session, track))
                sound = work / f"{slug}.wav"
                with storage.local_copy(file.audio_key, work) as path:
                    shutil.copyfile(path, sound)
                recordings.append(Recording(file.name, sound, said, track.language))
        return recordings

    try:
        recordings = with_database(settings, read)
    except NotStored as problem:
        raise fail(f"The files cannot be read: {problem}.") from None
    return Sample(", ".join(each.name for each in recordings), tuple(recordings))


def _engines(settings: ApiSettings, profile: TranscriptionProfile, names: list[str]) -> list[InstalledEngine]:
    from serve.core.settings import ModelSettings
    from serve.tasks.transcription.others.installed import installed_engines
    from serve.tasks.transcription.remote.settings import SpeechSettings

    found = installed_engines(profile, ModelSettings(), settings.models_root, SpeechSettings().endpoint)
    if unknown := set(names) - {each.name for each in found}:
        known = ", ".join(each.name for each in found)
        raise fail(f"There is no engine {', '.join(sorted(unknown))} on this machine. There are: {known}.")
    return [each for each in found if not names or each.name in names]


def _table(found: list[EngineEvidence]) -> Table:
    first = found[0]
    title = f"{first.sample}: {first.sample_seconds:.0f} s, {first.errors.words} words"
    table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False)
    # A name is what other commands and settings take, so it is never cut.
    table.add_column("name", no_wrap=True)
    for heading in ("errors", "× real time", "memory", "languages", "word times", "terms"):
        table.add_column(heading)
    for each in found:
        info = each.info
        few = 0 < len(info.languages) <= FEW_LANGUAGES
        languages = ", ".join(sorted(info.languages)) if few else str(len(info.languages) or "many")
        figures = (
            (f"{each.errors.percent:.1f} %", f"{each.speed:.1f}", f"{each.memory / 1e6:,.0f} MB")
            if not each.problem
            else ("–", "–", "–")
        )
        abilities = (languages, str(info.word_times), "yes" if info.takes_vocabulary else "no")
        table.add_row(*(escape(cell) for cell in (each.name, *figures, *abilities)))
    return table


def _figures(each: EngineEvidence) -> str:
    return each.problem or f"{each.errors.percent:.1f} % errors, {each.speed:.1f} × real time"


def _keep(settings: ApiSettings, found: list[EngineEvidence]) -> str:
    """Store the comparison; returns a sentence that says where it is, or why it is nowhere."""
    from api.edges.cli.upkeep.evidence import NotStored, store

    try:
        store(settings, found)
    except NotStored as problem:
        return NOT_KEPT.format(reason=problem)
    return KEPT


def _quiet() -> None:
    """What a child logs of its loading is no part of the table."""
    from cluster.logs.logging import configure_logging

    configure_logging("compare", settings_with().model_copy(update={"log_level": "warning"}))


def _advice(settings: ApiSettings, found: list[EngineEvidence]) -> str:
    from api.platform.capabilities.evidence import advice
    from serve.doctor import explain_engines
    from serve.tasks.transcription.messages import TRANSCRIPTION

    used = next((each for each in explain_engines(settings) if each.task == TRANSCRIPTION), None)
    return advice(found, used)
