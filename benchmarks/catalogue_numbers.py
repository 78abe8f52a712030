"""Cases of operators that draw numbers, fill arrays or reduce them, and of affine maps."""

from __future__ import annotations

from typing import Any

from catalogue_case import Case, Dali

__all__ = ["NUMBERS"]


def _reduction(name: str) -> list[Case]:
    return [
        Case(("images",), lambda d, x: getattr(d.fn.reductions, name)(x), "all axes", apart=1e-4),
        Case(("ragged",), lambda d, x: getattr(d.fn.reductions, name)(x, axes=[0, 1]), "axes=[0, 1]", apart=1e-4),
    ]


def _deviation(name: str) -> list[Case]:
    """Takes the mean as an input, so its time is included."""

    def call(dali: Dali, numbers: Any, **axes: Any) -> Any:
        reductions = dali.fn.reductions
        return getattr(reductions, name)(numbers, reductions.mean(numbers, **axes), **axes)

    return [
        Case(("images",), call, "all axes, with the mean"),
        Case(("ragged",), lambda d, x: call(d, x, axes=[0, 1]), "axes=[0, 1], with the mean"),
    ]


def _filled(name: str) -> list[Case]:
    return [
        Case((), lambda d, k: getattr(d.fn, name)(shape=[d.side, d.side, 3 + k]), "a constant shape"),
        Case(
            (),
            lambda d, k: getattr(d.fn, name)(shape=[d.side, d.side, 3 + k], dtype=d.types.UINT8),
            "dtype=UINT8",
        ),
    ]


def _transforms() -> dict[str, list[Case]]:
    """Each transform alone, and after another map."""

    def pair(name: str, **given: Any) -> list[Case]:
        def call(dali: Dali, before: Any, **more: Any) -> Any:
            mine = {"from_start": [0.0, 0.0], **given} if name == "crop" else given
            function = getattr(dali.fn.transforms, name)
            return function(before, **mine, **more)

        def alone(dali: Dali, k: int) -> Any:
            mine = {
                key: [one + k for one in value] if isinstance(value, list) else value + k
                for key, value in given.items()
            }
            return getattr(dali.fn.transforms, name)(**mine)

        return [Case((), alone, "alone", apart=1e-5), Case(("maps",), call, "behind another map", apart=1e-5)]

    return {
        "transforms.combine": [
            Case(("maps", "maps"), lambda d, a, b: d.fn.transforms.combine(a, b), "two maps", apart=1e-5),
            Case(
                ("maps", "maps", "maps"),
                lambda d, a, b, c: d.fn.transforms.combine(a, b, c, reverse_order=True),
                "three, reverse_order",
                apart=1e-5,
            ),
        ],
        "transforms.crop": pair("crop", from_end=[5.0, 6.0], to_start=[1.0, 2.0], to_end=[9.0, 7.0]),
        "transforms.rotation": pair("rotation", angle=20.0),
        "transforms.scale": pair("scale", scale=[1.5, 0.5]),
        "transforms.shear": pair("shear", shear=[0.5, 0.25]),
        "transforms.translation": pair("translation", offset=[5.0, -3.0]),
    }


def _drawn() -> dict[str, list[Case]]:
    """Random numbers: one per sample, or an array of them."""

    def pair(name: str, **given: Any) -> list[Case]:
        def call(dali: Dali, k: int, **more: Any) -> Any:
            return getattr(dali.fn.random, name)(**given, **more)

        def many(dali: Dali, k: int) -> Any:
            return call(dali, k, shape=[dali.side, dali.side])

        return [Case((), call, "a number a sample", drawn=True), Case((), many, "side x side a sample", drawn=True)]

    return {
        "random.beta": pair("beta", alpha=0.5, beta=0.5),
        "random.choice": [
            Case((), lambda d, k: d.fn.random.choice(10), "a number a sample", drawn=True),
            Case((), lambda d, k: d.fn.random.choice(10, shape=[d.side, d.side]), "side x side a sample", drawn=True),
        ],
        "random.coin_flip": pair("coin_flip", probability=0.3),
        "random.normal": pair("normal", mean=1.0, stddev=2.0),
        "random.uniform": pair("uniform", range=[-1.0, 1.0]),
        "batch_permutation": [
            Case((), lambda d, k: d.fn.batch_permutation(), drawn=True),
            Case((), lambda d, k: d.fn.batch_permutation(allow_repetitions=True), "allow_repetitions=True", drawn=True),
        ],
    }


_REDUCTIONS = ("max", "mean", "mean_square", "min", "rms", "sum")
NUMBERS = {
    **_drawn(),
    **_transforms(),
    **{f"reductions.{name}": _reduction(name) for name in _REDUCTIONS},
    **{f"reductions.{name}": _deviation(name) for name in ("std_dev", "variance")},
    **{name: _filled(name) for name in ("ones", "zeros")},
}
