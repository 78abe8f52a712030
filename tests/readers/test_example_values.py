"""Examples and SequenceExamples, in whatever pieces they were written: a feature has all of its values, or is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jpeg_files import pillow_jpeg
from tfrecord_files import entry, feature, field, record, varint, write_tfrecord

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def, source
from jaxdali import tfrecord as tfrec
from jaxdali._feed.records.example import features_of, parse_example
from jaxdali.source import TFRecords

INT64, FLOAT32, STRING = tfrec.int64, tfrec.float32, tfrec.string
NUMBERS = {STRING: 1, FLOAT32: 2, INT64: 3}  # of the lists in a Feature
DEFAULTS = {INT64: -7, FLOAT32: 0.5, STRING: "?"}
VALUES = {
    INT64: st.integers(-(2**63), 2**63 - 1),
    FLOAT32: st.floats(width=32, allow_nan=False),
    STRING: st.binary(max_size=12),
}
kinds = st.sampled_from([INT64, FLOAT32, STRING])


def any_number(kind, *shape):
    given = ([list(shape)] if shape else []) + [kind, DEFAULTS[kind]]
    return tfrec.VarLenFeature(*given)


def listed(kind, values):
    """A Feature's list of values."""
    values = list(values)
    return feature(values if kind != FLOAT32 else np.array(values, np.float32)) if values else field(NUMBERS[kind], b"")


def as_list(value):
    return [bytes(one) for one in value] if isinstance(value, list) else value.tolist()


@st.composite
def parts(draw, values):
    """Cuts a list into pieces, some of which are empty."""
    cuts = sorted(draw(st.lists(st.integers(0, len(values)), max_size=3)))
    return [values[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(values)], strict=True)]


@st.composite
def written(draw, features):
    """Writes features as any writer of protocol buffers may: messages in pieces, later members and entries that replace
    earlier ones, and unknown fields between.
    """
    other = draw(st.sampled_from([b"", b"\x28\x07", field(9, b"xyz"), b"\x39" + bytes(8)]))
    found = []
    for name, (kind, values) in features.items():
        replaced = listed(*draw(st.sampled_from([(INT64, [1, 2]), (STRING, [b"old"]), (FLOAT32, [0.25])])))
        pieces = [other + listed(kind, some) for some in draw(parts(values))]
        if draw(st.booleans()):
            found.append(entry(name, replaced))
        elif kind != STRING and draw(st.booleans()):
            pieces.insert(0, listed(STRING, [b"old"]))  # another member of the "one of"
        together = b"".join(pieces)
        bodies = [together] if draw(st.booleans()) else pieces
        found.append(field(1, field(1, name.encode()) + b"".join(field(2, body) + other for body in bodies)))
    return [other + b"".join(some) for some in draw(parts(found))]


features_drawn = st.dictionaries(
    st.text(max_size=4),
    kinds.flatmap(lambda kind: st.tuples(st.just(kind), st.lists(VALUES[kind], max_size=5))),
    max_size=4,
)


@given(st.data(), features_drawn)
def test_all_values_are_read_however_they_are_written(data, features):
    raw = b"".join(field(1, some) for some in data.draw(written(features)))
    found = parse_example(raw, {name: any_number(kind) for name, (kind, _) in features.items()})
    assert {name: as_list(value) for name, value in found.items()} == {name: one for name, (_, one) in features.items()}
    assert set(features_of(raw)) == {name for name, (_, values) in features.items() if values}
    for name, (kind, values) in features.items():
        fixed = tfrec.FixedLenFeature([len(values) or 3], kind, DEFAULTS[kind])
        (value,) = parse_example(raw, {name: fixed}).values()
        if kind == STRING and len(values) == 1:
            assert [value] == values
        else:
            missing = [DEFAULTS[kind] if kind != STRING else b"?"] * 3
            assert as_list(value) == (values or missing)
        wrong = tfrec.FixedLenFeature([len(values) + 1], kind, DEFAULTS[kind])
        if values:
            with pytest.raises(SourceDataError, match=rf" has {len(values)} \w+, expected {len(values) + 1} "):
                parse_example(raw, {name: wrong})


def sequence(lists, context=None):
    """A SequenceExample. Lists are, by name, the features of their steps."""
    written = b"".join(entry(name, b"".join(field(1, step) for step in steps)) for name, steps in lists.items())
    contexts = b"".join(entry(name, value) for name, value in (context or {}).items())
    return field(1, contexts) + field(2, written)


