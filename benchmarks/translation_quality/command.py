"""`python -m benchmarks translation-quality`: how well captions are translated and cut back into their cues."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.report import Report
from benchmarks.translation_quality import scores
from benchmarks.translation_quality.material import Sentence, best_cut, material
from benchmarks.translation_quality.systems import (
    Cutter,
    Translation,
    by_flow,
    line_by_line,
    proportional,
    with_attention,
    without_attention,
)
from pipelines.flows.passages import TranslationClient
from pipelines.flows.translate_messages import GlossaryTerm, LineFlag
from pipelines.translation.glossary import TermIndex, missing
from serve.settings import ModelSettings
from serve.testing.tiny_models.archives import TRANSLATION, unpack
from serve.translation.apertium import installed_modes
from serve.translation.in_process import InProcessTranslator
from serve.translation.profile import TranslationProfile
from serve.translation_messages import Passage

CUTTERS: dict[str, Cutter] = {
    "by attention": with_attention,
    "without attention": without_attention,
    "proportional": proportional,
}
TERMS = {
    "is": (("bridge", "brú"), ("children", "barn"), ("sea", "sjór"), ("tickets", "miði"), ("Reykjavík", "Reykjavík")),
    "es": (("bridge", "puente"), ("children", "niño"), ("sea", "mar"), ("tickets", "entrada"), ("story", "historia")),
}


def command(sentences: Annotated[int, typer.Option(min=10, help="Sentences of the made subtitles.")] = 400) -> None:
    report = Report("translation-quality")
    with tempfile.TemporaryDirectory(prefix="translation-quality-") as work:
        root = Path(work)
        unpack(TRANSLATION, root)
        settings = ModelSettings(allow_hub=False)
        with closing(InProcessTranslator(TranslationProfile(engine="ct2"), settings, root)) as client:
            for target in TERMS:
                made = material("en", target, sentences)
                _recut(report, made, target, client)
                _whole(report, made, target, client, f"tiny model en-{target}")
        if ("en", "es") in installed_modes():
            rules = TranslationProfile(engine="apertium")
            with closing(InProcessTranslator(rules, settings, root / "none")) as client:
                _whole(report, material("en", "es", sentences), "es", client, "Apertium en-es")
        else:
            report.note("Apertium with English and Spanish is not installed here, so it was left out.")
    report.note(
        "Made subtitles: sentences of the phrase book in random order, cut into one to three cues at 15 characters a "
        "second. The tiny model knows these sentences whole and by heart, so its scores show what cutting and choosing "
        "lose, not how good a real model is; half sentences are strange to it."
    )
    report.note("Words in their own cue: by the word links of the phrase book. Word order allows less than 100 %.")
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
        right = sum(scores.in_own_cue(each, cut(each, each.phrase.target, attention))[0] for each, attention in exact)
        report.figure(f"en-{target}: words in their own cue, cut {name}", 100 * right / words, "%", words=words)


def _whole(report: Report, made: Sequence[Sentence], target: str, client: TranslationClient, engine: str) -> None:
    """Translate the subtitles by our flow and line by line, and score both."""
    glossary = tuple(GlossaryTerm(source=source, target=word) for source, word in TERMS[target])
    client.submit(Passage("warm", 0, "en", target, made[0].phrase.source)).result()
    ours = by_flow(made, "en", target, client, glossary)
    theirs = line_by_line(made, "en", target, client)
    for name, translation in (("ours", ours), ("line by line", theirs)):
        _score(report, f"{engine}, {name}", made, target, translation, glossary)
    _lines_kept(report, engine, made, ours)


def _score(
    report: Report,
    name: str,
    made: Sequence[Sentence],
    target: str,
    translation: Translation,
    glossary: Sequence[GlossaryTerm],
) -> None:
    lines = translation.lines
    index = TermIndex(glossary, "en")
    wanted = hits = 0
    for sentence in made:
        terms = index.terms_in(sentence.phrase.source)
        ids = {line.id for line in sentence.lines}
        text = " ".join(line.text.replace("\n", " ") for line in lines if ids.intersection(line.source_ids))
        wanted += len(terms)
        hits += len(terms) - len(missing(text, terms, target))
    report.figure(f"{name}: chrF++", scores.chrf(made, lines), "")
    report.figure(f"{name}: SubER", scores.subtitle_edit_rate(made, lines, target), "%")
    report.figure(f"{name}: lines that pass the profile", scores.profile_pass_rate(lines, target), "%")
    report.figure(f"{name}: numbers kept", scores.numbers_kept(made, lines), "%")
    report.figure(f"{name}: glossary hits", 100 * hits / max(1, wanted), "%", terms=wanted)
    report.figure(f"{name}: length ratio", scores.length_ratio(lines), "x")
    report.figure(f"{name}: speed", sum(len(each.lines) for each in made) / translation.seconds, "lines/s")


def _lines_kept(report: Report, engine: str, made: Sequence[Sentence], ours: Translation) -> None:
    wanted = [line.id for sentence in made for line in sentence.lines]
    covered = [source_id for line in ours.lines for source_id in line.source_ids]
    shifted = sum(one != other for one, other in zip(wanted, covered, strict=False)) + abs(len(wanted) - len(covered))
    report.figure(f"{engine}, ours: empty rows", sum(not line.text for line in ours.lines), "")
    report.figure(f"{engine}, ours: shifted or missing lines", shifted, "")
    report.figure(f"{engine}, ours: lines that share a row", sum(len(line.source_ids) > 1 for line in ours.lines), "")
    report.figure(
        f"{engine}, ours: lines to check", sum(bool(set(line.flags) - {LineFlag.UNSURE}) for line in ours.lines), ""
    )
