"""One of everything that a person can own, and the ids by which others might try to reach it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sqlalchemy import select

from api.content.ai_texts.models import AiText
from api.content.arrivals.models import Upload, UploadStatus
from api.content.captions.models import CaptionTrack
from api.content.exports.models import Export
from api.content.files.models import File
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file
from pipelines.messages.minutes import TextType

_ANY = ("slug", "key", "id")


@dataclass
class Belongings:
    """Things of one person and their team. `mark` is in every name and text of them."""

    mark: str
    owner: Browser
    team_id: str
    file: File
    ids: dict[str, list[str]] = field(default_factory=dict)
    """Values of path parameters by name, the usual one first."""
    binned: str = ""
    """The slug of a file in the bin."""

    @property
    def words(self) -> tuple[str, ...]:
        """What the rows of these things hold: ids without dashes, and the mark."""
        ids = (str(self.owner.user_id), self.team_id, str(self.file.id))
        return (*(each.replace("-", "") for each in ids), self.mark)


async def make_belongings(state: AppState, owner: Browser, mark: str) -> Belongings:
    team = await owner.post("/api/teams", json={"name": f"Team {mark}"})
    assert team.status_code == 201, team.text
    team_id = str(team.json()["data"]["id"])
    header = {"X-Active-Team": team_id}
    email = f"guest.{uuid.uuid4().hex[:8]}@example.com"
    invited = await owner.post(f"/api/teams/{team_id}/invitations", json={"email": email})
    assert invited.status_code == 201, invited.text
    term = await owner.post("/api/glossary", json={"source": f"{mark} term", "target": "orð"}, headers=header)
    assert term.status_code == 201, term.text
    word = await owner.post("/api/glossary/words", json={"word": f"{mark}word"}, headers=header)
    assert word.status_code == 201, word.text
    preset = await owner.post("/api/caption-styles", json={"name": f"{mark} style", "style": {}}, headers=header)
    assert preset.status_code == 201, preset.text
    limits = {"max_row": 42, "max_rows": 2, "max_speed": 17, "min_ms": 1_000, "max_ms": 7_000, "gap_ms": 100}
    profile = await owner.post("/api/captions/profiles", json={"name": f"{mark} profile", **limits}, headers=header)
    assert profile.status_code == 201, profile.text
    tag = await owner.post("/api/tags", json={"tag": f"{mark} tag"}, headers=header)
    assert tag.status_code == 201, tag.text
    key = await owner.post("/api/keys", json={"name": f"{mark} key", "scopes": ["transcribe"]}, headers=header)
    assert key.status_code == 201, key.text
    hook = {"url": f"https://example.com/{mark}", "events": ["file.created"], "team_id": team_id}
    webhook = await owner.post("/api/webhooks", json=hook)
    assert webhook.status_code == 201, webhook.text
    webhook_id = str(webhook.json()["data"]["id"])
    delivery = await owner.post(f"/api/webhooks/{webhook_id}/test")
    assert delivery.status_code == 202, delivery.text
    file = await captioned_file(state, owner.user_id, f"Nobody else may read {mark}.")
    binned = await captioned_file(state, owner.user_id, f"Deleted {mark}.")
    assert (await owner.delete(f"/api/files/{binned.slug}")).status_code == 204
    belongings = Belongings(mark, owner, team_id, file, binned=binned.slug)
    things = await _add_rows(state, belongings)
    captions = f"/api/files/captions/{file.slug}"
    first_line = (await owner.get(captions)).json()["data"]["lines"][0]["id"]
    note = await owner.post(f"{captions}/notes", json={"line": first_line, "text": f"{mark} note"})
    assert note.status_code == 201, note.text
    link = await owner.post(f"/api/files/{file.slug}/review-links", json={"rights": "edit"})
    assert link.status_code == 201, link.text
    link_id, secret = link.json()["data"][0]["id"], urlsplit(link.json()["data"][0]["url"]).fragment
    entered = await owner.post(f"/api/review/{link_id}/enter", json={"secret": secret, "name": f"{mark} reviewer"})
    assert entered.status_code == 204, entered.text
    sessions = (await owner.get("/api/user/sessions")).json()["data"]
    tag_data = tag.json()["data"]
    belongings.ids |= {
        **{name: [*things, tag_data["id"], tag_data["slug"]] for name in _ANY},
        "file_id": things[:2],
        "upload_id": [things[-1]],
        "ids": [*things, f"{things[0]},{binned.slug}"],
        "tag": [tag_data["slug"]],
        "term_id": [str(term.json()["data"]["id"])],
        "word_id": [str(word.json()["data"]["id"])],
        "style_id": [str(preset.json()["data"]["id"])],
        "profile_id": [str(profile.json()["data"]["id"])],
        "team_id": [team_id],
        "user_id": [str(owner.user_id)],
        "session_id": [str(each["id"]) for each in sessions[:1]],
        "note_id": [str(note.json()["data"][0]["id"])],
        "link_id": [str(link_id)],
        "key_id": [str(key.json()["data"]["id"])],
        "webhook_id": [webhook_id],
        "delivery_id": [str(delivery.json()["data"]["id"])],
        "invitation_id": [str(invited.json()["data"]["id"])],
        "language": ["en"],
        "label": ["S1"],
        "version": ["1"],
        "keyword": [mark],
        "name": ["quickmt-en-is"],
        "tier": ["creator"],
        "period": ["monthly"],
        "code": ["SPRING"],
        "figure": ["queue"],
    }
    return belongings


async def _add_rows(state: AppState, belongings: Belongings) -> list[str]:
    """Give the file to the team, and add to it what a browser cannot. Returns the ids, the file's slug first."""
    user_id = belongings.owner.user_id
    async with state.database.write() as session:
        file = await session.get_one(File, belongings.file.id)
        file.name, file.team_id = f"File {belongings.mark}", uuid.UUID(belongings.team_id)
        track = (await session.scalars(select(CaptionTrack).where(CaptionTrack.file_id == file.id))).one()
        job = (await session.scalars(select(Job).where(Job.subject_id == file.id))).first()
        assert job is not None
        export = Export(file_id=file.id, track_id=track.id, user_id=user_id, language="en")
        text = AiText(file_id=file.id, user_id=user_id, type=TextType.MINUTES, language="en")
        upload = Upload(
            user_id=user_id,
            team_id=file.team_id,
            filename=f"{belongings.mark}.mp4",
            language="en-US",
            status=UploadStatus.INCOMPLETE,
            tus_id=uuid.uuid4().hex,
        )
        session.add_all([export, text, upload])
        await session.flush()
        belongings.file = file
        belongings.ids |= {"export_id": [str(export.id)], "job_id": [str(job.id)]}
        return [file.slug, *(str(each) for each in (file.id, track.id, text.id, upload.slug, upload.id, upload.tus_id))]
