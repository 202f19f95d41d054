"""What we know of SCIM's people and groups, and what we publish about it.

The schema is a part of RFC 7643's: what is not in it is left out, so that nobody's address or telephone number is kept.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import EmailStr, Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    Email,
    ETag,
    Filter,
    Meta,
    Mutability,
    Name,
    Pagination,
    Patch,
    Reference,
    Required,
    Resource,
    ResourceType,
    Schema,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

from api.people.providers.provisioned import ProvisionedGroup, ProvisionedPerson
from api.platform.settings import ApiSettings

D = TypeVar("D", ResourceType, Schema)
PATH = "/scim/v2"
PAGE_MAX = 200


class Address(Email):
    """An address is nothing without its text."""

    value: Annotated[EmailStr | None, Required.true] = None
    """The address itself."""


class User(Resource[Any]):
    """A person, with the attributes that an account here has a use for."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The name by which the provider knows the person, usually their address."""
    name: Name | None = None
    """The parts of the person's name."""
    display_name: str | None = None
    """The name to show."""
    active: bool | None = None
    """Whether the account may be used."""
    emails: Annotated[list[Address] | None, Required.true] = None
    """The person's addresses. The primary one is the account's; without any, the user name is."""


class Member(ComplexAttribute):
    """A person in a group. Groups hold no groups, and names are not kept a second time."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    """The id of the person."""
    ref: Annotated[Reference[User] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    """The address of the person."""


class Group(Resource[Any]):
    """A group, by whose name the settings of the provider give teams and rights."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Required.true] = None
    """The name of the group."""
    members: list[Member] | None = None
    """Who is in it."""


POLICY = ScimPolicy(
    # Providers send more than we keep, and Microsoft Entra ID removes members by a value and adds by a filter.
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)
CONFIG = ServiceProviderConfig(
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=PAGE_MAX),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=False),
    etag=ETag(supported=False),
    pagination=Pagination(cursor=False, index=True, default_page_size=PAGE_MAX, max_page_size=PAGE_MAX),
    authentication_schemes=[
        AuthenticationScheme(
            type=AuthenticationScheme.Type.oauthbearertoken,
            name="Bearer token",
            description="A token that an administrator makes on the page Sign-in.",
            primary=True,
        )
    ],
)
SERVICE = ScimProvider([User, Group], config=CONFIG)


def address_of(settings: ApiSettings, path: str) -> str:
    return f"{settings.base_url}{PATH}/{path}"


def person_out(settings: ApiSettings, row: ProvisionedPerson) -> User:
    user = User.model_validate(row.described, scim_policy=POLICY)
    user.id, user.external_id = str(row.id), row.external_id
    user.meta = Meta(
        resource_type="User",
        created=row.created_at,
        last_modified=row.updated_at,
        location=address_of(settings, f"Users/{row.id}"),
    )
    return user


def group_out(settings: ApiSettings, row: ProvisionedGroup, members: Sequence[uuid.UUID]) -> Group:
    return Group(
        id=str(row.id),
        external_id=row.external_id,
        display_name=row.name,
        members=[Member(value=str(each), ref=address_of(settings, f"Users/{each}")) for each in members],
        meta=Meta(
            resource_type="Group",
            created=row.created_at,
            last_modified=row.updated_at,
            location=address_of(settings, f"Groups/{row.id}"),
        ),
    )


def described(user: User) -> dict[str, Any]:
    """The person as they are stored: without what the row has columns for."""
    values: dict[str, Any] = user.model_dump(scim_policy=POLICY)
    return {name: value for name, value in values.items() if name not in ("id", "externalId", "meta")}


def resource_types(settings: ApiSettings) -> list[ResourceType]:
    return [_published(settings, each, "ResourceTypes") for each in SERVICE.resource_types]


def schemas(settings: ApiSettings) -> list[Schema]:
    return [_published(settings, each, "Schemas") for each in SERVICE.schemas]


def _published(settings: ApiSettings, described: D, place: str) -> D:
    meta = Meta(resource_type=place.removesuffix("s"), location=address_of(settings, f"{place}/{described.id}"))
    return described.model_copy(update={"meta": meta})
