"""The guides from torch's DataLoader, tf.data and Grain: both columns of their tables give the same samples.

Not part of any extra: `pip install torch tensorflow grain`.
"""

from __future__ import annotations

import warnings
from typing import Any

import jax
import numpy as np
import peer_tables
import pytest


def of_torch() -> dict[str, Any]:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from torch.utils import data

    class Dataset(data.Dataset):
        def __len__(self):
            return 10

        def __getitem__(self, index):
            return int(range(10)[index])

    class Numbers(data.IterableDataset):
        def __iter__(self):
            return iter(range(10))

    return {**vars(data), "torch": torch, "dataset": Dataset(), "Numbers": Numbers}


def of_tf() -> dict[str, Any]:
    tf = pytest.importorskip("tensorflow", reason="tensorflow is not installed")
    return {"tf": tf, "np": np, "ds": tf.data.Dataset.range(10)}


def of_grain() -> dict[str, Any]:
    grain = pytest.importorskip("grain", reason="grain is not installed")
    ds = grain.MapDataset.range(10)

    class Twice(grain.experimental.FlatMapTransform):
        max_fan_out = 2

        def flat_map(self, element):
            return [element, element]

    class Chosen(grain.transforms.DatasetSelectionMap):
        def __len__(self):
            return 4

        def __getitem__(self, index):
            return [(0, 0), (1, 0), (1, 1), (0, 1)][index]

    def parts():
        return [ds.slice(slice(0, 5)).to_iter_dataset(), ds.slice(slice(5, 10)).to_iter_dataset()]

    return {"grain": grain, "ds": ds, "Twice": Twice, "Chosen": Chosen, "Parts": parts}


PEERS = {"guides/torch_dataloader.md": of_torch, "guides/tf_data.md": of_tf, "guides/grain.md": of_grain}


def leaves_of(item: Any) -> list[Any]:
    leaves = jax.tree.leaves(item)
    return [np.asarray(leaf.numpy() if hasattr(leaf, "numpy") else leaf).tolist() for leaf in leaves]


def flat(values: Any) -> list[Any]:
    return np.concatenate([np.ravel(value) for value in values]).tolist()


@pytest.mark.parametrize("page", PEERS)
def test_both_columns_have_the_same_samples(page):
    theirs_have = PEERS[page]()
    ours_have = peer_tables.namespace(page)
    section, _ = peer_tables.PAGES[page]
    for theirs, ours, said in peer_tables.rows(page, section):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = flat(flat(leaves_of(item)) for item in eval(theirs.split("`")[0], theirs_have))
            found = flat(flat(sample) for sample in peer_tables.samples(peer_tables.result(ours, ours_have)))
        if "another order" in said:
            expected, found = sorted(expected), sorted(found)
        if "zip" in theirs.lower() or "enumerate" in theirs or "StackDataset" in theirs:  # pairs, column by column
            expected, found = sorted(expected), sorted(found)
        assert found == expected, theirs


def test_every_method_of_tf_data_is_named():
    tf = of_tf()["tf"]
    text = peer_tables.page_text("guides/tf_data.md")
    missing = [name for name in dir(tf.data.Dataset) if not name.startswith("_") and name not in text]
    assert missing == []


def test_every_class_and_method_of_grain_is_named():
    grain = of_grain()["grain"]
    text = peer_tables.page_text("guides/grain.md")
    rooms = [grain.MapDataset, grain.IterDataset, grain.transforms, grain.sources, grain.samplers, grain.sharding]
    rooms += [grain.checkpoint, grain.experimental]
    names = {name for room in rooms for name in dir(room) if not name.startswith("_")}
    ignored = {"parents", "Transformation", "Transformations"}
    assert sorted(name for name in names - ignored if name not in text) == []


def test_every_argument_of_a_dataloader_is_named():
    torch = of_torch()["torch"]
    import inspect

    text = peer_tables.page_text("guides/torch_dataloader.md")
    arguments = {*inspect.signature(torch.utils.data.DataLoader.__init__).parameters} - {"self"}
    assert sorted(name for name in arguments if name not in text) == []
