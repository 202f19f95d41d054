"""Which processes of an installation receive which secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.edges.cli.installation.programs import API, DISPATCHER, PAYMENT_SECRETS, SERVE, installation
from api.platform.server.inheritance import LISTENERS
from api.platform.settings import ApiSettings
from cluster.ports import listen_once
from cluster.ray.head import plan_head
from serve.tasks.settings import MODEL_SECRETS


def test_only_the_program_that_deploys_the_models_receives_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in MODEL_SECRETS:
        monkeypatch.setenv(name, "sk-secret")
    settings = ApiSettings(data_dir=tmp_path)
    programs = installation(settings, head=plan_head(settings, "mark"), mark="mark", logs=tmp_path)
    holders = {program.name for program in programs if "sk-secret" in program.env.values()}
    assert holders == {SERVE}
    assert not any("sk-secret" in argument for program in programs for argument in program.command)


def test_the_keys_of_both_endpoints_are_secrets_of_the_models() -> None:
    assert {"SAGASCRIPT_CHAT_KEY", "SAGASCRIPT_SPEECH_KEY"} == MODEL_SECRETS


def test_only_the_dispatcher_receives_the_password_of_the_mail_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGASCRIPT_SMTP_PASSWORD", "smtp-secret")
    settings = ApiSettings(data_dir=tmp_path)
    programs = installation(settings, head=plan_head(settings, "mark"), mark="mark", logs=tmp_path)
    assert {program.name for program in programs if "smtp-secret" in program.env.values()} == {DISPATCHER}


def test_only_the_web_process_receives_the_payment_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PAYMENT_SECRETS:
        monkeypatch.setenv(name, "sk_payments")
    settings = ApiSettings(data_dir=tmp_path)
    programs = installation(settings, head=plan_head(settings, "mark"), mark="mark", logs=tmp_path)
    holders = {program.name for program in programs if "sk_payments" in program.env.values()}
    assert holders == {API}
    assert not any("sk_payments" in argument for program in programs for argument in program.command)
    assert {f"SAGASCRIPT_{name.upper()}" for name in ApiSettings.model_fields} >= PAYMENT_SECRETS


def test_the_dispatcher_answers_where_the_supervisor_listens(tmp_path: Path) -> None:
    with listen_once("127.0.0.1", 0) as held:
        settings = ApiSettings(data_dir=tmp_path)
        head = plan_head(settings, "mark")
        programs = installation(settings, head=head, mark="mark", logs=tmp_path, probes=[held])
        (dispatcher,) = (program for program in programs if program.name == DISPATCHER)
        assert dispatcher.inherits == (held.fileno(),)
        assert dispatcher.env[LISTENERS] == str(held.fileno())
        assert not any(LISTENERS in program.env for program in programs if program is not dispatcher)
