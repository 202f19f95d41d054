"""Judge the captions of a track by its profile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.errors import EditFailed
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.tracks import find_tracks
from api.content.files.models import File, FileShots
from api.content.quality.queries import profile_in_force, profile_named
from api.people.auth.viewer import Viewer
from cluster.wording.message import Message
from pipelines.captions.fonts.glyphs import missing_characters
from pipelines.captions.quality import find
from pipelines.captions.quality.findings import Circumstances, Finding
from pipelines.captions.quality.sentences import refusal
from pipelines.messages.lines import CaptionLine

NO_PROFILE = Message("quality.no_profile", "There is no such profile. Choose one from the list.")


@dataclass(frozen=True, slots=True)
class JudgedTrack:
    """A track with what the rules need to know. `profile_id` is the profile in force."""

    file: File
    language: str
    revision: int
    profile_id: str
    about: Circumstances
    lines: list[CaptionLine]


async def judged(
    session: AsyncSession, viewer: Viewer, key: str, language: str | None, profile: str | None = None
) -> JudgedTrack:
    """The track of a file the viewer may see, by its profile or by another one that the viewer names."""
    chosen = (await find_tracks(session, viewer, key)).choose(language)
    if profile is not None and await profile_named(session, viewer, profile) is None:
        raise EditFailed.field("profile", NO_PROFILE)
    track = chosen.track
    wanted = profile or (None if track is None else track.profile)
    profile_id, limits = await profile_in_force(session, viewer, wanted, chosen.language)
    lines = [] if track is None or chosen.is_live else await all_lines(session, track)
    cuts = await cuts_of(session, chosen.file)
    undrawable = await asyncio.to_thread(missing_characters, [line.text for line in lines])
    about = Circumstances(limits, chosen.language, cuts, chosen.file.fps, frozenset(undrawable))
    return JudgedTrack(chosen.file, chosen.language, 0 if track is None else track.revision, profile_id, about, lines)


async def cuts_of(session: AsyncSession, file: File) -> Sequence[int]:
    """The shot changes of a file in milliseconds, in order; none where nobody looked for them."""
    shots = await session.get(FileShots, file.id)
    return () if shots is None else shots.shots_ms


class OpenFindings(EditFailed):
    """Captions that must be clean are not. The page leads to the quality panel of their `language`."""

    code = "open_findings"

    def __init__(self, count: int, language: str) -> None:
        super().__init__(refusal(count), errors={"require_clean": [refusal(count)]})
        self.language = language

    def body(self) -> dict[str, Any]:
        return {**super().body(), "data": {"language": self.language}}


async def require_clean(session: AsyncSession, viewer: Viewer, track: CaptionTrack) -> None:
    """Raise `OpenFindings` with the number of findings unless the captions have no errors and warnings."""
    found = await open_findings(session, viewer, track)
    if found:
        raise OpenFindings(len(found), track.language)


async def open_findings(session: AsyncSession, viewer: Viewer, track: CaptionTrack) -> list[Finding]:
    """The errors and warnings of a track by its profile."""
    mine = await judged(session, viewer, str(track.id), track.language)
    return await asyncio.to_thread(find.open_findings, mine.lines, mine.about)
