"""What comes of a provider's answer: somebody is signed in, an account is linked, or its owner is asked for a proof."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from api.people.access.belongings import Belongings
from api.people.account.deletion import restore_until
from api.people.account.errors import MUST_USE, MustUseProvider
from api.people.account.locales import locale_of
from api.people.account.sign_in import open_session, require_not_deleted
from api.people.auth import sessions
from api.people.auth.address import client_network
from api.people.auth.attempts import Attempts
from api.people.auth.cookies import session_cookie
from api.people.auth.service import check_login
from api.people.auth.viewer import load_viewer
from api.people.providers.models import Purpose
from api.people.providers.provider import Provider
from api.people.providers.provisioned import provisioned_groups, was_made_by
from api.people.providers.registry import binding
from api.people.providers.settings_entries import ProviderEntry
from api.people.second_factor import service as second_factor
from api.people.second_factor.errors import CodeNeeded
from api.people.second_factor.limits import CODE_ACCOUNT
from api.people.single_sign_on.accounts import (
    account_with_address,
    link,
    linked_account,
    make_account,
    note_use,
    require_served,
)
from api.people.single_sign_on.errors import OTHER_PERSON, ProviderRefused, StaleSignIn
from api.people.single_sign_on.groups import apply_admin_groups, apply_team_groups
from api.people.single_sign_on.journey import Journey, Person
from api.people.single_sign_on.pending import Pending, hold
from api.people.single_sign_on.schemas import SignInResult, SignInStep
from api.people.single_sign_on.sign_out import provider_session
from api.people.users import queries
from api.people.users.models import NO_PASSWORD, User
from api.people.users.restrictions import DEMO_LOCKED, is_locked
from api.platform.http.errors import Invalid, NotSignedIn
from api.platform.http.state import AppState


@dataclass(frozen=True, slots=True)
class SignedIn:
    """`cookie` is the browser's new one; None where it keeps its own."""

    result: SignInResult
    cookie: str | None = None


