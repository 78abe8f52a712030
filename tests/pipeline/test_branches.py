"""A branch on a node is refused without `enable_conditionals=True`, or where no branch is possible: the error names the
construct, its line, and what to do instead.
"""

import re
import sys

import pytest

from jaxdali import ConfigError, Pipeline, fn, pipeline_def, types

OPTIONS = {"batch_size": 2, "seed": 1}

# From Python 3.12 on, the bytecode says which part of a condition was evaluated; before that, only which statement.
EXACT = sys.version_info >= (3, 12)


def if_statement(node, other):
    if node > 0.5:
        return other
    return node


def elif_statement(node, other):
    if other is None:
        return node
    elif node:
        return other
    return node


def while_statement(node, other):
    while node:
        return other


def assertion(node, other):
    assert node
    return other


def conditional_expression(node, other):
    return node if node < other else other


def conjunction(node, other):
    return node and other


def disjunction(node, other):
    return node or other


def negation(node, other):
    return not node, other


def conjunction_in_an_if(node, other):
    if node and other:
        return node
    return other


def chain(node, other):
    return 0 < node < other


def membership(node, other):
    return node in [other, 1]


def comprehension(node, other):
    return [other for _ in range(2) if node]


def cast(node, other):
    return bool(node), other


def function_that_asks(node, other):
    return max(node, other)


BRANCHES = {
    if_statement: "`if`",
    elif_statement: "`if`",
    while_statement: "`while`",
    assertion: "`assert`",
    conditional_expression: "`... if ... else ...`",
    conjunction: "`and`",
    disjunction: "`or`",
    negation: "`not`",
    conjunction_in_an_if: "`and`" if EXACT else "`if`",
    chain: "a chained comparison",
    membership: "`in`",
    comprehension: "`if` of a comprehension",
    cast: "`bool(...)`",
    function_that_asks: "`max(...)`",
}


def place_of(function):
    """Returns 'file:line' of the first line in the function that uses a node as a condition."""
    lines = {if_statement: 1, elif_statement: 3}
    return f"{__file__}:{function.__code__.co_firstlineno + lines.get(function, 1)}"


# Constructs that are refused even with `enable_conditionals=True`.
UNANSWERED = (while_statement, assertion, membership, comprehension, cast, function_that_asks)


@pytest.mark.parametrize(
    ("branch", "conditionals"),
    [*((branch, False) for branch in BRANCHES), *((branch, True) for branch in UNANSWERED)],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_branch_on_a_node_is_refused_by_its_name(branch, conditionals):
    @pipeline_def(enable_conditionals=conditionals, **OPTIONS)
    def mine():
        return branch(fn.random.uniform(), fn.random.uniform(range=(2, 3)))

    words = re.escape(f"{BRANCHES[branch]} at {place_of(branch)} asks whether DataNode(")
    with pytest.raises(
        ConfigError, match=words + ".*is true.*enable_conditionals=True.*compute both and select one"
    ) as error:
        mine()
    assert isinstance(error.value, TypeError), "as in DALI"


def test_a_branch_whose_source_is_not_at_hand():
    with pytest.raises(TypeError, match=r"^a test at <string>:1 asks whether DataNode"):
        eval("node and 1", {"node": fn.random.uniform()})


def test_branches_on_python_values_are_python_s():
    @pipeline_def(enable_conditionals=True, **OPTIONS)
    def mine(flip):
        draw = fn.random.uniform(range=(5, 6))
        if flip and draw is not None:
            draw = draw * 0
        return draw if not flip else draw + 1

    (draws,) = mine(True).run()
    assert draws.as_array().tolist() == [1, 1]
    (draws,) = mine(False, enable_conditionals=True).run()
    assert (draws.as_array() >= 5).all()


@pytest.mark.parametrize("at_the_call", [False, True])
def test_enable_conditionals_is_a_switch(at_the_call):
    with pytest.raises(ConfigError, match="enable_conditionals must be True or False, got 'yes'"):
        if at_the_call:
            pipeline_def(lambda: 1, **OPTIONS)(enable_conditionals="yes")
        else:
            pipeline_def(enable_conditionals="yes", **OPTIONS)


def test_a_function_may_have_an_argument_of_that_name():
    (found,) = pipeline_def(lambda enable_conditionals: enable_conditionals + 1, **OPTIONS)(enable_conditionals=2).run()
    assert found.as_array().tolist() == [3, 3]


@pytest.mark.parametrize("heads", [0.0, 1.0])
def test_what_the_error_advises(heads):
    """Runs the advice: `c * a + (1 - c) * b`, and `c ^ True` in place of `not c` for BOOL."""

    @pipeline_def(**OPTIONS)
    def mine():
        number = fn.random.coin_flip(probability=heads)
        truth = fn.random.coin_flip(probability=heads, dtype=types.BOOL)
        return number * 10 + (1 - number) * 20, truth * 10 + (truth ^ True) * 20

    wanted = [10 if heads else 20] * 2
    assert [output.as_array().tolist() for output in mine().run()] == [wanted, wanted]


def test_a_pipeline_that_is_empty_to_python_is_a_pipeline():
    class Sized(Pipeline):
        def __len__(self):
            return 0

        def __eq__(self, other):
            raise AssertionError("pipelines are not compared")

        __hash__ = Pipeline.__hash__

        def define_graph(self):
            assert Pipeline.current() is self
            return fn.random.uniform(name="mine"), 7

    pipe = Sized(**OPTIONS)
    assert not pipe
    assert len(pipe.run()) == 2
