"""Whether the models of a cluster run, and whether it has room for those of the profile. The caller has joined Ray."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cluster.doctor import Check, State
from cluster.wording.message import Message
from serve.application import ApplicationReport, is_deployed, report_on
from serve.core.task_deployment import TaskDeployment
from serve.profile import BadProfile, Profile, load_profile
from serve.tasks.registry import TASKS

NOT_DEPLOYED = Message(
    "models.not_deployed", "Not deployed. Run `sagascript serve`, or add it to the tasks of the RayService."
)


def check_room(profile_name: str) -> Iterable[Check]:
    """What the replicas of the profile need against what the nodes have."""
    import ray

    try:
        profile = load_profile(profile_name)
    except BadProfile as wrong:
        yield Check("profile", State.MISSING, str(wrong))
        return
    there = ray.cluster_resources()
    yield room(profile, slots=there.get("CPU", 0.0), gpus=there.get("GPU", 0.0))


def room(profile: Profile, *, slots: float, gpus: float) -> Check:
    sections = [section for each in TASKS if (section := profile.section(each.task.name)) is not None]
    # A replica that starts on demand takes its share of a GPU then, and must fit beside the others.
    needed_slots = sum(section.slots * section.replicas for section in sections)
    needed_gpus = sum(section.num_gpus * section.replicas for section in sections)
    name = f"Profile “{profile.name}”"
    if needed_gpus > gpus:
        advice = "Add GPU nodes, or choose a profile without GPUs." if not gpus else "Add GPU nodes or lower replicas."
        return Check("room for models", State.MISSING, f"{name} needs {needed_gpus:g} GPUs of {gpus:g}. {advice}")
    if needed_slots >= slots:
        advice = "Nothing is left for files. Add nodes, or lower num_cpus or replicas in the profile."
        return Check("room for models", State.MISSING, f"{name} needs {needed_slots:g} slots of {slots:g}. {advice}")
    left = f"{needed_slots:g} of {slots:g} slots and {needed_gpus:g} of {gpus:g} GPUs"
    return Check("room for models", State.OK, f"{name} takes {left}.")


def check_applications() -> Iterable[Check]:
    for each in TASKS:
        if is_deployed(each.task.name):
            yield judge_application(each, report_on(each.task.name))
        else:
            state = State.MISSING if each.is_required else State.WARN
            yield Check(f"{each.task.name} model", state, NOT_DEPLOYED)


def judge_application(deployment: TaskDeployment[Any], report: ApplicationReport) -> Check:
    name = f"{deployment.task.name} model"
    if report.is_running and not report.replicas_fail:
        count = f"{report.replicas} replicas" if report.replicas != 1 else "1 replica"
        return Check(name, State.OK, f"Running, {count}." if report.replicas else "Starts with the first request.")
    state = State.MISSING if deployment.is_required else State.WARN
    if report.has_failed or report.replicas_fail:
        advice = "The log of the replica says more; correct the cause, and Serve starts it again."
        return Check(name, state, f"It does not start: {report.message} {advice}")
    return Check(name, state, f"It is not ready: {report.message or 'it is starting.'} Wait, then check again.")
