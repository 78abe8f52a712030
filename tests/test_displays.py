"""What people see: reprs, thumbnails in notebooks, and `show`."""

import base64
import io
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import pillow_jpeg
from jpeg_files import pillow_jpeg as jpeg
from PIL import Image

import jaxdali as dali
from jaxdali import EncodedBatch, Loader, fn, source
from jaxdali.plugin.jax import DALIGenericIterator
from jaxdali.tensors import TensorListCPU

MOST_BYTES = 1 << 20


def pictures(html):
    """Returns the pictures in some HTML."""
    found = re.findall(r'src="data:image/png;base64,([^"]+)"', html)
    return [np.asarray(Image.open(io.BytesIO(base64.b64decode(data)))) for data in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("images")
    for name, count in (("cat", 2), ("<b>dog", 3)):
        (root / name).mkdir()
        for k in range(count):
            (root / name / f"{k}.jpg").write_bytes(jpeg(20 + k, 30))
    return root


class Mine:
    def __len__(self):
        return 7

    def __getitem__(self, index):
        return {"x": np.zeros((2, 3), np.float32)}

    def __repr__(self):
        raise AssertionError("of a user, it may be anything")


def test_a_loader_says_what_it_reads_and_where_it_is(folder):
    data = source.ImageFolder(folder)
    assert repr(data) == f"ImageFolder({str(folder)!r}, 2 classes, 5 samples)"
    loader = Loader(data, batch_size=2, shuffle=True, seed=3, epochs=2, workers=0, last_batch="drop")
    assert repr(loader).splitlines()[0] == f"Loader({data!r}, batch_size=2, shuffle=True, seed=3, epochs=2)"
    assert "next: step 0 of 4, in epoch 0; 2 steps an epoch" in repr(loader)
    assert "batches: {'image': EncodedBatch" in repr(loader) and "'label': int32[2]" in repr(loader)
    steps, batches = loader.enumerate(), iter(loader)
    assert len(steps) == len(batches) == len(list(loader.epoch(0))) + 2 == 4
    assert repr(steps) == "<steps and batches of a Loader, at step 2 of 4>"
    assert repr(batches) == "<batches of a Loader, at step 2 of 4>" and len(loader.enumerate()) == 2
    assert repr(loader.epoch(1)) == "<batches of an epoch of a Loader, at step 2, of 2 to 3>"
    assert len([*batches]) == 2 and "step 4 of 4 (the end)" in repr(loader)
    loader.close()
    assert repr(loader).startswith("Loader(ImageFolder(")
    stats = repr(loader.stats()).splitlines()
    assert stats[0] == "Statistics: 4 batches, 8 samples" and any("waited for sources" in line for line in stats)
    assert max(map(len, stats)) < 120


def test_what_has_no_end_has_no_length():
    loader = Loader(Mine(), batch_size=2, workers=0)
    assert "Mine, 7 samples, batch_size=2" in repr(loader) and "float32[2, 2, 3]" in repr(loader)
    for endless in (loader.enumerate(), iter(loader)):
        assert endless and repr(endless).endswith("of a Loader, at step 0>")
        with pytest.raises(TypeError):
            len(endless)


def test_a_pipeline_shows_its_graph_and_an_iterator_its_place():
    @dali.pipeline_def(batch_size=2, seed=5)
    def program():
        numbers = fn.external_source([np.arange(2.0, dtype=np.float32)] * 3, name="numbers", cycle="quiet")
        return numbers, fn.flip(fn.cast(numbers, dtype=dali.types.FLOAT))

    lines = repr(program()).splitlines()
    assert lines[0] == "Pipeline(batch_size=2, seed=5, defined)" and lines[-1].startswith("  return numbers, __Flip_")
    assert lines[1] == "  numbers = fn.external_source()" and re.fullmatch(
        r"  __Flip_\d = fn.flip\(__Cast_\d\)", lines[3]
    )

    @dali.pipeline_def(batch_size=2)
    def plain():
        return fn.external_source([np.arange(2.0, dtype=np.float32)] * 3, cycle="quiet")

    iterator = DALIGenericIterator(plain(), ["x"], size=6)
    next(iterator)
    words = "DALIGenericIterator(['x'], 1 pipeline of 2 samples a batch; 3 batches an epoch; "
    assert repr(iterator) == f"{words}2 samples of this epoch taken)"
    assert iterator.metrics()["samples"] >= 2
    iterator.close()
    assert repr(iterator) == f"{words}closed)"


def test_files_are_described_and_shown():
    files = [jpeg(50, 40), jpeg(30, 60), b"no image"]
    batch = EncodedBatch.from_encoded(files)
    sizes = [f"{len(file) / 1024:.3g}" for file in files[:2]]
    low, high = sorted(sizes, key=float)
    assert repr(batch) == f"EncodedBatch(3 files, {low} to {high} KiB, JPEG, 30x60 to 50x40 pixels, 1 CORRUPT)"
    html = batch._repr_html_()
    assert [one.shape for one in pictures(html)] == [(50, 40, 3), (30, 60, 3)] and "CORRUPT" in html
    assert "uint8[1, 65536]" in repr(jax.eval_shape(lambda x: x, batch)) or "EncodedBatch" in repr(batch)
    traced = []
    jax.jit(lambda batch: traced.append((repr(batch), batch._repr_html_())) or batch.sizes)(batch)
    assert traced[0][0] == "EncodedBatch(bytes=uint8[1, 65536], rows=int32[3, 8])" and "<pre>Encoded" in traced[0][1]
    for leaf in jax.tree.leaves(batch):
        leaf.delete()
    assert repr(batch) == traced[0][0] and batch._repr_html_() == traced[0][1]


def test_names_are_escaped_and_pages_are_small(folder):
    html = source.ImageFolder(folder)._repr_html_()
    assert len(pictures(html)) == 5 and "&lt;b&gt;dog" in html and "<b>dog" not in html
    noise = np.random.default_rng(0).integers(0, 256, (1500, 1000, 3), np.uint8)
    large = np.broadcast_to(noise, (40, *noise.shape))
    for one in (TensorListCPU(large)._repr_html_(), dali.show({"<i>": large})._repr_html_()):
        assert len(pictures(one)) == 16 and "and 24 more" in one and len(one) < MOST_BYTES and "<i>" not in one


def test_a_batch_is_shown_with_what_belongs_to_its_rows(tmp_path):
    images = np.zeros((3, 9, 7, 3), np.uint8)
    images[1] = 200
    ragged = (np.ones((3, 20, 20, 1), np.float32), np.array([[10, 12, 1]] * 3, np.int32))
    view = dali.show(
        {"x": jnp.asarray(images), "y": jnp.arange(3), "r": ragged, "name": np.array(["a", "b", "c"], object)}
    )
    assert repr(view).splitlines() == [
        "['name']: object[3]: 'a' 'b' 'c'",
        "['r']: float32[3, 20, 20, 1] and the shapes of its rows",
        "['x']: uint8[3, 9, 7, 3], from 0 to 200",
        "['y']: int32[3], from 0 to 2: 0 1 2",
    ]
    found = pictures(view._repr_html_())
    assert [one.shape[:2] for one in found] == [(10, 12)] * 3 + [(9, 7)] * 3 and int(found[4].max()) == 200
    assert "1, name b, y 1" in view._repr_html_()
    view.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().count("<img") == 6
    lists = TensorListCPU([np.frombuffer(pillow_jpeg(8, 8 + k), np.uint8) for k in range(2)])
    assert [one.shape for one in pictures(dali.show((lists,))._repr_html_())] == [(8, 8, 3), (8, 9, 3)]
    donated = jnp.zeros((2, 9, 9, 3))
    donated.delete()
    words = "[0]: float32[2, 9, 9, 3], which cannot be read here (RuntimeError)\n[1]: 3\n[2]: float32[]: 1.5"
    assert repr(dali.show([donated, 3, jnp.float32(1.5)])) == words
    assert repr(dali.show({})) == "a batch without leaves"
    with pytest.raises(
        TypeError, match=r"expects a batch, got a jaxdali.Loader: of a Loader it is next\(iter\(loader\)\)"
    ):
        dali.show(Loader(Mine(), batch_size=2, workers=0))


def test_no_dir_has_names_for_notebooks():
    for thing in (dali, dali.image, source, Loader, TensorListCPU, dali.show({"x": np.zeros(2)})):
        assert not [name for name in dir(thing) if "html" in name and not name.startswith("_")]
