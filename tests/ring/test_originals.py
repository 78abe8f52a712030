"""Exceptions of sources arrive in the parent with their own type, if the parent can find it."""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import json
import pickle
import subprocess
import sys
import textwrap

import pytest

from jaxdali import errors
from jaxdali._feed.ring.failure_report import Failure, describe_exception
from jaxdali._feed.ring.originals import make_source_error, original_type, source_error_type
from jaxdali.errors import SampleOrigin, SourceDataError, SourceError

ORIGIN = SampleOrigin(sample_index=7, epoch=2)
TEXT = "our text [sample 7, epoch 2]"


def failure(error, **changes) -> Failure:
    """Returns a worker's report of `error` as it comes out of a socket."""
    report = Failure(
        source_index=0,
        slot=0,
        chunk=0,
        ticket=1,
        position=0,
        column=None,
        kind="raised",
        **{**describe_exception(error), **changes},
    )
    return Failure.from_message(json.loads(json.dumps(report.to_message())))


class Odd(Exception):
    def __init__(self, a, *, b):
        self.a, self.b, self.lost = a, b, object()

    def __str__(self):
        return self.lost.nothing


class Slots(ValueError):
    __slots__ = ("code",)

    def __new__(cls, code, more):
        return super().__new__(cls)

    def __init__(self, code, more):
        self.code = code


@dataclasses.dataclass(frozen=True)
class Frozen(LookupError):
    a: int


class MyOSError(OSError):
    def __init__(self, path, *, reason_code):
        super().__init__(5, "broken", path)
        self.reason_code = reason_code


class MySourceError(SourceError):
    def __init__(self):
        super().__init__("mine")


class Outer:
    class Inner(Exception):
        pass


@pytest.mark.parametrize(
    ("error", "attributes"),
    [
        (KeyError("k"), {}),
        (ValueError(), {}),
        (FileNotFoundError(2, "no such", "f"), {"errno": 2, "strerror": "no such", "filename": "f"}),
        (UnicodeDecodeError("utf8", b"x", 0, 1, "why"), {"encoding": "utf8", "start": 0, "end": 1, "reason": "why"}),
        (ImportError("x", name="q"), {"name": "q"}),
        (json.JSONDecodeError("m", "doc", 1), {"msg": "m", "pos": 1, "lineno": 1}),
        (Odd(1, b="two"), {"a": 1, "b": "two"}),
        (Slots(1, 2), {}),
        (Frozen(3), {"a": 3}),
        (MyOSError("p", reason_code=9), {"errno": 5, "filename": "p", "reason_code": 9}),
        (Outer.Inner(), {}),
        (MySourceError(), {}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_is_of_the_original_type_and_a_source_error(error, attributes):
    made = make_source_error(failure(error), "our text", ORIGIN)
    assert isinstance(made, type(error)) and isinstance(made, SourceError)
    assert (type(made).__name__, type(made).__module__) == (type(error).__name__, type(error).__module__)
    for again in (made, copy.copy(made), copy.copy(copy.copy(made))):
        assert str(again) == TEXT and again.sample_index == 7 and type(again) is type(made)
        assert {name: getattr(again, name) for name in attributes} == attributes
        hash(again)
    assert f"{type(error).__name__}('{TEXT}')" == repr(made)
    sent = pickle.loads(pickle.dumps(made))
    assert str(sent) == TEXT and sent.epoch == 2 and type(sent) is type(made)
    with pytest.raises(type(error)) as caught:
        raise made
    assert caught.value is made


def test_a_type_is_made_once():
    assert source_error_type(KeyError) is source_error_type(KeyError)


@pytest.mark.parametrize("error", [StopIteration(), StopAsyncIteration(), SystemExit(1), KeyboardInterrupt()])
def test_what_python_reacts_to_is_never_raised_anew(error):
    assert original_type(failure(error)) is None
    made = make_source_error(failure(error), "our text", ORIGIN)
    assert type(made) is SourceError and str(made) == TEXT


class NeedsMore(Exception):
    def __init_subclass__(cls, *, more):
        pass


@pytest.mark.parametrize("error", [NeedsMore(), ExceptionGroup("g", [ValueError()])])
def test_what_cannot_be_combined_is_a_plain_source_error(error):
    made = make_source_error(failure(error), "our text", ORIGIN)
    assert type(made) is SourceError and str(made) == TEXT


@pytest.mark.parametrize("base", [SourceError, RuntimeError, Exception, errors.JaxDaliError])
def test_what_a_source_error_is_anyway_needs_no_class(base):
    assert source_error_type(base) is SourceError


def test_data_errors_stay_what_they_are():
    assert isinstance(make_source_error(failure(SourceDataError("x")), "our text"), SourceDataError)


@pytest.mark.parametrize(
    ("module", "qualname"),
    [
        ("nobody.imported.this", "Error"),
        ("builtins", "NoSuchError"),
        ("builtins", "len"),
        ("builtins", "dict"),
        ("os", "path"),
        (__name__, "failure.<locals>.Error"),
        ("", ""),
    ],
)
def test_what_this_process_does_not_have_is_text(module, qualname):
    changed = failure(KeyError("k"), type_module=module, type_qualname=qualname)
    assert original_type(changed) is None
    assert type(make_source_error(changed, "our text")) is SourceError
    assert "nobody" not in sys.modules


def test_looking_for_a_type_loads_no_lazy_module(tmp_path, monkeypatch):
    (tmp_path / "lazy_one.py").write_text("raise AssertionError('loaded')")
    spec = importlib.util.spec_from_file_location("lazy_one", tmp_path / "lazy_one.py")
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "lazy_one", module)
    spec.loader.exec_module(module)
    assert original_type(failure(KeyError("k"), type_module="lazy_one", type_qualname="Error")) is None


def test_our_own_attributes_are_not_overwritten():
    error = Odd(1, b=2)
    error.epoch, error.origin, error.output = 99, "elsewhere", "x"
    made = make_source_error(failure(error), "our text", ORIGIN)
    assert (made.epoch, made.origin, made.output) == (2, ORIGIN, None)


def test_an_error_is_readable_where_its_type_is_unknown():
    data = pickle.dumps(make_source_error(failure(Odd(1, b=2)), "our text", ORIGIN))
    script = f"""
        import pickle, sys
        sys.path[:] = {sys.path!r}
        error = pickle.loads({data!r})
        print(type(error).__name__, error)
    """
    output = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert output.stdout == f"SourceError {TEXT}\n", output.stderr


def test_only_simple_attributes_travel_and_not_too_many():
    error = Odd(1.5, b=None)
    vars(error).update({f"x{number}": number for number in range(1000)}, text="t" * 10**6)
    attributes = describe_exception(error)["attributes"]
    assert attributes["a"] == 1.5 and attributes["b"] is None
    assert len(attributes) <= 64 and "lost" not in attributes and "text" not in attributes
