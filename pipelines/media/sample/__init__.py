"""The sample that a new installation transcribes, and that people may try."""

from importlib import resources
from pathlib import Path

SAMPLE = Path(str(resources.files(__name__).joinpath("two-speakers.mp4")))
SAMPLE_NAME = "Two speakers.mp4"
SAMPLE_LANGUAGE = "en-US"
SAMPLE_SECONDS = 60
SAMPLE_TEXT = (
    "Welcome to the show. Today we talk about captions, and why every video should have them.",
    "Thank you. Many people watch with the sound off, on a train or in a library.",
    "That is true. And people who cannot hear well depend on the text. How long does it take to make them?",
    "About a minute. You send the video, read the lines, and correct a few words.",
    "Good. Let us try it now.",
)
"""What is said in it, by two people in turns."""
