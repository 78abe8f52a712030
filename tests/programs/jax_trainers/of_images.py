"""Classification, diffusion and contrastive learning from JPEG files. Each trainer's loader precedes its original."""

from __future__ import annotations

import glob

import numpy as np

SIZE, BATCH = 16, 4
MEAN = np.array([0.485, 0.456, 0.406]) * 255
STD = np.array([0.229, 0.224, 0.225]) * 255


def linen_imagenet(root, **options):
    """Flax Linen's ImageNet: TFRecords, a random part of each image, bfloat16."""
    import jax.numpy as jnp

    import jaxdali
    from jaxdali import tfrecord

    features = {
        "image": tfrecord.FixedLenFeature([], tfrecord.string, ""),
        "label": tfrecord.FixedLenFeature([], tfrecord.int64, 0),
    }
    data = jaxdali.source.TFRecords(f"{root}/train.tfrecord", features)

    def augment(batch, keys):
        for_window, for_flip = jaxdali.random.split(keys, 2)
        window = jaxdali.random.resized_crop_window(for_window, batch["image"].sizes)
        flip = jaxdali.random.coin_flip(for_flip)
        images = jaxdali.image.open(batch["image"]).resized_crop(window, (SIZE, SIZE), filter="cubic")
        return {"image": images.flip(flip).normalize(MEAN, STD, dtype=jnp.bfloat16).array(), "label": batch["label"]}

    return jaxdali.Loader(data, augment, batch_size=BATCH, shuffle=True, **options)


def linen_imagenet_original(root):
    import tensorflow as tf

    def prepare(record):
        features = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}
        example = tf.io.parse_single_example(record, features)
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            tf.io.extract_jpeg_shape(example["image"]),
            tf.zeros([1, 0, 4]),
            area_range=(0.08, 1.0),
            aspect_ratio_range=(3 / 4, 4 / 3),
            max_attempts=10,
            use_image_if_no_bounding_boxes=True,
        )
        window = tf.concat([begin[:2], size[:2]], 0)
        image = tf.io.decode_and_crop_jpeg(example["image"], window, channels=3)
        image = tf.image.resize(image, [SIZE, SIZE], method="bicubic")
        image = tf.image.random_flip_left_right(image)
        image = (image - tf.constant(MEAN, tf.float32)) / tf.constant(STD, tf.float32)
        return {"image": tf.cast(image, tf.bfloat16), "label": example["label"]}

    data = tf.data.TFRecordDataset(f"{root}/train.tfrecord").shuffle(16 * BATCH, seed=0).repeat()
    data = data.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
    return data.batch(BATCH, drop_remainder=True).prefetch(10).as_numpy_iterator()


def scenic_evaluation(root, **options):
    """Scenic's evaluation: the middle of each image; a mask marks the rows that complete the last batch."""
    import jaxdali

    def augment(batch, keys, mask):
        images = jaxdali.image.open(batch["image"]).resize(resize_shorter=SIZE + 4).crop(SIZE, SIZE)
        return {
            "inputs": images.normalize(MEAN, STD).array(),
            "label": batch["label"],
            "batch_mask": mask.astype("float32"),
        }

    return jaxdali.Loader(jaxdali.source.ImageFolder(f"{root}/train"), augment, batch_size=8, **options)


