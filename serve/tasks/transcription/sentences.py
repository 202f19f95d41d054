"""What people read of the speech engines: which one works and why, and what they cannot transcribe."""

from __future__ import annotations

from cluster.wording.message import Message, Wording

UNSUPPORTED = Wording(
    "transcription.unsupported", "The speech model “{model}” does not support the language “{language}”."
)
UNDETECTED = Wording(
    "transcription.undetected",
    "The speech model “{model}” cannot detect the language. Choose the language of the file.",
)
ONE_BEAM = Wording(
    "transcription.one_beam", "The speech model “{model}” runs by torch, which decodes with a beam of 1 only."
)

# Clauses that say why a model is used.
IN_FOLDER = Message("transcription.in_folder", "its folder is in the models folder")
IN_CACHE = Message("transcription.in_cache", "it is in the hub cache")
NAMED = Message("transcription.named", "a setting names it")
NAMED_FOLDER = Message("transcription.named_folder", "a setting names this folder")
NAMED_IN_FOLDER = Message("transcription.named_in_folder", "a setting names it and its folder is in the models folder")
NAMED_IN_CACHE = Message("transcription.named_in_cache", "a setting names it and it is in the hub cache")
DOWNLOADED = Message("transcription.downloaded", "it was downloaded from the hub")
PROCESSORS_ONLY = Message(
    "transcription.processors_only", "it runs on processors only, and this profile has Whisper on a GPU"
)

# Clauses that say where a model was looked for, or why it is not used.
NONE_IN_FOLDER = Wording("transcription.none_in_folder", "{folder} holds no Whisper model")
NONE_IN_CACHE = Wording("transcription.none_in_cache", "none of {names} is in the hub cache")
LACKS_FILES = Wording("transcription.lacks_files", "the folder {folder} has no {files}")
NO_FOLDER_WITH = Wording("transcription.no_folder_with", "“{name}” is no folder with {files}")
NOWHERE = Wording("transcription.nowhere", "“{name}” is neither a folder nor in the hub cache")
TORCH_FILES = Message("transcription.torch_files", "config.json, tokenizer.json and model.safetensors")
NO_TOKENIZER = Wording(
    "transcription.no_tokenizer", "{folder} has no {file}; copy it from the model that this one was made from"
)
BEAM_OF_ONE = Wording("transcription.beam_of_one", "it decodes with 1 beam, and the profile sets {beams}")
FOR_TORCH = Wording("transcription.for_torch", "{folder} holds weights for torch: {problem}")
NO_HUB = Message("transcription.no_hub", "the hub may not be used")
NOT_GIVEN = Wording("transcription.not_given", "the hub did not give “{name}” ({failure})")

# Which engines work.
OFFLINE_CHOSEN = Message("transcription.offline_chosen", "The profile selects the offline engine.")
OFFLINE = Message("transcription.offline", "The offline engine is used.")
NO_WHISPER = Message("transcription.no_whisper", "The offline engine is used because there is no Whisper model.")
ONLY_SHERPA = Message(
    "transcription.only_sherpa", "There is no Whisper model, which would detect languages and know others."
)
NOT_AVAILABLE = Wording("transcription.not_available", "Not available: {tried}.")
WHISPER_USED = Wording("transcription.whisper_used", "Whisper “{name}”: {reason}.")
USED_FOR = Wording("transcription.used_for", "Whisper “{name}” is used for “{language}”.")
FOR_LANGUAGE = Wording("transcription.for_language", "Language “{language}”: {reason}.")
SHERPA_USED = Wording("transcription.sherpa_used", "{family} “{name}” transcribes {languages}: {reason}.")
SHERPA_FOR_REST = Wording(
    "transcription.sherpa_for_rest", "{family} “{name}” transcribes languages that no other model knows: {reason}."
)
SHERPA_NOT_USED = Wording("transcription.sherpa_not_used", "{family} “{name}” is not used: {reason}.")
SHERPA_UNUSABLE = Wording("transcription.sherpa_unusable", "{family} “{name}” cannot be used: {problem}.")
SHERPA_NOT_LOADED = Wording(
    "transcription.sherpa_not_loaded", "The {family} model “{name}” cannot be loaded: {failure}."
)
WHISPER_NOT_LOADED = Wording(
    "transcription.whisper_not_loaded", "The Whisper model “{name}” cannot be loaded: {failure}."
)
DOWNLOADS = Wording(
    "transcription.downloads", "`sagascript up` downloads {names} in the background where the hub answers."
)

RESTORES = Wording(
    "transcription.restores",
    "“{name}” restores punctuation and capitals in English: its folder is in the models folder.",
)
DENOISES = Wording("transcription.denoises", "“{name}” takes noise out of the sound first, as the profile sets.")
NOT_AROUND = Wording("transcription.not_around", "“{name}” is not used beside it: {failure}.")

# Engines that a request names.
NAMED_BY_REQUEST = Message("transcription.named_by_request", "A request named it.")
NOT_INSTALLED = Wording(
    "transcription.not_installed", "The speech model “{name}” is no longer on this machine. Choose another one."
)
LOADING = Wording("transcription.loading", "The speech model “{name}” is being loaded.")
OTHER_IN_USE = Wording("transcription.other_in_use", "The speech model “{name}” waits until another one is free.")
NO_ROOM = Wording(
    "transcription.no_room",
    "The speech model “{name}” takes about {needed} MB of memory beside the one in use, and {free} MB are free.",
)
OTHER_NOT_LOADED = Wording("transcription.other_not_loaded", "The speech model “{name}” cannot be loaded: {failure}.")

# What a profile requires and does not find.
REQUIRES_SHERPA = Wording("transcription.requires_sherpa", "The profile requires {family}.")
REQUIRES_WHISPER = Message(
    "transcription.requires_whisper", "The profile requires Whisper, and there is no Whisper model."
)
REQUIRES_WHISPER_TORCH = Message(
    "transcription.requires_whisper_torch",
    "The profile requires Whisper, and there is no Whisper model of transformers' weights.",
)
NO_SHERPA = Wording(
    "transcription.no_sherpa",
    "There is no model of {family} on this machine. Run `sagascript models pull {name}`, or put its folder in "
    "sherpa-onnx's form into the models folder.",
)
