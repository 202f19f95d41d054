"""Caption styles: presets of people and teams, the style of a file, what an export freezes, the preview's script."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import httpx2
import pytest

from api.content.files.models import File, FileKind
from api.content.styles import service
from api.content.styles.routes import NO_SUCH_FONT
from api.content.styles.schemas import PREVIEW_LINES_MAX
from api.content.styles.service import NO_TEAM, TAKEN, UNKNOWN_STYLE
from api.platform.http.errors import Invalid
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.newsroom import make_newsroom
from pipelines.captions.json_form import line_from_json
from pipelines.captions.picture.ass_document import write_ass
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES, DEFAULT_STYLE_ID
from pipelines.media.export.card import CARD_SIZE, card_style
from pipelines.messages.caption_style import UNKNOWN_FONT, CaptionStyle
from pipelines.messages.lines import CaptionLine, CaptionWord

PATH = "/api/caption-styles"
YELLOW = {"colour": "#ffee00", "karaoke": "highlight"}


async def add(browser: Browser, name: str, **more: Any) -> httpx2.Response:
    return await browser.post(PATH, json={"name": name, "style": YELLOW, **more})


async def names(browser: Browser) -> list[str]:
    presets = (await browser.get(PATH)).json()["data"]["presets"]
    return [one["name"] for one in presets if one["scope"] != "built_in"]


async def test_presets_are_added_changed_and_deleted(ada: Browser, bob: Browser) -> None:
    whole = (await ada.get(PATH)).json()["data"]
    assert [one["id"] for one in whole["presets"]] == list(BUILT_IN_STYLES)
    font = await ada.get(whole["fonts"][0]["urls"][0])
    assert (font.status_code, font.content[:4]) == (200, b"\0\1\0\0")
    # Browsers keep a font under the address of its content, and none under that of another version.
    address = whole["fonts"][0]["urls"][0]
    for url, is_lasting in ((address, True), (f"{address}0", False), (address.partition("?")[0], False)):
        assert ("immutable" in (await ada.get(url)).headers["cache-control"]) is is_lasting
    preset = (await add(ada, "News", is_default=True)).json()["data"]
    assert (preset["scope"], preset["may_change"], preset["style"]["colour"]) == ("user", True, "#ffee00")
    again = await add(ada, "news")
    assert (again.status_code, again.json()["message"]) == (422, TAKEN)
    other = (await add(ada, "Sport", is_default=True)).json()["data"]
    listed = {one["name"]: one for one in (await ada.get(PATH)).json()["data"]["presets"]}
    assert (listed["News"]["is_default"], listed["Sport"]["is_default"]) == (False, True)
    changed = await ada.put(f"{PATH}/{other['id']}", json={"name": "Sports", "style": {"size": 80}})
    assert changed.json()["data"]["style"]["size"] == 80
    assert await names(ada) == ["News", "Sports"]
    assert await names(bob) == []
    assert (await bob.put(f"{PATH}/{other['id']}", json={"name": "x", "style": {}})).status_code == 404
    assert (await ada.delete(f"{PATH}/{other['id']}")).status_code == 204
    assert await names(ada) == ["News"]


async def test_refusals(ada: Browser) -> None:
    no_team = await add(ada, "News", scope="team")
    assert (no_team.status_code, no_team.json()["message"]) == (422, NO_TEAM)
    unknown = await ada.post(PATH, json={"name": "x", "style": {"font": "Comic Sans"}})
    assert unknown.status_code == 422
    assert UNKNOWN_FONT in unknown.text
    missing = await ada.get(f"{PATH}/fonts/LICENSE-OFL.txt")
    assert (missing.status_code, missing.json()["message"]) == (404, NO_SUCH_FONT)
    line = {"start_ms": 0, "end_ms": 900, "text": "a"}
    many = {"style": {}, "width": 640, "height": 360, "lines": [line] * (PREVIEW_LINES_MAX + 1)}
    assert (await ada.post(f"{PATH}/script", json=many)).status_code == 422


async def test_a_file_has_its_own_style_or_the_default_of_its_owner(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    url = f"/api/files/style/{file.slug}"
    first = (await ada.get(url)).json()["data"]
    assert (first["preset_id"], first["is_own"]) == (DEFAULT_STYLE_ID, False)
    preset = (await add(ada, "News", is_default=True)).json()["data"]
    second = (await ada.get(url)).json()["data"]
    assert (second["preset_id"], second["is_own"], second["style"]["colour"]) == (preset["id"], False, "#ffee00")
    style = {"speaker_colours": {"S1": "#00ff00"}, "size": 90}
    put = await ada.put(url, json={"preset_id": "karaoke", "style": style})
    assert put.status_code == 200, put.text
    third = (await ada.get(url)).json()["data"]
    assert (third["preset_id"], third["is_own"], third["style"]["speaker_colours"]) == (
        "karaoke",
        True,
        {"S1": "#00ff00"},
    )
    async with state.database.read() as session:
        assert (await service.frozen_style(session, file)).size == 90
        assert await service.frozen_style(session, file, "karaoke") == BUILT_IN_STYLES["karaoke"][1]
        assert (await service.frozen_style(session, file, preset["id"])).colour == "#ffee00"
        with pytest.raises(Invalid, match=UNKNOWN_STYLE):
            await service.frozen_style(session, file, "nothing")


async def test_a_downloaded_script_is_the_one_that_an_export_burns_in(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).width, (await session.get_one(File, file.id)).height = 1280, 720
    await ada.put(f"/api/files/style/{file.slug}", json={"preset_id": "karaoke", "style": YELLOW})
    path = f"/api/files/captions/{file.slug}/download"
    script = (await ada.get(path, params={"format": "ass"})).content.decode("utf-8-sig")
    whole = json.loads((await ada.get(path, params={"format": "json"})).content)
    lines = [line_from_json(line) for line in whole["lines"]]
    burned = write_ass(lines, CaptionStyle.from_json(YELLOW), 1280, 720, title=file.name)
    assert burned.count("Dialogue:") > len(lines)
    assert script == burned
    packed = await ada.get("/api/files/captions.zip", params={"ids": str(file.id), "format": "ass"})
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.read(archive.namelist()[0]).decode("utf-8-sig") == script
    # Sound is exported with the captions in the middle of a card, or as on a film where it has a cover.
    async with state.database.write() as session:
        row = await session.get_one(File, file.id)
        row.kind, row.width, row.height = FileKind.AUDIO, None, None
    script = (await ada.get(path, params={"format": "ass"})).content.decode("utf-8-sig")
    style = CaptionStyle.from_json(YELLOW)
    assert script == write_ass(lines, card_style(style, has_cover=False), *CARD_SIZE, title=file.name)
    packed = await ada.get("/api/files/captions.zip", params={"ids": str(file.id), "format": "ass"})
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.read(archive.namelist()[0]).decode("utf-8-sig") == script
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).poster_key = "jobs/upload/1/1/poster.jpg"
    script = (await ada.get(path, params={"format": "ass"})).content.decode("utf-8-sig")
    assert script == write_ass(lines, style, *CARD_SIZE, title=file.name)


async def test_a_team_shares_its_presets(sign_up: SignUp, state: AppState) -> None:
    newsroom = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    active = {"X-Active-Team": str(newsroom.team_id)}
    made = await newsroom.bob.post(PATH, json={"name": "House", "style": YELLOW, "is_default": True}, headers=active)
    assert made.json()["data"]["scope"] == "team"
    presets = (await newsroom.ada.get(PATH, headers=active)).json()["data"]["presets"]
    assert "House" in [one["name"] for one in presets]
    assert await names(newsroom.ada) == []
    shared = await newsroom.file_of(newsroom.ada)
    style = (await newsroom.ada.get(f"/api/files/style/{shared.slug}")).json()["data"]
    assert style["style"]["colour"] == "#ffee00"


async def test_the_preview_gets_the_script_of_the_export(ada: Browser) -> None:
    words = [{"start_ms": 0, "end_ms": 400, "text": "Halló"}, {"start_ms": 400, "end_ms": 900, "text": "字幕"}]
    line = {"start_ms": 0, "end_ms": 900, "text": "Halló\n字幕", "words": words}
    body = {"style": YELLOW, "width": 1280, "height": 720, "lines": [line]}
    answer = (await ada.post(f"{PATH}/script", json=body)).json()["data"]
    own = CaptionLine("0", 0, 900, "Halló\n字幕", (CaptionWord(0, 400, "Halló"), CaptionWord(400, 900, "字幕")))
    assert answer["ass"] == write_ass([own], CaptionStyle.from_json(YELLOW), 1280, 720)
    assert [font["family"] for font in answer["fonts"]] == ["DejaVu Sans", "Noto Sans CJK JP"]
    assert answer["missing"] == []
    assert (await ada.post(f"{PATH}/script", json=body | {"is_card": True})).json()["data"]["ass"] != answer["ass"]