def scenic_evaluation_original(root):
    import tensorflow as tf

    def prepare(path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        shape = tf.cast(tf.shape(image)[:2], tf.float32)
        size = tf.cast(tf.round(shape * (SIZE + 4) / tf.reduce_min(shape)), tf.int32)
        image = tf.image.resize(image, size, antialias=True)
        image = tf.image.resize_with_crop_or_pad(image, SIZE, SIZE)
        return {"inputs": (image - tf.constant(MEAN, tf.float32)) / tf.constant(STD, tf.float32), "label": label}

    classes = sorted(glob.glob(f"{root}/train/*"))
    paths = [path for folder in classes for path in sorted(glob.glob(f"{folder}/*.jpg"))]
    labels = np.array([classes.index(path.rpartition("/")[0]) for path in paths], np.int32)
    data = tf.data.Dataset.from_tensor_slices((paths, labels)).map(prepare).batch(8)
    while True:
        for batch in data.as_numpy_iterator():
            missing = 8 - len(batch["label"])
            batch = {name: np.pad(leaf, [(0, missing)] + [(0, 0)] * (leaf.ndim - 1)) for name, leaf in batch.items()}
            yield batch | {"batch_mask": (np.arange(8) < 8 - missing).astype(np.float32)}


def nnx_images(root, **options):
    """Flax NNX's guide: files of a folder, flips and labels, read by worker processes."""
    import jaxdali

    def augment(batch, keys):
        images = jaxdali.image.open(batch["image"]).resize(size=(SIZE, SIZE)).flip(jaxdali.random.coin_flip(keys))
        return {"image": images.normalize(0, 255).array(), "label": batch["label"]}

    data = jaxdali.source.ImageFolder(f"{root}/train")
    return jaxdali.Loader(data, augment, batch_size=BATCH, shuffle=True, seed=12, last_batch="drop", **options)


def nnx_images_original(root):
    import grain.python as grain
    from PIL import Image

    class Folder:
        def __init__(self):
            self.classes = sorted(glob.glob(f"{root}/train/*"))
            self.paths = [path for folder in self.classes for path in sorted(glob.glob(f"{folder}/*.jpg"))]

        def __len__(self):
            return len(self.paths)

        def __getitem__(self, index):
            path = self.paths[index]
            return {"image": Image.open(path), "label": np.int32(self.classes.index(path.rpartition("/")[0]))}

    class Prepare(grain.RandomMapTransform):
        def random_map(self, sample, rng):
            image = np.asarray(sample["image"].convert("RGB").resize((SIZE, SIZE)), np.float32) / 255
            return {"image": image[:, ::-1] if rng.random() < 0.5 else image, "label": sample["label"]}

    data = Folder()
    sampler = grain.IndexSampler(len(data), shuffle=True, seed=12, shard_options=grain.NoSharding(), num_epochs=None)
    return iter(grain.DataLoader(data_source=data, sampler=sampler, operations=[Prepare(), grain.Batch(BATCH, True)]))


def big_vision_vit(root, **options):
    """big_vision's ViT: a random part as by Inception, flips, values from -1 to 1, one-hot labels, mixup."""
    import jax

    import jaxdali

    def augment(batch, keys):
        for_window, for_flip = jaxdali.random.split(keys, 2)
        window = jaxdali.random.resized_crop_window(for_window, batch["image"].sizes, area=(0.05, 1.0))
        flip = jaxdali.random.coin_flip(for_flip)
        images = jaxdali.image.decode_resample(batch["image"], window, (SIZE, SIZE), flip=flip, mean=127.5, std=127.5)
        return {"image": images, "labels": jax.nn.one_hot(batch["label"], 3)}

    def mix(batch, key):
        image, labels = jaxdali.random.mixup(key, batch["image"], batch["labels"], alpha=0.2)
        return {"image": image, "labels": labels}

    data = jaxdali.source.ImageFolder(f"{root}/train")
    return jaxdali.Loader(data, augment, batch_size=BATCH, mix=mix, shuffle=True, **options)


def big_vision_vit_original(root):
    import jax
    import tensorflow as tf

    def prepare(path):
        content = tf.io.read_file(path)
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            tf.io.extract_jpeg_shape(content),
            tf.zeros([0, 0, 4], tf.float32),
            area_range=(0.05, 1.0),
            min_object_covered=0,
            use_image_if_no_bounding_boxes=True,
        )
        image = tf.io.decode_and_crop_jpeg(content, tf.concat([begin[:2], size[:2]], 0), channels=3)
        image = tf.image.random_flip_left_right(tf.image.resize(image, [SIZE, SIZE]))
        label = tf.argmax(tf.constant(classes) == tf.strings.split(path, "/")[-2])
        return {"image": image / 127.5 - 1, "labels": tf.one_hot(label, len(classes))}

    def mixup(rng, batch):
        share = np.random.default_rng(rng).beta(0.2, 0.2)
        return {name: share * leaf + (1 - share) * np.roll(leaf, 1, axis=0) for name, leaf in batch.items()}

    paths = sorted(glob.glob(f"{root}/train/*/*.jpg"))
    classes = sorted({path.split("/")[-2] for path in paths})
    data = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths)).repeat().map(prepare)
    for number, batch in enumerate(data.batch(BATCH, drop_remainder=True).prefetch(2).as_numpy_iterator()):
        yield jax.tree.map(np.float32, mixup(number, batch))


