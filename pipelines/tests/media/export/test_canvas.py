"""Sizes of exported pictures: never enlarged, always even, with the aspect that was chosen."""

from __future__ import annotations

import pytest

from pipelines.media.export.canvas import canvas, largest_short_side
from pipelines.messages.export_form import Aspect, Fit, PictureForm


@pytest.mark.parametrize(
    ("original", "form", "size"),
    [
        ((1920, 1080), PictureForm(), (1920, 1080)),
        ((1920, 1080), PictureForm(short_side=720), (1280, 720)),
        ((640, 360), PictureForm(short_side=1080), (640, 360)),
        ((7680, 4320), PictureForm(), (3840, 2160)),
        ((321, 181), PictureForm(), (320, 180)),
        ((1366, 768), PictureForm(Aspect.WIDE, Fit.CROP), (1366, 768)),
        ((1920, 1080), PictureForm(Aspect.TALL, Fit.CROP), (608, 1080)),
        ((1920, 1080), PictureForm(Aspect.TALL, Fit.PAD), (1080, 1920)),
        ((1920, 1080), PictureForm(Aspect.SQUARE, Fit.BLUR, 720), (720, 720)),
        ((1080, 1920), PictureForm(Aspect.WIDE, Fit.PAD), (1920, 1080)),
        ((1080, 1920), PictureForm(Aspect.WIDE, Fit.CROP), (1080, 608)),
        ((2, 2), PictureForm(Aspect.TALL, Fit.BLUR), (2, 4)),
    ],
)
def test_sizes(original: tuple[int, int], form: PictureForm, size: tuple[int, int]) -> None:
    made = canvas(*original, form)
    assert (made.width, made.height) == size


def test_what_may_be_chosen_enlarges_nothing() -> None:
    assert largest_short_side(1920, 1080, Aspect.TALL, Fit.CROP) == 608
    assert largest_short_side(1920, 1080, Aspect.TALL, Fit.PAD) == 1080
    assert largest_short_side(640, 360, Aspect.ORIGINAL, Fit.PAD) == 360
