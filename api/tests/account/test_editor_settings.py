"""How a person has set up the editor stays with the person."""

from __future__ import annotations

import asyncio

from api.testing.browser import Browser

PATH = "/api/user/editor-settings"


async def test_settings_belong_to_one_person(ada: Browser, bob: Browser) -> None:
    standard = (await ada.get(PATH)).json()["data"]
    assert standard["single_letters"] is True
    mine = {"single_letters": False, "keys": {"playLine": ["list:Shift+X"]}}
    assert (await ada.patch(PATH, json={**mine, "written_by_a_newer_page": 1})).status_code == 200
    assert (await ada.get(PATH)).json()["data"] == {**standard, **mine}
    assert (await bob.get(PATH)).json()["data"] == standard
    assert (await ada.patch(PATH, json={"resume_after_ms": 1})).status_code == 422


async def test_two_changes_at_once_are_both_kept(ada: Browser) -> None:
    await asyncio.gather(*(ada.patch(PATH, json=one) for one in ({"clock": "frames"}, {"drop_frame": False})))
    kept = (await ada.get(PATH)).json()["data"]
    assert (kept["clock"], kept["drop_frame"]) == ("frames", False)