def diffusion(root, **options):
    """A diffusion model's data: square images from -1 to 1, with a time and noise for each."""
    import jaxdali

    def augment(batch, keys):
        for_flip, for_time, for_noise = jaxdali.random.split(keys, 3)
        images = jaxdali.image.open(batch["image"]).resize(resize_shorter=SIZE).crop(SIZE, SIZE)
        x = images.flip(jaxdali.random.coin_flip(for_flip)).normalize(127.5, 127.5).array()
        t = jaxdali.random.uniform(for_time)
        return {"x": x, "t": t, "noise": jaxdali.random.normal(for_noise, shape=x.shape[1:]), "label": batch["label"]}

    return jaxdali.Loader(
        jaxdali.source.ImageFolder(f"{root}/train"), augment, batch_size=BATCH, shuffle=True, **options
    )


def diffusion_original(root):
    import tensorflow as tf

    def prepare(path):
        image = tf.cast(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), tf.float32)
        side = tf.reduce_min(tf.shape(image)[:2])
        image = tf.image.resize_with_crop_or_pad(image, side, side)
        image = tf.image.resize(image, [SIZE, SIZE], antialias=True)
        image = tf.image.random_flip_left_right(image) / 127.5 - 1
        label = tf.argmax(tf.constant(classes) == tf.strings.split(path, "/")[-2])
        t, noise = tf.random.uniform([]), tf.random.normal([SIZE, SIZE, 3])
        return {"x": image, "t": t, "noise": noise, "label": tf.cast(label, tf.int32)}

    paths = sorted(glob.glob(f"{root}/train/*/*.jpg"))
    classes = sorted({path.split("/")[-2] for path in paths})
    data = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths)).repeat().map(prepare)
    return data.batch(BATCH, drop_remainder=True).prefetch(2).as_numpy_iterator()


def simclr(root, **options):
    """SimCLR: two random parts of each image, with changed colours and sometimes gray."""
    import jax.numpy as jnp

    import jaxdali

    def window(files, keys):
        for_window, for_flip = jaxdali.random.split(keys, 2)
        window = jaxdali.random.resized_crop_window(for_window, files.sizes)
        return jaxdali.image.decode_resample(files, window, (SIZE, SIZE), flip=jaxdali.random.coin_flip(for_flip))

    def augment(batch, keys):
        first, second, for_colours, for_gray = jaxdali.random.split(keys, 4)
        pair = jnp.concatenate([window(batch["image"], first), window(batch["image"], second)])
        of_pair = [jaxdali.random.split(these, 2).ravel() for these in (for_colours, for_gray)]
        pair = jaxdali.augment.color_jitter(pair, of_pair[0], 0.8, 0.8, 0.8, 0.2)
        gray = jaxdali.random.coin_flip(of_pair[1], probability=0.2)
        pair = jaxdali.image.color_twist(pair, saturation=1 - gray)
        first, second = jnp.split(jaxdali.image.normalize(pair, 0, 255), 2)
        return {"view1": first, "view2": second, "label": batch["label"]}

    return jaxdali.Loader(
        jaxdali.source.ImageFolder(f"{root}/train"), augment, batch_size=BATCH, shuffle=True, **options
    )


def simclr_original(root):
    import tensorflow as tf

    def view(content):
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            tf.io.extract_jpeg_shape(content),
            tf.zeros([1, 0, 4]),
            area_range=(0.08, 1.0),
            aspect_ratio_range=(3 / 4, 4 / 3),
            use_image_if_no_bounding_boxes=True,
        )
        image = tf.io.decode_and_crop_jpeg(content, tf.concat([begin[:2], size[:2]], 0), channels=3)
        image = tf.image.random_flip_left_right(tf.image.resize(image, [SIZE, SIZE])) / 255
        image = tf.image.random_brightness(image, 0.8)
        image = tf.image.random_contrast(image, 0.2, 1.8)
        image = tf.image.random_saturation(image, 0.2, 1.8)
        image = tf.clip_by_value(tf.image.random_hue(image, 0.2), 0, 1)
        gray = tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(image))
        return tf.where(tf.random.uniform([]) < 0.2, gray, image)

    def prepare(path):
        content = tf.io.read_file(path)
        label = tf.argmax(tf.constant(classes) == tf.strings.split(path, "/")[-2])
        return {"view1": view(content), "view2": view(content), "label": tf.cast(label, tf.int32)}

    paths = sorted(glob.glob(f"{root}/train/*/*.jpg"))
    classes = sorted({path.split("/")[-2] for path in paths})
    data = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths)).repeat().map(prepare)
    return data.batch(BATCH, drop_remainder=True).prefetch(2).as_numpy_iterator()
