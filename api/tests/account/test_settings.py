"""The settings page's calls: profile, picture, password, devices."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from PIL import Image

from api.people.account.limits import PASSWORD_CHECK
from api.people.auth.cookies import SESSION_COOKIE
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser
from api.testing.mailbox import Mailbox
from api.testing.uploads.sending import upload_token
from pipelines.pictures.avatar import ANIMATED, NOT_A_PICTURE, SIDE_PX, TOO_MANY_PIXELS

NEW = "seven green bicycles"
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def picture(form: str = "PNG", size: tuple[int, int] = (400, 300), **more: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGBA" if form in ("PNG", "WEBP") else "RGB", size, (200, 30, 30)).save(buffer, form, **more)
    return buffer.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header states a huge picture."""

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", zlib.compress(b"")) + part(b"IEND", b"")


def animation() -> bytes:
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "blue")]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:])
    return buffer.getvalue()


async def save(browser: Browser, content: bytes = b"", **fields: str) -> httpx2.Response:
    """Send the form; without a picture its part is empty, as browsers send it."""
    return await send(browser, content, fields)


async def send(browser: Browser, content: bytes, fields: Mapping[str, str]) -> httpx2.Response:
    data = {"_method": "PUT", "name": "Ada Lovelace", **fields}
    return await browser.post("/api/user/settings", data=data, files={"img": ("me.png", content, "image/png")})


async def test_name_language_and_picture_are_saved(ada: Browser) -> None:
    answer = await save(ada, picture(), locale="is")
    assert answer.status_code == 200, answer.text
    user = answer.json()["data"]
    assert (user["name"], user["locale"]) == ("Ada Lovelace", "is")
    shown = await ada.get(user["avatar_url"])
    assert shown.headers["content-type"] == "image/jpeg"
    assert "immutable" in shown.headers["cache-control"]
    with Image.open(io.BytesIO(shown.content)) as image:
        assert image.size == (SIDE_PX, SIDE_PX)
        assert not image.getexif()


@pytest.mark.long
@pytest.mark.parametrize("form", ["JPEG", "WEBP", "GIF"])
async def test_usual_formats_are_accepted(ada: Browser, form: str) -> None:
    assert (await save(ada, picture(form))).status_code == 200


