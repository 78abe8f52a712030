"""Cells in a real kernel of Jupyter: functions in cells, cells that run again, interrupts, `Out`, and what is displayed."""

import importlib
import json
import os
import sys
import textwrap
import threading

import pytest
from processes import is_alive, until
from tiers import gate

TIMEOUT_S = 120


class Kernel:
    """A kernel, and the client that runs cells in it."""

    def __init__(self, manager, client):
        self._manager, self._client = manager, client

    def run(self, cell, on_output=lambda text: None):
        """Runs a cell. Returns what it printed, what it displayed by type, and the name of the exception that ended it."""
        printed, displayed = [], {}

        def hook(message):
            content = message["content"]
            if message["msg_type"] == "stream":
                printed.append(content["text"])
                on_output(content["text"])
            elif message["msg_type"] in ("execute_result", "display_data"):
                displayed.update(content["data"])

        cell = textwrap.dedent(cell)
        reply = self._client.execute_interactive(cell, timeout=TIMEOUT_S, output_hook=hook)["content"]
        if reply["status"] == "error" and reply["ename"] != "KeyboardInterrupt":
            pytest.fail("\n".join(reply["traceback"]))
        return "".join(printed), displayed, reply.get("ename")

    def interrupt(self):
        self._manager.interrupt_kernel()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    try:
        manager = importlib.import_module("jupyter_client.manager")
        specs = importlib.import_module("jupyter_client.kernelspec")
        importlib.import_module("ipykernel")
    except ImportError as error:
        pytest.skip(f"a kernel of Jupyter is not installed: {error}")
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "ours").mkdir()
    # The kernel of this interpreter, whatever others a machine has.
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "ours" / "kernel.json").write_text(
        json.dumps({"argv": command, "display_name": "ours", "language": "python"})
    )
    known = specs.KernelSpecManager(kernel_dirs=[str(folder)], ensure_native_kernel=False)
    started = manager.KernelManager(kernel_name="ours", kernel_spec_manager=known)
    started.start_kernel(cwd=str(folder), env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    client = started.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=TIMEOUT_S)
        kernel = Kernel(started, client)
        kernel.run("import time, os, numpy as np, jax, jaxdali")
        yield kernel
    finally:
        client.stop_channels()
        started.shutdown_kernel(now=True)


DATA = """
class Slow:
    pause = {pause}

    def __len__(self):
        return 400

    def __getitem__(self, index):
        time.sleep(self.pause)
        return {{"i": np.int32(index), "pid": np.int32(os.getpid()), "x": np.full((9, 9, 3), index % 256, np.uint8)}}


def augment(batch, keys):
    return {{"i": batch["i"], "pid": batch["pid"], "x": batch["x"]}}


loader = jaxdali.Loader(Slow(), augment, batch_size=4, workers=1, epochs=1)
batches = iter(loader)
batch = next(batches)
print(batch["pid"][0])
"""


def test_a_cell_that_runs_again_ends_the_workers_of_its_first_run(kernel):
    cell = DATA.format(pause=0)
    first, second = (int(kernel.run(cell)[0].split()[-1]) for _ in range(2))
    assert first != second
    until(lambda: not is_alive(first))
    assert is_alive(second)


def test_what_a_cell_gives_is_displayed_and_stays_as_it_was(kernel):
    kernel.run(DATA.format(pause=0))
    shown = kernel.run("jaxdali.show(batch)")[1]
    assert (
        shown["text/plain"].startswith("['i']: int32[4], from 0 to 3: 0 1 2 3")
        and shown["text/html"].count("<img") == 4
    )
    kernel.run("batch")
    out = kernel.run("number = max(Out); print(number)")[0]
    kernel.run("for _ in range(20): next(batches)")
    assert kernel.run(f"print(Out[{int(out)}]['i'].tolist(), Out[{int(out)}]['x'][:, 0, 0, 0].tolist())")[0] == (
        "[0, 1, 2, 3] [0, 1, 2, 3]\n"
    )
    displayed = kernel.run("loader")[1]["text/plain"]
    assert displayed.startswith("Loader(Slow, 400 samples, batch_size=4") and "step 21 of 100" in displayed
    assert kernel.run("loader.stats()")[1]["text/plain"].startswith("Statistics: 21 batches, 84 samples")


@pytest.mark.parametrize("keeps", gate([True, False], [True]))
def test_an_interrupted_cell_loses_no_batch(kernel, keeps):
    """The kernel keeps the exception of the interrupt, and so the frames it passed; the cells may keep the batches, too."""
    kernel.run(DATA.format(pause=0.02))
    kernel.run("seen = [batch['i'].tolist()]\nkept = [batch]")
    keep = "kept.append(batch)" if keeps else "pass"
    loop = f"for batch in batches:\n    seen.append(batch['i'].tolist())\n    {keep}\n    print(len(seen))"
    for rounds in (6, 12):
        reached = threading.Event()

        def on_output(text, rounds=rounds, reached=reached):
            if not reached.is_set() and any(int(word) >= rounds for word in text.split() if word.isdigit()):
                reached.set()
                kernel.interrupt()

        _, _, ended = kernel.run(loop, on_output)
        assert ended == "KeyboardInterrupt"
    kernel.run("for batch in batches:\n    seen.append(batch['i'].tolist())\n    if len(seen) > 20: break")
    assert kernel.run("print(sum(seen, []) == list(range(4 * len(seen))), len(seen) > 20)")[0] == "True True\n"
    if keeps:
        assert kernel.run("print(all(one['i'].tolist() == seen[k] for k, one in enumerate(kept)))")[0] == "True\n"
    kernel.run("loader.close()")
