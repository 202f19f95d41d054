"""Captions drawn in parts: equal to one pass frame by frame, and after an edit only changed parts are made again."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.flows.export import flow as export
from pipelines.flows.export import stored_parts
from pipelines.flows.tasks import attempt_stream
from pipelines.media.export.encoders import Encoder, best_encoder, nvenc_works
from pipelines.media.export.frame_index import divide
from pipelines.media.export.part_seal import is_sealed, seal
from pipelines.media.probe import probe
from pipelines.messages.attempt import Progress
from pipelines.messages.export_form import ExportForm, ExportMode, PictureForm
from pipelines.messages.requests import EXPORT, ExportRequest
from pipelines.messages.results import parts_folder
from pipelines.testing.media.attempts import SOURCE_KEY, Attempted, result_of
from pipelines.testing.media.divided_film import SECONDS, frame_times, sound_digest

LEAST_SSIM = 0.99
CHANGED = 4
"""The line of this second lies inside one part."""


def srt(changed: str = "") -> str:
    rows = [changed if changed and second == CHANGED else f"Line {second}" for second in range(SECONDS)]
    return "".join(
        f"{number}\n00:00:0{number},100 --> 00:00:0{number},900\n{row}\n\n" for number, row in enumerate(rows)
    )


@pytest.fixture(autouse=True)
def short_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_a_second(path: Path, facts: Any) -> Any:
        return divide(path, facts, part_ms=1_000)

    monkeypatch.setattr(export, "divide", of_a_second)


def similarity(first: Path, second: Path) -> float:
    answer = subprocess.run(
        ["ffmpeg", "-nostdin", "-i", str(first), "-i", str(second), "-lavfi", "ssim", "-f", "null", "-"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return float(answer.stderr.rpartition("All:")[2].split()[0])


def stored(installation: LocalStorage) -> dict[str, int]:
    folder = installation.root / parts_folder("f")
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.mp4")} if folder.exists() else {}


@pytest.mark.parametrize(
    "name", ["film.mp4", *(pytest.param(each, marks=pytest.mark.long) for each in ("film.mkv", "varying.mp4"))]
)
def test_parts_equal_one_pass(
    film: Path,
    attempt: Attempted,
    installation: LocalStorage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    streamed = attempt("export", film / name, mode="burned", srt=srt())
    result = result_of(streamed)
    assert result["kept_parts"]
    assert len(stored(installation)) >= 4
    done = [value.done / value.total for value in streamed if isinstance(value, Progress)]
    assert done == sorted(done)
    in_parts = tmp_path / "parts.mp4"
    in_parts.write_bytes(installation.open_path(result["export_key"]).read_bytes())

    installation.delete_prefix(parts_folder("f"))
    monkeypatch.setattr(export, "divide", lambda *_: None)
    one_pass = installation.open_path(result_of(attempt("export", film / name, mode="burned", srt=srt()))["export_key"])
    assert frame_times(in_parts) == frame_times(one_pass) == frame_times(film / name)
    if name != "varying.mp4":
        assert sound_digest(in_parts) == sound_digest(one_pass)
    assert similarity(in_parts, one_pass) >= LEAST_SSIM


@pytest.mark.long
def test_an_edit_makes_only_its_part_again(film: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result_of(attempt("export", film / "film.mkv", mode="burned", srt=srt()))
    before = stored(installation)
    result_of(attempt("export", film / "film.mkv", fence=2, mode="burned", srt=srt("Another text")))
    after = stored(installation)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 1


@pytest.mark.long
def test_the_second_export_reads_neither_facts_nor_frames_again(
    film: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = json.loads(json.dumps(probe(film / "film.mkv").as_json()))
    first = result_of(attempt("export", film / "film.mkv", mode="burned", srt=srt(), facts={**facts, "size_bytes": 1}))
    times = frame_times(installation.open_path(first["export_key"]))

    def again(*_: object) -> None:
        raise AssertionError("the file was read again")

    monkeypatch.setattr(export, "probe", again)
    monkeypatch.setattr(export, "divide", again)
    second = result_of(attempt("export", film / "film.mkv", fence=2, mode="burned", srt=srt("Other"), facts=facts))
    assert frame_times(installation.open_path(second["export_key"])) == times


@pytest.mark.long
def test_parts_of_old_exports_go(
    film: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another size makes every part anew, so a file with many styles would fill the disk."""
    monkeypatch.setattr(stored_parts, "SETS_MAX", 2)
    counts = []
    for fence, side in enumerate((64, 72, 80), 1):
        form = ExportForm(picture=PictureForm(short_side=side))
        assert result_of(attempt("export", film / "varying.mp4", fence=fence, mode="burned", srt=srt(), form=form))
        counts.append(len(stored(installation)))
    assert counts == [counts[0] * number for number in (1, 2, 2)]


