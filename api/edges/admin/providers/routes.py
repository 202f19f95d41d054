"""Identity providers, for administrators."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from api.edges.admin.providers import service
from api.edges.admin.providers.schemas import IssuerIn, IssuerOut, ProviderIn, ProviderOut, ProvisioningTokenOut
from api.people.access.rules import AdminOnly, require_admin
from api.people.auth.step_up import StepUp
from api.people.providers.provider import Provider
from api.people.single_sign_on.metadata import ProviderMetadata
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/admin/providers", tags=["admin"], dependencies=[Depends(require_admin)])


@router.get("", responses=error_responses(401, 403))
async def list_identity_providers(state: State, session: ReadSession) -> Data[list[ProviderOut]]:
    return Data(data=await service.describe_all(session, state.settings))


@router.post("", status_code=201, responses=error_responses(401, 403, 409, 419, 422))
async def add_provider(body: ProviderIn, admin: AdminOnly, state: State, session: WriteSession) -> Data[ProviderOut]:
    await service.add(session, state.settings, admin, body)
    return Data(data=await service.describe_one(session, state.settings, body.provider.slug))


@router.post("/check", responses=error_responses(401, 403, 419, 422, 503))
async def check_issuer(body: IssuerIn, _admin: AdminOnly) -> Data[IssuerOut]:
    """Read what a provider publishes, before anybody depends on it."""
    provider = Provider(slug="check", name=body.issuer[:60], issuer=body.issuer, client_id="-")
    found = await ProviderMetadata().of(provider)
    return Data(
        data=IssuerOut(
            issuer=found.issuer,
            algorithms=sorted(found.algorithms),
            names_issuer=found.names_issuer,
            ends_session=found.end_session_endpoint is not None,
            has_userinfo=found.userinfo_endpoint is not None,
        )
    )


@router.put("/{slug}", responses=error_responses(401, 403, 404, 409, 419, 422))
async def change_provider(
    slug: str, body: ProviderIn, admin: AdminOnly, state: State, session: WriteSession
) -> Data[ProviderOut]:
    await service.change(session, state.settings, admin, slug, body)
    await session.flush()
    return Data(data=await service.describe_one(session, state.settings, slug))


@router.post(
    "/{slug}/provisioning-token",
    status_code=201,
    dependencies=[StepUp],
    responses=error_responses(401, 403, 404, 409, 419, 422),
)
async def make_provisioning_token(
    slug: str, admin: AdminOnly, state: State, session: WriteSession, response: Response
) -> Data[ProvisioningTokenOut]:
    """A token for the provider's SCIM calls. Only this answer holds it; the one from before is worth nothing."""
    response.headers["Cache-Control"] = "no-store"
    token = await service.start_provisioning(session, state.settings, admin, slug)
    return Data(data=ProvisioningTokenOut(token=token))


@router.delete("/{slug}/provisioning-token", status_code=204, responses=error_responses(401, 403, 404, 419))
async def end_provisioning(slug: str, admin: AdminOnly, state: State, session: WriteSession) -> None:
    """The provider keeps nobody up to date any more. Whom it added stays."""
    await service.end_provisioning(session, state.settings, admin, slug)


@router.delete("/{slug}", status_code=204, responses=error_responses(401, 403, 404, 409, 419))
async def remove_provider(slug: str, admin: AdminOnly, state: State, session: WriteSession) -> None:
    await service.remove(session, state.settings, admin, slug)
