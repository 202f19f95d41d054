"""Comparing: differences that were put in are found, and those that were not are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import typer
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from benchmarks.measure.outcomes.compare import EVERYTHING, Comparison, Verdict, compare
from benchmarks.measure.outcomes.compare_command import command
from benchmarks.measure.outcomes.outcome import Formula, Item, Metric, SystemRun, write_outcome
from benchmarks.measure.outcomes.scoring import interval, over, value
from benchmarks.tests.models.made import MACHINE, SPEED, WER, outcome_of, run_with, seeded_errors


def _compared(first: SystemRun, second: SystemRun, key: str = "wer", part: str = EVERYTHING) -> Comparison:
    found = compare(outcome_of(first), first, outcome_of(second), second).comparisons
    return next(each for each in found if each.metric.key == key and each.part == part)


def test_fewer_errors_on_the_same_items_are_better_and_more_are_worse() -> None:
    errors = seeded_errors(80, 5, seed=1)
    base = run_with("base", errors)
    improved = run_with("improved", [max(0, each - 1) for each in errors])
    assert _compared(base, improved).verdict is Verdict.BETTER
    assert _compared(improved, base).verdict is Verdict.WORSE
    assert _compared(base, improved, part="language is").verdict is Verdict.BETTER


def test_a_small_paired_difference_is_seen_that_the_spread_of_items_hides() -> None:
    # Half a word of 20 in the mean; single items differ by several.
    errors = seeded_errors(100, 6, seed=2)
    second = run_with("second", [max(0, each - number % 2) for number, each in enumerate(errors)])
    first = run_with("first", errors)
    own = interval(WER, first.items)
    found = _compared(first, second)
    assert own is not None
    assert own.low < found.second < own.high
    assert found.verdict is Verdict.BETTER


@pytest.mark.long
def test_noise_is_not_told_apart() -> None:
    verdicts = [
        _compared(
            run_with("one", seeded_errors(60, 5, seed)), run_with("two", seeded_errors(60, 5, seed + 100))
        ).verdict
        for seed in range(10)
    ]
    # One in twenty lies outside a 95 % interval by chance.
    assert verdicts.count(Verdict.UNKNOWN) >= 8


def test_equal_values_few_recordings_and_the_better_side() -> None:
    same = run_with("same", [1] * 30)
    assert _compared(same, same).verdict is Verdict.EQUAL
    one, two = run_with("one", [5] * 3), run_with("two", [1] * 3)
    few = compare(outcome_of(one), one, outcome_of(two), two)
    assert {each.verdict for each in few.comparisons if each.metric.key == WER.key} == {Verdict.UNKNOWN}
    assert any("fewer than 5" in note for note in few.notes)


def _with_speed(speed: float) -> SystemRun:
    run = run_with("model", [1] * 30)
    items = tuple(item.model_copy(update={"values": {**item.values, "speed": (speed, 1)}}) for item in run.items)
    return run.model_copy(update={"items": items})


def _speed_over(speeds: list[tuple[float, float]]) -> Comparison:
    runs = [
        ((outcome_of(one), one), (outcome_of(two), two)) for one, two in (map(_with_speed, pair) for pair in speeds)
    ]
    (first, first_run), (second, second_run) = runs[0]
    found = compare(first, first_run, second, second_run, runs[1:])
    return next(each for each in found.comparisons if each.metric.key == SPEED.key and each.part == EVERYTHING)


@pytest.mark.long
def test_speed_is_judged_over_runs_and_not_over_items() -> None:
    """Every item of a run is slower when the machine is busy, so items show nothing."""
    assert _speed_over([(45.6, 8.75)]).verdict is Verdict.UNKNOWN
    busy = [(45.6, 8.75), (44.0, 46.0), (43.1, 44.8), (9.1, 45.0), (45.0, 44.1)]
    assert _speed_over(busy).verdict is Verdict.UNKNOWN
    faster = _speed_over([(10.0, 15.1), (9.8, 14.8), (10.3, 15.4), (10.1, 14.9), (9.7, 15.0)])
    assert faster.verdict is Verdict.BETTER
    assert faster.interval is not None
    assert faster.interval.low < 5 < faster.interval.high


def _in_turns(name: str, seconds: NDArray[np.float64]) -> SystemRun:
    """`seconds` by turn and item."""
    turns = tuple(
        tuple(Item(id=str(n), group=str(n), values={"speed": (10.0, float(each))}) for n, each in enumerate(turn))
        for turn in seconds
    )
    items = tuple(item.model_copy(update={"values": {**item.values, "wer": (1, 20)}}) for item in turns[0])
    return run_with(name, []).model_copy(update={"items": items, "turns": turns})


def _busy(chance: np.random.Generator, slower_by: float = 0.0) -> NDArray[np.float64]:
    """Seconds of 40 items in 20 turns on a busy machine: half of them are stretched, some many times over."""
    lengths = np.linspace(0.5, 2.0, 40)
    stretched = np.exp(np.abs(chance.normal(0, 0.5, (20, 40))) * (chance.random((20, 40)) < 0.5))
    return np.asarray(lengths * stretched * (1 + slower_by))


def _verdict(first: SystemRun, second: SystemRun) -> Verdict:
    both = outcome_of(first, second)
    found = compare(both, first, both, second).comparisons
    return next(each for each in found if each.metric.key == SPEED.key and each.part == EVERYTHING).verdict


@pytest.mark.long
def test_turns_find_a_model_that_is_a_tenth_slower_and_none_that_is_the_same() -> None:
    chance = np.random.default_rng(3)
    same, slower = [], []
    for _ in range(30):
        first = _in_turns("first", _busy(chance))
        same.append(_verdict(first, _in_turns("same", _busy(chance))))
        slower.append(_verdict(first, _in_turns("slower", _busy(chance, 0.1))))
    assert set(same) == {Verdict.UNKNOWN}
    assert slower.count(Verdict.WORSE) >= 28


def test_a_model_that_is_slower_on_some_items_alone_is_found() -> None:
    chance = np.random.default_rng(4)
    slower = _busy(chance)
    slower[:, -8:] *= 1.5
    assert _verdict(_in_turns("first", _busy(chance)), _in_turns("second", slower)) is Verdict.WORSE


def test_turns_of_different_commands_are_no_pairs() -> None:
    chance = np.random.default_rng(5)
    first, second = _in_turns("first", _busy(chance)), _in_turns("second", _busy(chance, 1.0))
    apart = outcome_of(second).model_copy(update={"command": "python -m benchmarks asr other"})
    found = compare(outcome_of(first), first, apart, second)
    speeds = [each for each in found.comparisons if each.metric.key == SPEED.key]
    assert {each.verdict for each in speeds} == {Verdict.UNKNOWN}
    assert any("--turns" in note for note in found.notes)


def test_the_load_is_stated_and_what_a_verdict_on_speed_needs() -> None:
    run = _with_speed(10)
    quiet, busy = outcome_of(run), outcome_of(run)
    quiet = quiet.model_copy(update={"machine": MACHINE.model_copy(update={"load": (0.4, 0.3, 0.2)})})
    busy = busy.model_copy(update={"machine": MACHINE.model_copy(update={"load": (7.5, 5, 3)})})
    notes = " ".join(compare(quiet, run, busy, run).notes)
    assert "0.4, 7.5 on 2 cores" in notes
    assert "kept a machine busy" in notes
    assert "at least 5 pairs of runs" in notes


@pytest.mark.long
def test_many_comparisons_find_no_difference_where_none_is() -> None:
    """Uncorrected, one in twenty of these would be told better or worse."""
    metrics = tuple(Metric(key=f"m{n}", title=f"m{n}", unit="", about="") for n in range(40))
    chance = np.random.default_rng(5)

    def run() -> SystemRun:
        items = tuple(
            Item(id=str(n), group=str(n), values={metric.key: (float(chance.normal()), 1.0) for metric in metrics})
            for n in range(40)
        )
        return SystemRun(name="same", engine="test", model="tiny", items=items)

    one, two = run(), run()
    first, second = (outcome_of(each).model_copy(update={"metrics": metrics}) for each in (one, two))
    found = compare(first, one, second, two)
    assert any(each.interval and not each.interval.low <= 0 <= each.interval.high for each in found.comparisons)
    assert {each.verdict for each in found.comparisons} == {Verdict.UNKNOWN}
    assert any("40 comparisons" in note for note in found.notes)


def test_items_of_one_recording_are_drawn_together() -> None:
    """Many cuts of few recordings must not look like many recordings."""
    errors = seeded_errors(60, 5, seed=3)
    apart = run_with("apart", errors)
    together = [item.model_copy(update={"group": f"talk-{number // 10}"}) for number, item in enumerate(apart.items)]
    alike = [Item(id=i.id, group=i.group, values={"wer": (5 + 5 * (n // 10 % 2), 20)}) for n, i in enumerate(together)]
    loose = [item.model_copy(update={"group": item.id}) for item in alike]
    wide, narrow = interval(WER, alike), interval(WER, loose)
    assert wide is not None
    assert narrow is not None
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_quantiles_and_ratios_of_sums() -> None:
    p95 = Metric(key="ms", title="p95", unit="ms", about="", formula=Formula.QUANTILE, quantile=0.95)
    items = [Item(id=str(each), group=str(each), values={"ms": (each,)}) for each in range(1, 101)]
    assert value(p95, items) == 95
    assert (
        value(WER, [Item(id="a", group="a", values={"wer": (1, 2)}), Item(id="b", group="b", values={"wer": (1, 8)})])
        == 20
    )
    assert value(WER, []) is None
    assert value(WER, [Item(id="a", group="a", values={"wer": (0, 0)})]) is None


@pytest.mark.parametrize("wrong", ["The sea is cold", "the sea was very cold today", "nothing alike here at all"])
def test_bleu_is_that_of_sacrebleu(wrong: str) -> None:
    metric = Metric(key="bleu", title="BLEU", unit="", about="", formula=Formula.BLEU)
    bleu = BLEU()
    found = bleu.corpus_score([wrong], [["the sea was cold today"]])
    parts = np.array([[found.sys_len, found.ref_len, *found.counts, *found.totals]], np.float64)
    assert over(metric, parts, np.ones((1, 1)))[0] == pytest.approx(found.score)


@pytest.mark.long
def test_the_command_says_which_is_better_and_writes_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    errors = seeded_errors(80, 5, seed=1)
    one = write_outcome(outcome_of(run_with("base", errors)), tmp_path / "one.json")
    two = write_outcome(outcome_of(run_with("new", [max(0, each - 1) for each in errors])), tmp_path / "two.json")
    page = tmp_path / "page.html"
    command(one, two, html=page)
    assert "better" in capsys.readouterr().out
    assert "better" in page.read_text()
    command(one, two, [one, two])
    with pytest.raises(typer.Exit):
        command(one, two, [one])
    assert "in turns" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text('{"kind": 1}')
    with pytest.raises(typer.Exit):
        command(one, tmp_path / "bad.json")
    assert "is not a result file" in capsys.readouterr().err


def test_systems_of_one_file_are_compared_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = outcome_of(run_with("base", [4] * 20), run_with("new", [1] * 20))
    path = write_outcome(both, tmp_path / "both.json")
    command(path, path, system=["base", "new"])
    assert "better" in capsys.readouterr().out
    with pytest.raises(typer.Exit):
        command(path, path, system=["base", "old"])
    assert "no system “old”" in capsys.readouterr().err
    with pytest.raises(typer.Exit):
        command(path, path)
    assert "--system twice" in capsys.readouterr().err
