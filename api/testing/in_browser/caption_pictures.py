"""The same moment of the same captions as two pictures: the page's preview, and a frame of the export."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from PIL import Image
from playwright.sync_api import FloatRect, Page
from sqlalchemy import select

from api.content.files.models import File
from api.testing.sites.files import write
from api.testing.sites.site import Site
from pipelines.captions.json_form import line_from_json
from pipelines.media.export.burn_in import burn_in
from pipelines.media.probe import probe
from pipelines.messages.caption_style import CaptionStyle
from pipelines.messages.export_form import ExportForm
from pipelines.testing.media.samples import ffmpeg

Picture = npt.NDArray[np.uint8]

WIDTH, HEIGHT = 640, 360
_BLACK = ("-f", "lavfi", "-i", f"color=black:s={WIDTH}x{HEIGHT}:r=10:d=25", "-c:v", "libx264", "-pix_fmt", "yuv444p")
_ALONE = """picture => {
    picture.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: %dpx; height: %dpx';
    picture.style.background = 'black';
    picture.style.zIndex = 9999;
    picture.querySelector('video').style.visibility = 'hidden';
    // Whole pixels: in the editor the picture may begin between two.
    document.body.append(picture);
}"""
_CLIP: FloatRect = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT}
_SETTLED_CHECKS = 60
_CHECK_MS = 250

TEXTS = (
    "Halló heimur, this is a caption.",
    "مرحبا بالعالم، هذه ترجمة",
    "字幕と 한국어, ไทย, हिन्दी 😀",
    "שלום עולם, זה עולה 25% פחות (Beta)!",
    "يبدأ البث في 21:30 على YouTube.\nถ่ายทอดสดเริ่มเวลานี้",
)
"""Icelandic, Arabic, scripts that need fonts of their own, and Hebrew and Arabic with Latin letters and numbers."""
MOMENTS = (
    *(("karaoke", 0, 1_900), ("classic", 1, 6_500), ("box", 2, 11_500)),
    *(("karaoke", 3, 16_500), ("classic", 4, 21_500)),
)
"""A style, the text that is drawn in it, and a moment of that text in ms."""


@dataclass(frozen=True)
class Difference:
    """`mean` is over the letters and 8 pixels around them, of 255; `share` is of pixels that differ by more than 64."""

    mean: float
    share: float


def difference(preview: Picture, export: Picture) -> Difference:
    apart = np.abs(preview.astype(int) - export.astype(int)).max(axis=2)
    shown = np.maximum(preview, export).max(axis=2) > 40
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    if rows.size == 0:
        return Difference(255.0, 1.0)
    around = apart[max(0, rows[0] - 8) : rows[-1] + 9, max(0, columns[0] - 8) : columns[-1] + 9]
    return Difference(round(float(around.mean()), 2), round(float((around > 64).mean()), 5))


def styled_file(site: Site, page: Page, slug: str, style: CaptionStyle) -> None:
    """Give the file a picture of `WIDTH` by `HEIGHT`, and the style by the page's own call."""

    async def change(session: Any) -> None:
        file = (await session.scalars(select(File).where(File.slug == slug))).one()
        file.width, file.height = WIDTH, HEIGHT

    write(site, change)
    page.goto(f"/captions/{slug}")
    token = {one["name"]: one["value"] for one in page.context.cookies()}["XSRF-TOKEN"]
    answer = page.request.put(
        f"/api/files/style/{slug}", data={"style": style.to_json()}, headers={"X-XSRF-TOKEN": token.replace("%3D", "=")}
    )
    assert answer.ok, answer.text()


def captions_of(page: Page, slug: str) -> list[dict[str, Any]]:
    answer = page.request.get(f"/api/files/captions/{slug}")
    assert answer.ok, answer.text()
    return list(answer.json()["data"]["lines"])


def preview_picture(page: Page, slug: str, line: str, at_ms: int) -> Picture:
    """The preview at a moment, once two pictures in a row are the same and show something."""
    page.goto(f"/captions/{slug}?line={line}&at={at_ms}")
    preview = page.get_by_test_id("preview")
    preview.locator("canvas").wait_for(state="attached")
    preview.locator("xpath=..").evaluate(_ALONE % (WIDTH, HEIGHT))
    page.locator("[data-testid=stage-caption][data-hidden]").first.wait_for(state="attached")
    last: Picture | None = None
    for _ in range(_SETTLED_CHECKS):
        page.wait_for_timeout(_CHECK_MS)
        now = np.asarray(Image.open(io.BytesIO(page.screenshot(clip=_CLIP))).convert("RGB"))
        if last is not None and now.max() > 128 and np.array_equal(now, last):
            return now
        last = now
    raise AssertionError("the preview never came to rest")


def export_picture(folder: Path, lines: Sequence[dict[str, Any]], style: CaptionStyle, at_ms: int) -> Picture:
    """The frame of a burned-in export at that moment."""
    source, target = folder / "black.mp4", folder / "export.mp4"
    if not source.exists():
        ffmpeg(*_BLACK, source.name, cwd=folder)
    for _ in burn_in(source, probe(source), [line_from_json(line) for line in lines], target, ExportForm(), style):
        pass
    with av.open(str(target)) as video:
        for frame in video.decode(video=0):
            if frame.time is not None and frame.time * 1000 >= at_ms:
                return frame.to_ndarray(format="rgb24").astype(np.uint8)
    raise AssertionError("the export is shorter than that")
