"""Operands for the custom call on images, and the call itself without a compiler."""

import numpy as np
from recipes_reference import Recipe

from jaxdali._device.ffi import load
from jaxdali._device.ffi.recipes import Filter, Geometry, InstructionKind

f32 = np.float32
DTYPES = ["uint8", "int8", "uint16", "int16", "int32", "float16", "float32"]
FILES, CANVAS = 0, 1


def call(data, info, recipes, *, source, **form):
    """Results and statuses of the compiled call, written over memory that held something else."""
    results, statuses, messages = _run(load.cpu_module().images, data, info, recipes, source=source, **form)
    assert [message == "" for message in messages] == (statuses == 0).tolist()
    return results, statuses


def call_as_device(data, info, recipes, *, source, **form):
    """The same with the code of the GPU kernels."""
    return _run(load.cpu_module().images_as_device, data, info, recipes, source=source, **form)[:2]


def _run(function, data, info, recipes, **form):
    count = len(info)
    results = []
    for recipe in recipes:
        shape = (recipe.channels, *recipe.size) if recipe.channels_first else (*recipe.size, recipe.channels)
        results.append(np.full((count, *shape), 77, recipe.dtype))
    statuses = np.full(count, -1, np.int32)
    operands = [np.ascontiguousarray(operand) for recipe in recipes for operand in recipe[:4]]
    channels_first = [int(recipe.channels_first) for recipe in recipes]
    messages = function(data, info, operands, [*results, statuses], channels_first=channels_first, **form)
    return results, statuses, messages


def canvas_of(images, size, channels, dtype):
    canvas = np.full((len(images), *size, channels), 99, dtype)
    for place, image in zip(canvas, images, strict=True):
        place[: image.shape[0], : image.shape[1]] = image
    return canvas, np.array([image.shape for image in images], np.int32)


def geometry_of(height, width, **columns):
    """The geometry of a whole image with these extents, except for `columns`."""
    row = np.zeros(len(Geometry), np.int32)
    for field in (Geometry.HEIGHT, Geometry.EXTENT_Y, Geometry.RESULT_HEIGHT):
        row[field] = height
    for field in (Geometry.WIDTH, Geometry.EXTENT_X, Geometry.RESULT_WIDTH):
        row[field] = width
    for name, value in columns.items():
        row[Geometry[name]] = value
    return row


def random_program(draws, count, channels, result_channels):
    """Instructions before and after SAMPLE, and constants that mostly keep values in range."""
    kinds = [
        InstructionKind.ADD,
        InstructionKind.MULTIPLY,
        InstructionKind.ROUND,
        InstructionKind.TO_FLOAT16,
        InstructionKind.TO_BFLOAT16,
    ]
    kinds += [InstructionKind.MATRIX] * (channels == 3)
    instructions = [*draws.choice(kinds, draws.integers(0, 3)), InstructionKind.SAMPLE]
    if draws.random() < 0.5:
        instructions.append(InstructionKind.ROUND)
    instructions += [*draws.choice(kinds, draws.integers(0, 3))]
    if draws.random() < 0.6:
        instructions.insert(
            draws.integers(instructions.index(InstructionKind.SAMPLE) + 1, len(instructions) + 1), InstructionKind.FILL
        )
    width = max(12, result_channels)
    constants = draws.normal(0, 30, (draws.choice([1, count]), len(instructions), width)).astype(f32)
    for place, instruction in enumerate(instructions):
        if instruction in (InstructionKind.MULTIPLY, InstructionKind.MATRIX):
            constants[:, place] = draws.uniform(-1.5, 1.5, constants[:, place].shape)
        if (
            instruction == InstructionKind.MATRIX and draws.random() < 0.4
        ):  # of another order of the channels, or one of them thrice
            ordered = np.eye(4, dtype=f32)[draws.choice([[2, 1, 0], [1, 0, 2], [0, 0, 0]])]
            constants[:, place, :12] = ordered.ravel()
        if instruction == InstructionKind.ROUND:
            constants[:, place, :2] = draws.choice([(0, 255), (0, 255), (-128, 127), (0, 200)])
    return np.array(instructions, np.int32), constants


def random_recipe(draws, extents, channels, dtype=None):
    """A random recipe for images of the given extents."""
    size = tuple(draws.integers(1, 24, 2).tolist())
    rows, regions = [], []
    filters = draws.choice(list(Filter)[1:], 2) if draws.random() < 0.8 else (Filter.NONE, Filter.NONE)
    for height, width in extents:
        window = [draws.integers(1, extent + 1) if draws.random() < 0.6 else extent for extent in (height, width)]
        top, left = draws.integers(0, height - window[0] + 1), draws.integers(0, width - window[1] + 1)
        virtual = draws.integers(1, 40, 2) if draws.random() < 0.9 else draws.integers(1, 100000, 2)
        if Filter.NONE in filters or draws.random() < 0.1:
            virtual = np.array(window)
        asked = [draws.integers(0, extent + 1) if draws.random() < 0.5 else extent for extent in size]
        corner = [draws.integers(-4, max(1, extent - own + 5)) for extent, own in zip(virtual, asked, strict=True)]
        flags = draws.integers(0, 2, 5)
        rows.append([top, left, *window, *flags[:2], *virtual, *corner, *asked, *flags[2:4], *filters, flags[4]])
        low = draws.uniform(-3, 3, 2) * (draws.random() < 0.5)
        high = np.array(window) + draws.uniform(-0.5, 3, 2) * (draws.random() < 0.5)
        high = np.maximum(high, low + 0.3)
        regions.append([low[0], high[0], low[1], high[1]])
    result_channels = channels + int(draws.choice([0, 0, 2]))
    instructions, constants = random_program(draws, len(extents), channels, result_channels)
    dtype = dtype or draws.choice(DTYPES)
    geometry, regions = np.array(rows, np.int32), np.array(regions, f32)
    return Recipe(
        geometry, regions, instructions, constants, size, result_channels, np.dtype(dtype), bool(draws.integers(2))
    )


IDENTITY = (np.array([InstructionKind.SAMPLE], np.int32), np.zeros((1, 1, 3), f32))
WHOLE = np.array([[0, 5, 0, 7]], f32)


def whole_recipe(height, width, channels=3, dtype="uint8"):
    region = np.array([[0, height, 0, width]], f32)
    return Recipe(geometry_of(height, width)[None], region, *IDENTITY, (height, width), channels, np.dtype(dtype))
