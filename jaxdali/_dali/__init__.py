"""DALI's interface: graphs of operators, pipelines and iterators."""
