"""How a person has set up the editor stays with the person."""

from __future__ import annotations

from api.testing.browser import Browser

PATH = "/api/user/editor-settings"


async def test_settings_belong_to_one_person(ada: Browser, bob: Browser) -> None:
    standard = (await ada.get(PATH)).json()["data"]
    assert standard["single_letters"] is True
    mine = {"single_letters": False, "keys": {"playLine": ["list:Shift+X"]}}
    assert (await ada.put(PATH, json={**mine, "written_by_a_newer_page": 1})).status_code == 200
    assert (await ada.get(PATH)).json()["data"] == {**standard, **mine}
    assert (await bob.get(PATH)).json()["data"] == standard
    assert (await ada.put(PATH, json={"resume_after_ms": 1})).status_code == 422
