"""What people read about any model: `model` is the task's own word for it, such as "speech model"."""

from __future__ import annotations

from cluster.wording.message import Message, Wording

MATERIAL_AUDIO = Message("models.audio", "audio")
MATERIAL_TEXT = Message("models.text", "text")

NOT_STARTED = Wording("models.not_started", "The {model} did not start: {message}")
TRIED_AGAIN = Message("models.tried_again", "It is tried again by itself.")
NEW_NOT_STARTED = Wording("models.new_not_started", "The new {model} did not start: {message}")
OLD_RUNS_ON = Message("models.old_runs_on", "The old one runs on.")
NOT_LOADED = Wording("models.not_loaded", "The {model} “{names}” is on this machine and cannot be loaded: {failure}.")
ABSENT = Wording("models.absent", "No {model} is running. An administrator can see why under Models.")
RESTARTED = Wording("models.restarted", "The {model} is being restarted.")
STOPPED = Wording("models.stopped", "The {model} is being stopped.")
MOVED = Message("models.moved", "The work moves to another process.")
NO_ANSWER = Wording("models.no_answer", "The {model} did not answer within {seconds} seconds.")
TOO_MUCH = Wording("models.too_much", "More {material} waits for the {model} than it can take.")
FULL = Wording(
    "models.full",
    "The {model} has more {material} waiting than it can take. Work resumes when some of it is done.",
)
CANCELLED = Wording("models.cancelled", "The request to the {model} was cancelled.")
UNREACHABLE = Wording("models.unreachable", "The {model} cannot be reached ({failure}).")
FAILED = Wording("models.failed", "The {model} failed ({cause}).")
PIECE_FAILED = Wording("models.piece_failed", "The {model} failed on a piece of the {material} ({failure}).")
NO_SECTION = Wording("models.no_section", "The profile “{profile}” has no section “{section}”. Add one to use it.")
ON_CPU = Wording("models.on_cpu", "It runs on the CPU because the GPU cannot be used: {failure}.")
NOT_DECLARED = Message(
    "models.not_declared", "This cluster does not declare it. Add it to the tasks of the RayService."
)
MISSING_LIBRARIES = Wording("models.missing_libraries", "{names} must be installed (`pip install 'sagascript[gpu]'`)")
UNREADABLE_ONNX = Wording("models.unreadable_onnx", "{name} cannot be read as an ONNX model ({failure})")
NOT_EXPLAINED = Wording("models.not_explained", "We could not find out which engine would run: {failure}.")

DECLARED_ELSEWHERE = Message(
    "models.declared_elsewhere",
    "The profile changed, and the RayService declares this task: apply the change there. "
    "A `user_config` of its deployment changes batches without a restart.",
)
