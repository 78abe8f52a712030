"""The network of resnet50.py, a residual network (He et al. 2015) in Flax, and its training step."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from jax.sharding import Mesh, NamedSharding, PartitionSpec, Sharding, SingleDeviceSharding

__all__ = ["ResNet", "make_network", "make_shardings", "make_training"]

_MOMENTUM = 0.9
_WEIGHT_DECAY = 1e-4

# Parameters and statistics are float32; images, activations and gradients of activations are bfloat16.
_conv = functools.partial(nn.Conv, use_bias=False, dtype=jnp.bfloat16, kernel_init=nn.initializers.he_normal())
_norm = functools.partial(nn.BatchNorm, use_running_average=False, momentum=0.9, dtype=jnp.bfloat16)


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 and 1 x 1 convolutions, and a shortcut for the input."""

    filters: int
    stride: int

    @nn.compact
    def __call__(self, x):
        y = nn.relu(_norm()(_conv(self.filters, (1, 1))(x)))
        y = nn.relu(_norm()(_conv(self.filters, (3, 3), self.stride)(y)))
        y = _norm(scale_init=nn.initializers.zeros)(_conv(4 * self.filters, (1, 1))(y))
        if x.shape != y.shape:
            x = _norm()(_conv(4 * self.filters, (1, 1), self.stride)(x))
        return nn.relu(x + y)


class Basic(nn.Module):
    """Two 3 x 3 convolutions, and a shortcut for the input."""

    filters: int
    stride: int

    @nn.compact
    def __call__(self, x):
        y = nn.relu(_norm()(_conv(self.filters, (3, 3), self.stride)(x)))
        y = _norm(scale_init=nn.initializers.zeros)(_conv(self.filters, (3, 3))(y))
        if x.shape != y.shape:
            x = _norm()(_conv(self.filters, (1, 1), self.stride)(x))
        return nn.relu(x + y)


class ResNet(nn.Module):
    """Images `[N, height, width, 3]` -> `float32[N, classes]`."""

    block: type[nn.Module]
    stages: tuple[int, ...]
    width: int
    classes: int

    @nn.compact
    def __call__(self, images):
        x = nn.relu(_norm()(_conv(self.width, (7, 7), 2)(images)))
        x = nn.max_pool(x, (3, 3), (2, 2), "SAME")
        for stage, blocks in enumerate(self.stages):
            for number in range(blocks):
                x = self.block(self.width << stage, 2 if stage and not number else 1)(x)
        return nn.Dense(self.classes)(x.mean((1, 2), dtype=jnp.float32))


def make_network(tiny: bool, width: int | None, classes: int) -> ResNet:
    """ResNet-50; with `tiny`, ResNet-18 at a quarter of the width."""
    if tiny:
        return ResNet(Basic, (2, 2, 2, 2), width or 16, classes)
    return ResNet(Bottleneck, (3, 4, 6, 3), width or 64, classes)


def make_shardings(devices: int) -> tuple[Sharding, Sharding]:
    """The sharding of a batch, which is divided among the devices, and that of replicated values."""
    mesh = Mesh(np.array(jax.devices()[:devices]), ("data",))
    if mesh.size < devices:
        raise SystemExit(f"{devices} devices are wanted, there are {mesh.size}")
    if devices == 1:
        return SingleDeviceSharding(jax.devices()[0]), SingleDeviceSharding(jax.devices()[0])
    return NamedSharding(mesh, PartitionSpec("data")), NamedSharding(mesh, PartitionSpec())


def make_training(network: ResNet, size: tuple[int, int], rate: float, same: Sharding) -> tuple[Callable, Callable]:
    """Returns two compiled functions: `start(seed) -> state` and `step(state, images, labels) -> (state, loss)`, which
    donates its state. All devices of `same` hold the state; batches may be divided among them.
    """

    @functools.partial(jax.jit, out_shardings=same)
    def start(seed: int) -> dict[str, Any]:
        variables = network.init(jax.random.key(seed), jnp.zeros((1, *size, 3), jnp.bfloat16))
        params = variables["params"]
        return {"params": params, "stats": variables["batch_stats"], "momentum": jax.tree.map(jnp.zeros_like, params)}

    @functools.partial(jax.jit, donate_argnums=0, out_shardings=same)
    def step(state: dict[str, Any], images: jax.Array, labels: jax.Array) -> tuple[dict[str, Any], jax.Array]:
        def loss_of(params):
            variables = {"params": params, "batch_stats": state["stats"]}
            scores, updates = network.apply(variables, images.astype(jnp.bfloat16), mutable=["batch_stats"])
            chosen = jax.nn.one_hot(labels, network.classes)
            return -(chosen * jax.nn.log_softmax(scores)).sum(1).mean(), updates["batch_stats"]

        (loss, stats), gradients = jax.value_and_grad(loss_of, has_aux=True)(state["params"])
        # Stochastic gradient descent with momentum, as in optax.sgd.
        momentum = jax.tree.map(
            lambda m, g, p: _MOMENTUM * m + g + _WEIGHT_DECAY * p, state["momentum"], gradients, state["params"]
        )
        params = jax.tree.map(lambda p, m: p - rate * m, state["params"], momentum)
        return {"params": params, "stats": stats, "momentum": momentum}, loss

    return start, step
