"""The flow of kind `speakers`: who speaks when, by the channels of the recording or by the `Diarizer` deployment."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from heapq import nlargest

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from cluster.wording.message import Message, Wording
from pipelines.captions.timestamps import clock
from pipelines.flows.speakers.pieces import DiarizedPiece, SpeakerClient, finished_pieces, windows_of
from pipelines.flows.speakers.references import reference_voices
from pipelines.flows.transcribe.windows import refused
from pipelines.media.sound.channel_levels import read_levels
from pipelines.media.sound.pcm import NotTranscribable, PcmFile
from pipelines.media.sound.voice import voice_probabilities
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.speakers import SpeakersRequest, SpeakersResult, SpeakerVoice, Turn
from pipelines.speakers.channels import channel_timeline
from pipelines.speakers.people import people_of
from pipelines.speakers.timeline import Timeline, timeline
from pipelines.speakers.turns import Turns, overlaps_of, samples_of, turns_of
from pipelines.speakers.voices import KnownVoice, known_voices, voices_of
from serve.core.messages import EngineInfo, EngineRefused

STAGE = "speakers"
PHASE = "speakers"
GPU_IN_FLIGHT = 16
CPU_IN_FLIGHT = 4

NO_AUDIO = Message(
    "pipelines.flows.no_audio",
    "The sound of this file is gone from storage. Upload the file again to detect its speakers.",
)
NO_MODEL = Message(
    "pipelines.flows.no_model", "No speaker model runs here any more. Ask an administrator to install one."
)
NO_SPEECH = Message("pipelines.flows.no_speech", "Nobody speaks in this file.")
BY_CHANNEL = Message("pipelines.flows.by_channel", "Each channel of this recording counts as one speaker.")
FEWER = Wording("pipelines.flows.fewer", "Only {found} of {wanted} speakers could be told apart.")
OVERLAPS = Wording("pipelines.flows.overlaps", "People speak at once at {times}. Check who says what there.")
MANY_OVERLAPS = Wording(
    "pipelines.flows.many_overlaps",
    "People speak at once in {count} {count:place|places}, longest at {times}. Check who says what there.",
)
OVERLAPS_IN_NOTE = 5
ONLY_CHANNELS = Wording(
    "pipelines.flows.only_channels",
    "{wanted} speakers were expected. Without a speaker model, each of the {found} channels counts as one.",
)

CHANNELS = EngineInfo(
    "diarization",
    "channels",
    "channels",
    "cpu",
    Message("pipelines.flows.speakers_by_channel", "Each speaker of this recording has a channel."),
)


def run(request: SpeakersRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Detect the speakers of a file whose sound ingest stored."""
    storage = open_storage(get_cluster_settings())
    yield from detect(request, attempt, storage=storage, connect=_connect)


def detect(
    request: SpeakersRequest,
    attempt: Attempt,
    *,
    storage: Storage,
    connect: Callable[[], SpeakerClient | str],
) -> Generator[Progress | Chunk | Result]:
    """Yield a `Chunk` for each piece as it finishes, progress in audio time, then the turns.

    `connect` returns the client of the speaker model, or a sentence that says why there is none. It is not called for a
    recording with one speaker on each channel, unless another number of speakers is wanted. Raises only `StageFailed`.
    """
    yield Progress(PHASE, 0, request.duration_ms, "audio_ms")
    try:
        by_channel = _by_channel(request, attempt, storage)
        if by_channel is not None and request.speakers in (None, _count(by_channel)):
            yield Result(by_channel)
            return
        client = connect()
        if isinstance(client, str):
            if by_channel is None:
                raise StageFailed(STAGE, client, retryable=False)
            note = ONLY_CHANNELS(wanted=str(request.speakers), found=_count(by_channel))
            yield Result(by_channel.model_copy(update={"notes": (note,)}))
            return
        with closing(client), storage.local_copy(request.audio_key, attempt.work) as path, PcmFile(path) as audio:
            references = reference_voices(request.references, attempt, storage, client)
            yield from _by_voice(request, attempt, audio, client, references)
    except EngineRefused as error:
        raise refused(STAGE, error) from error
    except (FileNotFoundError, NotTranscribable) as error:
        raise StageFailed(STAGE, NO_AUDIO, retryable=False) from error


