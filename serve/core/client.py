"""How a Ray task, or any synchronous program, uses a model of the running cluster."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, Self, TypeVar

from grpc import RpcError, StatusCode
from ray import serve as ray_serve
from ray.exceptions import RayActorError, RayError, RayTaskError, TaskCancelledError
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError, RayServeException
from ray.serve.handle import DeploymentHandle

from serve.core.capability import TaskState
from serve.core.capability_store import published
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.core.sending import SENDING
from serve.core.sentences import ABSENT, CANCELLED, FAILED, NO_ANSWER, RESTARTED, TOO_MUCH, UNREACHABLE
from serve.core.task import ModelTask

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

IN_FLIGHT = 16
LOOK_EVERY_S = 10.0
"""While a request waits this long without an answer, we look whether its model is known to have failed."""
GIVE_UP_S = 60.0
"""A model that does not run gets this long to come back before a request ends with the reason."""
RETRY_WAIT_S = 1.0
"""Pause before a retry when the replica that had the request died or no caller may queue more."""
LONGEST_WAIT_S = 30.0
SPREAD = 0.25
"""Each pause is longer by up to this fraction, so that callers refused together do not return together."""
_RETRIED = frozenset({EngineProblem.OVERLOADED, EngineProblem.RESTARTING})


class ModelClient(Generic[Item, Outcome]):
    """Sends the items of one task to its deployment. Safe to use from several threads; close it after use.

    Every method raises EngineRefused and nothing else on purpose. OVERLOADED and RESTARTING are retried until the
    deadline, after the time that the refusal gives. It doubles with each refusal for overload that follows another.
    """

    def __init__(
        self,
        task: ModelTask[Item, Outcome],
        *,
        deadline_s: float | None = None,
        in_flight: int = IN_FLIGHT,
        give_up_s: float = GIVE_UP_S,
    ) -> None:
        """At most `in_flight` requests of this client are on their way at once; more wait in the client.

        An item is waited for as long as its task says, or for `deadline_s`.
        After `give_up_s` a request ends with the reason when its model is known not to run.
        """
        self._task = task
        self._deadline_s = task.deadline_s if deadline_s is None else deadline_s
        self._give_up_s = give_up_s
        self._threads = ThreadPoolExecutor(in_flight, thread_name_prefix=f"{task.name}-client")
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._handle: DeploymentHandle[Any] | None = None
        self._responses: set[Any] = set()

    def submit(self, item: Item) -> Future[Outcome]:
        """The future outcome; use it with `concurrent.futures.wait` and `as_completed`."""
        return self._threads.submit(self.run, item)

    def run(self, item: Item) -> Outcome:
        with SENDING.request(self._closed):
            outcome: Outcome = self._call(lambda handle: self._routed(handle, item).run.remote(item))
        return outcome

    def describe(self) -> EngineInfo:
        info: EngineInfo = self._call(lambda handle: handle.describe.remote())
        return info

    def close(self) -> None:
        """Cancel all requests, so that the model does no work for results that nobody reads."""
        self._closed.set()
        with self._lock:
            for response in self._responses:
                response.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, call: Callable[[DeploymentHandle[Any]], Any]) -> Any:
        begun = time.monotonic()
        deadline = begun + self._deadline_s
        overloads = 0
        while True:
            try:
                return self._once(call, deadline)
            except EngineRefused as refused:
                if refused.problem not in _RETRIED or refused.retry_after_s is None:
                    raise
                overloads = overloads + 1 if refused.problem is EngineProblem.OVERLOADED else 0
                wait = pause_s(refused.retry_after_s, overloads)
                if time.monotonic() - begun >= self._give_up_s and (outage := self._outage()) is not None:
                    raise EngineRefused(EngineProblem.MODEL_FAILED, outage) from None
                if time.monotonic() + wait >= deadline or self._closed.wait(wait):
                    raise

    def _once(self, call: Callable[[DeploymentHandle[Any]], Any], deadline: float) -> Any:
        """One request. Raises EngineRefused; with `retry_after_s` when a retry may help."""
        response = None
        try:
            response = call(self._application())
            with self._lock:
                self._responses.add(response)
            return self._result(response, deadline)
        except RayTaskError as failure:
            raise self._unwrapped(failure) from None
        except TimeoutError:
            if response is not None:
                response.cancel()
            raise EngineRefused(
                EngineProblem.OVERLOADED,
                NO_ANSWER(model=self._task.model, seconds=round(self._deadline_s)),
            ) from None
        except BackPressureError:
            raise EngineRefused(
                EngineProblem.OVERLOADED,
                TOO_MUCH(material=self._task.material, model=self._task.model),
                RETRY_WAIT_S,
            ) from None
        except (RayActorError, DeploymentUnavailableError, _NoReplica):
            raise self._restarted() from None
        except TaskCancelledError:
            raise EngineRefused(EngineProblem.MODEL_FAILED, CANCELLED(model=self._task.model)) from None
        except (RayServeException, RayError, RpcError) as failure:
            if _replica_went_away(failure):
                raise self._restarted() from None
            raise EngineRefused(
                EngineProblem.MODEL_FAILED, UNREACHABLE(model=self._task.model, failure=str(failure))
            ) from failure
        finally:
            with self._lock:
                self._responses.discard(response)

    def _result(self, response: Any, deadline: float) -> Any:
        """The answer. Raises TimeoutError; _NoReplica once the model is known not to run.

        A request that waits for the first replica of an idle model never ends when the application is removed.
        """
        while True:
            left = max(0.0, deadline - time.monotonic())
            try:
                return response.result(timeout_s=min(left, LOOK_EVERY_S))
            except TimeoutError:
                if left <= LOOK_EVERY_S:
                    raise
                if self._outage() is not None:
                    response.cancel()
                    raise _NoReplica from None

    def _outage(self) -> str | None:
        """Why the model does not run, as a sentence, where the process that watches over it says so."""
        try:
            capability = published(self._task.name)
        except RayError:
            return None
        if capability.may_work:
            return None
        # What an administrator has to install or to start is no news for the people who wait.
        return capability.sentence if capability.state is TaskState.FAILED else self._absent

    @property
    def _absent(self) -> str:
        return ABSENT(model=self._task.model)

    def _restarted(self) -> EngineRefused:
        with self._lock:
            # The whole application may have been deployed anew: its old handle would never find it.
            self._handle = None
        return EngineRefused(EngineProblem.RESTARTING, RESTARTED(model=self._task.model), RETRY_WAIT_S)

    def _unwrapped(self, failure: RayTaskError) -> EngineRefused:
        """The error that the replica raised, as it raised it."""
        cause = failure.cause
        if isinstance(cause, EngineRefused):
            return cause
        return EngineRefused(EngineProblem.MODEL_FAILED, FAILED(model=self._task.model, cause=str(cause)))

    def _routed(self, handle: DeploymentHandle[Any], item: Item) -> DeploymentHandle[Any]:
        return handle.options(session_id=self._task.stream(item)) if self._task.keeps_state else handle

    def _application(self) -> DeploymentHandle[Any]:
        with self._lock:
            if self._handle is None:
                # gRPC would look for the replica behind the proxy that a network has for the web.
                os.environ.setdefault("grpc_proxy", "")
                try:
                    # By value: an item goes to the replica in one gRPC message. As an object in Ray's store, a request
                    # of 160 KB takes 3.6 ms instead of 1.4. Without the option requests work, at that price.
                    self._handle = ray_serve.get_app_handle(self._task.name).options(_by_reference=False)
                except RayServeException as missing:
                    # Models may still be loading, or be deployed again after the cluster was lost.
                    raise EngineRefused(
                        EngineProblem.OVERLOADED,
                        self._absent,
                        RETRY_WAIT_S,
                    ) from missing
            return self._handle


def pause_s(retry_after_s: float, overloads: int) -> float:
    """The pause before a retry, after this many refusals for overload in a row (0 for other refusals)."""
    doubled = retry_after_s * 2.0 ** min(max(0, overloads - 1), 10)
    longest = max(LONGEST_WAIT_S, retry_after_s)
    return min(longest, doubled) * random.uniform(1, 1 + SPREAD)


class _NoReplica(Exception):
    """No replica will take the request."""


def _replica_went_away(failure: Exception) -> bool:
    """Whether gRPC lost the replica; Serve turns only some of these into its own errors."""
    return isinstance(failure, RpcError) and failure.code() in (StatusCode.UNAVAILABLE, StatusCode.CANCELLED)
