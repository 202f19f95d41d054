"""The names of what exports keep: each thing that a value depends on changes its name, and nothing else does."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cluster.storage.folder import LocalStorage
from pipelines.captions.fonts import glyphs
from pipelines.captions.fonts.glyphs import fonts_of
from pipelines.captions.picture.ass_document import write_ass
from pipelines.flows.export import parts as export_parts
from pipelines.flows.export import stored_parts
from pipelines.flows.export.parts import PartsWanted, _sound_key
from pipelines.flows.export.stored_parts import division_key, keep_sets, stored_division
from pipelines.media import ffmpeg
from pipelines.media.content_digest import Content, ContentChanged
from pipelines.media.export import part_encoding
from pipelines.media.export.burn_in import drawn_picture
from pipelines.media.export.encoders import Encoder
from pipelines.media.export.frame_index import Division, Part
from pipelines.media.export.part_encoding import part_digests
from pipelines.media.probe import FACTS_FORM, AudioFacts, MediaFacts, VideoFacts
from pipelines.media.sniff import Container
from pipelines.messages.caption_style import DEFAULT_STYLE, CaptionStyle
from pipelines.messages.export_form import ExportForm, FileForm, PictureForm, Quality
from pipelines.messages.lines import CaptionLine
from pipelines.messages.results import parts_folder

VIDEO = VideoFacts(0, "h264", "High", "yuv420p", 160, 120, 25.0, 0, False, 25.0, (1, 12_800))
FACTS = MediaFacts(Container.MP4, False, 20_000, 0, 1_000, None, VIDEO, None, None)
PARTS = (Part(0, 0, 0, 250, 0, 0.0, 9.98), Part(1, 128_000, 250, 250, 10_000_000, 9.98, 21.0))
DIVISION = Division(PARTS, Fraction(1, 12_800), 0)


def names(
    *,
    division: Division = DIVISION,
    form: PictureForm = PictureForm(),  # noqa: B008
    encoder: Encoder = Encoder.X264,
    text: str = "Hello",
    style: CaptionStyle = DEFAULT_STYLE,
    original: str = "red",
    stream: int = 0,
    tools: tuple[str, ...] = ("ffmpeg 5", "fonts 1"),
) -> tuple[str, ...]:
    picture = drawn_picture(VIDEO, form, encoder)
    script = write_ass([CaptionLine("1", 12_000, 13_000, text)], style, picture.width, picture.height)
    return part_digests(division, picture, script, original=original, stream=stream, tools=tools)


@pytest.mark.parametrize(
    "other",
    [
        {"original": "blue"},
        {"stream": 1},
        {"tools": ("ffmpeg 6", "fonts 1")},
        {"tools": ("ffmpeg 5", "fonts 2")},
        {"form": PictureForm(short_side=60)},
        {"form": PictureForm(quality=Quality.HIGH)},
        {"encoder": Encoder.NVENC},
        {"style": DEFAULT_STYLE.model_copy(update={"size": DEFAULT_STYLE.size + 1})},
        {"division": replace(DIVISION, time_base=Fraction(1, 25_600))},
        {"division": replace(DIVISION, clock_us=40_000)},
        {"division": replace(DIVISION, parts=tuple(replace(part, frames=part.frames - 1) for part in PARTS))},
        {"division": replace(DIVISION, parts=tuple(replace(part, start=part.start + 512) for part in PARTS))},
        {"division": replace(DIVISION, parts=tuple(replace(part, start_us=part.start_us + 1) for part in PARTS))},
        {"division": replace(DIVISION, parts=tuple(replace(part, after_s=part.after_s + 0.02) for part in PARTS))},
        {"division": replace(DIVISION, parts=tuple(replace(part, before_s=part.before_s + 0.02) for part in PARTS))},
    ],
    ids=str,
)
def test_each_thing_that_a_part_shows_changes_its_name(other: dict[str, Any]) -> None:
    assert not set(names()) & set(names(**other))
    assert names() == names()


def test_a_caption_changes_the_parts_in_which_it_shows() -> None:
    assert [one == other for one, other in zip(names(), names(text="Goodbye"), strict=True)] == [True, False]


def test_an_earlier_version_has_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    part, index = names(), division_key("f", "red", FACTS)
    monkeypatch.setattr(part_encoding, "_FORM", 1)
    monkeypatch.setattr(stored_parts, "_FORM", 1)
    assert not set(part) & set(names())
    assert index != division_key("f", "red", FACTS)


@pytest.mark.parametrize(
    "other",
    [
        ("g", "red", FACTS),
        ("f", "blue", FACTS),
        ("f", "red", replace(FACTS, duration_ms=20_001)),
        ("f", "red", replace(FACTS, container=Container.MATROSKA)),
        ("f", "red", replace(FACTS, video=replace(VIDEO, index=1))),
        ("f", "red", replace(FACTS, video=replace(VIDEO, time_base=(1, 25_600)))),
    ],
    ids=["file", "content", "length", "container", "stream", "unit of time"],
)
def test_each_thing_that_an_index_of_frames_depends_on_changes_its_key(other: tuple[str, str, MediaFacts]) -> None:
    assert division_key(*other) != division_key("f", "red", FACTS)


def test_another_reader_of_frames_makes_another_index(monkeypatch: pytest.MonkeyPatch) -> None:
    before = division_key("f", "red", FACTS)
    monkeypatch.setattr(stored_parts, "_reader", lambda: "av 0.1")
    assert division_key("f", "red", FACTS) != before


def test_each_thing_that_coded_sound_depends_on_changes_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    track = AudioFacts(1, "flac", 2, 48_000, None)
    facts = replace(FACTS, audio=track, sounds=(track, replace(track, index=2, channels=1)))
    for name in ("red", "blue"):
        (tmp_path / name).write_text(name)

    def key(content: str = "red", facts: MediaFacts = facts, form: ExportForm = ExportForm()) -> str:  # noqa: B008
        path = tmp_path / content
        return _sound_key(
            PartsWanted("f", "k", path, Content(path), facts, DIVISION, [], form, DEFAULT_STYLE, Encoder.X264)
        )

    monkeypatch.setattr(export_parts, "program_version", lambda: "ffmpeg 5")
    keys = [key(), key("blue"), key(form=ExportForm(FileForm.MKV)), key(form=ExportForm(sounds=(1,)))]
    keys.append(key(facts=replace(facts, sounds=(track, replace(track, index=2, channels=2)))))
    monkeypatch.setattr(export_parts, "program_version", lambda: "ffmpeg 6")
    keys.append(key())
    monkeypatch.setattr(export_parts, "_SOUND_FORM", 1)
    keys.append(key())
    assert len(set(keys)) == len(keys)


def test_facts_of_another_version_or_another_file_are_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "film"
    path.write_bytes(b"0" * FACTS.size_bytes)
    told = json.loads(json.dumps(FACTS.as_json()))
    assert MediaFacts.from_json(told, path) == FACTS
    assert MediaFacts.from_json({**told, "form": FACTS_FORM - 1}, path) is None
    assert MediaFacts.from_json({**told, "duration_ms": "odd"}, path) is None
    path.write_bytes(b"0" * (FACTS.size_bytes + 1))
    assert MediaFacts.from_json(told, path) is None


def test_a_list_of_sets_removes_nothing_but_parts_of_its_file(tmp_path: Path) -> None:
    """Whatever an earlier version, or somebody else, wrote into it."""
    storage = LocalStorage(tmp_path / "objects")
    folder = parts_folder("f")
    keys = [f"{folder}/old.mp4", f"{parts_folder('g')}/other.mp4", "uploads/1/original"]
    for key in keys:
        _put(storage, tmp_path, key, "x")
    _put(
        storage,
        tmp_path,
        f"{folder}/sets.json",
        json.dumps([["kept"], 5, {"a": 1}, *[[str(n)] for n in range(9)], keys]),
    )
    keep_sets(storage, "f", [f"{folder}/new.mp4"], tmp_path)
    assert [storage.exists(key) for key in keys] == [False, True, True]
    for odd in ("5", "{}", "null", "[", ""):
        _put(storage, tmp_path, f"{folder}/sets.json", odd)
        keep_sets(storage, "f", [f"{folder}/new.mp4"], tmp_path)


@pytest.mark.parametrize("stored", ["", "[]", "5", '{"value": 1}', "earlier", "other key"])
def test_an_index_that_is_not_what_its_key_says_is_made_again(tmp_path: Path, stored: str) -> None:
    storage = LocalStorage(tmp_path / "objects")
    key, other = division_key("f", "red", FACTS), division_key("f", "blue", FACTS)
    later = replace(DIVISION, clock_us=1)
    assert stored_division(storage, other, tmp_path, lambda: later) == later
    if stored == "earlier":
        stored = json.dumps([[1, 12_800], 0, [[0, 0, 0, 250, 0, 0.0, 9.98]]])
    elif stored == "other key":
        stored = b"".join(storage.read(other)).decode()
    _put(storage, tmp_path, key, stored)
    assert stored_division(storage, key, tmp_path, lambda: DIVISION) == DIVISION
    assert stored_division(storage, key, tmp_path, lambda: None) == DIVISION


def _put(storage: LocalStorage, folder: Path, key: str, text: str) -> None:
    (folder / "draft").write_text(text)
    storage.put(folder / "draft", key)


def test_fonts_of_the_machine_count_where_they_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after somebody installed one: the same text then shows no boxes any more."""
    rare = "\U0002a6d7"
    before = fonts_of(["Hello"]), fonts_of([rare])
    monkeypatch.setattr(glyphs, "installed_fonts", lambda: ["/usr/share/fonts/new.ttf 1000"])
    assert fonts_of(["Hello"]) == before[0]
    assert fonts_of([rare]) != before[1]
    monkeypatch.setattr(glyphs, "bundled_fonts", lambda: "those of another version")
    assert fonts_of(["Hello"]) != before[0]


def test_a_program_that_is_replaced_says_its_new_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an upgrade while a worker lives."""
    program = tmp_path / "ffmpeg"
    monkeypatch.setattr(ffmpeg, "find_ffmpeg", lambda: str(program))
    for version in ("5.1", "5.1.1"):
        program.write_text(f"#!/bin/sh\necho ffmpeg version {version}\n")
        program.chmod(0o755)
        assert ffmpeg.program_version() == f"ffmpeg version {version}"


def test_content_is_told_by_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "film"
    path.write_bytes(b"a" * 3_000_000)
    content = Content(path)
    content.check()
    same = tmp_path / "same"
    same.write_bytes(path.read_bytes())
    assert Content(same).digest == content.digest
    with path.open("r+b") as opened:
        opened.seek(1_500_000)
        opened.write(b"b")
    assert Content(path).digest != content.digest
    with pytest.raises(ContentChanged):
        content.check()
