"""4. No job runs under an expired lease, no file is left over, and no row names a missing file."""

from __future__ import annotations

from datetime import timedelta

from api.platform.jobs.states import JobState
from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants import speakers
from benchmarks.soak.durability.invariants.keys import FILE_KEYS, ever_named
from benchmarks.soak.durability.invariants.verdict import Verdict

QUIET_LEASES = 3


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(4, "no dead lease, no leftover folder or object, no row without its file")
    quiet = timedelta(seconds=QUIET_LEASES * evidence.lease_s)
    for job in evidence.tables["jobs"]:
        name = f"Job {job['id']} ({job['kind']})"
        if job["state"] == JobState.RUNNING:
            until = job["lease_until"]
            verdict.expect(
                until is not None and until > evidence.now - quiet, f"{name} runs under a lease that ended at {until}."
            )
        else:
            free = job["owner"] is None and job["lease_until"] is None
            verdict.expect(free, f"{name} is {job['state']} and still has an owner or a lease.")
    speakers.judge_parts(verdict, evidence)
    _judge_rows(verdict, evidence)
    _judge_disk(verdict, evidence)
    return verdict


def _judge_rows(verdict: Verdict, evidence: Evidence) -> None:
    for file in evidence.tables["files"]:
        for column in FILE_KEYS:
            key = file[column]
            if key:
                verdict.expect(
                    key in evidence.objects, f"File {file['slug']} names {key} as {column}: it is not there."
                )
    for export in evidence.tables["exports"]:
        key = export["export_key"]
        if key:
            size = evidence.objects.get(key)
            verdict.expect(
                size == export["size_bytes"],
                f"Export {export['id']} names {key}: it has {size} bytes, not {export['size_bytes']}.",
            )


def _judge_disk(verdict: Verdict, evidence: Evidence) -> None:
    live_jobs = {str(job["id"]) for job in evidence.tables["jobs"] if job["state"] == JobState.RUNNING}
    if evidence.work.is_dir():
        for folder in evidence.work.iterdir():
            verdict.expect(folder.name in live_jobs, f"The work folder {folder.name} belongs to no running job.")
    live_uploads = {
        row["id"]
        for row in evidence.tables["tus_uploads"]
        if row["completed_at"] is None and row["terminated_at"] is None
    }
    for name in evidence.incoming:
        verdict.expect(
            name.partition(".")[0] in live_uploads, f"The bytes {name} of an upload that is over are still there."
        )
    named = ever_named(evidence)
    for key in evidence.objects:
        is_running = any(part in live_jobs for part in key.split("/"))
        verdict.expect(is_running or key in named, f"The object {key} was never named by any row.")
