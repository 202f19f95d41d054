"""Quality profiles: those that come with the product, one's own and those of the active team."""

from __future__ import annotations

import uuid

from fastapi import APIRouter

from api.content.quality import queries, service
from api.content.quality.models import QualityProfileRow
from api.content.quality.schemas import NewProfile, ProfileIn, ProfileOut, ProfileScope, QualityRules, RuleTexts
from api.people.access.rules import offers_change
from api.people.auth.viewer import SignedIn, Viewer
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.pages.language import in_page_language
from api.platform.http.state import ReadSession, WriteSession
from pipelines.captions.quality.profile import built_in_profiles
from pipelines.captions.quality.profile_names import shown_profile_name
from pipelines.captions.quality.sentences import REASONS, SENTENCES, SEVERITIES, TITLES
from pipelines.captions.texts.function_words import LEANING, languages, leaning_in

router = APIRouter(prefix="/api/captions", tags=["quality"])


@router.get("/quality-rules", responses=error_responses(401))
async def get_rules(_viewer: SignedIn) -> Data[QualityRules]:
    """What a page needs to find the same as the server, and what it says about it."""
    texts = {
        language: RuleTexts(
            titles=dict(TITLES[language]),
            sentences=dict(SENTENCES[language]),
            reasons=dict(REASONS[language]),
            severities=dict(SEVERITIES[language]),
        )
        for language in SENTENCES
    }
    leaning = {code: sorted(leaning_in(code)) for code in languages()}
    return Data(data=QualityRules(texts=texts, leaning=leaning, leaning_anywhere=sorted(LEANING)))


@router.get("/profiles", responses=error_responses(401))
async def list_profiles(viewer: SignedIn, session: ReadSession) -> Data[list[ProfileOut]]:
    """First those that come with the product, then one's own and those of the active team, by name."""
    built_in = [
        ProfileOut(
            id=key,
            scope=ProfileScope.BUILT_IN,
            may_change=False,
            limits=limits.model_copy(update={"name": in_page_language(shown_profile_name(limits.name))}),
        )
        for key, limits in built_in_profiles().items()
    ]
    return Data(data=[*built_in, *(_out(viewer, row) for row in await queries.listed(session, viewer))])


@router.post("/profiles", status_code=201, responses=error_responses(401, 419, 422))
async def add_profile(body: NewProfile, viewer: SignedIn, session: WriteSession) -> Data[ProfileOut]:
    return Data(data=_out(viewer, await service.add(session, viewer, body)))


@router.put("/profiles/{profile_id}", responses=error_responses(401, 404, 419, 422))
async def change_profile(
    profile_id: uuid.UUID, body: ProfileIn, viewer: SignedIn, session: WriteSession
) -> Data[ProfileOut]:
    return Data(data=_out(viewer, await service.change(session, viewer, profile_id, body)))


@router.delete("/profiles/{profile_id}", status_code=204, responses=error_responses(401, 404, 419))
async def delete_profile(profile_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> None:
    """Captions that used it are judged by the profile of their language from then on."""
    await service.remove(session, viewer, profile_id)


def _out(viewer: Viewer, row: QualityProfileRow) -> ProfileOut:
    return ProfileOut(
        id=str(row.id),
        scope=ProfileScope.USER if row.team_id is None else ProfileScope.TEAM,
        may_change=offers_change(viewer, row),
        limits=queries.limits_of(row),
    )
