"""Programs that both systems refuse when they are defined or run, with the errors that they raise.

Each takes the package, `nvidia.dali` or `jaxdali`, and returns its pipeline, if it gets that far.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from beside_dali import BATCH, Program, counted, folder, graph, images, pipeline

from jaxdali import ConfigError, GraphError, SourceDataError

# The type of an error, and words of its message.
Error = tuple[type[Exception], str]

# By name: the program, the error that DALI raises, and the one that jaxdali raises.
WRONG: dict[str, tuple[Program, Error, Error]] = {}


def wrong(theirs: Error, ours: Error, **programs: Program) -> None:
    WRONG.update({name: (program, theirs, ours) for name, program in programs.items()})


def returned(value: Any) -> Program:
    return graph(lambda dali: (number(dali), value))


def number(dali: Any) -> Any:
    return dali.fn.external_source(counted())


def image(dali: Any) -> Any:
    return dali.fn.external_source(images(), layout="HWC")


def named(dali: Any) -> Any:
    return dali.fn.external_source(images(), layout="HWC", name="x")


def reader(dali: Any) -> Any:
    return dali.fn.readers.file(file_root=folder(), name="files")


def no_outputs(dali: Any) -> Any:
    pipe = pipeline(dali)
    with pipe:
        number(dali)
    return pipe


def outputs_of_nothing(dali: Any) -> Any:
    pipe = pipeline(dali)
    pipe.set_outputs()
    return pipe


def preserved_outside_of_any_pipeline(dali: Any) -> Any:
    pipe = pipeline(dali)
    pipe.set_outputs(dali.fn.random.uniform(preserve=True))
    return pipe


def data_for_a_node_of_nobody(dali: Any) -> Any:
    pipe = pipeline(dali, prefetch_queue_depth=1)
    with pipe:
        pipe.set_outputs(dali.fn.external_source(name="x"))
    pipe.feed_input("y", [np.int32(1)] * BATCH)
    return pipe


def meta_of_an_unused_reader(dali: Any) -> Any:
    pipe = pipeline(dali)
    with pipe:
        dali.fn.readers.file(file_root=folder(), name="files")
        pipe.set_outputs(number(dali))
    pipe.reader_meta("files")
    return pipe


wrong(
    (NotImplementedError, "^$"),
    (ConfigError, "no outputs|returned nothing"),
    no_outputs=no_outputs,
    outputs_of_nothing=outputs_of_nothing,
    a_function_that_returns_nothing=graph(lambda dali: None),
    a_function_that_returns_an_empty_tuple=graph(lambda dali: ()),
)
wrong(
    (TypeError, "Illegal output type. The output 1 is a"),
    (GraphError, "output 1 of the pipeline is a"),
    text_as_an_output=returned("text"),
    none_as_an_output=returned(None),
    a_dictionary_as_an_output=returned({"image": 1}),
    a_complex_number_as_an_output=returned(1j),
)
wrong(
    (TypeError, "when calling operator `nvidia.dali.fn.flip`: expected inputs of type 'DataNode'"),
    (GraphError, "fn.flip works on DataNodes, got"),
    a_tuple_as_an_input=graph(lambda dali: dali.fn.flip((image(dali),))),
    a_number_in_a_list_as_an_input=graph(lambda dali: dali.fn.flip([image(dali), 3])[0]),
    none_as_an_input=graph(lambda dali: dali.fn.flip(None)),
    text_as_an_input=graph(lambda dali: dali.fn.flip("text")),
)
wrong(
    (TypeError, "nested `DataNode`|Expected scalar value of type"),
    (TypeError, "Argument to arithmetic operation not supported"),
    a_list_of_nodes_in_a_product=graph(lambda dali: number(dali) * [number(dali)]),
    text_in_a_sum=graph(lambda dali: number(dali) + "text"),
    none_in_a_sum=graph(lambda dali: number(dali) + None),
    a_complex_number_in_a_sum=graph(lambda dali: number(dali) + 1j),
)
wrong(
    (TypeError, "used in conditional context"),
    (TypeError, "asks whether DataNode.* is true"),
    a_decision=graph(lambda dali: 1 if number(dali) else 2),
    a_decision_about_comparisons=graph(lambda dali: 0 < number(dali) < 2),
    a_denial=graph(lambda dali: not number(dali)),
)
wrong(
    (TypeError, "are not iterable"),
    (TypeError, "iterable"),
    a_node_that_is_unpacked=graph(lambda dali: (*number(dali),)),
    a_list_of_a_node=graph(lambda dali: list(number(dali))),
)
wrong(
    (TypeError, "argument must be|has no len"),
    (TypeError, "has no numbers|has no len"),
    the_length_of_a_node=graph(lambda dali: len(number(dali))),
    a_node_as_a_python_number=graph(lambda dali: float(number(dali))),
)
wrong(
    (TypeError, "Invalid type for an index"),
    (TypeError, "Invalid type for an index"),
    text_as_a_subscript=graph(lambda dali: image(dali)["text"]),
    a_fraction_as_a_subscript=graph(lambda dali: image(dali)[1.5]),
)
wrong(
    (RuntimeError, "operators with non-unique names"),
    (GraphError, "the name '(x|files)' is used twice"),
    one_name_for_two_sources=graph(lambda dali: (named(dali), named(dali))),
    one_name_for_a_source_and_an_operator=graph(lambda dali: dali.fn.flip(named(dali), name="x")),
    one_name_for_two_readers=graph(lambda dali: (reader(dali)[1], reader(dali)[1])),
)
wrong(
    (RuntimeError, "Current Pipeline not set"),
    (GraphError, "preserve"),
    preserved_outside_of_any_pipeline=preserved_outside_of_any_pipeline,
)
wrong(
    (RuntimeError, "not found or does not expose valid metadata"),
    (ConfigError, "not found or does not expose valid metadata"),
    meta_of_an_unused_reader=meta_of_an_unused_reader,
)
wrong(
    (KeyError, "Could not find an input operator with name"),
    (KeyError, "Could not find an input operator with name"),
    data_for_a_node_of_nobody=data_for_a_node_of_nobody,
)
wrong(
    (KeyError, "upside_down"),
    (ConfigError, "upside_down"),
    an_argument_that_nobody_has=graph(lambda dali: dali.fn.flip(image(dali), upside_down=1)),
)
wrong(
    (ValueError, "was already specified in __init__"),
    (ConfigError, "was already specified in"),
    an_argument_in_both_places=graph(lambda dali: dali.ops.Flip(vertical=1)(image(dali), vertical=1)),
    a_name_in_both_places=graph(lambda dali: dali.ops.Flip(name="x")(image(dali), name="x")),
)
wrong(
    (TypeError, "positional argument"),
    (ConfigError, "by position"),
    a_constructor_with_a_positional_argument=graph(lambda dali: dali.ops.Flip(1)(image(dali))),
)
wrong(
    (RuntimeError, "Cannot infer"),
    (GraphError, "cannot be inferred"),
    inferred_beside_an_extent_of_0=graph(lambda dali: dali.fn.reshape(dali.fn.zeros(shape=[3, 0]), rel_shape=[-1, 1])),
)
wrong(
    (RuntimeError, "which can't be interpreted as the expected shape"),
    (GraphError, "3 extents for masks of 2 axes"),
    a_threshold_of_other_axes=graph(
        lambda dali: tuple(dali.fn.segmentation.random_object_bbox(dali.fn.zeros(shape=[2, 2]), threshold=[1, 1, 1]))
    ),
)
wrong(
    (RuntimeError, "Crop shape can't be negative"),
    (SourceDataError, "crop_shape of fn.roi_random_crop is below 0"),
    a_window_below_0=graph(
        lambda dali: dali.fn.roi_random_crop(crop_shape=[1, -1], roi_start=[1, 1], roi_shape=[1, 1], in_shape=[4, 4])
    ),
)
