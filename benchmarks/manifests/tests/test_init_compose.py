"""`sagascript init compose`: a folder that needs no checkout, keeps its secrets and what people changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from api.commands import app
from api.edges.cli.installation.compose import SECRET_NAMES, compose_file
from api.testing.files.spoken_video import PROJECT
from benchmarks.manifests.images import compose_problems

WHEEL = "sagascript-9.8.7-py3-none-any.whl"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "downloads" / WHEEL
    path.parent.mkdir()
    path.write_bytes(b"wheel")
    return path


def init(*options: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["init", "compose", *map(str, options)])
    return done.exit_code, " ".join(done.output.split())


def secrets_of(folder: Path) -> dict[str, str]:
    lines = (folder / ".env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_the_folder_has_all_that_a_start_needs(tmp_path: Path, wheel: Path) -> None:
    folder = tmp_path / "captions"
    code, said = init(folder, "--wheel", wheel, "--port", "9000")
    assert code == 0, said
    assert "docker compose up --detach --build" in said
    assert sorted(path.name for path in folder.iterdir()) == [".env", "Dockerfile", "compose.yaml", WHEEL]
    assert (folder / WHEEL).read_bytes() == b"wheel"
    assert list(compose_problems([folder / "compose.yaml"])) == []
    # Every variable that the file asks for is there, and nothing is built from a checkout.
    text = (folder / "compose.yaml").read_text()
    secrets = secrets_of(folder)
    assert set(re.findall(r"\$\{(\w+):\?", text)) == {*SECRET_NAMES}
    assert set(re.findall(r"\$\{(\w+)", text)) == secrets.keys()
    assert secrets["SAGASCRIPT_PUBLIC_URL"] == "http://localhost:9000"
    values = [secrets[name] for name in SECRET_NAMES]
    assert len({*values}) == len(SECRET_NAMES)
    assert all(re.fullmatch(r"[0-9a-f]{64}", value) for value in values)
    assert (folder / ".env").stat().st_mode & 0o077 == 0
    assert yaml.safe_load(text)["services"]["sagascript"]["build"] == {"context": "."}


def test_a_second_time_keeps_secrets_and_what_people_changed(tmp_path: Path, wheel: Path) -> None:
    folder = tmp_path / "captions"
    init(folder, "--wheel", wheel)
    before = secrets_of(folder)
    with (folder / ".env").open("a") as more:
        more.write("SAGASCRIPT_SMTP_URL=smtp://mail\n")
    (folder / "Dockerfile").write_text("FROM something\n")
    newer = wheel.with_name("sagascript-9.9.0-py3-none-any.whl")
    newer.write_bytes(b"newer")
    code, said = init(folder, "--wheel", newer, "--url", "https://captions.example.com/")
    assert code == 0
    assert "Its secrets stayed." in said
    assert "You changed Dockerfile, so it stayed." in said
    after = secrets_of(folder)
    assert {name: after[name] for name in SECRET_NAMES} == {name: before[name] for name in SECRET_NAMES}
    assert after["SAGASCRIPT_SMTP_URL"] == "smtp://mail"
    assert after["SAGASCRIPT_PUBLIC_URL"] == "https://captions.example.com"
    assert (folder / "Dockerfile").read_text() == "FROM something\n"
    assert (folder / "Dockerfile.new").read_text().endswith('CMD ["up"]\n')
    assert not (folder / "compose.yaml.new").exists()
    # The image is built from one wheel.
    assert [path.name for path in folder.glob("*.whl")] == [newer.name]
    # The wheel of the folder itself may be named.
    assert init(folder, "--wheel", folder / newer.name)[0] == 0
    assert (folder / newer.name).read_bytes() == b"newer"


def test_an_image_of_a_registry_needs_no_wheel(tmp_path: Path) -> None:
    folder = tmp_path / "captions"
    code, said = init(folder, "--image", "registry.example.com/sagascript-cpu:1.0.0")
    assert code == 0
    assert "--build" not in said
    assert sorted(path.name for path in folder.iterdir()) == [".env", "compose.yaml"]
    services = yaml.safe_load((folder / "compose.yaml").read_text())["services"]
    assert "build" not in services["sagascript"]
    ours = {services[name]["image"] for name in ("sagascript", "bucket")}
    assert ours == {"registry.example.com/sagascript-cpu:1.0.0"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--wheel", "nowhere.whl"], "There is no file nowhere.whl. Name one with --wheel"),
        (["--url", "captions.example.com"], "captions.example.com is no address of a site."),
        (["--url", "https://example.com/captions"], "is no address of a site."),
        ([], "This was not installed from a wheel that is still there."),
    ],
)
def test_bad_input_gets_a_sentence_and_writes_nothing(tmp_path: Path, options: list[str], sentence: str) -> None:
    folder = tmp_path / "captions"
    code, said = init(folder, *options)
    assert (code, sentence in said) == (1, True), said
    assert not folder.exists()


def test_another_file_is_no_wheel_of_ours(tmp_path: Path) -> None:
    other = tmp_path / "other-1.0.whl"
    other.touch()
    assert init(tmp_path / "captions", "--wheel", other)[0] == 1


def test_the_services_are_those_of_the_checkout() -> None:
    written = yaml.safe_load(compose_file(None))["services"]
    ours = yaml.safe_load((PROJECT / "docker" / "compose.yaml").read_text())["services"]
    for services in (written, ours):
        services["sagascript"].pop("build")
        services["sagascript"].pop("environment")
    assert written == ours
