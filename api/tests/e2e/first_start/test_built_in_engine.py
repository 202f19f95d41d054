"""A new user with their own video and the built-in engine: the defaults work, and a wrong language is a question."""

from __future__ import annotations

import base64
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.testing.in_browser.pages import WORK_MS, file_status, register, uploaded, wait_until, watched_page
from api.testing.processes.product import Product

pytestmark = pytest.mark.long

SPOKEN = "Good morning everybody. We will meet again in the morning and talk about the weather."
HEARD = re.compile(r"meet again\s+in the morning")


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("talk")
    sound, video = folder / "talk.wav", folder / "talk.mp4"
    subprocess.run(["flite", "-voice", "rms", "-t", SPOKEN, "-o", sound], check=True)
    picture = ["-f", "lavfi", "-i", "color=c=0x203040:s=320x180:r=10", "-shortest"]
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", sound, *picture, *coding, video], check=True)
    return video


@pytest.fixture(scope="module")
def page(chromium: Browser, product: Product) -> Iterator[Page]:
    """The same person in each test."""
    with watched_page(chromium, product.url) as opened:
        register(opened, "Newcomer")
        expect(language_box(opened)).to_have_value("English (US)", timeout=WORK_MS)
        yield opened


def language_box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Spoken language")


def send(page: Page, path: Path, language: str) -> None:
    """Upload in a language that the box does not offer, as a client of the API may."""

    def encoded(text: str) -> str:
        return base64.b64encode(text.encode()).decode()

    (cookie,) = (each["value"] for each in page.context.cookies() if each["name"] == "XSRF-TOKEN")
    csrf = {"X-XSRF-TOKEN": unquote(cookie)}
    token = page.request.post("/api/files/upload/token", headers=csrf).json()["token"]
    headers = {**csrf, "Tus-Resumable": "1.0.0", "Authorization": f"Bearer {token}"}
    metadata = {"filename": path.name, "filetype": "video/mp4", "language": language}
    created = page.request.post(
        "/tus/",
        headers={
            **headers,
            "Upload-Length": str(path.stat().st_size),
            "Upload-Metadata": ",".join(f"{name} {encoded(value)}" for name, value in metadata.items()),
        },
    )
    assert created.status == 201, created.text()
    content = {"Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"}
    sent = page.request.patch(created.headers["location"], headers={**headers, **content}, data=path.read_bytes())
    assert sent.status == 204, sent.text()


def first_line(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Text of line 1", exact=True)


def states_until_the_end(page: Page, card: Locator) -> list[str]:
    """What the card shows, each time it changes, until nothing goes on any more."""
    seen: list[str] = []
    expect(card).to_be_visible(timeout=WORK_MS)
    while not re.match("Completed|Failed|Choose", seen[-1] if seen else ""):
        now = card.get_by_test_id("file-state").inner_text().replace("\n", " ")
        if not seen or seen[-1] != now:
            seen.append(now)
        page.wait_for_timeout(30)
    return seen


def test_typing_into_the_language_box_searches_and_says_why_a_language_does_not_work(page: Page) -> None:
    box = language_box(page)
    box.click()
    page.keyboard.type("Icelandic")
    expect(box).to_have_value("Icelandic")
    greyed = page.get_by_role("option", name="Icelandic", exact=True)
    expect(greyed).to_have_count(1)
    expect(greyed).to_be_disabled()
    expect(page.get_by_role("group", name="Needs a Whisper model")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(box).to_have_value("English (US)")
    box.click()
    page.keyboard.type("united k")
    expect(page.get_by_role("listbox").get_by_text("No matching language.")).to_be_visible()
    # With the caret behind the name that is shown, typing is a new search as well.
    page.keyboard.press("Tab")
    box.click()
    page.keyboard.press("End")
    page.keyboard.type("South")
    expect(box).to_have_value("South")
    page.keyboard.press("Enter")
    expect(box).to_have_value("English (South Africa)")
    box.click()
    page.keyboard.type("(US")
    page.keyboard.press("Enter")
    expect(box).to_have_value("English (US)")


def test_an_own_video_with_nothing_chosen_gets_captions(page: Page, talk: Path) -> None:
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(language_box(page)).to_have_value("English (US)", timeout=WORK_MS)
    uploaded(page, talk)
    page.goto("/dashboard")
    card = page.get_by_test_id("file").filter(has_text="talk")
    states = states_until_the_end(page, card)
    assert states[-1].startswith("Completed"), states
    assert [state for state in states if "100%" in state] == []
    page.goto(f"/captions/{card.get_attribute('data-slug')}")
    expect(first_line(page)).to_have_value(HEARD, timeout=WORK_MS)
    expect(page.get_by_text("Model: PocketSphinx (built in, English only)")).to_be_visible()


def test_a_language_that_does_not_work_is_asked_for_and_starts_with_one_click(page: Page, talk: Path) -> None:
    wrong = talk.with_name("wrong.mp4")
    wrong.write_bytes(talk.read_bytes())
    page.goto("/dashboard")
    send(page, wrong, "is-IS")
    card = page.get_by_test_id("file").filter(has_text="wrong")
    assert states_until_the_end(page, card)[-1].startswith("Choose a language")
    question = card.get_by_test_id("language-question")
    expect(question).to_contain_text("Which language is spoken?")
    page.goto(f"/captions/{card.get_attribute('data-slug')}")
    question = page.get_by_test_id("language-question")
    expect(question).to_contain_text("supports only English and cannot transcribe Icelandic")
    expect(page.get_by_text("No speech was found")).to_have_count(0)
    page.goto("/dashboard")
    question.get_by_role("button", name="English (US)").click()
    expect(card).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    expect(question).to_have_count(0)


DONE_TWICE = """async (slug) => {
  const { data } = await (await fetch(`/api/files/${slug}/jobs`)).json();
  return data.filter(({ kind, state }) => kind.endsWith("transcribe") && state === "done").length === 2;
}"""


def test_a_finished_file_is_transcribed_again_in_another_language_and_undo_brings_the_captions_back(page: Page) -> None:
    card = page.get_by_test_id("file").filter(has_text="talk").first
    slug = card.get_attribute("data-slug")
    page.goto(f"/captions/processing/{slug}")
    page.get_by_role("button", name="Change language of talk").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Undo in the editor brings them back")
    box = dialog.get_by_role("combobox")
    box.click()
    page.keyboard.type("English (UK")
    page.keyboard.press("Enter")
    dialog.get_by_test_id("use-language").click()
    # The page says "completed" of what was there before, too.
    wait_until(page, DONE_TWICE, slug)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    facts = page.get_by_test_id("facts")
    expect(facts).to_contain_text("English (UK)", timeout=WORK_MS)
    page.goto(f"/captions/{slug}")
    expect(first_line(page)).to_have_value(HEARD, timeout=WORK_MS)
    # Who is there is sent by POST as well, to an address below.
    saved = f"/captions/{slug}"
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith(saved)):
        page.get_by_role("button", name="Undo").click()
    page.goto(f"/captions/processing/{slug}")
    expect(facts).to_contain_text("English (US)", timeout=WORK_MS)
