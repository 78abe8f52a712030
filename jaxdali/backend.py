"""DALI's module of tensor classes (see `jaxdali.tensors`), and of settings for how buffers grow and shrink.

A setting applies to all pipelines and Loaders of the process, from their next batch on. Until it is set, environment
variables apply, which are read when first needed: `DALI_HOST_BUFFER_SHRINK_THRESHOLD`,
`DALI_HOST_BUFFER_GROWTH_FACTOR`, `DALI_DEVICE_BUFFER_GROWTH_FACTOR`, and for both factors `DALI_BUFFER_GROWTH_FACTOR`.
These settings do not concern what an XLA program computes: its exact size is known before it runs.
"""

from jaxdali._base.missing import explain_missing
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

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
