"""What importing costs, and that DALI's names are where its users look for them."""

import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import jaxdali

FRONT = [
    "backend_impl",
    "fn",
    "_loader.loader",
    "ops",
    "pickling",
    "pipeline",
    "plugin.jax",
    "remote",
    "source",
    "tensors",
    "types",
]


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_front_loads_no_jax():
    imports = ", ".join(f"jaxdali.{name}" for name in FRONT)
    code = f"import sys, jaxdali, {imports}; print(sorted({{'jax', 'jaxlib'}} & {{*sys.modules}}))"
    assert run(code).strip() == "[]"


def test_defining_a_pipeline_loads_no_jax():
    code = """
import sys
from jaxdali import pipeline_def, fn, types
@pipeline_def(batch_size=2, device_id=0, num_threads=1)
def mine():
    files, labels = fn.external_source(lambda info: 0, num_outputs=2, batch=False)
    images = fn.decoders.image(files, device="mixed")
    images = fn.brightness_contrast(images, contrast=fn.random.uniform(range=(1, 3.0)))
    images = fn.resize(images, size=8)
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip()), labels
mine()
print(sorted({"jax", "jaxlib", "PIL"} & {*sys.modules}))
"""
    assert run(code).strip() == "[]"


def test_what_is_for_errors_is_loaded_with_them():
    code = """
import sys
from jaxdali import Loader, fn, ops, pipeline_def
fn.resize, ops.Resize
print("difflib" in sys.modules)
"""
    assert run(code).strip() == "False"


def test_an_interpreter_without_its_lock_gets_it_or_an_error():
    # A free-threaded build turns the lock on when a compiled module is loaded, but not if PYTHON_GIL=0 forbids it.
    code = """
import os, sys
os.environ["PYTHON_GIL"] = "0"
sys._is_gil_enabled = lambda: "jaxdali._feed._host" in sys.modules
import jaxdali
assert "jaxdali._feed._host" in sys.modules
jaxdali.pipeline_def
del sys.modules["jaxdali"]
sys._is_gil_enabled = lambda: False
try:
    import jaxdali
except ImportError as error:
    print(error)
"""
    text = run(code)
    assert "needs the interpreter's lock" in text and "PYTHON_GIL='0', -X gil=''. Set PYTHON_GIL=1, or neither" in text


def test_an_interpreter_with_its_lock_loads_no_compiled_module_early():
    assert run("import sys, jaxdali; print('jaxdali._feed._host' in sys.modules)").strip() == "False"


def test_the_check_can_fail():
    code = "import sys, jaxdali; jaxdali.image; print('jax' in sys.modules)"
    assert run(code).strip() == "True"


# Imports of `nvidia.dali` in programs, with only the package's name replaced.
@pytest.mark.parametrize(
    "line",
    [
        "import jaxdali as dali",
        "import jaxdali.fn as fn",
        "import jaxdali.types as types",
        "import jaxdali.plugin.jax as dax",
        "from jaxdali import fn, ops, pipeline_def, types",
        "from jaxdali import Pipeline",
        "from jaxdali.pipeline import Pipeline, pipeline_def, DataNode",
        "from jaxdali.types import BatchInfo, SampleInfo",
        "from jaxdali.types import DALIDataType, DALIImageType, DALIInterpType, PipelineAPIType",
        "from jaxdali.backend import TensorListCPU",
        "from jaxdali.backend_impl import TensorListCPU, TensorCPU",
        "from jaxdali.tensors import TensorListCPU, TensorCPU",
        "from jaxdali.ops import ExternalSource",
        "from jaxdali.pickling import pickle_by_value",
        "from jaxdali.plugin.base_iterator import LastBatchPolicy",
        "from jaxdali.plugin.jax import DALIGenericIterator",
    ],
)
def test_dalis_imports(line):
    namespace = {}
    exec(line, namespace)
    assert namespace.keys() - {"__builtins__"}


@pytest.mark.parametrize(
    "name",
    [
        "fn.external_source",
        "ops.ExternalSource",
        "fn.decoders.image",
        "fn.random.uniform",
        "fn.random.coin_flip",
        "fn.brightness_contrast",
        "fn.resize",
        "fn.crop_mirror_normalize",
        "types.UINT8",
        "types.FLOAT",
        "types.RGB",
        "types.INTERP_LINEAR",
        "pipeline.Pipeline",
        "pipeline.DataNode",
        "pickling.pickle_by_value",
        "tensors.TensorListCPU",
        "plugin.base_iterator",
    ],
)
def test_names_below_the_package(name):
    thing = jaxdali
    importlib.import_module("jaxdali.plugin.base_iterator")
    for part in name.split("."):
        thing = getattr(thing, part)


def test_one_name_one_thing():
    assert jaxdali.pipeline_def is jaxdali.pipeline.pipeline_def
    assert jaxdali.backend_impl.TensorListCPU is jaxdali.tensors.TensorListCPU
    assert jaxdali.backend.TensorCPU is jaxdali.tensors.TensorCPU


def test_a_class_that_does_not_exist():
    with pytest.raises(AttributeError, match=r"jaxdali.ops has no 'Rezise': did you mean Resize"):
        _ = jaxdali.ops.Rezise


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = jaxdali.no_such_name


@pytest.mark.parametrize(
    ("clone", "advice"), [(True, r"Run Python 3\.\d+ from a folder other than .*pip install -e"), (False, "again")]
)
def test_sources_that_were_not_built_say_so(tmp_path, clone, advice):
    package = pathlib.Path(jaxdali.__file__).parent
    shutil.copytree(package, tmp_path / "jaxdali", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    if clone:
        (tmp_path / "pyproject.toml").touch()
    # Without `site`, nothing installed (an editable jaxdali, say) comes first.
    libraries = os.path.dirname(os.path.dirname(np.__file__))
    for code in ("import jaxdali", "import jaxdali.fn", "from jaxdali.plugin.jax import DALIGenericIterator"):
        command = [sys.executable, "-S", "-c", code]
        environment = os.environ | {"PYTHONPATH": libraries}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        last = done.stderr.strip().splitlines()[-1]
        assert done.returncode == 1
        assert re.match(rf"jaxdali\.errors\.BackendUnavailable: jaxdali was found in {tmp_path}/jaxdali, without", last)
        assert re.search(advice, last)
