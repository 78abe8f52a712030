"""The arguments of a pipeline."""

from __future__ import annotations

import dataclasses
import enum
import warnings
from collections.abc import Iterable
from typing import Any

from jaxdali._base.batch import DEFAULT_MAX_IMAGE_PIXELS
from jaxdali._feed.processes.launch import START_METHODS
from jaxdali._feed.processes.pickler import SourcePickler
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._run.executor.decode_failures import check_on_error
from jaxdali.errors import ConfigError, ConfigKeyError, ConfigTypeError, check_integer, check_seconds
from ..graph.call_sites import user_stacklevel
from ..operators.size_hints import MOST_BYTES

__all__ = ["OperatorConcurrency", "PipelineOptions", "StreamPolicy"]


class StreamPolicy(enum.Enum):
    """How many CUDA streams DALI's operators use; here streams belong to XLA."""

    SINGLE = "single"
    PER_BACKEND = "per backend"
    PER_OPERATOR = "per operator"
    UNSPECIFIED = "unspecified"


class OperatorConcurrency(enum.Enum):
    """Which of DALI's operators run concurrently; here XLA decides that."""

    NONE = "none"
    BACKEND = "backend"
    FULL = "full"
    UNSPECIFIED = "unspecified"


# Arguments of DALI's Pipeline that describe its internals. The values listed here are accepted; others cannot be
# honoured, and the text names the alternative.
_FIXED: dict[str, tuple[tuple[object, ...], str]] = {
    # False promises less than what holds here; DALI's executor_statistics requires it.
    "exec_dynamic": ((True, False, None), "outputs stay valid as long as they are referenced"),
    "experimental_exec_dynamic": ((True, False, None), "outputs stay valid as long as they are referenced"),
}

# Arguments that DALI calls deprecated, and why.
_DEPRECATED = {
    "max_streams": "has no effect",
    "default_cuda_stream_priority": "has no effect",
    "experimental_exec_dynamic": "is exec_dynamic",
}

_LARGEST = (1 << 31) - 1

