"""Affine maps of points: matrices `float32[..., d, d + 1]`, whose last column is added."""

from __future__ import annotations

import functools
import operator
from typing import Any

import jax
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .exact_arithmetic import aligned, product, quotient, rounded, to_float32, total
from .recipe import numpy_of
from .trigonometry import sine_and_cosine

__all__ = [
    "adjugate",
    "combine",
    "crop",
    "inverted",
    "rotation",
    "scaling",
    "shear",
    "shear_of_angles",
    "transformed",
    "translation",
]


@on_any_mesh
def translation(offset: npt.ArrayLike) -> Any:
    """The map that adds an offset.

    Args:
        offset: `float32[..., d]`.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.

    Example:
        >>> from jaxdali.image import affine
        >>> affine.translation([2, 3])
        array([[1., 0., 2.],
               [0., 1., 3.]], dtype=float32)
    """
    offset = to_float32(offset)
    return _with_column(np.eye(offset.shape[-1], dtype=np.float32), offset)


@on_any_mesh
def scaling(scale: Any, center: npt.ArrayLike | None = None) -> Any:
    """The map that scales.

    Args:
        scale: `float32[..., d]`, the factor along each axis.
        center: `float32[..., d]`, (x, y) or (x, y, z), the point that stays fixed; None: the origin.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.
    """
    scale = to_float32(scale)
    return _around(_diagonal(scale), center)


@on_any_mesh
def rotation(degrees: npt.ArrayLike, center: npt.ArrayLike | None = None, axis: Any = None) -> Any:
    """The map that rotates.

    Args:
        degrees: `float32[...]`; in two dimensions from the first axis towards the second, in three counter-clockwise if
            `axis` points towards the viewer.
        center: `float32[..., d]`, (x, y) or (x, y, z), the point that stays fixed; None: the origin.
        axis: `float32[..., 3]`, of any length but 0, for three dimensions; None: for two.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.
    """
    sine, cosine = sine_and_cosine(to_float32(degrees))
    xp = numpy_of(sine)
    if axis is None:
        rows = [xp.stack([cosine, -sine], axis=-1), xp.stack([sine, cosine], axis=-1)]
        return _around(xp.stack(rows, axis=-2), center)
    axis = to_float32(axis)
    xp = numpy_of(sine, axis)
    length = _sum([product(axis[..., k], axis[..., k]) for k in range(3)])
    x, y, z = (quotient(axis[..., k], xp.sqrt(length)) for k in range(3))
    rest = np.float32(1) - cosine
    rows = []
    # Rodrigues' formula: cos * I + sin * [u]x + (1 - cos) * u * u'.
    for one, turned in (
        ((x, y, z), (None, -z, y)),
        ((y, x, z), (z, None, -x)),
        ((z, x, y), (-y, x, None)),
    ):
        first = one[0]
        columns = []
        for column, other in zip((x, y, z), turned, strict=True):
            outer = product(product(first, column), rest)
            columns.append(rounded(outer + (cosine if other is None else product(sine, other))))
        rows.append(xp.stack(xp.broadcast_arrays(*columns), axis=-1))
    return _around(xp.stack(rows, axis=-2), center)


@on_any_mesh
def shear(factors: npt.ArrayLike, center: npt.ArrayLike | None = None) -> Any:
    """The map that shears.

    Args:
        factors: `float32[..., 2]` for two dimensions, x by y and y by x; `[..., 6]` for three: xy, xz, yx, yz, zx, zy.
        center: `float32[..., d]`, (x, y) or (x, y, z), the point that stays fixed; None: the origin.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.

    Raises:
        ConfigError: there are neither 2 nor 6 factors.
    """
    factors = to_float32(factors)
    count = factors.shape[-1]
    if count not in (2, 6):
        raise ConfigError(f"shears must be 2 numbers for two dimensions, or 6 for three; got {count}")
    dimensions = 2 if count == 2 else 3
    xp, left = numpy_of(factors), iter(range(count))
    one = xp.ones_like(factors[..., 0])
    rows = [
        xp.stack([one if row == column else factors[..., next(left)] for column in range(dimensions)], axis=-1)
        for row in range(dimensions)
    ]
    return _around(xp.stack(rows, axis=-2), center)


@on_any_mesh
def shear_of_angles(degrees: ArrayLike, center: npt.ArrayLike | None = None) -> Any:
    """The map that shears by the tangents of angles.

    Args:
        degrees: `float32[..., 2]` or `[..., 6]`, an angle in place of each factor of `shear`.
        center: `float32[..., d]`, (x, y) or (x, y, z), the point that stays fixed; None: the origin.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.

    Raises:
        ConfigError: there are neither 2 nor 6 angles.
    """
    sine, cosine = sine_and_cosine(to_float32(degrees))
    return shear(quotient(sine, cosine), center)


@on_any_mesh
def crop(from_start: Any, from_end: Any, to_start: Any, to_end: Any, *, absolute: bool = False) -> Any:
    """The map from one box to another.

    Args:
        from_start: `float32[..., d]`, where the first box begins.
        from_end: `float32[..., d]`, where the first box ends.
        to_start: `float32[..., d]`, where the second box begins.
        to_end: `float32[..., d]`, where the second box ends.
        absolute: the smaller of start and end is the start; otherwise a box may be mirrored.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.
    """
    from_start, from_end, to_start, to_end = map(to_float32, (from_start, from_end, to_start, to_end))
    xp = numpy_of(from_start, from_end, to_start, to_end)
    if absolute:
        from_start, from_end = xp.minimum(from_start, from_end), xp.maximum(from_start, from_end)
        to_start, to_end = xp.minimum(to_start, to_end), xp.maximum(to_start, to_end)
    scale = quotient(rounded(to_end - to_start), rounded(from_end - from_start))
    return _with_column(_diagonal(scale), total(to_start, -product(scale, from_start)))


