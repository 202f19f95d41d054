"""The short form of `exports`: the same orders each time, nothing lost; faults are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.soak.exports.command import run_exports
from benchmarks.soak.exports.orders import order_of
from benchmarks.soak.exports.work import judged
from pipelines.messages.export_form import ExportForm, ExportMode
from pipelines.testing.media.exported import Shown
from pipelines.testing.media.films import FILMS


def test_a_number_is_an_order() -> None:
    orders = [order_of(1, number) for number in range(200)]
    assert orders == [order_of(1, number) for number in range(200)]
    assert {order.film.name for order in orders} == set(FILMS)
    assert {order.mode for order in orders} == set(ExportMode)
    assert orders[0] != order_of(2, 0)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_no_export_loses_anything(tmp_path: Path) -> None:
    every = list(run_exports(0, 2 * len(FILMS), seed=1, workers=2, folder=tmp_path))
    assert [(made.number, made.kind, made.faults) for made in every if made.faults] == []
    assert len(every) == 2 * len(FILMS)


def _shown(captioned: range) -> Shown:
    """Two seconds of ten frames each, dark with a white corner, and a bright block in some frames."""
    pictures = np.full((20, 180, 320), 16, np.uint8)
    pictures[:, :20, :40] = 255
    for number in captioned:
        pictures[number, 140:160, 100:200] = 255
    return Shown([number / 10 for number in range(20)], list(pictures), 2.0, [("und", 1)], [])


def test_what_must_not_happen_is_seen() -> None:
    film = FILMS["plain.mp4"]
    drawn = replace(order_of(1, 0), film=film, mode=ExportMode.BURNED, form=ExportForm())
    order = replace(drawn, captions=tuple(film.captions), language_codes=("is-IS",))
    original, good = _shown(range(0)), _shown(range(5, 15))
    assert judged(order, original, good) == []
    assert judged(order, original, _shown(range(7, 15))) == ["no caption at 0.600 s"]
    assert judged(order, original, _shown(range(5, 16))) == []
    assert judged(order, original, _shown(range(5, 17))) == ["a caption at 1.600 s"]
    lost = replace(good, times=good.times[:-1], pictures=good.pictures[:-1])
    assert judged(order, original, lost) == ["19 frames, not 20"]
    turned = replace(good, pictures=[np.flipud(picture) for picture in _shown(range(0)).pictures])
    assert "the white corner is elsewhere" in judged(order, original, turned)
    assert judged(order, original, replace(good, sounds=[]))[0].startswith("sounds")
    soft = replace(order, mode=ExportMode.SOFT)
    track = ("isl", [(0.5, 1.5)])
    assert judged(soft, original, replace(original, subtitles=[track])) == []
    assert judged(soft, original, replace(original, subtitles=[("eng", track[1])]))[0].startswith("languages")
    assert judged(soft, original, replace(original, subtitles=[("isl", [(0.6, 1.5)])]))[0].startswith("captions in isl")
