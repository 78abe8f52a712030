"""DALI's iterators for other frameworks: users who look for them are told what to do instead."""

import importlib
import inspect

import numpy as np
import pytest

import jaxdali.plugin
from jaxdali import fn, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator, data_iterator
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator, peekable_data_iterator

FRAMEWORKS = ["pytorch", "tf", "mxnet", "paddle"]


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize(
    "line",
    [
        "import jaxdali.plugin.NAME",
        "from jaxdali.plugin import NAME",
        "from jaxdali.plugin.NAME import DALIGenericIterator, LastBatchPolicy",
    ],
)
def test_an_import_names_the_way_round(framework, line):
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError) as error:
            exec(line.replace("NAME", framework), {})
        text = str(error.value)
        assert text.startswith(f"there is no jaxdali.plugin.{framework}: use the iterators of jaxdali.plugin.jax")
        assert "DLPack" in text and 'batch["images"]' in text


def test_attributes_of_the_package():
    assert not hasattr(jaxdali.plugin, "pytorch")
    with pytest.raises(AttributeError, match=r"jaxdali\.plugin\.jax .*torch\.from_dlpack"):
        jaxdali.plugin.pytorch  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'jaxdali\.plugin' has no attribute 'keras'"):
        jaxdali.plugin.keras  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'jaxdali\.plugin\.keras'"):
        importlib.import_module("jaxdali.plugin.keras")


def test_arrays_go_by_dlpack():
    @pipeline_def(batch_size=2, seed=1)
    def mine():
        return fn.external_source([np.arange(6, dtype=np.float32).reshape(2, 3)])

    (batch,) = DALIGenericIterator(mine(), ["images"])
    assert np.from_dlpack(batch["images"]).tolist() == [[0, 1, 2], [3, 4, 5]]


def arguments_of(function):
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.kind, p.default) for p in parameters if p.name not in ("self", "pipelines", "pipeline_fn")]


def test_classes_and_decorators_take_the_same_arguments():
    of_class = arguments_of(DALIGenericIterator.__init__)
    assert arguments_of(DALIGenericPeekableIterator.__init__) == of_class
    of_decorator = arguments_of(data_iterator)
    assert arguments_of(peekable_data_iterator) == of_decorator
    names = [name for name, _, _ in of_decorator]
    # Only the decorator takes devices, because it makes the pipelines; there, names of outputs are optional.
    assert [name for name in names if name != "devices"] == [name for name, _, _ in of_class]
    defaults = {name: default for name, _, default in of_decorator if name != "output_map"}
    assert all(defaults[name] == default for name, _, default in of_class if name != "output_map")
