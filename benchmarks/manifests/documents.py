"""The objects of a file of Kubernetes YAML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    file: str
    body: Body

    @property
    def kind(self) -> str:
        return str(self.body.get("kind"))

    @property
    def name(self) -> str:
        return str(self.body.get("metadata", {}).get("name"))

    @property
    def title(self) -> str:
        return f"{self.file}: {self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Pod:
    """A pod template and where it stands."""

    title: str
    template: Body

    @property
    def labels(self) -> dict[str, str]:
        labels: dict[str, str] = self.template.get("metadata", {}).get("labels", {})
        return labels

    @property
    def component(self) -> str:
        return self.labels.get("app.kubernetes.io/component", "")

    @property
    def spec(self) -> Body:
        spec: Body = self.template["spec"]
        return spec

    @property
    def containers(self) -> list[Body]:
        """Those that set up first among them."""
        return [*self.spec.get("initContainers", []), *self.spec["containers"]]


def read_documents(path: Path) -> list[Document]:
    """Raises yaml.YAMLError."""
    return [Document(path.name, body) for body in yaml.safe_load_all(path.read_text()) if body]


def pods(documents: list[Document]) -> Iterator[Pod]:
    for each in documents:
        if each.kind in ("Deployment", "Job"):
            yield Pod(each.title, each.body["spec"]["template"])
        elif each.kind in ("RayService", "RayCluster"):
            spec = each.body["spec"]
            cluster = spec["rayClusterConfig"] if each.kind == "RayService" else spec
            yield Pod(f"{each.title}, head", cluster["headGroupSpec"]["template"])
            for group in cluster.get("workerGroupSpecs", []):
                yield Pod(f"{each.title}, group {group['groupName']}", group["template"])
