"""Makes the tiny pair of speaker models: `python -m serve.testing.tiny_speakers.make` (needs `onnx`, see README.md).

Both are ONNX graphs in sherpa-onnx's form. Their first layers are fixed (spectra, means, deviations); numpy fits the
last ones to flite's voices in about a minute.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from serve.tasks.diarization.choice import EMBEDDING_FILE, SEGMENTATION_FILE
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_models.archives import ARCHIVES, pack
from serve.testing.tiny_speakers.archive import TINY_SPEAKERS
from serve.testing.tiny_speakers.dialogue import SENTENCES, VOICES, Dialogue, say, talk

WINDOW = 10 * SAMPLE_RATE
STEP, LENGTH, BANDS = 270, 512, 24
POOL = 15
"""Frames of 17 ms around each frame whose mean and deviation describe it."""
HIDDEN = 48
CLASSES = ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))

Floats = NDArray[np.float32]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, TINY_SPEAKERS)
        model.mkdir()
        make_segmentation(model / SEGMENTATION_FILE)
        make_embedding(model / EMBEDDING_FILE)
        pack(model, ARCHIVES / f"{TINY_SPEAKERS}.tar.xz")


# --- segmentation ---------------------------------------------------------------------------------------------------


def make_segmentation(path: Path) -> None:
    features = _Graph()
    _spectral_features(features)
    _save(features, path, "features", ["N", "frames", 2 * BANDS], {})
    session = onnxruntime.InferenceSession(str(path))
    inputs, labels = [], []
    for seed in range(48):
        dialogue = talk(VOICES, 9, pause_ms=((300, 600), (-900, 400), (200, -600, 800))[seed % 3], seed=seed)
        for start in range(0, len(dialogue.samples) - WINDOW, WINDOW):
            level = float(np.random.default_rng(start + seed).uniform(0.3, 1.2))
            sound = dialogue.samples[start : start + WINDOW].astype(np.float32) / 32_768.0 * level
            (found,) = session.run(None, {"x": sound[None, None]})
            inputs.append(found[0])
            labels.append(_classes_of(dialogue, start, len(found[0])))
    given, wanted = np.concatenate(inputs), np.concatenate(labels)
    mean, deviation = given.mean(axis=0), given.std(axis=0) + 1e-3
    first, first_bias, second, second_bias = _fit((given - mean) / deviation, wanted)
    graph = _Graph()
    _spectral_features(graph)
    graph.add("Sub", ["features", graph.constant("mean", mean)], "centred")
    graph.add("Div", ["centred", graph.constant("deviation", deviation)], "scaled")
    graph.add("MatMul", ["scaled", graph.constant("first", first)], "hidden_0")
    graph.add("Add", ["hidden_0", graph.constant("first_bias", first_bias)], "hidden_1")
    graph.add("Relu", ["hidden_1"], "hidden")
    graph.add("MatMul", ["hidden", graph.constant("second", second)], "scores_0")
    graph.add("Add", ["scores_0", graph.constant("second_bias", second_bias)], "scores")
    facts = {
        "num_speakers": len(VOICES),
        "powerset_max_classes": 2,
        "num_classes": len(CLASSES),
        "sample_rate": SAMPLE_RATE,
        "window_size": WINDOW,
        "receptive_field_size": LENGTH,
        "receptive_field_shift": STEP,
    }
    _save(graph, path, "scores", ["N", "frames", len(CLASSES)], facts)


def _spectral_features(graph: _Graph) -> None:
    """`x` (N, 1, samples) to `features` (N, frames, 48): means and deviations of 24 log bands around each frame."""
    graph.add("Squeeze", ["x", graph.constant("axis_1", np.array([1], np.int64))], "flat")
    window = np.hanning(LENGTH).astype(np.float32)
    step = graph.constant("step", np.array(STEP, np.int64))
    graph.add("Unsqueeze", ["flat", graph.constant("axis_2", np.array([2], np.int64))], "signal")
    graph.add("STFT", ["signal", step, graph.constant("window", window)], "spectrum", onesided=1)
    graph.add("ReduceSumSquare", ["spectrum", graph.constant("axis_3", np.array([3], np.int64))], "power", keepdims=0)
    graph.add("MatMul", ["power", graph.constant("bands", _bands())], "energies")
    graph.add("Add", ["energies", graph.constant("floor", np.array(1e-4, np.float32))], "raised")
    graph.add("Log", ["raised"], "logs")
    graph.add("Transpose", ["logs"], "by_band", perm=[0, 2, 1])
    graph.add("Mul", ["by_band", "by_band"], "squares")
    pool = {"kernel_shape": [POOL], "pads": [POOL // 2, POOL // 2], "count_include_pad": 0}
    graph.add("AveragePool", ["by_band"], "means", **pool)
    graph.add("AveragePool", ["squares"], "mean_squares", **pool)
    graph.add("Mul", ["means", "means"], "squared_means")
    graph.add("Sub", ["mean_squares", "squared_means"], "variances")
    graph.add("Abs", ["variances"], "variances_abs")
    graph.add("Sqrt", ["variances_abs"], "deviations")
    graph.add("Concat", ["means", "deviations"], "both", axis=1)
    graph.add("Transpose", ["both"], "features", perm=[0, 2, 1])


def _bands() -> Floats:
    """Triangles of equal width on the mel scale: (bins, bands)."""
    edges = 700 * (np.exp(np.linspace(np.log1p(60 / 700), np.log1p(7_600 / 700), BANDS + 2)) - 1)
    bins = np.arange(LENGTH // 2 + 1) * SAMPLE_RATE / LENGTH
    rising = (bins[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    return np.asarray(np.maximum(0, np.minimum(rising, falling)), np.float32)


def _classes_of(dialogue: Dialogue, start: int, frames: int) -> NDArray[np.int64]:
    """The class of each frame: whose samples are loud around it."""
    middles = start + STEP * np.arange(frames) + LENGTH // 2
    active = np.zeros((frames, len(VOICES)), np.bool_)
    for index, voice in enumerate(VOICES):
        for said in dialogue.utterances:
            if said.speaker == voice:
                first, last = (ms * SAMPLE_RATE // 1000 for ms in (said.start_ms, said.end_ms))
                active[:, index] |= (middles >= first) & (middles < last)
    names = [tuple(np.flatnonzero(row)[:2].tolist()) for row in active]
    return np.array([CLASSES.index(name) for name in names], np.int64)


def _fit(given: Floats, wanted: NDArray[np.int64]) -> tuple[Floats, Floats, Floats, Floats]:
    """A layer of `HIDDEN` rectified units and a softmax, by Adam on the cross-entropy."""
    dice = np.random.default_rng(3)
    weights = [
        dice.normal(0, 0.15, (given.shape[1], HIDDEN)),
        np.zeros(HIDDEN),
        dice.normal(0, 0.15, (HIDDEN, len(CLASSES))),
        np.zeros(len(CLASSES)),
    ]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
    for step in range(1, 4_001):
        chosen = dice.integers(0, len(given), 512)
        x, y = given[chosen], wanted[chosen]
        hidden = np.maximum(0, x @ weights[0] + weights[1])
        scores = hidden @ weights[2] + weights[3]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        error = shares
        error[np.arange(len(y)), y] -= 1
        error /= len(y)
        back = (error @ weights[2].T) * (hidden > 0)
        slopes = [x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
        rate = 0.004 * (1 - step / 4_001)
        for index, slope in enumerate(slopes):
            mean, square = moments[index]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            corrected = np.sqrt(square / (1 - 0.999**step)) + 1e-8
            weights[index] = weights[index] - rate * (mean / (1 - 0.9**step)) / corrected
    first, first_bias, second, second_bias = (each.astype(np.float32) for each in weights)
    return first, first_bias, second, second_bias


# --- embedding ------------------------------------------------------------------------------------------------------


def make_embedding(path: Path) -> None:
    facts = {
        "framework": "wespeaker",
        "language": "English",
        "url": "",
        "comment": "made for tests",
        "sample_rate": SAMPLE_RATE,
        "normalize_samples": 1,
        "feature_normalize_type": "",
        "output_dim": 160,
    }
    statistics = _Graph()
    _utterance_statistics(statistics)
    _save(statistics, path, "statistics", ["N", 160], facts)
    rows, owners = _statistics_of_voices(path)
    mean, projection = _discriminant(rows, owners)
    graph = _Graph()
    _utterance_statistics(graph)
    graph.add("Sub", ["statistics", graph.constant("mean", mean)], "centred")
    graph.add("MatMul", ["centred", graph.constant("projection", projection)], "embedding")
    _save(graph, path, "embedding", ["N", projection.shape[1]], {**facts, "output_dim": projection.shape[1]})


def _utterance_statistics(graph: _Graph) -> None:
    """`x` (N, frames, 80 log mels) to `statistics` (N, 160): means and deviations."""
    axis = graph.constant("axis_1", np.array([1], np.int64))
    graph.add("ReduceMean", ["x", axis], "means", keepdims=0)
    graph.add("Mul", ["x", "x"], "squares")
    graph.add("ReduceMean", ["squares", axis], "mean_squares", keepdims=0)
    graph.add("Mul", ["means", "means"], "squared_means")
    graph.add("Sub", ["mean_squares", "squared_means"], "variances")
    graph.add("Abs", ["variances"], "variances_abs")
    graph.add("Sqrt", ["variances_abs"], "deviations")
    graph.add("Concat", ["means", "deviations"], "statistics", axis=1)


def _statistics_of_voices(path: Path) -> tuple[Floats, NDArray[np.int64]]:
    import sherpa_onnx

    extractor = sherpa_onnx.SpeakerEmbeddingExtractor(sherpa_onnx.SpeakerEmbeddingExtractorConfig(model=str(path)))
    dice = np.random.default_rng(7)
    rows, owners = [], []
    for owner, voice in enumerate(VOICES):
        for text in SENTENCES:
            spoken = say(voice, text).astype(np.float32) / 32_768.0
            for _ in range(8):
                size = int(dice.uniform(0.8, 3.0) * SAMPLE_RATE)
                first = int(dice.integers(0, max(1, len(spoken) - size)))
                stream = extractor.create_stream()
                part = spoken[first : first + size] * float(dice.uniform(0.3, 1.2))
                stream.accept_waveform(SAMPLE_RATE, part + dice.normal(0, 1e-4, len(part)).astype(np.float32))
                stream.input_finished()
                rows.append(extractor.compute(stream))
                owners.append(owner)
    return np.array(rows, np.float32), np.array(owners)


def _discriminant(rows: Floats, owners: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Centre and directions in which the voices differ most for how much each varies (linear discriminants)."""
    mean = rows.mean(axis=0)
    middles = np.stack([rows[owners == owner].mean(axis=0) for owner in np.unique(owners)])
    within = rows - middles[owners]
    spread = within.T @ within / len(rows) + 0.3 * np.eye(rows.shape[1])
    values, vectors = np.linalg.eigh(spread)
    white = vectors / np.sqrt(values)
    between = (middles - middles.mean(axis=0)) @ white
    _, _, directions = np.linalg.svd(between, full_matrices=False)
    return mean.astype(np.float32), (white @ directions[: len(middles) - 1].T).astype(np.float32)


# --- graphs ---------------------------------------------------------------------------------------------------------


class _Graph:
    """Nodes and constants of an ONNX graph with the input `x`."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def constant(self, name: str, value: NDArray[Any]) -> str:
        value = value.astype(np.float32) if value.dtype.kind == "f" else value
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def add(self, operation: str, inputs: Sequence[str], output: str, **attributes: Any) -> None:
        self.nodes.append(helper.make_node(operation, list(inputs), [output], **attributes))


def _save(graph: _Graph, path: Path, output: str, shape: Sequence[int | str], facts: Mapping[str, object]) -> None:
    given = ["N", 1, "T"] if "signal" in {node.output[0] for node in graph.nodes} else ["N", "T", 80]
    made = helper.make_graph(
        graph.nodes,
        path.stem,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, given)],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, list(shape))],
        list(graph.constants.values()),
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    for name, value in facts.items():
        model.metadata_props.add(key=name, value=str(value))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


if __name__ == "__main__":
    main()
