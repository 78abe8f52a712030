"""What `Pipeline.run` returns: lists of samples, DALI's `TensorListCPU` and `TensorListGPU`, and single ones."""

from jaxdali._dali.tensors.backing import ArrayBacking as ArrayBacking
from jaxdali._dali.tensors.backing import SlotBacking as SlotBacking
from jaxdali._dali.tensors.tensor import TensorCPU as TensorCPU
from jaxdali._dali.tensors.tensor import TensorGPU as TensorGPU
from jaxdali._dali.tensors.tensor_list import TensorListCPU as TensorListCPU
from jaxdali._dali.tensors.tensor_list import TensorListGPU as TensorListGPU

__all__ = ["TensorCPU", "TensorGPU", "TensorListCPU", "TensorListGPU"]


def __dir__() -> list[str]:
    return __all__
