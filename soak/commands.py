"""The commands of `python -m soak` by name."""

from __future__ import annotations

from cluster.testing.commands import Command

COMMANDS = {
    "abuse": Command("soak.abuse.command", "Attacks by one person while another works: does anybody notice?"),
    "captions": Command("soak.captions.command", "Half a million whole and broken subtitle files through the import."),
    "durability": Command("soak.durability.command", "The product under load and faults; then: was anything lost?"),
    "exports": Command("soak.exports.command", "Hundreds of exports of odd originals: is a frame or a track lost?"),
    "jobs": Command("soak.jobs.command", "Thousands of jobs while processes are killed and suspended."),
    "media-mutants": Command("soak.media_mutants.command", "Thousands of broken media files through ingest."),
    "nodes": Command("soak.nodes.command", "People's files while nodes, dispatchers and the bucket of a cluster fail."),
    "schema": Command("soak.schema.command", "Right and wrong calls of every kind: is each answer a described one?"),
    "tasks": Command("soak.tasks.command", "Many files through all four model tasks while replicas fail."),
}
