"""Functions whose branches have effects that matter to nobody, such as lines in a log. None is refused, or warned of."""

# ruff: noqa: B018, B028, B905, F841, RUF, SIM, UP
import collections
import datetime
import functools
import json
import logging
import math
import os
import pathlib
import random
import re
import sys
import threading
import time
import types
import warnings

import numpy as np

CASES = []


def case(f):
    CASES.append(f)
    return f


logger = logging.getLogger("cases")
CACHE = {}
TABLE = None
CALLS = 0
LOG = []
STATS = collections.Counter()
RNG = random.Random(0)
NRNG = np.random.default_rng(0)
BIG = [str(k) for k in range(5000)]
LOCK = threading.Lock()
PAT = re.compile("a")
HERE = pathlib.Path("/tmp/x")


@case
def printing(x, y):
    if x > 2:
        print("then", end="")
        r = x
    else:
        print("else", end="")
        r = y
    return r


@case
def logging_(x, y):
    if x > 2:
        logger.info("then %s", x)
        logging.debug("x")
        r = x
    else:
        logger.warning("else") if False else None
        r = y
    return r


@case
def log_level(x, y):
    if x > 2:
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("q")
        r = x
    else:
        r = y
    return r


@functools.lru_cache
def cached(n):
    return n * 2


@case
def lru(x, y):
    if x > 2:
        r = x + cached(3)
    else:
        r = y + cached(4)
    return r + cached(3)


def table(n):
    if n not in CACHE:
        CACHE[n] = np.arange(n)
    return CACHE[n]


@case
def dict_cache(x, y):
    if x > 2:
        r = x + int(table(4).sum())
    else:
        r = y
    return r + int(table(4)[1])


def lazy():
    global TABLE
    if TABLE is None:
        TABLE = np.arange(5)
    return TABLE


@case
def lazy_global(x, y):
    if x > 2:
        r = x + int(lazy()[2])
    else:
        r = y
    return r + int(lazy()[1])


class Lazy:
    def __init__(self):
        self._t = None
        self._c = {}

    @functools.cached_property
    def size(self):
        return 7

    def table(self):
        if self._t is None:
            self._t = np.arange(4)
        return self._t

    def get(self, n):
        try:
            return self._c[n]
        except KeyError:
            self._c[n] = n * 3
            return self._c[n]

    def named(self):
        if not hasattr(self, "_n"):
            self._n = 9
        return self._n

    def got(self, n):
        v = self._c.get(n)
        if v is None:
            v = n * 5
            self._c[n] = v
        return v


LAZY = Lazy()


@case
def cached_property(x, y):
    if x > 2:
        r = x + LAZY.size
    else:
        r = y
    return r + LAZY.size


@case
def lazy_attr(x, y):
    o = Lazy()
    if x > 2:
        r = x + int(o.table()[1])
    else:
        r = y
    return r + int(o.table()[2])


@case
def try_cache(x, y):
    if x > 2:
        r = x + LAZY.get(2)
    else:
        r = y
    return r + LAZY.get(2)


@case
def hasattr_cache(x, y):
    o = Lazy()
    if x > 2:
        r = x + o.named()
    else:
        r = y
    return r + o.named()


@case
def get_cache(x, y):
    o = Lazy()
    if x > 2:
        r = x + o.got(3)
    else:
        r = y
    return r + o.got(3)


def memo(f):
    store = {}

    @functools.wraps(f)
    def w(n):
        if n not in store:
            store[n] = f(n)
        return store[n]

    return w


@memo
def slow(n):
    return n + 1


@case
def closure_memo(x, y):
    if x > 2:
        r = x + slow(3)
    else:
        r = y
    return r + slow(3)


@case
def random_module(x, y):
    if x > 2:
        random.random()
        r = x
    else:
        random.shuffle([1, 2])
        r = y
    return r


@case
def random_object(x, y):
    if x > 2:
        RNG.random()
        r = x
    else:
        NRNG.integers(3)
        r = y
    return r


@case
def lazy_import(x, y):
    if x > 2:
        import fractions

        r = x + int(fractions.Fraction(2))
    else:
        import statistics

        r = y + int(statistics.mean([1, 1]))
    return r


@case
def lazy_import_inner(x, y):
    def half():
        from decimal import Decimal

        return int(Decimal(4))

    if x > 2:
        r = x + half()
    else:
        r = y
    return r


@case
def counter_global(x, y):
    global CALLS
    if x > 2:
        CALLS += 1
        r = x
    else:
        r = y
    return r