@given(st.data(), kinds, st.integers(0, 4), st.integers(1, 3))
def test_all_steps_of_a_feature_list_are_read(data, kind, count, size):
    size = 1 if kind == STRING else size
    steps = data.draw(st.lists(st.lists(VALUES[kind], min_size=size, max_size=size), min_size=count, max_size=count))
    flat = [value for step in steps for value in step]
    messages = [listed(kind, step) for step in steps]
    cut = data.draw(st.integers(0, count))
    halves = (b"".join(field(1, one) for one in some) for some in (messages[:cut], messages[cut:]))
    entries = field(1, field(1, b"x") + b"".join(field(2, half) for half in halves))
    raw = field(2, entries) + field(1, entry("y", feature([5])))
    wanted = {"x": any_number(kind, size) if size > 1 else any_number(kind), "y": tfrec.FixedLenFeature([1], INT64, 0)}
    found = parse_example(raw, wanted)
    assert found["y"].tolist() == [5]
    assert as_list(found["x"]) == (steps if size > 1 else flat)
    if count:
        described = features_of(raw)["x"]
        assert (described.dtype, described.shape) == (kind, (size,) if size > 1 else None)
        fixed = parse_example(
            raw, {"x": tfrec.FixedLenFeature([count, size] if size > 1 else [count], kind, DEFAULTS[kind])}
        )
        assert [fixed["x"]] == flat if kind == STRING and count == 1 else as_list(fixed["x"]) == as_list(found["x"])
        with pytest.raises(SourceDataError, match=rf"'x' has {count} steps, expected {count + 1} "):
            parse_example(raw, {"x": tfrec.FixedLenFeature([count + 1], kind, DEFAULTS[kind])})


ONE, TWO = feature([1]), feature([1, 2])


@pytest.mark.parametrize(
    ("raw", "wanted", "words"),
    [
        (sequence({"x": [ONE, TWO]}), any_number(INT64), "step 1 of the feature list 'x' has 2 values, expected 1 "),
        (sequence({"x": [ONE, b""]}), any_number(INT64), "step 1 of the feature list 'x' has 0 values, expected 1 "),
        (sequence({"x": [ONE]}), any_number(INT64, 2), "step 0 of the feature list 'x' has 1 values, expected 2 "),
        (sequence({"x": [ONE, feature(b"a")]}), any_number(INT64), "step 1 of .* holds strings, expected integers"),
        (sequence({"x": [feature([b"a", b"b"])]}), any_number(STRING), "step 0 of .* has 2 values, expected 1 "),
        (sequence({"x": [ONE]}, {"x": ONE}), any_number(INT64), "'x' is a feature of the context and a feature list"),
        (
            sequence({"x": [feature(b"a"), feature(b"b")]}),
            tfrec.FixedLenFeature([], STRING, ""),
            "'x' has 2 steps, expected 1 .*a VarLenFeature of jaxdali.source.TFRecords takes any number",
        ),
        (
            field(1, entry("x", feature([b"a", b"b", b"c"]))),
            tfrec.FixedLenFeature([], STRING, ""),
            "the feature 'x' has 3 strings, expected 1 .*a VarLenFeature of jaxdali.source.TFRecords takes any number",
        ),
        (
            field(1, entry("x", feature([b"a", b"b"]))),
            tfrec.FixedLenFeature([3], STRING, ""),
            "has 2 strings, expected 3",
        ),
    ],
)
def test_what_a_shape_does_not_hold_is_refused(raw, wanted, words):
    with pytest.raises(SourceDataError, match=words):
        parse_example(raw, {"x": wanted})


# What fn.readers.tfrecord reads of "text", "numbers" and "steps", without Python where there is nothing unusual.
WANTED = {
    "text": any_number(STRING),
    "numbers": any_number(INT64),
    "steps": any_number(FLOAT32, 2),
    "one": tfrec.FixedLenFeature([], STRING, "none"),
}
_PIECES = field(1, field(1, b"numbers") + field(2, feature([1])) + field(2, feature([2, 300])))
_STEPS = {"steps": [feature(np.array([0.5, 1])), feature(np.array([2.0, 3]))]}
RECORDS = [
    {"text": b"abc", "numbers": [1, 2], "steps": np.array([1.0, 2]), "one": b"x"},
    {"numbers": [1, 2], "one": b"x"},
    field(1, _PIECES + entry("text", feature(b"a"))),
    field(1, _PIECES) + field(1, entry("numbers", feature([4]))),
    sequence(_STEPS, {"text": feature(b"a"), "numbers": feature([1]), "one": feature(b"x")}),
    sequence({**_STEPS, "text": [feature(b"only")], "numbers": [feature([5]), feature([6])], "one": [feature(b"y")]}),
]


