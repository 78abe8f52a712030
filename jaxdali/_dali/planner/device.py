"""Where a pipeline's device function runs. This file loads jax; it is imported when a pipeline is built.

`make_device_stage` takes a plan, chooses the device, makes an `AheadDecoder` if that is a GPU and images are to be
decoded ahead, and then a `GraphProgram` in a `DeviceStage` for each subgraph (`chain`). Out go what is known of all
outputs, and the chain. `output_arrays` takes a batch that the executor has ready, and returns outputs of it as dense
arrays. It relies on `Plan.column_of`: a node that is in it comes from a column, all others from the device.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import jax

from jaxdali._base.aliases import Device
from jaxdali._base.batch import DECODERS
from jaxdali._device.ffi.compat import local_gpus
from jaxdali._feed.ring.columns import Column
from jaxdali._run.executor.affinity import decode_affinity
from jaxdali._run.executor.decode_ahead.ahead_decoder import AheadDecoder, DecodeSettings
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali._run.executor.device_io.device_placement import OneDevice
from jaxdali._run.executor.device_io.transfer import Padded, cut, dense_rows, put_column
from jaxdali._run.executor.device_stage import DeviceStage
from jaxdali._run.executor.program_chain import ChainedStage
from jaxdali._run.executor.program_memory import ProgramMemory
from jaxdali._run.executor.step import Step
from jaxdali.errors import ConfigError
from ..graph.call import DataNode
from ..operators.file_decoding_arguments import Decoding
from .chain import ChainProgram, chain
from .feed_setup import count_steps_ahead
from .graph_decoding import decoding_of
from .graph_program import GraphProgram
from .graph_recipes import Recipes
from .options import PipelineOptions
from .packed_plan import require_gpu
from .plan import Plan
from .subgraphs import Subgraph

__all__ = ["make_device_stage", "output_arrays", "output_device"]

# Platforms with a custom call that computes a whole recipe of files.
_WHOLE_RECIPES = ("cpu", "gpu")

logger = logging.getLogger("jaxdali")
_said = False


def output_device(plan: Plan, options: PipelineOptions, chosen: Any) -> Any:
    """Returns the device on which the device function runs, or on which outputs of sources appear: a GPU, if there is
    one and a call is placed on it or the device computes nothing.

    Args:
        chosen: the `jax.Device` for the outputs; None for the one that `device_id` selects.

    Raises:
        ConfigError: no device has the pipeline's `device_id`.
    """
    wanted = not plan.on_device or any(call.device != "cpu" for call in plan.calls)
    if chosen is not None:
        return chosen if wanted or chosen.platform == "cpu" else jax.local_devices(backend="cpu")[0]
    gpus = local_gpus() if options.device_id is not None else []
    hosts = jax.local_devices(backend="cpu")
    devices = gpus or hosts
    index = options.device_id or 0
    if not 0 <= index < len(devices):
        kind = "GPU" if gpus else "CPU"
        raise ConfigError(
            f"device_id={options.device_id}: this process has {len(devices)} {kind} device(s); use 0 to "
            f"{len(devices) - 1}, or None for the CPU"
        )
    # On a machine with GPUs, a pipeline that runs on the CPU has a `device_id` that refers to GPUs.
    return devices[index] if wanted or not gpus else hosts[0]


def make_device_stage(
    plan: Plan, options: PipelineOptions, seed: int, failures: DecodeFailures, decodes_ahead: bool, chosen: object
) -> tuple[ChainProgram, ChainedStage]:
    """Makes the programs of a plan, and the stage that runs them on the device of `output_device`.

    Raises:
        ConfigError: no device has the pipeline's `device_id`.
        BackendUnavailable: clips are packed for a GPU, and there is none.
    """
    device = output_device(plan, options, chosen)
    ahead = None
    if device.platform == "cpu":
        require_gpu(plan)
        _say_once(plan)
    elif decodes_ahead:
        ahead = AheadDecoder(device, _settings(plan), options.decode_memory, _expected(plan, options))
    largest = options.max_canvas_bytes // (3 * options.batch_size)
    columns = [column for feed in plan.feeds for column in feed.columns]
    of_any_form, known = _of_any_form(columns), len(columns)
    cpus = decode_affinity(options.num_threads, options.device_id) if options.set_affinity else ()
    threads = options.num_threads or 0
    memory = ProgramMemory() if options.enable_memory_stats else None
    placement, whole = OneDevice(device), device.platform not in _WHOLE_RECIPES

    def stage_of(subgraph: Subgraph, ahead: AheadDecoder | None) -> tuple[GraphProgram, DeviceStage]:
        # The layouts of columns that pass the host between programs are not known yet.
        others = {number for number in subgraph.column_of.values() if number >= known and not columns[number].encoded}
        recipes = Recipes(subgraph.calls, subgraph.column_of, subgraph.outputs, largest, of_any_form | others)
        program = GraphProgram(subgraph, recipes, columns, seed, threads, cpus, decodes_whole=whole)
        return program, DeviceStage(program, placement, options.max_canvas_bytes, failures, ahead, memory)

    return chain(plan, columns, stage_of, ahead, options)


def _settings(plan: Plan) -> dict[int, list[DecodeSettings]]:
    def settings(decoding: Decoding) -> DecodeSettings:
        options = decoding.options
        return DecodeSettings(DECODERS.index(options["decoder"]), options["jpeg_fancy_upsampling"], decoding.luma)

    # The engine only gets columns of sources; files that are made on the host are decoded when the program runs.
    return {column: list(map(settings, found)) for column, found in plan.decoders.items() if column < plan.given}


def _of_any_form(columns: Sequence[Column]) -> set[int]:
    """Numbers of the columns whose samples may have axes other than [H, W, C]. Without a layout that is not known before
    there are data; a fed column's layout comes with them.
    """
    return {
        number
        for number, column in enumerate(columns)
        if not column.encoded and (column.layout != "HWC" or (column.fed is not None and not column.declared_layout))
    }


def _expected(plan: Plan, options: PipelineOptions) -> list[tuple[int, int, int]]:
    """Returns what the engine needs to know for each decoder with a known image size: bytes and number of batches, and
    images per batch.
    """
    # One batch waits for each step that is finished or prepared, and two more are being read.
    batches = max(options.device_depth, options.host_depth) + count_steps_ahead(plan, options) + 2
    decodings = [decoding for call in plan.calls if (decoding := decoding_of(call)) is not None]
    sizes = [decoding.sample_bytes or options.bytes_per_sample for decoding in decodings]
    return [(size * options.batch_size, batches, options.batch_size) for size in sizes if size]


def _say_once(plan: Plan) -> None:
    global _said
    placed = sorted({call.device for call in plan.calls if call.device != "cpu"})
    if placed and not _said:
        _said = True
        logger.warning('jaxdali: operators with device="%s" run on the CPU', '" or "'.join(placed))


def output_arrays(
    plan: Plan,
    program: ChainProgram | None,
    nodes: Sequence[DataNode],
    ready: Step,
    device: Device,
    *,
    on_host: bool = False,
) -> list[Any]:
    """Returns outputs of a batch as dense arrays on the pipeline's device; images on a canvas of their own with their
    shapes.

    Args:
        program: None if the device computes nothing.
        on_host: if the device is the CPU, return what comes straight from sources as NumPy arrays, so that the caller
            can place several of them together.

    Raises:
        ConfigError: the samples of an output differ in shape.
    """
    columns = ready.columns
    computed = dict(zip(plan.device_outputs, ready.outputs, strict=True)) if ready.outputs is not None else {}
    arrays = []
    for node in nodes:
        if node in plan.column_of:
            column = columns[plan.column_of[node]]
            if not column.uniform:
                raise _ragged(node, len(arrays), [tuple(shape) for shape in column.shapes.tolist()])
            stays = on_host and device.platform == "cpu" and column.column.held_batches is None
            arrays.append(dense_rows(column) if stays else put_column(column, device))
            continue
        data, shapes = computed[node]
        if program is not None and (recipes := program.recipes_of(node)) and recipes.canvas_of(node):
            arrays.append(Padded((data, shapes)))
            continue
        if shapes is not None:
            extents = [tuple(shape) for shape in jax.device_get(shapes).tolist()]
            if len(set(extents)) > 1:
                raise _ragged(node, len(arrays), extents)
            data = cut(data, (0,) * data.ndim, (len(data), *extents[0], *data.shape[1 + len(extents[0]) :]))
        arrays.append(data)
    return arrays


def _ragged(node: DataNode, position: int, shapes: list[tuple[int, ...]]) -> ConfigError:
    return ConfigError(
        f"output {node.name!r} must be representable as a tensor, but its samples differ in shape ({shapes[0]}, "
        f"{next(shape for shape in shapes if shape != shapes[0])}, ...). Resize them in the pipeline, e.g. with "
        "fn.resize(images, size=(224, 224)), give the decoder canvas=(height, width), or use Pipeline.run. It is output "
        f"{position} of the pipeline, {node.call.operator.display_name}: an output_map names outputs in their order"
    )
