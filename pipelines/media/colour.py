"""High dynamic range: which videos have it, and the filters that bring them to what every screen shows."""

from __future__ import annotations

import subprocess
from enum import StrEnum
from functools import lru_cache

from cluster.wording.message import Message
from pipelines.media.ffmpeg import find_ffmpeg, list_of, program_version
from pipelines.messages.attempt import StageFailed

NO_TONE_MAPPING = Message(
    "pipelines.media.no_tone_mapping",
    "This video is HDR, and the ffmpeg program of this server cannot convert HDR: it lacks the filters zscale and "
    "tonemap. Export with a subtitle track instead, or ask the administrator to install a full ffmpeg.",
)
_NITS = 203
"""Brightness of white in an HDR picture, from Recommendation ITU-R BT.2408."""


class Transfer(StrEnum):
    """How code values become light. The values are zscale's names."""

    SDR = "sdr"
    PQ = "smpte2084"
    HLG = "arib-std-b67"


_LIBAV = {16: Transfer.PQ, 18: Transfer.HLG}
"""AVColorTransferCharacteristic, which are the numbers of ISO/IEC 23091-2."""

SDR_TAGS = ("-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv")


def transfer_of(number: int | None) -> Transfer:
    return _LIBAV.get(number or 0, Transfer.SDR)


def tone_mapping(transfer: Transfer) -> str:
    """Filters from HDR to BT.709 in 8 bits, to be put after scaling; nothing for SDR. Raises `StageFailed`.

    The curve is Hable's, which keeps detail in highlights.
    """
    if transfer is Transfer.SDR:
        return ""
    if not can_map_tones():
        raise StageFailed("export", NO_TONE_MAPPING, retryable=False)
    return (
        f",zscale=tin={transfer}:min=2020_ncl:pin=2020:t=linear:npl={_NITS},format=gbrpf32le,zscale=p=bt709,"
        "tonemap=tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
    )


def can_map_tones() -> bool:
    """Whether ffmpeg has the filters. Raises `StageFailed` without ffmpeg."""
    try:
        # A list that did not come is not kept: the machine may have been busy.
        return _has_tone_mapping(program_version())
    except (OSError, subprocess.SubprocessError):
        return False


@lru_cache(maxsize=4)
def _has_tone_mapping(version: str) -> bool:
    """Whether the program that says this version of itself has the filters."""
    listed = list_of(find_ffmpeg(), "-filters")
    return {"zscale", "tonemap"} <= {words[1] for row in listed.splitlines() if len(words := row.split()) > 2}