# The smallest and largest values of integer arguments: no memory could hold more, or native code could not represent it.
_RANGES: dict[str, tuple[int, int]] = {
    "batch_size": (1, 1 << 24),
    "num_threads": (1, _LARGEST),
    "device_id": (0, _LARGEST),
    "seed": (0, (1 << 64) - 1),
    "prefetch_queue_depth": (1, 4096),
    "py_num_workers": (0, (1 << 16) - 1),
    "worker_restarts": (0, _LARGEST),
    "max_image_pixels": (1, 1 << 48),
    "max_canvas_bytes": (1, 1 << 48),
    "decode_ahead": (0, _LARGEST),
    "decode_memory": (1, 1 << 48),
    "bytes_per_sample": (0, MOST_BYTES),
}
_OPTIONAL = ("num_threads", "device_id", "seed", "decode_ahead", "decode_memory")
_BOOLS = ("set_affinity", "enable_checkpointing", "enable_memory_stats", "exec_pipelined", "exec_async")
# Those for which DALI takes None, although None is not their default.
_DEFAULT_IF_NONE = ("bytes_per_sample", "py_num_workers", *_BOOLS)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PipelineOptions:
    """The arguments of `Pipeline`.

    Attributes:
        batch_size: samples per batch; 0 if the pipeline takes that of a saved one, which it loads later.
        num_threads: the limit on threads that decode a batch's JPEG files on the CPU; None for all of XLA's. Also the
            limit on processes that decode other files, videos and sounds: there are as many as this process has CPUs,
            None: at most 16. They start with the first such file; with `py_num_workers=0` there are none.
        device_id: index among this process's GPUs, where the operators run if one of them is "mixed" or "gpu"; None:
            the CPU. Without GPUs, every id means a CPU device.
        seed: that of all random operators, below 2**64. None or negative: drawn from the operating system;
            `Pipeline.seed` returns it.
        prefetch_queue_depth: finished batches that are kept ahead, including the one being returned. Or
            `{"cpu_size": n, "gpu_size": m}`: m batches whose device function was started; if n is larger, further
            batches are taken from the sources, n in all.
        exec_pipelined: if False, no batch is begun before it is requested, whatever `prefetch_queue_depth` says.
            Parallel sources and readers still prepare data, see their own `prefetch_queue_depth`.
        exec_async: if False, no batch is begun early, either, and `run` returns only once its batch is computed. Not
            with two queues.
        py_num_workers: worker processes of the pipeline's parallel sources, and of its readers, for which there are more
            if they decode, see `num_threads`. Or a `jaxdali.remote.Ray`: they run on the machines of a cluster.
        py_start_method: "fork", "spawn" or "forkserver"; None for fork while that is safe, that is without other threads,
            JAX or CUDA in this process, else forkserver.
        py_callback_pickler: how parallel sources get to fresh worker processes: a module or an object with `dumps` and
            `loads`; or a tuple of it, keyword arguments for `dumps` and keyword arguments for `loads`, of which the
            last two may be left out. None for cloudpickle. Not with py_start_method="fork", which pickles nothing.
        worker_restarts: how many times the same work of a parallel source may start again because its worker died,
            before a WorkerError names the sample. Sources that remember their position, iterables, cannot start again.
        worker_timeout_s: a worker that spends more seconds than this on one sample (or batch) is ended, as if it had
            died. It has the same time to take work that waits for it. It also has this time to load its sources, but at
            least 20 s, counted from when its interpreter is up, which may take a minute more. Only time in which this
            process waits or takes batches counts. None for no limit. Waits of five seconds are warned of in any case,
            by the logger "jaxdali".
        max_image_pixels: larger images are not decoded (TOO_LARGE).
        max_canvas_bytes: limit of one batch of decoded images of different sizes.
        on_error: how to treat files that cannot be decoded, unless their decoder says: "raise" or "zeros", see
            `fn.decoders.image`.
        decode_ahead: on a GPU, how many images its decode engine is given before they are needed, beyond the batches
            that are finished; rounded up to whole batches, for which sources are asked so much earlier. 0: images are
            decoded when the device function runs. None: 1024, with decoder="gpu" 12288, but at least two batches and at
            most 48.
        decode_memory: on a GPU, bytes of its memory for images decoded ahead. All pipelines and Loaders of the process
            share it: the largest number given counts. None for 5 GiB, two batches of 64 images of 12 megapixels, but at
            most half of what is free when the first one is built. Decoding takes up to 1 GiB more for each of two
            batches, and of six if there are progressive files.
        set_affinity: keep threads and worker processes on CPUs, which are chosen when the workers start. Decode thread
            i (of num_threads) runs on CPU i of the list `DALI_AFFINITY_MASK`, and worker i on CPU i of the list
            `JAXDALI_AFFINITY_MASK`: environment variables such as "3,5,6". Those beyond a list are kept on the CPUs
            that NVML names for the GPU (`pip install nvidia-ml-py`), or else left alone, with one warning. The threads
            of a GPU's decode engine belong to all pipelines, and are left alone.
        enable_checkpointing: allow `Pipeline.checkpoint`.
        checkpoint: what `Pipeline.checkpoint` returned: the pipeline continues there. Sources that are asked by index,
            and readers, do so at once; others begin anew, with a warning.
        output_dtype, output_ndim, output_layout: what the samples of the outputs must be: one for all outputs, or a
            list with one per output, None for an output that may be anything. Every batch is checked.
        bytes_per_sample: the expected size of a sample of each output of each source and reader that has no
            `bytes_per_sample_hint`; slots start that large and need not grow. Likewise of decoders, for what a GPU
            decodes ahead. 0: no expectation. What other operators compute has its exact size from the start.
        enable_memory_stats: make `Pipeline.executor_statistics` report how much memory each operator took.
        stream_policy, concurrency: how DALI's operators share a GPU: a `StreamPolicy`, an `OperatorConcurrency`.
            Accepted without effect, because XLA decides it.
    """

    batch_size: int
    num_threads: int | None = None
    device_id: int | None = None
    seed: int | None = None
    prefetch_queue_depth: int | dict[str, int] = 2
    exec_pipelined: bool = True
    exec_async: bool = True
    py_num_workers: int | Ray = 1
    py_start_method: str | None = None
    py_callback_pickler: Any = None
    worker_restarts: int = 3
    worker_timeout_s: float | None = None
    max_image_pixels: int = DEFAULT_MAX_IMAGE_PIXELS
    max_canvas_bytes: int = 4 << 30
    on_error: str = "raise"
    decode_ahead: int | None = None
    decode_memory: int | None = None
    set_affinity: bool = False
    enable_checkpointing: bool = False
    checkpoint: bytes | str | None = None
    output_dtype: object = None
    output_ndim: object = None
    output_layout: object = None
    bytes_per_sample: int = 0
    enable_memory_stats: bool = False
    stream_policy: StreamPolicy | None = None
    concurrency: OperatorConcurrency | None = None

    def __post_init__(self) -> None:
        for name, (smallest, largest) in _RANGES.items():
            value = getattr(self, name)
            if isinstance(value, dict) and name == "prefetch_queue_depth":
                object.__setattr__(self, name, self._checked_queues(value))
            elif isinstance(value, Ray) and name == "py_num_workers":
                if self.py_start_method is not None:
                    raise ConfigError(
                        "py_start_method is for workers on this machine: leave it out with jaxdali.remote.Ray(...)"
                    )
            elif value is not None or name not in _OPTIONAL:
                number = self._checked(name, value, smallest, largest)
                object.__setattr__(self, name, number)
        check_seconds("worker_timeout_s", self.worker_timeout_s)
        check_on_error(self.on_error)
        for name in _BOOLS:
            if not isinstance(getattr(self, name), bool):
                raise ConfigTypeError(f"{name} must be True or False, got {getattr(self, name)!r:.80}")
        for name, kind in (("stream_policy", StreamPolicy), ("concurrency", OperatorConcurrency)):
            if not isinstance(getattr(self, name), kind | None):
                raise ConfigTypeError(f"{name} must be a {kind.__name__} or None, got {getattr(self, name)!r:.80}")
        if self.py_start_method not in (None, *START_METHODS):
            raise ConfigError(
                f"cannot find context for {self.py_start_method!r}: py_start_method is one of "
                f"{', '.join(START_METHODS)}, or None"
            )
        object.__setattr__(self, "py_callback_pickler", SourcePickler.from_argument(self.py_callback_pickler))
        if self.py_callback_pickler is not None and self.py_start_method == "fork":
            raise ConfigError(
                "py_callback_pickler should not be set when 'fork' is the start method: a forked worker inherits its "
                'sources, nothing is pickled. Leave it out, or use py_start_method="spawn" or "forkserver"'
            )

    def _checked_queues(self, sizes: dict[str, int]) -> dict[str, int]:
        if set(sizes) != {"cpu_size", "gpu_size"}:
            raise ConfigKeyError(
                f'prefetch_queue_depth must be an integer or {{"cpu_size": integer, "gpu_size": integer}}, got {sizes!r}'
            )
        if not self.exec_async:
            raise ConfigError(
                "`exec_async` must not evaluate to `False` when using separated queues: give prefetch_queue_depth as one "
                "integer"
            )
        return {
            name: self._checked("prefetch_queue_depth", size, *_RANGES["prefetch_queue_depth"])
            for name, size in sizes.items()
        }

    @property
    def worker_count(self) -> int:
        """The number of worker processes, on whatever machines."""
        workers = self.py_num_workers
        return workers.num_workers if isinstance(workers, Ray) else workers

    @property
    def computes_ahead(self) -> bool:
        """Whether batches are begun before they are requested."""
        return self.exec_pipelined and self.exec_async

    @property
    def device_depth(self) -> int:
        """The number of batches whose device function is started ahead, including the one being returned."""
        depth = self.prefetch_queue_depth
        if not self.computes_ahead:
            return 1
        return depth["gpu_size"] if isinstance(depth, dict) else depth

    @property
    def host_depth(self) -> int:
        """The number of batches that are taken from the sources ahead, including those of `device_depth`."""
        depth = self.prefetch_queue_depth
        if not self.computes_ahead:
            return 1
        return max(depth.values()) if isinstance(depth, dict) else depth

    @staticmethod
    def _checked(name: str, value: object, smallest: int, largest: int) -> int:
        try:
            return check_integer(name, value, smallest, largest)
        except ConfigError as error:
            # To DALI, a number that its C++ type cannot hold is of a wrong type. It has its own wording for two errors.
            if name == "batch_size":
                raise ConfigTypeError(
                    f"Invalid batch size: {value!r:.80}; batch_size must be a positive integer, at most {largest}"
                ) from None
            if name == "prefetch_queue_depth":
                raise ConfigTypeError(
                    f"prefetch_queue_depth must be greater than 0, an integer, at most {largest}; got {value!r:.80}"
                ) from None
            raise ConfigTypeError(str(error)) from None

    @classmethod
    def from_arguments(cls, arguments: dict[str, object], *, may_load: bool = False) -> PipelineOptions:
        """Reads the keyword arguments of `Pipeline` or `pipeline_def`.

        Args:
            may_load: without a batch size, return options with 0, for a pipeline that loads a saved one.

        Raises:
            ConfigTypeError: an argument is unknown, or of a wrong type.
            ConfigError: it cannot be honoured; the text names the alternative.
        """
        cls.check_names(arguments)
        mine = {}
        for name, value in arguments.items():
            if name in _DEPRECATED and value is not None:
                warnings.warn(
                    f"the argument {name} of Pipeline is deprecated, and {_DEPRECATED[name]}; leave it out",
                    DeprecationWarning,
                    stacklevel=user_stacklevel(),
                )
            if name in _DEPRECATED and name not in _FIXED:
                continue
            if name not in _FIXED:
                mine[name] = value
                continue
            accepted, alternative = _FIXED[name]
            if value not in accepted:
                kind = ConfigError if isinstance(value, bool) else ConfigTypeError
                raise kind(f"{name}={value!r} is not supported: {alternative}")
        # In DALI, a negative value means "not given".
        if isinstance(mine.get("num_threads"), int) and mine["num_threads"] == -1:
            mine["num_threads"] = None
        if isinstance(mine.get("seed"), int) and mine["seed"] < 0:
            mine["seed"] = None
        for name in _DEFAULT_IF_NONE:
            if name in mine and mine[name] is None:
                del mine[name]
        if mine.get("batch_size") not in (None, -1):
            return cls(**mine)
        found = cls(**{**mine, "batch_size": 1})
        object.__setattr__(found, "batch_size", 0)
        if not may_load:
            found.require_batch_size()
        return found

    def require_batch_size(self) -> None:
        """Raises ConfigError if there is no batch size."""
        if not self.batch_size:
            raise ConfigError("a pipeline needs batch_size=, in @pipeline_def(...) or at the call")

    def loaded(self, saved: PipelineOptions) -> PipelineOptions:
        """Returns these options with those of a saved pipeline in place of what was not given, as DALI does."""
        names = [name for name in ("batch_size", "num_threads", "device_id") if not getattr(self, name)]
        if self.device_id == 0:
            names.remove("device_id")
        return dataclasses.replace(self, **{name: getattr(saved, name) for name in names})

    @classmethod
    def check_names(cls, names: Iterable[str]) -> None:
        """Raises ConfigTypeError for a name that is not an argument."""
        known = cls.names()
        for name in names:
            if name == "enable_conditionals":
                raise ConfigTypeError("enable_conditionals= is an argument of @pipeline_def, not of Pipeline")
            if name not in known:
                import difflib  # loaded here because every program runs this function

                close = difflib.get_close_matches(name, known, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise ConfigTypeError(f"a pipeline has no argument {name!r}{hint}")

    @staticmethod
    def names() -> set[str]:
        """Returns all argument names that belong to a pipeline rather than to its function."""
        return {field.name for field in dataclasses.fields(PipelineOptions)} | set(_FIXED) | set(_DEPRECATED)
