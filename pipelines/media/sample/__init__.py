"""The sample that a new installation transcribes, and that people may try."""

from importlib import resources
from pathlib import Path

SAMPLE = Path(str(resources.files(__name__).joinpath("two-speakers.mp4")))
SAMPLE_NAME = "Two speakers.mp4"
SAMPLE_LANGUAGE = "en-US"
SAMPLE_SECONDS = 60
