"""The names of DALI's `types` module: dtypes, filters, colour spaces, layouts, constants, and callback arguments."""

from typing import Any

from .constants import Constant as Constant
from .constants import ConstantNode as ConstantNode
from .constants import ScalarConstant as ScalarConstant
from .dtypes import ANY_DATA as ANY_DATA
from .dtypes import BGR as BGR
from .dtypes import BOOL as BOOL
from .dtypes import DATA_TYPE as DATA_TYPE
from .dtypes import FEATURE as FEATURE
from .dtypes import FLOAT as FLOAT
from .dtypes import FLOAT16 as FLOAT16
from .dtypes import FLOAT64 as FLOAT64
from .dtypes import GRAY as GRAY
from .dtypes import IMAGE_TYPE as IMAGE_TYPE
from .dtypes import INT8 as INT8
from .dtypes import INT16 as INT16
from .dtypes import INT32 as INT32
from .dtypes import INT64 as INT64
from .dtypes import INTERP_CUBIC as INTERP_CUBIC
from .dtypes import INTERP_GAUSSIAN as INTERP_GAUSSIAN
from .dtypes import INTERP_LANCZOS3 as INTERP_LANCZOS3
from .dtypes import INTERP_LINEAR as INTERP_LINEAR
from .dtypes import INTERP_NN as INTERP_NN
from .dtypes import INTERP_TRIANGULAR as INTERP_TRIANGULAR
from .dtypes import INTERP_TYPE as INTERP_TYPE
from .dtypes import NO_TYPE as NO_TYPE
from .dtypes import PYTHON_OBJECT as PYTHON_OBJECT
from .dtypes import RGB as RGB
from .dtypes import STRING as STRING
from .dtypes import TENSOR_LAYOUT as TENSOR_LAYOUT
from .dtypes import UINT8 as UINT8
from .dtypes import UINT16 as UINT16
from .dtypes import UINT32 as UINT32
from .dtypes import UINT64 as UINT64
from .dtypes import DALIDataType as DALIDataType
from .dtypes import DALIImageType as DALIImageType
from .dtypes import DALIInterpType as DALIInterpType
from .dtypes import PipelineAPIType as PipelineAPIType
from .dtypes import YCbCr as YCbCr
from .dtypes import from_numpy_type as from_numpy_type
from .dtypes import to_dali_type as to_dali_type
from .dtypes import to_numpy_type as to_numpy_type
from .layouts import CPU_ONLY_DEVICE_ID as CPU_ONLY_DEVICE_ID
from .layouts import NCHW as NCHW
from .layouts import NFCHW as NFCHW
from .layouts import NFHWC as NFHWC
from .layouts import NHWC as NHWC
from .layouts import SAME as SAME
from .layouts import CUDAStream as CUDAStream
from .layouts import TensorLayout as TensorLayout
from .missing import explain_missing
from .source_infos import BatchInfo as BatchInfo
from .source_infos import SampleInfo as SampleInfo
from .source_infos import batch_info_type as batch_info_type
from .source_infos import sample_info_type as sample_info_type

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


def __getattr__(name: str) -> Any:
    return explain_missing(__name__, __all__)(name)
