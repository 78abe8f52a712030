"""Arrays in memory, and batches for several devices and processes. Each trainer's loader precedes its original."""

from __future__ import annotations

import numpy as np

BATCH = 4


def read_arrays(root: str) -> tuple[np.ndarray, np.ndarray]:
    """uint8[n, 8, 8, 3] and int32[n]."""
    return np.load(f"{root}/images.npy"), np.load(f"{root}/labels.npy")


def numpy_loader(root, **options):
    """JAX's tutorial on other loaders: flat images, one-hot labels."""
    import jax

    import jaxdali

    def augment(batch, keys):
        return batch["x"].reshape(len(keys), -1).astype("float32"), jax.nn.one_hot(batch["y"], 12)

    images, labels = read_arrays(root)
    return jaxdali.Loader(jaxdali.source.Arrays(x=images, y=labels), augment, batch_size=BATCH, shuffle=True, **options)


def numpy_loader_original(root):
    import jax
    import torch

    class Flat(torch.utils.data.Dataset):
        def __init__(self):
            self.images, self.labels = read_arrays(root)

        def __len__(self):
            return len(self.images)

        def __getitem__(self, index):
            return np.ravel(self.images[index]).astype(np.float32), self.labels[index]

    def numpy_collate(samples):
        return tuple(map(np.stack, zip(*samples, strict=True)))

    while True:
        for x, y in torch.utils.data.DataLoader(Flat(), BATCH, shuffle=True, collate_fn=numpy_collate):
            yield x, jax.nn.one_hot(y, 12)


def equinox(root, **options):
    """Equinox's examples: an endless generator that shuffles whole arrays."""
    import jaxdali

    images, labels = read_arrays(root)
    data = jaxdali.source.Arrays(x=images, y=labels)
    return jaxdali.Loader(
        data, lambda batch, keys: (batch["x"], batch["y"]), batch_size=BATCH, shuffle=True, last_batch="drop", **options
    )


def equinox_original(root):
    import jax
    import jax.random as jr

    arrays, key = read_arrays(root), jr.key(0)
    size = len(arrays[0])
    assert all(len(array) == size for array in arrays)
    indices = np.arange(size)
    while True:
        key, for_order = jr.split(key)
        order = np.asarray(jr.permutation(for_order, indices))
        start, end = 0, BATCH
        while end <= size:
            yield tuple(map(jax.numpy.asarray, (array[order[start:end]] for array in arrays)))
            start, end = end, end + BATCH


def cifar(root, **options):
    """CIFAR as in many repositories: padding, a random window, random flips."""
    import jax.numpy as jnp

    import jaxdali

    def augment(batch, keys):
        for_top, for_left, for_flip = jaxdali.random.split(keys, 3)
        position = jaxdali.random.uniform(for_top), jaxdali.random.uniform(for_left)
        images = jaxdali.image.open(jnp.pad(batch["x"], ((0, 0), (2, 2), (2, 2), (0, 0)))).crop(8, 8, position)
        images = images.flip(jaxdali.random.coin_flip(for_flip)).normalize(127.5, 127.5)
        return {"image": images.array(), "label": batch["y"]}

    images, labels = read_arrays(root)
    return jaxdali.Loader(jaxdali.source.Arrays(x=images, y=labels), augment, batch_size=BATCH, shuffle=True, **options)


def cifar_original(root):
    import tensorflow as tf

    def augment(image, label):
        image = tf.pad(image, [[2, 2], [2, 2], [0, 0]])
        image = tf.image.random_crop(image, [8, 8, 3])
        image = tf.image.random_flip_left_right(image)
        return {"image": tf.cast(image, tf.float32) / 127.5 - 1, "label": label}

    images, labels = read_arrays(root)
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.shuffle(len(images), reshuffle_each_iteration=True).repeat()
    data = data.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    data = data.batch(BATCH, drop_remainder=True)
    data = data.prefetch(tf.data.AUTOTUNE)
    return data.as_numpy_iterator()


def long_tail(root, **options):
    """Classes with equal shares, however many samples they have."""
    import jaxdali

    images, labels = read_arrays(root)
    classes = np.minimum(labels, 2)
    sampler = jaxdali.source.WeightedSampler(1 / np.bincount(classes)[classes])
    return jaxdali.Loader(jaxdali.source.Arrays(x=images, y=classes), batch_size=BATCH, sampler=sampler, **options)


def long_tail_original(root):
    import torch

    images, labels = read_arrays(root)
    classes = np.minimum(labels, 2)
    data = torch.utils.data.TensorDataset(torch.from_numpy(images), torch.from_numpy(classes))
    sampler = torch.utils.data.WeightedRandomSampler(1 / np.bincount(classes)[classes], len(classes))
    while True:
        for x, y in torch.utils.data.DataLoader(data, BATCH, sampler=sampler):
            yield {"x": x.numpy(), "y": y.numpy()}


def pmapped(root, devices=None, **options):
    """Flax Linen's older examples: a batch is cut by device for `jax.pmap`."""
    import jax

    import jaxdali

    def augment(batch, keys):
        return {"image": batch["x"] / np.float32(255), "label": batch["y"]}

    images, labels = read_arrays(root)
    data = jaxdali.source.Arrays(x=images, y=labels)
    devices = devices or jax.local_devices()
    return jaxdali.Loader(data, augment, batch_size=BATCH, devices=devices, shuffle=True, **options)


def pmapped_original(root, devices=None):
    import jax
    import tensorflow as tf
    from flax import jax_utils

    def scaled(image, label):
        return {"image": tf.cast(image, tf.float32) / 255, "label": label}

    def shard(batch):
        return jax.tree.map(lambda leaf: leaf.reshape(len(devices), -1, *leaf.shape[1:]), batch)

    devices = devices or jax.local_devices()
    data = tf.data.Dataset.from_tensor_slices(read_arrays(root))
    data = data.shuffle(12).repeat().map(scaled).batch(BATCH, drop_remainder=True)
    return jax_utils.prefetch_to_device(map(shard, data.as_numpy_iterator()), 2, devices)


def several_processes(root, sharding=None, **options):
    """One global batch for all processes; each reads its own rows."""
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    import jaxdali

    images, labels = read_arrays(root)
    data = jaxdali.source.Arrays(x=images, y=labels)
    sharding = sharding or NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    return jaxdali.Loader(data, batch_size=BATCH, shuffle=True, last_batch="drop", sharding=sharding, **options)


def several_processes_original(root, sharding=None):
    import grain
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    images, labels = read_arrays(root)
    samples = [{"x": image, "y": label} for image, label in zip(images, labels, strict=True)]
    shard = grain.sharding.ShardByJaxProcess(drop_remainder=True)
    data = grain.MapDataset.source(samples)[shard.shard_index :: shard.shard_count]
    data = data.shuffle(seed=0).repeat().batch(BATCH // jax.process_count(), drop_remainder=True)
    sharding = sharding or NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    for batch in data.to_iter_dataset():
        yield jax.tree.map(lambda leaf: jax.make_array_from_process_local_data(sharding, leaf), batch)
