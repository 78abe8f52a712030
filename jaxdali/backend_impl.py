"""Another DALI name for `jaxdali.backend`."""

from .backend import GetDeviceBufferGrowthFactor as GetDeviceBufferGrowthFactor
from .backend import GetHostBufferGrowthFactor as GetHostBufferGrowthFactor
from .backend import GetHostBufferShrinkThreshold as GetHostBufferShrinkThreshold
from .backend import SetBufferGrowthFactor as SetBufferGrowthFactor
from .backend import SetDeviceBufferGrowthFactor as SetDeviceBufferGrowthFactor
from .backend import SetHostBufferGrowthFactor as SetHostBufferGrowthFactor
from .backend import SetHostBufferShrinkThreshold as SetHostBufferShrinkThreshold
from .tensors import TensorCPU as TensorCPU
from .tensors import TensorGPU as TensorGPU
from .tensors import TensorListCPU as TensorListCPU
from .tensors import TensorListGPU as TensorListGPU

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
