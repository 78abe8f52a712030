from .. import Equalize as Equalize
from .. import PeekImageShape as PeekImageShape
from . import decoders as decoders
