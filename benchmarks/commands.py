"""The commands of `python -m benchmarks` by name. A module is imported only when its command runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """`module` has a function `command` with Typer parameters; `about` is its line in `--help`."""

    module: str
    about: str


COMMANDS = {
    "batching": Command("benchmarks.batching.command", "Whisper through our serving path against the bare engine."),
    "preprocess": Command("benchmarks.preprocess.command", "Cost of decoding, speech detection, mel and peaks."),
    "fairness": Command("benchmarks.fairness.command", "Short clips while a long file is being transcribed."),
    "long-file": Command("benchmarks.long_file.command", "Memory on a 10-hour file, resume of a 3-hour file."),
    "start": Command("benchmarks.start.command", "Cold start to the first caption; a killed worker's way back."),
    "submit": Command("benchmarks.submit.command", "How fast the API takes work and lists files."),
    "uploads": Command("benchmarks.uploads.command", "The tus host against a raw socket loop and its peers."),
    "relay": Command("benchmarks.relay.command", "The websocket relay against a minimal broadcast loop."),
    "jobs": Command("benchmarks.jobs.command", "Thousands of jobs while processes are killed and frozen."),
    "abuse": Command("benchmarks.abuse.command", "Attacks of one person while another works: does anybody notice?"),
    "lost": Command("benchmarks.lost.command", "The product under load and faults; then: was anything lost?"),
    "media-mutants": Command("benchmarks.media_mutants.command", "Thousands of broken media files through ingest."),
}
