"""Draws captions in parts that stay in storage, so that only parts whose captions changed are encoded again.

Parts are encoded here and, on a cluster, on nodes with free slots. A part's name is a digest of all that its frames
show, the content of the original first: an attempt that resumes, or the next export of the file, finds those that are
already there. Before they are joined, each must prove by its seal that it is whole and was made for this name.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import structlog

from cluster.storage.objects import Storage
from cluster.wording.message import Message
from pipelines.captions.fonts.glyphs import fonts_of
from pipelines.captions.picture.ass_document import write_ass
from pipelines.flows.export.span_orders import SpanOrder, store_finished
from pipelines.flows.export.span_tasks import RemoteSpans
from pipelines.flows.export.stored_parts import division_key, keep_sets, stored_name
from pipelines.media.content_digest import Content, ContentChanged
from pipelines.media.export.burn_in import DrawnPicture, drawn_picture, write_script
from pipelines.media.export.encoders import Encoder
from pipelines.media.export.frame_index import Division, Part
from pipelines.media.export.part_encoding import encode_span, part_digests, spans
from pipelines.media.export.part_join import SOUND, encode_sound, finish, join_video, needs_encoded_sound
from pipelines.media.export.part_seal import is_sealed, seal
from pipelines.media.export.sound_tracks import chosen_sounds, sound_arguments
from pipelines.media.ffmpeg import program_version
from pipelines.media.probe import MediaFacts
from pipelines.messages.attempt import Attempt, Progress, StageFailed
from pipelines.messages.caption_style import CaptionStyle
from pipelines.messages.export_form import ExportForm
from pipelines.messages.lines import CaptionLine
from pipelines.messages.results import parts_folder

log = structlog.get_logger(__name__)

PHASE = "exporting"
PARTS_GONE = Message("pipelines.flows.parts_gone", "Parts of this export were removed while it ran. Start it again.")
ORIGINAL_CHANGED = Message(
    "pipelines.flows.original_changed",
    "The file changed while it was read. Start the export again when nobody writes into it.",
)
_SOUND_FORM = 2
"""Raise it when the stored sound of an earlier version must not be used any more."""
_SOUND_SHARE = 20
"""Coding sound takes about a twentieth of the time of the picture."""
_TRIES = 3
_LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class PartsWanted:
    """What is drawn, and into which original: `path` is a local copy of the object `source_key`, with this `content`.

    `division` is None where the picture must be encoded in one pass.
    """

    file_id: str
    source_key: str
    path: Path
    content: Content
    facts: MediaFacts
    division: Division | None
    lines: Sequence[CaptionLine]
    form: ExportForm
    style: CaptionStyle
    encoder: Encoder


def burn_parts(
    wanted: PartsWanted, division: Division, attempt: Attempt, target: Path, storage: Storage
) -> Generator[Progress, None, None]:
    """Write `target`. Raises `PartsDiffer` where the original's frames do not come out as its index says."""
    assert wanted.facts.video is not None
    picture = drawn_picture(wanted.facts.video, wanted.form.picture, wanted.encoder)
    script = write_ass(wanted.lines, wanted.style, picture.width, picture.height)
    tools = [program_version(), *fonts_of((line.text for line in wanted.lines), wanted.style.font)]
    original, stream = wanted.content.digest, wanted.facts.video.index
    names = part_digests(division, picture, script, original=original, stream=stream, tools=tools)
    folder = parts_folder(wanted.file_id)
    keys = tuple(f"{folder}/{name}.mp4" for name in names)
    sound_key = _sound_key(wanted) if needs_encoded_sound(wanted.facts, wanted.form) else None
    index_key = division_key(wanted.file_id, original, wanted.facts)
    used = {*keys, index_key, *([sound_key] if sound_key else [])}
    keep_sets(storage, wanted.file_id, used, attempt.work)
    parts = _StoredParts(wanted, division, picture, script, keys, storage, attempt.work)
    for _ in range(_TRIES):
        yield from parts.encode(attempt)
        if sound_key is not None and not storage.exists(sound_key):
            with closing(encode_sound(wanted.path, wanted.facts, wanted.form, attempt.work)) as writing:
                for done_ms in writing:
                    yield parts.progress(done_ms)
            _check(wanted.content)
            seal(attempt.work / SOUND, _name(sound_key))
            storage.put(attempt.work / SOUND, sound_key)
        yield parts.progress(wanted.facts.duration_ms)
        with ExitStack() as opened:
            stored = [*parts.keys, *([sound_key] if sound_key else [])]
            try:
                paths = [opened.enter_context(storage.local_copy(key, attempt.work)) for key in stored]
            except FileNotFoundError as error:
                raise StageFailed("export", PARTS_GONE, retryable=True) from error
            broken = [key for key, path in zip(stored, paths, strict=True) if not is_sealed(path, _name(key))]
            if broken:
                log.warning("export.parts_broken", job_id=attempt.job_id, keys=broken[:5], count=len(broken))
                parts.drop(broken)
                continue
            sound = paths.pop() if sound_key else None
            try:
                join_video(division, paths, attempt.work, wanted.facts)
            except Exception:
                # They must not be found again by the next attempt.
                for key in used:
                    storage.delete(key)
                raise
            if sound is not None:
                (attempt.work / SOUND).unlink(missing_ok=True)
                (attempt.work / SOUND).symlink_to(sound.absolute())
            named = SOUND if sound else None
            with closing(finish(wanted.path, wanted.facts, wanted.form, target, sound=named)) as joining:
                for _ in joining:
                    yield parts.progress(wanted.facts.duration_ms)
            # Sound that is copied comes from the original.
            _check(wanted.content)
            return
    raise StageFailed("export", PARTS_GONE, retryable=True)


