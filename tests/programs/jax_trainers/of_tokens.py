"""Language models and translation. Each trainer's loader precedes its original."""

from __future__ import annotations

import json

import numpy as np

LENGTH, BATCH = 32, 4
WIDTHS = (16, 32)


def read_texts(root: str, name: str) -> list[dict[str, np.ndarray]]:
    """Returns tokenized pairs of texts."""
    with open(f"{root}/{name}.jsonl") as file:
        pairs = [json.loads(line) for line in file]
    return [{leaf: np.array(tokens, np.int32) for leaf, tokens in pair.items()} for pair in pairs]


def maxtext(root, **options):
    """MaxText: several texts per row; targets are the inputs shifted by one; with segments and positions."""
    import jax.numpy as jnp

    import jaxdali

    def augment(batch, keys):
        ids, segments = batch["ids"], batch["segment_ids"]
        after = jnp.pad(segments[:, 1:], ((0, 0), (0, 1))) == segments
        targets = jnp.where(after, jnp.pad(ids[:, 1:], ((0, 0), (0, 1))), 0)
        return {
            "inputs": ids,
            "targets": targets,
            "inputs_segmentation": segments,
            "inputs_position": batch["positions"],
        }

    data = jaxdali.source.pack([text["inputs"] for text in read_texts(root, "texts")], LENGTH)
    return jaxdali.Loader(data, augment, batch_size=BATCH, last_batch="drop", **options)


def maxtext_original(root):
    import grain

    data = grain.MapDataset.source([{"inputs": text["inputs"]} for text in read_texts(root, "texts")]).repeat()
    rows = grain.experimental.FirstFitPackIterDataset(
        data.to_iter_dataset(), length_struct={"inputs": LENGTH}, num_packing_bins=12, shuffle_bins=False
    )

    def shift(row):
        ids, segments = row["inputs"], row["inputs_segment_ids"]
        after = np.append(segments[1:], 0) == segments
        return {
            "inputs": ids,
            "targets": np.where(after, np.append(ids[1:], 0), 0).astype(np.int32),
            "inputs_segmentation": segments,
            "inputs_position": row["inputs_positions"],
        }

    return iter(rows.map(shift).batch(BATCH, drop_remainder=True))


def t5x_mixture(root, **options):
    """T5X: two tasks mixed 3 to 1, with sources and targets padded to their lengths."""
    import jaxdali

    def augment(batch, keys):
        (inputs, sizes), (targets, _) = batch["inputs"], batch["targets"]
        return {"encoder_input_tokens": inputs, "decoder_target_tokens": targets, "length": sizes[:, 0]}

    tasks = [read_texts(root, name) for name in ("texts", "more")]
    data = jaxdali.source.mix(*tasks, weights=[3, 1], length=16)
    ragged = {"inputs": LENGTH, "targets": LENGTH}
    return jaxdali.Loader(data, augment, batch_size=BATCH, ragged=ragged, **options)


def t5x_mixture_original(root):
    import tensorflow as tf

    def task(name):
        texts = read_texts(root, name)
        kinds = {leaf: tf.TensorSpec([None], tf.int32) for leaf in texts[0]}
        return tf.data.Dataset.from_generator(lambda: texts, output_signature=kinds).repeat()

    def convert(pair):
        inputs, targets = (tf.pad(pair[leaf], [[0, LENGTH - tf.size(pair[leaf])]]) for leaf in ("inputs", "targets"))
        return {"encoder_input_tokens": inputs, "decoder_target_tokens": targets, "length": tf.size(pair["inputs"])}

    data = tf.data.Dataset.sample_from_datasets([task("texts"), task("more")], weights=[0.75, 0.25], seed=0)
    return data.map(convert).batch(BATCH, drop_remainder=True).prefetch(2).as_numpy_iterator()


