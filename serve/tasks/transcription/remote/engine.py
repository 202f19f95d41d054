"""A speech model behind any endpoint in OpenAI's form: vLLM, SGLang, LocalAI, another Sagascript, a hosted service."""

from __future__ import annotations

import io
import wave
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import structlog

from serve.core.endpoint import REMOTE, EndpointClient
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused, WordTimes
from serve.tasks.transcription.audio import frame_levels, is_silent, samples
from serve.tasks.transcription.messages import (
    MAX_WINDOW_MS,
    REMOTE_ENGINE,
    SAMPLE_RATE,
    TRANSCRIPTION,
    AudioWindow,
    LanguageGuess,
    WindowResult,
)
from serve.tasks.transcription.remote.answer import RemoteText, UnreadableAnswer, read_answer
from serve.tasks.transcription.remote.sentences import FIRST_MODEL, NOTE, SENTENCES
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.tasks.transcription.sentences import UNDETECTED, UNSUPPORTED

if TYPE_CHECKING:
    from openai import APIStatusError

    from serve.tasks.transcription.engine import WindowOutcome

log = structlog.get_logger(__name__)

PROMPT_CHARS = 800
"""Whisper reads 224 tokens of a prompt at most, and cuts its beginning. Icelandic has about four characters a token."""
_PROBE_S = 1
_PROBE_WAIT_S = 10.0
"""An endpoint that takes longer is asked on while files come: its replica starts meanwhile."""


FORMS: tuple[Mapping[str, Any], ...] = (
    {"response_format": "verbose_json", "timestamp_granularities": ["word", "segment"]},
    {"response_format": "verbose_json"},
    {"response_format": "json"},
)
"""The fields that ask for each form of an answer, the one that says most first."""


def remote_info(endpoint: SpeechEndpoint, reason: str) -> EngineInfo:
    """What is known before anything was asked: word times and languages are seen in the answers."""
    return EngineInfo(
        task=TRANSCRIPTION,
        engine=REMOTE_ENGINE,
        model=endpoint.model or FIRST_MODEL,
        device=REMOTE,
        reason=reason,
        # OpenAI's form has none.
        word_probabilities=False,
        takes_vocabulary=True,
        takes_temperature=True,
        window_ms=MAX_WINDOW_MS,
        note=NOTE(host=endpoint.host),
    )


class RemoteSpeechEngine:
    """Sends each window over HTTP, and asks for words until the endpoint refuses that."""

    gains_from_batches = False
    has_deadline = True
    spare_workers = 0

    def __init__(self, endpoint: SpeechEndpoint, *, reason: str) -> None:
        """Asks the endpoint what it can do. One that does not answer yet is asked with the first window."""
        self.parallel = endpoint.requests
        self.info = remote_info(endpoint, reason)
        self._endpoint = EndpointClient(
            endpoint.url, endpoint.model, endpoint.key, timeout_s=endpoint.timeout_s, sentences=SENTENCES
        )
        self._threads = ThreadPoolExecutor(endpoint.requests, thread_name_prefix="speech-endpoint")
        self._form = 0
        with suppress(TimeoutError):
            self._threads.submit(self._probe).result(timeout=_PROBE_WAIT_S)

    def batch_key(self, window: AudioWindow) -> Hashable:
        return None

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        if len(batch) == 1:
            return [self._one(batch[0])]
        return list(self._threads.map(self._one, batch))

    def detect(self, window: AudioWindow) -> LanguageGuess:
        """The one language that the endpoint names, with probability 0. Raises EngineRefused where it names none."""
        language = self._text_of(window).language
        if not language:
            raise EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, UNDETECTED(model=self.info.model))
        return LanguageGuess(((language, 0.0),))

    def rest(self) -> None:
        """Nothing to free."""

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._endpoint.close()

    def _one(self, window: AudioWindow) -> WindowOutcome:
        try:
            text = self._text_of(window)
        except EngineRefused as refused:
            return refused
        return WindowResult(window.index, text.segments, text.language, 1.0 if window.options.language else 0.0)

    def _text_of(self, window: AudioWindow) -> RemoteText:
        levels = frame_levels(samples(window))
        if is_silent(levels):
            return RemoteText((), window.options.language or "", has_word_times=False)
        content = self._endpoint.guarded(lambda: self._send(window))
        try:
            text = read_answer(content, window, levels=levels)
        except UnreadableAnswer:
            raise EngineRefused(EngineProblem.MODEL_FAILED, SENTENCES.incompatible) from None
        self._learn(text, is_detected=window.options.language is None)
        return text

    def _send(self, window: AudioWindow) -> bytes:
        """The answer in the best form that the endpoint takes. A form is given up once a lesser one works."""
        from openai import BadRequestError, UnprocessableEntityError

        for form in range(self._form, len(FORMS)):
            try:
                return self._create(window, form)
            except (BadRequestError, UnprocessableEntityError) as wrong:
                if _is_about_language(wrong, window):
                    raise self._unsupported(window) from None
                if form == len(FORMS) - 1:
                    raise
                log.info("speech_endpoint.form_refused", form=form, status=wrong.status_code)
        raise AssertionError("The last form is answered or refused.")

    def _create(self, window: AudioWindow, form: int) -> bytes:
        fields = dict(FORMS[form])
        if window.options.language is not None:
            fields["language"] = window.options.language
        if window.options.temperature > 0:
            fields["temperature"] = window.options.temperature
        if prompt := prompt_of(window.options.terms):
            fields["prompt"] = prompt
        answer = self._endpoint.openai.audio.transcriptions.with_raw_response.create(
            file=("window.wav", wave_file(window.pcm), "audio/wav"), model=self._endpoint.chosen_model(), **fields
        )
        self._form = form
        return bytes(answer.content)

    def _unsupported(self, window: AudioWindow) -> EngineRefused:
        sentence = UNSUPPORTED(model=self._endpoint.model, language=window.options.language or "")
        return EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, sentence)

    def _learn(self, text: RemoteText, *, is_detected: bool) -> None:
        """Record what an answer shows about the endpoint."""
        self.info = replace(
            self.info,
            problem="",
            model=self._endpoint.model or self.info.model,
            word_times=WordTimes.NATIVE if text.has_word_times else self.info.word_times,
            detects_language=self.info.detects_language or (is_detected and bool(text.language)),
        )

    def _probe(self) -> None:
        """Transcribe a second of quiet noise, which costs the endpoint little."""
        import numpy as np

        noise = np.random.default_rng(0).normal(0.0, 200.0, _PROBE_S * SAMPLE_RATE).astype("<i2").tobytes()
        try:
            self._text_of(AudioWindow("probe", 0, 0, noise))
        except EngineRefused as refused:
            log.warning("speech_endpoint.unusable", sentence=refused.sentence)
            self.info = replace(self.info, problem=refused.sentence)


def prompt_of(terms: Sequence[str]) -> str:
    """As many of the terms as fit, the most important last: an endpoint cuts the beginning of a prompt."""
    chosen: list[str] = []
    free = PROMPT_CHARS
    for term in terms:
        free -= len(term) + 2
        if free < 0:
            break
        chosen.append(term)
    return ", ".join(reversed(chosen))


def wave_file(pcm: bytes) -> bytes:
    """Samples as a WAV file."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(pcm)
    return content.getvalue()


def _is_about_language(wrong: APIStatusError, window: AudioWindow) -> bool:
    """Whether the endpoint refuses the language of the window."""
    body = wrong.body if isinstance(wrong.body, dict) else {}
    said = f"{body.get('param') or ''} {body.get('message') or ''}".casefold()
    return window.options.language is not None and "language" in said
