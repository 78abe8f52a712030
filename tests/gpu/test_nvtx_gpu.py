"""The engine's threads tell NVIDIA's tools what they do: a listener in the place of such a tool records it."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.gpu

LISTENER = """
    #include <nvtx3/nvToolsExt.h>
    #include <stdio.h>
    #include <stdlib.h>

    static FILE* heard;

    static int NVTX_API Push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* what) {
      (void)domain;
      fprintf(heard, "%llu %s\\n", (unsigned long long)what->payload.ullValue, what->message.ascii);
      fflush(heard);
      return 0;
    }

    int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
      const NvtxExportTableCallbacks* callbacks = tables(NVTX_ETID_CALLBACKS);
      NvtxFunctionTable functions = 0;
      unsigned int size = 0;
      if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &size)) return 0;
      heard = fopen(getenv("NVTX_HEARD"), "w");
      *functions[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)Push;
      return 1;
    }
"""

PROGRAM = """
    import jaxdali as dali
    from jaxdali import fn
    from jpeg_files import pillow_jpeg

    FILES = [pillow_jpeg(40 + k, 60, quality=80, mode="CMYK" if k == 3 else "RGB") for k in range(8)]

    def graph():
        files = fn.external_source(lambda info: FILES[info.idx_in_batch], batch=False)
        return fn.resize(fn.decoders.image(files, device="mixed"), size=(32, 32))

    if __name__ == "__main__":
        pipe = dali.pipeline_def(graph)(batch_size=8, device_id=0, seed=1)
        for _ in range(4):
            pipe.run()
        pipe.close()
"""


def test_the_engine_tells_what_it_does(tmp_path):
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    include = pathlib.Path(nvcc).resolve().parent.parent / "include"
    listener = tmp_path / "listener.c"
    listener.write_text(textwrap.dedent(LISTENER))
    library, heard, program = tmp_path / "liblistener.so", tmp_path / "heard", tmp_path / "program.py"
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{include}", str(listener), "-o", str(library)], check=True)
    program.write_text(textwrap.dedent(PROGRAM))
    support = str(pathlib.Path(__file__).parent.parent / "support")
    path = os.pathsep.join(filter(None, [support, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "NVTX_INJECTION64_PATH": str(library), "NVTX_HEARD": str(heard), "PYTHONPATH": path}
    subprocess.run([sys.executable, str(program)], env=environment, check=True, timeout=300)
    told = [line.split(maxsplit=1) for line in heard.read_text().splitlines()]
    images = {name: sum(int(count) for count, other in told if other == name) for _, name in told}
    # Every batch has one file that the host must decode.
    assert images["give to the decoder"] >= 32 and images["decode on the host"] >= 4
    assert images["wait for the device"] >= 28
