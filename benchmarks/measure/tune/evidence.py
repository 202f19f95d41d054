"""What `tune` leaves: the profile, and beside it every run that speaks for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Data, Figure, Item, Metric, Outcome, SystemRun
from benchmarks.measure.tune.candidates import Candidate
from benchmarks.measure.tune.decision import Decision, Goal
from benchmarks.measure.tune.trials import FINAL, Trial
from serve.profile import load_profile, profile_of

NEVER_S = 1e6
"""Stands for a latency without an answer: JSON has no infinity."""
NOTES = (
    "Halving runs only choose the finalists. The decision rests on the final runs, which are new ones: a run that "
    "chose the best would flatter it.",
    "Run n of all finalists had the same clips and arrivals. Intervals are Student's, 95 %, over these runs.",
    "Nothing here measures the text. More beams or another number format change it: run `asr` on both first.",
)


def written_profile(base: str, decision: Decision, evidence: Path, model: str) -> str:
    """The profile file: all sections of the base with the recommended changes, and a comment on where it comes from."""
    assert decision.recommended is not None
    profile = load_profile(base)
    sections: dict[str, Any] = profile.model_dump(mode="json", exclude={"name"}, exclude_unset=True)
    sections["transcription"] |= dict(decision.recommended.changes)
    profile_of(profile.name, sections)
    head = (
        f"# {decision.sentence}\n"
        f"# Measured with the model {model}. Runs, hardware and commit: {evidence.name}\n"
        "# Use it with SAGASCRIPT_PROFILE and the path of this file.\n"
    )
    return head + yaml.safe_dump(sections, sort_keys=False, allow_unicode=True)


def evidence_of(
    base: Configuration, goal: Goal, trials: Sequence[Trial], decision: Decision, *, model: str, data: Data
) -> Outcome:
    """Every run as a result file; runs of one seed are compared with each other."""
    metric = _metric(goal)
    systems = [
        _system(base, candidate, [trial for trial in trials if trial.candidate == candidate], decision, metric, model)
        for candidate in dict.fromkeys(trial.candidate for trial in trials)
    ]
    return finished(
        "tune",
        f"Search for {goal.text()}: {model}",
        data=data,
        metrics=[metric],
        systems=systems,
        notes=(decision.sentence, *NOTES),
    )


def _metric(goal: Goal) -> Metric:
    if goal.rate is not None:
        about = f"Mean over the runs, each at {goal.rate:g} requests a second."
        return Metric(key="p95", title="Latency p95", unit="s", about=about)
    about = "Mean over the runs, with more callers than fill every batch."
    return Metric(key="speed", title="Real-time factor", unit="s of sound/s", about=about, lower_is_better=False)


def _system(
    base: Configuration,
    candidate: Candidate,
    trials: Sequence[Trial],
    decision: Decision,
    metric: Metric,
    model: str,
) -> SystemRun:
    items = [
        Item(
            id=f"{trial.part}, seed {trial.seed}",
            group=str(trial.seed),
            condition=trial.part,
            values={metric.key: (trial.value if math.isfinite(trial.value) else NEVER_S, 1.0)},
            texts={"seconds": f"{trial.seconds:g}"},
            problem=trial.problem,
        )
        for trial in trials
    ]
    figures = [Figure(name="memory peak", value=max(trial.peak_bytes for trial in trials) / 2**20, unit="MiB")]
    estimate = decision.estimates.get(candidate)
    if estimate is not None and math.isfinite(estimate.low):
        figures += [
            Figure(name=f"{FINAL}: mean", value=estimate.value, unit=metric.unit),
            Figure(name=f"{FINAL}: from", value=estimate.low, unit=metric.unit),
            Figure(name=f"{FINAL}: to", value=estimate.high, unit=metric.unit),
        ]
    return SystemRun(
        name=candidate.name,
        engine=base.profile.engine,
        model=model,
        configuration=base.changed(**dict(candidate.changes)).text(),
        items=tuple(items),
        figures=tuple(figures),
    )
