"""The report holds its figures, is one file, and asks no network for anything."""

from __future__ import annotations

import re

import pytest

from benchmarks.measure.outcomes.compare import compare
from benchmarks.measure.outcomes.html import report_html
from benchmarks.measure.outcomes.outcome import Outcome
from benchmarks.tests.models.made import outcome_of, run_with, seeded_errors


def test_the_page_holds_values_texts_figures_and_versions() -> None:
    base, new = run_with("base", seeded_errors(30, 5, 1)), run_with("new", [3] * 30)
    page = report_html([outcome_of(base, new)])
    plain = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Word error rate, %" in plain
    assert "15" in plain  # 3 of 20 words
    assert "512" in plain
    assert "one.wav has no reference." in plain
    assert "language is" in plain
    assert "said &lt;loudly&gt;" in plain
    assert "Latency and throughput" in plain
    assert page.count("<svg") == 3


@pytest.mark.long
def test_it_needs_nothing_else() -> None:
    page = report_html([outcome_of(run_with("base", [1] * 6))])
    assert "<script" not in page
    assert "<link" not in page
    addresses = {each for each in re.findall(r"https?://[^\"'\s<)]+", page) if "w3.org" not in each}
    assert not addresses
    assert "#0101" not in page
    assert "var(--series-1)" in page


@pytest.mark.long
def test_a_comparison_is_shown_with_its_verdicts() -> None:
    errors = seeded_errors(60, 6, 4)
    one, two = run_with("base", errors), run_with("new", [max(0, each - 1) for each in errors])
    compared = compare(outcome_of(one), one, outcome_of(two), two)
    page = report_html([outcome_of(one), outcome_of(two)], [compared])
    assert '<td class="better">better</td>' in page
    assert "“new” against “base”" in page


def test_an_outcome_survives_its_file() -> None:
    outcome = outcome_of(run_with("base", [1, 2, 3]))
    assert Outcome.model_validate_json(outcome.model_dump_json(exclude_defaults=True)) == outcome
