"""Texts with their translations, in the forms that are common.

| form | where |
|---|---|
| subtitles | `talk.en.srt` and `talk.is.srt`, also `.vtt`: the times pair the lines |
| parallel texts | `news.en.txt` and `news.is.txt`, also `news.en` and `news.is`: line by line |
| table | `.csv` or `.tsv` with the columns source and target and, where wanted, document and condition |

Subfolders name the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure.datasets.folder import BadDataset
from benchmarks.measure.datasets.manifest import column, read_table
from benchmarks.measure.datasets.references import BadReference, ReferenceLine, read_lines
from pipelines.captions.reading.encodings import decode
from pipelines.messages.translate import SourceLine
from serve.core.text.language_codes import canonical

EXPECTED = (
    "Expected are subtitles in both languages (talk.en.srt and talk.is.srt), parallel texts (news.en.txt and "
    "news.is.txt), or a .csv with the columns source and target."
)
COLUMNS = {
    "source": ("source", "src"),
    "target": ("target", "reference", "ref", "translation", "tgt"),
    "document": ("document", "doc", "doc_id", "file"),
    "condition": ("condition", "domain"),
}
_READ_PER_S = 15
_LEAST_MS = 1_000
_GAP_MS = 100
SUBTITLES = (".srt", ".vtt")
PLAIN = (".txt", "")
TABLES = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Block:
    """Source lines that belong to one stretch of the reference, by index, and that stretch."""

    first: int
    after: int
    reference: str


@dataclass(frozen=True, slots=True)
class Document:
    """Lines that are translated together. `subtitles` is the reference with its times, empty for plain text."""

    name: str
    condition: str
    lines: tuple[SourceLine, ...]
    blocks: tuple[Block, ...]
    subtitles: tuple[ReferenceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """`notes` are sentences on what is missing or doubtful."""

    documents: tuple[Document, ...]
    notes: tuple[str, ...]


def read_corpus(folder: Path, source: str, target: str) -> Corpus:
    """Raises BadDataset."""
    if not folder.is_dir():
        raise BadDataset(f"There is no folder {folder}. {EXPECTED}")
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    notes: list[str] = []
    documents: list[Document] = []
    for path in files:
        condition = "/".join(path.relative_to(folder).parts[:-1])
        try:
            documents += _documents(path, files, source, target, condition, notes)
        except (BadReference, OSError) as problem:
            notes.append(f"{path.relative_to(folder)} was left out: {problem}")
    if not documents:
        nothing = f"Nothing in {folder} is both in “{source}” and in “{target}”."
        raise BadDataset(" ".join([nothing, *notes, EXPECTED]))
    return Corpus(tuple(documents), tuple(notes))


def _documents(
    path: Path, files: Sequence[Path], source: str, target: str, condition: str, notes: list[str]
) -> Iterator[Document]:
    if path.suffix.lower() in TABLES:
        yield from _from_table(path, condition)
        return
    for endings, read in ((SUBTITLES, _from_subtitles), (PLAIN, _from_texts)):
        name = _name_in(path, source, endings)
        if name is None:
            continue
        other = next(
            (each for each in files if each.parent == path.parent and _name_in(each, target, endings) == name), None
        )
        if other is None:
            notes.append(f"{path.name} has no translation beside it, such as {name}.{target}{path.suffix}.")
        else:
            yield read(path, other, name, condition)


def _name_in(path: Path, language: str, endings: Sequence[str]) -> str | None:
    """The name of the document when the file has that language and one of these endings."""
    for ending in endings:
        base = path.name[: -len(ending)] if ending and path.name.lower().endswith(ending) else path.name
        if ending and base == path.name:
            continue
        name, dot, code = base.rpartition(".")
        if dot and canonical(code) == canonical(language):
            return name
    return None


def _from_subtitles(path: Path, other: Path, name: str, condition: str) -> Document:
    lines, wanted = read_lines(path), read_lines(other)
    sources = tuple(
        SourceLine(id=f"{name}-{number}", start_ms=line.start_ms, end_ms=line.end_ms, text=line.text)
        for number, line in enumerate(lines)
    )
    return Document(name, condition, sources, tuple(_blocks(lines, wanted)), wanted)


def _blocks(lines: Sequence[ReferenceLine], wanted: Sequence[ReferenceLine]) -> Iterator[Block]:
    """The smallest stretches that no line of either side crosses."""
    first = used = 0
    while first < len(lines):
        after, reached = first + 1, lines[first].end_ms
        texts: list[str] = []
        while True:
            if used < len(wanted) and _belongs(wanted[used], lines[first].start_ms, reached):
                reached = max(reached, wanted[used].end_ms)
                texts.append(wanted[used].text)
                used += 1
            elif after < len(lines) and _belongs(lines[after], lines[first].start_ms, reached):
                reached = max(reached, lines[after].end_ms)
                after += 1
            else:
                break
        yield Block(first, after, " ".join(texts))
        first = after


def _belongs(line: ReferenceLine, start_ms: int, end_ms: int) -> bool:
    """Whether the line covers half of the stretch, or the stretch half of the line: cues of two tracks often touch."""
    shared = min(line.end_ms, end_ms) - max(line.start_ms, start_ms)
    return line.end_ms <= start_ms or 2 * shared >= min(line.end_ms - line.start_ms, end_ms - start_ms)


def _from_texts(path: Path, other: Path, name: str, condition: str) -> Document:
    source, target = (decode(each.read_bytes()).removeprefix("\ufeff").splitlines() for each in (path, other))
    if len(source) != len(target):
        raise BadReference(f"It has {len(source)} lines, and {other.name} has {len(target)}. They must pair.")
    return _of_pairs(name, condition, [pair for pair in zip(source, target, strict=True) if pair[0].strip()])


def _from_table(path: Path, condition: str) -> Iterator[Document]:
    names, rows = read_table(path)
    columns = {wanted: column(names, wanted, COLUMNS) for wanted in COLUMNS}
    source, target = columns["source"], columns["target"]
    if source is None or target is None:
        raise BadReference(f"It needs the columns source and target; it has {', '.join(filter(None, names))}.")
    cell: Callable[[dict[str, str], str], str] = lambda row, wanted: row.get(columns[wanted] or "", "")  # noqa: E731
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        if row.get(source):
            key = (cell(row, "document") or path.stem, cell(row, "condition") or condition)
            groups.setdefault(key, []).append((row[source], row.get(target, "")))
    for (name, part), pairs in groups.items():
        yield _of_pairs(name, part, pairs)


def _of_pairs(name: str, condition: str, pairs: Sequence[tuple[str, str]]) -> Document:
    """Each pair is a caption with the time that reading it takes."""
    lines = []
    start = 0
    for number, (text, _) in enumerate(pairs):
        ms = max(_LEAST_MS, len(text) * 1000 // _READ_PER_S)
        lines.append(SourceLine(id=f"{name}-{number}", start_ms=start, end_ms=start + ms, text=" ".join(text.split())))
        start += ms + _GAP_MS
    blocks = tuple(Block(number, number + 1, " ".join(text.split())) for number, (_, text) in enumerate(pairs))
    return Document(name, condition, tuple(lines), blocks)
