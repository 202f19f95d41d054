"""Texts go out of date with the captions they cite, and people edit them, with a history and as files."""

from __future__ import annotations

import io
from typing import Any

import docx
import pytest
from markdown_it import MarkdownIt
from sqlalchemy import select

from api.content.ai_texts.errors import BEING_WRITTEN, EMPTY, NOTHING_WRITTEN, TextChanged
from api.content.ai_texts.models import AiTextVersion
from api.content.ai_texts.versions import NO_SUCH_VERSION, VERSIONS_MAX
from api.content.files.models import File
from api.platform.http.limits import AI_TEXT_MAX
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.ai_texts import SELECTOR, finish, job_of, request_texts, result_of, text_now, written_text
from api.testing.files.transcribed import SENTENCES, captioned_file
from api.testing.newsroom import Newsroom, make_newsroom

CONTENT = """# Harbour meeting

## The harbour

The harbour is closed. It opens in May.

- **Decision:** The harbour stays closed.
- [ ] Ask again tomorrow. (Owner: Anna; Due: tomorrow)
"""


@pytest.fixture
async def file(state: AppState, ada: Browser) -> File:
    return await captioned_file(state, ada.user_id)


@pytest.fixture
async def text(state: AppState, ada: Browser, file: File) -> dict[str, Any]:
    return await written_text(state, ada, file)


async def change_line(browser: Browser, file: File, **change: Any) -> dict[str, Any]:
    answer = await browser.post(f"/api/files/captions/{file.slug}", json=change)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def edit(browser: Browser, text: dict[str, Any], content: str, **more: Any) -> dict[str, Any]:
    answer = await browser.patch(f"/api/files/minutes/{text['id']}", json={"content": content, **more})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def stale_kinds(text: dict[str, Any]) -> list[str]:
    return [block["kind"] for block in text["blocks"] if block["stale"]]


async def test_a_caption_edit_marks_the_paragraphs_that_cite_it_until_it_is_undone(
    ada: Browser, file: File, text: dict[str, Any]
) -> None:
    assert (text["is_stale"], stale_kinds(text)) == (False, [])
    captions = (await ada.get(f"/api/files/captions/{file.slug}")).json()["data"]
    third = captions["lines"][2]
    saved = await change_line(
        ada, file, action="Edit", line=third["id"], content="Ask again on Friday.", issued=captions["revision"]
    )
    stale = await text_now(ada, text["id"])
    assert (stale["is_stale"], stale_kinds(stale)) == (True, ["action"])
    (cite,) = stale["blocks"][3]["sentences"][0]["cites"]
    assert (cite["was"], cite["text"], cite["is_gone"]) == (SENTENCES[2], "Ask again on Friday.", False)
    saved = await change_line(ada, file, action="Undo", issued=saved["revision"])
    assert await text_now(ada, text["id"]) == text
    first = captions["lines"][0]
    saved = await change_line(ada, file, action="Delete", line=first["id"], issued=saved["revision"])
    gone = await text_now(ada, text["id"])
    assert stale_kinds(gone) == ["paragraph", "decision"]
    (cite,) = gone["blocks"][2]["sentences"][0]["cites"]
    assert (cite["text"], cite["is_gone"]) == (SENTENCES[0], True)
    await change_line(ada, file, action="Undo", issued=saved["revision"])
    assert await text_now(ada, text["id"]) == text


async def test_moved_lines_make_nothing_stale_and_their_chips_follow(
    ada: Browser, file: File, text: dict[str, Any]
) -> None:
    before = text["blocks"][2]["sentences"][0]["cites"][0]["start_ms"]
    await change_line(ada, file, action="Shift", offset=500, issued=0)
    moved = await text_now(ada, text["id"])
    assert moved["is_stale"] is False
    assert moved["blocks"][2]["sentences"][0]["cites"][0]["start_ms"] == before + 500


async def test_an_edit_keeps_the_citations_of_every_sentence_left_alone(ada: Browser, text: dict[str, Any]) -> None:
    assert text["content"] == CONTENT
    assert (await edit(ada, text, CONTENT))["version"] == 1, "nothing changed, so nothing is saved"
    changed = CONTENT.replace("It opens in May.", "It opens on Friday.").replace("Harbour meeting", "Storm")
    saved = await edit(ada, text, changed, version=1)
    assert (saved["version"], saved["title"], saved["is_edited"], saved["content"]) == (2, "Storm", True, changed)
    kept, typed = saved["blocks"][1]["sentences"]
    assert kept == text["blocks"][1]["sentences"][0]
    assert typed == {"text": "It opens on Friday.", "unsupported": False, "by_person": True, "cites": []}
    assert saved["blocks"][2:] == text["blocks"][2:]
    assert saved["coverage"] == text["coverage"]


async def test_two_people_do_not_overwrite_each_other_unknowingly(ada: Browser, text: dict[str, Any]) -> None:
    await edit(ada, text, CONTENT.replace("May", "June"), version=1)
    body = {"content": CONTENT.replace("May", "July"), "version": 1}
    refused = await ada.patch(f"/api/files/minutes/{text['id']}", json=body)
    assert (refused.status_code, refused.json()) == (
        409,
        {"code": TextChanged.code, "message": TextChanged.message},
    )
    assert "June" in (await text_now(ada, text["id"]))["content"]
    assert "July" in (await edit(ada, text, CONTENT.replace("May", "July")))["content"], "without a version it is saved"


