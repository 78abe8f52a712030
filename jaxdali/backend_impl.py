"""Another DALI name for `jaxdali.backend`."""

from jaxdali._dali.buffer_settings import GetDeviceBufferGrowthFactor as GetDeviceBufferGrowthFactor
from jaxdali._dali.buffer_settings import GetHostBufferGrowthFactor as GetHostBufferGrowthFactor
from jaxdali._dali.buffer_settings import GetHostBufferShrinkThreshold as GetHostBufferShrinkThreshold
from jaxdali._dali.buffer_settings import SetBufferGrowthFactor as SetBufferGrowthFactor
from jaxdali._dali.buffer_settings import SetDeviceBufferGrowthFactor as SetDeviceBufferGrowthFactor
from jaxdali._dali.buffer_settings import SetHostBufferGrowthFactor as SetHostBufferGrowthFactor
from jaxdali._dali.buffer_settings import SetHostBufferShrinkThreshold as SetHostBufferShrinkThreshold
from jaxdali._dali.tensors.tensor import TensorCPU as TensorCPU
from jaxdali._dali.tensors.tensor import TensorGPU as TensorGPU
from jaxdali._dali.tensors.tensor_list import TensorListCPU as TensorListCPU
from jaxdali._dali.tensors.tensor_list import TensorListGPU as TensorListGPU

__all__ = [
    "GetDeviceBufferGrowthFactor",
    "GetHostBufferGrowthFactor",
    "GetHostBufferShrinkThreshold",
    "SetBufferGrowthFactor",
    "SetDeviceBufferGrowthFactor",
    "SetHostBufferGrowthFactor",
    "SetHostBufferShrinkThreshold",
    "TensorCPU",
    "TensorGPU",
    "TensorListCPU",
    "TensorListGPU",
]


def __dir__() -> list[str]:
    return __all__
