"""Links for people without an account: what they open, what they do not, and when they end."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.content.captions.models import CaptionRevision
from api.content.files.models import File
from api.people.audit.models import AuditEntry
from api.people.auth.attempts import Limit
from api.people.reviewers import entry, errors
from api.people.reviewers.models import Reviewer, ReviewLink
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.realtime.messages import Action, Topic, channel_of
from api.testing.browser import PASSWORD, Browser
from api.testing.editor import Editor
from api.testing.events import as_sent
from api.testing.files.transcribed import captioned_file
from api.tests.review_links.conftest import MakeLink, SentLink


async def lines_of(browser: Browser, link: SentLink, **query: Any) -> list[dict[str, Any]]:
    answer = await browser.get(f"{link.path}/captions", params=query)
    assert answer.status_code == 200, answer.text
    lines: list[dict[str, Any]] = answer.json()["data"]["lines"]
    return lines


async def correction(browser: Browser, link: SentLink, text: str, **more: Any) -> Any:
    """Give the first line another text."""
    shown = (await browser.get(f"{link.path}/captions")).json()["data"]
    body = {"line": shown["lines"][0]["id"], "text": text, "issued": shown["revision"], "command": str(uuid.uuid4())}
    return await browser.post(f"{link.path}/captions", json={**body, **more})


async def test_a_reviewer_reads_plays_writes_and_corrects(
    make_link: MakeLink, ada: Browser, rita: Browser, film: File, state: AppState
) -> None:
    link = await make_link("edit")
    assert link.url.startswith(f"{state.settings.base_url}/review/{link.id}#")
    opened = await rita.post(f"{link.path}/open", json={"secret": link.secret})
    assert opened.json()["data"] | {"expires_at": ""} == {
        "rights": "edit",
        "by": "Ada",
        "file": film.name,
        "needs_password": False,
        "expires_at": "",
    }
    assert (await link.enter(rita)).status_code == 204
    review = (await rita.get(link.path)).json()["data"]
    assert (review["name"], review["by"], review["file"], review["rights"]) == ("Rita", "Ada", film.name, "edit")
    assert [each["is_source"] for each in review["languages"]] == [True]
    editor = await Editor(ada, film.slug).look()
    assert [line["text"] for line in await lines_of(rita, link)] == editor.texts
    media = await rita.get(f"{link.path}/media", headers={"Range": "bytes=0-1"})
    assert (media.status_code, len(media.content)) == (206, 2)

    saved = await correction(rita, link, "Corrected by Rita.")
    assert saved.status_code == 200, saved.text
    assert [line["text"] for line in saved.json()["data"]["lines"]] == ["Corrected by Rita."]
    await editor.look()
    assert editor.texts[0] == "Corrected by Rita."
    versions = (await ada.get(f"{editor.path}/versions")).json()["data"]["versions"]
    assert (versions[0]["by"], versions[0]["is_guest"], versions[0]["is_you"]) == ("Rita", True, False)
    # Undo takes it back as any other change.
    await editor.save("Undo")
    assert editor.texts[0] != "Corrected by Rita."

    note = await rita.post(f"{link.path}/notes", json={"text": "Is this her name?", "line": editor.lines[1]["id"]})
    assert note.status_code == 201, note.text
    (shown,) = (await ada.get(f"{editor.path}/notes")).json()["data"]
    assert (shown["by"], shown["is_guest"], shown["is_you"]) == ("Rita", True, False)
    (own,) = (await rita.get(f"{link.path}/notes")).json()["data"]
    assert (own["is_you"], own["by"]) == (True, "Rita")
    async with state.database.read() as session:
        rows = await session.scalars(select(OutboxMessage))
        told = [row.payload for row in rows if row.payload.get("channel") == channel_of(ada.user_id)]
    news = [each["data"] for each in told if each["data"]["queue"] == Topic.NOTE]
    assert news[0]["action"] == Action.ADDED
    assert as_sent(news[0])["message"].startswith("Rita wrote a note on")

    (listed,) = (await ada.get(f"/api/files/{film.slug}/review-links")).json()["data"]
    assert [each["name"] for each in listed["reviewers"]] == ["Rita"]
    assert (listed["state"], listed["by"], listed["url"]) == ("open", "Ada", link.url)
    async with state.database.read() as session:
        actions = [each.action for each in await session.scalars(select(AuditEntry).order_by(AuditEntry.at))]
        revision = await session.scalar(select(CaptionRevision).where(CaptionRevision.reviewer_id.is_not(None)))
    assert [each for each in actions if each.startswith("review_link")] == [
        "review_link.created",
        "review_link.opened",
    ]
    assert revision is not None
    assert revision.user_id is None


@pytest.mark.parametrize(("rights", "statuses"), [("view", (403, 403)), ("comment", (201, 403)), ("edit", (201, 200))])
async def test_a_link_gives_its_rights_and_no_other(
    make_link: MakeLink, rita: Browser, rights: str, statuses: tuple[int, int]
) -> None:
    link = await make_link(rights)
    await link.enter(rita)
    line = (await lines_of(rita, link))[0]["id"]
    note = await rita.post(f"{link.path}/notes", json={"text": "Hm?", "line": line})
    changed = await correction(rita, link, "Changed.")
    assert (note.status_code, changed.status_code) == statuses
    if rights == "view":
        assert note.json()["code"] == "review_rights"
        assert note.json()["message"] == errors.NotAllowed.message
    assert (await rita.get(f"{link.path}/media")).status_code == 200


async def test_the_cookie_of_a_review_opens_nothing_else(
    make_link: MakeLink, ada: Browser, rita: Browser, film: File, state: AppState
) -> None:
    link = await make_link("edit")
    await link.enter(rita)
    for path in (f"/api/files/{film.slug}", f"/api/files/captions/{film.slug}", "/api/files", "/api/user"):
        assert (await rita.get(path)).status_code == 401, path
    assert (await rita.get(f"/api/files/{film.slug}/review-links")).status_code == 401
    # Another link to another file asks again, also when the cookie is sent along.
    other = await captioned_file(state, ada.user_id)
    made = await ada.post(f"/api/files/{other.slug}/review-links", json={"rights": "view"})
    other_id = made.json()["data"][0]["id"]
    cookie = next(value for name, value in rita.cookies.items() if name.endswith("reviewer"))
    for path in ("", "/captions", "/media", "/notes"):
        answer = await rita.get(f"/api/review/{other_id}{path}", headers={"Cookie": f"sagascript_reviewer={cookie}"})
        assert (answer.status_code, answer.json()["code"]) == (403, "review_not_entered")


async def test_a_reviewer_leaves_what_others_wrote_alone(
    make_link: MakeLink, ada: Browser, rita: Browser, film: File, app: FastAPI
) -> None:
    link = await make_link("comment")
    await link.enter(rita)
    editor = await Editor(ada, film.slug).look()
    note = await ada.post(f"{editor.path}/notes", json={"text": "By Ada", "line": editor.lines[0]["id"]})
    (of_ada,) = note.json()["data"]
    path = f"{link.path}/notes/{of_ada['id']}"
    assert (await rita.put(path, json={"text": "Mine now"})).status_code == 403
    assert (await rita.put(path, json={"resolved": True})).status_code == 403
    assert (await rita.delete(path)).status_code == 403
    answered = await rita.post(f"{link.path}/notes", json={"text": "I agree", "reply_to": of_ada["id"]})
    (thread,) = answered.json()["data"]
    assert (thread["is_you"], thread["replies"][0]["is_you"]) == (False, True)
    reply = f"{link.path}/notes/{thread['replies'][0]['id']}"
    async with Browser.open(app, address="192.0.2.8") as second:
        await link.enter(second, "Sam")
        assert (await second.put(reply, json={"text": "Not hers"})).status_code == 403
    # Ada resolves it, and even then a reviewer deletes their own alone.
    await ada.put(f"{editor.path}/notes/{of_ada['id']}", json={"resolved": True})
    assert (await rita.delete(path)).status_code == 403
    assert (await rita.put(reply, json={"text": "I agree now"})).status_code == 200
    assert (await rita.delete(reply)).status_code == 200


async def test_nobody_opens_a_link_without_its_secret(make_link: MakeLink, rita: Browser) -> None:
    link = await make_link("view")
    for body in ({"secret": "x" * 43}, {"secret": link.secret[:-1]}, {"secret": link.secret.swapcase()}):
        answer = await rita.post(f"{link.path}/open", json=body)
        assert (answer.status_code, answer.json()["message"]) == (404, errors.LinkClosed.message)
        assert (await rita.post(f"{link.path}/enter", json={**body, "name": "Rita"})).status_code == 404
    unknown = await rita.post(f"/api/review/{uuid.uuid4()}/open", json={"secret": link.secret})
    assert (unknown.status_code, unknown.json()["message"]) == (404, errors.LinkClosed.message)
    assert (await rita.get(f"{link.path}/captions")).status_code == 403
    assert (await rita.get(link.path, headers={"Cookie": "sagascript_reviewer=made-up"})).status_code == 403


async def test_a_password_is_asked_for_and_cannot_be_guessed(
    make_link: MakeLink, rita: Browser, film: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "LINK_PASSWORD", Limit("review link password", 3, 600.0))
    link = await make_link("view", password="only for you")
    opened = (await rita.post(f"{link.path}/open", json={"secret": link.secret})).json()["data"]
    # Not even the name of the file shows before.
    assert (opened["needs_password"], opened["file"]) == (True, None)
    for password in (None, "wrong one"):
        answer = await link.enter(rita, password=password)
        assert (answer.status_code, answer.json()["code"]) == (422, "review_password")
    assert (await link.enter(rita, password="only for you")).status_code == 204
    assert (await link.enter(rita, password="only for you")).status_code == 429
    assert (await rita.get(link.path)).json()["data"]["file"] == film.name


async def test_a_link_ends_at_once_when_it_is_revoked(
    make_link: MakeLink, ada: Browser, rita: Browser, film: File
) -> None:
    link = await make_link("edit")
    await link.enter(rita)
    answer = await ada.delete(f"/api/files/{film.slug}/review-links/{link.id}")
    assert answer.json()["data"][0]["state"] == "revoked"
    for path in ("", "/captions", "/notes", "/media", "/poster"):
        closed = await rita.get(f"{link.path}{path}")
        assert (closed.status_code, closed.json()["code"]) == (404, "review_closed"), path
    assert (await link.enter(rita)).status_code == 404
    assert (await rita.post(f"{link.path}/open", json={"secret": link.secret})).status_code == 404


@pytest.mark.long
@pytest.mark.parametrize("end", ["expiry", "bin", "role", "account"])
async def test_a_link_ends_with_what_it_rests_on(
    make_link: MakeLink, ada: Browser, bob: Browser, rita: Browser, film: File, state: AppState, end: str
) -> None:
    """Bob made it as an editor of the team whose film it is."""
    async with state.database.write() as session:
        team = Team(name="Crew")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id, role=TeamRole.OWNER))
        session.add(Membership(team_id=team.id, user_id=bob.user_id, role=TeamRole.EDITOR))
        (await session.get_one(File, film.id)).team_id = team.id
    link = await make_link("edit", by=bob)
    await link.enter(rita)
    assert (await correction(rita, link, "While it works.")).status_code == 200
    async with state.database.write() as session:
        match end:
            case "expiry":
                await session.execute(update(ReviewLink).values(expires_at=utc_now()))
            case "bin":
                (await session.get_one(File, film.id)).deleted_at = utc_now()
            case "role":
                await session.execute(
                    update(Membership).where(Membership.user_id == bob.user_id).values(role=TeamRole.VIEWER)
                )
    if end == "account":
        answer = await bob.request(
            "DELETE", "/api/user", json={"password": PASSWORD, "confirmation": bob.user["email"]}
        )
        assert answer.status_code in (200, 204), answer.text
    refused = await rita.post(
        f"{link.path}/captions",
        json={"line": str(uuid.uuid4()), "text": "Late.", "issued": 0, "command": str(uuid.uuid4())},
    )
    for answer in (refused, *[await rita.get(f"{link.path}{path}") for path in ("", "/captions", "/notes", "/media")]):
        assert (answer.status_code, answer.json()["code"]) == (404, "review_closed")
    listed = (await ada.get(f"/api/files/{film.slug}/review-links")).json()
    if end != "bin":
        assert listed["data"][0]["state"] == ("expired" if end == "expiry" else "maker_gone")


async def test_only_those_who_may_change_a_file_share_it(
    make_link: MakeLink, ada: Browser, bob: Browser, film: File, state: AppState
) -> None:
    link = await make_link("view")
    path = f"/api/files/{film.slug}/review-links"
    assert (await bob.get(path)).status_code == 404
    assert (await bob.post(path, json={"rights": "edit"})).status_code == 404
    async with state.database.write() as session:
        team = Team(name="Crew")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id, role=TeamRole.OWNER))
        session.add(Membership(team_id=team.id, user_id=bob.user_id, role=TeamRole.VIEWER))
        (await session.get_one(File, film.id)).team_id = team.id
    for answer in (await bob.get(path), await bob.post(path, json={"rights": "view"})):
        assert answer.status_code == 403
    assert (await bob.delete(f"{path}/{link.id}")).status_code == 403
    other = await captioned_file(state, ada.user_id)
    assert (await ada.delete(f"/api/files/{other.slug}/review-links/{link.id}")).status_code == 404


async def test_a_stale_correction_shows_the_newer_text(
    make_link: MakeLink, ada: Browser, rita: Browser, film: File
) -> None:
    link = await make_link("edit")
    await link.enter(rita)
    seen = (await rita.get(f"{link.path}/captions")).json()["data"]
    editor = await Editor(ada, film.slug).look()
    await editor.save("Edit", 0, content="Ada was first.")
    answer = await correction(rita, link, "Rita was second.", issued=seen["revision"])
    assert (answer.status_code, answer.json()["data"]["line"]["text"]) == (409, "Ada was first.")
    # Nothing changed for who has the newest revision, and a repeat of a saved change changes nothing.
    newest = (await rita.get(f"{link.path}/captions")).json()["data"]["revision"]
    same = (await rita.get(f"{link.path}/captions", params={"since": newest})).json()["data"]
    assert (same["lines"], same["revision"]) == (None, newest)
    command = str(uuid.uuid4())
    for _ in range(2):
        assert (await correction(rita, link, "Once.", command=command, issued=newest)).status_code == 200
    assert (await rita.get(f"{link.path}/captions")).json()["data"]["revision"] == newest + 1


async def test_a_link_takes_so_many_people_and_a_file_so_many_links(
    make_link: MakeLink, ada: Browser, rita: Browser, film: File, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "REVIEWERS_MAX", 1)
    link = await make_link("view")
    assert (await link.enter(rita)).status_code == 204
    assert (await link.enter(rita, "Again")).status_code == 409
    monkeypatch.setattr("api.content.review_links.service.LINKS_MAX", 1)
    path = f"/api/files/{film.slug}/review-links"
    assert (await ada.post(path, json={"rights": "view"})).status_code == 409
    for body in ({"rights": "own"}, {"rights": "view", "days": 0}, {"rights": "view", "password": "short"}):
        assert (await ada.post(path, json=body)).status_code == 422
    await rita.post(f"{link.path}/leave")
    assert (await rita.get(link.path)).status_code == 403
    async with state.database.read() as session:
        assert [each.name for each in await session.scalars(select(Reviewer))] == ["Rita"]


async def test_a_change_needs_the_token_of_the_page(make_link: MakeLink, rita: Browser) -> None:
    link = await make_link("edit")
    await link.enter(rita)
    line = (await lines_of(rita, link))[0]["id"]
    answer = await rita.post(
        f"{link.path}/notes", json={"text": "Forged", "line": line}, headers={"X-XSRF-TOKEN": "forged"}
    )
    assert answer.status_code == 419
