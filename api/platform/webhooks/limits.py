"""All numbers of webhooks."""

from __future__ import annotations

from datetime import timedelta

ENDPOINTS_MAX = 20
"""Endpoints of one person or one team."""

URL_MAX = 2_000
NAME_MAX = 100

ANSWER_WITHIN_S = 10.0
"""From looking up the host name to the status of the answer."""

RETRY_S = (5.0, 60.0, 300.0, 1_800.0, 7_200.0, 14_400.0, 28_800.0, 34_000.0)
"""Pauses after the attempts of a delivery: 24 hours in all."""
JITTER = 0.1
"""Each pause is longer by up to this share, so that what failed together is not sent together again."""

NOTICE_AFTER = timedelta(hours=24)
"""People get a mail about an endpoint that has answered nothing else but failures for this long."""
OFF_AFTER = timedelta(days=5)
"""Then an endpoint is turned off."""

SECRET_OVERLAP = timedelta(hours=24)
"""After a new secret, messages are also signed with the former one for this long."""

CAPTIONS_WAIT_S = 30.0
"""Changes of captions within this time are one event."""

SLOTS = 64
"""Deliveries under way in one dispatcher."""
SLOTS_PER_ENDPOINT = 2
"""An endpoint that answers slowly holds up only its own deliveries."""
LEASE_S = 60.0
"""A delivery whose dispatcher died is sent again after this."""
POLL_S = 0.5
