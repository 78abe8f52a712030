"""Functions whose branches do odder things to objects; see `changing_branches`."""

# ruff: noqa: E741, F841, RUF, SIM, UP

import collections
import contextlib
import copy
import functools
import itertools
import re
import sys
import weakref

import numpy as np

CASES = []


def case(f):
    CASES.append(f)
    return f


G = 0


class Box:
    total = 0
    items = [0]  # noqa: RUF012

    def __init__(self, v):
        self.v = v

    def inc(self):
        self.v = self.v + 1
        return self

    def setg(self, a):
        global G
        G = a


@case
def alias_list_len(x, y):
    a = []
    b = Box(a)
    if x > 2:
        b.v.append(1)
    return x + len(a)


LOGG = []


@case
def alias_global(x, y):
    LOGG.clear()
    l = LOGG

    def rec():
        LOGG.append(1)

    if x > 2:
        rec()
    return x + len(l)


@case
def alias_tuple(x, y):
    a = set()
    b = Box((a, 1))
    if x > 2:
        b.v[0].add(5)
    return x + len(a)


@case
def alias_iter(x, y):
    a = []
    b = Box(a)
    it = iter(a)
    if x > 2:
        b.v.append(1)
    return x + len(list(it))


class First:
    def __init__(self):
        self._t = None
        self.c = {}

    def get(self, n):
        if self._t is None:
            self._t = n
        return self._t

    def by(self, k, n):
        if k not in self.c:
            self.c[k] = n
        return self.c[k]


@case
def kept_first_wins_one(x, y):
    o = First()
    if x > 2:
        o.get(3)
    return x + o.get(5)


@case
def weak_set(x, y):
    d = weakref.WeakSet()
    b = Box(1)
    if x > 2:
        d.add(b)
    return x + len(d)


@case
def finditer_islice(x, y):
    it = re.finditer("a", "aaa")
    if x > 2:
        list(itertools.islice(it, 1))
    return x + next(it).start()


@case
def dict_keys_obj(x, y):
    b = Box(y)
    d = {b: 1}
    if x > 2:
        for k in d:
            k.v = x
    return b.v


@case
def set_members(x, y):
    b = Box(y)
    s = {b}
    if x > 2:
        for k in s:
            k.v = x
    return b.v


GSET = [0]


@contextlib.contextmanager
def cm(v):
    GSET[0] = v
    yield


@case
def ctx_manager(x, y):
    GSET[0] = y
    if x > 2:
        with cm(x):
            pass
    return GSET[0]


@functools.singledispatch
def put(o, v):
    pass


@case
def single_dispatch(x, y):
    GSET[0] = y
    b = Box(1)
    if x > 2:
        put(b, x)
    return GSET[0]


@case
def getattr_method(x, y):
    global G
    G = y
    b = Box(1)
    if x > 2:
        b.setg(x)
    return G


@case
def setattr_class(x, y):
    Box.total = y
    if x > 2:
        Box.total = x
    return Box.total


@case
def vars_class_list(x, y):
    Box.items[0] = y
    if x > 2:
        vars(Box)["items"][0] = x
    return Box.items[0]


GL = [0]


@case
def globals_list(x, y):
    GL[0] = y
    if x > 2:
        globals()["GL"][0] = x
    return GL[0]


@case
def modules_list(x, y):
    GL[0] = y
    if x > 2:
        me = sys.modules[__name__]
        me.GL[0] = x
    return GL[0]


class Meta(type):
    def up(cls, a):
        cls.n = a

    def __getattr__(cls, k):
        return 0

    def __setitem__(cls, k, a):
        cls.n = a


class WithMeta(metaclass=Meta):
    n = 0


@case
def meta_method(x, y):
    WithMeta.n = y
    if x > 2:
        WithMeta.up(x)
    return WithMeta.n


class Desc:
    def __set__(self, o, v):
        GSET[0] = v

    def __get__(self, o, t):
        return GSET[0]


class WithDesc:
    w = Desc()


@case
def desc_set(x, y):
    p = WithDesc()
    p.w = y
    if x > 2:
        p.w = x
    return p.w


class Reg:
    reg = []  # noqa: RUF012

    def __init_subclass__(cls):
        Reg.reg.append(1)


@case
def init_subclass(x, y):
    Reg.reg.clear()
    if x > 2:

        class P(Reg):
            pass

    return x + len(Reg.reg)


class CGI:
    n = 0

    def __class_getitem__(cls, k):
        cls.n = k
        return cls


@case
def class_getitem(x, y):
    CGI.n = 1
    if x > 2:
        CGI[5]
    return x + CGI.n


class P:
    __n = 0

    def go(self, x, y):
        P.__n = y
        if x > 2:
            P.__n = x
        return P.__n

    def go2(self, x, y):
        type(self).__n = y
        if x > 2:
            type(self).__n = x
        return P.__n


@case
def private_class(x, y):
    return P().go(x, y)


__hidden_total = 0


@case
def dunder_global(x, y):
    global __hidden_total
    __hidden_total = y
    if x > 2:
        __hidden_total = x
    return __hidden_total


class Tag(str):
    pass


@case
def str_sub(x, y):
    t = Tag("a")
    t.n = y
    if x > 2:
        t.n = x
    return t.n


class Arr(np.ndarray):
    pass


@case
def nd_sub(x, y):
    t = np.zeros(2).view(Arr)
    t.n = y
    if x > 2:
        t.n = x
    return t.n


