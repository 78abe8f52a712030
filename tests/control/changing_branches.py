"""Functions whose branches change objects. Each is called with two numbers, and with two nodes."""

# ruff: noqa: B006, B010, B905, RUF, SIM, UP
import argparse
import array
import collections
import csv
import dataclasses
import enum
import functools
import heapq
import io
import itertools
import operator
import queue
import re
import types
import weakref

import numpy as np

CASES = []


def case(f):
    CASES.append(f)
    return f


G = 0
GL = [0]
GD = {}


class Box:
    total = 0

    def __init__(self, v):
        self.v = v

    def inc(self):
        self.v = self.v + 1
        return self

    def push(self, a):
        self.v.append(a)

    def __setitem__(self, k, a):
        self.v = a * k

    def __iadd__(self, o):
        self.v = self.v + o
        return self

    def __call__(self, a):
        self.v = a

    @property
    def w(self):
        return self.v * 2

    @w.setter
    def w(self, a):
        self.v = a


class Slots:
    __slots__ = ("_Slots__p", "v")

    def __init__(self, v):
        self.v = v


class Deep:
    def __init__(self, v):
        self.a = types.SimpleNamespace(b=[{"c": (Box(v),)}])


@dataclasses.dataclass
class Data:
    v: object = 0


@dataclasses.dataclass(frozen=True)
class Frozen:
    v: object = 0


@dataclasses.dataclass(slots=True)
class DataSlots:
    v: object = 0


class MyList(list):
    tag = 0


class MyDict(dict):
    def __getattr__(self, k):
        return self[k]

    def __setattr__(self, k, v):
        self[k] = v


class Kind(enum.Enum):
    A = 1


@case
def slots(x, y):
    b = Slots(y)
    if x > 2:
        b.v = x
    return b.v


@case
def deep(x, y):
    d = Deep(y)
    if x > 2:
        d.a.b[0]["c"][0].v = x * 3
    return d.a.b[0]["c"][0].v


@case
def method(x, y):
    b = Box(y)
    if x > 2:
        b.inc()
    return b.v


@case
def methods_both(x, y):
    b = Box(y)
    if x > 2:
        b.inc().inc()
    else:
        b.inc()
    return b.v


@case
def prop(x, y):
    b = Box(y)
    if x > 2:
        b.w = x
    return b.w


@case
def setitem(x, y):
    b = Box(y)
    if x > 2:
        b[3] = x
    return b.v


@case
def inplace(x, y):
    b = Box(y)
    if x > 2:
        b += 5
    return b.v


@case
def calls(x, y):
    b = Box(y)
    if x > 2:
        b(x)
    return b.v


@case
def set_attr(x, y):
    b = Box(y)
    if x > 2:
        setattr(b, "v", x)
    return b.v


@case
def vars_(x, y):
    b = Box(y)
    if x > 2:
        vars(b)["v"] = x
    return b.v


@case
def dunder_dict(x, y):
    b = Box(y)
    if x > 2:
        b.__dict__.update(v=x)
    return b.v


@case
def new_attr(x, y):
    b = Box(y)
    if x > 2:
        b.z = x
    else:
        b.z = y
    return b.z


@case
def new_attr_one(x, y):
    b = Box(y)
    if x > 2:
        b.z = x
    return getattr(b, "z", y)


@case
def del_attr(x, y):
    b = Box(y)
    if x > 2:
        del b.v
    return getattr(b, "v", x)


@case
def class_attr(x, y):
    Box.total = y
    if x > 2:
        Box.total = x
    return Box.total


@case
def class_attr_method(x, y):
    class C:
        n = 0

        @classmethod
        def up(cls, a):
            cls.n = a

    C.n = y
    if x > 2:
        C.up(x)
    return C.n


@case
def dataclass(x, y):
    d = Data(y)
    if x > 2:
        d.v = x
    return d.v


@case
def frozen(x, y):
    d = Frozen(y)
    if x > 2:
        object.__setattr__(d, "v", x)
    return d.v


@case
def data_slots(x, y):
    d = DataSlots(y)
    if x > 2:
        d.v = x
    return d.v


@case
def deque_(x, y):
    a = collections.deque([x, y])
    if x > 2:
        a[0] = y * 9
    return a[0]


@case
def deque_rotate(x, y):
    a = collections.deque([x, y, x * 2])
    if x > 2:
        a.rotate(1)
    return a[0]


@case
def deque_maxlen(x, y):
    a = collections.deque([x, y], maxlen=2)
    if x > 2:
        a.append(x * 7)
    else:
        a.append(y)
    return a[1]


@case
def deque_pop(x, y):
    a = collections.deque([x, y, x + y])
    if x > 2:
        a.popleft()
    else:
        a.pop()
    return a[0] * 10 + a[1]


