"""SCIM 2.0 (RFC 7644): identity providers add, change and turn off people, and keep groups.

Calls carry the token of a provider and reach what that provider added alone.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import ValidationError
from scim2_models import (
    Context,
    Error,
    ForbiddenException,
    InvalidSyntaxException,
    ListResponse,
    Meta,
    NotFoundException,
    PatchOp,
    Resource,
    ResourceType,
    ResponseParameters,
    Schema,
    SCIMException,
    SearchRequest,
    UnauthorizedException,
)

from api.people.access.belongings import SharedBelongings
from api.people.auth.address import client_network
from api.people.auth.attempts import Limit, SharedAttempts
from api.people.providers.provider import Provider
from api.people.provisioning import groups, people
from api.people.provisioning.listing import everything_page, groups_page, people_page
from api.people.provisioning.resources import (
    CONFIG,
    PATH,
    POLICY,
    Group,
    User,
    address_of,
    group_out,
    person_out,
    resource_types,
    schemas,
)
from api.people.provisioning.tokens import entry_of_token
from api.platform.http.errors import ApiError
from api.platform.http.state import State

MEDIA_TYPE = "application/scim+json"
PLACES = frozenset({"ServiceProviderConfig", "ResourceTypes", "Schemas", "Users", "Groups"})
WRONG_TOKENS = Limit("provisioning token", 30, 60.0)
NO_TOKEN = "The token is missing, was replaced, or belongs to a provider that is off."

R = TypeVar("R", bound=Resource[Any])
D = TypeVar("D", ResourceType, Schema)


class NotForThis(ApiError):
    status_code = 405
    message = "This address does not take the method."


class ScimRoute(APIRoute):
    """Answers refusals as SCIM does (RFC 7644, 3.12)."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await handle(request)
            except SCIMException as refused:
                return _error(refused.to_error())
            except ValidationError as invalid:
                return _error(Error.from_validation_errors(invalid)[0])
            except ApiError as refused:
                return _error(Error(status=refused.status_code, detail=str(refused.message)))

        return handler


router = APIRouter(prefix=PATH, route_class=ScimRoute, include_in_schema=False)


async def _provider(request: Request, state: State, attempts: SharedAttempts) -> Provider:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    entry = None
    if scheme.lower() == "bearer" and token:
        entry = await entry_of_token(state.database, state.settings, token.strip())
    if entry is None:
        await attempts.add(state.database, (WRONG_TOKENS, client_network(request)))
        raise UnauthorizedException(detail=NO_TOKEN)
    return entry.provider


Caller = Annotated[Provider, Depends(_provider)]


@router.get("/ServiceProviderConfig")
async def service_provider_config(state: State) -> Response:
    config = CONFIG.model_copy()
    config.meta = Meta(
        resource_type="ServiceProviderConfig", location=address_of(state.settings, "ServiceProviderConfig")
    )
    return _answer(config)


@router.get("/ResourceTypes")
async def list_resource_types(_caller: Caller, state: State, request: Request) -> Response:
    _refuse_filter(request)
    return _page(ListResponse[ResourceType], resource_types(state.settings))


@router.get("/ResourceTypes/{name}")
async def resource_type(name: str, _caller: Caller, state: State) -> Response:
    return _answer(_named(resource_types(state.settings), name))


@router.get("/Schemas")
async def list_schemas(_caller: Caller, state: State, request: Request) -> Response:
    _refuse_filter(request)
    return _page(ListResponse[Schema], schemas(state.settings))


@router.get("/Schemas/{name}")
async def schema(name: str, _caller: Caller, state: State) -> Response:
    return _answer(_named(schemas(state.settings), name))


@router.get("/Users")
async def list_people(caller: Caller, state: State, request: Request) -> Response:
    search = _search(SearchRequest[User], dict(request.query_params))
    async with state.database.read() as session:
        found, total = await people_page(session, state.settings, caller, search)
    return _page(ListResponse[User], found, search, total)


@router.post("/Users")
async def add_person(caller: Caller, state: State, request: Request) -> Response:
    wanted = await _resource(User, request, Context.RESOURCE_CREATION_REQUEST)
    async with state.database.write() as session:
        row = await people.add(session, state.settings, caller, wanted)
        made = person_out(state.settings, row)
    return _answer(made, Context.RESOURCE_CREATION_RESPONSE, status=201, shown=_shown(User, request))


