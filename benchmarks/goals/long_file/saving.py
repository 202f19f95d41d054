"""How long a transaction holds SQLite's write lock to save the lines of a whole file."""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import api.tables  # noqa: F401
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from pipelines.messages.lines import CaptionLine, CaptionWord

WORDS_A_LINE = 9


async def seconds_to_save(lines: int, folder: Path) -> float:
    """Wall seconds of the transaction that writes this many lines with their words into an empty database."""
    url = f"sqlite+aiosqlite:///{folder / 'lines.db'}"
    await upgrade(url)
    database = Database(url)
    try:
        transcription = await _transcription(database)
        made = [_line(number) for number in range(lines)]
        began = time.monotonic()
        async with database.write() as session:
            await insert_lines(session, transcription, made, revision=0)
        return time.monotonic() - began
    finally:
        await database.close()


async def _transcription(database: Database) -> uuid.UUID:
    async with database.write() as session:
        user = User(name="Long", email="long@example.com", password_hash="-")
        session.add(user)
        await session.flush()
        file = File(user_id=user.id, name="long", filename="long.m4a", language="en-US", original_key="none")
        session.add(file)
        await session.flush()
        track = CaptionTrack(file_id=file.id, language="en-US", origin=TrackOrigin.TRANSCRIPTION)
        session.add(track)
        await session.flush()
        return track.id


def _line(number: int) -> CaptionLine:
    start = number * 3_500
    words = tuple(
        CaptionWord(start + index * 330, start + index * 330 + 300, "bottles", confidence=0.9)
        for index in range(WORDS_A_LINE)
    )
    return CaptionLine(str(uuid.uuid4()), start, words[-1].end_ms, " ".join(word.text for word in words), words)