@case
def defaultdict_(x, y):
    a = collections.defaultdict(lambda: 0)
    a["k"] = y
    if x > 2:
        a["k"] += x
    return a["k"]


@case
def defaultdict_list(x, y):
    a = collections.defaultdict(list)
    if x > 2:
        a["k"].append(x)
    else:
        a["k"].append(y)
    return a["k"][0]


@case
def counter(x, y):
    c = collections.Counter(a=1)
    if x > 2:
        c["a"] += 4
    return x + c["a"]


@case
def counter_update(x, y):
    c = collections.Counter(a=1)
    if x > 2:
        c.update(a=4)
    return x + c["a"]


@case
def ordered(x, y):
    d = collections.OrderedDict(a=x, b=y)
    if x > 2:
        d.move_to_end("a")
    return next(iter(d.values()))


@case
def dict_reorder(x, y):
    d = {"a": x, "b": y}
    if x > 2:
        d["a"] = d.pop("a")
    values = [*d.values()]
    return values[0]


@case
def dict_new(x, y):
    d = {}
    if x > 2:
        d["a"] = x
    return d.get("a", y)


@case
def dict_pop(x, y):
    d = {"a": x}
    if x > 2:
        d.pop("a")
    return d.get("a", y)


@case
def dict_len(x, y):
    d = {}
    if x > 2:
        d["a"] = 1
    return x + len(d)


@case
def dict_in(x, y):
    d = {}
    if x > 2:
        d["a"] = 1
    return x + ("a" in d)


@case
def mydict(x, y):
    d = MyDict(a=y)
    if x > 2:
        d.a = x
    return d.a


@case
def chainmap(x, y):
    c = collections.ChainMap({}, {"a": y})
    if x > 2:
        c["a"] = x
    else:
        c["a"] = y * 2
    return c["a"]


@case
def userdict(x, y):
    c = collections.UserDict(a=y)
    if x > 2:
        c["a"] = x
    return c["a"]


@case
def userlist(x, y):
    c = collections.UserList([y])
    if x > 2:
        c[0] = x
    return c[0]


@case
def namespace(x, y):
    n = types.SimpleNamespace(a=y)
    if x > 2:
        n.a = x
    return n.a


@case
def arg_namespace(x, y):
    n = argparse.Namespace(a=y)
    if x > 2:
        n.a = x
    return n.a


@case
def proxy(x, y):
    d = {"a": y}
    p = types.MappingProxyType(d)
    if x > 2:
        d["a"] = x
    return p["a"]


@case
def mylist(x, y):
    a = MyList([y])
    a.tag = y
    if x > 2:
        a[0] = x
        a.tag = x
    return a[0] + a.tag


@case
def list_slice(x, y):
    a = [x, y, x + y]
    if x > 2:
        a[:2] = [y * 3, x * 3]
    return a[0]


@case
def list_sort(x, y):
    a = [3, 1, 2]
    if x > 2:
        a.sort()
    return x + a[0]


@case
def list_reverse(x, y):
    a = [x, y]
    if x > 2:
        a.reverse()
    return a[0]


@case
def list_len(x, y):
    a = []
    if x > 2:
        a.append(1)
    return x + len(a)


@case
def list_deep(x, y):
    a = [[[[[[[x]]]]]]]
    if x > 2:
        a[0][0][0][0][0][0][0] = y * 9
    return a[0][0][0][0][0][0][0]


@case
def heap(x, y):
    h = [1, 5, 9]
    if x > 2:
        heapq.heapreplace(h, 7)
    return x + h[0]


@case
def set_(x, y):
    s = {1}
    if x > 2:
        s.add(2)
    return x + len(s)


@case
def set_both(x, y):
    s = {1}
    if x > 2:
        s.add(2)
    else:
        s.add(2)
    return x + len(s)


@case
def np_obj(x, y):
    a = np.empty(2, object)
    a[0] = x
    if x > 2:
        a[0] = y * 9
    return a[0]


@case
def np_num(x, y):
    a = np.zeros(2, np.int32)
    if x > 2:
        a[0] = 5
    return x + int(a[0])


@case
def np_view(x, y):
    a = np.zeros(2, np.int32)
    v = a[1:]
    if x > 2:
        v[0] = 5
    return x + int(a[1])


@case
def np_same(x, y):
    a = np.zeros(2, np.int32)
    if x > 2:
        a[0] = 5
    else:
        a[0] = 5
    return x + int(a[0])


@case
def bytearray_(x, y):
    b = bytearray(b"\0")
    if x > 2:
        b[0] = 3
    return x + b[0]


