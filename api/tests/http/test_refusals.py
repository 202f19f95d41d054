"""Whoever runs an installation sees in its log who was refused, and nothing secret."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from api.testing.browser import Browser


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_failed_sign_ins_and_missing_rights_are_logged(ada: Browser, visitor: Browser) -> None:
    with capture_logs() as logs:
        await visitor.post("/login", json={"email": "ada@example.com", "password": "guessed by somebody"})
        await ada.get("/api/admin/users")
        await ada.post("/api/tags", json={"tag": "x"}, headers={"X-XSRF-TOKEN": "forged"})
        await ada.get("/api/files/nothing-here")
    found = [(each["event"], each["status"], each["path"]) for each in logs if each["event"].endswith(".refused")]
    assert found == [
        ("sign_in.refused", 422, "/login"),
        ("request.refused", 403, "/api/admin/users"),
        ("request.refused", 419, "/api/tags"),
    ]
    assert all(each["network"] == "127.0.0.1" for each in logs if each["event"].endswith(".refused"))
    assert "guessed" not in str(logs)
    assert "ada@example.com" not in str(logs)
