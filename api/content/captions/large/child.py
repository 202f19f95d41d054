"""Run by `process.py`: call a function of ours, and write what it returns to standard output, both pickled.

python -m api.content.captions.large.child PATH
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path


def main(path: str) -> None:
    call = pickle.loads(Path(path).read_bytes())
    pickle.dump(call(), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main(sys.argv[1])
