from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import EDITORS
from api.people.access.rules import changes, may_see, of_owner
from api.people.auth.viewer import Viewer
from api.people.webhooks.models import WebhookDelivery, WebhookEndpoint
from api.platform.db.expressions import in_list
from api.platform.http.errors import Forbidden, NotFound
from api.platform.http.paging import PageQuery
from cluster.wording.message import Message

NOT_FOUND = Message("webhooks.not_found", "This webhook does not exist any more. Somebody may have deleted it.")
DELIVERY_NOT_FOUND = Message("webhooks.delivery_not_found", "This delivery is not in the list any more.")
TEAM_NOT_FOUND = Message(
    "webhooks.team_not_found", "We could not find this team. It may have been deleted, or you may have left it."
)


def require_team(viewer: Viewer, team_id: uuid.UUID | None) -> None:
    """Addresses of webhooks often hold secrets, so those who may only look do not see them."""
    if team_id is None:
        return
    if team_id not in viewer.teams:
        raise NotFound(TEAM_NOT_FOUND)
    if viewer.teams[team_id] not in EDITORS:
        raise Forbidden


async def find(session: AsyncSession, viewer: Viewer, endpoint_id: uuid.UUID, *, hold: bool = False) -> WebhookEndpoint:
    """An endpoint that the viewer may change. Raises `NotFound` for others', `Forbidden` for a viewer of its team."""
    statement = select(WebhookEndpoint).where(WebhookEndpoint.id == endpoint_id, may_see(viewer, WebhookEndpoint))
    endpoint = (await session.scalars(statement.with_for_update() if hold else statement)).one_or_none()
    if endpoint is None:
        raise NotFound(NOT_FOUND)
    if not changes(viewer, endpoint.user_id, endpoint.team_id):
        raise Forbidden
    return endpoint


async def find_delivery(session: AsyncSession, endpoint: WebhookEndpoint, delivery_id: uuid.UUID) -> WebhookDelivery:
    statement = select(WebhookDelivery).where(
        WebhookDelivery.id == delivery_id, WebhookDelivery.endpoint_id == endpoint.id
    )
    delivery = (await session.scalars(statement.with_for_update())).one_or_none()
    if delivery is None:
        raise NotFound(DELIVERY_NOT_FOUND)
    return delivery


async def listed(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> Sequence[WebhookEndpoint]:
    """The endpoints of a team, or of a person alone, in the order they were added."""
    statement = (
        select(WebhookEndpoint)
        .where(of_owner(user_id, team_id, WebhookEndpoint))
        .order_by(WebhookEndpoint.created_at, WebhookEndpoint.id)
    )
    return (await session.scalars(statement)).all()


async def newest(session: AsyncSession, endpoint_ids: Collection[uuid.UUID]) -> Mapping[uuid.UUID, WebhookDelivery]:
    """The delivery of each endpoint that was attempted last."""
    turn = func.row_number().over(
        partition_by=WebhookDelivery.endpoint_id,
        order_by=(WebhookDelivery.attempted_at.desc(), WebhookDelivery.created_at.desc()),
    )
    ranked = (
        select(WebhookDelivery.id, turn.label("turn"))
        .where(in_list(session, WebhookDelivery.endpoint_id, list(endpoint_ids)), WebhookDelivery.attempts > 0)
        .subquery()
    )
    statement = select(WebhookDelivery).join(ranked, ranked.c.id == WebhookDelivery.id).where(ranked.c.turn == 1)
    return {delivery.endpoint_id: delivery for delivery in await session.scalars(statement)}


async def deliveries(
    session: AsyncSession, endpoint: WebhookEndpoint, query: PageQuery
) -> tuple[Sequence[WebhookDelivery], int]:
    """A page of an endpoint's deliveries, the newest first, and their number."""
    own = WebhookDelivery.endpoint_id == endpoint.id
    statement = select(WebhookDelivery).where(own).order_by(WebhookDelivery.created_at.desc(), WebhookDelivery.id)
    rows = (await session.scalars(statement.offset(query.offset).limit(query.size))).all()
    return rows, await session.scalar(select(func.count()).select_from(WebhookDelivery).where(own)) or 0
