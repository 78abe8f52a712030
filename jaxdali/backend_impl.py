"""DALI's name for the module of tensor classes; see `jaxdali.tensors`."""

from .tensors import TensorCPU as TensorCPU
from .tensors import TensorListCPU as TensorListCPU
from .tensors import TensorListGPU as TensorListGPU

__all__ = ["TensorCPU", "TensorListCPU", "TensorListGPU"]
