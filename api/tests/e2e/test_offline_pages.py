"""Without a network a file that was open lately opens again, and what is written then reaches the server later."""

from __future__ import annotations

from playwright.sync_api import Browser, Error, Page, expect

from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import wait_until, watched_page
from api.testing.sites.site import Person, Site

IS_STORED = """async () => {
    // Before it controls the page, a reload passes the worker by.
    if (navigator.serviceWorker.controller?.state !== "activated") return false;
    const used = performance.getEntriesByType("resource").map(({ name }) => name);
    for (const name of used.filter((name) => new URL(name).pathname.startsWith("/assets/")))
        if ((await caches.match(name, { ignoreVary: true })) === undefined) return false;
    if ((await caches.match("/index.html")) === undefined) return false;
    // The page has opened this already: it keeps the captions and the answers there when it is idle.
    const opening = indexedDB.open("sagascript");
    await new Promise((done) => (opening.onsuccess = done));
    const stores = opening.result.transaction(["answers", "copies"]);
    const answers = stores.objectStore("answers").getAllKeys();
    const copies = stores.objectStore("copies").count();
    await new Promise((done) => (stores.oncomplete = done));
    opening.result.close();
    const names = answers.result.map(([, name]) => name);
    return copies.result > 0 && ['user', 'config', 'file'].every((name) => names.some((one) => one.startsWith(name)));
}"""


def reload_without_network(page: Page) -> None:
    """On a busy machine Chromium at times looks for the network before the worker runs; another reload finds it."""
    for _ in range(4):
        try:
            page.reload()
            return
        except Error as error:
            if "ERR_INTERNET_DISCONNECTED" not in error.message:
                raise
    page.reload()


def test_a_file_opens_without_a_network_and_what_two_tabs_write_is_sent_later(
    chromium: Browser, site: Site, grace: Person
) -> None:
    slug = site.file(grace.user_id, "So the men move on", "Nobody knows when", "And then")
    with watched_page(chromium, site.url, cookies=grace.cookies, with_worker=True) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        first = EditorPage(page, slug).open()
        wait_until(page, IS_STORED)
        kept = page.evaluate(
            "caches.keys().then((names) => Promise.all(names.map(async (name) =>"
            " (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))))"
        )
        paths = [path for cache in kept for path in cache]
        assert all(path.startswith("/assets/") or path in ("/index.html", "/scheme.js", "/logo.svg") for path in paths)

        # What a page sends while it reloads at times passes by the browser's switch.
        with site.no_edits():
            page.context.set_offline(True)
            reload_without_network(page)
            expect(page.get_by_test_id("offline")).to_have_attribute("data-state", "away")
            first.go_into(0, 18)
            first.type(" together")
            expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "failed")
            # What waits survives another reload.
            reload_without_network(page)
            expect(page.locator("textarea").first).to_have_value("So the men move on together")
            other_page = page.context.new_page()
            other = EditorPage(other_page, slug).open()
            other.go_into(1, 17)
            other.type(" it ends")
            expect(other_page.get_by_test_id("save-state")).to_have_attribute("data-state", "failed")
            assert site.texts(slug) == ["So the men move on", "Nobody knows when", "And then"]

        page.context.set_offline(False)
        first.wait_until_saved()
        other.wait_until_saved()
        assert site.texts(slug) == ["So the men move on together", "Nobody knows when it ends", "And then"]
