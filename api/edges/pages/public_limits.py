"""How long texts and lists may be, so that pages count before the server refuses."""

from __future__ import annotations

from pydantic import BaseModel

from api.content.captions.subtitle_files.archive import ARCHIVE_FILES_MAX
from api.content.live.schemas import TRANSLATIONS_MAX
from api.people.membership.schemas import DOMAINS_MAX, KEEP_DAYS_MAX, SESSION_HOURS_MAX
from api.platform.http.limits import (
    CAPTION_NOTE_MAX,
    CAPTION_TEXT_MAX,
    COUNTED_MAX,
    FILE_TITLE_MAX,
    INVOICE_LINES_MAX,
    KEYWORD_MAX,
    LEDGER_NOTE_MAX,
    REASON_MAX,
    REVIEWED_SPOTS_MAX,
    SEARCH_TEXT_MAX,
    SNAPSHOT_NAME_MAX,
    STYLE_NAME_MAX,
    TAG_NAME_MAX,
)
from pipelines.captions.limits import BULK_LINES_MAX, SPEAKER_NAME_MAX, SPEAKERS_MAX


class TextLimits(BaseModel):
    """The longest texts people may type, in characters."""

    file_title: int
    keyword: int
    tag: int
    caption_line: int
    search: int
    """What find and replace searches for, and its replacement."""
    speaker_name: int
    note: int
    """A note on a caption line."""
    version_name: int
    style_name: int
    reason: int
    """Why an administrator opens somebody's account."""
    ledger_note: int


class CountLimits(BaseModel):
    """How many there may be at most."""

    speakers: int
    """People who speak in one file."""
    changed_lines: int
    """Caption lines that one change names."""
    reviewed_spots: int
    """Places in captions that one call marks as reviewed."""
    archive_files: int
    """Files whose captions go into one ZIP file."""
    invoice_lines: int
    session_hours: int
    """After how many hours at most the members of a team sign in again."""
    team_domains: int
    """Domains whose people may join one team."""
    keep_days: int
    """How long at most a team may say that it keeps files."""
    live_translations: int
    """Languages into which a live recording is translated while it is made."""
    counted: int
    """A list of the admin area counts no further."""


TEXT_LIMITS = TextLimits(
    file_title=FILE_TITLE_MAX,
    keyword=KEYWORD_MAX,
    tag=TAG_NAME_MAX,
    caption_line=CAPTION_TEXT_MAX,
    search=SEARCH_TEXT_MAX,
    speaker_name=SPEAKER_NAME_MAX,
    note=CAPTION_NOTE_MAX,
    version_name=SNAPSHOT_NAME_MAX,
    style_name=STYLE_NAME_MAX,
    reason=REASON_MAX,
    ledger_note=LEDGER_NOTE_MAX,
)
COUNT_LIMITS = CountLimits(
    speakers=SPEAKERS_MAX,
    changed_lines=BULK_LINES_MAX,
    reviewed_spots=REVIEWED_SPOTS_MAX,
    archive_files=ARCHIVE_FILES_MAX,
    invoice_lines=INVOICE_LINES_MAX,
    session_hours=SESSION_HOURS_MAX,
    team_domains=DOMAINS_MAX,
    keep_days=KEEP_DAYS_MAX,
    live_translations=TRANSLATIONS_MAX,
    counted=COUNTED_MAX,
)
