"""An event of Stripe, as far as we read it. What it says is not trusted to have any shape before this."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from api.people.billing.errors import BadEvent
from api.platform.http.limits import STRIPE_ID_MAX

YEAR_3000 = 32_503_680_000
"""In seconds. Later moments fit no database."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=STRIPE_ID_MAX, pattern=r"^[!-~]+$")]


class _Thing(BaseModel):
    id: Name


class _About(BaseModel):
    """The object that an event is about."""

    object: Name
    id: Name | None = None
    customer: Name | _Thing | None = None


class _Data(BaseModel):
    object: _About


class Event(BaseModel):
    id: Name
    type: Name
    created: Annotated[int, Field(ge=0, lt=YEAR_3000)]
    data: _Data

    @property
    def created_at(self) -> datetime:
        return datetime.fromtimestamp(self.created, UTC)

    @property
    def customer(self) -> str | None:
        """The customer whom it concerns."""
        about = self.data.object
        if about.object == "customer":
            return about.id
        return about.customer.id if isinstance(about.customer, _Thing) else about.customer

    @property
    def invoice(self) -> str | None:
        """The invoice that it is about."""
        return self.data.object.id if self.data.object.object == "invoice" else None


def read_event(text: str) -> Event:
    """Raises `BadEvent`."""
    try:
        return Event.model_validate_json(text)
    except ValidationError:
        raise BadEvent from None


def signed_at(signature: str) -> int:
    """The moment in a signature's header, in seconds. Raises `ValueError` where there is none."""
    parts: dict[str, Any] = {name: value for name, _, value in (part.partition("=") for part in signature.split(","))}
    return int(parts.get("t", ""))