@case
def u_is_none(x, y):
    if x > 2:
        v = None
    else:
        v = x
    return x if v is None else y


@case
def u_isinstance(x, y):
    if x > 2:
        v = None
    else:
        v = x
    return x if isinstance(v, type(None)) else y


@case
def u_match_none(x, y):
    if x > 2:
        v = None
    else:
        v = x
    match v:
        case None:
            return x
        case _:
            return y


@case
def u_fstring(x, y):
    if x > 2:
        v = "a"
    else:
        v = "bb"
    return x + len(f"{v}")


@case
def u_get_table(x, y):
    if x > 2:
        mode = "a"
    else:
        mode = "b"
    return x + {"a": 1, "b": 2}.get(mode, 0)


@case
def u_in_set(x, y):
    if x > 2:
        mode = "a"
    else:
        mode = "b"
    return x + (10 if mode in {"a", "c"} else 0)


@case
def u_set_add(x, y):
    if x > 2:
        v = "a"
    else:
        v = "b"
    s = {"a"}
    s.add(v)
    return x + len(s)


@case
def u_alias_ifexp(x, y):
    a, b = ([y], [y])
    v = a if x > 2 else b
    v[0] = 9
    return a[0]


@case
def u_sel_copy(x, y):
    a = [y]
    if x > 2:
        v = a
    else:
        v = list(a)
    v[0] = 9
    return a[0]


@case
def u_not_dict(x, y):
    d = {}
    if x > 2:
        d["a"] = 1
    return x if not d else y


@case
def u_star_dict(x, y):
    d = {}
    if x > 2:
        d["a"] = 1
    return x + len([*d])


@functools.singledispatch
def sd(o, x):
    return x


@sd.register(str)
def _(o, x):
    return x if x > 2 else x * 0


@case
def u_enumerate(x, y):
    d = {}
    r = x
    if x > 2:
        d["a"] = 1
    for _ in enumerate(d):
        r = r + 1
    return r


@case
def u_userdict(x, y):
    d = collections.UserDict()
    if x > 2:
        d["a"] = 1
    return x + len(d)


@case
def u_pop_none(x, y):
    d = {}
    if x > 2:
        d["a"] = 1
    return x if d.pop("a", None) is None else y


@case
def u_is_true(x, y):
    f = False
    if x > 2:
        f = True
    return x if f is True else y


@case
def u_while_dict(x, y):
    d = {}
    r = x
    if x > 2:
        d["a"] = 1
    while d:
        d.clear()
        r = y
    return r


@case
def u_getattr_none(x, y):
    b = Box(1)
    if x > 2:
        b.z = x
    return x if getattr(b, "z", None) is None else y


@case
def swap_objs(x, y):
    a, b = (Box(x), Box(y))
    if x > 2:
        a.v, b.v = (b.v, a.v)
    return a.v * 10 + b.v


@case
def two_ifs(x, y):
    b = Box([0, 0])
    if x > 2:
        b.v[0] = x
    if y > 0:
        b.v[1] = b.v[0] + y
    return b.v[0] * 10 + b.v[1]


@case
def three_levels(x, y):
    b = Box(0)
    d = {"n": 0}
    if x > 1:
        b.v += 1
        if x > 3:
            b.v += 10
            d["n"] += 1
            if y > 0:
                b.v += 100
            else:
                d["n"] += 5
        else:
            d["n"] += 50
    return b.v + d["n"] * 1000


@case
def recursion_node(x, y):
    t = []

    def go(n):
        if n == 0:
            return 0
        r = n if x > n else 0
        return r + go(n - 1)

    return go(4) + y


@case
def recursion_global(x, y, steps=3):
    if steps == 0:
        return x
    if x > y:
        return recursion_global(x - 1, y, steps - 1) * 2
    return recursion_global(x, y - 1, steps - 1) + y


@case
def and_chain_state(x, y):
    l = [0, 0]

    def t(k, r):
        l[k] += 1
        return r

    t(0, x > 1) and t(1, y > 0) and t(0, x > 0)
    return l[0] * 10 + l[1] + x


@case
def copied_before(x, y):
    a = {"l": [y]}
    c = copy.copy(a)
    d = copy.deepcopy(a)
    if x > 2:
        a["l"][0] = x
    return c["l"][0] * 10 + d["l"][0]


class A:
    K = 5

    def go(self, x):
        return x + int(A.K)


@case
def own_name_no_branch(x, y):
    return A().go(x)


class C0:
    def go(self, x):
        return x


class C(C0):
    def go(self, x):
        return super().go(x) if x > 2 else x * 0


@case
def own_name_super(x, y):
    return C().go(x)


@case
def mode_str(x, y):
    mode = "small"
    if x > 2:
        mode = "large"
    return x * (10 if mode == "large" else 1)


@case
def opt_return(x, y):

    def find(a):
        if a > 2:
            return a
        return None

    return y if find(x) is None else x


@case
def unread_two_places(x, y):
    l = []
    h = Box(l)
    k = Box(l)
    if x > 2:
        h.v.append(1)
    return x + len(k.v)


@case
def callee_self_list(x, y):

    class T:
        def __init__(self):
            self.items = []

        def go(self, x):
            if x > 2:
                self.items.append(1)

        def count(self):
            return len(self.items)

    t = T()
    alias = t.items
    t.go(x)
    return x + len(alias)
