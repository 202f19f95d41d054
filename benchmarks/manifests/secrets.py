"""Which pod may hold which secret, and which settings exist at all."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_settings import BaseSettings

from api.platform.settings import ApiSettings
from benchmarks.manifests.documents import Document, Pod, pods
from serve.tasks.settings import MODEL_SECRETS, MODEL_SETTINGS

HOLDERS: dict[str, frozenset[str]] = {
    "SAGASCRIPT_DATABASE_URL": frozenset({"api", "uploads", "dispatcher", "migrate"}),
    "SAGASCRIPT_SESSION_SECRET": frozenset({"api"}),
    "SAGASCRIPT_DATA_KEY": frozenset({"api", "dispatcher"}),
    "SAGASCRIPT_REALTIME_SECRET": frozenset({"api", "relay", "dispatcher"}),
    "SAGASCRIPT_REDIS_URL": frozenset({"relay"}),
    "SAGASCRIPT_METRICS_TOKEN": frozenset({"api"}),
    "SAGASCRIPT_STRIPE_SECRET_KEY": frozenset({"api"}),
    "SAGASCRIPT_STRIPE_WEBHOOK_SECRET": frozenset({"api"}),
    "SAGASCRIPT_SMTP_PASSWORD": frozenset({"dispatcher"}),
    **dict.fromkeys(MODEL_SECRETS, frozenset({"models", "ray-head", "ray-cpu", "ray-gpu"})),
}
"""The components whose main container gets a secret setting. No Ray node gets one of the control plane."""

_CLASSES: tuple[type[BaseSettings], ...] = (ApiSettings, *MODEL_SETTINGS)
_SETTINGS = {f"SAGASCRIPT_{name.upper()}" for settings in _CLASSES for name in settings.model_fields}
_SIDECARS = frozenset({"ray-node"})
_RAY_SECRETS = MODEL_SECRETS | {"RAY_AUTH_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}


def is_setting(variable: str) -> bool:
    return variable in _SETTINGS


def secrets_out_of_place(documents: list[Document]) -> Iterator[str]:
    for pod in pods(documents):
        yield from _of(pod)


def _of(pod: Pod) -> Iterator[str]:
    if any("secret" in volume for volume in pod.spec.get("volumes", [])):
        yield f"{pod.title}: secrets are variables here, named one by one, and no volume"
    for container in pod.containers:
        title = f"{pod.title}: container {container['name']}"
        if container.get("envFrom"):
            yield f"{title} takes every key of an object; name each variable"
        for variable in container.get("env", []):
            name = variable["name"]
            is_secret = "secretKeyRef" in variable.get("valueFrom", {})
            if name.startswith("SAGASCRIPT_") and not is_setting(name):
                yield f"{title}: there is no setting {name}"
            if name in HOLDERS and not is_secret:
                yield f"{title}: {name} must come from a Secret"
            if name in HOLDERS and (pod.component not in HOLDERS[name] or container["name"] in _SIDECARS):
                yield f"{title} must not hold {name}"
            if is_secret and _is_ray(pod, container["name"]) and name not in _RAY_SECRETS:
                yield f"{title} is a Ray node and must not hold {name}"


def _is_ray(pod: Pod, container: str) -> bool:
    return pod.component.startswith("ray-") or container in _SIDECARS
