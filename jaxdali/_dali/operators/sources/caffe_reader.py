"""Reads images and labels from databases of Caffe and Caffe2."""

from __future__ import annotations

from jaxdali._feed.records.caffe import LABELS
from jaxdali._feed.source.lmdb import Caffe, Caffe2
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import FLAG, PATH, integer, several
from ..declaration import REQUIRED, Operator, Param, Static
from .reader_params import ACCEPTED, READING, SHARDING, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["caffe2_reader", "caffe_reader"]

# DALI's readers have no other order, and samples are not separate files.
_CUT = tuple(one for one in SHARDING if not one.name.startswith(("shuffle_after_epoch", "random_shuffle")))
_SHUFFLE = Static(
    "random_shuffle",
    FLAG,
    False,
    "read the samples of a shard in a different order each time, wherever they are stored. The order of the keys "
    "determines which samples belong to a shard",
)
_PATH = Static(
    "path",
    several(PATH),
    REQUIRED,
    "paths of LMDB databases: folders that contain a data.mdb, or such files, or URLs of either (URLs of files end "
    "with .mdb). No library is needed, and no process may write to the databases",
)
_IMAGE = Static("image_available", FLAG, True, "whether the samples have an image")
_WORDS = {
    "accepted": {**ACCEPTED, "lazy_init": "values are located when the operator is written"},
    "devices": ("cpu",),
    "raises": {
        "OSError": "a database cannot be read",
        "SourceDataError": "from `run`: a value is something else; names the file and the byte",
    },
    "describe": describe_reader,
}
_ORDER = f"""Samples come in the order of their keys.

    {READING}"""


def _caffe_params() -> tuple[Param, ...]:
    label = Static("label_available", FLAG, True, "whether the samples have a label")
    return (_PATH, _IMAGE, label, *_CUT, _SHUFFLE, *hints("of an image and of its label", None))


def _caffe(given: Params) -> ReaderSpec:
    data = Caffe(given["path"], given["image_available"], given["label_available"], **caching(given))
    return _spec("caffe", data, given)


def _caffe2(given: Params) -> ReaderSpec:
    names = ("image_available", "label_type", "num_labels", "additional_inputs", "bbox")
    data = Caffe2(given["path"], *(given[name] for name in names), **caching(given))
    return _spec("caffe2", data, given)


def _spec(name: str, data: Caffe | Caffe2, given: Params) -> ReaderSpec:
    others = {"shuffle_after_epoch": False, "shuffle_after_epoch_seed": None}
    return reader_spec(name, data, {**others, **given}, outputs=len(data.names))


def _number(count: int) -> int | None:
    if not count:
        raise ConfigError("the reader has no outputs; ask for an image, a label, or another one")
    return count if count > 1 else None


caffe_reader = declare(
    Operator(
        name="readers.caffe",
        doc=f"""Reads images and labels from Caffe's databases, forever; DALI's `fn.readers.caffe`.

    {_ORDER}""",
        params=_caffe_params(),
        outputs=lambda given: _number(given["image_available"] + given["label_available"]),
        returns="Nodes: the bytes of the images, `uint8[size]`, or where these are raw pixels `uint8[height, width, "
        "channels]`; and the labels, `int32[1]`.",
        source=_caffe,
        **_WORDS,
    )
)
caffe2_reader = declare(
    Operator(
        name="readers.caffe2",
        doc=f"""Reads images, and what is beside them, from Caffe2's databases, forever; DALI's `fn.readers.caffe2`.

    {_ORDER}""",
        params=(
            _PATH,
            _IMAGE,
            Static(
                "label_type",
                integer(LABELS[0], LABELS[-1]),
                0,
                "0: a number; 1: indices that are set to 1 in a vector of `num_labels`, where DALI 2.4 fails; 2: any "
                "numbers; 3: indices and weights that form such a vector; 4: no label",
            ),
            Static("num_labels", integer(1, 1 << 24), 1, "length of the label vector with `label_type` 1 and 3"),
            Static("additional_inputs", integer(0, 64), 0, "number of tensors that follow the label"),
            Static("bbox", FLAG, False, "whether a box follows these tensors"),
            *_CUT,
            _SHUFFLE,
            *hints("one number per output", None),
        ),
        outputs=lambda given: _number(
            given["image_available"] + (given["label_type"] != LABELS[-1]) + given["additional_inputs"] + given["bbox"]
        ),
        returns="Nodes: the bytes of the images, `uint8[size]`, or raw pixels, `uint8[height, width, channels]`; the "
        "labels, `int32[1]` or `float32[1]`, `[n]` or `[num_labels]`; of each additional input `int32[n]` or "
        "`float32[n]`; the boxes, `int32[4]`.",
        source=_caffe2,
        **_WORDS,
    )
)
