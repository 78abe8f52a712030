"""Checks what the documents refer to: their links lead somewhere, and their programs run."""

from __future__ import annotations

import ast
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import guide_tables
import house_rules
import page_checks
import peer_tables
import pytest
from import_graph import parsed
from PIL import Image
from processes import compile_flags
from test_operations_pages import PROGRAMS

from jaxdali._base.documentation import page_url

sys.path.insert(0, str(house_rules.ROOT / "examples"))

import make_images

# Pages of the site that are no files, by their beginnings: docs/site/hooks.py makes them; `make docs` checks their links.
GENERATED = ("docs/api/", "docs/examples/", "docs/gallery/", "docs/names.md", "docs/operators/")
_FOUND = [*house_rules.ROOT.glob("*.md"), *house_rules.ROOT.glob("docs/**/*.md")]
PAGES = [p for p in _FOUND if p.is_file()]


def generated(page: pathlib.Path) -> bool:
    path = pathlib.Path(os.path.normpath(page))
    return path.relative_to(house_rules.ROOT).as_posix().startswith(GENERATED)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        there = page.parent / target
        assert target.startswith("http") or generated(there) or there.exists(), target


def anchors(page: pathlib.Path) -> set[str]:
    """The anchors of a page's headings, as Markdown's programs make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_anchors_are_headings(page):
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text()):
        there = page.parent / target if target else page
        assert generated(there) or anchor in anchors(there), f"{target}#{anchor}"


def texts_of(tree: ast.Module) -> list[str]:
    """What a file may show to users: its strings, but for the docstring of the module."""
    own = ast.get_docstring(tree, clean=False)
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [text for text in strings if text != own]


NAMES_A_FILE = re.compile(r"\bdocs/|\b[A-Za-z_]+\.md\b")


def test_no_message_names_a_page_that_a_wheel_lacks():
    """They call `page_url`. Strings of the native code are looked through, too."""
    native = [path for path in (house_rules.ROOT / "ffi").rglob("*.*") if path.suffix in (".cc", ".h", ".cu")]
    found = [
        f"{path}: {text}"
        for path in native
        for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text())
        if NAMES_A_FILE.search(text)
    ]
    for path in (house_rules.ROOT / "jaxdali").rglob("*.py*"):
        if path.suffix in (".py", ".pyi"):
            found += [f"{path}: {text}" for text in texts_of(parsed(path.read_text())) if NAMES_A_FILE.search(text)]
    assert found == []
    assert NAMES_A_FILE.search("see docs/names.md") and NAMES_A_FILE.search("SECURITY.md has") and native


def test_addresses_in_messages_are_those_of_pages():
    called = [
        tuple(ast.literal_eval(argument) for argument in node.args)
        for path in (house_rules.ROOT / "jaxdali").rglob("*.py")
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "page_url"
    ]
    assert {("names",), ("versions", "what-is-saved"), ("pipelines", "files-in-buckets")} <= {*called}
    for page, *section in called:
        path = house_rules.ROOT / "docs" / f"{page}.md"
        assert generated(path) or (path.is_file() and {*section} <= anchors(path)), (page, section)
    project = tomllib.loads((house_rules.ROOT / "pyproject.toml").read_text())["project"]
    site = page_url("").rstrip("/")
    for url in project["urls"].values():
        page = url.removeprefix(site).strip("/")
        assert url.startswith(site) and url.endswith("/")
        assert page in ("", "changelog") or (house_rules.ROOT / "docs" / f"{page}.md").is_file()


def test_each_release_says_what_is_new_changed_deprecated_and_fixed():
    _, *releases = re.split(r"^## .*$", (house_rules.ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    for release in releases:
        assert re.findall(r"^### (.*)$", release, re.MULTILINE) == ["New", "Changed", "Deprecated", "Fixed"]


def test_what_is_said_of_security_is_tested():
    text = (house_rules.ROOT / "SECURITY.md").read_text()
    _, anybody, care, trusted = re.split(r"^## (?!How).*$", text, flags=re.MULTILINE)
    rows = re.findall(r"^\| (?!what|---).*$", anybody, re.MULTILINE)
    assert len(rows) > 6 and all("](tests/" in row or "](ffi/tests/" in row for row in rows)
    assert care.count("](tests/") >= 3 and trusted.count("](tests/") >= 3


# By page, and by the program's number in it: a check to run after it. A page's programs run as one.
CHECKS = {
    "docs/pipelines.md": {
        2: "assert resized.shape() == [(224, 224, 3)] * 8\n",
        3: "assert batch['images'].shape == (8, 3, 224, 224)\n",
        4: "assert len(batches) == 24 // (8 * len(jax.devices())) + bool(24 % (8 * len(jax.devices())))\n",
        5: "assert batch['images'].shape == (8, 3, 224, 224)\n",
        6: "assert images.shape() == [(224, 224, 3)] * 8 and len(set(numpy.ravel(labels.as_array()))) > 1\n",
    },
    "docs/loader.md": {
        0: "assert step == 5, step\n",
        1: "assert loader.step == 2 * 3 and batch['x'].shape == (8, 64, 64, 3)\n",
        2: "assert len(mixed) == 120 and batch['noise'].shape == (8, 3), batch\n",
        3: "assert jaxdali.Loader(counted, batch_size=8).steps_per_epoch == 3\n",
        4: "assert batch['y'].shape == (8, 10) and (batch['y'] > 0).sum() > 8\n",
        5: "assert batch['state'].max() == 1 and len(buffer) == 4\n",
        6: "assert batch['input_features'].shape == (4, 80, 300) and batch['labels'][3, 9:].tolist() == [-100] * 7\n",
        7: "assert pixels.shape == (4, 1024, 1024, 3)\n",
    },
    "docs/image_recipes.md": {
        # Of torchvision's own order of operations, with its words: int() and round() of Python.
        0: """
