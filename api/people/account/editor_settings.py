"""How a person has set up the caption editor. Features add their fields here."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Command = Annotated[str, Field(max_length=60)]
KeyName = Annotated[str, Field(max_length=40)]
COMMANDS_MAX = 200
KEYS_MAX = 8
"""Keys of one command: several in the list and several while typing."""


class PauseWhileTyping(StrEnum):
    """What playback does while somebody types."""

    OFF = "off"
    PAUSE = "pause"
    SLOW = "slow"


class ResumeAt(StrEnum):
    """Where playback goes on after it paused for typing."""

    STOPPED = "stopped"
    BEFORE = "before"
    """At the start of the line that was typed in."""
    AFTER = "after"
    """At the end of that line."""
    BACK = "back"
    """`resume_back_ms` before the place where it stopped."""


class Clock(StrEnum):
    """How times of captions are shown and typed."""

    MILLISECONDS = "ms"
    FRAMES = "frames"
    """Those of the video, as SMPTE time addresses."""


class EditorSettings(BaseModel):
    """Unset fields have the product's own values. Unknown ones are ignored, so that older pages can save."""

    model_config = ConfigDict(extra="ignore")

    keys: dict[Command, Annotated[list[KeyName], Field(max_length=KEYS_MAX)]] = Field({}, max_length=COMMANDS_MAX)
    """Keys that replace those of the keymap, by command. A name begins with `list:` or `typing:`."""
    single_letters: bool = True
    """Whether keys without Ctrl or Alt work in the list (WCAG 2.1.4)."""
    pause_while_typing: PauseWhileTyping = PauseWhileTyping.OFF
    pause_after_ms: int = Field(4_000, ge=0, le=10_000)
    """Typing for this long pauses playback (Amara: 4 s); 0 pauses at the first key."""
    resume_after_ms: int = Field(1_500, ge=500, le=10_000)
    """Playback goes on after this long without a key."""
    resume_at: ResumeAt = ResumeAt.BACK
    resume_back_ms: int = Field(3_000, ge=0, le=30_000)
    roll_back_ms: int = Field(15_000, ge=1_000, le=60_000)
    snap: bool = True
    """Whether dragged edges snap to neighbours, shot changes and the playhead."""
    cascade: bool = False
    """Whether a moved line pushes its neighbours."""
    show_shots: bool = True
    show_speech: bool = True
    show_spectrogram: bool = False
    clock: Clock = Clock.MILLISECONDS
    drop_frame: bool = True
    """Whether frames at 29.97 and 59.94 a second are counted with numbers left out."""
    from_timecode: bool = False
    """Whether frames are counted from the time address that the file gives its first one."""
    profile: Annotated[str, Field(max_length=60)] | None = None
    """The id of the quality profile."""
    panel: Annotated[str, Field(max_length=60)] | None = None
    """The id of the open panel."""
