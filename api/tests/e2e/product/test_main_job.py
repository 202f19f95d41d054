"""The main job as a new person does it in a browser: register, upload, watch, correct, export, download."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from api.testing.files.spoken_video import make_video, text_of
from api.testing.in_browser.pages import CLIPS, WORK_MS, choose_language, file_status, register, uploaded, wait_until
from api.testing.processes.product import Product

IN_WAVE = """(part => [...document.querySelectorAll('[data-testid=waveform] *')]
    .flatMap(box => [...box.shadowRoot?.querySelectorAll(part) ?? []]))"""
WAVE_IS_DRAWN = f"() => {IN_WAVE}('canvas').some(canvas => canvas.width > 0)"
MUCH_IS_PLAYED = f"() => {IN_WAVE}('[part=progress]').some(played => played.offsetWidth > 100)"
CORRECTED = "Please open the big window before lunch."


def picture_at(path: Path, seconds: float) -> np.ndarray:
    """The frame shown at a moment, as rows of RGB."""
    with av.open(str(path)) as video:
        for frame in video.decode(video=0):
            if frame.time is not None and frame.time >= seconds:
                return frame.to_ndarray(format="rgb24")
    raise AssertionError(f"The video ends before {seconds} s.")


def bar_columns(page: Page) -> int:
    """How many columns of the waveform as it is shown have a bar."""
    picture = Image.open(BytesIO(page.get_by_test_id("waveform").screenshot())).convert("RGB")
    # Above the middle, below the names of the lines.
    rows = np.asarray(picture)[24:38].astype(int)
    return int((np.abs(rows - rows[0]).max(axis=(0, 2)) > 8).sum())


def test_register_upload_watch_edit_export_download(page: Page, product: Product, tmp_path: Path) -> None:
    video = make_video(tmp_path / "fundur á þriðjudegi.mp4", CLIPS)
    register(page, "Grace")
    choose_language(page, "English (US)")
    slug = uploaded(page, video)

    expect(page.get_by_role("heading", level=1)).to_have_text("fundur á þriðjudegi")
    lines = page.get_by_test_id("live-line")
    expect(lines.first).to_be_visible(timeout=WORK_MS)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)

    page.goto(f"/captions/{slug}")
    lines = page.get_by_test_id("caption-line")
    expect(lines.first).to_be_visible()
    texts = [line.locator("textarea").input_value() for line in lines.all()]
    assert " ".join(texts).split() == " ".join(text_of(clip) for clip in CLIPS).split()

    last = lines.last.locator("textarea")
    last.fill(CORRECTED)
    last.blur()
    expect(page.get_by_test_id("save-state")).to_have_text("All changes saved")
    page.reload()
    expect(page.get_by_test_id("caption-line").last.locator("textarea")).to_have_value(CORRECTED)

    page.get_by_role("button", name="Go to line 1", exact=True).click()
    # The waveform comes after the lines.
    wait_until(page, WAVE_IS_DRAWN)
    bars = bar_columns(page)
    assert bars > 50
    page.get_by_role("button", name=f"Go to line {len(texts)}", exact=True).click()
    wait_until(page, MUCH_IS_PLAYED)
    # The part before the position is shaded; its bars stay.
    assert bar_columns(page) > 0.9 * bars

    page.get_by_test_id("open-export").click()
    page.get_by_test_id("start-export").click()
    done = page.get_by_test_id("export").filter(has=page.get_by_role("link", name="Download"))
    expect(done).to_be_visible(timeout=WORK_MS)
    with page.expect_download() as download:
        done.get_by_role("link", name="Download").click()
    burned = tmp_path / "burned.mp4"
    download.value.save_as(burned)
    assert download.value.suggested_filename.startswith("fundur á þriðjudegi")

    with av.open(str(burned)) as result, av.open(str(video)) as source:
        assert [stream.type for stream in result.streams] == ["video", "audio"]
        assert abs(int(result.duration or 0) - int(source.duration or 0)) < 200_000
    # White letters stand low in the picture while the first line is spoken; in the source there is one dark colour.
    said = picture_at(burned, 1.0)
    letters = (said[240:] > 200).all(axis=2).sum()
    assert letters > 200
    assert (said[:180] > 200).all(axis=2).sum() == 0
    assert (picture_at(video, 1.0) > 200).sum() == 0


@pytest.mark.long
def test_split_merge_add_delete_and_undo(page: Page, tmp_path: Path) -> None:
    register(page, "Heidi")
    choose_language(page, "English (US)")
    slug = uploaded(page, make_video(tmp_path / "short.mp4", ["en4-rms"]))
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    page.goto(f"/captions/{slug}")
    lines = page.get_by_test_id("caption-line")
    box = lines.first.locator("textarea")
    expect(box).to_have_value(text_of("en4-rms"))
    box.focus()
    box.evaluate("box => box.setSelectionRange(19, 19)")
    page.keyboard.press("Control+Enter")
    expect(lines).to_have_count(2)
    assert [line.locator("textarea").input_value() for line in lines.all()] == [
        "Seven green bottles",
        "stood on the wall.",
    ]

    lines.first.locator("textarea").focus()
    page.keyboard.press("Shift+Alt+KeyM")
    expect(lines).to_have_count(1)
    expect(box).to_have_value(text_of("en4-rms"))
    for _ in range(2):
        page.get_by_role("button", name="Undo", exact=True).click()
    expect(lines).to_have_count(1)
    page.get_by_role("button", name="Redo", exact=True).click()
    expect(lines).to_have_count(2)
    page.get_by_role("button", name="Actions for line 2").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(lines).to_have_count(1)
    expect(page.get_by_test_id("save-state")).to_have_text("All changes saved")


@pytest.mark.long
def test_what_is_not_media_is_refused_with_a_sentence(page: Page, tmp_path: Path) -> None:
    register(page, "Ivan")
    letter = tmp_path / "letter.mp4"
    letter.write_text("Dear reader, this is not a video.\n" * 50)
    uploaded(page, letter)
    expect(file_status(page)).to_have_attribute("data-status", "failed", timeout=WORK_MS)
    sentence = page.get_by_role("main").get_by_role("alert").inner_text()
    assert sentence.strip().endswith(".")
    assert "Traceback" not in sentence


@pytest.mark.long
def test_a_page_that_does_not_exist_says_so(page: Page) -> None:
    register(page, "Judy")
    page.goto("/nowhere")
    expect(page.get_by_text("Page not found: /nowhere")).to_be_visible()


def test_the_terminal_shows_the_url_the_login_and_the_first_captions(product: Product) -> None:
    assert product.url in product.wait_for_line("is running at", 10)
    assert "demo@sagascript.local" in product.wait_for_line("Sign in as", 10)
    product.wait_for_line("Its first captions", 120)
    # The sample's words are not in the tiny model's phrase book: only that lines are shown is tested here.
    product.wait_for_line("  00:", 120)