def _name(key: str) -> str:
    return PurePosixPath(key).stem


def _check(content: Content) -> None:
    """Raise `StageFailed` where what was just encoded may show another content than its name says."""
    try:
        content.check()
    except ContentChanged as error:
        raise StageFailed("export", ORIGINAL_CHANGED, retryable=True) from error


def _sound_key(wanted: PartsWanted) -> str:
    tracks = chosen_sounds(wanted.facts, wanted.form.sounds)
    coding = sound_arguments(tracks, wanted.form.file)
    name = stored_name([_SOUND_FORM, wanted.content.digest, program_version(), wanted.form.file, coding])
    return f"{parts_folder(wanted.file_id)}/{name}.mp4"


class _StoredParts:
    """The parts of one export: which are stored, and how far the rest is."""

    def __init__(
        self,
        wanted: PartsWanted,
        division: Division,
        picture: DrawnPicture,
        script: str,
        keys: tuple[str, ...],
        storage: Storage,
        work: Path,
    ) -> None:
        self.keys = keys
        self._wanted = wanted
        self._division = division
        self._picture = picture
        self._script = script
        self._storage = storage
        self._work = work
        self._frames = sum(part.frames for part in division.parts)
        self._stored: set[int] = set()
        self._look()

    def encode(self, attempt: Attempt) -> Generator[Progress, None, None]:
        """Encode what is not stored, here and on other nodes."""
        order = SpanOrder(
            self._wanted.source_key, self._division, self._wanted.facts, self._picture, self._script, self.keys
        )
        with closing(RemoteSpans(order, attempt)) as remote:
            for _ in range(_TRIES):
                missing = [part for part in self._division.parts if part.number not in self._stored]
                if not missing:
                    return
                yield from self._work_off(spans(missing, remote.spans_wanted(missing)), remote)
                self._look()
        missing_now = len(self.keys) - len(self._stored)
        if missing_now:
            raise StageFailed("export", PARTS_GONE, retryable=True)

    def drop(self, broken: list[str]) -> None:
        """Remove objects that are not what their key says, so that they are made again."""
        for key in broken:
            self._storage.delete(key)
        self._stored = {number for number in self._stored if self.keys[number] not in broken}

    def progress(self, sound_ms: int = 0, under_way_ms: float = 0.0) -> Progress:
        whole = self._wanted.facts.duration_ms
        has_sound = needs_encoded_sound(self._wanted.facts, self._wanted.form)
        total = whole + (whole // _SOUND_SHARE if has_sound else 0)
        frames = sum(self._division.parts[number].frames for number in self._stored)
        done = whole * frames / max(1, self._frames) + under_way_ms + sound_ms / _SOUND_SHARE
        return Progress(PHASE, min(total, int(done)), total, "media_ms")

    def _work_off(self, waiting: list[list[Part]], remote: RemoteSpans) -> Generator[Progress, None, None]:
        while waiting or remote.is_busy:
            remote.take(waiting)
            if waiting:
                yield from self._encode_here(waiting.pop(0), remote, waiting)
                continue
            waiting += remote.take_back()
            if not waiting and remote.is_busy:
                time.sleep(_LOOK_S)
                self._look(remote.numbers)
                yield self.progress()

    def _encode_here(
        self, span: list[Part], remote: RemoteSpans, waiting: list[list[Part]]
    ) -> Generator[Progress, None, None]:
        folder = self._work / f"span-{span[0].number}"
        # An earlier try at this span may have ended in the middle.
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        write_script(folder, self._script)
        assert self._wanted.facts.video is not None
        encoding = encode_span(
            self._wanted.path,
            self._wanted.facts.video,
            self._division,
            span,
            self._picture,
            folder,
            size_bytes=self._wanted.facts.size_bytes,
        )
        before_ms = 0.0
        looked = time.monotonic()
        with closing(encoding):
            for done_ms in encoding:
                for part in self._store(folder, span):
                    before_ms += self._wanted.facts.duration_ms * part.frames / self._frames
                if time.monotonic() - looked > _LOOK_S:
                    remote.take(waiting)
                    self._look(remote.numbers)
                    looked = time.monotonic()
                yield self.progress(under_way_ms=max(0.0, done_ms - before_ms))
        self._store(folder, span)

    def _store(self, folder: Path, span: list[Part]) -> list[Part]:
        """Store the parts of a span that are whole, and return them."""
        _check(self._wanted.content)
        stored = store_finished(folder, span, self.keys, self._storage)
        self._stored.update(part.number for part in stored)
        return stored

    def _look(self, numbers: Sequence[int] | None = None) -> None:
        every = range(len(self.keys)) if numbers is None else numbers
        self._stored.update(number for number in every if self._storage.exists(self.keys[number]))
