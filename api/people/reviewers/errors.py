from __future__ import annotations

from api.platform.http.errors import Forbidden, Invalid, NotFound
from cluster.wording.message import Message

REVIEWERS_MAX = 500
"""Of one link."""
LINK_FULL = Message(
    "reviewers.link_full",
    "This link was opened {count} times, and no more fit. Ask the person who sent it to you for a new one.",
    count=REVIEWERS_MAX,
)


class LinkClosed(NotFound):
    """Expired, revoked, of somebody who may no longer do what it allows, or never a link: which one, nobody learns."""

    code = "review_closed"
    message = Message(
        "reviewers.link_closed",
        "This link no longer works. Ask the person who sent it to you for a new one.",
    )


class NotEntered(Forbidden):
    code = "review_not_entered"
    message = Message("reviewers.not_entered", "Open the link that was sent to you, and say who you are.")


class WrongPassword(Invalid):
    code = "review_password"
    message = Message(
        "reviewers.wrong_password", "This is not the password of this link. The person who sent it to you knows it."
    )


class NotAllowed(Forbidden):
    code = "review_rights"
    message = Message("reviewers.not_allowed", "This link does not let you do that.")
