"""Compiled code is loaded when it is needed, and an error says what is missing."""

import importlib.util
import os
import subprocess
import sys
import threading

import jax
import pytest

from jaxdali._device.ffi import compat, cpu_calls, cuda, load, plugin
from jaxdali.errors import BackendUnavailable


def run(program):
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_question_for_backends_imports_nothing():
    run(
        "import sys; from jaxdali._device.ffi import compat, load;"
        "load.cpu_module();"
        "assert compat.backends_are_initialized() is False;"
        "assert 'jax' not in sys.modules;"
        "import jax; assert compat.backends_are_initialized() is False;"
        "jax.devices(); assert compat.backends_are_initialized() is True"
    )


def test_backends_of_this_process():
    jax.devices()
    assert compat.backends_are_initialized() is True


def test_targets_are_registered_once_from_any_thread(monkeypatch):
    registered = []
    monkeypatch.setattr(load, "_registered", False)
    monkeypatch.setattr(
        jax.ffi, "register_ffi_target", lambda name, handler, *, platform: registered.append((name, platform))
    )
    threads = [threading.Thread(target=load.register_targets) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Once per platform; CUDA may be one of them.
    assert sorted(registered) == sorted(set(registered))
    assert [name for name, platform in registered if platform == "cpu"] == list(load.cpu_module().registrations())
    assert {name for name, _ in registered} == {
        "jaxdali_decode_v1",
        "jaxdali_decode_resample_v1",
        "jaxdali_images_v1",
        "jaxdali_threefry_v1",
        "jaxdali_warp_v1",
        "jaxdali_count_levels_v1",
        "jaxdali_look_up_levels_v1",
        *cpu_calls.CPU_TARGETS,
        "jaxdali_resized_crop_window_v1",
    }


@pytest.mark.parametrize(
    ("found", "message"),
    [(None, "was not built for this Python"), (object(), "was built but does not load: libjpeg")],
)
def test_a_missing_module_says_why(monkeypatch, found, message):
    def refuse(name, *arguments):
        raise ImportError("libjpeg.so.62: cannot open shared object file")

    monkeypatch.setattr(load.importlib, "import_module", refuse)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found)
    monkeypatch.setattr(load, "_registered", False)
    for function in (load.cpu_module, load.register_targets):
        with pytest.raises(BackendUnavailable, match=message) as caught:
            function()
        assert isinstance(caught.value.__cause__, ImportError)


def test_without_a_cuda_plugin_the_reason_is_named(monkeypatch):
    monkeypatch.setattr(plugin, "plugin_major", lambda: None)
    cuda._find.cache_clear()
    with pytest.raises(BackendUnavailable, match=r"jax\[cuda13\]"):
        cuda.cuda_module()
    cuda._find.cache_clear()


def test_a_plugin_without_our_module_says_what_to_install(monkeypatch, caplog):
    monkeypatch.setattr(plugin, "plugin_major", lambda: 11)
    cuda._find.cache_clear()
    with pytest.raises(
        BackendUnavailable, match=r"not built\..*cuda13.*CUDA 11 toolkit with nvcc.*--no-binary jaxdali"
    ):
        cuda.cuda_module()
    load._register_cuda(jax)
    assert "nothing can be decoded on GPUs" in caplog.text
    cuda._find.cache_clear()
