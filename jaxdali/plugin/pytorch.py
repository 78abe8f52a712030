"""DALI's iterators for this framework are not provided: importing this raises an error that says what to do."""

from jaxdali._dali.other_frameworks import refuse

refuse("pytorch")
