"""Why a live recording, or a piece of its sound, is refused."""

from __future__ import annotations

from api.platform.http.errors import Conflict, TooManyRequests
from cluster.wording.message import Message, Wording

NAME_A_LANGUAGE = Message("live.name_a_language", "Choose the language that is spoken: it cannot be detected live.")
NO_SESSION = Message("live.no_session", "This file was not recorded live.")
LINK_CLOSED = Message("live.link_closed", "This link is no longer open. Ask whoever sent it for another one.")
NO_SEGMENT = Message("live.no_segment", "This part of the captions is not there yet. The playlist says which are.")
BAD_SOUND = Message("live.bad_sound", "Sound must be whole 16-bit samples at 16 kHz, at most half a second at a time.")
OUT_OF_MINUTES = Message(
    "live.out_of_minutes", "The minutes of the plan are used up. What was recorded is kept, with its captions."
)
TOO_LONG = Wording("live.too_long", "A live recording may take {hours} hours. What was recorded is kept.")
SILENT = Wording(
    "live.silent", "No sound came for {minutes} minutes, so the recording has ended. What was recorded is kept."
)


TOO_MANY = Message(
    "live.too_many",
    "As many live recordings run as this installation takes. Try again when one of them has ended.",
)
TOO_MANY_OF_OWN = Message(
    "live.too_many_of_own", "You have as many live recordings running as one person may have. End one of them first."
)
TOO_MANY_OF_TEAM = Message(
    "live.too_many_of_team",
    "Your team has as many live recordings running as one team may have. End one of them first, or try again later.",
)
TOO_FAST = Message("live.too_fast", "Sound comes faster than anybody speaks. Send it as it is recorded.")


class TooManyLive(TooManyRequests):
    """No more live recordings can run now, of everybody or of one person."""

    code = "too_many_live"

    def __init__(self, message: str) -> None:
        super().__init__(message, retry_after_s=60)


class OtherSource(Conflict):
    """Another page or program sends the sound now."""

    code = "other_source"
    message = Message("live.other_source", "Another page or program records this now. You can take over from it.")


class LiveEnded(Conflict):
    code = "live_ended"
    message = Message("live.ended", "This live recording has ended.")


class MissingPiece(Conflict):
    """Pieces before this one have not come. `GET` says which one is next."""

    code = "missing_piece"
    message = Message("live.missing_piece", "A piece of the sound before this one is missing. Send that first.")


class TooFast(TooManyRequests):
    code = "too_fast"

    def __init__(self) -> None:
        super().__init__(TOO_FAST, retry_after_s=5)
