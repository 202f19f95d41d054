"""Makes the sample video of a new installation: `python -m pipelines.media.sample.make_sample`.

Two of flite's voices, which the offline engine recognises well, talk under a picture that shows the speaker.
Needs flite, ffmpeg and the DejaVu fonts; its product is committed beside it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import wave
from dataclasses import dataclass
from pathlib import Path

from pipelines.media.sample import SAMPLE_TEXT

PRODUCT = Path(__file__).with_name("two-speakers.mp4")
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
BOLD = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
RATE = 16_000
PAUSE_S = 0.45
TITLE = "Why every video needs captions"


@dataclass(frozen=True)
class Speaker:
    voice: str
    name: str
    color: str
    x: int


ROBERT = Speaker("rms", "Robert", "0x5B8DEF", 320)
SALLY = Speaker("slt", "Sally", "0xF2A65A", 960)

CONVERSATION: tuple[tuple[Speaker, str], ...] = tuple(
    (SALLY if turn % 2 else ROBERT, text) for turn, text in enumerate(SAMPLE_TEXT)
)


def make(product: Path = PRODUCT) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sound = Path(folder) / "sound.wav"
        turns, length_s = _speak(sound)
        _film(sound, turns, length_s, product)


def _speak(target: Path) -> tuple[list[tuple[Speaker, float, float]], float]:
    """Write the conversation to `target`. Returns each turn with its start and end in seconds, and the whole length."""
    turns, samples = [], bytearray(_silence(0.6))
    for number, (speaker, text) in enumerate(CONVERSATION):
        spoken = target.with_name(f"{number}.wav")
        subprocess.run(["flite", "-voice", speaker.voice, "-t", text, "-o", str(spoken)], check=True)
        with wave.open(str(spoken)) as opened:
            assert (opened.getframerate(), opened.getnchannels(), opened.getsampwidth()) == (RATE, 1, 2)
            pcm = opened.readframes(opened.getnframes())
        start_s = len(samples) / 2 / RATE
        samples += pcm
        turns.append((speaker, start_s, len(samples) / 2 / RATE))
        samples += _silence(PAUSE_S)
    with wave.open(str(target), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(bytes(samples))
    return turns, len(samples) / 2 / RATE


def _silence(seconds: float) -> bytes:
    return bytes(2 * int(seconds * RATE))


def _film(sound: Path, turns: list[tuple[Speaker, float, float]], length_s: float, product: Path) -> None:
    background = (
        f"gradients=s=1280x720:r=25:c0=0x101828:c1=0x1D2B4A:x0=0:y0=0:x1=1280:y1=720:speed=0.002:d={length_s:.3f}"
    )
    layers = [_text(TITLE, BOLD, 46, "0xF5F7FA", "(w-text_w)/2", "78")]
    for speaker in (ROBERT, SALLY):
        speaks = "+".join(f"between(t,{start:.2f},{end:.2f})" for who, start, end in turns if who is speaker)
        for size, color, shown in ((390, f"{speaker.color}@0.35", speaks), (330, speaker.color, "1")):
            layers.append(_text("●", FONT, size, color, f"{speaker.x}-text_w/2", "330-text_h/2", shown))
        layers.append(_text(speaker.name[0], BOLD, 96, "0x101828", f"{speaker.x}-text_w/2", "330-text_h/2"))
        layers.append(_text(speaker.name, FONT, 36, "0xD0D7E5", f"{speaker.x}-text_w/2", "500"))
    graph = (
        f"[1:a]showwaves=s=1280x90:mode=cline:rate=25:colors=0x8FA6D9,format=rgba,colorchannelmixer=aa=0.6[waves];"
        f"[0:v]{','.join(layers)}[people];[people][waves]overlay=0:590,format=yuv420p[picture]"
    )
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-f", "lavfi", "-i", background, "-i", str(sound)]
    command += ["-filter_complex", graph, "-map", "[picture]", "-map", "1:a", "-shortest"]
    command += ["-c:v", "libx264", "-preset", "slow", "-crf", "33", "-g", "100", "-tune", "animation"]
    command += ["-c:a", "aac", "-b:a", "64k", "-ar", "44100", "-movflags", "+faststart", "-map_metadata", "-1"]
    subprocess.run([*command, str(product)], check=True)


def _text(text: str, font: str, size: int, color: str, x: str, y: str, shown: str = "1") -> str:
    return f"drawtext=fontfile={font}:text='{text}':fontsize={size}:fontcolor={color}:x={x}:y={y}:enable='{shown}'"


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else PRODUCT)
