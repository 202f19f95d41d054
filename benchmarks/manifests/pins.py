"""The images of others that ours stand on or that run beside them: each is named once, in `docker/images.yaml`.

What the check knows about an image is what that file says, and dates: nobody asks a registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from benchmarks.manifests.render import ROOT

PINS = ROOT.parent / "docker/images.yaml"
ABANDONED = {
    "minio/minio": "its project publishes no images any more (CVE-2025-62506 is open in the last one)",
    "bitnami/minio": "its project publishes no images any more",
    "bitnamilegacy/minio": "nobody mends it",
    "quay.io/minio/minio": "its project publishes no images any more",
}
_EXACT = re.compile(r"^v?\d+\.\d+(\.\d+)?(-[a-z][a-z-]*)?$")
"""A release, and on what it is built: no tag that moves to the next release."""
_DIGEST = re.compile(r"^sha256:[0-9a-f]{64}$")
NODE_ENDS = {18: date(2025, 4, 30), 20: date(2026, 4, 30), 22: date(2027, 4, 30), 24: date(2028, 4, 30)}
"""When a release of Node gets no more fixes (github.com/nodejs/release). Odd ones never become LTS."""


class Pin(BaseModel):
    """`digest` is that of the index for all platforms. `ends` is when the release gets no more fixes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tag: str
    digest: str
    ends: date | None = None


Pins = Mapping[str, Pin]


def read_pins(path: Path = PINS) -> Pins:
    return TypeAdapter(dict[str, Pin]).validate_python(yaml.safe_load(path.read_text()))


def reference(name: str, pin: Pin) -> str:
    """As Dockerfiles and compose files write it."""
    return f"{name}:{pin.tag}@{pin.digest}"


def pin_problems(pins: Pins, today: date) -> Iterator[str]:
    """Tags that move, digests that are none, projects that ended, releases without fixes."""
    for name, pin in pins.items():
        if name in ABANDONED:
            yield f"{PINS.name}: {name} is abandoned: {ABANDONED[name]}"
        if not _EXACT.match(pin.tag):
            yield f"{PINS.name}: {name}:{pin.tag} is not one release; name it, such as 1.2.3"
        if not _DIGEST.match(pin.digest):
            yield f"{PINS.name}: the digest of {name} is not sha256: and 64 digits"
        if pin.ends is not None and pin.ends < today:
            yield f"{PINS.name}: {name}:{pin.tag} gets no fixes since {pin.ends}"
        if name.rpartition("/")[2] == "node":
            yield from _node_problems(pin, today)


def use_problems(where: str, image: str, pins: Pins) -> Iterator[str]:
    """Of an image of others that a Dockerfile or a compose file names."""
    name = _name(image)
    if name in ABANDONED:
        yield f"{where}: {name} is abandoned: {ABANDONED[name]}"
    elif name not in pins:
        yield f"{where}: {image} is not in {PINS.name}"
    elif image != (wanted := reference(name, pins[name])):
        yield f"{where}: {image} is {wanted} in {PINS.name}"


def _node_problems(pin: Pin, today: date) -> Iterator[str]:
    major = int(re.match(r"\d*", pin.tag)[0] or 0)  # type: ignore[index]
    ends = NODE_ENDS.get(major)
    if ends is None:
        yield f"{PINS.name}: Node {major} is no release with long support that we know"
    elif ends < today:
        yield f"{PINS.name}: Node {major} gets no fixes since {ends}"


def _name(image: str) -> str:
    """Without tag and digest. A colon before a slash belongs to a registry's port."""
    image = image.partition("@")[0]
    folder, slash, last = image.rpartition("/")
    return f"{folder}{slash}{last.partition(':')[0]}"
