"""Refusals of account calls that pages treat in a way of their own."""

from __future__ import annotations

from datetime import date

from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message


class LinkExpired(Invalid):
    """For links in mails. The page offers to send another one."""

    code = "link_expired"
    message = Message(
        "account.link_expired", "This link no longer works. It was used already, or it is too old: ask for a new one."
    )


class AccountInBin(Conflict):
    """The password was right. The page offers to restore the account."""

    code = "account_deleted"

    def __init__(self, until: date) -> None:
        super().__init__(
            Message(
                "account.in_bin",
                "This account was deleted. You can restore it, with everything in it, until {until}: "
                "sign in and choose to restore it.",
                until=until,
            )
        )


WRONG_PASSWORD = Message("account.wrong_password", "This is not your password.")
