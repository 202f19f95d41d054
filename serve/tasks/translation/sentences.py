"""What people read of the translation engines: which one works and why, and what they cannot translate."""

from __future__ import annotations

from cluster.wording.message import Message, Wording

NOTHING = Message(
    "translation.nothing",
    "No translation model is installed. Get one with `sagascript models pull quickmt-en-is`, put one into the models "
    "folder, or install Apertium with a language pair (Debian: apertium, apertium-eng-spa).",
)
NOT_USED = Wording("translation.not_used", "Not used: {models}.")
NEEDS_TRANSFORMERS = Wording("translation.needs_transformers", "“{name}” needs the `gpu` extra with transformers")
NO_LANGUAGES = Wording("translation.no_languages", "“{name}” does not say its languages; name its pair in the setting")
NON_COMMERCIAL = Wording(
    "translation.non_commercial",
    "the licence of “{name}” forbids commercial use; allow it with SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS=true",
)
NO_CHAT = Message("translation.no_chat", "no chat model: set SAGASCRIPT_CHAT_URL, or put one into the models folder")
NOWHERE = Wording("translation.nowhere", "“{name}” is neither a folder nor in the models folder or the hub cache")
UNKNOWN_MODEL = Wording("translation.unknown_model", "“{name}” is no translation model that we know")
MODELS = Wording("translation.models", "Translation models in the models folder or named by a setting: {names}.")
APERTIUM_REST = Message("translation.apertium_rest", "Apertium translates pairs that they do not reach.")
APERTIUM = Message(
    "translation.apertium",
    "Apertium is used because there is no translation model. Get one with `sagascript models pull`.",
)
CHAT = Wording("translation.chat", "The chat model “{name}” is used because {reason}.")
BEHIND_CHAT = Wording("translation.behind_chat", "Passages that it fails on go to {engines}.")
CHAT_NOTE = Message("translation.chat_note", "Languages that the chat model does not know well come out rough.")
RULES_NOTE = Wording("translation.rules_note", "Rule-based and rough for {pairs}.")

NO_PAIR = Wording(
    "translation.no_pair", "No loaded model translates from “{source}” to “{target}”. These work: {pairs}."
)
NO_PAIRS = Wording("translation.no_pairs", "No loaded model translates from “{source}” to “{target}”.")
