"""The sample that a new installation transcribes."""

from importlib import resources
from pathlib import Path

SAMPLE = Path(str(resources.files(__name__).joinpath("two-speakers.mp4")))
