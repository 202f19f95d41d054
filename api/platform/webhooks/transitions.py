"""Which state of a delivery may follow which."""

from __future__ import annotations

from api.platform.db.transitions import Transitions
from api.platform.webhooks.models import DeliveryState, WebhookDelivery

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
