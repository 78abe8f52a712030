"""DALI's functions in Numba are not provided: importing this raises an error that says what to do."""

from .other_frameworks import refuse

refuse("numba")
