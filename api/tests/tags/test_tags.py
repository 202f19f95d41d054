"""Tags of people and teams: create, rename, recolour, delete, put on files, filter by them."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from api.content.library import tagging
from api.content.tags import service
from api.content.tags.models import TagColour
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.uploaded_file import uploaded_file
from api.testing.newsroom import Newsroom, make_newsroom


async def make(browser: Browser, name: str, team: uuid.UUID | None = None, **more: Any) -> dict[str, Any]:
    headers = {} if team is None else {"X-Active-Team": str(team)}
    answer = await browser.post("/api/tags", json={"tag": name, **more}, headers=headers)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()["data"]
    return made


async def listed(browser: Browser, team: uuid.UUID | None = None) -> list[tuple[str, int]]:
    headers = {} if team is None else {"X-Active-Team": str(team)}
    answer = await browser.get("/api/tags", headers=headers)
    return [(tag["name"], tag["files"]) for tag in answer.json()["data"]]


async def on_file(browser: Browser, slug: str) -> list[str]:
    return [tag["name"] for tag in (await browser.get(f"/api/files/{slug}")).json()["data"]["tags"]]


async def test_tags_are_created_listed_renamed_and_deleted(ada: Browser, bob: Browser) -> None:
    assert await listed(ada) == []
    fundir = await make(ada, "  Fundir\u202e ")
    assert (fundir["name"], fundir["files"], fundir["may_change"]) == ("Fundir", 0, True)
    news = await make(ada, "Þingfréttir", colour="teal")
    assert news["colour"] == TagColour.TEAL != fundir["colour"]
    assert await listed(ada) == [("Fundir", 0), ("Þingfréttir", 0)]
    assert await listed(bob) == []
    answer = await ada.post("/api/tags", json={"tag": "FUNDIR"})
    assert (answer.status_code, answer.json()["errors"]) == (422, {"tag": [service.TAKEN]})
    await make(bob, "fundir")
    path = f"/api/tags/{fundir['slug']}"
    assert (await ada.patch(path, json={"name": "þingfréttir"})).status_code == 422
    changed = (await ada.patch(path, json={"name": "Meetings", "colour": "pink"})).json()["data"]
    assert (changed["name"], changed["colour"]) == ("Meetings", "pink")
    for answer in (await bob.patch(path, json={"name": "Mine"}), await bob.delete(path)):
        assert answer.status_code == 404
    assert (await ada.delete(path)).status_code == 204
    assert (await ada.delete(path)).status_code == 404
    assert await listed(ada) == [("Þingfréttir", 0)]


@pytest.mark.long
@pytest.mark.parametrize("body", [{}, {"tag": " "}, {"tag": "x" * 61}, {"tag": "a", "colour": "#fff"}])
async def test_impossible_tags_are_refused(ada: Browser, body: dict[str, Any]) -> None:
    assert (await ada.post("/api/tags", json=body)).status_code == 422


@pytest.mark.long
async def test_a_put_sets_the_whole_list_of_a_file(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    one, two = await make(ada, "One"), await make(ada, "Two")
    path = f"/api/tags/{file.slug}"
    answer = await ada.put(path, json={"tags": [two["slug"], "one"]})
    assert [tag["name"] for tag in answer.json()["data"]] == ["One", "Two"]
    assert await on_file(ada, file.slug) == ["One", "Two"]
    assert await listed(ada) == [("One", 1), ("Two", 1)]
    assert (await bob.put(path, json={"tags": []})).status_code == 404
    strange = await make(bob, "Strange")
    for wrong in (strange["slug"], "Strange", "nothing"):
        answer = await ada.put(path, json={"tags": [one["slug"], wrong]})
        assert (answer.status_code, answer.json()["message"]) == (422, tagging.UNKNOWN_TAG(name=wrong))
    assert await on_file(ada, file.slug) == ["One", "Two"]
    await ada.delete(f"/api/tags/{one['slug']}")
    assert await on_file(ada, file.slug) == ["Two"]
    assert (await ada.put(path, json={"tags": []})).json() == {"data": []}
    await ada.delete(f"/api/files/{file.slug}")
    assert (await ada.put(path, json={"tags": []})).status_code == 404


@pytest.mark.long
async def test_several_files_are_tagged_at_once_and_found_by_their_tags(ada: Browser, state: AppState) -> None:
    files = [await uploaded_file(state, ada.user_id, filename=f"{number}.mp4") for number in range(4)]
    one, two = await make(ada, "One"), await make(ada, "Two")
    ids = [str(file.id) for file in files]

    async def names(**query: Any) -> list[str]:
        answer = (await ada.get("/api/files", params={"sort": "name", **query})).json()
        assert answer["meta"]["total"] == len(answer["data"])
        return [file["name"] for file in answer["data"]]

    async def change(*chosen: str, **body: Any) -> int:
        return (await ada.post("/api/files/tags", json={"ids": chosen, **body})).status_code

    assert await change(*ids[:2], add=[one["slug"]]) == 204
    assert await change(ids[1], ids[2], add=[two["slug"]], remove=[one["slug"]]) == 204
    assert await change(ids[0], str(uuid.uuid4()), add=[two["slug"]]) == 404
    assert await change(ids[0], add=["nothing"]) == 404
    assert await names(tag=one["slug"]) == ["0"]
    assert await names(tag=[one["slug"], two["slug"]]) == ["0", "1", "2"]
    assert await names(tag="none") == ["3"]
    assert await names(tag=["none", one["slug"]]) == ["0", "3"]
    assert await names(tag="nothing") == []
    await ada.delete(f"/api/files/{files[2].slug}")
    assert await listed(ada) == [("One", 1), ("Two", 1)]


@pytest.fixture
async def newsroom(sign_up: SignUp, state: AppState) -> Newsroom:
    ada, bob, vera, eve = [await sign_up(name) for name in ("ada", "bob", "vera", "eve")]
    return await make_newsroom(state, ada, bob, vera, eve)


@pytest.mark.long
async def test_a_team_shares_its_tags(newsroom: Newsroom) -> None:
    ada, bob, vera, eve = newsroom.ada, newsroom.bob, newsroom.vera, newsroom.eve
    team = newsroom.team_id
    shared, own = await make(ada, "Shared", team), await make(ada, "Own")
    after = await newsroom.last_event()
    file = await newsroom.file_of(ada)
    private = await uploaded_file(newsroom.state, ada.user_id)
    assert [await listed(who) for who in (bob, vera, eve)] == [[("Shared", 0)], [("Shared", 0)], []]
    assert await listed(ada, team) == [("Own", 0), ("Shared", 0)]
    path = f"/api/tags/{file.slug}"
    assert (await bob.put(path, json={"tags": [shared["slug"]]})).status_code == 200
    assert newsroom.channels in await newsroom.heard_by(after=after)
    assert await on_file(vera, file.slug) == ["Shared"]
    assert (await vera.put(path, json={"tags": []})).status_code == 403
    assert (await vera.delete(f"/api/tags/{shared['slug']}")).status_code == 403
    assert (await vera.post("/api/tags", json={"tag": "x"}, headers={"X-Active-Team": str(team)})).status_code == 403
    assert (await eve.delete(f"/api/tags/{shared['slug']}")).status_code == 404
    # A private tag would show colleagues its name.
    assert (await ada.put(path, json={"tags": [own["slug"]]})).status_code == 422
    both = {"ids": [str(file.id), str(private.id)], "add": [shared["slug"]]}
    answer = await ada.post("/api/files/tags", json=both)
    assert answer.json()["message"] == tagging.OTHER_OWNER(name="Shared", file=private.name)
    assert await on_file(ada, private.slug) == []

    async def found(**query: Any) -> list[str]:
        return [row["slug"] for row in (await ada.get("/api/files", params=query)).json()["data"]]

    assert await found(team=str(team)) == [file.slug]
    assert await found(team="mine") == [private.slug]
    assert await found(team=str(uuid.uuid4())) == []
    assert await found(language="en-US", tag=shared["slug"]) == [file.slug]
    assert await found(language="is-IS") == []
    assert (await ada.get("/api/files?team=other")).status_code == 422
