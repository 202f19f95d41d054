"""Scores of translated subtitles."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from sacrebleu.metrics.chrf import CHRF
from suber.file_readers import read_input_file
from suber.metrics.suber import calculate_SubER

from benchmarks.translation_quality.material import Sentence
from pipelines.captions.lines import CaptionLine
from pipelines.captions.rules import rules_for
from pipelines.captions.srt import format_srt
from pipelines.captions.text import visible_length
from pipelines.flows.translate_messages import TargetLine
from pipelines.translation.numbers import lost_numbers, numbers_in
from pipelines.translation.rows import break_rows


def chrf(sentences: Sequence[Sentence], lines: Sequence[TargetLine]) -> float:
    """chrF++ of sentences: that of rows would reward a cut, not a translation."""
    texts = _by_sentence(lines)
    hypotheses = [texts.get(sentence.lines[0].id.split("-")[0], "") for sentence in sentences]
    return float(CHRF(word_order=2).corpus_score(hypotheses, [[each.phrase.target for each in sentences]]).score)


def subtitle_edit_rate(sentences: Sequence[Sentence], lines: Sequence[TargetLine], target_language: str) -> float:
    """SubER against the reference cut into the same cues, in edits for 100 words and breaks."""
    rules = rules_for(target_language)
    wanted = [
        CaptionLine(line.id, line.start_ms, line.end_ms, break_rows(text, rules))
        for sentence in sentences
        for line, text in zip(sentence.lines, sentence.best_cut, strict=True)
    ]
    shown = [CaptionLine(line.source_ids[0], line.start_ms, line.end_ms, line.text) for line in lines if line.text]
    with tempfile.TemporaryDirectory() as folder:
        read = []
        for name, captions in (("shown", shown), ("wanted", wanted)):
            path = Path(folder) / f"{name}.srt"
            path.write_text(format_srt(captions), encoding="utf-8")
            read.append(read_input_file(str(path), file_format="SRT"))
        return float(calculate_SubER(hypothesis=read[0], reference=read[1]))


def profile_pass_rate(lines: Sequence[TargetLine], target_language: str) -> float:
    """Share of lines whose rows and reading speed respect the rules, in percent."""
    rules = rules_for(target_language)

    def passes(line: TargetLine) -> bool:
        rows = line.text.split("\n")
        fast = visible_length(line.text) * 1000 > rules.max_speed * (line.end_ms - line.start_ms)
        return len(rows) <= rules.max_rows and all(visible_length(row) <= rules.max_row for row in rows) and not fast

    return 100 * sum(map(passes, lines)) / len(lines)


def numbers_kept(sentences: Sequence[Sentence], lines: Sequence[TargetLine]) -> float:
    """Percent of the source's numbers that the translation of their sentence holds."""
    texts = _by_sentence(lines)
    total = lost = 0
    for sentence in sentences:
        total += sum(numbers_in(sentence.phrase.source).values())
        lost += len(lost_numbers(sentence.phrase.source, texts.get(sentence.lines[0].id.split("-")[0], "")))
    return 100 * (total - lost) / max(1, total)


def length_ratio(lines: Sequence[TargetLine]) -> float:
    """Characters of the translation for each of the source."""
    source = sum(visible_length(text) for line in lines for text in line.source_texts)
    return sum(visible_length(line.text) for line in lines) / source


def in_own_cue(sentence: Sentence, pieces: Sequence[str]) -> tuple[int, int]:
    """How many target words are in the cue of the source word they are linked to, and how many there are."""
    cues = [cue for cue, piece in enumerate(pieces) for _ in piece.split()]
    return sum(cue == owner for cue, owner in zip(cues, sentence.owners, strict=True)), len(sentence.owners)


def _by_sentence(lines: Sequence[TargetLine]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for line in lines:
        number = line.source_ids[0].split("-")[0]
        texts[number] = " ".join(part for part in (texts.get(number, ""), line.text.replace("\n", " ")) if part)
    return texts
