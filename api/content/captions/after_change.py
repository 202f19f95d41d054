"""What follows a change of captions: suggestions for the glossary, open pages, webhooks and the note of the file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.editing.announcing import announce_lines
from api.content.captions.editing.saving import Change
from api.content.captions.large.change import LargeChange
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionTrack
from api.content.captions.speech.jobs import NO_SPEECH
from api.content.captions.timing.service import measure_later
from api.content.files.models import File
from api.content.files.webhooks import emit_captions_changed
from api.content.glossary.corrections import record
from api.people.access.audience import notice_of
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from pipelines.captions.edits.corrections import Correction, corrected


async def learn(session: AsyncSession, file: File, track: CaptionTrack, change: Change) -> None:
    """Keep the words that a change corrected, from which the glossary makes suggestions."""
    if is_linked(track):
        return
    if isinstance(change.result, LargeChange):
        found: Sequence[Correction] = change.result.corrections
    else:
        found = await asyncio.to_thread(corrected, change.result.before, change.result.after)
    await record(session, file, track.language, found)


async def announce(session: AsyncSession, file: File, change: Change) -> None:
    """Let pages that show a translation fetch it again, report the change to webhooks, and measure new words."""
    if change.followed:
        message = event(Topic.TRANSLATE, Action.CHANGED, slug=file.slug, name=file.name)
        add_event(session, await notice_of(session, file, message))
    if change.is_move or change.before_count or change.after_count:
        await announce_lines(session, file, change.language, change.revision)
        await emit_captions_changed(session, file, change.language, *change.followed)
        await measure_later(session, file, change)


async def remove_no_speech_note(session: AsyncSession, track: CaptionTrack, change: Change) -> None:
    """Remove the note that the file has no captions, once lines are added."""
    if change.before_count or not change.after_count:
        return
    without = update(File).where(File.id == track.file_id, File.engine_note == NO_SPEECH)
    await session.execute(without.values(engine_note=None).execution_options(synchronize_session=False))
