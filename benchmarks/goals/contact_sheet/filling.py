"""People, files and a team as the pages have them after some weeks of work."""

from __future__ import annotations

import subprocess
import uuid
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from sqlalchemy import delete, select, update

from api.content.captions.models import CaptionLineRow, CaptionTrack, Speaker
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File, FileStatus
from api.people.users.models import User
from api.platform.jobs.models import Job
from api.testing.files.transcribed import captioned_file, chunk, keep_chunk, transcribing_file
from api.testing.sites.files import add_file, write
from api.testing.sites.site import Site
from benchmarks.goals.contact_sheet.interview import LENGTH_S, SPEAKERS, TALK, TRANSLATION, lines
from benchmarks.goals.ui.filling import speech_peaks
from pipelines.media.ffmpeg import find_ffmpeg
from pipelines.media.sample import SAMPLE
from pipelines.media.sound.waveform import write_peaks

TRANSLATED_INTO = "is-IS"


def interview(site: Site, user_id: uuid.UUID, folder: Path) -> str:
    """A finished file with picture, waveform, two speakers and a translation; returns its slug."""
    video, poster, peaks = folder / "interview.mp4", folder / "poster.jpg", folder / "peaks.json"
    _ffmpeg("-stream_loop", "-1", "-i", str(SAMPLE), "-t", str(LENGTH_S), "-c", "copy", str(video))
    _ffmpeg("-ss", "4", "-i", str(video), "-frames:v", "1", "-vf", "scale=640:-2", str(poster))
    write_peaks(speech_peaks(LENGTH_S), peaks)
    made = captioned_file(site.state, user_id, filename="Interview, Grindavík harbour.mp4", content=video.read_bytes())
    file = site.call(made)
    kept = {"peaks_key": (peaks, f"files/{file.id}/peaks.json"), "poster_key": (poster, f"files/{file.id}/poster.jpg")}
    for path, key in kept.values():
        site.state.storage.put(path, key)

    async def fill(session: Any) -> None:
        row = await session.get_one(File, file.id)
        row.duration_ms, row.width, row.height = LENGTH_S * 1000, 1280, 720
        row.facts = {**row.facts, "mime": "video/mp4", "fps": 25}
        for name, (_, key) in kept.items():
            setattr(row, name, key)
        track = (await session.scalars(select(CaptionTrack).where(CaptionTrack.file_id == file.id))).one()
        await session.execute(delete(CaptionLineRow).where(CaptionLineRow.track_id == track.id))
        await insert_lines(session, track.id, list(lines()), revision=0)
        for colour, (label, name) in enumerate(SPEAKERS.items()):
            session.add(Speaker(file_id=file.id, label=label, name=name, colour=colour))

    write(site, fill)
    site.translation(user_id, file.slug, TRANSLATED_INTO, TRANSLATION)
    return file.slug


def work_in_progress(site: Site, user_id: uuid.UUID) -> str:
    """A file that is being transcribed, with its first lines; returns its slug."""
    file, job = site.call(transcribing_file(site.state, user_id, filename="Board meeting, November.mp4"))
    for number, (_, text, _) in enumerate(TALK[:9]):
        site.call(keep_chunk(site.state, job, chunk(number, text)))

    async def advance(session: Any) -> None:
        (await session.get_one(Job, job.id)).progress = 43
        (await session.get_one(File, file.id)).progress = 43

    write(site, advance)
    return file.slug


def other_files(site: Site, user_id: uuid.UUID) -> None:
    """Files in the states that lists show."""
    for name, status, more in (
        ("Lecture 4 – The sagas and their scribes", FileStatus.COMPLETED, {"progress": 100, "duration_ms": 3_130_000}),
        ("Press conference", FileStatus.WAITING, {"duration_ms": 1_520_000}),
        ("voice memo 2026-11-02", FileStatus.FAILED, {"error": "No sound was found in this file."}),
        ("A very long name of a recording that somebody typed without ever thinking of lists or phones, take 2",
         FileStatus.COMPLETED, {"progress": 100, "duration_ms": 612_000}),
        ("Annual meeting", FileStatus.ABANDONED, {"duration_ms": 7_200_000}),
    ):  # fmt: skip
        add_file(site, user_id, name, status, size_bytes=48_000_000, **more)


def changes_and_notes(page: Page, slug: str) -> None:
    """Two changes for the history and a note with an answer, by the page's own calls."""
    page.goto("/dashboard")
    token = {str(one.get("name")): str(one.get("value")) for one in page.context.cookies()}["XSRF-TOKEN"]
    headers = {"X-XSRF-TOKEN": token.replace("%3D", "=")}
    path = f"/api/files/captions/{slug}"

    def send(where: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = page.request.post(where, data=body, headers=headers)
        assert answer.ok, answer.text()
        answered: dict[str, Any] = answer.json()
        return answered

    held = page.request.get(path).json()["data"]
    line, other = held["lines"][1], held["lines"][10]
    edit = {"action": "Edit", "line": line["id"], "content": "You are welcome, come in.", "issued": held["revision"]}
    changed = send(path, edit)["data"]
    send(path, {**edit, "line": other["id"], "content": "Nobody was alone that night.", "issued": changed["revision"]})
    note = {"line": other["id"], "text": "Is this what she said? Please listen again at 0:42."}
    thread = send(f"{path}/notes", note)["data"][0]
    send(f"{path}/notes", {"reply_to": thread["id"], "text": "Yes, I checked it twice."})


def speak(site: Site, language: str) -> None:
    """Give everybody's pages this language; otherwise the account's own wins over the browser's."""

    async def change(session: Any) -> None:
        await session.execute(update(User).values(locale=language))

    write(site, change)


def _ffmpeg(*arguments: str) -> None:
    subprocess.run([find_ffmpeg(), "-nostdin", "-v", "error", "-y", *arguments], check=True)
