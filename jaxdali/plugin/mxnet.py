"""DALI's iterators for this framework are not here: importing this says what to do."""

from .other_frameworks import refuse

refuse("mxnet")
