"""A folder of audio with references, in any of the forms that are common.

| reference | where |
|---|---|
| `.txt` | beside the audio, `talk.wav` and `talk.txt`: the whole text |
| `.srt`, `.vtt` | beside the audio, also `talk.is.srt`: text with the times of its lines |
| `.stm` | anywhere in the folder: NIST's segment time marks, for one or many files |
| `.csv`, `.tsv` | anywhere: columns audio, text and, where wanted, language, condition, start, end (seconds) |
| `.rttm` | anywhere: who speaks when, for diarization; `.uem` limits what counts |

Subfolders name the language (`is/talk.wav`) and the condition (`is/noisy/talk.wav`) of what is in them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from benchmarks.measure.datasets.manifest import ManifestRow, read_manifest
from benchmarks.measure.datasets.references import (
    BadReference,
    ReferenceLine,
    ReferenceTurn,
    StmFile,
    read_lines,
    read_rttm,
    read_stm,
    read_text,
    read_uem,
)
from pipelines.languages import UNKNOWN, language_label
from serve.core.text.language_codes import ISO_639_2, canonical

_ENDINGS = "wav mp3 flac ogg oga opus m4a aac mp4 mov mkv webm wma aiff aif caf amr avi mpg mpeg sph"
AUDIO = frozenset(f".{ending}" for ending in _ENDINGS.split())
SUBTITLES = (".srt", ".vtt")
TABLES = (".csv", ".tsv")
Read = TypeVar("Read")
_NAMES_SHOWN = 3
_CODES = frozenset(ISO_639_2) | frozenset(ISO_639_2.values())

EXPECTED = (
    "Expected is audio with a reference beside it (talk.wav with talk.txt, talk.srt or talk.vtt), an .stm file, or a "
    ".csv with the columns audio and text."
)
EXPECTED_SPEAKERS = (
    "Expected is audio and an .rttm file that says who speaks when (talk.wav with talk.rttm, or one for all)."
)


class BadDataset(ValueError):
    """A folder that cannot be measured on. The message says what to do."""


@dataclass(frozen=True, slots=True)
class AudioItem:
    """A piece of audio and its reference. Times are milliseconds in the audio file.

    `text` is None where only speakers are known. `start_ms` and `end_ms` cut the piece out of the file. `lines` are
    the timed lines of the text, without any for plain text; `ignored` are times that do not count, and `scored`, where
    given, are the only ones that do. `turns` is who speaks when.
    """

    id: str
    audio: Path
    text: str | None = None
    language: str = ""
    condition: str = ""
    start_ms: int | None = None
    end_ms: int | None = None
    lines: tuple[ReferenceLine, ...] = ()
    ignored: tuple[tuple[int, int], ...] = ()
    turns: tuple[ReferenceTurn, ...] = ()
    scored: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """`notes` are sentences on what is missing or doubtful."""

    folder: Path
    items: tuple[AudioItem, ...]
    notes: tuple[str, ...]


def speech_dataset(folder: Path, *, language: str = "") -> Dataset:
    """Audio with texts. `language` is that of items whose own is not known. Raises BadDataset."""
    return _Reader(folder, language, EXPECTED).speech()


def speaker_dataset(folder: Path) -> Dataset:
    """Audio with speaker turns; an `.stm` file adds what each speaker says. Raises BadDataset."""
    return _Reader(folder, "", EXPECTED_SPEAKERS).speakers()


@dataclass(slots=True)
class _Reader:
    folder: Path
    language: str
    expected: str
    notes: list[str] = field(default_factory=list)
    _files: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise BadDataset(f"There is no folder {self.folder}. {self.expected}")
        # Hidden files and folders are those of programs, such as .git or ._talk.wav on disks of other systems.
        relative = ((path.relative_to(self.folder), path) for path in sorted(self.folder.rglob("*")))
        self._files = [
            path for name, path in relative if path.is_file() and not any(part.startswith(".") for part in name.parts)
        ]
        if not self._audio():
            raise BadDataset(f"{self.folder} holds no audio. {self.expected}")

    def speech(self) -> Dataset:
        items = [*self._from_tables(), *self._from_stm()]
        named = {item.audio for item in items}
        alone = []
        for audio in self._audio():
            if audio in named:
                continue
            item = self._beside(audio)
            if item is None:
                alone.append(audio)
            else:
                items.append(item)
        self._say(alone, "has no reference and was left out", "have no reference and were left out")
        return self._finished(items)

    def speakers(self) -> Dataset:
        turns: dict[str, list[ReferenceTurn]] = defaultdict(list)
        limits: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for path in self._of(".rttm"):
            for name, turn in self._tried(read_rttm, path) or ():
                turns[name].append(turn)
        for path in self._of(".uem"):
            for name, span in self._tried(read_uem, path) or ():
                limits[name].append(span)
        texts: dict[str, StmFile] = {}
        for path in self._of(".stm"):
            texts.update(self._tried(read_stm, path) or {})
        items = []
        alone = []
        for audio in self._audio():
            if (own := turns.pop(audio.stem, None)) is None:
                alone.append(audio)
                continue
            scored = tuple(sorted(limits[audio.stem])) if audio.stem in limits else None
            ordered = tuple(sorted(own, key=lambda turn: (turn.start_ms, turn.end_ms)))
            lines = texts[audio.stem].lines if audio.stem in texts else ()
            items.append(replace(self._item(audio), turns=ordered, scored=scored, lines=lines))
        self._say(alone, "is in no .rttm file and was left out", "are in no .rttm file and were left out")
        self._missing_audio(turns, ".rttm")
        return self._finished(items)

    def _finished(self, items: Sequence[AudioItem]) -> Dataset:
        if not items:
            raise BadDataset(" ".join([f"Nothing in {self.folder} can be measured.", *self.notes, self.expected]))
        for name, count in Counter(item.id for item in items).items():
            if count > 1:
                self.notes.append(f"{name} has {count} references; only the first counts.")
        unique = {item.id: item for item in reversed(items)}
        if unknown := sum(not item.language for item in unique.values() if item.text is not None):
            self.notes.append(
                f"The language of {unknown} of {len(unique)} items is not known, so the model detects it and their "
                "texts are compared by rules for any language. Name it with --language, a folder or a column."
            )
        return Dataset(self.folder, tuple(sorted(unique.values(), key=lambda item: item.id)), tuple(self.notes))

    def _from_tables(self) -> Iterator[AudioItem]:
        for path in (file for ending in TABLES for file in self._of(ending)):
            missing = []
            for row in self._tried(read_manifest, path) or ():
                audio = self._named(row.audio, path.parent)
                if audio is None:
                    missing.append(row.audio)
                else:
                    yield self._from_row(row, audio)
            self._say(missing, f"of {path.name} is not there", f"of {path.name} are not there")

    def _from_row(self, row: ManifestRow, audio: Path) -> AudioItem:
        item = self._item(audio)
        cut = (
            f"#{row.start_ms or 0}-{row.end_ms or 'end'}" if row.start_ms is not None or row.end_ms is not None else ""
        )
        return replace(
            item,
            id=f"{item.id}{cut}",
            text=row.text,
            language=self._known_language(row.language, row.audio) or item.language,
            condition=row.condition or item.condition,
            start_ms=row.start_ms,
            end_ms=row.end_ms,
        )

    def _from_stm(self) -> Iterator[AudioItem]:
        files: dict[str, StmFile] = {}
        for path in self._of(".stm"):
            files.update(self._tried(read_stm, path) or {})
        by_stem = {audio.stem: audio for audio in self._audio()}
        for name in [name for name in files if name in by_stem]:
            found = files.pop(name)
            item = self._item(by_stem[name])
            text = " ".join(line.text for line in found.lines)
            spoken = self._known_language(found.language, name) or item.language
            yield replace(item, text=text, lines=found.lines, ignored=found.ignored, language=spoken)
        self._missing_audio(files, ".stm")

    def _beside(self, audio: Path) -> AudioItem | None:
        """The item of an audio file whose reference has its name."""
        own = [path for path in audio.parent.iterdir() if path.name.startswith(f"{audio.stem}.") and path != audio]
        item = self._item(audio)
        subtitles = sorted(path for path in own if path.suffix.lower() in SUBTITLES)
        if len(subtitles) > 1:
            self.notes.append(f"{item.id} has several subtitle files; {subtitles[0].name} counts.")
        for path in subtitles[:1]:
            middle = path.name[len(audio.stem) + 1 : -len(path.suffix)]
            language = (self._known_language(middle, path.name) if middle else "") or item.language
            lines = self._tried(read_lines, path, language)
            if lines is not None:
                return replace(item, text=" ".join(line.text for line in lines), lines=lines, language=language)
        for path in own:
            if path.suffix.lower() == ".txt" and (text := self._tried(read_text, path, item.language)) is not None:
                return replace(item, text=text)
        return None

    def _item(self, audio: Path) -> AudioItem:
        """The item without a reference; its folders say its language and condition."""
        name = audio.relative_to(self.folder)
        languages = [part for part in name.parts[:-1] if is_language(part)]
        conditions = [part for part in name.parts[:-1] if not is_language(part)]
        language = canonical(languages[-1]) if languages else self.language and canonical(self.language)
        return AudioItem(str(name), audio, language=language, condition="/".join(conditions))

    def _known_language(self, code: str, where: str) -> str:
        """The language of a code; empty, and said so, for one that nobody knows."""
        if not code or is_language(code):
            return canonical(code) if code else ""
        self.notes.append(f"{where}: “{code}” is no language code such as en, is or pt-BR.")
        return ""

    def _named(self, name: str, folder: Path) -> Path | None:
        """The audio that a manifest names, beside it or in the data's folder."""
        for path in (folder / name, self.folder / name):
            if path.is_file() and path.resolve().is_relative_to(self.folder.resolve()):
                return path if path.is_relative_to(self.folder) else self.folder / name
        return None

    def _audio(self) -> list[Path]:
        return [path for path in self._files if path.suffix.lower() in AUDIO]

    def _of(self, ending: str) -> list[Path]:
        return [path for path in self._files if path.suffix.lower() == ending]

    def _tried(self, read: Callable[..., Read], path: Path, *arguments: str) -> Read | None:
        """What a reference file says; None, and a note, where it cannot be read."""
        try:
            return read(path, *arguments)
        except (BadReference, OSError) as problem:
            self.notes.append(f"{path.relative_to(self.folder)} was left out: {problem}")
            return None

    def _missing_audio(self, names: Collection[str], ending: str) -> None:
        self._say(
            sorted(names),
            f"is in an {ending} file, and there is no audio of that name",
            f"are in an {ending} file, and there is no audio of these names",
        )

    def _say(self, names: Sequence[Path | str], one: str, many: str) -> None:
        """Add a note on files, with the first of their names."""
        if not names:
            return
        shown = [str(each.relative_to(self.folder)) if isinstance(each, Path) else each for each in names]
        listed = ", ".join(shown[:_NAMES_SHOWN])
        more = f" and {len(shown) - _NAMES_SHOWN} more" if len(shown) > _NAMES_SHOWN else ""
        self.notes.append(f"{listed}{more} {one if len(shown) == 1 else many}.")


def is_language(code: str) -> bool:
    base = code.replace("_", "-").split("-")[0].lower()
    return base in _CODES or (2 <= len(code) <= 3 and language_label(code) != UNKNOWN)
