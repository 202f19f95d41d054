"""How often people may invite others and open links of invitations."""

from __future__ import annotations

from datetime import timedelta

from api.people.auth.attempts import Limit

LIFETIME = timedelta(days=7)
OPEN_MAX = 100
"""Open invitations of one team."""
MEMBERS_MAX = 1_000

INVITE_PERSON = Limit("invitations by a person", 60, 3600.0)
INVITE_ADDRESS = Limit("invitations to an address", 5, 3600.0)
"""Over all teams, so that nobody's mailbox is flooded."""
OPEN_LINK = Limit("invitation links from an address", 60, 60.0)
CREATE_TEAM = Limit("teams of a person", 20, 3600.0)