@case
def array_(x, y):
    b = array.array("i", [0])
    if x > 2:
        b[0] = 3
    return x + b[0]


@case
def memory(x, y):
    raw = bytearray(b"\0")
    b = memoryview(raw)
    if x > 2:
        b[0] = 3
    return x + raw[0]


@case
def stringio(x, y):
    b = io.StringIO()
    if x > 2:
        b.write("abc")
    return x + len(b.getvalue())


@case
def iter_next(x, y):
    it = iter([x, y, x + y])
    if x > 2:
        r = next(it)
    else:
        r = next(it)
    return r


@case
def iter_list(x, y):
    it = iter([x, y])
    if x > 2:
        found = list(it)
        r = found[0]
    else:
        r = 0
    return r


@case
def iter_for(x, y):
    it = iter([x, y])
    r = x
    if x > 2:
        for v in it:
            r = r + v
    return r


@case
def iter_zip(x, y):
    it = zip([1, 2], [3, 4])
    r = x
    if x > 2:
        a, _ = next(it)
        r = r + a
    return r + next(it)[0]


@case
def iter_enum(x, y):
    it = enumerate([1, 2, 3])
    r = x
    if x > 2:
        r = r + it.__next__()[1]
    return r + next(it)[1]


@case
def iter_count(x, y):
    it = itertools.count()
    r = x
    if x > 2:
        r = r + next(it)
    return r + next(it)


@case
def iter_unpack(x, y):
    it = iter([1, 2, 3, 4])
    r = x
    if x > 2:
        a, *_ = it
        r = r + a
    return r + len(list(it))


@case
def iter_cycle(x, y):
    it = itertools.cycle([1, 2])
    r = x
    if x > 2:
        r = r + next(it)
    return r + next(it)


@case
def iter_perm(x, y):
    it = itertools.permutations([1, 2, 3])
    r = x
    if x > 2:
        r = r + next(it)[0]
    return r + next(it)[1]


@case
def iter_finditer(x, y):
    it = re.finditer("a", "aaa")
    r = x
    if x > 2:
        r = r + next(it).start()
    return r + next(it).start()


@case
def iter_callable(x, y):
    v = [0]

    def f():
        v[0] += 1
        return v[0]

    it = iter(f, 99)
    r = x
    if x > 2:
        r = r + next(it)
    return r + next(it)


@case
def iter_csv(x, y):
    it = csv.reader(io.StringIO("1\n2\n3\n"))
    r = x
    if x > 2:
        r = r + int(next(it)[0])
    return r + int(next(it)[0])


@case
def gen(x, y):
    def g():
        yield 1
        yield 2

    it = g()
    r = x
    if x > 2:
        r = r + next(it)
    return r + next(it)


@case
def gen_send(x, y):
    def g():
        v = 1
        while True:
            v = yield v

    it = g()
    next(it)
    r = x
    if x > 2:
        r = r + it.send(5)
    return r + it.send(6)


@case
def own_iterator(x, y):
    class It:
        def __init__(self):
            self.i = 0

        def __iter__(self):
            return self

        def __next__(self):
            self.i += 1
            return self.i

    it = It()
    r = x
    if x > 2:
        r = r + next(it)
    return r + next(it)


@case
def file_read(x, y):
    f = open(__file__)
    r = x
    if x > 2:
        r = r + len(f.read(3))
    return r + len(f.read(1))


@case
def file_lines(x, y):
    f = open(__file__, "rb")
    r = x
    if x > 2:
        r = r + len(f.readline())
    return r + len(f.readline())


@case
def queue_(x, y):
    q = queue.Queue()
    q.put(y)
    q.put(x)
    if x > 2:
        r = q.get()
    else:
        r = x
    return r + q.qsize()


@case
def global_(x, y):
    global G
    G = y
    if x > 2:
        G = x
    return G


@case
def global_list(x, y):
    GL[0] = y
    if x > 2:
        GL[0] = x * 2
    return GL[0]


def bump(a):
    global G
    G = a


@case
def global_helper(x, y):
    global G
    G = y
    if x > 2:
        bump(x)
    return G


@case
def global_dict(x, y):
    GD["k"] = y
    if x > 2:
        GD.update(k=x)
    return GD["k"]


@case
def global_dict_new(x, y):
    GD.clear()
    if x > 2:
        GD["n"] = 5
    return x + GD.get("n", 0)


@case
def globals_call(x, y):
    globals()["G"] = y
    if x > 2:
        globals()["G"] = x
    return G


@case
def closure(x, y):
    n = y

    def up(a):
        nonlocal n
        n = n + a

    if x > 2:
        up(x)
    return n


