"""How many replicas of a model run: a fixed number, none while nobody needs it, or as many as waiting work asks for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ray.serve.config import AutoscalingConfig, AutoscalingPolicy

if TYPE_CHECKING:
    from ray.serve.config import AutoscalingContext

    from serve.core.replica.deployment_profile import DeploymentProfile

QUEUED = "queued"
"""The replica's own figure: work that waits in it and is in no batch yet, counted as the task counts its cost."""

UPSCALE_S = 5.0
METRICS_S = 2.0
LOOK_BACK_S = 6.0
"""The first request of an idle deployment starts a replica at once, whatever these say."""


class QueuedWork:
    """The policy: so many replicas that none has more than `target` waiting. Serve keeps within the profile's bounds.

    Requests would be the wrong measure: one window of 30 s and one of 1 s both count as one.
    """

    def __init__(self, target: float) -> None:
        self._target = target

    def __call__(self, context: AutoscalingContext) -> tuple[int, dict[str, Any]]:
        queued = sum((context.aggregated_metrics or {}).get(QUEUED, {}).values())
        return max(math.ceil(queued / self._target), int(context.total_num_requests > 0)), {}


def replica_options(profile: DeploymentProfile) -> dict[str, Any]:
    """The deployment's options that say how many replicas there are."""
    if profile.unload_after_s is None and profile.max_replicas is None:
        return {"num_replicas": profile.replicas}
    least = profile.replicas if profile.unload_after_s is None else 0
    down_s = profile.scale_down_after_s if profile.unload_after_s is None else profile.unload_after_s
    by_queue = AutoscalingPolicy(
        policy_function=f"{__name__}:{QueuedWork.__name__}", policy_kwargs={"target": profile.target_queued}
    )
    policy: dict[str, Any] = {} if profile.max_replicas is None else {"policy": by_queue}
    return {
        "autoscaling_config": AutoscalingConfig(
            min_replicas=least,
            initial_replicas=least,
            max_replicas=max(profile.replicas, profile.max_replicas or 0),
            # One replica fills its batches before another one starts.
            target_ongoing_requests=2 * profile.max_batch,
            upscale_delay_s=UPSCALE_S,
            downscale_delay_s=down_s,
            downscale_to_zero_delay_s=down_s,
            metrics_interval_s=METRICS_S,
            look_back_period_s=LOOK_BACK_S,
            **policy,
        )
    }
