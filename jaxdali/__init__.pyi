from . import audio as audio
from . import augment as augment
from . import backend as backend
from . import backend_impl as backend_impl
from . import boxes as boxes
from . import errors as errors
from . import fn as fn
from . import image as image
from . import math as math
from . import numeric as numeric
from . import ops as ops
from . import pickling as pickling
from . import pipeline as pipeline
from . import plugin as plugin
from . import random as random
from . import remote as remote
from . import source as source
from . import tensors as tensors
from . import tfrecord as tfrecord
from . import types as types
from ._base.progress import progress as progress
from ._dali.graph.call import DataNode as DataNode
from ._dali.graph.newaxis import newaxis as newaxis
from ._dali.pipeline.pipeline import Pipeline as Pipeline
from ._dali.pipeline.pipeline_decorator import pipeline_def as pipeline_def
from ._dali.planner.options import OperatorConcurrency as OperatorConcurrency
from ._dali.planner.options import StreamPolicy as StreamPolicy
from ._dali.show import show as show
from ._device.image.encoded import EncodedBatch as EncodedBatch
from ._loader.loader import Loader as Loader
from ._run.multihost.fingerprint import fingerprint as fingerprint
from .errors import BackendUnavailable as BackendUnavailable
from .errors import ConfigAssertionError as ConfigAssertionError
from .errors import ConfigError as ConfigError
from .errors import ConfigIndexError as ConfigIndexError
from .errors import ConfigKeyError as ConfigKeyError
from .errors import ConfigTypeError as ConfigTypeError
from .errors import DecodeError as DecodeError
from .errors import GraphError as GraphError
from .errors import GraphIndexError as GraphIndexError
from .errors import GraphNotImplementedError as GraphNotImplementedError
from .errors import GraphTypeError as GraphTypeError
from .errors import JaxDaliError as JaxDaliError
from .errors import NoInputError as NoInputError
from .errors import OutputError as OutputError
from .errors import PeerError as PeerError
from .errors import SourceDataError as SourceDataError
from .errors import SourceError as SourceError
from .errors import StateError as StateError
from .errors import WorkerError as WorkerError

__all__ = [
    "BackendUnavailable",
    "ConfigAssertionError",
    "ConfigError",
    "ConfigIndexError",
    "ConfigKeyError",
    "ConfigTypeError",
    "DataNode",
    "DecodeError",
    "EncodedBatch",
    "GraphError",
    "GraphIndexError",
    "GraphNotImplementedError",
    "GraphTypeError",
    "JaxDaliError",
    "Loader",
    "NoInputError",
    "OperatorConcurrency",
    "OutputError",
    "PeerError",
    "Pipeline",
    "SourceDataError",
    "SourceError",
    "StateError",
    "StreamPolicy",
    "WorkerError",
    "audio",
    "augment",
    "backend",
    "backend_impl",
    "boxes",
    "errors",
    "fingerprint",
    "fn",
    "image",
    "math",
    "newaxis",
    "numeric",
    "ops",
    "pickling",
    "pipeline",
    "pipeline_def",
    "plugin",
    "progress",
    "random",
    "remote",
    "show",
    "source",
    "tensors",
    "tfrecord",
    "types",
]
