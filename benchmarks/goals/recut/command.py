"""`python -m benchmarks recut`: how many translated words stand in the cue of the word that they translate."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.recut.cutters import Cutter, in_own_cue, proportional, with_attention, without_attention
from benchmarks.goals.report import Report
from benchmarks.measure.models.translation.cues import Sentence, best_cut, material
from pipelines.flows.translate.passages import TranslationClient
from serve.core.settings import ModelSettings
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.messages import Passage
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.archives import TRANSLATION, unpack

CUTTERS: dict[str, Cutter] = {
    "by attention": with_attention,
    "without attention": without_attention,
    "proportional": proportional,
}
TARGETS = ("is", "es")


def command(sentences: Annotated[int, typer.Option(min=10, help="Sentences of the made subtitles.")] = 400) -> None:
    report = Report("recut")
    with tempfile.TemporaryDirectory(prefix="recut-") as work:
        root = Path(work)
        unpack(TRANSLATION, root)
        settings = ModelSettings(allow_hub=False)
        with closing(InProcessTranslator(TranslationProfile(engine="ct2"), settings, root)) as client:
            for target in TARGETS:
                _recut(report, material("en", target, sentences), target, client)
    report.note(
        "Made subtitles: sentences of the phrase book in random order, cut into one to three cues at 15 characters a "
        "second. Words in their own cue: by the word links of the phrase book. Word order allows less than 100 %."
    )
    report.write()


def _recut(report: Report, made: Sequence[Sentence], target: str, client: TranslationClient) -> None:
    """Cut the same translations in each way."""
    several = [each for each in made if len(each.lines) > 1]
    answers = [
        client.submit(Passage("cut", index, "en", target, each.phrase.source)) for index, each in enumerate(several)
    ]
    exact = [
        (each, best.attention)
        for each, answer in zip(several, answers, strict=True)
        if (best := answer.result().hypotheses[0]).text == each.phrase.target
    ]
    possible = sum(
        sum(owner == cue for cue, (a, b) in enumerate(best_cut(s.owners, len(s.lines))) for owner in s.owners[a:b])
        for s, _ in exact
    )
    words = sum(len(sentence.owners) for sentence, _ in exact)
    report.figure(f"en-{target}: words in their own cue, best possible", 100 * possible / words, "%", words=words)
    for name, cut in CUTTERS.items():
        right = sum(in_own_cue(each, cut(each, each.phrase.target, attention))[0] for each, attention in exact)
        report.figure(f"en-{target}: words in their own cue, cut {name}", 100 * right / words, "%", words=words)
