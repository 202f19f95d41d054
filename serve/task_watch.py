"""Watches over one model task: deploys it where an engine can run, tries again when it fails, publishes what it can do.

Each task is watched apart from the others, so one may be missing or fail while the rest work.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import structlog
from ray.exceptions import RayError

from cluster.sentences import paragraph
from cluster.wording.message import replaced
from serve.application import ApplicationReport, is_deployed, remove, report_on, start
from serve.core.capability import MODELS_FOLDER, TASK_EVENT, TaskState, TaskStatus
from serve.core.capability_store import publish_counts, publish_loaded, publish_profile_problem, publish_status
from serve.core.client import ModelClient
from serve.core.deployment_retry import DeploymentRetry
from serve.core.messages import NO_ENGINE, EngineInfo, EngineRefused
from serve.core.models.models_folder import ModelsFolder
from serve.core.sentences import (
    DECLARED_ELSEWHERE,
    NEW_NOT_STARTED,
    NOT_DECLARED,
    NOT_EXPLAINED,
    NOT_STARTED,
    OLD_RUNS_ON,
    TRIED_AGAIN,
)
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment
from serve.profile import Profile
from serve.tasks.engine_labels import engine_label

log = structlog.get_logger(__name__)

DESCRIBE_S = 10.0
DOWN_S = 60.0
"""An application that ran and does not answer for this long has failed; Serve replaces dead replicas within seconds."""
RELOAD_S = 60.0
"""A running replica has loaded new models of the models folder after this long."""


class TaskWatch:
    """Call `step` every few seconds. It raises RayError when the cluster does not answer, nothing else on purpose."""

    def __init__(
        self,
        deployment: TaskDeployment[Any],
        profile: Profile,
        settings: ModelSettings,
        models_root: Path,
        *,
        replicas_download: bool = False,
        deploys: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`deploys`: false where somebody else, such as a RayService, starts and ends the applications."""
        self.deployment = deployment
        self.profile = profile
        self.settings = settings
        self.models_root = models_root
        self.replicas_download = replicas_download
        self.deploys = deploys
        self.loaded: EngineInfo | None = None
        """What runs, or what the first request starts."""
        self.status: TaskStatus | None = TaskStatus(TaskState.STARTING)
        self._folder = ModelsFolder(models_root, now)
        self._now = now
        self._explained: EngineInfo | None = None
        self._deployed: EngineInfo | None = None
        """The explanation that the running deployment was made for."""
        self._version = ""
        """Of the running deployment: the same one lets its replicas run on when it is deployed with other limits."""
        self._described = False
        self._changes_until = now()
        """Until then a replica may still be loading models that arrived."""
        self._has_new_limits = False
        self._profile_problem = ""
        self._keeps_old = False
        """Whether the newest change failed and the replicas from before it run on."""
        self._replicas = 0
        self._down_since: float | None = None
        self._retry = DeploymentRetry(now)
        self._published: tuple[EngineInfo | None, TaskStatus | None] | None = None
        self._counts: dict[str, int] = {}
        self._announced = ""

    @property
    def name(self) -> str:
        return self.deployment.task.name

    @property
    def state(self) -> TaskState:
        if self.status is not None:
            return self.status.state
        return TaskState.STARTING if self.loaded is None else TaskState.READY

    def use(self, profile: Profile, problem: str = "") -> None:
        """Run as this profile says from the next step on; limits change without a restart.

        `problem` says why an even newer one cannot be used.
        """
        before, section = self.profile.section(self.name), profile.section(self.name)
        self.profile = profile
        if section != before and not self.deploys:
            problem = problem or DECLARED_ELSEWHERE
        self._keeps_old = False
        self._set_profile_problem(problem)
        if section == before or not self.deploys:
            return
        self._explained = None
        if before is not None and section is not None and not before.restarts_for(section):
            log.info("task.limits_change", task=self.name)
            self._has_new_limits = True
        else:
            log.info("task.replicas_change", task=self.name)
            self._deployed = None

    def step(self) -> None:
        explained = self._explain()
        if not self.deploys:
            self._look_only(explained)
            return
        if not explained.can_run and not self.deployment.is_required:
            if self.state is not TaskState.MISSING:
                # An earlier run of this program may have deployed it.
                remove(self.name)
            self._deployed = None
            self._set(None, TaskStatus(TaskState.MISSING, explained.reason))
            return
        if self._deployed is None or self._is_outdated(explained) or self._retry.is_due():
            self._deploy(explained, uuid4().hex)
        elif self._has_new_limits:
            self._deploy(explained, self._version)
        if not self._retry.is_waiting:
            self._look(explained, report_on(self.name))

    def _look_only(self, explained: EngineInfo) -> None:
        if is_deployed(self.name) or self.deployment.is_required:
            self._look(explained, report_on(self.name))
        else:
            reason = NOT_DECLARED if explained.can_run else explained.reason
            self._set(None, TaskStatus(TaskState.MISSING, reason))

    def _explain(self) -> EngineInfo:
        if self._explained is None or self._folder.has_changed():
            try:
                explained = self.deployment.explain_in(self.profile, self.settings, self.models_root)
            except Exception as failure:
                # One task's mistake must not end the watch over the others.
                log.exception("task.not_explained", task=self.name)
                reason = NOT_EXPLAINED(failure=str(failure))
                explained = EngineInfo(self.name, NO_ENGINE, "", "", reason)
            if self._explained is not None and explained != self._explained:
                self._described = False
                self._changes_until = self._now() + RELOAD_S
            self._explained = explained
        return self._explained

    def _is_outdated(self, explained: EngineInfo) -> bool:
        """Whether a new deployment would load other models. A replica that watches the folder loads them itself."""
        if self.deployment.reloads_itself or self._deployed is None:
            return False
        return (explained.engine, explained.model) != (self._deployed.engine, self._deployed.model)

    def _deploy(self, explained: EngineInfo, version: str) -> None:
        self._deployed, self._described, self._has_new_limits = explained, False, False
        self._version = version
        self._retry.begun()
        try:
            application = self.deployment.application(
                self.profile, self.settings, self.models_root, replicas_download=self.replicas_download
            )
            if application is not None:
                start({self.name: application}, version)
        except RayError:
            raise
        except Exception as failure:
            log.exception("task.not_deployed", task=self.name)
            self._fail(str(failure))

    def _look(self, explained: EngineInfo, report: ApplicationReport) -> None:
        counts = {"starting": report.starting, "stopping": report.stopping}
        if counts != self._counts:
            publish_counts(self.name, counts)
            self._counts = counts
        if report.has_failed and report.replicas and self.loaded is not None:
            self._keep_old(report.message)
        # A required one that ran gets a minute: its files wait for it.
        elif report.has_failed or (report.replicas_fail and not self.deployment.is_required):
            self._fail(report.message)
        elif report.is_running:
            self._down_since = None
            if self._keeps_old:
                self._keeps_old = False
                self._set_profile_problem("")
            if report.replicas:
                self._retry.succeeded()
                self._describe(is_new=report.replicas != self._replicas)
            elif self._may_end_replicas:
                self._described = False
                self._set(explained, TaskStatus(TaskState.IDLE))
            self._replicas = report.replicas
        elif self.loaded is not None and report.replicas:
            # While a change replaces replicas, those that run are as good as before.
            self._down_since = None
        elif self.loaded is not None:
            self._down_since = self._down_since or self._now()
            if self._now() - self._down_since >= DOWN_S:
                self._set(self.loaded, TaskStatus(TaskState.FAILED, self._failure(report.message)))
        else:
            self._set(None, TaskStatus(TaskState.STARTING))

    def _describe(self, *, is_new: bool) -> None:
        """A request counts as use: replicas that end when idle are asked only when they may have changed."""
        if self._described and not is_new and self._may_end_replicas:
            return
        try:
            with ModelClient[Any, Any](self.deployment.task, deadline_s=DESCRIBE_S) as client:
                loaded = client.describe()
        except EngineRefused:
            # A busy model or one being replaced does not answer; until it does, the last answer stays true.
            return
        self._described = self._now() >= self._changes_until
        self._set(loaded, None)

    def _fail(self, message: str) -> None:
        """Requests must not wait for a replica that never starts, so a failed application is removed until a retry."""
        self._set(None, TaskStatus(TaskState.FAILED, self._failure(message)))
        self._retry.failed()
        if self.deploys and not self.deployment.is_required:
            remove(self.name)

    def _keep_old(self, message: str) -> None:
        """A change whose replicas do not start leaves those that run."""
        self._keeps_old = True
        self._set_profile_problem(
            paragraph(NEW_NOT_STARTED(model=self.deployment.task.model, message=message), OLD_RUNS_ON)
        )
        self._retry.failed()

    def _set_profile_problem(self, problem: str) -> None:
        if problem != self._profile_problem:
            self._profile_problem = problem
            publish_profile_problem(self.name, self._for_pages(problem))
            if problem:
                log.warning("profile.not_used", task=self.name, reason=problem)

    def _failure(self, message: str) -> str:
        return paragraph(NOT_STARTED(model=self.deployment.task.model, message=message), TRIED_AGAIN)

    @property
    def _may_end_replicas(self) -> bool:
        section = self.profile.section(self.name)
        return section is not None and section.unload_after_s is not None

    def _set(self, loaded: EngineInfo | None, status: TaskStatus | None) -> None:
        if status is not None and status.sentence:
            status = replace(status, sentence=self._for_pages(status.sentence))
        self.loaded, self.status = loaded, status
        if (loaded, status) == self._published:
            return
        publish_loaded(self.name, loaded)
        publish_status(self.name, status)
        self._published = (loaded, status)
        self._announce()

    def _announce(self) -> None:
        sentence = self.sentence()
        if sentence and sentence != self._announced:
            self._announced = sentence
            log.info(TASK_EVENT, task=self.name, state=self.state, sentence=sentence)

    def sentence(self) -> str:
        """What people should know about the task now; empty while there is nothing to say."""
        title, loaded = self.deployment.title, self.loaded
        if self.status is not None and self.status.sentence:
            return f"{title}: not available. {self.status.sentence}"
        # What a required task loaded is no news: nothing works before.
        if loaded is None or self.deployment.is_required:
            return ""
        when = " Its model is loaded at the first request." if self.state is TaskState.IDLE else ""
        note = f" {loaded.note}" if loaded.note else ""
        return f"{title}: {engine_label(loaded.engine, loaded.model)}.{note}{when}"

    def _for_pages(self, sentence: str) -> str:
        """Pages do not name the models folder: its location on the server is for the administrator alone."""
        return replaced(sentence, str(self.models_root), MODELS_FOLDER)
