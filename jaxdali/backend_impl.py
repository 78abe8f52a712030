"""DALI's name for the module of tensor classes; see `jaxdali.tensors`."""

from .tensors import TensorCPU as TensorCPU
from .tensors import TensorListCPU as TensorListCPU

__all__ = ["TensorCPU", "TensorListCPU"]