def wmt_buckets(root, **options):
    """Flax's WMT: batches of pairs of similar length, padded to one of two widths."""
    import jaxdali

    def augment(batch, keys):
        return {name: batch[name][0] for name in ("inputs", "targets")}

    texts = read_texts(root, "texts")
    lengths = [max(map(len, text.values())) for text in texts]
    sampler = jaxdali.source.BucketSampler(lengths, BATCH, WIDTHS)
    ragged = {"inputs": WIDTHS, "targets": WIDTHS}
    return jaxdali.Loader(texts, augment, batch_size=BATCH, sampler=sampler, ragged=ragged, **options)


def wmt_buckets_original(root):
    import tensorflow as tf

    texts = read_texts(root, "texts")
    kinds = {leaf: tf.TensorSpec([None], tf.int32) for leaf in texts[0]}
    data = tf.data.Dataset.from_generator(lambda: texts, output_signature=kinds)
    data = (
        data.shuffle(len(texts))
        .repeat()
        .bucket_by_sequence_length(
            lambda pair: tf.maximum(tf.size(pair["inputs"]), tf.size(pair["targets"])),
            [width + 1 for width in WIDTHS],
            [BATCH] * (len(WIDTHS) + 1),
            pad_to_bucket_boundary=True,
            drop_remainder=True,
        )
    )
    return data.prefetch(2).as_numpy_iterator()


def nano_gpt(root, **options):
    """nanoGPT: windows at random positions in one long file."""
    import jaxdali

    class Windows:
        def __init__(self):
            self.corpus = np.load(f"{root}/corpus.npy", mmap_mode="r")

        def __len__(self):
            return len(self.corpus) // LENGTH

        def __getitem__(self, index, rng):
            first = rng.integers(len(self.corpus) - LENGTH)
            window = self.corpus[first : first + LENGTH + 1].astype(np.int32)
            return {"x": window[:-1], "y": window[1:]}

    return jaxdali.Loader(Windows(), batch_size=BATCH, **options)


def nano_gpt_original(root):
    import torch

    class Windows(torch.utils.data.Dataset):
        def __init__(self):
            self.corpus = np.load(f"{root}/corpus.npy", mmap_mode="r")

        def __len__(self):
            return len(self.corpus) // LENGTH

        def __getitem__(self, index):
            first = np.random.randint(len(self.corpus) - LENGTH)
            window = self.corpus[first : first + LENGTH + 1].astype(np.int32)
            return {"x": window[:-1], "y": window[1:]}

    while True:
        for batch in torch.utils.data.DataLoader(Windows(), BATCH, drop_last=True):
            yield {name: rows.numpy() for name, rows in batch.items()}


def streamed_texts(root, **options):
    """Texts that can only be iterated over, joined and cut into rows, like a data set of the Hugging Face Hub."""
    import jaxdali

    def rows(epoch):
        left = np.zeros(0, np.int32)
        for number in np.random.default_rng(epoch).permutation(len(texts)):
            left = np.concatenate([left, texts[number]["inputs"], [1]]).astype(np.int32)
            while len(left) > LENGTH:
                yield {"inputs": left[:LENGTH], "targets": left[1 : LENGTH + 1]}
                left = left[LENGTH:]

    texts = read_texts(root, "texts")
    return jaxdali.Loader(rows, batch_size=BATCH, **options)


def streamed_texts_original(root):
    import torch

    class Rows(torch.utils.data.IterableDataset):
        def __iter__(self):
            epoch = 0
            while True:
                left = np.zeros(0, np.int32)
                for number in np.random.default_rng(epoch).permutation(len(texts)):
                    left = np.concatenate([left, texts[number]["inputs"], [1]]).astype(np.int32)
                    while len(left) > LENGTH:
                        yield {"inputs": left[:LENGTH], "targets": left[1 : LENGTH + 1]}
                        left = left[LENGTH:]
                epoch += 1

    texts = read_texts(root, "texts")
    for batch in torch.utils.data.DataLoader(Rows(), BATCH):
        yield {name: rows.numpy() for name, rows in batch.items()}
