"""Refusals for a plan's sake: nothing is wrong with the request, and no right is missing."""

from __future__ import annotations

from api.platform.http.errors import ApiError


class PlanRefusal(ApiError):
    """The sentence says what is used up and what to do. Pages branch on `code`."""

    status_code = 402
