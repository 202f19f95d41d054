"""A page of Chromium with a slowed processor, and what the browser tells about its work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

SLOWED = 4
"""How much slower the processor is in measurements with a slow one; Chrome's own setting for a mid-range phone."""

ROWS = "[data-testid=caption-line]"
LIST = "[role=list][aria-label='Caption lines']"
SHOWN_WITHIN_MS = 60_000
_PROBES = Path(__file__).with_name("probes.js").read_text()
_SETTLE_S = 0.09
_LOOP = """() => {
    const from = performance.now();
    let x = 0;
    for (let i = 0; i < 3e7; i += 1) x = (x + i * 7) % 1000003;
    return [performance.now() - from, x];
}"""


@dataclass(frozen=True)
class Frames:
    """Frames of the page's main thread during a span, and the most rows and elements of a list at one time."""

    per_s: float
    longest_ms: float
    rows: int
    elements: int


class MeasuredPage:
    def __init__(self, page: Page, browser: CDPSession) -> None:
        self.page = page
        self._cdp = browser
        # Time on the processor. By the clock, a task also waits here for a core: server and browser share two.
        self._cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    def slow_down(self, factor: int) -> None:
        """Make the page's processor this many times slower; 1 is its own speed."""
        self._cdp.send("Emulation.setCPUThrottlingRate", {"rate": factor})

    def loop_ms(self) -> float:
        """How long a fixed loop takes: it shows by how much the processor is slowed."""
        return median(float(self.page.evaluate(_LOOP)[0]) for _ in range(5))

    def received(self) -> list[int]:
        """A list that grows by the bytes of each answer over the network, as sent."""
        sizes: list[int] = []
        self._cdp.send("Network.enable")
        self._cdp.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        return sizes

    def lcp_s(self) -> float:
        """Seconds from the navigation to the largest contentful paint so far."""
        return float(self.page.evaluate("window.probes.lcp")) / 1000

    def key_times(self, keys: Sequence[str], pause_ms: int) -> list[float]:
        """Press the keys; for each, milliseconds until the next paint (Event Timing, steps of 8 ms, at least 16)."""
        self.page.evaluate("window.probes.keys.clear()")
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(pause_ms)
        self.page.wait_for_timeout(500)
        taken = [float(ms) for ms in self.page.evaluate("[...window.probes.keys.values()]")]
        return taken + [16.0] * (len(keys) - len(taken))

    def work_ms(self, keys: Sequence[str], settle_s: float = _SETTLE_S) -> list[float]:
        """Press the keys; for each, milliseconds on the processor of main-thread tasks, less those of an idle page."""
        idle = median(self._work_during(None, settle_s) for _ in range(5))
        return [max(0.0, self._work_during(key, settle_s) - idle) for key in keys]

    def _work_during(self, key: str | None, settle_s: float) -> float:
        before = self._tasks_s()
        if key is not None:
            self.page.keyboard.press(key)
        time.sleep(settle_s)
        return 1000 * (self._tasks_s() - before)

    def _tasks_s(self) -> float:
        metrics: list[dict[str, Any]] = self._cdp.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def scroll(self, pixels: int, per_s: int) -> Frames:
        """Scroll the list of lines down, in gestures that turn round at the end, and count its frames."""
        box = self.page.locator(LIST).bounding_box()
        assert box is not None
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        self.page.evaluate("([rows, list]) => window.frames_of(rows, list)", [ROWS, LIST])
        gesture = {"speed": per_s, "gestureSourceType": "mouse", "preventFling": True}
        self._cdp.send("Input.synthesizeScrollGesture", {**at, **gesture, "yDistance": -pixels})
        seen = self.page.evaluate("() => { window.probes.frames.running = false; return window.probes.frames }")
        times = seen["times"]
        gaps = [after - before for before, after in zip(times, times[1:], strict=False)]
        return Frames(1000 * len(gaps) / sum(gaps), max(gaps), seen["rows"], seen["elements"])

    def long_tasks(self) -> list[float]:
        """Milliseconds of each task over 50 ms since the last call."""
        taken = self.page.evaluate("() => window.probes.longTasks.splice(0)")
        return [float(duration) for _, duration in taken]

    def open_editor(self, slug: str) -> None:
        self.page.goto(f"/captions/{slug}")
        self.page.locator(ROWS).first.wait_for(timeout=SHOWN_WITHIN_MS)

    def go_into(self, row: int) -> None:
        """Put the caret at the end of the text of one of the rows in view."""
        text = self.page.locator(ROWS).nth(row).locator("textarea")
        text.focus()
        self.page.keyboard.press("End")


@contextmanager
def measured_page(
    browser: Browser, url: str, cookies: Path | None = None, size: tuple[int, int] = (1360, 860)
) -> Iterator[MeasuredPage]:
    """A page in a new profile with an empty cache, at the machine's own speed."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        storage_state=cookies,
        locale="en-US",
        service_workers="block",
    )
    context.add_init_script(_PROBES)
    page = context.new_page()
    yield MeasuredPage(page, context.new_cdp_session(page))
    context.close()
