"""DALI's iterators for this framework are not provided: importing this raises an error that says what to do."""

from .other_frameworks import refuse

refuse("pytorch")