@on_any_mesh
def combine(*maps: object) -> Any:
    """One map that applies several in order.

    Args:
        maps: `float32[..., d, d + 1]` each, at least one; the first one is applied first.

    Returns:
        `float32[..., d, d + 1]`, in NumPy if all arguments are NumPy's.

    Raises:
        ConfigError: they differ in their number of dimensions.

    Example:
        >>> from jaxdali.image import affine
        >>> affine.combine(affine.translation([1, 1]), affine.scaling([2, 4]))
        array([[2., 0., 2.],
               [0., 4., 4.]], dtype=float32)
    """
    found = maps[0]
    for after in maps[1:]:
        found = _behind(found, after)
    return found


@on_any_mesh
def inverted(matrix: Array) -> jax.Array:
    """The inverse of a map.

    Args:
        matrix: `float32[..., 2, 3]` (two dimensions) or `[..., 3, 4]` (three).

    Returns:
        An array of the same shape, in NumPy if `matrix` is NumPy's. Not finite where there is no inverse.
    """
    matrix = to_float32(matrix)
    xp = numpy_of(matrix)
    if matrix.shape[-2] == 3:
        adjoint, moved = adjugate(matrix[..., :3]), matrix[..., 3]
        determinant = _sum([product(matrix[..., 0, k], adjoint[..., k, 0]) for k in range(3)])
        linear = quotient(adjoint, determinant[..., None, None])
        return _with_column(linear, -_sum([product(linear[..., k], moved[..., k : k + 1]) for k in range(3)]))
    (a, b, c), (d, e, f) = ([matrix[..., row, column] for column in range(3)] for row in range(2))
    determinant = rounded(product(a, e) - product(b, d))
    a, b, d, e = (quotient(part, determinant) for part in (e, -b, -d, a))
    rows = [[a, b, rounded(-product(a, c) - product(b, f))], [d, e, rounded(-product(d, c) - product(e, f))]]
    return xp.stack([xp.stack(row, axis=-1) for row in rows], axis=-2)


@on_any_mesh
def adjugate(matrix: npt.ArrayLike) -> Any:
    """The adjugate of a matrix: its inverse times its determinant.

    Args:
        matrix: `float32[..., 3, 3]`.

    Returns:
        `float32[..., 3, 3]`, in NumPy if `matrix` is NumPy's.
    """
    matrix = to_float32(matrix)
    xp = numpy_of(matrix)

    def cofactor(row: int, column: int) -> Any:
        (a, b), (c, d) = ([matrix[..., (row + i) % 3, (column + j) % 3] for j in (1, 2)] for i in (1, 2))
        return rounded(product(a, d) - product(b, c))

    return xp.stack([xp.stack([cofactor(row, column) for row in range(3)], axis=-1) for column in range(3)], axis=-2)


@on_any_mesh
def transformed(points: Any, matrix: Any) -> Any:
    """Multiplies points by a matrix. Leading axes are broadcast.

    Args:
        points: `float32[..., n]`.
        matrix: `float32[..., m, n]`.

    Returns:
        `float32[..., m]`.
    """
    return _sum([product(points[..., k : k + 1], matrix[..., k]) for k in range(points.shape[-1])])


def _sum(terms: list[Any]) -> Any:
    """The sum, rounded after each term."""
    return functools.reduce(total, terms)


def _diagonal(scale: Any) -> Any:
    return operator.mul(*aligned(scale[..., None], np.eye(scale.shape[-1], dtype=np.float32)))


def _behind(first: Any, second: Any) -> Any:
    first, second = to_float32(first), to_float32(second)
    xp, dimensions = numpy_of(first, second), first.shape[-2]
    if second.shape[-2] != dimensions:
        raise ConfigError(f"maps of {dimensions} and {second.shape[-2]} dimensions cannot be combined")
    terms = [product(second[..., k : k + 1], first[..., k : k + 1, :]) for k in range(dimensions)]
    joined = _sum(terms)
    added = xp.broadcast_to(second[..., dimensions:], (*joined.shape[:-1], 1))
    return xp.concatenate([joined[..., :dimensions], rounded(joined[..., dimensions:] + added)], axis=-1)


def _around(linear: Any, center: Any) -> Any:
    """The linear map `[..., d, d]` about a fixed point `[..., d]`."""
    if center is None:
        return _with_column(linear, np.zeros(linear.shape[-1], np.float32))
    center = to_float32(center)
    moved = _sum([product(linear[..., k], center[..., k : k + 1]) for k in range(linear.shape[-1])])
    return _with_column(linear, total(center, -moved))


def _with_column(linear: Any, column: Any) -> Any:
    xp = numpy_of(linear, column)
    shape = np.broadcast_shapes(linear.shape[:-1], column.shape)
    linear = xp.broadcast_to(linear, (*shape, linear.shape[-1]))
    return xp.concatenate([linear, xp.broadcast_to(column, shape)[..., None]], axis=-1)
