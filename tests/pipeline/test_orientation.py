"""`adjust_orientation=False`: images are decoded as stored, whatever EXIF says."""

import io

import numpy as np
import pytest
from jpeg_files import pillow_jpeg
from PIL import Image

import jaxdali as dali
from jaxdali import GraphError, fn

EXIF_ORIENTATION = 0x0112


def turned_png(orientation):
    pixels = np.random.default_rng(orientation).integers(0, 256, (20, 30, 3), np.uint8)
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = orientation
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", exif=exif)
    return file.getvalue()


# The first eight have the same size as stored, but not with EXIF's orientation.
FILES = [pillow_jpeg(20, 30, orientation=1 + k) for k in range(8)] + [turned_png(6), turned_png(2)]


def stored(file):
    with Image.open(io.BytesIO(file)) as image:
        return np.asarray(image.convert("RGB"))


def pipeline(draw, **options):
    def source(info):
        return np.frombuffer(FILES[info.idx_in_epoch % len(FILES)], np.uint8)

    pipe = dali.Pipeline(batch_size=len(FILES), **options)
    with pipe:
        made = draw(fn.external_source(source, batch=False))
        pipe.set_outputs(*made if isinstance(made, tuple) else (made,))
    return pipe


def test_images_are_as_they_are_stored():
    def draw(files):
        images = fn.decoders.image(files, adjust_orientation=False)
        shapes = fn.peek_image_shape(files, adjust_orientation=False)
        return images, shapes, fn.crop(images, crop=(20, 12), crop_pos_x=0.0)

    with pipeline(draw) as pipe:
        images, shapes, left = pipe.run()
    for number, file in enumerate(FILES):
        np.testing.assert_array_equal(images.at(number), stored(file))
        assert shapes.at(number).tolist() == [20, 30, 3]
        np.testing.assert_array_equal(left.at(number), stored(file)[:, :12])


def test_by_default_they_are_turned():
    with pipeline(fn.decoders.image) as pipe:
        (images,) = pipe.run()
    assert [images.at(number).shape[:2] for number in range(10)] == [(20, 30)] * 4 + [(30, 20)] * 5 + [(20, 30)]


@pytest.mark.parametrize("other", [fn.decoders.image, fn.peek_image_shape])
def test_who_reads_the_same_files_has_to_agree(other):
    with (
        pipeline(lambda files: (fn.decoders.image(files, adjust_orientation=False), other(files))) as pipe,
        pytest.raises(GraphError, match="adjust_orientation=True; give both the same, or have the source return the"),
    ):
        pipe.build()


def test_a_reader_s_files_in_worker_processes(tmp_path):
    names = []
    for number in (5, 8):
        names.append(str(tmp_path / f"{number}.{'png' if number == 8 else 'jpg'}"))
        (tmp_path / names[-1]).write_bytes(FILES[number])
    pipe = dali.Pipeline(batch_size=2)
    with pipe:
        files, _ = fn.readers.file(files=names)
        pipe.set_outputs(fn.decoders.image(files, adjust_orientation=False))
    with pipe:
        (images,) = pipe.run()
    for at, number in enumerate((5, 8)):
        np.testing.assert_array_equal(images.at(at), stored(FILES[number]))