@dataclass(frozen=True, slots=True)
class SignOn:
    """One request that goes on with a sign-in."""

    state: AppState
    request: Request
    belongings: Belongings
    entry: ProviderEntry

    @property
    def provider(self) -> Provider:
        return self.entry.provider

    @property
    def network(self) -> str:
        return client_network(self.request)

    @property
    def cookie(self) -> str:
        return self.request.cookies.get(session_cookie(self.state.settings), "")

    async def go_on(self, journey: Journey, person: Person) -> SignedIn:
        """Go on with whom the provider vouches for, to the end of what the browser was sent for."""
        if journey.purpose is Purpose.SIGN_IN:
            return await self.sign_in(person)
        try:
            viewer = await load_viewer(self.request, self.state.settings, self.state.database, unverified=True)
        except NotSignedIn:
            raise StaleSignIn from None
        # The session may have become another person's meanwhile, or an administrator's in their account.
        if viewer.user_id != journey.user_id or viewer.admin_id is not None or viewer.session_hash is None:
            raise StaleSignIn
        cookie = None
        async with self.state.database.write() as session:
            user = await session.get_one(User, viewer.user_id)
            if journey.purpose is Purpose.LINK:
                if self.provider.domains:
                    require_served(self.provider, person)
                await link(session, self.provider, person, user, network=self.network)
            else:
                owner = await linked_account(session, person)
                if owner is None or owner.id != user.id:
                    raise ProviderRefused(OTHER_PERSON(provider=self.provider.name))
                await sessions.confirm(session, viewer.session_hash)
                cookie = await sessions.rename(session, viewer.session_hash)
                await self.belongings.continue_uploads(session, viewer.session_hash, sessions.hash_token(cookie))
            answer = await queries.describe(session, user, self.state.settings)
        return SignedIn(SignInResult(step=SignInStep.DONE, user=answer), cookie)

    async def sign_in(self, person: Person) -> SignedIn:
        settings = self.state.settings
        async with self.state.database.write() as session:
            user = await linked_account(session, person)
            if user is None:
                await self._require_this(session, require_served(self.provider, person))
                user = await account_with_address(session, self.provider, person)
                if user is None:
                    user = await make_account(
                        session, settings, self.provider, person, locale=locale_of(self.request), network=self.network
                    )
                elif await was_made_by(session, self.provider.slug, user.id) and user.password_hash == NO_PASSWORD:
                    await link(session, self.provider, person, user, network=self.network, is_new=True)
                else:
                    self._require_open(user)
                    return self._wait(SignInStep.PASSWORD, person, email=user.email)
            if user.deleted_at is not None:
                return self._wait(SignInStep.RESTORE, person, email=user.email, until=restore_until(user.deleted_at))
            user_id = user.id
        return await self._finish(user_id, person)

    async def prove(self, pending: Pending, password: str, code: str, attempts: Attempts) -> SignedIn:
        """Link the account of the person's address, which this password opens. Raises `Invalid` for a wrong one.

        With a second factor it takes a code too, or the link would be a way around it. Raises `CodeNeeded`.
        """
        person = pending.person
        async with self.state.database.read() as session:
            user = await account_with_address(session, self.provider, person)
        user = await check_login(user, password)
        self._require_open(user)
        async with self.state.database.read() as session:
            needs_code = await second_factor.is_on(session, user.id)
        if needs_code and code == "":
            raise CodeNeeded
        if needs_code:
            await attempts.add(self.state.database, (CODE_ACCOUNT, str(user.id)))
        async with self.state.database.write() as session:
            if needs_code:
                await second_factor.take_code(session, self.state.settings, user.id, code)
                await attempts.clear(session, CODE_ACCOUNT, str(user.id))
            owner = await session.get_one(User, user.id)
            await link(session, self.provider, person, owner, network=self.network)
        return await self.sign_in(person)

    async def restore(self, pending: Pending) -> SignedIn:
        """Take back the deleted account of a person."""
        async with self.state.database.write() as session:
            user = await linked_account(session, pending.person)
            if user is None:
                raise StaleSignIn
            await require_not_deleted(session, user, restore=True, network=self.network)
        return await self._finish(user.id, pending.person)

    async def _finish(self, user_id: uuid.UUID, person: Person) -> SignedIn:
        settings, database = self.state.settings, self.state.database
        async with database.write() as session:
            user = await session.get_one(User, user_id)
            self._require_open(user)
            await self._require_this(session, user.email)
            await note_use(session, person)
            provisioned = await provisioned_groups(session, self.provider.slug, user_id)
            groups = person.groups if provisioned is None else provisioned
            await apply_admin_groups(session, self.provider, groups, user)
        await apply_team_groups(database, self.belongings, self.provider, groups, user_id)
        session_id = uuid.uuid4()
        async with database.write() as session:
            user = await session.get_one(User, user_id)
            cookie = await open_session(
                session, settings, self.request, user, session_id=session_id, provider=self.provider.name
            )
            await session.flush()
            begun = provider_session(settings, self.provider, person)
            begun.session_id = session_id
            session.add(begun)
            answer = await queries.describe(session, user, settings)
        return SignedIn(SignInResult(step=SignInStep.DONE, user=answer), cookie)

    async def _require_this(self, session: AsyncSession, email: str) -> None:
        """Refuse the addresses that have to use another provider."""
        bound = await binding(session, self.state.settings, email)
        if bound is not None and bound.slug != self.provider.slug:
            raise MustUseProvider(MUST_USE(domain=email.rpartition("@")[2], provider=bound.name))

    def _require_open(self, user: User) -> None:
        if is_locked(self.state.settings, user):
            raise Invalid(DEMO_LOCKED)

    def _wait(self, step: SignInStep, person: Person, **about: object) -> SignedIn:
        pending = Pending(self.provider.slug, person)
        token = hold(self.state.settings, pending, browser=self.cookie)
        return SignedIn(SignInResult.model_validate({"step": step, "token": token, **about}))
