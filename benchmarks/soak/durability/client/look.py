"""What a page shows that somebody has just opened: the lists, the bin, and whether deleted files are out of sight."""

from __future__ import annotations

from urllib.parse import quote

from benchmarks.soak.durability.client.listener import OWN_PAGE, Listener
from benchmarks.soak.durability.client.person import Person
from benchmarks.soak.durability.journal import Event

OK = 200
LOOKED_AT = 6
"""Deleted files and typed texts of a person that are looked for, the latest."""
WAYS = ("/api/files/{slug}", "/api/files/{slug}/original", "/api/files/captions/{slug}")


async def look_afresh(person: Person, relay_url: str) -> None:
    """Note it all in the journal."""
    browser, journal = person.browser, person.journal
    answer = await browser.get("/api/polling/initiate", headers=OWN_PAGE)
    if answer.status_code == OK:
        journal.note(Event.INITIATED, user_id=browser.user_id, sent=answer.json()["data"]["sent"])
    fresh = Listener(browser, relay_url, "", journal)
    await fresh.fetch_all()
    fresh.write_down(fresh=True)
    binned = (await browser.get("/api/files/bin?per_page=1000")).json()["data"]
    journal.note(Event.BIN_SHOWS, user_id=browser.user_id, slugs=[file["slug"] for file in binned])
    for slug in list(person.bin.deleted)[-LOOKED_AT:]:
        for way in WAYS:
            path = way.format(slug=slug)
            journal.note(Event.OPENED, slug=slug, path=path, status=(await browser.get(path)).status_code)
    for slug, text in list(person.typed.items())[-LOOKED_AT:]:
        answer = await browser.get(f"/api/files/transcriptions/search/{quote(text)}")
        found = [hit["slug"] for hit in answer.json()["data"]] if answer.status_code == OK else None
        journal.note(Event.SEARCHED, slug=slug, text=text, found=found)
