"""The results of arithmetic in DALI 2.4.0 on the CPU: dtypes, and checksums of values."""

import numpy as np

NAMES = {
    "b": np.bool_,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f32": np.float32,
    "f64": np.float64,
}

# Rows: the left operand; columns: the right one, both in the order of NAMES. "-": refused.
TYPES = {
    ("add", "sub", "div", "mod", "pow", "min", "max"): """
        -   u8  u16 u32 u64 i8  i16 i32 i64 f32 f64
        u8  u8  u16 u32 u64 i16 i16 i32 i64 f32 f64
        u16 u16 u16 u32 u64 i32 i32 i32 i64 f32 f64
        u32 u32 u32 u32 u64 i64 i64 i64 i64 f32 f64
        u64 u64 u64 u64 u64 i64 i64 i64 i64 f32 f64
        i8  i16 i32 i64 i64 i8  i16 i32 i64 f32 f64
        i16 i16 i32 i64 i64 i16 i16 i32 i64 f32 f64
        i32 i32 i32 i64 i64 i32 i32 i32 i64 f32 f64
        i64 i64 i64 i64 i64 i64 i64 i64 i64 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64
    """,
    ("mul",): """
        b   u8  u16 u32 u64 i8  i16 i32 i64 f32 f64
        u8  u8  u16 u32 u64 i16 i16 i32 i64 f32 f64
        u16 u16 u16 u32 u64 i32 i32 i32 i64 f32 f64
        u32 u32 u32 u32 u64 i64 i64 i64 i64 f32 f64
        u64 u64 u64 u64 u64 i64 i64 i64 i64 f32 f64
        i8  i16 i32 i64 i64 i8  i16 i32 i64 f32 f64
        i16 i16 i32 i64 i64 i16 i16 i32 i64 f32 f64
        i32 i32 i32 i64 i64 i32 i32 i32 i64 f32 f64
        i64 i64 i64 i64 i64 i64 i64 i64 i64 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64
    """,
    ("fdiv", "atan2", "fpow"): """
        -   f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64
        f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64
    """,
    ("bitand", "bitor", "bitxor", "lshift", "rshift"): """
        b   u8  u16 u32 u64 i8  i16 i32 i64 -   -
        u8  u8  u16 u32 u64 i16 i16 i32 i64 -   -
        u16 u16 u16 u32 u64 i32 i32 i32 i64 -   -
        u32 u32 u32 u32 u64 i64 i64 i64 i64 -   -
        u64 u64 u64 u64 u64 i64 i64 i64 i64 -   -
        i8  i16 i32 i64 i64 i8  i16 i32 i64 -   -
        i16 i16 i32 i64 i64 i16 i16 i32 i64 -   -
        i32 i32 i32 i64 i64 i32 i32 i32 i64 -   -
        i64 i64 i64 i64 i64 i64 i64 i64 i64 -   -
        -   -   -   -   -   -   -   -   -   -   -
        -   -   -   -   -   -   -   -   -   -   -
    """,
    ("eq", "neq", "lt", "leq", "gt", "geq"): """
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
        b   b   b   b   b   b   b   b   b   b   b
    """,
}


def values(name):
    """Operands of a dtype, including the limits of its range."""
    if name == "b":
        return np.array([1, 0, 1, 0, 1, 1], bool)
    limits = np.iinfo(NAMES[name])
    small = [0, 1, 2, 3, 7, 100, limits.max, limits.max - 1]
    negative = [-1, -2, -3, -100, limits.min, limits.min + 1] if name[0] == "i" else []
    return np.array(small + negative, NAMES[name])


def operands(kind, left, right):
    """Each value of one dtype with each of the other, without divisors 0 and -1, and shifts below 0 or above 7."""
    a, b = values(left), values(right)
    a, b = np.repeat(a, len(b)), np.tile(b, len(a))
    if kind in ("div", "mod"):
        keep = (b != 0) & (b.astype(float) != -1)
    elif kind in ("lshift", "rshift"):
        keep = (b.astype(float) >= 0) & (b.astype(float) < 8)
    else:
        keep = np.ones(len(a), bool)
    return a[keep], b[keep]


PAIRS = [
    *(("b", "b"), ("u8", "u8"), ("u16", "u16"), ("u32", "u32"), ("u64", "u64"), ("i8", "i8"), ("i16", "i16")),
    *(
        ("i32", "i32"),
        ("i64", "i64"),
        ("u8", "i8"),
        ("i16", "u16"),
        ("i32", "u32"),
        ("u64", "i8"),
        ("b", "i8"),
        ("u8", "i32"),
    ),
    ("u32", "i8"),
]

