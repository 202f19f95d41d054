"""How calls with a key are refused."""

from __future__ import annotations

from api.platform.http.errors import ApiError, Forbidden, TooManyRequests
from cluster.wording.message import Message, Wording

KEY_QUOTA_EXCEEDED = "key_quota_exceeded"
KEY_EXHAUSTED = Wording(
    "api_keys.key_exhausted",
    "The monthly limit of this key is {minutes:,} min, and this file is longer than what is left of it. Raise the "
    "limit, or wait until the next month.",
)


class KeyRefused(ApiError):
    """No key, or one that does not work: unknown, revoked, expired, or of a team that its maker has left."""

    status_code = 401
    code = "invalid_api_key"
    message = Message(
        "api_keys.key_refused",
        "This call needs a valid API key: send `Authorization: Bearer sgk_…`. Make one in Settings, API keys.",
    )


class ScopeMissing(Forbidden):
    code = "missing_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(
            Message(
                "api_keys.scope_missing",
                "This key may not do that. Make a key with the scope `{scope}` in Settings, API keys.",
                scope=scope,
            )
        )


class KeyExhausted(TooManyRequests):
    code = KEY_QUOTA_EXCEEDED

    def __init__(self, minutes: int, *, retry_after_s: int) -> None:
        super().__init__(KEY_EXHAUSTED(minutes=minutes), retry_after_s=retry_after_s)
