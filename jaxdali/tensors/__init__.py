"""What `Pipeline.run` returns: lists of samples, DALI's `TensorListCPU` and `TensorListGPU`, and single ones."""

from .backing import ArrayBacking as ArrayBacking
from .backing import SlotBacking as SlotBacking
from .tensor import TensorCPU as TensorCPU
from .tensor import TensorGPU as TensorGPU
from .tensor_list import TensorListCPU as TensorListCPU
from .tensor_list import TensorListGPU as TensorListGPU

__all__ = ["TensorCPU", "TensorGPU", "TensorListCPU", "TensorListGPU"]
