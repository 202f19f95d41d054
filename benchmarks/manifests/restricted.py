"""The restricted pod security standard of Kubernetes, https://kubernetes.io/docs/concepts/security/pod-security-standards/."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.manifests.documents import Pod

VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}
_HOST = ("hostNetwork", "hostPID", "hostIPC")


def breaks_restricted_standard(pod: Pod) -> Iterator[str]:
    """Also that every root file system is read-only, which the standard leaves open."""
    for name in _HOST:
        if pod.spec.get(name):
            yield f"{pod.title}: {name} is forbidden"
    for volume in pod.spec.get("volumes", []):
        if not set(volume) - {"name"} <= VOLUMES:
            yield f"{pod.title}: volume {volume['name']} has a forbidden type"
    shared = pod.spec.get("securityContext", {})
    if shared.get("runAsNonRoot") is not True or not shared.get("runAsUser"):
        yield f"{pod.title}: runAsNonRoot and a numeric runAsUser are needed"
    if shared.get("seccompProfile", {}).get("type") != "RuntimeDefault":
        yield f"{pod.title}: seccompProfile must be RuntimeDefault"
    for container in pod.containers:
        own = container.get("securityContext", {})
        title = f"{pod.title}: container {container['name']}"
        if own.get("privileged") or own.get("runAsUser") == 0 or own.get("runAsNonRoot") is False:
            yield f"{title} must not be privileged or root"
        if own.get("allowPrivilegeEscalation") is not False:
            yield f"{title} must forbid privilege escalation"
        if own.get("capabilities", {}).get("drop") != ["ALL"] or own.get("capabilities", {}).get("add"):
            yield f"{title} must drop all capabilities"
        if own.get("readOnlyRootFilesystem") is not True:
            yield f"{title} must have a read-only root file system"
        if any(port.get("hostPort") for port in container.get("ports", [])):
            yield f"{title} must use no port of the host"
