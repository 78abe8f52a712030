"""What must be true after the programs of tutorials and guides, and which packages they need.

A page's programs run as one, in an empty folder. A check is code, by page and by the number of the program after which
it runs.
"""

from __future__ import annotations

__all__ = ["CHECKS", "NEEDS", "SLOW"]

CHECKS: dict[str, dict[int, str]] = {
    "tutorials/parallel_external_source.md": {
        3: """
assert [shape[2] for shape in train_images.shape()] == [3] * 4 and len({*train_images.shape()}) > 1
order = np.random.default_rng([7, 0]).permutation(12)[:4]
assert train_labels.as_array().ravel().tolist() == val_labels.as_array().ravel().tolist() == (order % 3).tolist()
for i, index in enumerate(order):
    file = np.asarray(Image.open(folder / f"{index}.jpg")).astype(int)
    expected = (128 + 1.5 * (file - 128)).clip(0, 255)
    assert abs(np.asarray(val_images.at(i)) - expected).max() <= 1
""",
        4: "assert np.asarray(Image.open('validation.png')).shape == (200, 200, 3)\n",
        5: """
assert len(rest) == 8 and sorted(second) == sorted(third) == 4 * [0] + 4 * [1] + 4 * [2]
assert second.tolist() != third.tolist()
""",
    },
    "tutorials/imagenet_flax.md": {
        4: "assert sum(losses[k] for k in range(15, 20)) < sum(losses[k] for k in range(5)) and 8 <= right <= 12\n",
        5: "assert [*again] == [*range(13, 20)] and loader.step == 20\n",
    },
    "tutorials/segmentation.md": {
        2: """
labels = np.asarray(batch["y"])
assert {*np.unique(labels)} == {0, 1, 2, 255} and np.asarray(Image.open("pairs.png")).shape == (96, 8 * 48, 3)
# Where the mask says disc, red is the strongest of the file's colours; where it says box, green is.
for label, channel in ((1, 0), (2, 1)):
    assert (pixels[labels == label].argmax(axis=1) == channel).mean() > 0.95
""",
        3: "assert float(losses[-1]) < 0.3 < float(losses[0])\n",
        # On the host, from the files themselves.
        4: """
import io

expected = np.zeros((3, 3), int)
for sample in (Scenes("val")[k] for k in range(10)):
    truth = np.asarray(Image.open(io.BytesIO(sample["mask"])))
    rows, columns = ((np.arange(48) + 0.5) * extent / 48 for extent in truth.shape)
    truth = truth[rows.astype(int)][:, columns.astype(int)]
    np.add.at(expected, (truth[truth != 255],) * 2, 1)
assert np.asarray(counts).sum(axis=1).tolist() == expected.sum(axis=1).tolist()
assert np.diag(counts).sum() > 0.9 * counts.sum()
""",
    },
    "tutorials/video_clips.md": {
        # A clip of each video in each epoch; all frames of a clip have one window, so what does not move stays where it is.
        1: """
assert sampler.length == 12 and len(batches) == 6 and x.shape == (4, 8, 32, 32, 3)
for epoch in range(2):
    assert sorted(np.searchsorted(clips.groups, sampler.indices(epoch, np.arange(12)), "right")) == [*range(1, 13)]
still = np.asarray(x).std(axis=1).max(axis=-1) < 0.05
assert ((still.mean(axis=(1, 2)) > 0.3) & (still.mean(axis=(1, 2)) < 1)).all()
assert np.asarray(mask).reshape(4, 4, 16).sum(-1).tolist() == [[12] * 4] * 4
whole = np.asarray(tokens(x)).reshape(4, 4, 4, 4, 2, 8, 8, 3)
np.testing.assert_array_equal(whole[:, 1, 2, 3, 1], np.asarray(x)[:, 3, 16:24, 24:])
assert abs(np.asarray(targets).reshape(4, 48, -1, 3).mean(2)).max() < 1e-3
""",
        2: "assert len(right) == 12 and sum(right) == 12\n",
        3: "assert batch.shape == (2, 8, 32, 32, 3) and batch.min(axis=(1, 2, 3, 4)).max() < 110\n",
    },
    "tutorials/tokens.md": {
        2: "assert {*filled} == {16, 32} and sum(map(len, filled.values())) == 15\n",
        3: """
assert len(packed) < 80 and sum(int((row["segment_ids"] > 0).sum()) for row in packed) == sum(lengths)
seen = np.asarray(causal(packed[0]["segment_ids"]))
assert seen.sum() == sum(n * (n + 1) // 2 for n in np.bincount(packed[0]["segment_ids"])[1:])
""",
        5: "assert [sum(of_books[i : i + 4]) for i in (0, 4, 8)] == [8, 16, 16] and losses[-1] < losses[0]\n",
        6: "assert len(again) == 6\n",
    },
    "tutorials/streams.md": {
        0: "assert sorted(i for batch in ids for i in batch) == sorted(2 * [*range(40)]) and ids[0] != sorted(ids[0])\n",
        1: "assert jaxdali.Loader(counted, batch_size=16, ragged={'tokens': 12}, workers=0).steps_per_epoch == 3\n",
        2: "assert seen == [[*range(n, n + 8)] for n in (0, 8, 16)] and state['step'] == 3, state\n",
        3: "assert batch['id'].tolist() == [0, 1, 2, 3, 10, 11, 12, 13]\n",
        4: "assert total == sum(len(record['tokens']) for record in records(0))\n",
    },
    "tutorials/hugging_face.md": {
        1: """
labels = [label for batch in batches for label in batch["y"].tolist()]
assert sorted(labels[:20]) == sorted(labels[20:]) == [*range(20)] and labels[:20] != labels[20:]
assert all(text == f"a sentence of {y} words" for batch in batches for text, y in zip(batch["text"], batch["y"].tolist()))
""",
        2: """
assert padded.shape == (5, 8) and shapes.ravel().tolist() == [1, 2, 3, 4, 5]
assert padded[4, :6].tolist() == [1, 2, 3, 4, 5, 0] and len(packed) == 5
""",
        3: "assert in_order == [[*range(n, n + 5)] for n in (0, 5, 10, 15)]\n",
        4: "assert sorted(label for labels in expected for label in labels) == [*range(20)] and expected != in_order\n",
    },
    "tutorials/several_processes.md": {
        1: "assert losses[-1] < 0.1 < losses[0] and len(batch['x'].sharding.device_set) == jax.device_count()\n",
        2: "assert len(again) == 10\n",
        3: """
direct = np.abs(X @ np.asarray(w.addressable_data(0)) - X @ np.float32([1, -2, 3, 0.5])).mean()
assert samples == 100 and abs(error / samples - direct) < 1e-5
print(jax.process_count(), losses)
""",
    },
    "tutorials/decode_in_jit.md": {
        # The same window, resized and mirrored on pixels that Pillow decoded.
        1: """
window, flip = (np.asarray(a) for a in jax.jit(lambda batch, keys: (
    random.resized_crop_window(random.split(keys, 2)[0], batch.sizes), random.coin_flip(random.split(keys, 2)[1])
))(batch, keys))
assert len({*flip.tolist()}) == 2
canvas = np.zeros((8, 72, 72, 3), np.uint8)
for row, file in zip(canvas, files):
    decoded = np.asarray(Image.open(io.BytesIO(file)))
    row[: decoded.shape[0], : decoded.shape[1]] = decoded
extents = np.concatenate([window[:, 2:], np.full((8, 1), 3)], axis=1)
expected = image.flip(image.resize(image.crop_windows(canvas, window), (32, 32), extents, dtype=np.float32), flip)
np.testing.assert_allclose(images * 64 + 127.5, expected, atol=0.51)
""",
        2: "assert float(loss) < np.log(2)\n",
        3: "assert whole._cache_size() == 1\n",
        4: """
assert statuses[0] == 0 and (statuses[1:] > 0).all()
assert (pixels[0, :height, :width] == whole(batch)[0, :height, :width]).all()
""",
        5: "assert large.shape == (8, 40, 40, 3) and small.shape == (8, 16, 16, 3)\n",
    },
}

# What takes too long for the gate.
SLOW = {"tutorials/imagenet_flax.md", "tutorials/hugging_face.md"}

# Packages that no extra of jaxdali has.
NEEDS: dict[str, str] = {"tutorials/hugging_face.md": "datasets"}