class Aug:
    def __init__(self):
        self.calls = 0
        self.names = []
        self.seen = set()
        self.times = {}

    def then(self, x):
        self.calls += 1
        self.names.append("then")
        self.seen.add("then")
        return x

    def otherwise(self, x):
        self.calls += 1
        self.times["otherwise"] = self.times.get("otherwise", 0) + 1
        return x


AUG = Aug()


@case
def counter_attr(x, y):
    if x > 2:
        r = AUG.then(x)
    else:
        r = AUG.otherwise(y)
    if y > 0:
        r = AUG.then(r)
    return r


@case
def counter_dict(x, y):
    if x > 2:
        STATS["then"] += 1
        r = x
    else:
        STATS["else"] += 1
        r = y
    return r


@case
def log_list(x, y):
    if x > 2:
        LOG.append("then")
        r = x
    else:
        r = y
    if y > 0:
        LOG.append("again")
    return r


@case
def timing(x, y):
    t = time.perf_counter()
    if x > 2:
        r = x
        dt = time.perf_counter() - t
    else:
        r = y
    return r


@case
def big_list(x, y):
    if x > 2:
        r = x + len(BIG[3])
    else:
        r = y
    return r


@case
def locked(x, y):
    if x > 2:
        with LOCK:
            r = x
    else:
        r = y
    return r


@case
def regex(x, y):
    if x > 2:
        r = x + len(PAT.findall("aa"))
    else:
        r = y + len(re.sub("a", "", "aa"))
    return r


@case
def path(x, y):
    if x > 2:
        r = x + len(str(HERE / "a"))
        HERE.name
    else:
        r = y + len(HERE.parts)
    return r


@case
def warn_filter(x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if x > 2:
            warnings.warn("then")
            r = x
        else:
            r = y
    return r


@case
def asserts(x, y):
    if x > 2:
        assert len(BIG) > 3, "no"
        r = x
    else:
        r = y
    return r


@case
def local_objects(x, y):
    if x > 2:
        a = [x]
        a.append(y)
        it = iter(a)
        r = next(it) + next(it)
    else:
        d = {}
        d["k"] = y
        r = d["k"]
    return r


@case
def inner_function(x, y):
    if x > 2:

        def f(a):
            return a + 1

        r = f(x)
    else:
        r = (lambda a: a * 2)(y)
    return r


@case
def generator_inside(x, y):
    if x > 2:
        r = sum(k for k in range(3)) + x
    else:
        r = max(k * 1 for k in [1, 2]) + y
    return r


@case
def for_loops(x, y):
    sizes = [1, 2, 3]
    if x > 2:
        r = x
        for k, s in enumerate(sizes):
            r = r + k * s
    else:
        r = y
        for a, b in zip(sizes, reversed(sizes)):
            r = r + a * b
    return r


@case
def try_inside(x, y):
    if x > 2:
        try:
            v = {}["k"]
        except KeyError:
            v = 1
        r = x + v
    else:
        r = y
    return r


@case
def json_(x, y):
    if x > 2:
        r = x + json.loads("[1]")[0]
    else:
        r = y + len(json.dumps({"a": 1}))
    return r


@case
def np_read(x, y):
    t = np.arange(5)
    if x > 2:
        r = x + int(t[2])
    else:
        r = y + int(t.max())
    return r


@case
def date(x, y):
    if x > 2:
        r = x + datetime.date(2020, 1, 2).day
    else:
        r = y + math.floor(2.5)
    return r


@case
def file_write(x, y):
    with open(os.devnull, "w") as f:
        if x > 2:
            f.write("then")
            print("x", file=f)
            r = x
        else:
            r = y
    return r


@case
def file_inside(x, y):
    if x > 2:
        with open(__file__) as f:
            r = x + len(f.readline())
    else:
        r = y
    return r


class Config(dict):
    pass


CFG = Config(scale=3, sizes=[1, 2])


@case
def config(x, y):
    if x > 2:
        r = x * CFG["scale"]
    else:
        r = y + CFG["sizes"][1]
    return r


@case
def function_counter(x, y):
    def helper(a):
        helper.calls += 1
        return a

    helper.calls = 0
    if x > 2:
        r = helper(x)
    else:
        r = helper(y)
    return r


@case
def stdout_write(x, y):
    if x > 2:
        sys.stdout.write("")
        sys.stdout.flush()
        r = x
    else:
        r = y
    return r


@case
def dataclass_replace(x, y):
    p = types.SimpleNamespace(a=1)
    if x > 2:
        r = x + p.a
    else:
        r = y + getattr(p, "b", 2)
    return r