def torchvisions(file):
    picture = Image.open(io.BytesIO(file)).convert("RGB")
    w, h = picture.size
    short, long = (w, h) if w <= h else (h, w)
    new_short, new_long = 256, int(256 * long / short)
    picture = picture.resize((new_short, new_long) if w <= h else (new_long, new_short), Image.BILINEAR)
    w, h = picture.size
    top, left = int(round((h - 224) / 2.0)), int(round((w - 224) / 2.0))
    return np.asarray(picture.crop((left, top, left + 224, top + 224)))


def in_size(index, size):
    file = io.BytesIO()
    Image.open(io.BytesIO(data[index % len(data)]["image"])).resize(size).save(file, "JPEG", quality=95)
    return file.getvalue()


sizes = [(400, 300), (333, 500), (257, 256), (256, 259), (301, 299), (230, 641), (700, 231), (224, 226)]
odd = [in_size(k, size) for k, size in enumerate(sizes)]
found = np.asarray(evaluation_pixels(jaxdali.EncodedBatch.from_encoded(odd))).astype(int)
levels = np.stack([torchvisions(file) for file in odd])
assert abs(found - levels).max() == 1, abs(found - levels).max()
files = image.open(jaxdali.EncodedBatch.from_encoded(odd))
moved = np.asarray(files.resize(resize_shorter=256).center_crop(224, 224).array())
assert abs(moved.astype(int) - levels).max(axis=(1, 2, 3)).max() > 1
assert int(loader.mask(2).sum()) == len(data) - 16 == int(batch["mask"].sum())
""",
        1: """
for file, expected in zip(odd, levels, strict=True):
    np.testing.assert_array_equal(as_torchvision({"image": file, "label": 0})["pixels"], expected)
assert batch["x"].shape == (8, 224, 224, 3)
""",
        2: "assert batch['x'].shape == (2, 4, 112, 112, 3)\n",
        3: """
assert rows["x"].shape == (16, 64, 64, 3) and rows["y"].tolist() == np.repeat(batch["y"][:, 0], 4).tolist()
assert all(len({view.tobytes() for view in np.asarray(sample)}) == VIEWS for sample in batch["x"])
""",
        4: "assert batch['present'].sum(axis=1).tolist() == [2, 3, 1, 2] and batch['text'][3] == 'product 7'\n",
        5: "assert batch['x'].shape == (8, 224, 224, 3) and len(set(batch['y'].tolist())) > 1\n",
        # A scan's level is the sum of its place's coordinates, so any voxel of the grid says where it is, but at the edges.
        6: """
for x, grid in zip(np.asarray(batch["x"]), np.asarray(batch["affine"]), strict=True):
    place = np.indices(GRID).reshape(3, -1).T @ grid[:3, :3].T + grid[:3, 3]
    inside = np.abs(x.ravel() - place.sum(axis=1)) < 0.01
    assert inside.reshape(GRID)[13:19, 17:23, 17:23].all()
""",
        7: """
assert batch["cross_attention"].shape == (4, 16, 64) and packed[0]["targets_segment_ids"].max() > 1
for nodes, edges, of_edge, of_node in zip(*(row[k] for k in ("nodes", "edges", "edges_segment_ids", "nodes_segment_ids"))):
    assert (np.asarray(of_node)[np.asarray(edges)] == np.asarray(of_edge)[:, None])[np.asarray(of_edge) > 0].all()
