"""Checks the house rules of native code: which folder of ffi/ includes which. The tables are in native_rules.py."""

from __future__ import annotations

import import_graph
import native_rules as rules
import pytest
from house_rules import ROOT

FFI = ROOT / "ffi"
SOURCES = {
    path.relative_to(FFI).as_posix(): path.read_text()
    for path in sorted(FFI.rglob("*"))
    if path.suffix in (".cc", ".h", ".cu")
}
DESIGN = (ROOT / "docs/design.md").read_text()


def including(*names: str) -> str:
    return "".join(f'#include "{name}"\n' for name in names)


def test_includes_point_down():
    assert rules.include_faults(SOURCES) == []


@pytest.mark.parametrize(
    ("path", "text", "word"),
    [
        ("base/a.h", including("rows/rows.h"), "base may not include rows"),
        ("rows/a.h", including("rows/rows.h", "engine/engine.h"), "rows may not include engine"),
        ("bindings/host/a.cc", including("calls/warp/operands.h"), "bindings/host may not include calls"),
        ("calls/images/tiles/a.h", including("imaging/store.h"), "calls/images/tiles may not include imaging"),
        ("calls/levels/a.h", including("calls/warp/warping.h"), "of another call"),
        ("calls/warp/a.h", including("calls/images/tiles/tile.h"), "of another call"),
        ("imaging/a.cc", including("imaging/absent.h"), "is not there"),
        ("imaging/a.cc", including("xla/ffi/api/ffi.h"), "imaging knows nothing of xla/"),
        ("rows/a.h", "#include <jpeglib.h>\n", "rows knows nothing of jpeglib.h"),
        ("ring/a.cc", "#include <cuda_runtime_api.h>\n", "ring knows nothing of cuda_runtime_api.h"),
        ("decode/a.cc", "", "no line in MAY_INCLUDE"),
        ("a.cc", "", "no line in MAY_INCLUDE"),
    ],
)
def test_an_include_that_points_up_is_found(path, text, word):
    (fault,) = rules.include_faults({**SOURCES, path: text})
    assert path in fault and word in fault


def test_an_include_that_points_down_is_none_to_find():
    good = (
        including("base/memory.h", "rows/rows.h", "calls/warp/warping.h", "xla/ffi/api/ffi.h") + "#include <vector>\n"
    )
    assert rules.include_faults({**SOURCES, "calls/warp/a.cc": good}) == []


def test_every_arrow_is_used_and_none_leads_back():
    granted = {(room, other) for room, others in rules.MAY_INCLUDE.items() for other in others}
    assert granted == rules.drawn_arrows(SOURCES), "take out of MAY_INCLUDE what no file includes any more"
    assert import_graph.circles(rules.MAY_INCLUDE) == []


def test_every_library_is_known_where_the_rules_say():
    granted = {(begin, room) for begin, rooms in rules.MAY_KNOW.items() for room in rooms}
    assert granted == rules.known_others(SOURCES), "take out of MAY_KNOW what no file includes any more"


def test_files_include_each_other_in_no_circle():
    assert import_graph.circles(rules.arrows(SOURCES)) == []
    circle = {"ring/a.h": including("ring/b.h"), "ring/b.h": including("c.h"), "ring/c.h": including("ring/a.h")}
    assert import_graph.circles(rules.arrows({**SOURCES, **circle})) == [("ring/a.h", "ring/b.h", "ring/c.h")]


def test_the_drawing_is_that_of_the_rules():
    assert rules.drawing_faults(DESIGN) == []
    turned = DESIGN.replace("engine gpu_decoding", "gpu_decoding engine")
    assert rules.drawing_faults(turned) == ["engine includes gpu_decoding, which is above it or left of it"]
    less = DESIGN.replace("engine gpu_decoding", "engine")
    assert rules.drawing_faults(less) == ["gpu_decoding is in one of drawing and rules only"]
