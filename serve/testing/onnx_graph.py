"""Builds small ONNX graphs by hand. It needs the package `onnx`, which only the making of test models has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Form: TypeAlias = tuple[str, Sequence[int | str]]
"""Type and shape of a tensor."""
_TYPES = {
    "float": TensorProto.FLOAT,
    "half": TensorProto.FLOAT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "bool": TensorProto.BOOL,
}


class Graph:
    """Nodes and constants of one ONNX graph."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def constant(self, name: str, value: NDArray[Any]) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
        return name

    def integers(self, name: str, values: Sequence[int]) -> str:
        self._constants.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def integer(self, name: str, value: int) -> str:
        """A single number, without dimensions."""
        self._constants.append(numpy_helper.from_array(np.array(value, np.int64), name))
        return name

    def slice(self, name: str, start: int, end: int, *, axis: int, step: int = 1) -> list[str]:
        """The inputs of `Slice` after its data."""
        parts = {"start": start, "end": end, "axis": axis, "step": step}
        return [self.integers(f"{name}_{part}", [value]) for part, value in parts.items()]

    def cast(self, name: str, kind: str, made: str) -> None:
        self.add("Cast", [name], made, to=_TYPES[kind])

    def weights(self, name: str, value: NDArray[Any]) -> None:
        """A constant kept in 16 bits."""
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float16), f"{name}_half"))
        self.add("Cast", [f"{name}_half"], name, to=TensorProto.FLOAT)

    def quantized(self, name: str, value: NDArray[Any]) -> None:
        """A constant kept in 8 bits, with a scale for each of its rows."""
        scale = np.abs(value).reshape(len(value), -1).max(axis=1).astype(np.float32) / 127
        shaped = scale.reshape(-1, *[1] * (value.ndim - 1))
        self._constants.append(numpy_helper.from_array(np.rint(value / shaped).astype(np.int8), f"{name}_byte"))
        self._constants.append(numpy_helper.from_array(scale, f"{name}_scale"))
        self.add("DequantizeLinear", [f"{name}_byte", f"{name}_scale"], name, axis=0)

    def add(self, operation: str, inputs: Sequence[str], *outputs: str, **attributes: Any) -> None:
        self._nodes.append(helper.make_node(operation, list(inputs), list(outputs), **attributes))

    def save(
        self,
        path: Path,
        inputs: Mapping[str, Form],
        outputs: Mapping[str, Form],
        facts: Mapping[str, object],
    ) -> None:
        given, made = (
            [helper.make_tensor_value_info(name, _TYPES[kind], list(shape)) for name, (kind, shape) in side.items()]
            for side in (inputs, outputs)
        )
        graph = helper.make_graph(self._nodes, path.stem, given, made, self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        for name, value in facts.items():
            model.metadata_props.add(key=name, value=str(value))
        onnx.checker.check_model(model)
        onnx.save(model, str(path))
