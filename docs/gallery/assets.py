"""The pictures of pages, and the files that their programs read. What was drawn is kept until something changes."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import multiprocessing
import pathlib
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import jax

from .example import Example, Group, Results
from .files import files, write_files
from .groups import GALLERIES, OPERATORS, examples_of
from .pictures import as_webp
from .running import inside, run

__all__ = ["assets", "check_results", "drawn", "picture_names", "pictures"]

ROOT = pathlib.Path(__file__).resolve().parents[2]
_KEPT = ROOT / "build/gallery"
# What results may depend on, beside the sources.
_LIBRARIES = ("jax", "jaxlib", "numpy", "pillow", "soundfile")


@functools.cache
def picture_names() -> dict[Example, tuple[str, str]]:
    """Returns the paths of the pictures before and after each example that has some, in the site."""
    found: dict[Example, tuple[str, str]] = {}
    for folder, groups in (
        ("operators", OPERATORS),
        *(("gallery", groups) for groups in GALLERIES.values()),
    ):
        for group in groups:
            for name, several in examples_of(group).items():
                for number, example in enumerate(several, 1):
                    if example.drawing is not None:
                        stem = f"{folder}/pictures/{name}-{number}"
                        found[example] = f"{stem}-before.webp", f"{stem}-after.webp"
    return found


def pictures() -> dict[str, bytes]:
    """Draws the pictures of all examples, in two processes, since programs are mostly compiled, by one thread each.

    Raises:
        ValueError: an example gives something else than its page says, or nothing is to be seen of what it does.
    """
    if (docs := str(ROOT / "docs")) not in sys.path:  # mkdocs takes away what its hooks have added
        sys.path.append(docs)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        return {path: data for part in pool.map(_pictures_of, range(len(_groups()))) for path, data in part.items()}


def _pictures_of(number: int) -> dict[str, bytes]:
    """Draws the pictures of a group: runs its examples beside their files."""
    jax.config.update("jax_disable_most_optimizations", True)  # what runs once is compiled for longer than it runs
    examples = [example for example in _groups()[number].examples if example in picture_names()]
    with tempfile.TemporaryDirectory() as folder, inside(pathlib.Path(folder)):
        write_files(pathlib.Path(folder))
        results = run(examples)
    return {path: data for example, result in results.items() for path, data in drawn(example, result).items()}


def _groups() -> list[Group]:
    return [*OPERATORS, *(group for several in GALLERIES.values() for group in several)]


def drawn(example: Example, result: Results) -> dict[str, bytes]:
    """Returns the pictures of an example that was run, by path in the site, if it has some. Raises as `pictures`."""
    check_results(example, [output.text for output in result.outputs])
    if example.drawing is None:
        return {}
    before, after = example.drawing(result)
    if before.size == after.size and before.tobytes() == after.tobytes():
        raise ValueError(f"nothing is to be seen of {example.name}: the pictures before and after are the same")
    return dict(zip(picture_names()[example], (as_webp(before), as_webp(after)), strict=True))


def check_results(example: Example, texts: Sequence[str]) -> None:
    """Raises ValueError if an example printed something else than its page says."""
    if not example.is_given(texts):
        raise ValueError(f"{example.name} gives {list(texts)}, and its page says {list(example.gives)}")


def assets() -> dict[str, bytes]:
    """Returns the pictures and the files, by path in the site."""
    kept = _KEPT / _key()
    names = picture_names()
    if not kept.is_dir():
        made_now = pictures()
        _KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_KEPT) as folder:
            made = pathlib.Path(folder, "made")
            for path, data in made_now.items():
                (made / path).parent.mkdir(parents=True, exist_ok=True)
                (made / path).write_bytes(data)
            made.rename(kept)
    shown = {f"operators/files/{name}": data for name, data in files().items() if "/" not in name}
    return shown | {path: (kept / path).read_bytes() for pair in names.values() for path in pair}


def _key() -> str:
    """Changes with what the pictures may depend on."""
    digest = hashlib.sha256()
    several = [
        *ROOT.glob("jaxdali/**/*.py"),
        *ROOT.glob("ffi/**/*.*"),
        *ROOT.glob("docs/gallery/**/*.py"),
    ]
    for path in sorted([*several, ROOT / "examples/make_images.py"]):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    digest.update(repr([importlib.metadata.version(name) for name in _LIBRARIES]).encode())
    return digest.hexdigest()[:16]