""",
    },
    "docs/schedules.md": {
        0: "assert step == 119 and 0.25 < float(batch['hidden'].mean()) < 0.4\n",
        1: "assert hard_ones == [0, 16, 32, 48, 64, 64]\n",
        2: "assert loader.step == 5 and batch['x'].shape == (8, 64, 64, 3)\n",
        3: "assert step == 12 and batch['x'].shape == (16, 16)\n",
        4: (
            "whole = jax.grad(lambda w: loss(w, batch)[0])(w) / batch['mask'].sum()\n"
            "numpy.testing.assert_allclose(gradient(w, batch), whole, atol=1e-6)\n"
            "assert float(batch['mask'].sum()) == 16 and len(batch['x'].sharding.device_set) == 2\n"
        ),
        5: "assert right == int((numpy.argmax(X[:, :4], 1) == numpy.arange(96) % 4).sum())\n",
        6: "assert replay.added == 7 and float(batch['state'].max()) >= 1\n",
    },
    "docs/samplers.md": {
        0: "assert len(loader) == 3 * 2 and batch.shape == (2, 4, 6, 8, 3)\n",
        1: "assert len(seen) == 48 and all(len(one) == 1 for one in seen) and seen[:4] == 4 * [seen[0]]\n",
        2: (
            "assert loader.steps_per_epoch == 2\n"
            "assert all(len(set(one.tolist())) == 1 for one in of_each['client'])\n"
            "assert (client[numpy.asarray(of_each['x'])] == numpy.asarray(of_each['client'])).all()\n"
        ),
        3: "assert len(drawn) == 480 and 130 < np.bincount(drawn).min() and np.bincount(drawn).max() < 190\n",
        4: (
            "assert len(members) == 6 and loader.steps_per_epoch == sum(poisson.steps) > 6\n"
            "for k, one in enumerate(members):\n"
            "    drawn = numpy.random.default_rng([0, k]).random(500) < 0.05\n"
            "    assert one == numpy.flatnonzero(drawn).tolist(), (k, one)\n"
        ),
        5: "assert smallest == [30, 20, 10, 0]\n",
    },
}
COUNTS = {
    "docs/pipelines.md": 7,
    "docs/loader.md": 8,
    "docs/image_recipes.md": 8,
    "docs/schedules.md": 7,
    "docs/samplers.md": 6,
}

GIVEN = """
import numpy
state = None
def train_step(state, *batch): return state if len(batch) == 2 else (state, {})
frames, stream = numpy.zeros((8, 48, 64, 3), numpy.uint8), None
"""


@pytest.mark.parametrize("page", CHECKS)
def test_the_programs_of_a_page_run(page, tmp_path):
    make_images.make_images(tmp_path / "train")
    for video, count in enumerate((4, 9, 5, 12)):
        folder = tmp_path / "videos" / f"{video}"
        folder.mkdir(parents=True)
        for frame in range(count):
            Image.new("RGB", (8, 6), (video, frame, 0)).save(folder / f"{frame:02}.png")
    blocks = re.findall(r"```python\n(.*?)```", (house_rules.ROOT / page).read_text(), re.DOTALL)
    assert len(blocks) == COUNTS[page]
    programs = [block.replace("epochs=90", "epochs=2") + CHECKS[page].get(i, "") for i, block in enumerate(blocks)]
    path = tmp_path / "programs.py"
    path.write_text(GIVEN + "\n".join(programs))
    command = [sys.executable, "-W", "error", str(path)]
    # On the suite's eight devices, the same programs would be compiled for each of them.
    environment = {**os.environ, "XLA_FLAGS": f"{compile_flags()} --xla_force_host_platform_device_count=2"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr


def test_the_programs_of_the_readme_are_those_of_the_pages():
    """They are the same except for imports, so they are tested, and nothing is compiled twice."""
    pages = "".join((house_rules.ROOT / page).read_text() for page in CHECKS)
    blocks = re.findall(r"```python\n(.*?)```", (house_rules.ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert block[re.search(r"^(?!import |from |\n)", block, re.MULTILINE).start() :] in pages


def test_every_page_with_programs_is_run():
    pages = {str(p.relative_to(house_rules.ROOT)) for p in PAGES if "```python" in p.read_text()}
    elsewhere = {*page_checks.CHECKS, *guide_tables.PAGES, *peer_tables.PAGES, "guides/dali.md"}
    # tests/loader/test_metrics.py runs those of docs/metrics.md.
    assert pages == {*CHECKS, *PROGRAMS, "README.md", "docs/metrics.md", *(f"docs/{page}" for page in elsewhere)}
