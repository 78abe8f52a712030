"""What branches on nodes do to objects: what plain Python would leave for each sample, or an error, never one for all."""

from __future__ import annotations

import warnings

import changing_branches
import harmless_branches
import numpy as np
import odd_branches
import pytest

from jaxdali import GraphError, fn, pipeline_def

PAIRS = [(x, y) for x in range(6) for y in range(3)]
# What has no value for each sample is refused, in these words.
REFUSED = {
    "is set in one branch only of the `if`": {
        *("new_attr_one", "del_attr", "dict_new", "dict_pop", "dict_len", "dict_in", "global_dict_new"),
    },
    "entries of a dictionary in different orders": {"ordered", "dict_reorder"},
    "is changed differently in the branches of the `if`": {
        *("list_len", "set_", "np_num", "np_view", "bytearray_", "array_", "memory", "stringio", "queue_", "attr_list_len"),
    },
    "older than the branch: it cannot be put back": {
        *("iter_next", "iter_list", "iter_for", "iter_zip", "iter_enum", "iter_count", "iter_unpack", "iter_cycle"),
        *("iter_perm", "iter_finditer", "iter_callable", "iter_csv", "gen", "gen_send", "file_read", "file_lines"),
    },
    "sample|branch": {  # in various words
        *("alias_list_len", "alias_global", "alias_tuple", "alias_iter", "kept_first_wins_one", "weak_set"),
        *("finditer_islice", "init_subclass", "u_is_none", "u_isinstance", "u_match_none"),
        *("u_fstring", "u_get_table", "u_in_set", "u_set_add", "u_alias_ifexp", "u_sel_copy", "u_not_dict"),
        *("u_star_dict", "u_enumerate", "u_userdict", "u_pop_none", "u_is_true", "u_while_dict"),
        *("u_getattr_none", "mode_str", "opt_return", "unread_two_places", "callee_self_list"),
    },
    "an exception leaves a branch of the `if`": {"caught"},
    "an exception left a branch of the `if`": {"caught_outer"},
}  # fmt: skip
WORDS = {name: words for words, names in REFUSED.items() for name in names}


def defined(functions):
    @pipeline_def(batch_size=len(PAIRS), enable_conditionals=True, prefetch_queue_depth=1, seed=1)
    def define():
        x, y = fn.external_source(lambda: tuple(np.int32(PAIRS).T), num_outputs=2)
        return tuple(function(x, y) for function in functions)

    return define()


def in_python(function):
    return [int(function(np.int32(x), np.int32(y))) for x, y in PAIRS]


def in_pipeline(functions):
    """Returns what each function gives for each pair, defined in one pipeline."""
    with defined(functions) as pipe:
        return {
            function.__name__: [int(np.asarray(output.at(row))) for row in range(len(PAIRS))]
            for function, output in zip(functions, pipe.run(), strict=True)
        }


@pytest.mark.filterwarnings("ignore:the external_source:UserWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_each_sample_sees_what_its_branches_change():
    several = [*changing_branches.CASES, *odd_branches.CASES]
    functions = [function for function in several if function.__name__ not in WORDS]
    expected = {function.__name__: in_python(function) for function in functions}
    assert in_pipeline(functions) == expected


@pytest.mark.parametrize("name", sorted(WORDS))
@pytest.mark.filterwarnings("ignore:the external_source:UserWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_has_no_value_for_each_sample_is_refused(name):
    with pytest.raises(GraphError, match=WORDS[name]):
        defined([getattr(changing_branches, name, None) or getattr(odd_branches, name)])


@pytest.mark.filterwarnings("ignore:the external_source:UserWarning")
def test_effects_that_matter_to_nobody_are_left_alone():
    """Also in a second pipeline, which finds what the first has kept and counted."""
    found = [in_pipeline(harmless_branches.CASES) for _ in range(2)]  # first, while nothing is kept yet
    expected = {function.__name__: in_python(function) for function in harmless_branches.CASES}
    assert found == [expected, expected]
    left = [*vars(harmless_branches).values(), *vars(harmless_branches.AUG).values(), *harmless_branches.STATS.values()]
    assert "DataNode" not in repr(left)


class Held:
    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    "large", [[Held(k) for k in range(11_000)], np.zeros(65 << 20, np.uint8)], ids=["many", "bytes"]
)
def test_what_is_too_large_to_be_searched_is_named_once(large):
    def mine(x):
        for _ in range(2):
            if x > 1:
                x = x + int(large[0] is large)
        return x

    @pipeline_def(batch_size=4, enable_conditionals=True)
    def define():
        return mine(fn.external_source(lambda: [np.int32(k) for k in range(4)]))

    with pytest.warns(UserWarning, match="reachable from `large` than are searched") as caught:
        define()
    assert len(caught) == 1


def test_a_long_list_of_plain_values_is_no_reason_for_a_warning():
    names = [str(k) for k in range(20_000)]

    def mine(x):
        if x > 1:
            x = x + len(names[3])
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @pipeline_def(batch_size=4, enable_conditionals=True)
        def define():
            return mine(fn.external_source(lambda: [np.int32(k) for k in range(4)]))

        define()
