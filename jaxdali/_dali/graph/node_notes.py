"""Advice on errors of Python and JAX about a node, which they cannot give."""

from __future__ import annotations

__all__ = ["advise"]

_OF_JAX = (
    "jax.numpy computes arrays, and a node has no numbers while the pipeline is defined: calculate with jaxdali.fn and "
    "jaxdali.math, or make an operator of a function of JAX, @jaxdali.plugin.jax.fn.jax_function; or the function belongs "
    "in a jaxdali.Loader, which gives it arrays"
)
# What an error says of a node, and the note that it gets. The first that fits counts.
_NOTES = (
    (
        "has no len()",
        "a node stands for one batch after the other: node.shape()[0] is a node with the length of each sample",
    ),
    (
        "argument of type",
        "a node has no numbers while the pipeline is defined; a comparison, such as node == 3, is a node",
    ),
    (
        "iterable",
        "a node is one output, for one batch after the other, and Python cannot take it apart. Several outputs are asked "
        "for: images, labels = fn.external_source(source, num_outputs=2). node[0] is the first part of each sample, and a "
        "loop needs a number that is known while the pipeline is defined",
    ),
    ("abstract array", _OF_JAX),
    ("valid JAX array type", _OF_JAX),
)


def advise(error: BaseException | None) -> None:
    """Adds a note that says what to write to a TypeError of Python or JAX about a node."""
    text = str(error) if type(error) is TypeError else ""
    if "DataNode" in text:
        for said, note in _NOTES:
            if said in text:
                error.add_note(note)  # type: ignore[union-attr]
                return
