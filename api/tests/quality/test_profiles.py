"""Quality profiles: those of the product, one's own, and the one that captions are judged by."""

from __future__ import annotations

from typing import Any

import httpx2

from api.content.quality import service
from api.content.quality.checks import NO_PROFILE
from api.content.quality.service import FULL, NO_TEAM
from api.people.auth.viewer import TEAM_HEADER
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.newsroom import make_newsroom
from pipelines.captions.quality.profile import built_in_profiles

PATH = "/api/captions/profiles"
LIMITS = {"max_row": 30, "max_rows": 1, "max_speed": 12.5, "min_ms": 1_000, "max_ms": 6_000, "gap_ms": 120}


async def add(browser: Browser, name: str, **more: Any) -> httpx2.Response:
    return await browser.post(PATH, json={"name": name, **LIMITS, **more})


async def names(browser: Browser, **more: Any) -> list[str]:
    answer = await browser.get(PATH, **more)
    assert answer.status_code == 200, answer.text
    return [each["limits"]["name"] for each in answer.json()["data"] if each["scope"] != "built_in"]


async def test_the_built_in_profiles_come_first_with_their_sources(ada: Browser) -> None:
    listed = (await ada.get(PATH)).json()["data"]
    assert [each["id"] for each in listed] == list(built_in_profiles())
    assert all(each["limits"]["source"] and not each["may_change"] for each in listed)


async def test_add_change_and_delete(ada: Browser) -> None:
    added = await add(ada, " Our\tstation ", dash="en_dash_space")
    assert added.status_code == 201, added.text
    profile = added.json()["data"]
    assert (profile["limits"]["name"], profile["scope"], profile["may_change"]) == ("Our station", "user", True)
    path = f"{PATH}/{profile['id']}"
    changed = await ada.put(path, json={"name": "Station", **LIMITS, "max_row": 36})
    assert changed.json()["data"]["limits"]["max_row"] == 36
    assert await names(ada) == ["Station"]
    assert (await ada.delete(path)).status_code == 204
    assert (await ada.delete(path)).status_code == 404
    assert await names(ada) == []


async def test_refusals(ada: Browser, monkeypatch: Any) -> None:
    backwards = await add(ada, "Backwards", min_ms=7_000)
    assert backwards.status_code == 422
    assert "shortest duration" in backwards.json()["message"]
    assert (await add(ada, "Odd", max_row=0)).status_code == 422
    without_team = await add(ada, "Team's", scope="team")
    assert (without_team.status_code, without_team.json()["message"]) == (422, NO_TEAM)
    monkeypatch.setattr(service, "PROFILES_MAX", 0)
    full = await add(ada, "One more")
    assert (full.status_code, full.json()["message"]) == (422, FULL)


async def test_a_team_shares_its_profiles_and_viewers_only_look(state: AppState, sign_up: SignUp) -> None:
    room = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    acting = {TEAM_HEADER: str(room.team_id)}
    shared = await room.bob.post(PATH, json={"name": "House style", **LIMITS}, headers=acting)
    assert shared.json()["data"]["scope"] == "team"
    assert await names(room.vera, headers=acting) == ["House style"]
    path = f"{PATH}/{shared.json()['data']['id']}"
    assert (await room.vera.delete(path, headers=acting)).status_code == 403
    assert await names(room.eve) == []
    assert (await room.eve.delete(path)).status_code == 404


async def test_captions_are_judged_by_the_profile_somebody_chose(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    path = f"/api/files/captions/{file.slug}/profile"
    assert (await ada.get(path)).json()["data"] == {"chosen": None, "profile": "default"}
    mine = (await add(ada, "Short rows", max_row=20)).json()["data"]["id"]
    chosen = await ada.put(path, json={"profile": mine})
    assert chosen.json()["data"] == {"chosen": mine, "profile": mine}
    unknown = await ada.put(path, json={"profile": "nobody's"})
    assert (unknown.status_code, unknown.json()["message"]) == (422, NO_PROFILE)
    await ada.delete(f"{PATH}/{mine}")
    assert (await ada.get(path)).json()["data"] == {"chosen": None, "profile": "default"}
