"""How each system of `benchmarks/loader.py` reads a row: endless batches of JAX arrays."""

from __future__ import annotations

import io
import itertools
import tarfile
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
from loader_rows import BUCKETS, ROWS, WIDTH, Row, Stream

__all__ = ["LACKS", "SYSTEMS"]

# Rows that a system cannot do, except with code that its user would have to write. Small batches measure what a step
# costs beside indexing by hand, "NumPy", which does nothing else.
LACKS = {
    "grain": ("small batches", "bucketed tokens", "tar shards"),
    "torch": ("small batches", "packed tokens"),
    "tf.data": ("small batches", "packed tokens", "tar shards"),
    "SPDL": ("small batches", "packed tokens"),
    "NumPy": tuple(name for name in ROWS if name != "small batches"),
}


def _jaxdali(row: Row, data: Any, name: str, workers: int) -> Iterator[Any]:
    import jaxdali

    def augment(batch: Any, keys: jax.Array) -> Any:
        if name in ("arrays in memory", "small batches", "a stream"):
            return _scaled(batch)
        if name == "padded tokens":
            ids, shapes = batch["ids"]
            return {"ids": ids, "length": shapes[:, 0]}
        if name == "bucketed tokens":
            return {"ids": batch["ids"][0]}
        if name == "packed tokens":
            return batch
        found = {}
        for leaf in batch:
            if leaf == "label":
                found[leaf] = batch[leaf]
                continue
            if leaf == "image":
                found[leaf] = jaxdali.image.decode(batch[leaf], canvas=(128, 128))
                continue
            levels = jaxdali.image.open(batch[leaf], color="GRAY")
            found[leaf] = levels.resize(size=(128, 128)).array()[..., 0]  # their original size: no pixel changes
        return found

    options: dict[str, Any] = {"ragged": {"ids": WIDTH}} if name == "padded tokens" else {}
    if name == "bucketed tokens":
        sampler = jaxdali.source.BucketSampler(data.lengths, row.batch, BUCKETS)
        options = {"ragged": {"ids": BUCKETS}, "sampler": sampler}
    elif name == "packed tokens":
        data = jaxdali.source.pack(data, WIDTH, lengths=data.lengths)
    elif name == "tar shards":
        archives = jaxdali.source.WebDataset(data.paths, ["jpg", "cls"])
        data = jaxdali.source.map(archives, lambda one: {"image": one["jpg"], "label": np.int32(one["cls"])})
    elif name in ("arrays in memory", "small batches"):
        workers = workers if name == "arrays in memory" else 0  # what a Loader chooses for so little
        data = jaxdali.source.Arrays(x=data.x, y=data.y)
    elif name == "a stream":
        data = jaxdali.source.Iterable(Stream(data))
    return iter(jaxdali.Loader(data, augment, batch_size=row.batch, last_batch="drop", workers=workers, **options))


def _grain(row: Row, data: Any, name: str, workers: int) -> Iterator[Any]:
    import grain  # pyright: ignore[reportMissingImports]
    from absl import flags  # pyright: ignore[reportMissingImports]

    flags.FLAGS.mark_as_parsed()  # grain's workers read absl's flags, which are parsed by absl.app.run

    samples = grain.MapDataset.source(data)
    scales = name in ("arrays in memory", "a stream")  # a compiled program does this faster than workers
    samples = (samples if scales else samples.map(row.prepare)).repeat()
    if name == "packed tokens":
        batches = grain.experimental.FirstFitPackIterDataset(
            samples.to_iter_dataset(), length_struct={"ids": WIDTH}, num_packing_bins=64
        ).batch(row.batch, drop_remainder=True)
    elif name == "a stream":
        batches = samples.to_iter_dataset().batch(row.batch, drop_remainder=True)
    else:
        batches = samples.batch(row.batch, drop_remainder=True).to_iter_dataset()
    if workers:
        # With several workers, the order of a stream would be different.
        workers = 1 if name in ("a stream", "packed tokens") else workers
        batches = batches.mp_prefetch(grain.MultiprocessingOptions(num_workers=workers))
    finish = jax.jit(_scaled) if scales else jax.device_put
    return (finish(batch) for batch in batches)