def _by_channel(request: SpeakersRequest, attempt: Attempt, storage: Storage) -> SpeakersResult | None:
    """The turns of a recording with one speaker on each channel; None for every other."""
    if request.channels_key is None:
        return None
    with storage.local_copy(request.channels_key, attempt.work) as path:
        try:
            levels = read_levels(path)
        except ValueError as error:
            raise StageFailed(STAGE, NO_AUDIO, retryable=False) from error
    with storage.local_copy(request.audio_key, attempt.work) as path, PcmFile(path) as audio:
        spoken = channel_timeline(levels, voice_probabilities(audio))
    return _result(CHANNELS, spoken, turns_of(spoken), notes=(BY_CHANNEL,))


def _by_voice(
    request: SpeakersRequest,
    attempt: Attempt,
    audio: PcmFile,
    client: SpeakerClient,
    references: Sequence[KnownVoice],
) -> Generator[Progress | Chunk | Result]:
    info = client.describe()
    total_ms, done_ms = audio.duration_ms, 0
    pieces: list[DiarizedPiece] = []
    in_flight = GPU_IN_FLIGHT if info.device.startswith("cuda") else CPU_IN_FLIGHT
    finished = finished_pieces(audio, attempt, client, info, in_flight=in_flight)
    with closing(finished):
        for done in finished:
            if done is not None:
                done_ms += done.covered_ms
                pieces.append(done.piece)
                if done.is_new:
                    yield Chunk(done.key, done.piece)
            # Yield even when nothing finished: the reader can stop this attempt only between two values.
            yield Progress(PHASE, min(done_ms, total_ms), total_ms, "audio_ms")
    yield Progress(PHASE, total_ms, total_ms, "audio_ms")
    windows = windows_of(pieces)
    likeness = pieces[0].likeness if pieces else 1.0
    people = people_of(windows, likeness=likeness, count=request.speakers)
    spoken = timeline(windows, people, total_ms)
    turns = turns_of(spoken)
    result = _result(info, spoken, turns)
    if request.keeps_voices or request.references:
        voices = voices_of(windows, people, turns.persons, model=f"{info.engine} {info.model}")
        names = _names(voices, references, likeness)
        result = result.model_copy(update={"voices": voices if request.keeps_voices else (), "names": names})
    if request.speakers is not None and 0 < _count(result) < request.speakers:
        note = FEWER(found=_count(result), wanted=request.speakers)
        result = result.model_copy(update={"notes": (*result.notes, note)})
    yield Result(result)


def _names(voices: Sequence[SpeakerVoice], references: Sequence[KnownVoice], likeness: float) -> dict[str, str]:
    """Who says that these people speak need not be as careful as whoever knows many."""
    own = {voice.speaker: (b64decode(voice.embedding), voice.spoken_ms) for voice in voices}
    found = known_voices(own, references, likeness=likeness, margin=0.0, enough_ms=0)
    return {label: alike.name for label, alike in found.items()}


def _result(info: EngineInfo, spoken: Timeline, turns: Turns, notes: tuple[str, ...] = ()) -> SpeakersResult:
    return SpeakersResult(
        engine=info,
        turns=turns.each,
        samples=samples_of(turns, spoken),
        notes=(*notes, *_overlap_notes(turns.each)) if turns.each else (NO_SPEECH,),
    )


def _overlap_notes(turns: Sequence[Turn]) -> tuple[Message, ...]:
    """A caption line has one speaker, so a person should look where two speak."""
    overlaps = overlaps_of(turns)
    longest = sorted(nlargest(OVERLAPS_IN_NOTE, overlaps, key=lambda span: span[1] - span[0]))
    times = ", ".join(clock(start) for start, _ in longest)
    if len(overlaps) > OVERLAPS_IN_NOTE:
        return (MANY_OVERLAPS(count=len(overlaps), times=times),)
    return (OVERLAPS(times=times),) if overlaps else ()


def _count(result: SpeakersResult) -> int:
    return len({turn.speaker for turn in result.turns})


def _connect() -> SpeakerClient | str:
    # Imported here because they import Ray, which callers of `detect` with another client do not need.
    from ray.exceptions import RayError

    from serve.core.capability_store import published
    from serve.core.client import ModelClient
    from serve.tasks.diarization.task import DIARIZATION_TASK

    try:
        capability = published("diarization")
    except RayError:
        # Nothing has been published yet: the client waits for the model.
        return ModelClient(DIARIZATION_TASK, in_flight=GPU_IN_FLIGHT)
    return ModelClient(DIARIZATION_TASK, in_flight=GPU_IN_FLIGHT) if capability.may_work else NO_MODEL
