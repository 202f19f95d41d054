"""What the waveform shows besides the lines: where somebody speaks, and by choice the spectrogram."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from api.content.files.models import File
from api.testing.in_browser.editor_page import EditorPage, open_tool
from api.testing.in_browser.pages import wait_until
from api.testing.sites.site import Person, Site
from pipelines.media.sound.spectrogram import SpectrogramWriter
from pipelines.media.sound.waveform import PeakCollector, write_peaks
from serve.tasks.transcription.messages import SAMPLE_RATE

SPEECH = [(0, 2_000), (4_000, 5_000)]
LOUD = """([from, to]) => {
    const canvas = document.querySelector('[data-testid=spectrogram]');
    if (canvas.width === 0) return -1;
    const scale = canvas.width / canvas.clientWidth;
    const wave = [...document.querySelectorAll('[data-testid=waveform] *')].find(box => box.shadowRoot !== null);
    const whole = wave.shadowRoot.querySelector('[part=wrapper]').scrollWidth;
    const at = second => Math.round(second * whole / 120 * scale);
    const { data } = canvas.getContext('2d').getImageData(at(from), 0, at(to) - at(from), canvas.height);
    return data.filter((_, index) => index % 4 === 3).reduce((most, one) => Math.max(most, one), 0);
}"""
"""How dense the densest pixel of a span of seconds is, 0 to 255, in a file of two minutes that was not scrolled."""


def sound() -> bytes:
    """A tone of two seconds in two minutes of silence."""
    samples = np.zeros(120 * SAMPLE_RATE, dtype="<i2")
    samples[: 2 * SAMPLE_RATE] = np.sin(np.arange(2 * SAMPLE_RATE) * 2 * np.pi * 1_000 / SAMPLE_RATE) * 9_000
    return samples.tobytes()


@pytest.fixture
def slug(site: Site, grace: Person, tmp_path: Path) -> str:
    slug = site.file(grace.user_id, "A line in the sound", "Another one")
    peaks, spectrogram = PeakCollector(), tmp_path / "spectrogram.bin"
    with SpectrogramWriter(spectrogram.open("wb")) as writer:
        writer.add(sound())
    peaks.add(sound())
    write_peaks(peaks.finish(), SPEECH, tmp_path / "peaks.json")

    async def keep() -> None:
        async with site.state.database.write() as session:
            file = (await session.scalars(select(File).where(File.slug == slug))).one()
            file.duration_ms = 120_000
            file.peaks_key = peaks_key = f"files/{file.id}/peaks.json"
            file.spectrogram_key = spectrogram_key = f"files/{file.id}/spectrogram.bin"
            site.state.storage.put(tmp_path / "peaks.json", peaks_key)
            site.state.storage.put(spectrogram, spectrogram_key)

    site.call(keep())
    return slug


@pytest.mark.long
def test_speech_is_marked_and_the_spectrogram_shows_by_choice(desk: Page, slug: str) -> None:
    editor = EditorPage(desk, slug).open()
    wave = desk.get_by_test_id("waveform")
    expect(wave.locator("[part=speech]")).to_have_count(len(SPEECH))
    first, second = (wave.locator("[part=speech]").nth(index).bounding_box() for index in range(2))
    assert first is not None
    assert second is not None
    # Two seconds, and one.
    assert first["width"] == pytest.approx(2 * second["width"], abs=1.5)
    assert second["x"] - first["x"] == pytest.approx(2 * first["width"], abs=1.5)
    picture = desk.get_by_test_id("spectrogram")
    expect(picture).to_be_hidden()

    open_tool(desk, "timing")
    desk.get_by_label("Show the spectrogram").check()
    expect(picture).to_be_visible()
    wait_until(desk, f"span => ({LOUD})(span) > 150", [0.2, 1.8])
    assert desk.evaluate(LOUD, [2.2, 4.0]) == 0
    assert desk.evaluate(LOUD, [6.0, 8.0]) == 0

    desk.get_by_label("Show where somebody speaks").uncheck()
    expect(wave.locator("[part=speech]")).to_have_count(0)

    # It is kept with the account, and a key takes it away.
    editor.open()
    expect(picture).to_be_visible()
    expect(wave.locator("[part~=cue]")).not_to_have_count(0)
    expect(wave.locator("[part=speech]")).to_have_count(0)
    desk.get_by_test_id("caption-line").first.press("Escape")
    desk.keyboard.press("Shift+H")
    expect(picture).to_be_hidden()
    desk.keyboard.press("Shift+V")
    expect(wave.locator("[part=speech]")).to_have_count(len(SPEECH))


@pytest.mark.long
def test_a_file_of_an_older_version_says_why_it_has_none(desk: Page, site: Site, grace: Person) -> None:
    EditorPage(desk, site.long_file(grace.user_id, 1, 60)).open()
    open_tool(desk, "timing")
    toggle = desk.get_by_label("Show the spectrogram")
    expect(toggle).to_be_disabled()
    expect(desk.get_by_text("an older version prepared it")).to_be_visible()
