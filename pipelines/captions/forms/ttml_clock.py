"""Times of a TTML document in milliseconds. Source: W3C TTML2, 12.3.1 and the parameters of 7.2."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipelines.timecode import Counting

_CLOCK = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9})|:(\d{1,3})(?:\.\d{1,3})?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s|f|t)", re.ASCII)
_UNITS_MS = {"h": 3_600_000.0, "m": 60_000.0, "s": 1_000.0, "ms": 1.0}
_LATEST_MS = 2**40


class TtmlClock:
    """Reads times by the parameters of a document. `fps` is what the person chose; None for the document's own."""

    def __init__(self, attributes: Mapping[str, str], fps: float | None) -> None:
        self.counts_tape = attributes.get("timeBase") == "smpte"
        """Addresses name frames, as those of a tape do, and a second of them may last longer than one of the clock."""
        rate = _number(attributes.get("frameRate"), 30.0)
        multiplier = attributes.get("frameRateMultiplier", "1 1").replace(":", " ").split()
        if len(multiplier) == 2 and all(part.isdigit() and int(part) for part in multiplier):
            rate = rate * int(multiplier[0]) / int(multiplier[1])
        self._fps = fps or rate
        self._ticks = _number(attributes.get("tickRate"), rate if "frameRate" in attributes else 1.0)
        drops = attributes.get("dropMode", "nonDrop") == "dropNTSC"
        self._counting = Counting(max(1, round(self._fps)), drop=drops)

    @property
    def hour_ms(self) -> float:
        """How long an hour of addresses lasts."""
        return self._address_ms(1, 0, 0, 0) if self.counts_tape else _UNITS_MS["h"]

    def moment(self, text: str) -> int | None:
        """Milliseconds of a time; None for what is none."""
        clock = _CLOCK.fullmatch(text)
        if clock is not None:
            hours, minutes, seconds = (int(part) for part in clock.group(1, 2, 3))
            if self.counts_tape and not clock[4]:
                return round(self._address_ms(hours, minutes, seconds, int(clock[5] or 0)))
            whole = ((hours * 60 + minutes) * 60 + seconds) * 1000
            if clock[4]:
                return whole + int(clock[4][:3].ljust(3, "0"))
            return whole + (round(int(clock[5]) * 1000 / self._fps) if clock[5] else 0)
        offset = _OFFSET.fullmatch(text)
        if offset is None:
            return None
        unit = offset[2]
        scale = _UNITS_MS.get(unit) or 1000 / (self._fps if unit == "f" else self._ticks)
        return min(round(float(offset[1]) * scale), _LATEST_MS)

    def _address_ms(self, hours: int, minutes: int, seconds: int, frames: int) -> float:
        return self._counting.number(hours, minutes, seconds, frames) * 1000 / self._fps


def _number(text: str | None, default: float) -> float:
    return float(text) if text and re.fullmatch(r"\d{1,9}", text, re.ASCII) and int(text) else default
