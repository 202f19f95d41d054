"""Runs every step of our Dockerfiles in clean Debian roots, where no container engine can be had.

A root comes from debootstrap and stands for the base image: `python` becomes Debian 12 with its own
Python 3.11, `node` Debian 12 with this machine's Node. Each stage is a copy of its base's root, and
its RUN steps run there under chroot in namespaces of their own, with the USER, ENV and WORKDIR of the image. Not tried:
what only an engine does, such as layers, HEALTHCHECK and pulling the base images. Needs root and debootstrap.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.manifests.context import BuildContext
from benchmarks.manifests.dockerfile import Stage, Step, read_dockerfile

PYTHON, NODE = "python", "node"
SUITE = "bookworm"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_MACHINE_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/apt", "/etc/ssl/certs", "/opt/wheels")
"""How this machine reaches its package registries; shown inside the roots, and part of no image."""
_MACHINE_HOMES = (".config/pip", ".npmrc")
_ENTER = """
set -e
root=$1; shift
mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do mount --bind "$1" "$2"; shift 2; done
shift
exec "$@"
"""


class StepFailed(RuntimeError):
    """A step ended with an error; its output was printed."""


@dataclass(slots=True)
class Image:
    """The state of a stage while its steps run."""

    root: Path
    env: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    user: str = "0:0"
    folder: str = "/"
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)


class StepRunner:
    """`work` holds the roots. It should be empty, and have 10 GB free for each Dockerfile."""

    def __init__(self, context: Path, work: Path) -> None:
        self._context = BuildContext(context)
        self._work = work
        self._stages: dict[str, Image] = {}

    def run(self, dockerfile: Path, targets: list[str]) -> dict[str, Image]:
        """Run the targets and what they need. Raises StepFailed."""
        stages = {stage.name: stage for stage in read_dockerfile(dockerfile)}
        for target in targets:
            self._stage(stages, target, dockerfile.name)
        return {target: self._stages[target] for target in targets}

    def try_program(self, image: Image, *argv: str) -> str:
        """What a program in the image prints, run as its user. Raises StepFailed."""
        return self._enter(image, list(argv), capture=True)

    def _stage(self, stages: dict[str, Stage], name: str, file: str) -> Image:
        if name in self._stages:
            return self._stages[name]
        stage = stages[name]
        root = self._work / name
        if stage.base in stages:
            parent = self._stage(stages, stage.base, file)
            image = Image(root, dict(parent.env), parent.user, parent.folder, parent.entrypoint, parent.command)
        else:
            parent = Image(self._base(stage.base))
            image = Image(root)
        subprocess.run(["cp", "-a", "--reflink=auto", parent.root, root], check=True)
        for step in stage.steps:
            begun = time.monotonic()
            self._step(stages, image, step, file)
            if step.instruction in ("RUN", "COPY"):
                seconds = time.monotonic() - begun
                print(f"{file}:{step.line} [{name}] {step.instruction} {step.arguments[:70]} … {seconds:.0f} s")
        self._stages[name] = image
        return image

    def _step(self, stages: dict[str, Stage], image: Image, step: Step, file: str) -> None:
        match step.instruction:
            case "RUN":
                self._enter(image, ["/bin/sh", "-c", step.arguments])
            case "COPY":
                self._copy(stages, image, step, file)
            case "ENV":
                for each in step.words:
                    name, _, value = each.partition("=")
                    image.env[name] = value.replace("$PATH", image.env["PATH"])
            case "USER":
                image.user = step.words[0]
            case "WORKDIR":
                image.folder = step.words[0]
                _inside(image, image.folder).mkdir(parents=True, exist_ok=True)
            case "ENTRYPOINT":
                image.entrypoint = step.words
            case "CMD":
                image.command = step.words

    def _copy(self, stages: dict[str, Stage], image: Image, step: Step, file: str) -> None:
        *sources, destination = [word for word in step.words if not word.startswith("--")]
        folder = _inside(image, os.path.join(image.folder, destination))
        origins = [word.removeprefix("--from=") for word in step.words if word.startswith("--from=")]
        for source in sources:
            if origins:
                origin = self._stage(stages, origins[0], file)
                folder.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run(["cp", "-a", "--reflink=auto", "-T", _inside(origin, source), folder], check=True)
                continue
            for found, below in self._context.files(source):
                target = folder / below
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(found, target, follow_symlinks=False)

    def _enter(self, image: Image, argv: list[str], *, capture: bool = False) -> str:
        mounts: list[str] = []
        homes = [(Path.home() / name, f"/root/{name}") for name in _MACHINE_HOMES]
        for source, inside in [(Path(each), each) for each in _MACHINE_FILES] + homes:
            if source.exists():
                target = _inside(image, inside)
                if source.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                elif not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.touch()
                mounts += [str(source), str(target)]
        # What chooses mirrors and certificates on this machine, nothing else of its environment.
        own = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "UV_", "SSL_", "npm_", "NODE_EXTRA_"))
        }
        env = {"HOME": "/root" if image.user.startswith("0") else "/tmp", "UV_SYSTEM_CERTS": "1", **own, **image.env}
        inside_env = [f"{name}={value}" for name, value in env.items()]
        command = [
            "chroot",
            f"--userspec={image.user}",
            str(image.root),
            "/usr/bin/env",
            "-i",
            f"--chdir={image.folder}",
        ]
        done = subprocess.run(
            [
                *("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--propagation=private"),
                *("sh", "-c", _ENTER, "enter", str(image.root), *mounts, "--", *command, *inside_env, *argv),
            ],
            text=True,
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            print(done.stdout[-4000:], done.stderr[-4000:])
            raise StepFailed(f"`{' '.join(argv)[:200]}` ended with {done.returncode}.")
        return done.stdout if capture else ""

    def _base(self, name: str) -> Path:
        name = name.partition(":")[0]
        root = self._work / f"base-{name}"
        if not root.exists():
            print(f"{name}: a Debian root in its place …")
            includes = ["ca-certificates"]
            if name == PYTHON:
                includes += ["python3", "python3-venv", "python3-pip"]
            elif name != NODE:
                raise StepFailed(f"No root is known for the base image {name}.")
            draft = root.with_name(f"{root.name}.draft")
            subprocess.run(
                ["debootstrap", "--variant=minbase", f"--include={','.join(includes)}", SUITE, draft],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            if name == PYTHON:
                (draft / "usr/local/bin/python").symlink_to("/usr/bin/python3")
                for marker in draft.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
                    marker.unlink()
            else:
                _install_node(draft)
            draft.rename(root)
        return root


def _install_node(root: Path) -> None:
    """This machine's Node and npm, in the place of the image's."""
    node = shutil.which("node")
    npm = shutil.which("npm")
    if node is None or npm is None:
        raise StepFailed("Node and npm are needed on this machine, in place of the image's.")
    shutil.copy2(os.path.realpath(node), root / "usr/local/bin/node")
    package = Path(os.path.realpath(npm)).parent.parent
    shutil.copytree(package, root / "usr/local/lib/node_modules/npm", symlinks=True)
    for name in ("npm", "npx"):
        (root / f"usr/local/bin/{name}").symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")


def _inside(image: Image, path: str) -> Path:
    return image.root / path.lstrip("/")
