"""Run by `avatar_process.py`: make a person's picture and write it as JSON on standard output.

python -m pipelines.pictures.avatar_child PATH
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

from pipelines.pictures.avatar import make_avatar
from pipelines.pictures.unreadable import UnreadablePicture


def main(path: str) -> None:
    try:
        answer = {"jpeg": base64.b64encode(make_avatar(Path(path))).decode()}
    except UnreadablePicture as unreadable:
        answer = {"refused": str(unreadable)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
