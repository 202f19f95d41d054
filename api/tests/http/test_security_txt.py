"""Whom to tell about a weakness of an installation."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from pydantic import ValidationError

from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import Browser

PATH = "/.well-known/security.txt"


async def test_it_names_who_answers_until_when(
    visitor: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await visitor.get(PATH)).status_code == 404
    monkeypatch.setattr(state.settings, "security_contact", "mailto:security@example.com")
    answer = await visitor.get(PATH)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(row.split(": ", 1) for row in answer.text.strip().split("\n"))
    assert fields["Contact"] == "mailto:security@example.com"
    assert fields["Canonical"].endswith(PATH)
    left = datetime.fromisoformat(fields["Expires"]) - utc_now()
    assert timedelta(days=100) < left < timedelta(days=365)


@pytest.mark.parametrize("contact", ["security@example.com", "http://example.com", "mailto:a@b\nContact: mailto:c@d"])
def test_a_contact_that_no_reader_understands_is_refused(contact: str) -> None:
    with pytest.raises(ValidationError):
        ApiSettings(security_contact=contact)