@router.post("/.search")
async def search_everything(caller: Caller, state: State, request: Request) -> Response:
    search = _search(SearchRequest[User | Group], await _json(request))
    async with state.database.read() as session:
        found, total = await everything_page(session, state.settings, caller, search)
    return _page(ListResponse[User | Group], found, search, total)


@router.post("/Users/.search")
async def search_people(caller: Caller, state: State, request: Request) -> Response:
    """As the list, with the query in the body: addresses and names stay out of logs."""
    search = _search(SearchRequest[User], await _json(request))
    async with state.database.read() as session:
        found, total = await people_page(session, state.settings, caller, search)
    return _page(ListResponse[User], found, search, total)


@router.get("/Users/{person_id}")
async def get_person(person_id: str, caller: Caller, state: State, request: Request) -> Response:
    async with state.database.read() as session:
        found = person_out(state.settings, await people.person(session, caller, person_id))
    return _answer(found, shown=_shown(User, request))


@router.put("/Users/{person_id}")
async def replace_person(person_id: str, caller: Caller, state: State, request: Request) -> Response:
    wanted = await _resource(User, request, Context.RESOURCE_REPLACEMENT_REQUEST)
    async with state.database.write() as session:
        row = await people.person(session, caller, person_id, hold=True)
        await people.change(session, caller, row, wanted)
        changed = person_out(state.settings, row)
    return _answer(changed, Context.RESOURCE_REPLACEMENT_RESPONSE, shown=_shown(User, request))


@router.patch("/Users/{person_id}")
async def patch_person(person_id: str, caller: Caller, state: State, request: Request) -> Response:
    patch = PatchOp[User].model_validate(
        await _json(request), scim_ctx=Context.RESOURCE_PATCH_REQUEST, scim_policy=POLICY
    )
    async with state.database.write() as session:
        row = await people.person(session, caller, person_id, hold=True)
        wanted = person_out(state.settings, row)
        if patch.patch(wanted, scim_policy=POLICY):
            await people.change(session, caller, row, wanted)
        changed = person_out(state.settings, row)
    return _answer(changed, Context.RESOURCE_PATCH_RESPONSE, shown=_shown(User, request))


@router.delete("/Users/{person_id}", status_code=204)
async def remove_person(person_id: str, caller: Caller, state: State) -> Response:
    """The account stays, turned off, with everything in it."""
    async with state.database.write() as session:
        row = await people.person(session, caller, person_id, hold=True)
        await people.remove(session, caller, row)
    return Response(status_code=204)


@router.get("/Groups")
async def list_groups(caller: Caller, state: State, request: Request) -> Response:
    search = _search(SearchRequest[Group], dict(request.query_params))
    async with state.database.read() as session:
        found, total = await groups_page(session, state.settings, caller, search)
    return _page(ListResponse[Group], found, search, total)


@router.post("/Groups")
async def add_group(caller: Caller, state: State, request: Request, belongings: SharedBelongings) -> Response:
    wanted = await _resource(Group, request, Context.RESOURCE_CREATION_REQUEST)
    async with state.database.write() as session:
        row, changed = await groups.add(session, caller, wanted)
        made = group_out(state.settings, row, await groups.members_of(session, row.id))
    await groups.settle(state.database, belongings, caller, changed)
    return _answer(made, Context.RESOURCE_CREATION_RESPONSE, status=201, shown=_shown(Group, request))


@router.post("/Groups/.search")
async def search_groups(caller: Caller, state: State, request: Request) -> Response:
    search = _search(SearchRequest[Group], await _json(request))
    async with state.database.read() as session:
        found, total = await groups_page(session, state.settings, caller, search)
    return _page(ListResponse[Group], found, search, total)


@router.get("/Groups/{group_id}")
async def get_group(group_id: str, caller: Caller, state: State, request: Request) -> Response:
    async with state.database.read() as session:
        row = await groups.group(session, caller, group_id)
        found = group_out(state.settings, row, await groups.members_of(session, row.id))
    return _answer(found, shown=_shown(Group, request))


@router.put("/Groups/{group_id}")
async def replace_group(
    group_id: str, caller: Caller, state: State, request: Request, belongings: SharedBelongings
) -> Response:
    wanted = await _resource(Group, request, Context.RESOURCE_REPLACEMENT_REQUEST)
    async with state.database.write() as session:
        row = await groups.group(session, caller, group_id, hold=True)
        changed = await groups.change(session, caller, row, wanted)
        answer = group_out(state.settings, row, await groups.members_of(session, row.id))
    await groups.settle(state.database, belongings, caller, changed)
    return _answer(answer, Context.RESOURCE_REPLACEMENT_RESPONSE, shown=_shown(Group, request))


