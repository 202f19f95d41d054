"""Captions of an uploaded file in two more languages, through the dispatcher, Ray and the tiny translation model."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.testing.files.spoken_video import make_video, text_of
from api.testing.in_browser.pages import CLIPS, WORK_MS, choose_language, file_status, register, uploaded
from cluster.testing.patience import PATIENCE_S
from serve.testing.tiny_models.phrases import translation_of


def call(page: Page, method: str, path: str, body: object = None, status: int = 200) -> Any:
    """What the API answers to the person who is signed in on the page."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    headers = {XSRF_HEADER: unquote(cookies[XSRF_COOKIE]), "Accept": "application/json"}
    response = page.request.fetch(path, method=method, data=body, headers=headers)
    assert response.status == status, response.text()
    return response.json()


def polled(page: Page, path: str, is_settled: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
    """The data of a call as soon as it is settled."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found: list[dict[str, Any]] = call(page, "GET", path)["data"]
        if is_settled(found):
            return found
        time.sleep(0.5)
    raise AssertionError(f"{path} never settled: {found}")


def available(offers: list[dict[str, Any]]) -> set[str]:
    return {offer["value"] for offer in offers if offer["available"]}


@pytest.mark.long
def test_the_captions_of_a_file_in_two_more_languages(page: Page, tmp_path: Path) -> None:
    register(page, "Vigdis")
    choose_language(page, "English (US)")
    slug = uploaded(page, make_video(tmp_path / "fundur.mp4", CLIPS))
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)

    # Until the installation has looked at its models, every language is offered, and the job itself checks.
    offers = polled(page, "/api/translation/languages?from=en-US", lambda offers: "fr" not in available(offers))
    assert {"is", "es"} <= available(offers)
    refused = call(page, "POST", f"/api/files/captions/{slug}/translate", {"language": "fr"}, status=422)
    assert "it translates into" in str(refused)

    call(page, "POST", f"/api/files/captions/{slug}/translate", {"languages": ["is", "es"]}, status=202)
    ended = polled(
        page,
        f"/api/files/captions/{slug}/translations",
        lambda found: all(each["state"] not in ("waiting", "running") for each in found),
    )
    assert {each["language"]: each["state"] for each in ended} == {"is": "ready", "es": "ready"}
    for language in ("is", "es"):
        lines = call(page, "GET", f"/api/files/captions/{slug}?language={language}")["data"]["lines"]
        texts = [line["text"].replace("\n", " ") for line in lines]
        assert texts == [translation_of(text_of(clip), "en", language) for clip in CLIPS]
        assert all(line["source"]["by"] == "model" and not line["source"]["stale"] for line in lines)

    # Exports in other ways than the dialog offers first.
    page.goto(f"/captions/{slug}")
    page.get_by_test_id("open-export").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Subtitle track").check()
    dialog.get_by_role("checkbox", name="Icelandic").check()
    dialog.get_by_test_id("export-form").select_option("mkv")
    tracks = streams(exported(page, tmp_path, 1))
    assert [(each["codec_type"], each.get("tags", {}).get("language")) for each in tracks][2:] == [
        ("subtitle", "eng"),
        ("subtitle", "isl"),
    ]
    dialog.get_by_role("radio", name="Sound only").check()
    dialog.get_by_test_id("export-form").select_option("mp3")
    assert [each["codec_name"] for each in streams(exported(page, tmp_path, 2))] == ["mp3"]
    dialog.get_by_role("radio", name="Burned in").check()
    dialog.get_by_label("Caption style").select_option(index=2)
    dialog.get_by_test_id("export-shape").select_option("9:16")
    dialog.get_by_label("Fit").select_option("crop")
    picture, sound = streams(exported(page, tmp_path, 3))
    assert abs(picture["width"] / picture["height"] - 9 / 16) < 0.02
    assert (picture["codec_name"], sound["codec_name"]) == ("h264", "aac")


def exported(page: Page, folder: Path, number: int) -> Path:
    """Start what the dialog has chosen, wait for it and download it: export `number` of the file, the newest first."""
    page.get_by_test_id("start-export").click()
    exports = page.get_by_test_id("export")
    expect(exports).to_have_count(number)
    ready = exports.first.get_by_role("link", name="Download")
    expect(ready).to_be_visible(timeout=WORK_MS)
    with page.expect_download() as download:
        ready.click()
    path = folder / f"{number}-{download.value.suggested_filename}"
    download.value.save_as(path)
    return path


def streams(path: Path) -> list[dict[str, Any]]:
    command = ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)]
    found: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["streams"]
    return found
