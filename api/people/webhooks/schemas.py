from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from api.people.webhooks.models import DeliveryState, OffReason, WebhookDelivery, WebhookEndpoint
from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE
from api.platform.webhooks.events import DESCRIPTIONS, EventType
from api.platform.webhooks.limits import NAME_MAX, URL_MAX
from api.platform.webhooks.sending import body_of, message_id
from cluster.wording.message import Message

OFF_SENTENCES = {
    OffReason.FAILING: Message(
        "webhooks.off_failing", "We turned this webhook off: for five days, no message could be delivered."
    ),
    OffReason.GONE: Message(
        "webhooks.off_gone",
        "We turned this webhook off: the server answered 410, which means that it wants no more messages.",
    ),
}
FAILING = Message("webhooks.failing", "The last messages could not be delivered. We keep trying.")

Url = Annotated[str, StringConstraints(min_length=1, max_length=URL_MAX), CLEAN_LINE]
Name = Annotated[str, StringConstraints(max_length=NAME_MAX), CLEAN_LINE]


def _each_once(events: list[EventType]) -> list[EventType]:
    return [event for event in EventType if event in events]


Events = Annotated[list[EventType], Field(min_length=1, max_length=len(EventType)), AfterValidator(_each_once)]


class EventOut(BaseModel):
    """A kind of event that an endpoint can get."""

    type: EventType
    description: PageText


class NewWebhook(BaseModel):
    """`team_id`: the team whose files it is about; without one it is about your own files."""

    url: Url
    name: Name = ""
    events: Events
    team_id: uuid.UUID | None = None


class WebhookChange(BaseModel):
    """What is left out stays. Turning an endpoint off gives up what waits for it."""

    url: Url | None = None
    name: Name | None = None
    events: Events | None = None
    is_enabled: bool | None = None


class WebhookOut(BaseModel):
    """`problem` is a sentence about an endpoint that fails or was turned off for that.

    `former_secret_until`: until then, messages are also signed with the former secret. `last_attempt_at`,
    `last_status_code` and `last_error` tell about the newest attempt.
    """

    id: uuid.UUID
    team_id: uuid.UUID | None
    url: str
    name: str
    events: list[EventType]
    is_enabled: bool
    problem: PageText | None
    failing_since: datetime | None
    former_secret_until: datetime | None
    last_attempt_at: datetime | None
    last_status_code: int | None
    last_error: PageText | None
    created_at: datetime


class WebhookWithSecret(WebhookOut):
    """`secret` verifies the signatures. It is shown this once."""

    secret: str


class DeliveryOut(BaseModel):
    """`message_id` is the message's `webhook-id`, `body` what it says. `next_attempt_at` is null once it has ended.

    `status_code`, `duration_ms` and `error` tell about the newest attempt.
    """

    id: uuid.UUID
    message_id: str
    event: str
    state: DeliveryState
    attempts: int
    created_at: datetime
    attempted_at: datetime | None
    next_attempt_at: datetime | None
    status_code: int | None
    duration_ms: int | None
    error: PageText | None
    body: dict[str, Any]


def event_list() -> list[EventOut]:
    return [EventOut(type=event, description=DESCRIPTIONS[event]) for event in EventType]


def describe(endpoint: WebhookEndpoint, newest: WebhookDelivery | None = None) -> WebhookOut:
    problem = OFF_SENTENCES[endpoint.off_reason] if endpoint.off_reason is not None else None
    if problem is None and endpoint.is_enabled and endpoint.failing_since is not None:
        problem = FAILING
    return WebhookOut(
        id=endpoint.id,
        team_id=endpoint.team_id,
        url=endpoint.url,
        name=endpoint.name,
        events=endpoint.events,
        is_enabled=endpoint.is_enabled,
        problem=problem,
        failing_since=endpoint.failing_since,
        former_secret_until=endpoint.former_until,
        last_attempt_at=None if newest is None else newest.attempted_at,
        last_status_code=None if newest is None else newest.status_code,
        last_error=None if newest is None else newest.error,
        created_at=endpoint.created_at,
    )


def with_secret(endpoint: WebhookEndpoint, secret: str) -> WebhookWithSecret:
    return WebhookWithSecret(**describe(endpoint).model_dump(), secret=secret)


def describe_delivery(delivery: WebhookDelivery) -> DeliveryOut:
    return DeliveryOut(
        id=delivery.id,
        message_id=message_id(delivery.id),
        event=delivery.event,
        state=delivery.state,
        attempts=delivery.attempts,
        created_at=delivery.created_at,
        attempted_at=delivery.attempted_at,
        next_attempt_at=delivery.due_at,
        status_code=delivery.status_code,
        duration_ms=delivery.duration_ms,
        error=delivery.error,
        body=body_of(delivery.event, delivery.created_at, delivery.data),
    )
