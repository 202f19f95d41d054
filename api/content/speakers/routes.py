"""Who speaks in a file: detect, read, name, merge and reassign."""

from __future__ import annotations

from fastapi import APIRouter

from api.content.speakers import detection, service
from api.content.speakers.schemas import Detection, NewSpeaker, Reassignment, SpeakerChange, SpeakerMerge, SpeakersOut
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.jobs.dependency import Types

router = APIRouter(prefix="/api/files/speakers", tags=["speakers"])


@router.get("/{key}", responses=error_responses(401, 404))
async def get_speakers(key: str, viewer: SignedIn, session: ReadSession) -> Data[SpeakersOut]:
    return Data(data=await service.read(session, viewer, key))


@router.post("/{key}", status_code=202, responses=error_responses(401, 402, 404, 409, 419, 422))
async def detect_speakers(key: str, body: Detection, viewer: SignedIn, session: WriteSession) -> Data[SpeakersOut]:
    """Detect who speaks. Names that people gave stay; one undo restores what was there before."""
    file = await detection.detect(session, viewer, key, body.speakers)
    return Data(data=await service.describe(session, viewer, file))


@router.post("/{key}/cancel", responses=error_responses(401, 404, 409, 419))
async def cancel_detection(key: str, viewer: SignedIn, session: WriteSession, types: Types) -> Data[SpeakersOut]:
    file = await detection.cancel(session, types, viewer, key)
    return Data(data=await service.describe(session, viewer, file))


@router.post("/{key}/lines", responses=error_responses(401, 404, 409, 419, 422, 429))
async def assign_lines(key: str, body: Reassignment, viewer: SignedIn, state: State) -> Data[SpeakersOut]:
    """Say who speaks these lines. With the speaker `new` they get one of their own."""
    await service.assign(state.database, viewer, key, body)
    async with state.database.read() as session:
        return Data(data=await service.read(session, viewer, key))


@router.post("/{key}/new", responses=error_responses(401, 404, 409, 419, 422))
async def add_speaker(key: str, body: NewSpeaker, viewer: SignedIn, session: WriteSession) -> Data[SpeakersOut]:
    """Add a speaker without lines. 409 with the code `same_name` names the speaker who has the name already."""
    return Data(data=await service.describe(session, viewer, await service.add(session, viewer, key, body)))


@router.put("/{key}/{label}", responses=error_responses(401, 404, 409, 419, 422))
async def change_speaker(
    key: str, label: str, body: SpeakerChange, viewer: SignedIn, session: WriteSession
) -> Data[SpeakersOut]:
    """Rename or recolour. 409 with the code `same_name` names the speaker who has the name, to merge with."""
    return Data(data=await service.describe(session, viewer, await service.change(session, viewer, key, label, body)))


@router.post("/{key}/{label}/voice/dismiss", responses=error_responses(401, 404, 409, 419))
async def dismiss_voice(key: str, label: str, viewer: SignedIn, session: WriteSession) -> Data[SpeakersOut]:
    """Say that a speaker is not who it sounds like. Nobody is suggested for it until the next detection."""
    file = await service.dismiss_voice(session, viewer, key, label)
    return Data(data=await service.describe(session, viewer, file))


@router.post("/{key}/{label}/merge", responses=error_responses(401, 404, 409, 419, 422, 429))
async def merge_speaker(key: str, label: str, body: SpeakerMerge, viewer: SignedIn, state: State) -> Data[SpeakersOut]:
    await service.merge(state.database, viewer, key, label, body.into)
    async with state.database.read() as session:
        return Data(data=await service.read(session, viewer, key))
