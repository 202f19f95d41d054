"""Chat templates as model folders hold them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from serve.chat.messages import conversation
from serve.chat.template import TEMPLATE, ChatTemplate, NoChatTemplate
from serve.testing.tiny_models.archives import CHAT, unpack

NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(unpack(CHAT, tmp_path / "packed"), tmp_path / "model")


def prompt(folder: Path) -> str:
    template = ChatTemplate(folder)
    return "".join(template.tokens(conversation("Be brief.", "Hello."))).replace("Ġ", " ").replace("Ċ", "\n")


def test_the_models_own_template_and_end_are_used(folder: Path) -> None:
    assert prompt(folder) == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello.<|im_end|>\n<|im_start|>assistant\n"
    )
    assert ChatTemplate(folder).end_tokens == ["<|im_end|>"]
    assert ChatTemplate(folder).context_tokens == 4096


def test_a_template_in_the_tokenizers_settings_is_found(folder: Path) -> None:
    (folder / TEMPLATE).unlink()
    settings = folder / "tokenizer_config.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "chat_template": "{{ messages[1].content }}"}))
    assert prompt(folder) == "Hello."


def test_without_a_system_role_its_message_begins_the_first_one(folder: Path) -> None:
    (folder / TEMPLATE).write_text(NO_SYSTEM)
    assert prompt(folder) == "user: Be brief.\n\nHello.\n"


def test_a_template_is_a_program_in_a_sandbox(folder: Path) -> None:
    (folder / TEMPLATE).write_text("{{ ''.__class__.__mro__[1].__subclasses__() }}")
    with pytest.raises(Exception, match="unsafe"):
        prompt(folder)


def test_a_folder_without_a_template_holds_no_chat_model(folder: Path) -> None:
    (folder / TEMPLATE).unlink()
    with pytest.raises(NoChatTemplate, match="no chat template"):
        ChatTemplate(folder)
