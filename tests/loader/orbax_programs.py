"""Training runs that save themselves with Orbax, as JAX users write them."""

from __future__ import annotations

import logging
from typing import Any


def make_loader() -> Any:
    import front_sources
    from front_pipelines import small_images

    from jaxdali import Loader

    return Loader(front_sources.Folder(), small_images, workers=0, batch_size=4, shuffle=True, seed=3, epochs=3)


def _manager(folder: str) -> Any:
    import orbax.checkpoint as ocp

    logging.getLogger("absl").setLevel(logging.ERROR)
    return ocp.CheckpointManager(folder, item_names=("params", "loader")), ocp.args


def save(folder: str, steps: int) -> Any:
    """Runs `steps` steps and saves. Returns what it saw, the record, and the parameters."""
    import jax.numpy as jnp

    from jaxdali import fingerprint

    manager, args = _manager(folder)
    loader = make_loader()
    seen = [[step, fingerprint(batch)] for _, (step, batch) in zip(range(steps), loader.enumerate(), strict=False)]
    parameters = {"w": jnp.arange(4.0)}
    state = args.Composite(params=args.StandardSave(parameters), loader=args.JsonSave(loader.get_state()))
    manager.save(steps, args=state)
    manager.wait_until_finished()
    manager.close()
    return seen, loader.get_state(), parameters["w"].tolist()


def restore(folder: str) -> Any:
    """Returns the parameters, and what comes after the step that was saved."""
    import jax
    import jax.numpy as jnp

    from jaxdali import fingerprint

    manager, args = _manager(folder)
    template = {"w": jax.ShapeDtypeStruct((4,), jnp.float32)}
    loader = make_loader()
    saved = manager.restore(
        manager.latest_step(),
        args=args.Composite(params=args.StandardRestore(template), loader=args.JsonRestore()),
    )
    loader.set_state(saved.loader)
    manager.close()
    return saved.params["w"].tolist(), [[step, fingerprint(batch)] for step, batch in loader.enumerate()]