@router.patch("/Groups/{group_id}")
async def patch_group(
    group_id: str, caller: Caller, state: State, request: Request, belongings: SharedBelongings
) -> Response:
    patch = PatchOp[Group].model_validate(
        await _json(request), scim_ctx=Context.RESOURCE_PATCH_REQUEST, scim_policy=POLICY
    )
    changed: set[uuid.UUID] = set()
    async with state.database.write() as session:
        row = await groups.group(session, caller, group_id, hold=True)
        wanted = group_out(state.settings, row, await groups.members_of(session, row.id))
        if patch.patch(wanted, scim_policy=POLICY):
            changed = await groups.change(session, caller, row, wanted)
        answer = group_out(state.settings, row, await groups.members_of(session, row.id))
    await groups.settle(state.database, belongings, caller, changed)
    return _answer(answer, Context.RESOURCE_PATCH_RESPONSE, shown=_shown(Group, request))


@router.delete("/Groups/{group_id}", status_code=204)
async def remove_group(group_id: str, caller: Caller, state: State, belongings: SharedBelongings) -> Response:
    async with state.database.write() as session:
        row = await groups.group(session, caller, group_id, hold=True)
        changed = await groups.remove(session, row)
    await groups.settle(state.database, belongings, caller, changed)
    return Response(status_code=204)


@router.api_route("/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
async def nothing_else(rest: str, _caller: Caller) -> Response:
    place, _, further = rest.partition("/")
    if place in PLACES and "/" not in further:
        raise NotForThis
    raise NotFoundException(detail="There is nothing at this address.")


async def _json(request: Request) -> Any:
    try:
        return json.loads(await request.body())
    except ValueError:
        raise InvalidSyntaxException(detail="The body is no JSON.") from None


async def _resource(kind: type[R], request: Request, context: Context) -> R:
    body = await _json(request)
    # Many providers know people by their address, and some send it as the user name alone.
    if kind is User and isinstance(body, dict) and not body.get("emails") and "@" in str(body.get("userName", "")):
        body = {**body, "emails": [{"value": body["userName"], "type": "work", "primary": True}]}
    return kind.model_validate(body, scim_ctx=context, scim_policy=POLICY)


def _search(kind: Any, query: Any) -> Any:
    return kind.model_validate(query, scim_ctx=Context.SEARCH_REQUEST, scim_policy=POLICY)


def _shown(kind: type[Resource[Any]], request: Request) -> ResponseParameters[Any]:
    """Which attributes the caller wants back."""
    wanted = {
        name: request.query_params[name]
        for name in ("attributes", "excludedAttributes")
        if name in request.query_params
    }
    shown: ResponseParameters[Any] = ResponseParameters[kind].model_validate(wanted, scim_policy=POLICY)  # type: ignore[valid-type]
    return shown


def _refuse_filter(request: Request) -> None:
    """What describes the service cannot be filtered (RFC 7644, 4)."""
    if "filter" in request.query_params:
        raise ForbiddenException(detail="These cannot be filtered.")


def _named(every: Sequence[D], name: str) -> D:
    for each in every:
        if each.id == name:
            return each
    raise NotFoundException(detail=f"There is no {name}.")


def _answer(
    resource: Resource[Any],
    context: Context = Context.RESOURCE_QUERY_RESPONSE,
    *,
    status: int = 200,
    shown: ResponseParameters[Any] | None = None,
) -> Response:
    body = resource.model_dump(scim_ctx=context, response_parameters=shown, scim_policy=POLICY)
    headers = {"Location": str(resource.meta.location)} if resource.meta is not None else {}
    return JSONResponse(body, status, headers, MEDIA_TYPE)


def _page(
    kind: Any, resources: Sequence[Any], search: SearchRequest[Any] | None = None, total: int | None = None
) -> Response:
    page = kind(
        total_results=len(resources) if total is None else total,
        start_index=1 if search is None else max(search.start_index or 1, 1),
        items_per_page=len(resources),
        resources=list(resources),
    )
    body = page.model_dump(scim_ctx=Context.RESOURCE_QUERY_RESPONSE, response_parameters=search, scim_policy=POLICY)
    return JSONResponse(body, media_type=MEDIA_TYPE)


def _error(error: Error) -> Response:
    return JSONResponse(error.model_dump(), error.status or 400, media_type=MEDIA_TYPE)
