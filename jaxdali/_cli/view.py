"""`jaxdali view`: shows what a pipeline makes of the images of a folder or of shards, or a program, on one sheet."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from jaxdali.errors import ConfigError, DecodeError
from .find import PATHS, find_content
from .folder_images import check_can_write, damaged_images, name_damaged
from .image_inputs import Pictures
from .numbers import count_from
from .safe_text import shown
from .user_program import is_program
from .view_program import pixels_of, program_cells

if TYPE_CHECKING:
    from jaxdali._dali.pipeline.pipeline import Pipeline

__all__ = ["add_arguments", "run"]

_SIZE = 224
_BATCH = 32
# The limit on characters under a thumbnail.
_CAPTION = 32
_LARGEST_SEED = (1 << 64) - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help=f"{PATHS}; or program.py:name, a Loader or Pipeline in it"
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        default="sheet.png",
        help="the sheet; its ending says the format (default: %(default)s)",
    )
    parser.add_argument(
        "--augment",
        action=argparse.BooleanOptionalAction,
        help="random resized crops of 224 x 224, mirrored, with another contrast (the default); else the images as they are",
    )
    parser.add_argument(
        "--seed",
        type=count_from(0),
        help="of which images are taken, and of what is drawn (default: 0)",
    )
    parser.add_argument(
        "--count",
        type=count_from(1),
        default=24,
        help="thumbnails; with --augment images come again, drawn anew, where there are fewer (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Writes a contact sheet of what a pipeline makes of the images of a folder or of shards, or a program of its own."""
    _check_output(arguments.output)
    programs = [path for path in arguments.paths if is_program(path)]
    if programs and len(arguments.paths) > 1:
        raise ConfigError(
            f"{programs[0]} is one of {len(arguments.paths)} paths, but a program is shown alone; name only the program"
        )
    return _view_program(programs[0], arguments) if programs else _view_content(arguments)


def _check_output(output: str) -> None:
    from PIL import Image

    Image.init()
    ending = os.path.splitext(output)[1].lower()
    if Image.EXTENSION.get(ending) not in Image.SAVE:
        raise ConfigError(f"--output {output}: Pillow cannot write files that end in {ending!r}; try .png")


def _view_program(path: str, arguments: argparse.Namespace) -> int:
    from .sheet import ContactSheet

    given = [name for name in ("augment", "seed") if getattr(arguments, name) is not None]
    if given:
        raise ConfigError(f"--{given[0]} is for folders and shards; {path} sets it itself")
    check_can_write(arguments.output)
    kind, cells = program_cells(path, arguments.count)
    sheet = ContactSheet()
    for cell in cells:
        pixels = pixels_of(cell)
        caption = cell.caption if pixels is not None else f"{cell.caption}  {cell.instead}"
        sheet.add(_nothing() if pixels is None else pixels, _caption(caption))
    sheet.save(arguments.output)
    print(f"{shown(arguments.output)}: {len(cells)} thumbnails of batches of {shown(path)}, a {kind}", flush=True)
    return 0


def _view_content(arguments: argparse.Namespace) -> int:
    from .sheet import ContactSheet

    augment, seed = arguments.augment is not False, arguments.seed or 0
    if seed > _LARGEST_SEED:
        raise ConfigError(f"--seed {seed} is too large; at most {_LARGEST_SEED}")
    pictures = find_content(arguments.paths).pictures()
    check_can_write(arguments.output)
    count = arguments.count if augment else min(arguments.count, len(pictures))
    sheet, rows = ContactSheet(), []
    with _pipeline(pictures, augment, seed, min(count, _BATCH)) as pipe:
        while len(rows) < count:
            images, indices = pipe.run()
            for row in range(min(len(images), count - len(rows))):
                rows.append((int(indices.as_cpu().at(row)), images.as_cpu().at(row)))
    damaged = damaged_images(pictures, sorted({index for index, _ in rows}))
    for index, image in rows:
        status = damaged.get(index)
        if status is None:
            height, width, _ = image.shape
            sheet.add(image, f"{_caption(pictures.name(index))}  {width}x{height}")
        else:
            sheet.add(_nothing(), f"{_caption(pictures.name(index))}  {status.name}")
    sheet.save(arguments.output)
    distinct = len({index for index, _ in rows})
    print(f"{shown(arguments.output)}: {len(rows)} thumbnails of {distinct} of {len(pictures)} images", flush=True)
    if damaged:
        print(f"{len(damaged)} of them cannot be decoded:", file=sys.stderr)
        name_damaged(pictures, damaged)
    if len(damaged) == distinct:
        raise DecodeError("none of the images on the sheet can be decoded")
    return 0


class _Shuffled:
    """The files of images, and their indices, in an order that depends on the seed, over and over."""

    def __init__(self, pictures: Pictures, seed: int):
        self.pictures, self.seed = pictures, seed
        self._round, self._order = -1, []

    def __call__(self, info: Any) -> tuple[Any, Any]:
        import numpy as np

        index = self._index_at(info.idx_in_epoch)
        return np.frombuffer(self.pictures.read(index) or b"", np.uint8), np.int64(index)

    def source_info(self, position: int) -> str:
        """Returns the name of the image at a position, for warnings."""
        return shown(self.pictures.name(self._index_at(position)))

    def _index_at(self, position: int) -> int:
        import numpy as np

        number, place = divmod(position, len(self.pictures))
        if number != self._round:
            self._round, self._order = (
                number,
                np.random.default_rng((self.seed, number)).permutation(len(self.pictures)).tolist(),
            )
        return self._order[place]


def _pipeline(pictures: Pictures, augment: bool, seed: int, batch_size: int) -> Pipeline:
    from jaxdali import fn
    from jaxdali._dali.pipeline.pipeline_decorator import pipeline_def
    from jaxdali._device.ffi.plugin import plugin_major

    gpu = plugin_major() is not None

    @pipeline_def(batch_size=batch_size, device_id=0 if gpu else None, seed=seed, py_num_workers=2, on_error="zeros")
    def sheet() -> tuple[object, object]:
        files, indices = fn.external_source(source=_Shuffled(pictures, seed), num_outputs=2, batch=False, parallel=True)
        device = "mixed" if gpu else "cpu"
        if not augment:
            return fn.decoders.image(files, device=device), indices
        images = fn.decoders.image_random_crop(files, device=device)
        images = fn.flip(fn.resize(images, size=_SIZE), horizontal=fn.random.coin_flip())
        return fn.brightness_contrast(images, contrast=fn.random.uniform(range=(0.6, 1.4))), indices

    return sheet()


def _caption(name: str) -> str:
    name = shown(name)
    return name if len(name) <= _CAPTION else "..." + name[3 - _CAPTION :]


def _nothing() -> Any:
    import numpy as np

    return np.full((_SIZE, _SIZE, 3), 220, np.uint8)