@case
def closure_list(x, y):
    n = [y]

    def up(a):
        n[0] = a

    if x > 2:
        up(x)
    return n[0]


def make_counter():
    c = 0

    def up():
        nonlocal c
        c += 1
        return c

    return up


@case
def closure_counter(x, y):
    up = make_counter()
    r = x
    if x > 2:
        r = r + up()
    return r + up()


def default(a, store=[0]):
    store[0] = a
    return store


@case
def default_arg(x, y):
    s = default(y)
    if x > 2:
        default(x)
    return s[0]


def attr_fn(a):
    attr_fn.v = a


@case
def function_attr(x, y):
    attr_fn.v = y
    if x > 2:
        attr_fn(x)
    return attr_fn.v


@case
def partial(x, y):
    store = [y]
    f = functools.partial(store.__setitem__, 0)
    if x > 2:
        f(x)
    return store[0]


@case
def bound_append(x, y):
    a = [y]
    put = a.append
    if x > 2:
        put(x)
    else:
        put(y)
    return a[1]


@case
def op_setitem(x, y):
    a = [y]
    if x > 2:
        operator.setitem(a, 0, x)
    return a[0]


@case
def weak(x, y):
    b = Box(y)
    r = weakref.ref(b)
    if x > 2:
        r().v = x
    return b.v


@case
def namedtuple_(x, y):
    P = collections.namedtuple("P", "a b")
    p = P([x], [y])
    if x > 2:
        p.a[0] = y * 9
    return p.a[0]


@case
def aliased(x, y):
    a = [y]
    b = Box(a)
    if x > 2:
        b.v[0] = x
    return a[0]


@case
def attr_list_len(x, y):
    b = Box([])
    if x > 2:
        b.push(1)
    return x + len(b.v)


@case
def cell_list(x, y):
    b = Box([0])
    if x > 2:
        b.v = [x]
    else:
        b.v = [y]
    return b.v[0]


@case
def ifexp_effect(x, y):
    b = Box(y)
    r = b.inc().v if x > 2 else x
    return r + b.v


@case
def and_effect(x, y):
    a = [y]

    def touch():
        a[0] = a[0] + 10
        return True

    (x > 2) and touch()
    return a[0]


@case
def or_effect(x, y):
    b = Box(y)

    def touch():
        b.inc()
        return True

    (x > 2) or touch()
    return b.v


@case
def caught(x, y):
    try:
        if x > 2:
            raise ValueError
        r = x
    except ValueError:
        r = x * 10
    return r


def raiser(x):
    if x > 2:
        raise KeyError
    return x


@case
def caught_outer(x, y):
    try:
        r = raiser(x)
    except KeyError:
        r = y * 10
    return r


@case
def nested(x, y):
    b = Box([y, y])
    if x > 2:
        b.v[0] = x
        if y > 1:
            b.v[1] = b.v[0] * 2
    elif y > 0:
        b.v[1] = 7
    return b.v[0] * 100 + b.v[1]


@case
def elif_state(x, y):
    d = {"n": 0}
    if x > 3:
        d["n"] += 1
    elif x > 1:
        d["n"] += 10
    else:
        d["n"] += 100
    return x + d["n"]


@case
def loop_state(x, y):
    b = Box(0)
    for k in range(4):
        if x > k:
            b.v = b.v + k
    return b.v + x


class M:
    def __secret(self, x):
        return x * 3 if x > 2 else x

    def go(self, x):
        __hidden = x
        if x > 2:
            __hidden = __hidden + 5
        else:
            __hidden = self.__secret(x)

        def inner(a):
            __q = a
            if a > 2:
                __q = self.__secret(a) + 1
            return __q

        return __hidden + inner(x)

    def attr(self, x):
        self.__a = x
        if x > 2:
            self.__a = x * 2
        return self.__a


@case
def mangled(x, y):
    return M().go(x)


@case
def mangled_attr(x, y):
    return M().attr(x)


@case
def exec_(x, y):
    d = {"v": y}
    if x > 2:
        exec("v = 5", d)
    return x + d["v"]


@case
def ctx(x, y):
    b = Box(y)

    class C:
        def __enter__(self):
            b.v = x
            return self

        def __exit__(self, *a):
            pass

    if x > 2:
        with C():
            pass
    return b.v


@case
def comp(x, y):
    a = [y, y]
    if x > 2:
        [a.__setitem__(k, x) for k in range(2)]
    return a[0] + a[1]


@case
def enum_attr(x, y):
    Kind.A.note = y
    if x > 2:
        Kind.A.note = x
    return Kind.A.note


@case
def module_attr(x, y):
    import sys

    me = sys.modules[__name__]
    me.G = y
    if x > 2:
        me.G = x
    return G
