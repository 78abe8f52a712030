"""Mistakes that DALI refuses, by the class of what it raises. Each is a program that takes the package, `nvidia.dali` or
`jaxdali`, and makes the mistake.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Mistake = Callable[[Any], Any]

BATCH = 2
OPTIONS = {"batch_size": BATCH, "num_threads": 1, "device_id": None}

# By name: what makes it, and the class of DALI's error.
MISTAKES: dict[str, tuple[Mistake, type[Exception]]] = {}
# Those for which Python itself raises that class, in both systems.
PYTHONS: set[str] = set()


def raises(error: type[Exception], *, python: bool = False, **mistakes: Mistake) -> None:
    """Adds mistakes."""
    assert not MISTAKES.keys() & mistakes.keys()
    MISTAKES.update({name: (mistake, error) for name, mistake in mistakes.items()})
    PYTHONS.update(mistakes if python else ())


def defined(outputs: Callable[[Any], object], **options: object) -> Mistake:
    """Makes the mistake of defining and building a pipeline with these outputs."""

    def mistake(dali: Any) -> Any:
        pipe = dali.pipeline_def(**{**OPTIONS, **options})(lambda: outputs(dali))()
        pipe.build()
        return pipe

    return mistake


def ran(outputs: Callable[[Any], object], **options: object) -> Mistake:
    """Makes the mistake of running it."""
    return lambda dali: defined(outputs, **options)(dali).run()


def with_options(**options: object) -> Mistake:
    return defined(image, **options)


def image(dali: Any, **arguments: object) -> Any:
    return dali.fn.external_source(lambda: [np.ones((4, 5, 3), np.uint8)] * BATCH, layout="HWC", **arguments)


def number(dali: Any, value: object = 1, dtype: Any = np.int32) -> Any:
    return dali.fn.external_source(lambda: [np.asarray(value, dtype)] * BATCH)


def pipeline(dali: Any, outputs: Callable[[Any], object] | None = image) -> Any:
    pipe = dali.Pipeline(**OPTIONS, prefetch_queue_depth=1)
    if outputs is not None:
        with pipe:
            pipe.set_outputs(outputs(dali))
    return pipe


def fed(node: object, data: object) -> Mistake:
    """Makes the mistake of feeding data to a node, or to the input of that name."""

    def mistake(dali: Any) -> None:
        pipe = pipeline(dali, lambda dali: dali.fn.external_source(name="x"))
        pipe.build()
        pipe.feed_input(node(dali) if callable(node) else node, data)
        pipe.run()

    return mistake


def two_batches() -> Iterator[list[np.ndarray]]:
    yield from [[np.int32(1)] * BATCH] * 2  # type: ignore[misc]


def ending(dali: Any) -> Any:
    return pipeline(dali, lambda dali: dali.fn.external_source(two_batches, name="source"))


def again_after_the_end(dali: Any) -> None:
    pipe = ending(dali)
    for _ in range(2):
        pipe.run()
    try:
        pipe.run()
    except StopIteration:
        pipe.run()


def iterator(*arguments: object, of: Callable[[Any], object] = ending, **more: object) -> Mistake:
    return lambda dali: dali.plugin.jax.DALIGenericIterator(of(dali), *arguments, **more)


def fail(*_given: object) -> None:
    raise KeyError("mine")


def first(outputs: Callable[[Any], Any]) -> Callable[[Any], object]:
    return lambda dali: outputs(dali)[0]


raises(
    KeyError,
    an_unknown_argument=defined(lambda dali: dali.fn.flip(image(dali), upside_down=1)),
    an_unknown_argument_of_a_class=defined(lambda dali: dali.ops.Flip(upside_down=1)(image(dali))),
    an_unknown_argument_of_its_call=defined(lambda dali: dali.ops.Flip()(image(dali), upside_down=1)),
    an_unknown_argument_of_a_reader=defined(first(lambda dali: dali.fn.readers.file(file_root="/tmp", upside_down=1))),
    an_unknown_argument_of_a_draw=defined(lambda dali: dali.fn.random.uniform(rnge=[1, 2])),
    an_unknown_argument_of_python_function=defined(
        lambda dali: dali.fn.python_function(image(dali), function=fail, upside_down=1)
    ),
    an_unknown_argument_of_constant=defined(lambda dali: dali.fn.constant(fdata=1.0, upside_down=1)),
    queues_without_the_device=with_options(prefetch_queue_depth={"cpu_size": 1}),
    an_input_of_another_name=fed("y", [np.int32(1)] * BATCH),
    a_type_that_is_text=lambda dali: dali.types.to_numpy_type("uint8"),
)
raises(
    TypeError,
    a_node_as_a_number=defined(lambda dali: int(image(dali))),
    an_unknown_option=lambda dali: dali.Pipeline(**OPTIONS, upside_down=1),
    an_unknown_option_of_the_decorator=defined(image, upside_down=1),
    a_list_for_a_number=defined(lambda dali: dali.fn.flip(image(dali), horizontal=[0, 1])),
    a_list_for_a_fraction=defined(lambda dali: dali.fn.brightness(image(dali), brightness=[1.0, 2.0])),
    a_list_of_text_for_a_number=defined(lambda dali: dali.fn.flip(image(dali), horizontal=["a"])),
    a_complex_number_for_a_number=defined(lambda dali: dali.fn.flip(image(dali), horizontal=1j)),
    a_dictionary_for_a_number=defined(lambda dali: dali.fn.flip(image(dali), horizontal={})),
    a_set_for_axes=defined(lambda dali: dali.fn.reductions.sum(image(dali), axes={1})),
    an_object_for_a_size=defined(lambda dali: dali.fn.resize(image(dali), size=object())),
    a_list_for_a_seed=defined(lambda dali: dali.fn.random.uniform(seed=[1, 2])),
    a_list_for_a_type=defined(lambda dali: dali.fn.cast(image(dali), dtype=[1, 2])),
    a_python_type_for_a_type=defined(lambda dali: image(dali).shape(dtype=int)),
    a_list_for_a_filter=defined(lambda dali: dali.fn.resize(image(dali), size=2, interp_type=["a"])),
    a_number_for_a_name=defined(lambda dali: dali.fn.flip(image(dali), name=1.5)),
    a_node_for_a_type=defined(lambda dali: dali.fn.cast(image(dali), dtype=number(dali))),
    a_node_for_a_seed=defined(lambda dali: dali.fn.random.uniform(seed=number(dali))),
    a_node_for_axes=defined(lambda dali: dali.fn.reductions.sum(image(dali), axes=number(dali))),
    nodes_for_an_argument=defined(lambda dali: dali.fn.flip(image(dali), horizontal=[number(dali)] * 2)),
    text_for_an_input=defined(lambda dali: dali.fn.flip("text")),
    a_set_for_an_input=defined(lambda dali: dali.fn.flip({1})),
    nothing_for_an_input=defined(lambda dali: dali.ops.Flip()(None)),
    text_for_an_output=defined(lambda dali: "text"),
    an_object_for_an_output=defined(lambda dali: object()),
    a_constructor_by_position=defined(lambda dali: dali.ops.Flip(1)(image(dali))),
    no_function=defined(lambda dali: dali.fn.python_function(image(dali))),
    no_features=defined(lambda dali: dali.fn.readers.tfrecord(path=[], index_path=[])),
    a_constant_of_text=lambda dali: dali.types.Constant("text"),
    a_constant_of_nothing=lambda dali: dali.types.Constant(None),
    a_constant_of_a_type_that_is_text=lambda dali: dali.types.Constant(1, dtype="uint8"),
    a_constant_that_is_no_number=lambda dali: dali.types.ScalarConstant([1]),
    a_sum_with_text=defined(lambda dali: number(dali) + "text"),
    a_sum_with_nothing=defined(lambda dali: number(dali) + None),
    a_subscript_that_is_text=defined(lambda dali: image(dali)["text"]),
    a_subscript_that_is_a_fraction=defined(lambda dali: image(dali)[1.5]),
    a_decision=defined(lambda dali: bool(image(dali))),
    a_batch_size_that_is_text=with_options(batch_size="2"),
    a_batch_size_that_is_a_fraction=with_options(batch_size=1.5),
    threads_that_are_text=with_options(num_threads="2"),
    a_device_that_is_text=with_options(device_id="2"),
    a_seed_that_is_text=with_options(seed="2"),
    a_seed_beyond_64_bits=with_options(seed=1 << 70),
    a_depth_that_is_text=with_options(prefetch_queue_depth="2"),
    a_choice_that_is_text=with_options(exec_async="no"),
    checkpointing_that_is_text=defined(lambda dali: dali.fn.random.uniform(), enable_checkpointing="no"),
    bytes_below_none=with_options(bytes_per_sample=-5),
    an_output_type_that_is_text=with_options(output_dtype="uint8"),
    a_layout_that_is_a_number=with_options(output_layout=5),
    outputs_that_are_text=defined(first(lambda dali: dali.fn.external_source(lambda: [], num_outputs="2"))),
    outputs_that_are_a_fraction=defined(first(lambda dali: dali.fn.external_source(lambda: [], num_outputs=1.5))),
    a_source_that_is_a_number=defined(lambda dali: dali.fn.external_source(5)),
    a_source_with_two_arguments=defined(lambda dali: dali.fn.external_source(lambda a, b: [])),
    a_source_type_that_is_a_list=defined(lambda dali: dali.fn.external_source(lambda: [], dtype=["uint8"])),
    source_axes_that_are_a_list=defined(lambda dali: dali.fn.external_source(lambda: [], ndim=["1"])),
    an_input_that_is_a_number=fed(5, [np.int32(1)] * BATCH),
    a_reader_that_is_a_number=lambda dali: pipeline(dali).epoch_size(5),
    a_saved_pipeline_that_is_a_number=lambda dali: dali.Pipeline.deserialize(5),
    names_that_are_nothing=iterator(None),
    a_pipeline_of_a_number=lambda dali: dali.pipeline_def(5)(),
    an_iterator_of_a_number=lambda dali: dali.plugin.jax.data_iterator(5)(),
)
raises(
    ValueError,
    text_for_a_number=defined(lambda dali: dali.fn.flip(image(dali), horizontal="text")),
    text_for_a_seed=defined(lambda dali: dali.fn.random.uniform(seed="text")),
    an_argument_in_both_places=defined(lambda dali: dali.ops.Flip(vertical=1)(image(dali), vertical=1)),
    a_cycle_of_a_function=defined(lambda dali: dali.fn.external_source(lambda: [], cycle=True)),
    a_cycle_of_that_name=defined(lambda dali: dali.fn.external_source([[np.int32(1)] * BATCH], cycle="loud")),
    a_device_that_nobody_has=defined(lambda dali: dali.fn.flip(image(dali), device="tpu")),
    threads_that_are_none=with_options(num_threads=0),
    output_axes_below_none=with_options(output_ndim=-1),
    an_output_of_no_type=lambda dali: with_options(output_dtype=dali.types.NO_TYPE)(dali),
    a_reset_of_that_name=iterator(["x"], auto_reset="loud"),
    a_policy_that_is_a_number=iterator(["x"], size=3, last_batch_policy=5),
    a_quotient_by_zero=ran(lambda dali: number(dali) // 0),
    a_rest_by_zero=ran(lambda dali: number(dali) % number(dali, 0)),
    checkpoints_that_are_not_kept=lambda dali: iterator(["x"])(dali).checkpoints(),
)
raises(
    IndexError,
    an_axis_that_is_not_there=ran(lambda dali: dali.fn.reductions.sum(image(dali), axes=[7])),
    a_sample_behind_the_last=lambda dali: ran(image)(dali)[0][9],
    a_sample_before_the_first=lambda dali: ran(image)(dali)[0][-9],
    more_names_than_outputs=iterator(["x", "y"]),
    an_iterator_of_no_pipelines=iterator(["x"], of=lambda dali: []),
)
raises(
    AssertionError,
    names_that_are_the_same=iterator(["x", "x"]),
    a_size_of_none=iterator(["x"], size=0),
    a_size_and_a_reader=iterator(["x"], size=3, reader_name="source"),
    no_size_of_two_pipelines=iterator(["x"], of=lambda dali: [ending(dali), ending(dali)]),
    an_iterator_of_none=iterator(["x"], of=lambda dali: None),
)
raises(
    NotImplementedError,
    no_outputs=lambda dali: pipeline(dali, None).run(),
    no_outputs_to_build=lambda dali: pipeline(dali, None).build(),
    two_ellipses=defined(lambda dali: image(dali)[..., ...]),
)
raises(
    RuntimeError,
    one_name_for_two=defined(lambda dali: (image(dali, name="x"), image(dali, name="x"))),
    a_crop_outside=ran(lambda dali: dali.fn.crop(image(dali), crop=(9, 9))),
    a_blur_below_none=ran(lambda dali: dali.fn.gaussian_blur(image(dali), sigma=-1.0)),
    a_blur_of_channels_within=ran(
        lambda dali: dali.fn.gaussian_blur(dali.fn.reshape(image(dali), layout="HCW"), sigma=1.0)
    ),
    a_laplacian_of_too_many_windows=ran(lambda dali: dali.fn.laplacian(image(dali), window_size=[3, 7, 3])),
    a_laplacian_of_two_scales=ran(lambda dali: dali.fn.laplacian(image(dali), scale=0.5, normalized_kernel=True)),
    a_laplacian_of_frames_within=ran(lambda dali: dali.fn.laplacian(dali.fn.reshape(image(dali), layout="HFW"))),
    cosines_of_the_last_axis=ran(lambda dali: dali.fn.mfcc(number(dali, [[1] * 9] * 9, np.float32), n_mfcc=2, axis=-1)),
    an_order_with_an_axis_twice=ran(lambda dali: dali.fn.transpose(image(dali), perm=[0, 0, 1])),
    bits_of_fractions=ran(lambda dali: number(dali, 1, np.float32) & number(dali, 1, np.float32)),
    shapes_that_do_not_match=ran(lambda dali: number(dali, [1, 2]) + number(dali, [1, 2, 3])),
    a_file_that_is_no_image=ran(lambda dali: dali.fn.decoders.image(number(dali, [0] * 30, np.uint8))),
    an_image_that_is_no_file=ran(lambda dali: dali.fn.decoders.image(image(dali))),
    a_folder_that_is_not_there=defined(first(lambda dali: dali.fn.readers.file(file_root="/nowhere"))),
    annotations_that_are_not_there=defined(
        first(lambda dali: dali.fn.readers.coco(file_root="/nowhere", annotations_file="/nowhere/a.json"))
    ),
    a_file_that_is_not_there=ran(
        lambda dali: dali.fn.io.file.read(number(dali, np.frombuffer(b"/nowhere/a", np.uint8), np.uint8))
    ),
    a_function_that_fails=ran(lambda dali: dali.fn.python_function(image(dali), function=fail)),
    a_function_of_two=ran(lambda dali: dali.fn.python_function(image(dali), function=lambda one, other: one)),
    a_function_that_exits=ran(lambda dali: dali.fn.python_function(image(dali), function=lambda _: sys.exit(1))),
    a_jax_function_that_fails=ran(lambda dali: dali.plugin.jax.fn.jax_function(fail)(number(dali))),
    a_jax_function_of_two=ran(lambda dali: dali.plugin.jax.fn.jax_function(lambda one, other: one)(number(dali))),
    a_jax_function_of_text=ran(lambda dali: dali.plugin.jax.fn.jax_function(lambda one: one + "text")(number(dali))),
    a_direction_of_two=ran(lambda dali: dali.fn.transforms.rotation(angle=1.0, axis=[1.0, 2.0])),
    a_direction_of_four=ran(lambda dali: dali.fn.transforms.rotation(angle=1.0, axis=[1.0, 2.0, 3.0, 4.0])),
    a_center_of_three=ran(lambda dali: dali.fn.transforms.rotation(angle=1.0, center=[1.0, 2.0, 3.0])),
    a_center_of_three_as_a_node=ran(
        lambda dali: dali.fn.transforms.rotation(angle=1.0, center=number(dali, [1, 2, 3], np.float32))
    ),
    a_source_that_returns_a_number=ran(lambda dali: dali.fn.external_source(lambda: 5)),
    a_source_of_too_many=ran(lambda dali: dali.fn.external_source(lambda: [np.int32(1)] * 5)),
    an_output_of_another_type=lambda dali: ran(image, output_dtype=dali.types.FLOAT)(dali),
    an_output_of_another_layout=ran(image, output_layout="CHW"),
    a_tensor_of_objects=lambda dali: dali.backend.TensorCPU(np.array([None])),
    a_reader_that_is_not_there=lambda dali: pipeline(dali).reader_meta("reader"),
    a_checkpoint_that_is_not_kept=lambda dali: defined(image)(dali).checkpoint(),
    a_saved_pipeline_that_is_broken=lambda dali: dali.Pipeline.deserialize(b"broken"),
    a_reader_of_an_iterator_that_is_not_there=iterator(["x"], reader_name="reader"),
)
raises(
    StopIteration,
    python=True,
    the_end_of_a_source=lambda dali: [pipe.run() for pipe in [ending(dali)] * 3],
    the_end_once_more=again_after_the_end,
    outputs_without_a_run=lambda dali: pipeline(dali).outputs(),
    a_source_of_nothing=ran(lambda dali: dali.fn.external_source(iter([]))),
)
raises(
    KeyError,
    python=True,
    a_definition_that_fails=defined(fail),
    a_source_that_fails=ran(lambda dali: dali.fn.external_source(lambda _index: fail(), batch=False)),
    an_output_of_that_name=lambda dali: next(iterator(["x"])(dali))["y"],
)
raises(
    TypeError,
    python=True,
    a_product_of_matrices=defined(lambda dali: image(dali) @ image(dali)),
    a_node_that_is_changed=defined(lambda dali: operator.setitem(image(dali), 0, 1)),
    a_node_that_is_unpacked=defined(lambda dali: list(image(dali))),
    the_length_of_a_node=defined(lambda dali: len(image(dali))),
    feeding_nothing=lambda dali: pipeline(dali).feed_input("x"),
    an_unknown_argument_of_an_iterator=iterator(["x"], upside_down=1),
)
raises(
    AttributeError,
    python=True,
    an_operator_that_nobody_has=defined(lambda dali: dali.fn.upside_down(image(dali))),
    a_class_that_nobody_has=lambda dali: dali.ops.UpsideDown,
    a_type_that_nobody_has=lambda dali: dali.types.UPSIDE_DOWN,
    an_attribute_that_nodes_lack=defined(lambda dali: image(dali).upside_down),
)
