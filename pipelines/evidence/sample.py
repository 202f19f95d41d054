"""Recordings whose words are known: what engines are compared on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cluster.wording.message import Wording
from pipelines.captions.imports.process import read_in_process
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.encodings import decode
from pipelines.media.sample import SAMPLE, SAMPLE_LANGUAGE, SAMPLE_NAME, SAMPLE_TEXT

TEXTS = (".txt", ".srt", ".vtt")
NO_FOLDER = Wording("evidence.no_folder", "There is no folder {folder}.")
NO_RECORDINGS = Wording(
    "evidence.no_recordings",
    "{folder} holds no recording with its text. Put a .txt, .srt or .vtt of the same name beside each.",
)
UNREADABLE = Wording("evidence.unreadable", "{file} cannot be read. {problem}")


class NoSample(ValueError):
    """There is nothing to compare on; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Recording:
    """`source` is any sound or film, `said` the words in it, `language` their locale code."""

    name: str
    source: Path
    said: str
    language: str


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    recordings: tuple[Recording, ...]


def shipped_sample() -> Sample:
    """The minute that every installation has, spoken by two synthetic voices."""
    name = SAMPLE_NAME.rsplit(".", 1)[0]
    return Sample(name, (Recording(name, SAMPLE, " ".join(SAMPLE_TEXT), SAMPLE_LANGUAGE),))


def folder_sample(folder: Path, language: str) -> Sample:
    """Every recording of the folder that has a text beside it. Raises NoSample."""
    if not folder.is_dir():
        raise NoSample(NO_FOLDER(folder=str(folder)))
    texts = {each.stem: each for each in sorted(folder.iterdir(), reverse=True) if each.suffix.lower() in TEXTS}
    found = [
        Recording(each.stem, each, _said(texts[each.stem], language), language)
        for each in sorted(folder.iterdir())
        if each.is_file() and each.suffix.lower() not in TEXTS and each.stem in texts
    ]
    recordings = tuple(each for each in found if each.said.strip())
    if not recordings:
        raise NoSample(NO_RECORDINGS(folder=str(folder)))
    return Sample(folder.resolve().name, recordings)


def _said(path: Path, language: str) -> str:
    raw = path.read_bytes()
    if path.suffix.lower() == ".txt":
        return decode(raw, language)
    try:
        return " ".join(line.text for line in read_in_process(raw, language).lines)
    except UnreadableSubtitles as problem:
        raise NoSample(UNREADABLE(file=str(path), problem=str(problem))) from problem