# zlib.crc32 of the results' bytes, in hexadecimal, by kind, in the order of PAIRS; "-": unknown.
CHECKSUMS = {
    "add": """
        - 90e8f0d8 64c07c51 72fe2e54 7f0048f4 949c1f84 8829d487 8bbe2124
        c663f9f3 81b65dc8 e9b35d23 205a10a0 066ab4c4 e41470bf 7128dac0 bb0dc2fd
    """,
    "sub": """
        - 6a9d4e2d 9172cd1d cb4d9404 ba72bfe9 77dfd7a5 f67cc6e1 cf61e41f
        503fa49b af823d2f 491481be a76dc869 a20378c1 d3162c36 5dac18a7 ac028bb7
    """,
    "mul": """
        03b7f998 c675233f e05dd0a3 36a553ef 4d8b9bcf 1df4ff44 bf21d053 63c9442e
        5b3c8bce 29538952 efdc0d49 439c21a9 df88e136 6477f544 e77d466a 7ff52f54
    """,
    "div": """
        - 2a733ebe ab173ad1 c0098487 e6fb8a11 abf451c0 567679df c6ea6022
        - f9fa6838 0936f5e5 ecc8a470 5bb5ce4b 86f82d52 fcd2406e e9709c0d
    """,
    "mod": """
        - feff9081 3b27858d 2a958c60 9b0e4bf2 5d8bc20c 7dab6f0c 9bcdff93
        - 3e77da3f 5e27db87 110dcb84 cb7760d7 fd7fbdec e2c9f0e9 080e1d34
    """,
    "pow": """
        - 8a436130 bb5d294f bba95bb1 d74810b4 545633fc 024eb542 9ad0d386
        c5697e11 994c11d6 23c79bb8 df6d51b3 c17bff36 c07041a0 bc79aa82 a168d787
    """,
    "bitand": """
        03b7f998 b7a568da 3584b770 70931992 3bb01ccb ee93b07f 23bf947f b746b76d
        799befb8 b267783b e1ca5227 34caf690 58e60209 acdcaf0b 19fc178a 6b935218
    """,
    "bitor": """
        6ac5a8e2 d80b0ad1 01876c79 0f9b8c2b b838212d 5b8e6560 31dd340c b27e6b0b
        3d60e123 8db48594 161db77e 725286a7 ef50d593 923c1070 216b05db 459dcea8
    """,
    "bitxor": """
        03c4e3af 1a23013d f6ab2194 729e10e1 3122489e 5f6b224d 636b775f fefc4675
        5d9de6f8 02f2a6cc b15df31a 14a50e88 e58ba925 4a2c550d 7e1d0412 7c33e20f
    """,
    "lshift": """
        14259fed a96656c2 b9041147 0176bd1c af1e5e15 32a0a9c4 fc287be2 282a0324
        00ca61f0 1baf6eab b2d8926b e2801b76 af1e5e15 114d9ae5 ab3dd6c8 3991e050
    """,
    "rshift": """
        7d24d4a0 091656d8 0bc65763 aa63f881 0e630f16 4105d749 99e3bcde 440bddf3
        5581398b b26c6a20 14fc6258 63c32a2b df7df5cc 8ba1a475 3a585376 0f22eff8
    """,
    "eq": """
        30612b56 691057d2 691057d2 691057d2 691057d2 8e71495e 8e71495e 8e71495e
        8e71495e f2efd69c 4e25a774 4e25a774 f2efd69c 1bf5f3d9 f2efd69c f2efd69c
    """,
    "neq": """
        03c4e3af 17505e4b 17505e4b 17505e4b 17505e4b e013dabe e013dabe e013dabe
        e013dabe 4c6bbad0 f0a1cb38 f0a1cb38 4c6bbad0 4d4a8b22 4c6bbad0 4c6bbad0
    """,
    "lt": """
        145685da 5a14439e 5a14439e 5a14439e 5a14439e 39b4317e 39b4317e 39b4317e
        39b4317e 06e8e69d 87dfe158 87dfe158 06e8e69d 01d56f25 e4c70ae9 06e8e69d
    """,
    "leq": """
        4e811c59 4689777a 4689777a 4689777a 4689777a 5db38f72 5db38f72 5db38f72
        5db38f72 efb99dbc d244eb91 d244eb91 efb99dbc 6eec768a 0d9671c8 efb99dbc
    """,
    "gt": """
        7d24d4a0 38c97ee3 38c97ee3 38c97ee3 38c97ee3 33d11c92 33d11c92 33d11c92
        33d11c92 513df1f0 6cc087dd 6cc087dd 513df1f0 38530e71 b3121d84 513df1f0
    """,
    "geq": """
        27f34d23 24544a07 24544a07 24544a07 24544a07 57d6a29e 57d6a29e 57d6a29e
        57d6a29e b86c8ad1 395b8d14 395b8d14 b86c8ad1 576a17de 5a4366a5 b86c8ad1
    """,
    "min": """
        - fd394144 06255c6e d48bdeda 0f45ddc0 0260c4f5 0d7e7a05 7bb40246
        1759da91 67def523 84cefbbf 1e221f8b 8e8e80ff 45d938ec d4f210a7 fdd07547
    """,
    "max": """
        - 9297234f 32268767 ab834b63 8ccde026 b77d11ea 1f1cda76 7e8cde20
        53a2d40a 580d088c 73191ee6 58ba6fbc 39385765 7b398797 ec6502f6 d3dee9f7
    """,
}
