"""Service times: between measured sizes, beyond them, and in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from benchmarks.measure.load.curves import BadCurves, CurveFile, Point, ServiceCurve, read_curves, write_curves
from benchmarks.measure.models.environment import machine


def point(batch: int, window_s: float, median_s: float) -> Point:
    return Point(batch=batch, window_s=window_s, calls=5, median_s=median_s, p10_s=median_s, p90_s=median_s)


def curve(*points: Point, beside: int = 2) -> ServiceCurve:
    return ServiceCurve(
        engine="whisper",
        model="tiny",
        device="cpu",
        compute_type="int8",
        beam_size=1,
        threads=1,
        load_s=1.0,
        beside=beside,
        points=points,
    )


MEASURED = (point(1, 10, 1.0), point(1, 30, 2.0), point(4, 10, 2.5), point(4, 30, 5.0))


@pytest.mark.parametrize(
    ("batch", "window_s", "seconds"),
    [
        (1, 10, 1.0),
        (4, 30, 5.0),
        (1, 20, 1.5),
        (2, 10, 1.5),
        (1, 2, 1.0),  # below the smallest: no cheaper
        (1, 60, 4.0),  # longer: in proportion
        (9, 10, 6.0),  # two full calls and one of a single window
    ],
)
def test_seconds_of_any_size(batch: int, window_s: float, seconds: float) -> None:
    assert curve(*MEASURED).seconds(batch, window_s) == pytest.approx(seconds)


def test_the_best_speed_counts_all_calls_side_by_side() -> None:
    assert curve(*MEASURED).best_speed == pytest.approx(2 * 4 * 30 / 5.0)


def test_a_missing_size_is_refused() -> None:
    with pytest.raises(ValidationError, match="every batch size"):
        curve(*MEASURED[:3])


def test_the_file_comes_back_and_others_are_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "made" / "run.curves.json"
    kept = CurveFile(
        measured_at="2026-11-22T12:00:00+00:00", commit="abc", machine=machine(), curves=(curve(*MEASURED),)
    )
    write_curves(path, kept)
    assert read_curves(path) == kept
    with pytest.raises(BadCurves, match="cannot be read"):
        read_curves(tmp_path / "absent.json")
    path.write_text('{"version": 1}')
    with pytest.raises(BadCurves, match=r"holds no service times: .*commit: Field required"):
        read_curves(path)
    write_curves(path, kept.model_copy(update={"version": 2}))
    with pytest.raises(BadCurves, match="Measure again"):
        read_curves(path)