@pytest.mark.long
async def test_every_version_can_be_looked_at_and_brought_back(
    ada: Browser, file: File, state: AppState, text: dict[str, Any]
) -> None:
    path = f"/api/files/minutes/{text['id']}"
    await edit(ada, text, "Only this.")
    versions = (await ada.get(f"{path}/history")).json()["data"]
    assert [(each["number"], each["kind"], each["by"], each["is_current"]) for each in versions] == [
        (2, "edited", "Ada", True),
        (1, "written", None, False),
    ]
    assert (await ada.get(f"{path}/history/1")).json()["data"] == {"number": 1, "content": CONTENT}
    answer = await ada.post(f"{path}/restore", json={"version": 1})
    restored = answer.json()["data"]
    assert (restored["blocks"], restored["version"], restored["is_edited"]) == (text["blocks"], 3, False)
    missing = await ada.post(f"{path}/restore", json={"version": 99})
    assert (missing.status_code, missing.json()["message"]) == (404, NO_SUCH_VERSION)
    await ada.post(f"{path}/again")
    assert (await ada.post(f"{path}/restore", json={"version": 2})).json()["message"] == BEING_WRITTEN
    assert (await ada.patch(path, json={"content": "x"})).json()["message"] == BEING_WRITTEN
    job = await job_of(state, text["id"])
    await finish(state, job, result_of(job, title="Again"))
    assert [each["number"] for each in (await ada.get(f"{path}/history")).json()["data"]] == [4, 3, 2, 1]


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_old_versions_and_large_texts_have_a_limit(ada: Browser, state: AppState, text: dict[str, Any]) -> None:
    for number in range(VERSIONS_MAX + 2):
        await edit(ada, text, f"Version {number}.")
    async with state.database.read() as session:
        assert len((await session.scalars(select(AiTextVersion.number))).all()) == VERSIONS_MAX
    path = f"/api/files/minutes/{text['id']}"
    for content, sentence in (("x" * (AI_TEXT_MAX + 1), "at most"), ("# Title only", EMPTY), ("\n \n", EMPTY)):
        refused = await ada.patch(path, json={"content": content})
        assert refused.status_code == 422
        assert sentence in refused.json()["message"]
    strange = await edit(ada, text, "A\x00B \u202e and <b>html</b> \U0001f600")
    assert strange["blocks"][0]["sentences"][0]["text"] == "A B and <b>html</b> \U0001f600"


async def test_a_text_is_downloaded_in_each_format(ada: Browser, file: File, text: dict[str, Any]) -> None:
    path = f"/api/files/minutes/{text['id']}/download"
    word = await ada.get(f"{path}?format=docx")
    assert word.headers["content-disposition"].endswith(f"{file.name}%20-%20Minutes.en-US.docx")
    document = docx.Document(io.BytesIO(word.content))
    assert [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs[:5] if paragraph.style] == [
        ("Title", "Harbour meeting"),
        ("Heading 1", "The harbour"),
        ("Normal", "The harbour is closed. [0:01] It opens in May. (not found in the recording) [0:06]"),
        ("List Bullet", "Decision: The harbour stays closed. [0:01]"),
        ("List Paragraph", "☐ Ask again tomorrow. [0:11] (Owner: Anna; Due: tomorrow)"),
    ]
    assert document.core_properties.title == "Harbour meeting"
    markdown = await ada.get(path)
    assert markdown.headers["content-type"].startswith("text/markdown")
    html = MarkdownIt().render(markdown.text)
    assert "<h1>Harbour meeting</h1>" in html
    assert "<li><strong>Decision:</strong> The harbour stays closed. [0:01]</li>" in html
    plain = (await ada.get(f"{path}?format=txt")).text
    assert "• Decision: The harbour stays closed. [0:01]" in plain
    for content in (markdown.text, plain, document.paragraphs[-1].text):
        assert "qwen" in content
        assert file.name in content
    assert (await ada.get(f"{path}?format=pdf")).status_code == 422


async def test_a_selection_says_that_nothing_was_written(ada: Browser, file: File, state: AppState) -> None:
    text = await written_text(state, ada, file, "short", engine=SELECTOR)
    assert text["is_selection"] is True
    plain = (await ada.get(f"/api/files/minutes/{text['id']}/download?format=txt")).text
    assert "selected from the transcript" in plain


async def test_a_text_without_a_version_has_nothing_to_edit_or_download(ada: Browser, file: File) -> None:
    (text,) = await request_texts(ada, file, "blog")
    path = f"/api/files/minutes/{text['id']}"
    await ada.post(f"{path}/cancel")
    download = await ada.get(f"{path}/download")
    assert (download.status_code, download.json()["message"]) == (404, NOTHING_WRITTEN)
    refused = await ada.patch(path, json={"content": "x"})
    assert (refused.status_code, refused.json()["message"]) == (409, NOTHING_WRITTEN)


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_team_shares_texts_and_viewers_only_read(state: AppState, sign_up: SignUp) -> None:
    people = [await sign_up(name) for name in ("ada", "bob", "vera", "eve")]
    newsroom: Newsroom = await make_newsroom(state, *people)
    file = await captioned_file(state, newsroom.ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).team_id = newsroom.team_id
    text = await written_text(state, newsroom.bob, file)
    path = f"/api/files/minutes/{text['id']}"
    assert (await text_now(newsroom.vera, text["id"]))["blocks"] == text["blocks"]
    calls = [
        await newsroom.vera.patch(path, json={"content": "Mine."}),
        await newsroom.vera.post(f"{path}/again"),
        await newsroom.vera.post(f"/api/files/aitext/{file.slug}", json={"types": ["blog"]}),
        await newsroom.vera.delete(f"/api/files/aitext/{file.slug}"),
    ]
    assert [call.status_code for call in calls] == [403] * 4
    assert (await newsroom.ada.patch(path, json={"content": "Ada's."})).status_code == 200
    assert (await newsroom.eve.get(path)).status_code == 404