def _torch(row: Row, data: Any, name: str, workers: int) -> Iterator[Any]:
    import torch  # pyright: ignore[reportMissingImports]

    options: dict[str, Any] = {"batch_size": row.batch, "drop_last": True, "collate_fn": _stacked}
    scales = name in ("arrays in memory", "a stream")
    samples = _Prepared(data, None if scales else row.prepare)
    if name in ("a stream", "tar shards"):

        class Samples(torch.utils.data.IterableDataset):
            def __iter__(self) -> Iterator[Any]:
                return iter(Stream(data) if name == "a stream" else _Archives(data.paths, row.prepare))

        samples, workers = Samples(), min(workers, 1)
    elif name == "bucketed tokens":
        options = {"batch_sampler": _buckets(data.lengths, row.batch), "collate_fn": _padded_to_bucket}
    if workers:  # keeps workers alive from epoch to epoch
        options |= {"multiprocessing_context": "fork", "persistent_workers": True}
    loader = torch.utils.data.DataLoader(samples, num_workers=workers, **options)
    finish = jax.jit(_scaled) if scales else jax.device_put
    return (finish(batch) for _ in itertools.count() for batch in loader)


def _tf_data(row: Row, data: Any, name: str, workers: int) -> Iterator[Any]:
    import tensorflow as tf  # pyright: ignore[reportMissingImports]

    def text_dataset() -> Any:
        kinds = {"ids": tf.TensorSpec([None], tf.int32)}
        return tf.data.Dataset.from_generator(lambda: data, output_signature=kinds).repeat()

    def decoded(files: Any) -> Any:
        image = tf.io.decode_jpeg(files["image"], channels=3, dct_method="INTEGER_ACCURATE")
        return {"image": image, "mask": tf.io.decode_png(files["mask"], channels=1)[..., 0]}

    def scaled(one: Any) -> Any:
        return {"x": tf.cast(one["x"], tf.float32) / 127.5 - 1, "y": one["y"]}

    auto = tf.data.AUTOTUNE
    if name == "arrays in memory":
        batches = tf.data.Dataset.from_tensor_slices({"x": data.x, "y": data.y}).repeat().batch(row.batch, True)
        batches = batches.map(scaled, num_parallel_calls=auto)
    elif name == "a stream":
        kinds = {"x": tf.TensorSpec([32, 32, 3], tf.uint8), "y": tf.TensorSpec([], tf.int32)}
        batches = tf.data.Dataset.from_generator(lambda: iter(Stream(data)), output_signature=kinds).repeat()
        batches = batches.batch(row.batch, True).map(scaled, num_parallel_calls=auto)
    elif name == "padded tokens":
        texts = text_dataset().map(lambda one: one | {"length": tf.size(one["ids"])}, num_parallel_calls=auto)
        batches = texts.padded_batch(row.batch, {"ids": [WIDTH], "length": []}, drop_remainder=True)
    elif name == "bucketed tokens":
        batches = text_dataset().bucket_by_sequence_length(
            lambda one: tf.size(one["ids"]),
            [width + 1 for width in BUCKETS],
            [row.batch] * (len(BUCKETS) + 1),
            pad_to_bucket_boundary=True,
            drop_remainder=True,
        )
    else:
        files = {leaf: [one[leaf] for one in data.files] for leaf in ("image", "mask")}
        batches = (
            tf.data.Dataset.from_tensor_slices(files).repeat().map(decoded, num_parallel_calls=auto).batch(row.batch)
        )
    return (jax.device_put(batch) for batch in batches.prefetch(auto).as_numpy_iterator())


