"""The product's upload host as a process: as it is, or without the hash of the content that it keeps with every file.

    python -m benchmarks.uploads.ours plain|hashed

Settings come from the environment, as for `sagascript uploads`.
"""

from __future__ import annotations

import sys

from api.cli.web import run_web
from api.settings import ApiSettings
from api.uploads.host import create_upload_host
from cluster.logging import configure_logging

PLAIN, HASHED = "plain", "hashed"


def serve(kind: str) -> None:
    settings = ApiSettings()
    configure_logging("uploads", settings)
    app = create_upload_host(settings, hash_content=kind == HASHED)
    run_web(app, host=settings.host, port=settings.port)


if __name__ == "__main__":
    serve(sys.argv[1])
