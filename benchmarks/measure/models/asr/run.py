"""Asks a speech system for each sound and scores its answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.measure.datasets.sound import Sound
from benchmarks.measure.models.asr.answer import read_answer
from benchmarks.measure.models.asr.calibration import Certainty, calibration, calibration_error
from benchmarks.measure.models.asr.scores import judge
from benchmarks.measure.models.child import Json
from benchmarks.measure.models.run import Question, Questions, System, blank_item, unanswered
from benchmarks.measure.outcomes.outcome import Curve, Item


class SpeechTask:
    """The answers of one system. With `detect` it must find the language itself."""

    def __init__(self, *, detect: bool) -> None:
        self._detect = detect
        self._certainty: list[Certainty] = []

    def questions(self, system: System, sounds: Sequence[Sound], *, warm_up: bool) -> Questions:
        """`warm_up` runs the first sound once before, uncounted: a GPU compiles at its first call."""
        asked = [Question(each.item.id, self._request(each), partial(self._items, each)) for each in sounds]
        return Questions(system, asked, asked[0].request if warm_up else None, self._closing)

    def _items(self, sound: Sound, record: Json) -> list[Item]:
        problem = unanswered(blank_item(sound), record)
        return [self._score(sound, record["answer"], record["seconds"]) if problem is None else problem]

    def _request(self, sound: Sound) -> Json:
        return {"wav": str(sound.wav), "language": "" if self._detect else sound.item.language}

    def _score(self, sound: Sound, record: Json, seconds: float) -> Item:
        item = sound.item
        answer = read_answer(record)
        judged = judge(item, answer)
        self._certainty += judged.certainty
        values = dict(judged.values)
        # Windows without speech cost less, and would flatter.
        if "invented" not in values:
            values["speed"] = (sound.duration_ms / 1000, seconds)
        if self._detect and item.language and item.text:
            values["language"] = (float(answer.language == item.language), 1)
        texts = {"reference": item.text or "", "answer": answer.text}
        return blank_item(sound).model_copy(update={"values": values, "texts": texts})

    def _closing(self) -> tuple[list[tuple[str, float, str]], tuple[Curve, ...]]:
        if not self._certainty:
            return [], ()
        figure = ("calibration error", 100 * calibration_error(self._certainty), "%")
        return [figure], (calibration(self._certainty),)
