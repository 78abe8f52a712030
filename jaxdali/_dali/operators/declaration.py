"""The declaration of an operator: everything that is known about it.

It determines the operator's function in `fn`, its class in `ops`, the checks of its arguments, its documentation and
stubs, how calls are saved and compared, and how it is computed.

A call goes through `add_to_graph`: old arguments get their present names, several sets of inputs are taken one by one,
and for each `_make` takes out the common arguments, refuses what is not honoured, reads the others by their kinds
(`read`), checks them together, and makes a `Call` in the present scope. Out go its nodes. A saved call comes by
`from_saved`. Nothing is computed here. It relies on params.py and argument_kinds.py for arguments, and on `graph` for calls.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant
from jaxdali._base.documentation import page_url
from jaxdali._base.interruptions import raised_by_handler
from jaxdali._feed.ring.originals import as_source_error
from jaxdali._feed.source.extra_outputs import Reading
from jaxdali.errors import ConfigError, ConfigKeyError, ConfigTypeError, GraphError, GraphTypeError, JaxDaliError
from ..graph.call import Call, DataNode, MutableParams, Params
from ..graph.call_sites import definition_site
from ..graph.declarations import declare
from ..graph.scope import current_scope, new_call
from .chosen import chosen_argument, one_of_each
from .input_sets import input_sets
from .lazy import Lazy
from .old import current_arguments
from .params import COMMON, REQUIRED, Chosen, Input, Old, Only, Param, PerSample, Static
from .size_hints import check_hint

__all__ = [
    "REQUIRED",
    "Chosen",
    "Input",
    "Old",
    "Only",
    "Operator",
    "Param",
    "PerSample",
    "Static",
    "declaration_of",
    "operator",
]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Operator:
    """An operator. Calling it adds it to a graph. Names, defaults and meaning are DALI's, if DALI has the operator.

    Attributes:
        name: unique; for operators of `fn` their name there, possibly with a suffix ("external_source.gpu").
        namespace: the module of jaxdali in which users find it, "fn" or "math"; empty if in none.
        display: how the user writes it, if not as a function.
        doc: what it does.
        inputs, params: what it takes.
        positional: parameters that may be given by position, behind the inputs.
        accepted: DALI's arguments that change no result, with the reason why they need no action.
        refused: DALI's arguments that are honoured with one value only.
        old: arguments that are deprecated in DALI.
        devices: where it can be placed.
        outputs: a function of its parameters that returns how many nodes it returns in a list, or the keys of a
            dictionary of them. None for a single node.
        keyed: `outputs` returns keys.
        more_outputs: it returns one more node for each optional input that is given.
        returns: describes the nodes that it returns.
        raises: errors beyond ConfigError, each with its reason.
        prepare: reads parameters that depend on one another, after each was read alone.
        check: `(display_name, inputs, params, device)`: raises ConfigError if they do not go together.
        is_random: it is random.
        source: for operators that produce data: `params and hints -> Source` of `operators.sources.source`.
        decoding: `call -> Decoding`, for operators that take files.
        reading: `call -> function`, which computes a tuple of outputs from a sample's first input. It is called where a
            source gave that sample, in workers, unless an argument is a node; for others there is `on_host`.
        sample_name_of: `call -> node`, the node whose sample names are this output, if a reader's host gives them; returns
            None if the operator computes the output.
        mixes: samples of the output are made from other samples of the batch.
        shows: of one that mixes: `(params, number of inputs, row) -> [(input, row), ...]`: which samples of its inputs that
            sample of the output shows; returns None if data decide.
        of_batch: what it makes of a sample depends on other samples of the batch: in a branch, on those that take it.
        each_frame: it is computed for each frame, if the layout of an input or of an argument begins with "F": the layout
            of frames of the output, or "" for that of the first input. None: only images and volumes have frames.
        keeps_extents: samples of the output have the extents of those of the first input, which may differ; or a
            function of the parameters that says so.
        joins: positions of inputs; each sample of the output is a sample of one of them, with its extents.
        lazy: its first input may be images that are not computed yet, whose recipe it extends; describes to plans what
            it does.
        limits: `(params, limits of each input) -> (least, largest)` of its numbers; returns None if they are not known
            beforehand.
        sized: `(params, inputs) -> nodes` that determine the sizes of results which nothing else limits beforehand: the
            host reads their numbers first.
        compute: `(context, *values, **params) -> value`, or a tuple of them, traced by JAX; nodes among the parameters
            have been replaced by arrays.
        on_host: `(call, samples of each operand, samples) -> samples of each output`, in place of `compute`: on NumPy
            arrays on the host, between two programs of the device.
        layouts: returns the layouts of those outputs from the parameters; None for that of the first input.
        describe: `call -> (values, usual values)` that distinguish calls, in place of their parameters.
        transparent: its output has the name of its input.
    """

    name: str
    namespace: str = "fn"
    display: str = ""
    doc: str = ""
    inputs: Sequence[Input] = ()
    params: Sequence[Param] = ()
    positional: Sequence[str] = ()
    accepted: Mapping[str, str] = dataclasses.field(default_factory=dict)
    refused: Mapping[str, Only] = dataclasses.field(default_factory=dict)
    old: Mapping[str, Old] = dataclasses.field(default_factory=dict)
    devices: Sequence[str] = ("cpu", "gpu")
    outputs: Callable[[Params], int | Sequence[str] | None] | None = None
    keyed: bool = False
    more_outputs: bool = False
    returns: str = ""
    raises: Mapping[str, str] = dataclasses.field(default_factory=dict)
    prepare: Callable[[MutableParams], MutableParams] | None = None
    check: Callable[[str, Sequence[DataNode], Params, str | None], None] | None = None
    is_random: bool = False
    source: Callable[[Params], Any] | None = None
    decoding: Callable[[Call], Any] | None = None
    reading: Callable[[Call], Reading] | None = None
    sample_name_of: Callable[[Call], DataNode | None] | None = None
    mixes: bool = False
    shows: Callable[[Params, int, int], Sequence[tuple[int, int]] | None] | None = None
    of_batch: bool = False
    each_frame: str | None = None
    keeps_extents: bool | Callable[[Params], bool] = False
    joins: Sequence[int] = ()
    lazy: Lazy | None = None
    limits: Callable[[Params, Sequence[tuple[float, float] | None]], tuple[float, float] | None] | None = None
    sized: Callable[[Params, Sequence[DataNode]], Sequence[DataNode]] | None = None
    compute: Callable[..., Any] | None = None
    on_host: Callable[..., Any] | None = None
    layouts: Callable[[Params], Sequence[str]] | None = None
    describe: Callable[[Call], tuple[Params, Params]] | None = None
    transparent: bool = False

    @property
    def display_name(self) -> str:
        """How the user writes it."""
        return self.display or (f"{self.namespace}.{self.name}" if self.namespace else self.name)

    def word(self, argument: str) -> str:
        """Returns an argument as it appears in errors: "fn.resize(size=)"."""
        return f"{self.display_name}({argument}=)"

    def follows_input(self, params: Params) -> bool:
        """Whether samples of the output have the extents of those of the first input, if there is one."""
        return self.keeps_extents(params) if callable(self.keeps_extents) else self.keeps_extents

    @property
    def arguments(self) -> list[str]:
        """The names of all arguments except DALI's old ones."""
        shown = [param.name for param in self.params if not param.hidden]
        return list(dict.fromkeys([*shown, *self.accepted, *self.refused, *COMMON]))

    def __call__(self, *inputs: object, **arguments: object) -> Any:
        """Adds the operator to the graph; returns its node, or a list of nodes.

        Raises:
            ConfigError: an argument cannot be honoured.
            ConfigKeyError: an argument is unknown.
            ConfigTypeError: an argument is missing, or of a wrong type.
            GraphTypeError: an input is not a node.
            SourceError: a file that a reader looks at cannot be read; it is also an OSError.
        """
        try:
            return self.add_to_graph(inputs, arguments)
        except ConfigError as error:
            error.add_note(f"in {self.display_name}, called at {definition_site()}")
            raise
        except OSError as error:  # of a file that a reader looks at
            if isinstance(error, JaxDaliError) or raised_by_handler(error):
                raise
            raise as_source_error(error, f"{error}, in {self.display_name}, called at {definition_site()}") from error

    def add_to_graph(self, inputs: Sequence[object], arguments: Params, first: Call | None = None) -> Any:
        """Returns what `__call__` returns; for several sets of inputs, lists with the node of each set.

        Args:
            first: a call with the same draws.
        """
        given = current_arguments(self, self.display_name, arguments)
        scope = current_scope()
        if scope is not None and scope.eager is not None and self.source is None:
            inputs, given = scope.eager.given(self, inputs, given)
        if self.source is None and (param := chosen_argument(self.params, given)) is not None:
            return one_of_each(
                self.word(param.name), param, given, lambda one, call: self.add_to_graph(inputs, one, call)
            )
        calls: list[Call] = []
        for nodes in input_sets(self.display_name, self.inputs, inputs, given):
            calls.append(self._make(nodes, dict(given), calls[0] if calls else first))
            given.pop("name", None)  # only the first call gets the name
        found = [self._returned(call) for call in calls]
        if len(found) == 1:
            return found[0]
        return [list(nodes) for nodes in zip(*found, strict=True)] if isinstance(found[0], list) else found

    def _returned(self, call: Call) -> Any:
        outputs = self._outputs(call.params, call.inputs)
        if outputs is None:
            return call.outputs[0]
        return list(call.outputs) if isinstance(outputs, int) else dict(zip(outputs, call.outputs, strict=True))

    def _make(self, nodes: Sequence[DataNode], given: MutableParams, first: Call | None) -> Call:
        """Makes the call; `first` is the call of the first set of inputs."""
        common = {name: given.pop(name) for name in COMMON if name in given and name not in self._by_name}
        check_hint(common.get("bytes_per_sample_hint"), 1)
        self._refuse(given)
        params, hints = self.read(given)
        device = common.get("device")
        if self.check is not None:
            self.check(self.display_name, nodes, params, device)
        return new_call(
            self,
            params,
            nodes,
            outputs=self._count(params, nodes),
            hints=hints,
            device=self._placement(device, nodes),
            name=common.get("name"),
            preserve=self._preserves(common.get("preserve", False)),
            source=self.source and self.source({**params, **hints}),
            first=first,
        )

    def from_saved(self, inputs: Sequence[DataNode], params: Params, hints: Params, device: str) -> Call:
        """Makes a call like a saved one, in no scope. Raises as `__call__`."""
        (nodes,) = input_sets(self.display_name, self.inputs, inputs, {})
        counted = {param.name for param in self.params if not param.hint}
        # An earlier version may have had fewer of them: the others are what they are if nobody gives them.
        if not params.keys() <= counted or not hints.keys() <= {*self._by_name, *self.accepted} - counted:
            raise ConfigError(
                f"{self.display_name} has the parameters {sorted(counted)}, got {sorted(params)} and {sorted(hints)}; a "
                f"later version may have more ({page_url('versions', 'what-is-saved')})"
            )
        read, hints = self.read({**params, **hints})
        if self.check is not None:
            self.check(self.display_name, nodes, read, device)
        placement = self._placement(device, nodes)
        source = self.source and self.source({**read, **hints})
        call = Call(operator=self, params=read, inputs=tuple(nodes), hints=hints, device=placement, source=source)
        call.add_outputs(self._count(read, nodes))
        return call

    def read(self, given: Params) -> tuple[MutableParams, MutableParams]:
        """Returns the parameters and the hints from arguments by name.

        Raises:
            ConfigError: an argument cannot be honoured, or is missing.
        """
        found = {param.name: self._read_one(param, given.get(param.name, param.default)) for param in self.params}
        if self.prepare is not None:
            found = self.prepare(found)
        hints = {param.name for param in self.params if param.hint}
        counted = {name: value for name, value in found.items() if name not in hints}
        return counted, {name: value for name, value in found.items() if name in hints and value is not None}

    def identity(self, call: Call) -> tuple[Params, Params]:
        """See `graph.declarations.Declared`."""
        if self.describe is not None:
            return self.describe(call)
        usual = [param for param in self.params if param.default is not REQUIRED]
        return call.params, {param.name: self._read_one(param, param.default) for param in usual}

    def unsaved(self, _call: Call) -> str | None:
        """Returns the reason why a call cannot be saved, or None if it can."""
        return None

    def _outputs(self, params: Params, inputs: Sequence[DataNode]) -> int | Sequence[str] | None:
        outputs = self.outputs and self.outputs(params)
        if not self.more_outputs:
            return outputs
        assert isinstance(outputs, int)
        found = outputs + len(inputs) - sum(not one.optional for one in self.inputs)
        return None if found == 1 else found

    def _count(self, params: Params, inputs: Sequence[DataNode]) -> int | None:
        outputs = self._outputs(params, inputs)
        return outputs if outputs is None or isinstance(outputs, int) else len(outputs)

    @property
    def _by_name(self) -> dict[str, Param]:
        return {param.name: param for param in self.params}

    def _read_one(self, param: Param, value: object) -> Any:
        if value is REQUIRED:
            return self._missing(param)
        if isinstance(value, Constant):
            value = value.value if value.kind is None or value.value.ndim else value.kind(value.value.item())
        if value is None:  # as in DALI, it means not given
            value = param.default
            if value is None or value is REQUIRED:
                return self._missing(param)
        if param.per_sample:
            value = _single(value)
            if isinstance(value, DataNode):
                return value
        elif isinstance(value, DataNode):
            hint = f"; {param.instead}" if param.instead else ""
            raise ConfigTypeError(
                f"{self.word(param.name)} must be known when the pipeline is defined, got {value!r}{hint}"
            )
        try:
            return param.kind.read(self.word(param.name), value)
        except GraphTypeError:  # of a node in a list
            meant = (
                "give one node for the whole list, such as fn.stack(a, b)"
                if param.per_sample
                else "a node has none yet"
            )
            raise ConfigTypeError(
                f"{self.word(param.name)} must be a list of numbers, got {value!r:.80}; {meant}"
            ) from None
        except ConfigError as error:
            if type(error) is not ConfigError or not param.kind.is_of_wrong_type(value):
                raise
            raise ConfigTypeError(str(error)) from error
        except (TypeError, ValueError, OverflowError) as error:  # such as NumPy's about lists of different lengths
            raise ConfigTypeError(f"{self.word(param.name)} cannot be {value!r:.80}: {error}") from error

    def _missing(self, param: Param) -> None:
        if param.default is REQUIRED:
            raise ConfigTypeError(f"{self.word(param.name)} is missing: {param.doc}")

    def _refuse(self, given: MutableParams) -> None:
        """Removes arguments that are not used, if their values are allowed."""
        for name in [name for name in given if name not in self._by_name]:
            value = given.pop(name)
            if name in self.accepted:
                continue
            if name not in self.refused:
                import difflib  # loaded here because every import of jaxdali.fn loads this file

                close = difflib.get_close_matches(name, self.arguments, 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                raise ConfigKeyError(f"{self.display_name} has no argument {name!r}{hint}")
            only = self.refused[name]
            if value is not None and (isinstance(value, DataNode) or not np.array_equal(value, only.value)):
                raise ConfigError(f"{self.display_name}({name}={value!r:.80}) is not supported: {only.alternative}")

    def _placement(self, device: object, inputs: Sequence[DataNode]) -> str:
        if device is None:
            on_gpu = len(self.devices) == 1 or (inputs and inputs[0].device in ("gpu", "mixed"))
            device = self.devices[-1] if on_gpu and self.devices[-1] == "gpu" else self.devices[0]
        if not isinstance(device, str) or device not in self.devices:
            hint = "" if len(self.devices) > 1 else f'; use device="{self.devices[0]}"'
            raise GraphError(
                f"device of {self.display_name} must be one of {', '.join(self.devices)}, got {device!r:.80}{hint}"
            )
        return device

    def _preserves(self, preserve: object) -> bool:
        if preserve is not None and not isinstance(preserve, bool):
            raise ConfigTypeError(f"{self.word('preserve')} must be True or False, got {preserve!r:.80}")
        if preserve and current_scope() is None:
            raise GraphError(
                f"{self.word('preserve')} keeps an operator in the pipeline that is being defined, but no pipeline is "
                "being defined: write it in the pipeline's function, or in a `with pipeline:` block"
            )
        return bool(preserve)


def _single(value: object) -> Any:
    """Replaces a list of one node by the node, as DALI does."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], DataNode):
        return value[0]
    return value


def declaration_of(call: Call) -> Operator:
    """Returns the declaration of a call's operator. Graphs know less of it than the code that plans or runs them."""
    assert isinstance(call.operator, Operator)
    return call.operator


def operator(
    name: str, *, kind: type[Operator] = Operator, **declared: Any
) -> Callable[[Callable[..., Any]], Operator]:
    """A decorator for an operator's computation. Declares the operator, as an instance of `kind` if it is written in a
    special way. The docstring is the operator's documentation.
    """

    def decorate(compute: Callable[..., Any]) -> Operator:
        return declare(kind(name=name, compute=compute, doc=compute.__doc__ or "", **declared))

    return decorate
