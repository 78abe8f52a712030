"""The declarations of libnvcuvid's interface have the layouts of the header that NVIDIA gives out with an SDK."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess

import pytest

FFI = pathlib.Path(__file__).parents[2] / "ffi"
# For each structure its name there, and for members their names there; the others are declared, but not used.
STRUCTURES: dict[str, tuple[str, dict[str, str]]] = {
    "Caps": (
        "CUVIDDECODECAPS",
        {
            **{"codec": "eCodecType", "chroma": "eChromaFormat", "depth_minus_8": "nBitDepthMinus8"},
            **{"is_supported": "bIsSupported", "engines": "nNumNVDECs", "formats": "nOutputFormatMask"},
            **{"max_width": "nMaxWidth", "max_height": "nMaxHeight", "max_macroblocks": "nMaxMBCount"},
            **{"min_width": "nMinWidth", "min_height": "nMinHeight"},
        },
    ),
    "VideoFormat": (
        "CUVIDEOFORMAT",
        {
            **{"codec": "codec", "luma_depth_minus_8": "bit_depth_luma_minus8", "chroma": "chroma_format"},
            **{"chroma_depth_minus_8": "bit_depth_chroma_minus8", "least_surfaces": "min_num_decode_surfaces"},
            **{"coded_width": "coded_width", "coded_height": "coded_height", "left": "display_area.left"},
            **{"top": "display_area.top", "right": "display_area.right", "bottom": "display_area.bottom"},
        },
    ),
    "CreateInfo": (
        "CUVIDDECODECREATEINFO",
        {
            **{"width": "ulWidth", "height": "ulHeight", "surfaces": "ulNumDecodeSurfaces", "codec": "CodecType"},
            **{"chroma": "ChromaFormat", "flags": "ulCreationFlags", "depth_minus_8": "bitDepthMinus8"},
            **{"max_width": "ulMaxWidth", "max_height": "ulMaxHeight", "shown": "display_area", "lock": "vidLock"},
            **{"format": "OutputFormat", "deinterlacing": "DeinterlaceMode", "target_width": "ulTargetWidth"},
            **{"target_height": "ulTargetHeight", "output_surfaces": "ulNumOutputSurfaces", "target": "target_rect"},
        },
    ),
    "ReconfigureInfo": (
        "CUVIDRECONFIGUREDECODERINFO",
        {
            **{"width": "ulWidth", "height": "ulHeight", "target_width": "ulTargetWidth", "shown": "display_area"},
            **{"target_height": "ulTargetHeight", "surfaces": "ulNumDecodeSurfaces", "target": "target_rect"},
        },
    ),
    "Shown": (
        "CUVIDPARSERDISPINFO",
        {"index": "picture_index", "is_progressive": "progressive_frame", "timestamp": "timestamp"},
    ),
    "Processing": (
        "CUVIDPROCPARAMS",
        {"is_progressive": "progressive_frame", "top_field_first": "top_field_first", "stream": "output_stream"},
    ),
    "PictureStatus": ("CUVIDGETDECODESTATUS", {"status": "decodeStatus"}),
    "Packet": (
        "CUVIDSOURCEDATAPACKET",
        {"flags": "flags", "size": "payload_size", "data": "payload", "timestamp": "timestamp"},
    ),
    "ParserInfo": (
        "CUVIDPARSERPARAMS",
        {
            **{"codec": "CodecType", "surfaces": "ulMaxNumDecodeSurfaces", "error_threshold": "ulErrorThreshold"},
            **{"display_delay": "ulMaxDisplayDelay", "context": "pUserData", "on_sequence": "pfnSequenceCallback"},
            **{"on_picture": "pfnDecodePicture", "on_shown": "pfnDisplayPicture", "header": "pExtVideoInfo"},
        },
    ),
}
CONSTANTS = {
    **{"kH264": "cudaVideoCodec_H264", "kHevc": "cudaVideoCodec_HEVC", "k420": "cudaVideoChromaFormat_420"},
    **{"kNv12": "cudaVideoSurfaceFormat_NV12", "kWeave": "cudaVideoDeinterlaceMode_Weave"},
    **{"kPreferEngine": "cudaVideoCreate_PreferCUVID", "kEndOfStream": "CUVID_PKT_ENDOFSTREAM"},
    **{"kHasTimestamp": "CUVID_PKT_TIMESTAMP", "kEndOfPicture": "CUVID_PKT_ENDOFPICTURE"},
    **{"kInProgress": "cuvidDecodeStatus_InProgress", "kSuccess": "cuvidDecodeStatus_Success"},
}


def program() -> str:
    lines = [
        "#include <cstddef>",
        "#include <ffnvcodec/dynlink_cuda.h>",
        "#include <ffnvcodec/dynlink_nvcuvid.h>",
        '#include "gpu_video/nvcuvid_abi.h"',
        "namespace ours = jaxdali::gpu::nvcuvid;",
        "static_assert(offsetof(CUVIDPICPARAMS, CurrPicIdx) == offsetof(ours::Picture, index));",
    ]
    for mine, (theirs, members) in STRUCTURES.items():
        lines.append(f"static_assert(sizeof(ours::{mine}) == sizeof({theirs}));")
        lines += [
            f"static_assert(offsetof(ours::{mine}, {one}) == offsetof({theirs}, {other}));"
            for one, other in members.items()
        ]
    lines += [f"static_assert(int(ours::{mine}) == int({theirs}));" for mine, theirs in CONSTANTS.items()]
    return "\n".join(lines) + "\n"


def test_every_structure_of_ours_is_compared():
    declared = set(re.findall(r"^struct (\w+)", (FFI / "gpu_video/nvcuvid_abi.h").read_text(), re.MULTILINE))
    assert declared == {*STRUCTURES, "Area", "Picture"}


def test_layouts_are_those_of_nvidia_s_header(tmp_path):
    compiler = os.environ.get("CXX") or shutil.which("c++")
    header = subprocess.run(
        [str(compiler), "-E", "-x", "c++", "-"],
        input="#include <ffnvcodec/dynlink_nvcuvid.h>",
        capture_output=True,
        text=True,
        check=False,
    )
    if "fatal error" in header.stderr:
        pytest.skip("libffmpeg-nvenc-dev is not installed")
    source = tmp_path / "layouts.cc"
    source.write_text(program())
    command = [str(compiler), "-std=c++17", "-fsyntax-only", "-Wno-invalid-offsetof", "-I", str(FFI), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