def _spdl(row: Row, data: Any, name: str, workers: int) -> Iterator[Any]:
    """Uses threads of this process, as SPDL advises: one task makes a batch."""
    from spdl.pipeline import PipelineBuilder  # pyright: ignore[reportMissingImports]

    scales = name in ("arrays in memory", "a stream")
    firsts = (first for _ in itertools.count() for first in range(0, len(data), row.batch))
    whole = (range(first, first + row.batch) for first in firsts)
    if name == "arrays in memory":
        batches, make = whole, lambda rows: {"x": data.x[rows.start : rows.stop], "y": data.y[rows.start : rows.stop]}
    elif name == "bucketed tokens":
        batches = itertools.cycle(_buckets(data.lengths, row.batch))
        make = lambda rows: _padded_to_bucket([data[index] for index in rows])  # noqa: E731
    elif name in ("a stream", "tar shards"):
        plain = Stream(data) if name == "a stream" else _Archives(data.paths, lambda sample: sample)
        samples = (sample for _ in itertools.count() for sample in plain)
        batches = iter(lambda: list(itertools.islice(samples, row.batch)), [])
        make = lambda some: _stacked(some if scales else [row.prepare(sample) for sample in some])  # noqa: E731
    else:
        batches, make = whole, lambda rows: _stacked([row.prepare(data[index]) for index in rows])
    builder = PipelineBuilder().add_source(batches)
    builder.pipe(make, concurrency=max(workers, 1), output_order="input")
    finish = jax.jit(_scaled) if scales else jax.device_put
    with (pipeline := builder.add_sink(4).build(num_threads=max(workers, 1))).auto_stop():
        yield from map(finish, pipeline)


def _scaled(batch: Any) -> Any:
    return {"x": batch["x"].astype(np.float32) / 127.5 - 1, "y": batch["y"]}


def _numpy(row: Row, data: Any, name: str, workers: int) -> Iterator[Any]:
    scale = jax.jit(_scaled)
    while True:
        for first in range(0, len(data), row.batch):
            rows = np.arange(first, first + row.batch)
            yield scale({"x": data.x[rows], "y": data.y[rows]})


class _Prepared:
    """The samples of the data, processed by a function."""

    def __init__(self, data: Any, prepare: Any):
        self.data, self.prepare = data, prepare

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> Any:
        return self.data[index] if self.prepare is None else self.prepare(self.data[index])


class _Archives:
    """Samples of tar archives, one after the other."""

    def __init__(self, paths: list[str], prepare: Any):
        self.paths, self.prepare = paths, prepare

    def __iter__(self) -> Iterator[Any]:
        for path in self.paths:
            with tarfile.open(path) as archive:
                files = (archive.extractfile(member) for member in archive)
                contents = [(file or io.BytesIO()).read() for file in files]
            for image, label in zip(contents[::2], contents[1::2], strict=True):
                yield self.prepare({"image": image, "label": np.int32(label)})


def _stacked(samples: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    return {leaf: np.stack([sample[leaf] for sample in samples]) for leaf in samples[0]}


def _padded_to_bucket(samples: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    longest = max(len(sample["ids"]) for sample in samples)
    ids = np.zeros((len(samples), next(width for width in BUCKETS if width >= longest)), np.int32)
    for row, sample in zip(ids, samples, strict=True):
        row[: len(sample["ids"])] = sample["ids"]
    return {"ids": ids}


def _buckets(lengths: np.ndarray, size: int) -> list[list[int]]:
    of_bucket = np.searchsorted(BUCKETS, lengths)
    batches = []
    for bucket in range(len(BUCKETS)):
        own = np.flatnonzero(of_bucket == bucket).tolist()
        batches += [own[first : first + size] for first in range(0, len(own) - size + 1, size)]
    return batches


SYSTEMS = {"jaxdali": _jaxdali, "grain": _grain, "torch": _torch, "tf.data": _tf_data, "SPDL": _spdl, "NumPy": _numpy}
