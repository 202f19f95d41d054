"""Which state of a delivery may follow which."""

from __future__ import annotations

from api.people.webhooks.models import DeliveryState, WebhookDelivery
from api.platform.db.transitions import Transitions

_S = DeliveryState

DELIVERY_STATE = Transitions(
    WebhookDelivery,
    WebhookDelivery.state,
    {
        _S.WAITING: frozenset({_S.WAITING, _S.DELIVERED, _S.FAILED}),
        # People send again what has ended.
        _S.DELIVERED: frozenset({_S.WAITING}),
        _S.FAILED: frozenset({_S.WAITING}),
    },
)
