"""Captions of a live recording as a stream's subtitles: a playlist that grows, and segments that never change."""

from __future__ import annotations

import asyncio
import re
import subprocess
from functools import partial
from pathlib import Path

import pytest

from api.content.live.hls import LISTED, SEGMENT_MS
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.live import LiveFlow, LivePage, silence_chunk, words_chunk


async def opened(browser: Browser) -> tuple[LivePage, str]:
    page = await LivePage.begin(browser)
    answer = await browser.put(f"/api/live/{page.slug}/link", json={"is_open": True})
    return page, f"/api{answer.json()['data']['watch_path']}"


def listed(playlist: str) -> list[str]:
    return [line for line in playlist.splitlines() if not line.startswith("#")]


async def test_the_playlist_grows_by_what_has_been_read_and_ends_with_the_recording(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    page, url = await opened(ada)
    assert listed((await visitor.get(f"{url}/captions.m3u8")).text) == []
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(silence_chunk(0, 0, SEGMENT_MS - 1))
    assert listed((await visitor.get(f"{url}/captions.m3u8")).text) == []
    await flow.hand_over(silence_chunk(1, SEGMENT_MS - 1, SEGMENT_MS))
    answer = await visitor.get(f"{url}/captions.m3u8")
    assert answer.headers["content-type"].startswith("application/vnd.apple.mpegurl")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert listed(answer.text) == ["hls/0.vtt"]
    assert "#EXT-X-ENDLIST" not in answer.text
    await flow.hand_over(silence_chunk(2, SEGMENT_MS, (LISTED + 5) * SEGMENT_MS))
    long = (await visitor.get(f"{url}/captions.m3u8")).text
    assert (len(listed(long)), listed(long)[0]) == (LISTED, "hls/5.vtt")
    assert "#EXT-X-MEDIA-SEQUENCE:5\n" in long
    for number in range(15):
        await page.sent(number)
    await page.end()
    await flow.finish(7_500)
    over = (await visitor.get(f"{url}/captions.m3u8")).text
    assert listed(over) == ["hls/0.vtt", "hls/1.vtt"]
    assert over.endswith("#EXT-X-ENDLIST\n")


@pytest.mark.long
async def test_each_word_is_in_the_one_segment_in_which_it_ends(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    page, url = await opened(ada)
    flow = await LiveFlow.begin(state, page.slug)
    said = [f"word{number}" for number in range(60)]
    for index in range(20):
        # A word every 400 ms: five segments of words, in groups of three.
        await flow.hand_over(words_chunk(index, " ".join(said[index * 3 : index * 3 + 3]), index * 1_200))
    await flow.hand_over(silence_chunk(0, 24_000, 5 * SEGMENT_MS))
    answers = [await visitor.get(f"{url}/hls/{number}.vtt") for number in range(5)]
    found = [re.findall(r"word\d+", answer.text) for answer in answers]
    assert [word for words in found for word in words] == said
    assert all(found[:4])
    for number, answer in enumerate(answers):
        assert answer.text.startswith("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n")
        assert "immutable" in answer.headers["cache-control"]
        times = re.findall(r"(\d+):(\d+):(\d+)\.(\d+) -->", answer.text)
        starts = [int(h) * 3_600_000 + int(m) * 60_000 + int(s) * 1000 + int(ms) for h, m, s, ms in times]
        assert all((number - 1) * SEGMENT_MS < start <= (number + 1) * SEGMENT_MS for start in starts)
    again = await visitor.get(f"{url}/hls/0.vtt")
    assert again.content == answers[0].content
    moved = (await visitor.get(f"{url}/captions.m3u8?mpegts=900000")).text
    assert listed(moved)[0] == "hls/0.vtt?mpegts=900000"
    assert "MPEGTS:900000" in (await visitor.get(f"{url}/hls/0.vtt?mpegts=900000")).text


async def test_a_part_is_named_once_no_word_of_it_can_come_any_more(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    page, url = await opened(ada)
    flow = await LiveFlow.begin(state, page.slug)

    async def parts() -> list[str]:
        return [
            (await visitor.get(f"{url}/{name}")).text
            for name in listed((await visitor.get(f"{url}/captions.m3u8")).text)
        ]

    # However long a model takes: its words are in the part in which they were said.
    await flow.hand_over(words_chunk(0, "good morning", 2_000))
    assert await parts() == []
    await flow.hand_over(words_chunk(1, "everybody", 5_000))
    assert await parts() == []
    await flow.hand_over(words_chunk(2, "welcome", 6_000))
    (first,) = await parts()
    assert re.findall(r"good|morning|everybody|welcome", first) == ["good", "morning", "everybody"]


async def test_a_part_that_is_not_there_yet_and_nonsense_are_refused(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    page, url = await opened(ada)
    flow = await LiveFlow.begin(state, page.slug)
    await flow.hand_over(silence_chunk(0, 0, SEGMENT_MS))
    early = await visitor.get(f"{url}/hls/1.vtt")
    assert (early.status_code, "not there yet" in early.json()["message"]) == (404, True)
    for path in ("hls/-1.vtt", "hls/x.vtt", "hls/0.vtt?mpegts=-1", f"captions.m3u8?mpegts={2**33}"):
        assert (await visitor.get(f"{url}/{path}")).status_code == 422, path
    await ada.put(f"/api/live/{page.slug}/link", json={"is_open": False})
    for path in ("hls/0.vtt", "captions.m3u8"):
        assert (await visitor.get(f"{url}/{path}")).status_code == 404


@pytest.mark.long
async def test_ffmpeg_reads_the_whole_as_subtitles(
    ada: Browser, visitor: Browser, state: AppState, tmp_path: Path
) -> None:
    page, url = await opened(ada)
    flow = await LiveFlow.begin(state, page.slug)
    for number in range(24):
        await page.sent(number)
    for index, text in enumerate(("good morning everybody", "and welcome back")):
        await flow.hand_over(words_chunk(index, text, index * SEGMENT_MS))
    await page.end()
    await flow.finish(12_000)
    playlist = (await visitor.get(f"{url}/captions.m3u8")).text
    (tmp_path / "hls").mkdir()
    (tmp_path / "captions.m3u8").write_text(playlist)
    for name in listed(playlist):
        (tmp_path / name).write_bytes((await visitor.get(f"{url}/{name}")).content)
    command = ["ffmpeg", "-loglevel", "error", "-allowed_extensions", "ALL", "-i", "captions.m3u8", "-f", "srt", "-"]
    run = partial(subprocess.run, command, cwd=tmp_path, capture_output=True, text=True, check=True)
    srt = (await asyncio.to_thread(run)).stdout.lower()
    assert "good morning everybody" in srt
    assert "and welcome back" in srt
    assert "00:00:06" in srt
