"""The commands of `python -m benchmarks.soak` by name."""

from __future__ import annotations

from cluster.testing.commands import Command

COMMANDS = {
    "abuse": Command(
        "benchmarks.soak.abuse.command", "Attacks by one person while another works: does anybody notice?"
    ),
    "captions": Command(
        "benchmarks.soak.captions.command", "Half a million whole and broken subtitle files through the import."
    ),
    "durability": Command(
        "benchmarks.soak.durability.command", "The product under load and faults; then: was anything lost?"
    ),
    "exports": Command(
        "benchmarks.soak.exports.command", "Hundreds of exports of odd originals: is a frame or a track lost?"
    ),
    "jobs": Command("benchmarks.soak.jobs.command", "Thousands of jobs while processes are killed and suspended."),
    "live": Command(
        "benchmarks.soak.live.command", "Meetings captioned live while senders and processes fail: is a word lost?"
    ),
    "media-mutants": Command(
        "benchmarks.soak.media_mutants.command", "Thousands of broken media files through ingest."
    ),
    "nodes": Command(
        "benchmarks.soak.nodes.command", "People's files while nodes, dispatchers and the bucket of a cluster fail."
    ),
    "schema": Command(
        "benchmarks.soak.schema.command", "Right and wrong calls of every kind: is each answer a described one?"
    ),
    "tasks": Command("benchmarks.soak.tasks.command", "Many files through all four model tasks while replicas fail."),
}
