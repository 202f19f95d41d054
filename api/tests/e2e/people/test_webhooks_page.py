"""Webhooks in Settings, in a browser: add, test, look at what was sent, send again, turn off and delete."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from api.people.webhooks.delivery import WebhookSender
from api.testing.processes.webhook_receiver import WebhookReceiver, running_receiver
from api.testing.sites.site import Site


@pytest.fixture(scope="module")
def receiver() -> Iterator[WebhookReceiver]:
    with running_receiver() as running:
        yield running


@pytest.fixture
def private_site(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The receiver is on loopback."""
    monkeypatch.setattr(site.settings, "webhooks_private", True)
    return site


def send(site: Site) -> None:
    """Do what the dispatcher does."""
    site.call(WebhookSender(site.state.database, site.settings).send_due())


@pytest.mark.long
def test_a_webhook_from_its_address_to_its_end(desk: Page, private_site: Site, receiver: WebhookReceiver) -> None:
    desk.goto("/settings?section=webhooks")
    expect(desk.get_by_text("No webhooks yet")).to_be_visible()
    desk.get_by_role("button", name="Add a webhook").click()
    dialog = desk.get_by_role("dialog", name="Add a webhook")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_text("Enter the address of your server.")).to_be_visible()
    expect(dialog.get_by_role("alert").filter(has_text="Choose at least one event.")).to_be_visible()
    dialog.get_by_label("Address").fill("not an address")
    dialog.get_by_label("All events").check()
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_text("This is no web address.")).to_be_visible()
    dialog.get_by_label("Address").fill(receiver.url)
    dialog.get_by_label("Name").fill("Newsroom")
    dialog.get_by_role("button", name="Add", exact=True).click()
    secret = desk.get_by_test_id("secret").locator("code").inner_text()
    assert secret.startswith("whsec_")
    desk.get_by_role("button", name="Hide the secret").click()
    expect(desk.get_by_text(secret)).to_have_count(0)

    receiver.answers = [503]
    desk.get_by_role("button", name="Send a test event").click()
    delivery = desk.get_by_test_id("delivery")
    expect(delivery).to_contain_text("Waiting")
    send(private_site)
    # The page looks again by itself.
    expect(delivery).to_contain_text("Failed")
    expect(delivery).to_contain_text("The server answered 503.")
    delivery.get_by_role("button", name=re.compile("again")).click()
    expect(delivery).to_contain_text("Waiting")
    send(private_site)
    expect(delivery).to_contain_text("Delivered")
    expect(delivery).to_contain_text("answer 204")
    assert receiver.messages[-1].verified(secret)["type"] == "webhook.test"

    more = desk.get_by_role("button", name="More for Newsroom")
    more.click()
    desk.get_by_role("menuitem", name="Turn off").click()
    desk.get_by_role("dialog").get_by_role("button", name="Turn off").click()
    expect(desk.get_by_test_id("webhook").get_by_text("Off", exact=True)).to_be_visible()
    desk.get_by_role("button", name="Turn on").click()
    expect(desk.get_by_role("button", name="Send a test event")).to_be_visible()
    more.click()
    desk.get_by_role("menuitem", name="Delete").click()
    desk.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(desk.get_by_text("No webhooks yet")).to_be_visible()
