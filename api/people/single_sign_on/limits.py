from __future__ import annotations

from api.people.auth.attempts import Limit

START_ADDRESS = Limit("sign-in with a provider, start", 30, 60.0)
ANSWER_ADDRESS = Limit("sign-in with a provider, answer", 30, 60.0)
LINK_ACCOUNT = Limit("link of a provider", 20, 600.0)
SIGN_OUT_ADDRESS = Limit("sign-out by a provider", 600, 60.0)
"""A provider has one address, and many people may leave at once."""
LOGOUT_TOKEN = Limit("logout token", 1, 600.0)
"""Each is taken once (OpenID Connect Back-Channel Logout, 2.6)."""

REQUEST_S = 600
"""The time somebody has at the provider."""
PENDING_S = 600
"""The time they then have to prove that an account is theirs."""
CODE_MAX = 4_000
STATE_MAX = 200
PENDING_MAX = 20_000
