"""DALI's functions in Numba are not here: importing this says what to do."""

from .other_frameworks import refuse

refuse("numba")
