"""Public functions of arrays under each of JAX's strict settings, other generators and Explicit meshes.

A setting that only refuses things changes no result, and a program that is traced under it shows what it refuses. So the
gate traces every call once, under all of these settings together; the others have a test each.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from jpeg_files import pillow_jpeg
from public_calls import CALLS, Call, operands, undescribed
from tiers import gate

from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch

FILES = [pillow_jpeg(16, 24), pillow_jpeg(20, 18)]
ROOMS = sorted({name.partition(".")[0] for name in CALLS})
SETTINGS: dict[str, Callable[[], Any]] = {
    "rank promotion": lambda: jax.numpy_rank_promotion("raise"),
    "dtype promotion": lambda: jax.numpy_dtype_promotion("strict"),
    "leaks": jax.checking_leaks,
    "transfers": lambda: jax.transfer_guard("disallow"),
    "rbg": lambda: jax.default_prng_impl("rbg"),
    "unsafe_rbg": lambda: jax.default_prng_impl("unsafe_rbg"),
    "not partitionable": lambda: jax.threefry_partitionable(False),
    "NaNs": lambda: jax.debug_nans(True),
    "infs": lambda: jax.debug_infs(True),
    "x64": lambda: jax.enable_x64(True),
}
# Of these the last digits of float32 depend on what XLA fuses, which differs without jit and on several devices.
FUSED = {
    *("random.beta", "random.cutmix", "audio.decibels", "audio.preemphasis", "audio.spectrogram"),
    "image.resize_axes",
}


@contextlib.contextmanager
def strict() -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for name in ("rank promotion", "dtype promotion", "transfers", "rbg"):
            stack.enter_context(SETTINGS[name]())
        yield


@functools.cache
def given() -> dict[str, Any]:
    return operands()


def of_room(room: str) -> list[tuple[str, Call]]:
    return [
        (f"{name} {k}", call)
        for name, calls in CALLS.items()
        if name.startswith(f"{room}.")
        for k, call in enumerate(calls)
    ]


def decodes(name: str) -> bool:
    return name in ("image.arrays 0", "image.open 0", "image.open 1", "image.open 7") or name.startswith("image.decode")


def program(call: Call, platform: str, setting: Callable[[], Any] = contextlib.nullcontext) -> str:
    o = given()  # not made under the setting
    # A function of its own: what was traced without the setting would be found again.
    with setting():
        return jax.jit(lambda o: call(o)).trace(o).lower(lowering_platforms=(platform,)).as_text()


def values(result: Any) -> list[np.ndarray]:
    leaves = jax.tree.leaves(result)
    is_key = [jax.dtypes.issubdtype(getattr(leaf, "dtype", np.bool_), jax.dtypes.prng_key) for leaf in leaves]
    return [np.asarray(jax.random.key_data(x) if key else x) for x, key in zip(leaves, is_key, strict=True)]


@functools.cache
def expected(name: str, call: Call) -> list[np.ndarray]:
    return values(jax.jit(call)(given()))


def check(name: str, call: Call, found: Any) -> None:
    tolerance = {"rtol": 1e-5, "atol": 1e-5} if name.split()[0] in FUSED else {"rtol": 0, "atol": 0}
    for got, want in zip(values(found), expected(name, call), strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape), name
        np.testing.assert_allclose(got, want, **tolerance, err_msg=name)


def test_every_public_function_is_called():
    assert undescribed() == []


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_is_refused(room):
    """On the CPU custom calls do the work of some functions; "tpu" has the code of all other platforms."""
    for number, (name, call) in enumerate(of_room(room)):
        platform = "cpu" if decodes(name) or number % 3 == 0 else "tpu"
        assert "func.func public @main" in program(call, platform, strict), name


@pytest.mark.parametrize("room", ROOMS)
def test_types_are_the_same_with_64_bits(room):
    def types(call: Call) -> list[Any]:
        return [(leaf.shape, leaf.dtype) for leaf in jax.tree.leaves(jax.eval_shape(lambda o: call(o), given()))]

    for name, call in of_room(room):
        wanted = types(call)
        with jax.enable_x64(True):
            assert types(call) == wanted, name


@pytest.mark.thorough
@pytest.mark.parametrize("platform", ["cpu", "tpu"])
@pytest.mark.parametrize("setting", ["rank promotion", "dtype promotion", "leaks", "transfers", "rbg", "unsafe_rbg"])
@pytest.mark.parametrize("room", ROOMS)
def test_programs_are_the_same(room, setting, platform):
    for name, call in of_room(room):
        if platform == "tpu" and decodes(name):
            continue
        wanted = program(call, platform)
        assert program(call, platform, SETTINGS[setting]) == wanted, name


# Cheap to compile, and of every kind: draws, boxes, numbers of signals and of ragged arrays, maps, and images.
SOME = ("random.cutmix 1", "random.choice 3", "boxes.crop_boxes 1", "numeric.reshape_ragged 1", "audio.decibels 1")


@pytest.mark.parametrize("setting", ["not partitionable", "x64", "NaNs"])
def test_some_results_are_the_same(setting):
    for name, call in ((name, call) for room in ROOMS for name, call in of_room(room) if name in SOME):
        expected(name, call)
        with SETTINGS[setting]():
            check(name, call, jax.jit(lambda o, call=call: call(o))(given()))


@pytest.mark.thorough
@pytest.mark.parametrize("setting", ["not partitionable", "NaNs", "infs", "x64"])
@pytest.mark.parametrize("room", ROOMS)
def test_results_are_the_same(room, setting):
    for name, call in of_room(room):
        expected(name, call)
        with SETTINGS[setting]():
            check(name, call, jax.jit(lambda o, call=call: call(o))(given()))


@pytest.mark.thorough
@pytest.mark.parametrize("room", ROOMS)
def test_results_without_jit(room):
    for name, call in of_room(room):
        expected(name, call)
        with jax.disable_jit():
            found = call(given())
        check(name, call, found)


# MESHES ---------------------------------------------------------------------------------------------------------------


@functools.cache
def spread() -> tuple[jax.sharding.Mesh, dict[str, Any]]:
    """A mesh of two devices as `jax.make_mesh` makes it, and the operands with a sample on each."""
    mesh = jax.make_mesh((2,), ("data",))
    assert mesh.axis_types == (AxisType.Explicit,)
    along = NamedSharding(mesh, P("data"))
    where = {"key": NamedSharding(mesh, P()), "maps": NamedSharding(mesh, P(None, "data"))}
    alone = {name: value for name, value in given().items() if name != "files"}
    placed = {name: jax.device_put(value, where.get(name, along)) for name, value in alone.items()}
    parts = [EncodedBatch.from_encoded([file]) for file in FILES]
    columns = [np.concatenate([getattr(part, name) for part in parts]) for name in ("bytes", "rows", "sizes")]
    return mesh, {**placed, "files": EncodedBatch(*jax.device_put(tuple(columns), along), along)}


@pytest.mark.parametrize("room", ROOMS)
def test_calls_on_an_explicit_mesh_are_traced(room):
    mesh, cut = spread()
    for name, call in of_room(room):
        with jax.set_mesh(mesh):
            shapes = jax.tree.leaves(jax.eval_shape(lambda o, call=call: call(o), cut))
        for leaf in shapes:  # a row per sample stays with its sample
            if leaf.shape[:1] == (2,) and not name.startswith(("image.affine", "random.sample_keys")):
                assert leaf.sharding.spec[0] == "data", (name, leaf)


@pytest.mark.parametrize("room", gate(ROOMS, []))
def test_results_on_an_explicit_mesh(room):
    mesh, cut = spread()
    for name, call in of_room(room):
        expected(name, call)  # on one device, whose arrays JAX does not mix with those of a mesh
        with jax.set_mesh(mesh):
            check(name, call, jax.jit(lambda o, call=call: call(o))(cut))


# KEYS -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", gate(["rbg", "unsafe_rbg", "words"], ["rbg", "words"]))
def test_keys_of_other_kinds_are_refused(kind):
    """A draw of another generator would depend on its place in the batch; words of a key do not say what they are."""
    keys = (
        jax.random.key_data(given()["keys"]) if kind == "words" else jax.random.split(jax.random.key(0, impl=kind), 2)
    )
    other = {**given(), "keys": keys, "key": keys[0]}
    drawn = [(name, call) for room in ("random", "augment", "boxes") for name, call in of_room(room) if uses_keys(call)]
    assert len(drawn) > 40
    for name, call in drawn:
        with pytest.raises(ConfigError, match=r"threefry|a key per sample|and keys "):
            jax.eval_shape(call, other)
            pytest.fail(name)


def uses_keys(call: Call) -> bool:
    read: set[str] = set()

    class Noting(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            read.add(name)
            return super().__getitem__(name)

    o = given()
    jax.eval_shape(lambda: call(Noting(o)))
    return bool(read & {"keys", "key"})
