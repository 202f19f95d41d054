"""`python -m benchmarks.manifests build-steps`: runs the steps of all images and then tries what each was made for."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.manifests.build_steps import Image, StepFailed, StepRunner

ROOT = Path(__file__).resolve().parents[2]
WHEEL = "docker/wheel.Dockerfile"
"""Built beside the wheel of `make dist` and without a checkout."""
DOCKERFILES = {
    "docker/Dockerfile": ["api", "cpu", "gpu", "gpu-torch"],
    WHEEL: ["wheel"],
    "docker/llm.Dockerfile": ["llm"],
}
_MACHINE = (
    ("sagascript", "--version"),
    ("ray", "--version"),
    ("sh", "-c", "command -v bash wget ps ffmpeg"),
    ("sagascript", "doctor"),
)

_TRIES: dict[str, list[tuple[str, ...]]] = {
    "api": [
        ("sagascript", "--version"),
        ("python", "-c", "import api.app, api.content.uploads.server, api.platform.realtime.relay.app"),
    ],
    "cpu": [*_MACHINE],
    "wheel": [
        *_MACHINE,
        (
            "python",
            "-c",
            "import api.app; from pathlib import Path; assert Path(api.app.__file__).with_name('ui').is_dir()",
        ),
    ],
    "gpu": [
        ("ray", "--version"),
        ("python", "-c", "import ctypes; [ctypes.CDLL(n) for n in ('libcublas.so.12', 'libcudnn.so.9')]"),
    ],
    "gpu-torch": [
        ("ray", "--version"),
        (
            "python",
            "-c",
            "import serve.tasks.transcription.whisper_torch.engine, pyannote.audio, torch; print(torch.__version__)",
        ),
    ],
    "llm": [("python", "-c", "import vllm; print(vllm.__version__)")],
}
"""What must run in each image, as its user."""


def run_build_steps(targets: list[str]) -> bool:
    """Run the images named, all without names. False when one failed; the output says which step."""
    done = True
    for name in ("debootstrap", "unshare", "chroot"):
        if shutil.which(name) is None:
            print(f"{name} is not installed (Debian: apt install debootstrap), so no step was run.")
            return False
    for file, made in DOCKERFILES.items():
        wanted = [target for target in made if not targets or target in targets]
        if not wanted:
            continue
        with tempfile.TemporaryDirectory(prefix="sagascript-images-", dir="/var/tmp") as work:
            runner = StepRunner(ROOT / "dist" if file == WHEEL else ROOT, Path(work))
            try:
                for target, image in runner.run(ROOT / file, wanted).items():
                    _try(runner, target, image)
            except (StepFailed, subprocess.CalledProcessError) as failure:
                print(f"{file}: {failure}")
                done = False
    return done


def _try(runner: StepRunner, target: str, image: Image) -> None:
    for argv in _TRIES[target]:
        said = runner.try_program(image, *argv).strip().splitlines()
        print(f"[{target}] {' '.join(argv)[:90]}: {said[-1] if said else 'fine'}")
    size = subprocess.run(["du", "-sxm", image.root], capture_output=True, text=True, check=True).stdout.split()[0]
    print(f"[{target}] user {image.user}, {int(size):,} MB, {' '.join([*image.entrypoint, *image.command])}")
