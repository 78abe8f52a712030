"""What a Loader tells a GPU's engine before its first batch follows from what `augment` decodes with."""

import jax
import pytest
from front_sources import Folder

from jaxdali import Loader, image
from jaxdali._device.image import decoding_log
from jaxdali._run.executor.decode_ahead.decode_depth import steps_ahead


def decoded(batch, keys):
    return image.decode(batch["image"], canvas=(64, 70), decoder="gpu")


def resampled(batch, keys):
    return image.decode_resample(batch["image"], None, (8, 8), decoder="hybrid", jpeg_fancy_upsampling=False)


def opened(batch, keys):
    files = image.open(batch["image"], decoder="hardware")
    return files.resize(size=(8, 8)).array(), image.decode(batch["image"], canvas=(64, 70), decoder="cpu")


def jitted(batch, keys):
    return jax.jit(lambda files: image.decode(files, canvas=(64, 70), decoder="gpu"))(batch["image"])


@pytest.mark.parametrize(
    ("augment", "decoders", "steps"),
    [
        (decoded, {"gpu"}, 48),
        (resampled, {"hybrid"}, 4),
        (opened, {"hardware", "cpu"}, 4),
        (jitted, {"gpu"}, 48),
        (lambda batch, keys: batch["label"], {"cuda"}, 6),
        (None, {"cuda"}, 6),
    ],
)
def test_decoders_are_seen_in_what_augment_does(augment, decoders, steps):
    with Loader(Folder(), augment, batch_size=4, workers=0) as loader:
        found = loader._step_runner._builder.decoders
    assert found == decoders
    assert steps_ahead(None, 256, found) == steps


def test_nobody_notes_what_others_decode():
    with decoding_log.logged_decodings() as outer:
        with decoding_log.logged_decodings() as inner:
            decoding_log.log_decoding(1, True)
        decoding_log.log_decoding(2, False)
    decoding_log.log_decoding(3, True)
    assert (list(outer), list(inner)) == ([(2, False)], [(1, True)])
