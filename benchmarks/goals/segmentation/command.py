"""`python -m benchmarks segmentation`: the share of lines that keep to a profile, by the way they were cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

from benchmarks.goals.report import Report
from benchmarks.goals.segmentation.cutters import CUTTERS
from benchmarks.goals.segmentation.material import speech
from pipelines.captions.quality.find import open_findings
from pipelines.captions.quality.findings import Circumstances
from pipelines.captions.quality.profile import built_in_profiles
from pipelines.captions.texts.break_points import Break, break_after
from pipelines.messages.lines import CaptionLine

PROFILES = {"en": ("default", "netflix_en", "bbc_broadcast", "shorts"), "is": ("default", "netflix", "shorts")}


def command(sentences: Annotated[int, typer.Option(min=10, help="Sentences of generated speech.")] = 1_500) -> None:
    report = Report("segmentation")
    for language, profiles in PROFILES.items():
        words = speech(language, sentences)
        for name in profiles:
            profile = built_in_profiles()[name]
            about = Circumstances(profile, language, fps=25.0)
            for way, cut in CUTTERS.items():
                lines = cut(words, profile, language)
                if [word for line in lines for word in line.words] != words:
                    raise SystemExit(f"{way} lost or moved a word.")
                broken = {found.line_ids[0] for found in open_findings(lines, about)}
                figure = f"{language}, {profile.name}, {way}"
                share = 100 * (1 - len(broken) / len(lines))
                report.figure(f"{figure}: lines within the profile", share, "%", lines=len(lines), words=len(words))
                report.figure(f"{figure}: breaks after a word that leans on the next", leaning(lines, language), "%")
    report.note(
        "Generated speech at 11 to 19 letters a second. naive: rows and lines filled to the limit. "
        "before: the rules and function words that all languages shared. after: the profile and the grammar of "
        "the language. No way loses a word or moves one. A line is within the profile without errors and warnings."
    )
    report.write()


def leaning(lines: Sequence[CaptionLine], language: str) -> float:
    """The share of breaks, of rows and lines, between two words that belong together, in percent."""
    total = bad = 0
    rows = [row.split() for line in lines for row in line.text.split("\n")]
    for upper, lower in pairwise(rows):
        total += 1
        bad += break_after(upper[-1], lower[0], language) is Break.LEANING
    return 100 * bad / max(1, total)
