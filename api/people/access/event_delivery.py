"""Realtime events on their way from the outbox to the relay."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.audience import members_now
from api.people.users.queries import with_locale
from api.platform.db.engine import Database
from api.platform.http.translation import ICELANDIC
from api.platform.jobs.outbox import CONNECTION_END, TEAM
from api.platform.jobs.sending.outbox_sender import Delivery, Undelivered
from api.platform.realtime.messages import EVENT, channel_of, user_of
from api.platform.realtime.publisher import ChannelEvent, Publisher, RelayRefused, RelayUnavailable
from cluster.wording.catalogue import ENGLISH
from cluster.wording.message import message_of

log = structlog.get_logger(__name__)


def event_delivery(publisher: Publisher, database: Database) -> Delivery:
    async def deliver(payloads: Sequence[dict[str, Any]]) -> None:
        async with database.read() as session:
            due = await _in_their_languages(session, await _to_members(session, payloads))
        try:
            await _publish(publisher, [ChannelEvent(each["channel"], each["data"]) for each in due])
        except RelayUnavailable as error:
            raise Undelivered(str(error)) from error

    return Delivery(EVENT, deliver)


def end_delivery(publisher: Publisher) -> Delivery:
    """Ends connections in a loop of its own: a person who signs out somewhere must not wait behind events."""

    async def deliver(payloads: Sequence[dict[str, Any]]) -> None:
        for payload in payloads:
            try:
                await publisher.end_connections(payload["user"])
            except RelayUnavailable as error:
                raise Undelivered(str(error)) from error
            except RelayRefused as refused:
                log.error("outbox.end_refused", error=str(refused))

    return Delivery(CONNECTION_END, deliver)


async def _to_members(session: AsyncSession, payloads: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Leave out events of teams that their receivers have left since."""
    teams = {each[TEAM] for each in payloads if TEAM in each}
    if not teams:
        return payloads
    members = {
        (str(team_id), channel_of(user_id))
        for team_id, user_id in await members_now(session, [uuid.UUID(team) for team in teams])
    }
    return [each for each in payloads if TEAM not in each or (each[TEAM], each["channel"]) in members]


async def _in_their_languages(session: AsyncSession, payloads: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """With the sentences in the language of each reader. An event reaches each person by itself."""
    spoken = {each["channel"] for each in payloads if each["data"].get("message")}
    if not spoken:
        return payloads
    icelandic = {channel_of(user_id) for user_id in await with_locale(session, map(user_of, spoken), ICELANDIC)}
    return [_said(each, ICELANDIC if each["channel"] in icelandic else ENGLISH) for each in payloads]


def _said(payload: dict[str, Any], language: str) -> dict[str, Any]:
    """With its sentence, if it has one. Those without a code are plain text."""
    data = payload["data"]
    message = data.get("message")
    return (
        {**payload, "data": {**data, "message": message_of(message).text(language)}}
        if isinstance(message, dict)
        else payload
    )


async def _publish(publisher: Publisher, events: Sequence[ChannelEvent]) -> None:
    try:
        await publisher.publish(events)
    except RelayRefused as refused:
        if len(events) == 1:
            # Trying again would be refused again, and everything behind it would wait.
            log.error("outbox.event_refused", channel=events[0].channel, error=str(refused))
            return
        for event in events:
            await _publish(publisher, [event])
