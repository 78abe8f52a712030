"""The progress bar over batches."""

import io

import numpy as np
import pytest

import jaxdali as dali
from jaxdali import fn


def drawn(batches, **options):
    """Returns what came, and the bar's last line."""
    screen = io.StringIO()
    found = list(dali.progress(batches, file=screen, ncols=200, **options))
    return found, screen.getvalue().rstrip("\n").split("\r")[-1]


class Data:
    def __len__(self):
        return 40

    def __getitem__(self, index):
        return {"x": np.full(3, index, np.float32)}


def test_a_loader_says_how_it_goes():
    with dali.Loader(Data(), lambda batch, keys: batch["x"], batch_size=4, workers=0, epochs=1) as loader:
        found, line = drawn(loader, desc="train")
        assert len(found) == len(loader) == 10
    assert line.startswith("train: 100%") and "10/10" in line and "batch/s" in line
    assert "samples/s, " in line and "% waiting" in line


def test_of_pipelines_the_statistics_are_named():
    @dali.pipeline_def(batch_size=4)
    def graph():
        return fn.external_source([np.zeros((4, 2))] * 3, batch=True)

    pipe = graph()
    from jaxdali.plugin.jax import DALIGenericIterator

    found, line = drawn(DALIGenericIterator(pipe, ["x"]), stats=pipe.stats)
    assert len(found) == 3 and line.startswith("3batch") and "samples/s" in line
    found, line = drawn(range(5))
    assert found == [0, 1, 2, 3, 4] and "5/5" in line and "samples" not in line


def test_breaking_off_ends_the_bar():
    screen = io.StringIO()
    for value in dali.progress(range(5), file=screen):
        if value == 2:
            break
    assert "2/5" in screen.getvalue()
    with pytest.raises(TypeError, match="iterable"):
        list(dali.progress(3, file=screen))
