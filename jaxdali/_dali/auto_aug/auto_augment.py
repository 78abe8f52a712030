"""AutoAugment: draws one of several sub-policies for each image, and does each of its steps with a probability."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError
from ..graph.call import DataNode
from ..graph.declarations import operator_named
from .core.magnitudes import drawn, looked_up
from .core.policy import Policy
from .core.selection import Row, apply_rows, check_arguments
from .dali_policies import (
    get_image_net_policy,
    get_reduced_cifar10_policy,
    get_reduced_image_net_policy,
    get_svhn_policy,
)

__all__ = [
    "apply_auto_augment",
    "auto_augment",
    "auto_augment_image_net",
    "get_image_net_policy",
    "get_reduced_cifar10_policy",
    "get_reduced_image_net_policy",
    "get_svhn_policy",
]

_POLICIES: dict[str, Callable[..., Policy]] = {
    "image_net": get_image_net_policy,
    "reduced_image_net": get_reduced_image_net_policy,
    "svhn": get_svhn_policy,
    "reduced_cifar10": get_reduced_cifar10_policy,
}


def auto_augment_image_net(
    data: DataNode,
    shape: DataNode | tuple[int, int] | None = None,
    fill_value: int | None = 128,
    interp_type: object = None,
    max_translate_abs: int | tuple[int, int] | None = None,
    max_translate_rel: float | tuple[float, float] | None = None,
    seed: int | None = None,
) -> DataNode:
    """`auto_augment` with the policy "image_net"."""
    return auto_augment(data, "image_net", shape, fill_value, interp_type, max_translate_abs, max_translate_rel, seed)


def auto_augment(
    data: DataNode,
    policy_name: str = "image_net",
    shape: DataNode | tuple[int, int] | None = None,
    fill_value: int | None = 128,
    interp_type: object = None,
    max_translate_abs: int | tuple[int, int] | None = None,
    max_translate_rel: float | tuple[float, float] | None = None,
    seed: int | None = None,
) -> DataNode:
    """Applies a policy of the paper of AutoAugment to each image; DALI's function.

    Args:
        policy_name: "image_net", "reduced_image_net", "svhn" or "reduced_cifar10".
        max_translate_abs: 250 by default.
        max_translate_rel: 1 by default.
        data, shape, fill_value, interp_type, seed: as in `rand_augment`. "reduced_image_net" has no translations, and
            takes neither `shape` nor limits of translations.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    if not isinstance(policy_name, str) or policy_name not in _POLICIES:
        raise ConfigError(f"policy_name must be one of {', '.join(_POLICIES)}, got {policy_name!r:.80}")
    far: dict[str, object] = {"max_translate_abs": max_translate_abs, "max_translate_rel": max_translate_rel}
    given: dict[str, Any] = {"fill_value": fill_value, "interp_type": interp_type}
    if policy_name == "reduced_image_net":
        said = [name for name, value in {"shape": shape, **far}.items() if value is not None]
        if said:
            raise ConfigError(f"the policy {policy_name} has no translations, and takes no {said[0]}=; leave it out")
        return apply_auto_augment(get_reduced_image_net_policy(), data, seed, **given)
    if shape is not None:
        given["shape"] = shape
    policy = _POLICIES[policy_name](use_shape=shape is not None, **far)
    return apply_auto_augment(policy, data, seed, **given)


def apply_auto_augment(policy: Policy, data: DataNode, seed: int | None = None, **kwargs: object) -> DataNode:
    """Applies one of a policy's sub-policies to each sample.

    Args:
        seed: that of its own random stream.
        kwargs: arguments of the augmentations; each gets those that its function takes.

    Raises:
        ConfigError: the policy is empty, or no augmentation takes an argument.
    """
    if not policy.sub_policies or not any(policy.sub_policies):
        raise ConfigError(f"apply_auto_augment got an empty policy: {policy!r:.80}")
    several = [*policy.augmentations.values()]
    check_arguments(several, kwargs, "apply_auto_augment")
    steps = max(len(one) for one in policy.sub_policies)
    which = drawn(range(len(policy.sub_policies)), seed, stream=0)
    negated = any(one.randomly_negate for one in several)
    signs = drawn([0, 1], seed, (steps,)) if negated else None
    own = None if seed is None else (seed + 3) % (1 << 63)
    chance: Any = operator_named("random.uniform")(range=(0.0, 1.0), shape=(steps,), seed=own)
    nothing = len(policy.sub_policies)
    for step in range(steps):
        rows, likely = [], []
        for one in policy.sub_policies:
            made, probability, magnitude = one[step] if step < len(one) else (None, 0.0, None)
            rows.append(Row(made, magnitude if made is not None and made.mag_range is not None else None))
            likely.append(probability)
        done = chance[step] < looked_up(np.asarray(likely, np.float32), which)
        row = done * which + (done ^ True) * nothing
        sign = None if signs is None else signs[step]
        data = apply_rows(data, [*rows, Row(None, None)], policy.num_magnitude_bins, row, sign, kwargs)
    return data
