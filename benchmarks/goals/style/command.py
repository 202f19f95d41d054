"""Styles and scripts as the page previews them and as an export draws them: pictures, and how far they are apart."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from PIL import Image

from api.testing.in_browser.caption_pictures import (
    MOMENTS,
    TEXTS,
    Picture,
    captions_of,
    difference,
    export_picture,
    preview_picture,
    styled_file,
)
from api.testing.in_browser.pages import watched_page
from api.testing.sites.site import running_site
from benchmarks.goals.chromium import PAGES, headless_chromium
from benchmarks.goals.report import Report
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES


def command(
    into: Annotated[Path, typer.Option(help="Folder for the pictures.")] = Path("style-pairs"),
) -> None:
    """Save the preview, the export and their difference for five texts, and say how far apart they are."""
    report = Report("style")
    into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        running_site(Path(scratch) / "site", PAGES) as site,
        headless_chromium() as browser,
    ):
        cookies = Path(scratch) / "cookies.json"
        slug = site.file(site.sign_up("Grace", cookies, "grace@example.com"), *TEXTS)
        with watched_page(browser, site.url, cookies=cookies) as page:
            page.set_viewport_size({"width": 1920, "height": 1080})
            for name, number, at_ms in MOMENTS:
                style = BUILT_IN_STYLES[name][1]
                styled_file(site, page, slug, style)
                lines = captions_of(page, slug)
                preview = preview_picture(page, slug, lines[number]["id"], at_ms)
                export = export_picture(Path(scratch), lines, style, at_ms)
                _save(into, f"{name}-{number + 1}", preview, export)
                apart = difference(preview, export)
                report.figure(f"{name}, text {number + 1}: mean difference near letters", float(apart.mean), "of 255")
                report.figure(f"{name}, text {number + 1}: pixels apart by more than 64", 100 * float(apart.share), "%")
    report.note("A frame of 1920 x 1080 as the editor's preview draws it, and as an export does.")
    report.write()


def _save(folder: Path, name: str, preview: Picture, export: Picture) -> None:
    apart = np.abs(preview.astype(int) - export.astype(int)).astype(np.uint8)
    for kind, picture in (("preview", preview), ("export", export), ("difference", apart)):
        Image.fromarray(picture).save(folder / f"{name}-{kind}.png")
