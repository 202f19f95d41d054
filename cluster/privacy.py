"""Stop libraries from reporting usage to their makers: people's files are private.

onnxruntime 1.31 on Linux sends usage events to Microsoft and keeps a session file in the temporary folder. Ray and the
Hugging Face hub count uses; pyannote.audio 4 sends the length of each file. Each reads a variable that turns this off
and must be set before the library loads.
"""

from __future__ import annotations

import os

NO_REPORTS = {
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "PYANNOTE_METRICS_ENABLED": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}


def keep_private() -> None:
    """Set the variables in this process, except those already set."""
    for name, value in NO_REPORTS.items():
        os.environ.setdefault(name, value)