def test_a_reader_gives_what_the_source_gives(tmp_path):
    write_tfrecord(tmp_path / "a", RECORDS)

    @pipeline_def(batch_size=len(RECORDS), py_num_workers=0)
    def mine():
        return tuple(fn.readers.tfrecord(path=tmp_path / "a", features=WANTED).values())

    data = TFRecords(tmp_path / "a", WANTED)
    with mine() as pipe:
        outputs = pipe.run()
    for index in range(len(RECORDS)):
        for output, (name, value), row in zip(outputs, data[index].items(), data.row(index), strict=True):
            content = b"".join(value) if isinstance(value, list) else value
            expected = np.frombuffer(content, np.uint8) if isinstance(content, bytes) else value
            for found in (output.at(index), row):
                assert found.dtype == expected.dtype and found.tolist() == expected.tolist(), (index, name)
    assert [data[k]["numbers"].tolist() for k in range(6)] == [[1, 2], [1, 2], [1, 2, 300], [4], [1], [5, 6]]
    assert data[5]["steps"].tolist() == [[0.5, 1], [2, 3]] and data[5]["text"] == [b"only"] and data[5]["one"] == b"y"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"x": [b"a", b"b"]}, "'x' has 2 strings, but an output of fn.readers.tfrecord is one array; jaxdali.source"),
        (sequence({"x": [feature(b"a")] * 3}), "'x' has 3 strings, but an output of fn.readers.tfrecord is one array"),
        (sequence({"x": [feature(b"a")]}, {"x": feature(b"b")}), "'x' is a feature of the context and a feature list"),
    ],
)
def test_a_reader_refuses_several_strings(tmp_path, raw, words):
    write_tfrecord(tmp_path / "a", [{"x": [b"a"]}, raw])

    @pipeline_def(batch_size=1, py_num_workers=0)
    def mine():
        return fn.readers.tfrecord(path=tmp_path / "a", features={"x": any_number(STRING)})["x"]

    with mine() as pipe:
        assert pipe.run()[0].at(0).tobytes() == b"a"
        with pytest.raises(SourceError, match=words) as caught:
            pipe.run()
    assert f"{tmp_path}/a at byte" in str(caught.value)
    with pytest.raises(ConfigError, match=r"\['x'\] is FixedLenFeature\(\[2\], string, b''\), a list of strings, but"):
        fn.readers.tfrecord(path=tmp_path / "a", features={"x": tfrec.FixedLenFeature([2], STRING, "")})


def test_a_loader_decodes_all_frames_of_a_clip(tmp_path):
    clips = [[pillow_jpeg(8, 8 + clip + frame) for frame in range(3)] for clip in range(2)]
    raw = [{"frames": clips[0]}, sequence({"frames": [feature(one) for one in clips[1]]}), {"frames": clips[0][:2]}]
    write_tfrecord(tmp_path / "a", raw)
    fixed = TFRecords(tmp_path / "a", {"frames": tfrec.FixedLenFeature([3], STRING, "")})
    assert [fixed[k]["frames"] for k in range(2)] == clips
    with pytest.raises(SourceDataError, match=r"a at byte .*'frames' has 2 strings, expected 3"):
        fixed[2]
    with Loader(source.subset(fixed, [0, 1]), None, batch_size=2, workers=0, epochs=1) as loader:
        (batch,) = loader
    assert [type(one).__name__ for one in batch["frames"]] == ["EncodedBatch"] * 3
    every = TFRecords(tmp_path / "a", {"frames": any_number(STRING)})
    assert [every[k]["frames"] for k in range(3)] == [*clips, clips[0][:2]]
    with Loader(every, None, batch_size=3, workers=0, epochs=1) as loader:
        with pytest.raises(SourceError, match="a list with 2, but the first sample of the source had a list with 3"):
            next(iter(loader))


def test_a_record_is_what_another_writer_would_make():
    # By hand, from the definition: field 2 of the record, its entry "x", two steps with the strings "a" and "bc".
    steps = b"\x0a\x05\x0a\x03\x0a\x01a" + b"\x0a\x06\x0a\x04\x0a\x02bc"
    raw = (
        b"\x12"
        + varint(len(steps) + 7)
        + b"\x0a"
        + varint(len(steps) + 5)
        + b"\x0a\x01x\x12"
        + varint(len(steps))
        + steps
    )
    assert sequence({"x": [feature(b"a"), feature(b"bc")]}) == b"\x0a\x00" + raw
    assert parse_example(raw, {"x": any_number(STRING)}) == {"x": [b"a", b"bc"]}
    assert len(record(raw)) == len(raw) + 16
