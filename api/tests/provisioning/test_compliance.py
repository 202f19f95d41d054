"""What the SCIM compliance tester of Yaal says about us."""

from __future__ import annotations

import asyncio

import httpx2
import pytest
from fastapi import FastAPI

from api.people.provisioning.resources import PATH
from api.tests.provisioning.conftest import Directory, FromThread


@pytest.mark.parametrize("entry", [{"trusts_email": True}], ids=["any domain"])
@pytest.mark.long
async def test_the_service_passes_the_compliance_tester(app: FastAPI, directory: Directory) -> None:
    # They make models as they are imported, which takes the longer the more modules there are: 5 core-seconds here.
    from scim2_client.engines.httpx2 import SyncSCIMClient
    from scim2_tester import Status, check_server

    headers = {"Authorization": directory.client.headers["Authorization"]}
    with httpx2.Client(transport=FromThread(app), base_url=f"http://localhost{PATH}", headers=headers) as client:
        results = await asyncio.to_thread(check_server, SyncSCIMClient(client))
    bad = [f"{each.title}: {each.reason}" for each in results if each.status not in (Status.SUCCESS, Status.SKIPPED)]
    assert len(results) > 40
    assert not bad, "\n".join(bad)
