"""Subtitles with their translation to try the bench with: sentences that the tiny model of the tests knows by heart."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure.models.translation.cues import material
from pipelines.captions.reading.srt import format_srt
from pipelines.messages.lines import CaptionLine

SENTENCES = 40
TERMS = {
    "is": (("bridge", "brú"), ("children", "barn"), ("sea", "sjór"), ("tickets", "miði"), ("Reykjavík", "Reykjavík")),
    "es": (("bridge", "puente"), ("children", "niño"), ("sea", "mar"), ("tickets", "entrada"), ("story", "historia")),
}


def made_folder(folder: Path, target: str, *, documents: int) -> Path:
    """Documents `<number>.en.srt` and `<number>.<target>.srt`, the target cut so that words are in their own cue."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(documents):
        source, wanted = [], []
        for sentence in material("en", target, SENTENCES, seed=number + 1):
            for line, text in zip(sentence.lines, sentence.best_cut, strict=True):
                source.append(CaptionLine(line.id, line.start_ms, line.end_ms, line.text))
                wanted.append(CaptionLine(line.id, line.start_ms, line.end_ms, text))
        (folder / f"{number}.en.srt").write_text(format_srt(source), encoding="utf-8")
        (folder / f"{number}.{target}.srt").write_text(format_srt(wanted), encoding="utf-8")
    return folder


def made_terms(path: Path, target: str) -> Path:
    """A glossary file."""
    path.write_text("source,target\n" + "".join(f"{one},{other}\n" for one, other in TERMS[target]), encoding="utf-8")
    return path
