"""Which processes of an installation receive which secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.edges.cli.installation.programs import API, DISPATCHER, MODEL_SECRETS, PAYMENT_SECRETS, SERVE, installation
from api.platform.settings import ApiSettings
from cluster.ray.head import plan_head
from serve.chat.settings import ChatSettings


def test_only_the_program_that_deploys_the_models_receives_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGASCRIPT_CHAT_KEY", "sk-secret")
    settings = ApiSettings(data_dir=tmp_path)
    programs = installation(settings, head=plan_head(settings, "mark"), mark="mark", logs=tmp_path)
    holders = {program.name for program in programs if "sk-secret" in program.env.values()}
    assert holders == {SERVE}
    assert not any("sk-secret" in argument for program in programs for argument in program.command)


def test_every_secret_of_the_models_is_a_setting() -> None:
    settings = {f"SAGASCRIPT_{name.upper()}" for name in ChatSettings.model_fields}
    assert settings >= MODEL_SECRETS


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
