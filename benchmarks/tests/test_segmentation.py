"""The cut of the product keeps more lines within a profile than filling rows, and loses no word."""

from __future__ import annotations

import pytest

from benchmarks.goals.segmentation.command import leaning
from benchmarks.goals.segmentation.cutters import CUTTERS
from benchmarks.goals.segmentation.material import speech
from pipelines.captions.quality.find import open_findings
from pipelines.captions.quality.findings import Circumstances
from pipelines.captions.quality.profile import built_in_profiles


@pytest.mark.parametrize(("language", "profile"), [("en", "netflix_en"), ("is", "netflix")])
def test_lines_keep_to_the_profile(language: str, profile: str) -> None:
    words, limits = speech(language, 60), built_in_profiles()[profile]
    within, leans = {}, {}
    for way, cut in CUTTERS.items():
        lines = cut(words, limits, language)
        assert [word for line in lines for word in line.words] == words
        broken = {found.line_ids[0] for found in open_findings(lines, Circumstances(limits, language, fps=25.0))}
        within[way], leans[way] = 1 - len(broken) / len(lines), leaning(lines, language)
    assert within["after"] > 0.85
    assert within["after"] > within["naive"] + 0.3
    assert leans["after"] < leans["naive"] / 4
