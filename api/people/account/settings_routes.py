"""The settings page: profile, address, password, devices, deletion."""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request, Response, UploadFile
from fastapi.responses import FileResponse

from api.people.access.belongings import SharedBelongings
from api.people.account import devices, passwords, profile
from api.people.account.deletion import delete_account, restore_until
from api.people.account.limits import (
    PICTURE,
    PROFILE,
    SIGN_OUT,
    VERIFY_MAIL,
    VERIFY_MAILS,
)
from api.people.account.locales import Locale
from api.people.account.proof import require_proof
from api.people.account.schemas import DeletedOut, Deletion, DeviceOut, EmailChange, PasswordChange, SignedOut
from api.people.account.second_factor_routes import PasswordProof, RecoveryCodesOut
from api.people.auth import service
from api.people.auth.address import client_network
from api.people.auth.attempts import SharedAttempts
from api.people.auth.cookies import clear_session_cookies, set_session_cookies
from api.people.auth.emails import login_email
from api.people.auth.passwords import hash_password
from api.people.auth.schemas import PersonName
from api.people.auth.viewer import Registered, SignedIn
from api.people.users import queries
from api.people.users.models import User
from api.people.users.schemas import UserOut
from api.platform.http.envelope import Data
from api.platform.http.errors import Invalid, TooLarge, error_responses
from api.platform.http.limits import PICTURE_BYTES_MAX
from api.platform.http.state import ReadSession, State, WriteSession
from api.platform.http.stored import LASTING, OBJECT_RESPONSES, send_object
from api.platform.jobs.dependency import Types
from cluster.wording.message import Wording

NOT_TYPED = Wording(
    "account.not_typed", "Type your email address, {email}, to confirm that you want to delete your account."
)

router = APIRouter(prefix="/api", tags=["account"])


@router.post("/user/settings", responses=error_responses(401, 413, 422, 429))
async def change_profile(
    viewer: Registered,
    state: State,
    attempts: SharedAttempts,
    method: Annotated[Literal["PUT"], Form(alias="_method")],
    name: Annotated[PersonName, Form()],
    img: UploadFile | None = None,
    locale: Annotated[Locale | None, Form()] = None,
    remove_img: Annotated[bool, Form()] = False,
) -> Data[UserOut]:
    """Change name, picture and language of mails. Forms cannot send PUT, so `_method` says it."""
    await attempts.add(state.database, (PROFILE, str(viewer.user_id)))
    key = None
    if img is not None and img.size != 0:
        raw = await img.read(PICTURE_BYTES_MAX + 1)
        if len(raw) > PICTURE_BYTES_MAX:
            raise TooLarge(PICTURE_BYTES_MAX)
        await attempts.add(state.database, (PICTURE, str(viewer.user_id)))
        key = await profile.store_picture(state, viewer.user_id, raw)
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id)
        user.name = name
        user.locale = locale or user.locale
        if key is not None or remove_img:
            profile.set_picture(session, user, key)
        await session.flush()
        return Data(data=await queries.describe(session, user, state.settings))


@router.put("/user/settings", responses=error_responses(401, 422, 429))
async def change_password(
    body: PasswordChange,
    viewer: Registered,
    request: Request,
    response: Response,
    state: State,
    belongings: SharedBelongings,
    attempts: SharedAttempts,
) -> Data[UserOut]:
    """Change the password. Every other browser is signed out, and this one gets a new cookie."""
    user = await require_proof(state, attempts, viewer, body.password_old, field="password_old")
    service.check_password(body, name=user.name, email=user.email)
    password_hash = await hash_password(body.password)
    async with state.database.write() as session:
        token = await passwords.change(session, belongings, viewer, password_hash, network=client_network(request))
        answer = await queries.describe(session, await session.get_one(User, viewer.user_id), state.settings)
    set_session_cookies(response, state.settings, token=token, authenticated=True)
    return Data(data=answer)


@router.delete("/user/password", responses=error_responses(401, 409, 419, 422, 429))
async def remove_password(
    body: PasswordProof, viewer: Registered, request: Request, state: State, attempts: SharedAttempts
) -> Data[RecoveryCodesOut]:
    """Sign in with passkeys alone from now on. The answer holds recovery codes, which nobody sees again.

    It holds none where there is an authenticator app, whose codes stay.
    """
    await require_proof(state, attempts, viewer, body.password, field="password")
    async with state.database.write() as session:
        codes = await passwords.remove(session, viewer, network=client_network(request))
    return Data(data=RecoveryCodesOut(codes=codes))


