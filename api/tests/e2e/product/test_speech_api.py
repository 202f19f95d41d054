"""The stock OpenAI client against a running installation: keys made on the page's API, real sound, real models."""

from __future__ import annotations

import json
import math
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import openai
import pytest
from pydantic import SecretStr

from api.testing.files.spoken_video import make_video, text_of
from api.tests.e2e.product.conftest import Owner
from cluster.testing.patience import PATIENCE_S
from pipelines.captions.reading.srt import parse_srt
from serve.core.messages import WordTimes
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.remote.engine import RemoteSpeechEngine
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.testing.speech import samples_of
from serve.testing.tiny_models.clips import clip_named, synthesise

NODE_CLIENT = Path(__file__).with_name("openai_client.mjs")
CLIPS = ["en1-rms", "en4-slt"]


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_video(tmp_path_factory.mktemp("speech") / "fundur.mp4", CLIPS)


EXPECTED = " ".join(text_of(clip) for clip in CLIPS)


def test_the_stock_client_gets_texts_captions_and_events(owner: Owner, video: Path) -> None:
    audio = owner.program.audio
    deadline = time.monotonic() + PATIENCE_S
    while len(names := [model.id for model in owner.program.models.list()]) < 2:
        assert time.monotonic() < deadline, "The model was never listed."
        time.sleep(0.2)
    assert names[0] == "whisper-1"

    said = audio.transcriptions.create(file=video, model=names[1], language="en", prompt="Bottles.", temperature=0)
    assert said.text == EXPECTED
    verbose = audio.transcriptions.create(
        file=video,
        model="whisper-1",
        response_format="verbose_json",
        timestamp_granularities=["word", "segment"],
    )
    assert (verbose.text, verbose.language) == (EXPECTED, "english")
    assert [word.word for word in verbose.words or ()] == EXPECTED.split()
    assert verbose.segments is not None
    assert verbose.segments[-1].end <= verbose.duration
    captions: Any = audio.transcriptions.create(file=video, model="whisper-1", response_format="srt")
    assert " ".join(line.text for line in parse_srt(captions)).split() == EXPECTED.split()

    probable = audio.transcriptions.create(file=video, model="whisper-1", include=["logprobs"])
    tokens = probable.logprobs or []
    assert "".join(each.token or "" for each in tokens) == probable.text == EXPECTED
    assert all(each.logprob is not None and each.logprob <= 0 for each in tokens)
    events = list(audio.transcriptions.create(file=video, model="whisper-1", stream=True))
    assert {event.type for event in events[:-1]} == {"transcript.text.delta"}
    last: Any = events[-1]
    assert (last.type, last.text) == ("transcript.text.done", EXPECTED)
    assert last.usage.seconds == math.ceil(verbose.duration)
    icelandic = make_video(video.with_name("góðan dag.mp4"), ["is1-m"])
    translated = audio.translations.create(file=icelandic, model="whisper-1", response_format="verbose_json")
    assert (translated.language, bool(translated.text)) == ("english", True)
    assert translated.text != text_of("is1-m")
    # The person sees no file, but what their program used.
    assert owner.data("/api/files") == []
    assert owner.data("/api/keys")[0]["seconds_used"] > 0


@pytest.mark.long
def test_the_stock_client_of_node_reads_every_answer(owner: Owner, video: Path) -> None:
    environment = {
        **os.environ,
        "OPENAI_API_KEY": owner.program.api_key,
        "OPENAI_BASE_URL": str(owner.program.base_url),
    }
    ended = subprocess.run(["node", NODE_CLIENT, video], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    read = json.loads(ended.stdout)
    assert read["models"][0] == "whisper-1"
    assert read["plain"]["text"] == read["verbose"]["text"] == EXPECTED
    assert read["text"].strip() == EXPECTED
    assert [word["word"] for word in read["verbose"]["words"]] == EXPECTED.split()
    assert " ".join(line.text for line in parse_srt(read["srt"])).split() == EXPECTED.split()
    assert read["vtt"].startswith("WEBVTT")
    assert "".join(each["token"] for each in read["logprobs"]["logprobs"]) == EXPECTED
    *deltas, last = read["events"]
    assert "".join(event["delta"] for event in deltas) == last["text"] == EXPECTED
    assert last["usage"]["seconds"] == math.ceil(read["verbose"]["duration"])
    assert (read["refusal"]["status"], read["refusal"]["name"]) == (400, "BadRequestError")
    assert "no language `klingon` here" in read["refusal"]["message"]


@pytest.mark.long
def test_another_installation_transcribes_by_it(owner: Owner, tmp_path: Path) -> None:
    endpoint = SpeechEndpoint(str(owner.program.base_url), "", SecretStr(owner.program.api_key))
    engine = RemoteSpeechEngine(endpoint, reason="Test.")
    pcm = samples_of(synthesise(clip_named("en1-rms"), tmp_path / "said.wav"))
    named, detected = engine.run(
        [
            AudioWindow("film", 0, 60_000, pcm, DecodeOptions(language="en")),
            AudioWindow("film", 1, 90_000, pcm),
        ]
    )
    assert isinstance(named, WindowResult)
    assert isinstance(detected, WindowResult)
    assert [segment.text for segment in named.segments] == [text_of("en1-rms")]
    assert (named.language, detected.language) == ("en", "en")
    times = [(word.start_ms, word.end_ms) for segment in named.segments for word in segment.words]
    assert times == sorted(times)
    assert 60_000 <= times[0][0] < times[-1][1] <= 60_000 + len(pcm) // 32
    assert engine.info.word_times is WordTimes.NATIVE
    assert engine.info.detects_language
    assert engine.info.model == "whisper-1"
    engine.close()


@pytest.mark.long
def test_what_the_stock_client_is_refused(owner: Owner, video: Path) -> None:
    transcriptions = owner.program.audio.transcriptions
    with pytest.raises(openai.NotFoundError) as unknown:
        transcriptions.create(file=video, model="none-such")
    assert (unknown.value.code, unknown.value.param) == ("model_not_found", "model")
    with pytest.raises(openai.BadRequestError, match="verbose_json"):
        transcriptions.create(file=video, model="whisper-1", timestamp_granularities=["word"])
    with pytest.raises(openai.BadRequestError, match=r"no language `klingon` here. Send one of .*`en`"):
        transcriptions.create(file=video, model="whisper-1", language="klingon")
    with pytest.raises(openai.BadRequestError, match="text file"):
        transcriptions.create(file=("notes.mp3", b"These are no sounds. " * 50), model="whisper-1")
    stranger = owner.program.with_options(api_key="sgk_unknown")
    with pytest.raises(openai.AuthenticationError) as refused:
        stranger.models.list()
    assert refused.value.code == "invalid_api_key"