@pytest.mark.long
def test_a_part_that_is_gone_is_made_again(film: Path, attempt: Attempted, installation: LocalStorage) -> None:
    whole = result_of(attempt("export", film / "film.mkv", mode="burned", srt=srt()))["export_key"]
    first = frame_times(installation.open_path(whole))
    names = sorted(stored(installation))
    installation.delete(f"{parts_folder('f')}/{names[0]}")
    second = result_of(attempt("export", film / "film.mkv", fence=2, mode="burned", srt=srt()))["export_key"]
    assert frame_times(installation.open_path(second)) == first
    assert sorted(stored(installation)) == names


@pytest.mark.long
def test_what_a_lost_attempt_stored_is_used_again(film: Path, attempt: Attempted, installation: LocalStorage) -> None:
    """As when the node or the dispatcher goes away in the middle."""
    copy = installation.root.parent / "lost"
    copy.write_bytes((film / "film.mkv").read_bytes())
    installation.put(copy, SOURCE_KEY)
    request = ExportRequest(file_id="f", source_key=SOURCE_KEY, mode=ExportMode.BURNED, srt=srt())
    with closing(attempt_stream(EXPORT, request, "job", 1)) as streamed:
        for _ in streamed:
            if len(stored(installation)) >= 2:
                break
    before = stored(installation)
    assert len(before) >= 2
    result_of(attempt("export", film / "film.mkv", fence=2, mode="burned", srt=srt()))
    after = stored(installation)
    assert {name: after[name] for name in before} == before


def pictures(installation: LocalStorage) -> list[Path]:
    """The stored parts but for the sound, the largest first."""
    folder = installation.root / parts_folder("f")
    found = []
    for path in folder.glob("*.mp4"):
        with av.open(str(path)) as opened:
            found += [path] if opened.streams.video else []
    return sorted(found, key=lambda path: path.stat().st_size, reverse=True)


@pytest.mark.long
def test_parts_that_are_not_what_their_key_says_are_made_again(
    film: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    """Empty, cut off, those of another part, without a seal as of earlier versions, and one with a changed byte."""
    whole = result_of(attempt("export", film / "film.mkv", mode="burned", srt=srt()))["export_key"]
    first = installation.root.parent / "first.mp4"
    first.write_bytes(installation.open_path(whole).read_bytes())
    sealed = {path: path.read_bytes() for path in pictures(installation)}
    empty, cut, swapped, unsealed, changed, *_ = sealed
    empty.write_bytes(b"")
    cut.write_bytes(sealed[cut][: len(sealed[cut]) // 2])
    swapped.write_bytes(sealed[empty])
    unsealed.write_bytes(sealed[unsealed][:-96])
    changed.write_bytes(sealed[changed][:-200] + b"x" + sealed[changed][-199:])
    index = next((installation.root / parts_folder("f")).glob("????????????????????????????????????????.json"))
    index.write_text(index.read_text().replace("[[1, 1000]", "[[1, 2000]").replace("24", "25"))
    result = result_of(attempt("export", film / "film.mkv", fence=2, mode="burned", srt=srt()))
    assert result["kept_parts"]
    second = installation.open_path(result["export_key"])
    assert frame_times(second) == frame_times(first)
    assert similarity(second, first) >= LEAST_SSIM
    assert {path.stem for path in sealed} == {path.stem for path in pictures(installation)}
    assert all(is_sealed(path, path.stem) for path in sealed)


@pytest.mark.long
def test_parts_of_other_frames_end_in_one_pass(film: Path, attempt: Attempted, installation: LocalStorage) -> None:
    """As after another encoder, or a damaged original."""
    result_of(attempt("export", film / "film.mkv", mode="burned", srt=srt()))
    for path in pictures(installation):
        path.write_bytes((film / "varying.mp4").read_bytes())
        seal(path, path.stem)
    result = result_of(attempt("export", film / "film.mkv", fence=2, mode="burned", srt=srt()))
    assert not result["kept_parts"]
    assert frame_times(installation.open_path(result["export_key"])) == frame_times(film / "film.mkv")


@pytest.mark.long
@pytest.mark.skipif(nvenc_works(), reason="this machine has an encoder that works")
@pytest.mark.parametrize("is_divided", [True, False])
def test_x264_takes_over_from_a_graphics_card_that_fails(
    film: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch, is_divided: bool
) -> None:
    assert best_encoder() is Encoder.X264
    monkeypatch.setattr(export, "best_encoder", lambda: Encoder.NVENC)
    if not is_divided:
        monkeypatch.setattr(export, "divide", lambda *_: None)
    result = result_of(attempt("export", film / "film.mkv", mode="burned", srt=srt()))
    assert (result["notice"], result["kept_parts"]) == (export.GPU_FAILED.as_json(), is_divided)
    assert frame_times(installation.open_path(result["export_key"])) == frame_times(film / "film.mkv")