@router.put("/user/email", responses=error_responses(401, 422, 429))
async def change_email(
    body: EmailChange, viewer: Registered, request: Request, state: State, attempts: SharedAttempts
) -> Data[UserOut]:
    """Use another address once the link that we send there is opened; the old one gets a notice."""
    await require_proof(state, attempts, viewer, body.password, field="password")
    await attempts.add(state.database, (VERIFY_MAILS, str(viewer.user_id)))
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id)
        await profile.change_email(session, state.settings, user, body.email, network=client_network(request))
        answer = await queries.describe(session, user, state.settings)
    await attempts.restart(state.database, VERIFY_MAIL, str(viewer.user_id))
    return Data(data=answer)


@router.delete("/user/email", responses=error_responses(401))
async def keep_email(viewer: Registered, state: State, session: WriteSession) -> Data[UserOut]:
    """Keep the address, and forget the new one that waits to be confirmed."""
    user = await session.get_one(User, viewer.user_id)
    user.pending_email = None
    await session.flush()
    return Data(data=await queries.describe(session, user, state.settings))


@router.get("/user/sessions", responses=error_responses(401))
async def list_devices(viewer: Registered, session: ReadSession) -> Data[list[DeviceOut]]:
    return Data(data=await devices.devices_of(session, viewer))


@router.delete("/user/sessions/{session_id}", status_code=204, responses=error_responses(401, 404, 429))
async def sign_out_device(
    session_id: uuid.UUID, viewer: Registered, request: Request, state: State, attempts: SharedAttempts
) -> None:
    await attempts.add(state.database, (SIGN_OUT, str(viewer.user_id)))
    async with state.database.write() as session:
        await devices.sign_out(session, viewer, session_id, network=client_network(request))


@router.delete("/user/sessions", responses=error_responses(401, 429))
async def sign_out_everywhere(
    viewer: Registered,
    request: Request,
    response: Response,
    state: State,
    attempts: SharedAttempts,
    with_this: bool = False,
) -> Data[SignedOut]:
    """Sign out in all other browsers; with `with_this` in this one too."""
    await attempts.add(state.database, (SIGN_OUT, str(viewer.user_id)))
    async with state.database.write() as session:
        network = client_network(request)
        count = await devices.sign_out_others(session, viewer, with_this=with_this, network=network)
    if with_this:
        clear_session_cookies(response, state.settings)
    return Data(data=SignedOut(count=count))


@router.delete("/user", responses=error_responses(401, 409, 422, 429))
async def remove_account(
    body: Deletion,
    viewer: Registered,
    request: Request,
    response: Response,
    state: State,
    types: Types,
    belongings: SharedBelongings,
    attempts: SharedAttempts,
) -> Data[DeletedOut]:
    """Delete one's account. Signing in restores it for 30 days; then everything in it is gone."""
    user = await require_proof(state, attempts, viewer, body.password, field="password")
    if login_email(body.confirmation) != user.email:
        raise Invalid.field("confirmation", NOT_TYPED(email=user.email))
    async with state.database.write() as session:
        user = await session.get_one(User, viewer.user_id, with_for_update=True)
        await delete_account(session, types, belongings, user, actor_id=user.id, network=client_network(request))
        assert user.deleted_at is not None
        answer = DeletedOut(restore_until=restore_until(user.deleted_at))
    clear_session_cookies(response, state.settings)
    return Data(data=answer)


@router.get(
    "/users/{user_id}/avatar/{version}",
    response_class=FileResponse,
    responses=OBJECT_RESPONSES | error_responses(401, 404),
)
async def avatar(
    user_id: uuid.UUID, version: str, viewer: SignedIn, request: Request, session: ReadSession, state: State
) -> Response:
    """A person's picture. Its address changes with it, so browsers keep it."""
    key = await profile.picture_of(session, viewer, user_id, version)
    return await send_object(request, session, state.storage, key, media_type="image/jpeg", cache=LASTING)