async def test_a_picture_loses_its_place_and_stands_upright(ada: Browser) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8825)[1] = "N"
    half = Image.new("RGB", (200, 100), "white")
    half.paste("black", (0, 0, 100, 100))
    buffer = io.BytesIO()
    half.save(buffer, "JPEG", exif=exif)
    user = (await save(ada, buffer.getvalue())).json()["data"]
    with Image.open(io.BytesIO((await ada.get(user["avatar_url"])).content)) as image:
        assert not image.getexif()
        column = image.convert("L").crop((SIDE_PX // 2, 0, SIDE_PX // 2 + 1, SIDE_PX)).tobytes()
    assert column[10] < 60 < 200 < column[-10], "the camera was turned"


SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
REFUSED = {
    "svg": (SVG, NOT_A_PICTURE),
    "text": (b"not a picture", NOT_A_PICTURE),
    "cut": (picture("JPEG")[:300], NOT_A_PICTURE),
    "animation": (animation(), ANIMATED),
    "bomb": (bomb(30_000, 30_000), TOO_MANY_PIXELS),
}


@pytest.mark.long
@pytest.mark.parametrize("name", REFUSED)
async def test_other_files_are_refused_with_a_sentence_and_change_nothing(ada: Browser, name: str) -> None:
    content, sentence = REFUSED[name]
    answer = await save(ada, content, locale="is")
    assert (answer.status_code, answer.json()["errors"]) == (422, {"img": [sentence]})
    user = (await ada.get("/api/user")).json()["data"]
    assert (user["name"], user["avatar_url"], user["locale"]) == ("Ada", None, "en")


async def test_a_picture_can_be_removed_and_strangers_do_not_see_it(
    ada: Browser, bob: Browser, visitor: Browser, state: AppState
) -> None:
    url = (await save(ada, picture())).json()["data"]["avatar_url"]
    assert (await bob.get(url)).status_code == 404
    assert (await visitor.get(url)).status_code == 401
    assert (await ada.get(url.rpartition("/")[0] + "/other")).status_code == 404
    assert (await save(ada, remove_img="true")).json()["data"]["avatar_url"] is None
    assert (await ada.get(url)).status_code == 404


async def test_rights_cannot_be_taken_through_the_settings(ada: Browser, bob: Browser) -> None:
    more = {"is_admin": "true", "id": str(bob.user_id), "email": "new@example.com", "email_verified": "true"}
    before = (await ada.get("/api/user")).json()["data"]
    after = (await send(ada, b"", more)).json()["data"]
    assert after == before | {"name": "Ada Lovelace"}
    body = {"password_old": PASSWORD, "password": NEW, "password_confirmation": NEW}
    assert (await ada.put("/api/user/settings", json=body | more | {"user_id": more["id"]})).status_code == 200
    assert (await ada.get("/api/user")).json()["data"] == after


@pytest.mark.parametrize(("fields", "named"), [({"_method": "POST"}, "_method"), ({"name": " "}, "name")])
async def test_a_bad_form_names_its_field(ada: Browser, fields: dict[str, str], named: str) -> None:
    answer = await send(ada, b"", fields)
    assert (answer.status_code, list(answer.json()["errors"])) == (422, [named])


async def test_a_new_password_ends_other_sessions_and_keeps_this_one(
    ada: Browser, app: FastAPI, mailbox: Mailbox
) -> None:
    token = await upload_token(ada)
    async with Browser.open(app) as phone:
        assert (await phone.post("/login", json={"email": "ada@example.com", "password": PASSWORD})).status_code == 200
        before = ada.cookies[SESSION_COOKIE]
        body = {"password_old": PASSWORD, "password": NEW, "password_confirmation": NEW}
        assert (await ada.put("/api/user/settings", json=body)).status_code == 200
        assert (await ada.get("/api/user")).status_code == 200
        assert (await phone.get("/api/user")).status_code == 401
        phone.cookies.set(SESSION_COOKIE, before)
        assert (await phone.get("/api/user")).status_code == 401, "the old cookie still works"
        new = {"Tus-Resumable": "1.0.0", "Upload-Length": "4", "Authorization": f"Bearer {token}"}
        assert (await phone.post("/tus/", headers=new)).status_code == 201, "an upload of this browser was cut off"
    assert (await mailbox.newest("ada@example.com")).subject == "Your password was changed"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"password_old": "not mine at all"}, "password_old"),
        ({"password_confirmation": "something else"}, "password"),
        ({"password": "password1", "password_confirmation": "password1"}, "password"),
    ],
)
async def test_a_refused_password_names_its_field(ada: Browser, change: dict[str, str], field: str) -> None:
    body = {"password_old": PASSWORD, "password": NEW, "password_confirmation": NEW} | change
    answer = await ada.put("/api/user/settings", json=body)
    assert (answer.status_code, list(answer.json()["errors"])) == (422, [field])


async def test_a_stolen_session_cannot_guess_the_password(ada: Browser) -> None:
    body = {"password_old": "wrong", "password": NEW, "password_confirmation": NEW}
    for _ in range(PASSWORD_CHECK.attempts):
        assert (await ada.put("/api/user/settings", json=body)).status_code == 422
    answer = await ada.request("DELETE", "/api/user", json={"password": PASSWORD, "confirmation": "ada@example.com"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"


@pytest.mark.long
async def test_devices_are_listed_and_signed_out(ada: Browser, bob: Browser, app: FastAPI) -> None:
    async with Browser.open(app, address="198.51.100.23") as phone, Browser.open(app) as tablet:
        login = {"email": "ada@example.com", "password": PASSWORD}
        for browser in (phone, tablet):
            assert (await browser.post("/login", json=login, headers={"User-Agent": PHONE})).status_code == 200
        devices = (await ada.get("/api/user/sessions")).json()["data"]
        assert [device["is_current"] for device in devices] == [True, False, False]
        other = next(device for device in devices if device["network"] == "198.51.100.0/24")
        assert (other["browser"], other["system"]) == ("Mobile Safari", "iOS")
        assert (await bob.delete(f"/api/user/sessions/{other['id']}")).status_code == 404
        assert (await ada.delete(f"/api/user/sessions/{other['id']}")).status_code == 204
        assert (await phone.get("/api/user")).status_code == 401
        assert (await tablet.get("/api/user")).status_code == 200
        assert (await ada.delete("/api/user/sessions")).json()["data"] == {"count": 1}
        assert (await tablet.get("/api/user")).status_code == 401
    assert (await ada.delete("/api/user/sessions?with_this=true")).status_code == 200
    assert (await ada.get("/api/user")).status_code == 401


async def test_the_account_log_tells_what_happened(ada: Browser) -> None:
    body = {"password_old": PASSWORD, "password": NEW, "password_confirmation": NEW}
    await ada.put("/api/user/settings", json=body)
    log = (await ada.get("/api/user/log")).json()["data"]
    assert [entry["action"] for entry in log] == ["password.changed", "account.signed_in"]
