"""Makes what a Loader consists of, from its arguments: in all processes of the program at once, if they share it.

`make` takes the Loader's arguments, and checks them first. `_Making` then finds lengths, reads the first sample for the
spec of samples, makes program and mixer, traces them for the spec of a batch, compares with the other processes and
makes the sampler (`_agree`), and last the builder and the step runner, which start no worker yet. Out goes a `Made`. It
relies on `made_together`: a process in which this fails says so to the others.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jaxdali._base.aliases import PyTree
from jaxdali._feed.remote.courier_pool import check_remote
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._feed.source.local_rows import LocalRows, ProcessRows, seed_of_process
from jaxdali._feed.source.parts import PartsSampler
from jaxdali._feed.source.sampler import SequentialSampler, ShuffleSampler
from jaxdali._run.executor.decode_failures import DecodeFailures
from jaxdali.errors import ConfigError, check_integer
from .absent_files import completed
from .builder import Builder
from .default_workers import use_default_workers
from .first_sample import first_sample
from .growth import Lengths
from .leaf_arguments import LeafArguments
from .loader_arguments import check_arguments, check_bool, check_debug_rows, check_epoch_known, check_parts, names_of
from .sample_spec import SampleSpec, read_sample_spec
from .state import identity_of
from .step_count import StepCount
from .step_runner import StepRunner
from .stream_data import UNKNOWN, as_stream, check_samples, first_shard, hidden_columns, make_source

__all__ = ["Made", "make"]


@dataclasses.dataclass(frozen=True)
class Made:
    """The parts of a Loader.

    Attributes:
        step_runner: its steps, one after the other.
        count: which steps there are.
        sampler: which samples are in them.
        output_sharding: where batches are, an `OutputSharding`.
        mixer: for the rows of the global batch, a `Mixer`.
        element_spec: of its batches.
        identity: returns what its order depends on, for its state.
    """

    step_runner: StepRunner
    count: StepCount
    sampler: PartsSampler | LocalRows
    output_sharding: Any
    mixer: Any
    element_spec: PyTree
    identity: Callable[[], dict[str, Any]]


def make(given: Mapping[str, Any]) -> Made:
    """Makes them from the arguments of `Loader`, by name.

    Raises:
        Exception: what `Loader` raises.
    """
    from jaxdali._run.multihost.agreement import made_together
    from .mixer import sharding_of
    from .peer_processes import check_placed, is_shared  # loads jax

    local = bool(given["local_data"])
    with made_together("Loader", is_shared(given["sharding"], local)) as joint:
        check_placed(given["sharding"], local)
        batch_size = check_integer("batch_size", given["batch_size"], 1)
        numbers = ("prefetch", "worker_restarts", "seed", "max_image_pixels", "decode_ahead", "decode_memory")
        check_arguments(
            given["augment"],
            given["on_error"],
            given["worker_timeout_s"],
            **{name: given[name] for name in (*numbers, "epochs")},
            workers=None if isinstance(given["workers"], Ray) else given["workers"],
        )
        for name in ("agree", "local_data"):
            check_bool(name, given[name])
        sharding = sharding_of(given["devices"], given["sharding"], given["device"], given["mix"])
        return _Making(given, batch_size, local, sharding, joint).make()


class _Making:
    """The stages of making a Loader.

    Args:
        given: the Loader's arguments.
        batch_size: the checked one.
        local: each process has samples of its own.
        sharding: the one that was given, or stands for `devices`.
        joint: makes the same in the other processes; None: there are none that have a part in it.
    """

    def __init__(self, given: Mapping[str, Any], batch_size: int, local: bool, sharding: Any, joint: Any):
        from .output_sharding import OutputSharding

        self._given = given
        self._joint = joint
        self._local = local
        self._sharding = sharding
        self._batch_size = batch_size
        self._output_sharding = OutputSharding(sharding, given["device"])
        self._rows = check_parts(batch_size, self._output_sharding.count)
        self._seed = int(given["seed"])
        self._data: Any = as_stream(given["data"])
        # Samples that this process makes of each batch, if it has samples of its own.
        self._own_rows = self._rows * len(self._output_sharding.parts) if local else batch_size

    def make(self) -> Made:
        given, output_sharding = self._given, self._output_sharding
        last_batch = given["last_batch"] or "mask"
        length, pads = check_samples(
            self._data, given["sampler"], given["shuffle"], given["epochs"], self._own_rows, last_batch, self._local
        )
        sample_spec = self._read_sample_spec()
        if given["debug_rows"]:
            check_debug_rows(given["augment"], self._rows)
        from jaxdali._device.ffi.compat import calls_precede_dispatch
        from .augment_program import LoaderProgram
        from .mixer import Mixer

        # Otherwise a program that fails is followed by one that notes failures. But where it fails only when it is waited
        # for, and several processes share steps, that may be in a thread where nothing may be traced.
        fails_late = self._joint is not None and not calls_precede_dispatch(output_sharding.devices[0])
        logs_failures = given["on_error"] == "zeros" or fails_late
        names = {argument: names_of(argument, given[argument]) for argument in ("augment", "mix")}
        check_epoch_known(names, length != UNKNOWN)
        program = LoaderProgram(given["augment"], sample_spec, self._seed, logs_failures, names["augment"])
        stacked = None if given["devices"] is None else len(given["devices"])
        device = output_sharding.device
        mixer = Mixer(given["mix"], names["mix"], self._seed, self._sharding, device, stacked, self._batch_size)
        spec = self._spec(program, mixer, sample_spec)
        lengths = Lengths(self._data)
        sampler, peers, identity = self._agree(length, pads, sample_spec, spec)
        count = StepCount(sampler, given["epochs"], length == UNKNOWN)
        builder = Builder(
            source=make_source(self._data, sampler, sample_spec.structure, self._seed, given["epochs"]),
            sampler=sampler,
            columns=sample_spec.columns + hidden_columns(self._data),
            stacked=sample_spec.stacked,
            output_sharding=output_sharding,
            mixer=mixer,
            program=program if given["augment"] is not None else None,
            failures=DecodeFailures(given["on_error"]),
            steps=count.end,
            decode_ahead=given["decode_ahead"],
            decode_memory=given["decode_memory"],
            restarts=given["worker_restarts"],
            timeout_s=given["worker_timeout_s"],
        )
        if program.decodings and not program.asks_for_presence:
            files = (index for index, column in enumerate(sample_spec.columns) if column.encoded)
            builder.unasked = [index for index in files if index not in sample_spec.optional]
        if isinstance(given["workers"], Ray):
            check_remote([builder.source])
        processes = use_default_workers(builder) if given["workers"] is None else given["workers"]
        step_runner = StepRunner(builder, processes, given["prefetch"], given["debug_rows"], lengths)
        step_runner.asks_for_mask = given["last_batch"] is None and not program.takes_mask
        if peers is not None:
            from .together import AgreeOnSteps, EndTogether

            step_runner.together = (
                AgreeOnSteps(peers, step_runner) if given["agree"] else EndTogether(peers, step_runner)
            )
        return Made(step_runner, count, sampler, output_sharding, mixer, spec, identity)

    def _read_sample_spec(self) -> SampleSpec:
        given = self._given
        timeout_s = None if given["workers"] == 0 else given["worker_timeout_s"]
        shard = 0 if self._local else first_shard(self._data, self._batch_size, self._output_sharding)
        leaves = LeafArguments(given["ragged"], given["host"], given["indexed"], given["optional"])
        sample = first_sample(self._data, self._seed, timeout_s, shard, functools.partial(completed, arguments=leaves))
        sample_spec = read_sample_spec(sample, given["max_image_pixels"], leaves)
        if self._local:
            return sample_spec  # each process knows the lengths of its own samples only
        return sample_spec.sampled_by(given["sampler"])

    def _spec(self, program: Any, mixer: Any, sample_spec: SampleSpec) -> PyTree:
        from .host_leaves import described
        from .peer_processes import check_widths

        output_sharding, rows = self._output_sharding, self._rows
        part = program.element_spec(rows, output_sharding.devices[0])
        if not output_sharding.alone and not sample_spec.is_agreed:
            check_widths(program, sample_spec, part, rows, output_sharding.devices[0], self._local)
            output_sharding.agreed = False
        host_shape = mixer.rows_of(np.empty(rows * len(output_sharding.parts))).shape
        return described(mixer.spec(output_sharding.global_spec(part, rows)), host_shape)

    def _agree(
        self, length: int, pads: bool, sample_spec: SampleSpec, spec: PyTree
    ) -> tuple[PartsSampler | LocalRows, Any, Callable[[], dict[str, Any]]]:
        """Returns the sampler, the other processes if they have a part in it, and what tells the order from others."""
        given, output_sharding, joint = self._given, self._output_sharding, self._joint
        process = 0 if joint is None else joint.process
        sampler = given["sampler"]
        if sampler is None:
            seed = seed_of_process(self._seed, process) if self._local else self._seed
            sampler = ShuffleSampler(length, seed) if given["shuffle"] else SequentialSampler(length)
        alike = {name: given[name] for name in ("local_data", "epochs", "agree", "on_error")}
        alike |= {"last_batch": given["last_batch"] or "mask", **_of_spec(spec)}
        if not self._local:
            chosen = PartsSampler(sampler, self._batch_size, output_sharding.count, output_sharding.parts, pads)
            known = length != UNKNOWN
            identity = functools.cache(functools.partial(identity_of, self._data, chosen, self._seed, known))
            peers = None if joint is None else joint.compare(alike | identity(), None, _HINTS)
            return chosen, peers, identity
        alone = PartsSampler(sampler, self._own_rows, 1, (0,), pads)
        own = functools.partial(identity_of, self._data, alone, self._seed, length != UNKNOWN)
        if joint is None:
            everybody, peers = [self._facts(length, own())], None
        else:
            same = {"batch_size": self._batch_size, "seed": self._seed, "shuffle": bool(given["shuffle"])}
            peers = joint.compare(alike | same, self._facts(length, own()), _HINTS)
            everybody = peers.facts
        rows = self._local_rows(sampler, everybody, process, pads)
        return rows, peers, functools.partial(_identity_of_all, rows, self._seed, bool(given["shuffle"]), everybody)

    def _facts(self, length: int, identity: dict[str, Any]) -> dict[str, Any]:
        of_order = {name: identity[name] for name in ("sampler", "data")}
        return {
            "parts": list(self._output_sharding.parts),
            "samples": length,
            "is_global": not self._output_sharding.alone,
            **of_order,
        }

    def _local_rows(self, sampler: Any, everybody: list[Any], process: int, pads: bool) -> LocalRows:
        """Returns which rows each process makes.

        Raises:
            ConfigError: two processes would make the same ones, or only some of them know their number of samples.
        """
        count, batch_size = self._output_sharding.count, self._batch_size
        parts = [tuple(facts["parts"]) for facts in everybody]
        is_global = bool(everybody[0]["is_global"])
        if not is_global:
            parts = [tuple(part + count * number for part in own) for number, own in enumerate(parts)]
            count, batch_size = count * len(parts), batch_size * len(parts)
        if sorted(part for own in parts for part in own) != list(range(count)):
            raise ConfigError(
                "local_data=True is for shardings that give each process rows of its own, but with this one several "
                "processes hold the same rows: put the axis that cuts the batch first in the mesh, or have all processes "
                "read the same data, without local_data"
            )
        lengths = [facts["samples"] for facts in everybody]
        if UNKNOWN in lengths and (len(set(lengths)) > 1 or self._given["epochs"] is not None):
            raise ConfigError(
                "streams of which each process has its own end earlier in one process than in another: give "
                "source.Iterable(..., length=) in all of them, or epochs=None"
            )
        rows = [ProcessRows(*pair) for pair in zip(parts, lengths, strict=True)]
        return LocalRows(sampler, tuple(rows), process, count, batch_size, is_global, pads)


_LOCAL = "If each process has samples of its own, say local_data=True"
_HINTS = {"samples": _LOCAL, "data": _LOCAL, "local_data": "Either all processes have samples of their own, or none"}


def _of_spec(spec: PyTree) -> dict[str, object]:
    """Returns what processes must have in common of their batches."""
    import jax

    leaves = jax.tree_util.tree_leaves_with_path(spec)
    shapes = {jax.tree_util.keystr(path) or "batch": f"{leaf.dtype}{list(leaf.shape)}" for path, leaf in leaves}
    return {"element_spec": shapes, "sharding": [getattr(leaf, "sharding", None) for _, leaf in leaves]}


def _identity_of_all(rows: LocalRows, seed: int, shuffle: bool, everybody: list[Any]) -> dict[str, Any]:
    known = UNKNOWN not in [process.samples for process in rows.processes]
    return {
        "processes": len(rows.processes),
        "samples": [process.samples for process in rows.processes] if known else None,
        "batch_size": rows.batch_size,
        "steps_per_epoch": rows.steps if known else None,
        "shuffle": shuffle,
        "seed": seed,
        "sampler": [facts["sampler"] for facts in everybody],
        "data": [facts["data"] for facts in everybody],
    }
