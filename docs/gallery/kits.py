"""What examples are given: lines of a program, which make inputs by name."""

from __future__ import annotations

import ast
import dataclasses

__all__ = [
    "ARRAYS",
    "CLIPS",
    "FILES",
    "MASKS",
    "NOTHING",
    "OBJECTS",
    "PHOTOS",
    "POLYGONS",
    "SOUNDS",
    "Kit",
]


@dataclasses.dataclass(frozen=True)
class Kit:
    """Lines that make inputs.

    Attributes:
        lines: statements, which use what earlier ones assign.
        in_pipeline: they are part of a pipeline's definition; False: they make arrays.
        drawn_files: the files that they read are those of `files.write_files`; False: examples read files of their own.
    """

    lines: tuple[str, ...]
    in_pipeline: bool = True
    drawn_files: bool = True

    def lines_for(self, names: set[str]) -> list[str]:
        """Returns the lines that make some inputs, in order."""
        found: list[str] = []
        wanted = set(names)
        for line in reversed(self.lines):
            used = {node.id: type(node.ctx) for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name)}
            if wanted & {name for name, kind in used.items() if kind is ast.Store}:
                found.insert(0, line)
                wanted |= {name for name, kind in used.items() if kind is ast.Load}
        return found


# Which pixels of a sensor are red, green and blue.
_BAYER = (
    "y, x = np.mgrid[0:240, 0:320]",
    "red, blue = (y % 2 == 0) & (x % 2 == 0), (y % 2 == 1) & (x % 2 == 1)",
    "bayer = np.stack([red, ~(red | blue), blue], axis=-1)",
)
NOTHING = Kit(())
FILES = Kit((), drawn_files=False)
PHOTOS = Kit(
    (
        'files, labels = fn.readers.file(files=["lake.jpg", "town.jpg"])',
        "images = fn.decoders.image(files)",
        "frames = fn.stack(images, fn.flip(images), axis_name='F')",
        *_BAYER,
        "mosaics = fn.cast(fn.reductions.sum(images * np.uint8(bayer), axes=[2]), dtype=types.UINT8)",
    )
)


def _coco(names: str, more: str = "") -> Kit:
    return Kit(
        (
            f"files, boxes, labels{names} = fn.readers.coco(\n"
            f'    file_root=".", annotations_file="objects.json", ltrb=True, ratio=True{more}\n)',
            "images = fn.decoders.image(files)",
        )
    )


OBJECTS = _coco("")
MASKS = _coco(", masks", ", pixelwise_masks=True")
POLYGONS = _coco(", polygons, vertices", ", polygon_masks=True")
SOUNDS = Kit(
    (
        'sounds, _ = fn.readers.file(files=["chirp.wav", "bell.wav"])',
        "signal, rate = fn.decoders.audio(sounds, downmix=True)",
        "spectrum = fn.spectrogram(signal, nfft=256, window_length=256, window_step=128)",
    )
)
CLIPS = Kit(('videos, _ = fn.readers.file(files=["boat.mp4", "boat.mp4"])',), drawn_files=False)
ARRAYS = Kit(
    (
        'paths = ["lake.jpg", "town.jpg"]',
        "images = np.stack([np.asarray(Image.open(path)) for path in paths])",
        "files = jaxdali.EncodedBatch.from_encoded([pathlib.Path(path).read_bytes() for path in paths])",
        "masks = np.stack([np.asarray(Image.open(path)) for path in ['lake.png', 'town.png']])[..., None]",
        'boxes = np.float32(json.loads(pathlib.Path("boxes.json").read_text()))',
        *_BAYER,
        "mosaics = np.sum(images * bayer, axis=-1, keepdims=True).astype(np.uint8)",
        "volumes = np.stack([images, images[:, :, ::-1]], axis=1)",
        "keys = jax.random.split(jax.random.key(7), 2)",
    ),
    in_pipeline=False,
)
