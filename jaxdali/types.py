"""The names of DALI's `types` module: dtypes, filters, colour spaces, layouts, constants, and callback arguments."""

from jaxdali._base.constants import Constant as Constant
from jaxdali._base.constants import ConstantNode as ConstantNode
from jaxdali._base.constants import ScalarConstant as ScalarConstant
from jaxdali._base.dtypes import ANY_DATA as ANY_DATA
from jaxdali._base.dtypes import BGR as BGR
from jaxdali._base.dtypes import BOOL as BOOL
from jaxdali._base.dtypes import DATA_TYPE as DATA_TYPE
from jaxdali._base.dtypes import FEATURE as FEATURE
from jaxdali._base.dtypes import FLOAT as FLOAT
from jaxdali._base.dtypes import FLOAT16 as FLOAT16
from jaxdali._base.dtypes import FLOAT64 as FLOAT64
from jaxdali._base.dtypes import GRAY as GRAY
from jaxdali._base.dtypes import IMAGE_TYPE as IMAGE_TYPE
from jaxdali._base.dtypes import INT8 as INT8
from jaxdali._base.dtypes import INT16 as INT16
from jaxdali._base.dtypes import INT32 as INT32
from jaxdali._base.dtypes import INT64 as INT64
from jaxdali._base.dtypes import INTERP_CUBIC as INTERP_CUBIC
from jaxdali._base.dtypes import INTERP_GAUSSIAN as INTERP_GAUSSIAN
from jaxdali._base.dtypes import INTERP_LANCZOS3 as INTERP_LANCZOS3
from jaxdali._base.dtypes import INTERP_LINEAR as INTERP_LINEAR
from jaxdali._base.dtypes import INTERP_NN as INTERP_NN
from jaxdali._base.dtypes import INTERP_TRIANGULAR as INTERP_TRIANGULAR
from jaxdali._base.dtypes import INTERP_TYPE as INTERP_TYPE
from jaxdali._base.dtypes import NO_TYPE as NO_TYPE
from jaxdali._base.dtypes import PYTHON_OBJECT as PYTHON_OBJECT
from jaxdali._base.dtypes import RGB as RGB
from jaxdali._base.dtypes import STRING as STRING
from jaxdali._base.dtypes import TENSOR_LAYOUT as TENSOR_LAYOUT
from jaxdali._base.dtypes import UINT8 as UINT8
from jaxdali._base.dtypes import UINT16 as UINT16
from jaxdali._base.dtypes import UINT32 as UINT32
from jaxdali._base.dtypes import UINT64 as UINT64
from jaxdali._base.dtypes import DALIDataType as DALIDataType
from jaxdali._base.dtypes import DALIImageType as DALIImageType
from jaxdali._base.dtypes import DALIInterpType as DALIInterpType
from jaxdali._base.dtypes import PipelineAPIType as PipelineAPIType
from jaxdali._base.dtypes import YCbCr as YCbCr
from jaxdali._base.dtypes import from_numpy_type as from_numpy_type
from jaxdali._base.dtypes import to_dali_type as to_dali_type
from jaxdali._base.dtypes import to_numpy_type as to_numpy_type
from jaxdali._base.layouts import CPU_ONLY_DEVICE_ID as CPU_ONLY_DEVICE_ID
from jaxdali._base.layouts import NCHW as NCHW
from jaxdali._base.layouts import NFCHW as NFCHW
from jaxdali._base.layouts import NFHWC as NFHWC
from jaxdali._base.layouts import NHWC as NHWC
from jaxdali._base.layouts import SAME as SAME
from jaxdali._base.layouts import CUDAStream as CUDAStream
from jaxdali._base.layouts import TensorLayout as TensorLayout
from jaxdali._base.missing import explain_missing
from jaxdali._base.source_infos import BatchInfo as BatchInfo
from jaxdali._base.source_infos import SampleInfo as SampleInfo
from jaxdali._base.source_infos import batch_info_type as batch_info_type
from jaxdali._base.source_infos import sample_info_type as sample_info_type

__all__ = [
    "ANY_DATA",
    "BGR",
    "BOOL",
    "CPU_ONLY_DEVICE_ID",
    "DATA_TYPE",
    "FEATURE",
    "FLOAT",
    "FLOAT16",
    "FLOAT64",
    "GRAY",
    "IMAGE_TYPE",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "INTERP_CUBIC",
    "INTERP_GAUSSIAN",
    "INTERP_LANCZOS3",
    "INTERP_LINEAR",
    "INTERP_NN",
    "INTERP_TRIANGULAR",
    "INTERP_TYPE",
    "NCHW",
    "NFCHW",
    "NFHWC",
    "NHWC",
    "NO_TYPE",
    "PYTHON_OBJECT",
    "RGB",
    "SAME",
    "STRING",
    "TENSOR_LAYOUT",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "BatchInfo",
    "CUDAStream",
    "Constant",
    "ConstantNode",
    "DALIDataType",
    "DALIImageType",
    "DALIInterpType",
    "PipelineAPIType",
    "SampleInfo",
    "ScalarConstant",
    "TensorLayout",
    "YCbCr",
    "batch_info_type",
    "from_numpy_type",
    "sample_info_type",
    "to_dali_type",
    "to_numpy_type",
]

__getattr__ = explain_missing(__name__, __all__)


def __dir__() -> list[str]:
    return __all__
