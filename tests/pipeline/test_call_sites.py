"""Errors at build and at run name the line where the operator concerned was written."""

import inspect

import front_sources
import numpy as np
import pytest

from jaxdali import DecodeError, GraphError, Pipeline, SourceDataError, fn, math


def line():
    """Returns the caller's line, as errors name it."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return f"{__file__}:{frame.f_back.f_lineno}"


def said(error):
    return "\n".join([str(error), *getattr(error, "__notes__", ())])


def failing(draw, kind, batch_size=2, **options):
    """Returns the error of a graph's run; `draw` returns outputs and a line. Runs twice: errors are raised again."""
    pipe = Pipeline(batch_size=batch_size, py_num_workers=0, **options)
    with pipe:
        outputs, site = draw()
        pipe.set_outputs(*outputs)
    with pipe:
        for _ in range(2):
            with pytest.raises(kind) as caught:
                pipe.run()
    assert said(caught.value).count(site) == 1, said(caught.value)
    return said(caught.value)


def test_of_what_is_found_while_it_is_traced():
    def draw():
        node = fn.external_source(lambda: np.zeros((2, 3), np.uint8), batch=True)
        return [fn.resize(math.sqrt(node), size=8)], line()

    assert "fn.resize (__Resize_2), defined at" in failing(draw, GraphError)


def test_of_what_is_found_in_the_data():
    images = [np.zeros((4, 4, 3), np.uint8), np.zeros((5, 4, 1), np.uint8)]

    def draw():
        node = fn.external_source(lambda: images, batch=True)
        return [fn.resize(node, size=3)], line()

    assert "fn.resize (" in failing(draw, SourceDataError)


def test_of_a_condition_of_a_chain_behind_a_decoder():
    def draw():
        node = fn.external_source(lambda: [front_sources.file(k) for k in range(2)], batch=True)
        images = fn.decoders.image(node)
        return [fn.crop(images, crop=(10000, 10000))], line()

    assert "fn.crop (" in failing(draw, SourceDataError)


def test_of_a_source_that_gives_no_sample():
    def draw():
        return [fn.external_source(lambda: "no batch", batch=True)], line()

    assert "fn.external_source (__ExternalSource_0), defined at" in failing(draw, SourceDataError)


def test_of_a_reader_whose_file_is_gone(tmp_path):
    gone = tmp_path / "a.jpg"
    gone.write_bytes(b"x")

    def draw():
        outputs, site = fn.readers.file(files=[str(gone)], name="files"), line()
        gone.unlink()
        return outputs, site

    assert "fn.readers.file (files), defined at" in failing(draw, FileNotFoundError)


def test_of_a_file_that_cannot_be_decoded():
    def draw():
        node = fn.external_source(lambda: [np.full(50, 9, np.uint8)] * 2, batch=True)
        return [fn.decoders.image(node)], line()

    assert "fn.decoders.image (" in failing(draw, DecodeError)


def test_of_what_is_found_when_it_is_built():
    def draw():
        node = fn.external_source(lambda: [front_sources.file(0)] * 2, batch=True)
        images = fn.decoders.image(node, adjust_orientation=False)
        shapes, site = fn.peek_image_shape(node), line()
        return [images, shapes], site

    assert "is decoded with adjust_orientation=False and read by" in failing(draw, GraphError)
